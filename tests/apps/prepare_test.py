"""marrow prepare medial and tet, as a user meets them."""
import json
import os
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
        info = self.marrow("info", self.folder / "cube.medial")
        self.assertEqual(info.returncode, 0, info.stderr)
        self.assertIn("handles      12", info.stdout)
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
        self.write_scene("1 0 0\nv 9 9 9 1\n", "far.ma")
        for arguments, words in ((["open.off"], "not closed"), (["cube.off", "--handles", "0"], "0 handles"),
                                 (["cube.off", "--handles", "9999999"], "has only"), (["missing.off"], "missing.off"),
                                 (["cube.off", "--extra-handle", "0.5", "0.5", "0.5", "0.4"], "--extra-handle has 4 numbers"),
                                 (["cube.off", "--target-error", "1e-5"], "the best has"), (["cube.off", "--medial", "far.ma"], "far.ma: "),
                                 (["cube.off", "--anchor", "5", "5", "5", "6", "6", "6"], "--anchor"),
                                 (["cube.off", "--anchor", "-1", "-1", "-1", "2", "2", "2"], "Handles would move nothing")):
            done = self.prepare("medial", *arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(words, done.stderr)
        self.assertEqual(self.prepare("medial", "cube.off", "--handles", "3", "--target-error", "0.1").returncode, 1)

    def test_nothing_is_written_over_what_is_read_or_no_file(self):
        os.mkfifo(self.folder / "pipe.medial")
        (self.folder / "folder.glb").mkdir()
        os.link(self.folder / "cube.off", self.folder / "same.medial")
        self.write_scene("1 0 0\nv 0.5 0.5 0.5 1\n", "ball.ma")
        for arguments, words in (
                (["medial", "cube.off", "-o", "cube.off"], "would overwrite the input cube.off"),
                (["medial", "cube.off", "-o", "same.medial"], "would overwrite the input cube.off"),
                (["medial", "cube.off", "--picture", "./cube.off"], "would overwrite the input cube.off"),
                (["medial", "cube.off", "--medial", "ball.ma", "--ma", "ball.ma"], "would overwrite the input ball.ma"),
                (["medial", "cube.off", "-o", "cube.obj"], "Use a name that ends in .medial"),
                (["medial", "cube.off", "--ma", "noext"], "Use a name that ends in .ma"),
                (["medial", "cube.off", "--picture", "cube.png"], "Use a name that ends in .glb"),
                (["medial", "cube.off", "-o", "pipe.medial"], "is a device or a pipe"),
                (["medial", "cube.off", "--picture", "folder.glb"], "is a folder"),
                (["medial", "cube.off", "-o", "nowhere/cube.medial"], "there is no folder nowhere"),
                (["tet", "cube.off", "-o", "cube.off"], "would overwrite the input cube.off"),
                (["tet", "cube.off", "-o", "cube.obj"], "Use a name that ends in .msh")):
            done = self.prepare(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(words, done.stderr)
        self.assertEqual((self.folder / "cube.off").read_text(), CUBE)
        self.assertTrue((self.folder / "pipe.medial").is_fifo())
        self.assertFalse((self.folder / "cube.medial").exists())

    def test_numbers_are_numbers(self):
        for option, value in (("--target-error", "nan"), ("--target-error", "inf"), ("--target-error", ""), ("--handles", ""),
                              ("--handles", "nan"), ("--handles", "2.5"), ("--weight-threshold", "nan"), ("--cells", "")):
            done = self.prepare("medial", "cube.off", option, value)
            self.assertEqual(done.returncode, 1, (option, value))
            self.assertIn(option, done.stderr)
        self.assertEqual(self.prepare("medial", "cube.off", "--extra-handle", "0", "nan", "0").returncode, 1)
        self.assertEqual(self.prepare("tet", "cube.off", "--size", "nan").returncode, 1)
        done = self.prepare("medial", "cube.off", "--handles", "5", "--extra-handle", "-.1", "-.5e-1", "-0", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["handles"], 6)

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

    def test_bad_surfaces_are_refused_with_what_to_do(self):
        lines = CUBE.strip().split("\n")
        points, faces = lines[2:10], lines[10:]
        shifted = [" ".join(str(float(c) + d) for c, d in zip(point.split(), (0.5, 0.3, 0.2))) for point in points]
        renamed = [" ".join(["3", *(str(int(i) + 8) for i in face.split()[1:])]) for face in faces]
        flat = [" ".join([*point.split()[:2], "0"]) for point in points]
        for name, vertices, triangles, words, advice in (
                ("open", points, faces[:-1], "the surface is not closed", "Every edge must lie in exactly two triangles"),
                ("crossed", points + shifted, faces + renamed, "the surface intersects itself", "marrow prepare tet --lattice"),
                ("sheet", flat, faces, "encloses no volume: it is a sheet", "give the sheet a thickness")):
            text = "\n".join(["OFF", f"{len(vertices)} {len(triangles)} 0", *vertices, *triangles]) + "\n"
            self.write_scene(text, f"{name}.off")
            done = self.prepare("medial", f"{name}.off", "--handles", "6")
            self.assertEqual(done.returncode, 2, name)
            self.assertIn(f"{name}.off: ", done.stderr)
            self.assertIn(words, done.stderr)
            self.assertIn(advice, done.stderr)

    def test_medial_meshes_of_others_must_be_sound(self):
        head, ball, edge = "2 1 0\n", "v 0.3 0.5 0.5 0.3\n", "e 0 1\n"
        for name, text, words in (
                ("negative", head + ball + "v 0.6 0.5 0.5 -0\n" + edge, "negative.ma:3:15: sphere 1 has the negative radius -0"),
                ("index", head + ball + ball + "e 0 7\n", "index.ma:4:5: edge 0 names point 7, but points run from 0 to 1"),
                ("short", "3 1 0\n" + ball + ball, "the first line announces 3 spheres, but there are 2"),
                ("far", head + "v 0.5 0.5 0.5 0.3\nv 9 0.5 0.5 0.3\n" + edge, "sphere 1 of the medial mesh is at (9, 0.5, 0.5), far from the surface"),
                ("word", head + "v 0 zero 0 1\n" + ball + edge, "word.ma:2:5: 'zero' is not a valid number"),
                ("nan", head + "v 0 nan 0 1\n" + ball + edge, "nan.ma:2:5: the coordinate is not finite"),
                ("huge", head + ball + "v 0.6 0.5 0.5 1000\n" + edge, "sphere 1 of the medial mesh has the radius 1e+03, but the surface is only 1.73 large"),
                ("loop", head + ball + "v 0.6 0.5 0.5 0.3\ne 1 1\n", "cone 0 of the medial mesh joins sphere 1 with itself"),
                ("empty", "", "empty.ma:1:1: the file ends")):
            self.write_scene(text, f"{name}.ma")
            done = self.prepare("medial", "cube.off", "--medial", str(self.folder / f"{name}.ma"))
            self.assertEqual(done.returncode, 2, name)
            self.assertIn(words, done.stderr)

    def test_repairs_of_a_medial_mesh_are_told(self):
        self.write_scene("2 1 0\n" + 2 * "v 0.5 0.5 0.5 0.6\n" + "e 0 1\n", "twice.ma")
        done = self.prepare("medial", "cube.off", "--cells", "6", "--medial", "twice.ma", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 of the 2 spheres", json.loads(done.stdout)["notes"][0])

    @unittest.skipUnless(DATA.exists(), "no shared data beside the repository")
    def test_malformed_medial_mesh_is_refused(self):
        done = self.prepare("medial", "cube.off", "--medial", str(DATA / "medial/Luke-QMAT/data/bar.ma"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("bar.ma:2:57: sphere 0 has the negative radius -0", done.stderr)


if __name__ == "__main__":
    unittest.main()
