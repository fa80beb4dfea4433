"""`marrow convert` and IPC scripts given to `run` and `check`; scenes that start intersecting."""
import json
import unittest

from program_case import ProgramCase

# One tetrahedron as Gmsh 2.2.
TET = """$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
4
1 0 0 0
2 1 0 0
3 0 1 0
4 0 0 1
$EndNodes
$Elements
1
1 4 0 1 2 3 4
$EndElements
"""
SCRIPT = """energy NH
time 0.2 0.05
shapes input 2
meshes/tet.msh 0 0 0  0 0 0  1 1 1
meshes/tet.msh 0 %g 0  0 0 0  1 1 1
ground 0.1 -0.5
zoom 2
"""


class ConvertTest(ProgramCase):
    def setUp(self):
        super().setUp()
        (self.folder / "meshes").mkdir()
        (self.folder / "meshes" / "tet.msh").write_text(TET)
        (self.folder / "scenes").mkdir()

    def write_script(self, height=1.5, name="two.txt"):
        path = self.folder / "scenes" / name
        path.write_text(SCRIPT % height)
        return path

    def test_a_script_becomes_a_scene_that_runs(self):
        result = self.marrow("convert", self.write_script(), "-o", self.folder / "two.json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("two.txt:7: zoom is ignored", result.stdout)
        scene = json.loads((self.folder / "two.json").read_text())
        self.assertEqual([b["name"] for b in scene["bodies"]], ["tet", "tet 2", "half space 1"])
        self.assertEqual(scene["bodies"][0]["mesh"], "meshes/tet.msh")
        out = self.folder / "a"
        self.run_ok(self.folder / "two.json", "-o", out)
        self.assertEqual(len(self.metrics(out)), 4)

    def test_a_script_runs_as_it_is_with_overrides(self):
        out = self.folder / "a"
        result = self.run_ok(self.write_script(), "-o", out, "--set", "time.duration=0.1")
        self.assertIn("zoom is ignored", result.stdout)
        self.assertEqual(len(self.metrics(out)), 2)
        recorded = json.loads((out / "scene.json").read_text())
        self.assertEqual(recorded["bodies"][0]["mesh"], "../meshes/tet.msh")

    def test_mistakes_name_the_line(self):
        path = self.folder / "scenes" / "bad.txt"
        path.write_text("shapes input 1\nmeshes/none.msh 0 0 0  0 0 0  1 1 1\n")
        for verb in ("convert", "run", "check"):
            result = self.marrow(verb, path, cwd=self.folder)
            self.assertEqual(result.returncode, 2)
            self.assertIn("bad.txt:2: the mesh meshes/none.msh is missing", result.stderr)

    def test_what_starts_intersecting_is_refused_named_and_shown(self):
        script = self.write_script(0.25)
        out = self.folder / "a"
        result = self.marrow("run", script, "-o", out)
        self.assertEqual(result.returncode, 2)
        self.assertRegex(result.stderr, r"pairs of elements intersect")
        self.assertRegex(result.stderr, r'triangle \d-\d-\d of "tet" and triangle \d-\d-\d of "tet 2"')
        picture = self.folder / "a.intersections.ply"
        self.assertIn(str(picture), result.stderr)
        self.assertIn(b"element face", picture.read_bytes())
        self.assertFalse(out.exists() and any(out.iterdir()))
        result = self.marrow("check", script, "--json", cwd=self.folder)
        self.assertEqual(result.returncode, 5)
        self.assertGreater(json.loads(result.stdout)["intersections"], 0)
        # Bodies that ignore each other, or a scene without contact, may overlap.
        self.run_ok(script, "-o", out, "--set", "contact.enabled=false")


if __name__ == "__main__":
    unittest.main()
