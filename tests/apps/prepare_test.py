"""marrow prepare medial and tet, as a user meets them."""
import json
import struct
import unittest
from pathlib import Path

import program_case

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"

CUBE = """OFF
8 12 0
0 0 0
1 0 0
1 1 0
0 1 0
0 0 1
1 0 1
1 1 1
0 1 1
3 0 2 1
3 0 3 2
3 4 5 6
3 4 6 7
3 0 1 5
3 0 5 4
3 1 2 6
3 1 6 5
3 2 3 7
3 2 7 6
3 3 0 4
3 3 4 7
"""


class Prepare(program_case.ProgramCase):
    def setUp(self):
        super().setUp()
        self.write_scene(CUBE, "cube.off")

    def prepare(self, *arguments):
        return self.marrow("prepare", *arguments, cwd=self.folder)

    def test_medial_reports_as_json_and_writes_all_files(self):
        done = self.prepare("medial", "cube.off", "--handles", "12", "--json", "-o", "cube.medial", "--ma", "cube.ma", "--picture", "cube.glb")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual(report["handles"], 12)
        self.assertEqual(report["enclosed"], 1)
        self.assertGreater(report["max_error"], report["mean_error"])
        self.assertGreater(report["seconds"], 0)
        self.assertEqual(self.marrow("info", self.folder / "cube.ma").returncode, 0)
        glb = (self.folder / "cube.glb").read_bytes()
        magic, version, size = struct.unpack("<4sII", glb[:12])
        self.assertEqual((magic, version, size), (b"glTF", 2, len(glb)))
        length = struct.unpack("<I", glb[12:16])[0]
        names = [node["name"] for node in json.loads(glb[20:20 + length])["nodes"]]
        self.assertEqual(names, ["surface", "medial solid", "spheres", "medial mesh"])

    def test_same_bytes_again(self):
        for name in ("a", "b"):
            self.assertEqual(self.prepare("medial", "cube.off", "--handles", "6", "-o", f"{name}.medial").returncode, 0)
        self.assertEqual((self.folder / "a.medial").read_bytes(), (self.folder / "b.medial").read_bytes())

    def test_mistakes_are_told(self):
        self.write_scene(CUBE.replace("8 12 0", "8 11 0").replace("3 3 4 7\n", ""), "open.off")
        for arguments, words in ((["open.off"], "not closed"), (["cube.off", "--handles", "0"], "0 handles"),
                                 (["cube.off", "--handles", "9999999"], "has only"), (["missing.off"], "missing.off"),
                                 (["cube.off", "--anchor", "5", "5", "5", "6", "6", "6"], "--anchor")):
            done = self.prepare("medial", *arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(words, done.stderr)
        self.assertEqual(self.prepare("medial", "cube.off", "--handles", "3", "--target-error", "0.1").returncode, 1)

    def test_tets_conform_or_cover(self):
        done = self.prepare("tet", "cube.off", "-o", "cube.msh", "--size", "0.2", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertAlmostEqual(json.loads(done.stdout)["volume"], 1, places=3)
        self.assertEqual(self.marrow("check", self.folder / "cube.msh").returncode, 0)
        self.write_scene(CUBE.replace("8 12 0", "8 11 0").replace("3 3 4 7\n", ""), "open.off")
        self.assertEqual(self.prepare("tet", "open.off", "-o", "open.msh").returncode, 2)
        done = self.prepare("tet", "open.off", "--lattice", "--cells", "5", "-o", "open.msh")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.marrow("check", self.folder / "open.msh").returncode, 0)

    @unittest.skipUnless(DATA.exists(), "no shared data beside the repository")
    def test_malformed_medial_mesh_is_refused(self):
        done = self.prepare("medial", "cube.off", "--medial", str(DATA / "medial/Luke-QMAT/data/bar.ma"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("bar.ma", done.stderr)


if __name__ == "__main__":
    unittest.main()
