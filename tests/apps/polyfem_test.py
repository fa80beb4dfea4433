"""PolyFEM's scenes through the program: run, check, info and convert, and norms beside the recorded ones."""
import json
import math
import unittest
from pathlib import Path

from program_case import ProgramCase

DATA = Path(__file__).resolve().parents[2] / "../shared/data/scenes/polyfem-data/contact/examples/3D"

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

# A tet falls for three steps of implicit Euler: by g h² (1 + 2 + 3), over a volume of 1/6.
DROP = 10 * 0.1 ** 2 * 6


def falling(recorded):
    return {
        "geometry": [{"mesh": "tet.msh", "volume_selection": 1}],
        "materials": [{"id": 1, "type": "NeoHookean", "E": 1e6, "nu": 0.3, "rho": 1000}],
        "boundary_conditions": {"rhs": [0, 10, 0]},
        "time": {"dt": 0.1, "tend": 1},
        "tests": {"err_l2": recorded, "err_linf": DROP, "time_steps": 3},
    }


class Polyfem(ProgramCase):
    def path(self, name):
        return self.folder / name

    def write(self, recorded=DROP / math.sqrt(6)):
        self.path("tet.msh").write_text(TET)
        scene = self.path("scene.json")
        scene.write_text(json.dumps(falling(recorded)))
        return scene

    def norms(self, folder):
        return json.loads((folder / "polyfem_norms.json").read_text())

    def test_a_run_writes_its_norms_beside_the_recorded_ones(self):
        out = self.path("out")
        done = self.marrow("run", self.write(), "-o", out, "--steps", "4")
        self.assertEqual(done.returncode, 0, done.stderr)
        norms = self.norms(out)
        self.assertEqual(norms["steps"], 3)
        self.assertLess(norms["err_l2"]["difference"], 1e-9)
        self.assertLess(norms["err_linf"]["difference"], 1e-9)
        self.assertAlmostEqual(norms["err_l2"]["ours"], DROP / math.sqrt(6), 12)
        self.assertNotIn("err_h1", norms)

    def test_a_difference_is_relative(self):
        out = self.path("out")
        self.marrow("run", self.write(2 * DROP / math.sqrt(6)), "-o", out, "--steps", "3")
        self.assertAlmostEqual(self.norms(out)["err_l2"]["difference"], 0.5, 9)

    def test_a_run_that_ends_earlier_has_no_norms(self):
        out = self.path("out")
        self.marrow("run", self.write(), "-o", out, "--steps", "2")
        self.assertFalse((out / "polyfem_norms.json").exists())

    def test_the_converted_scene_is_the_same(self):
        converted, out = self.path("converted.json"), self.path("out")
        done = self.marrow("convert", self.write(), "-o", converted)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.marrow("run", converted, "-o", out, "--steps", "3").returncode, 0)
        self.assertLess(self.norms(out)["err_l2"]["difference"], 1e-9)

    def test_check_and_info_read_it(self):
        scene = self.write()
        self.assertIn("10 steps", self.marrow("info", scene).stdout)
        self.assertEqual(self.marrow("check", scene).returncode, 0)

    def test_mistakes_are_placed(self):
        scene = self.write()
        scene.write_text(scene.read_text().replace('"E"', '"EE"'))
        done = self.marrow("run", scene, "-o", self.path("out"))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn('at materials[0].EE: the key "EE" is not known here', done.stderr)

    # No contact: as many digits as PolyFEM's own test asks for. Contact: 2 %.
    def test_published_scenes(self):
        if not DATA.is_dir():
            self.skipTest("needs PolyFEM's scenes in ../shared/data/scenes")
        largest = {"stress-tests/spheres_collide-P1": 1e-5, "unit-tests/5-cubes-fast": 1e-5, "rigid/screw": 1e-4,
                   "unit-tests/vertex-vertex": 2e-2, "unit-tests/erleben/wedges": 2e-2}
        for name, allowed in largest.items():
            with self.subTest(name):
                out = self.path(name.replace("/", "_"))
                steps = json.loads((DATA / f"{name}.json").read_text())["tests"].get("time_steps", 1)
                count = [] if steps == "all" else ["--steps", str(steps)]
                done = self.marrow("run", DATA / f"{name}.json", "-o", out, *count)
                self.assertEqual(done.returncode, 0, done.stderr)
                norms = self.norms(out)
                for norm in ("err_l2", "err_h1", "err_h1_semi", "err_linf", "err_linf_grad", "err_lp"):
                    self.assertLess(norms[norm]["difference"], allowed, norm)


if __name__ == "__main__":
    unittest.main()
