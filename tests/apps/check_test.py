"""`marrow check` as a user meets it: meshes, frames, runs and scenes; exit codes, JSON and what is written."""
import json
import re
import struct
import unittest

from program_case import ProgramCase, unpack_frame

# Two tetrahedra as surfaces; the second is moved along x.
TETRAHEDRON = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
FACES = [(1, 3, 2), (1, 2, 4), (2, 3, 4), (1, 4, 3)]


def two_tetrahedra(shift):
    points = TETRAHEDRON + [(x + shift, y, z) for x, y, z in TETRAHEDRON]
    faces = FACES + [tuple(i + 4 for i in face) for face in FACES]
    return "".join("v %.17g %.17g %.17g\n" % p for p in points) + "".join("f %d %d %d\n" % f for f in faces)


class CheckTest(ProgramCase):
    def check(self, *arguments):
        result = self.marrow("check", *arguments, "--json", cwd=self.folder)
        return result.returncode, json.loads(result.stdout) if result.stdout else None

    def write_mesh(self, text, name="mesh.obj"):
        path = self.folder / name
        path.write_text(text)
        return path

    def test_a_clean_mesh(self):
        code, report = self.check(self.write_mesh(two_tetrahedra(2)))
        self.assertEqual(code, 0)
        self.assertEqual((report["intersections"], report["undecided"], report["triangles"]), (0, 0, 8))
        self.assertFalse((self.folder / "mesh.intersections.ply").exists())

    def test_touching_in_one_point_is_intersecting_and_a_hair_apart_is_not(self):
        code, report = self.check(self.write_mesh(two_tetrahedra(1)))
        self.assertEqual(code, 5)
        self.assertGreater(report["intersections"], 0)
        code, report = self.check(self.write_mesh(two_tetrahedra(1 + 2**-52)))
        self.assertEqual((code, report["intersections"]), (0, 0))

    def test_offenders_are_listed_and_written(self):
        mesh = self.write_mesh(two_tetrahedra(0.25))
        result = self.marrow("check", mesh, cwd=self.folder)
        self.assertEqual(result.returncode, 5)
        self.assertRegex(result.stdout, r"triangle \d+ \(body 0\) and triangle \d+")
        written = self.folder / "mesh.intersections.ply"
        self.assertTrue(written.exists())
        self.assertIn("mesh.intersections.ply", result.stdout)
        info = self.marrow("info", written)
        self.assertEqual(info.returncode, 0, info.stderr)
        self.assertIn("triangles", info.stdout)
        code, report = self.check(mesh, "--write", self.folder / "bad.obj")
        self.assertEqual(code, 5)
        self.assertEqual(report["written"], str(self.folder / "bad.obj"))
        self.assertTrue((self.folder / "bad.obj").exists())
        pair = report["pairs"][0]
        self.assertEqual(pair["a"]["kind"], "triangle")
        self.assertEqual(len(pair["a"]["vertices"]), 3)

    def test_a_fold_onto_the_neighbour(self):
        flat = "v 0 0 0\nv 1 0 0\nv 0.5 1 0\nv 0.5 -1 0\nf 1 2 3\nf 2 1 4\n"
        self.assertEqual(self.check(self.write_mesh(flat))[0], 0)
        self.assertEqual(self.check(self.write_mesh(flat.replace("0.5 -1 0", "0.5 0.5 0")))[0], 5)

    def test_inverted_tets(self):
        text = ("# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n"
                "0 0 0 1 0 0 0 1 0 0 0 1\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n")
        code, report = self.check(self.write_mesh(text, "tet.vtk"))
        self.assertEqual((code, report["inversions"], report["tets"], report["triangles"]), (0, 0, 1, 4))
        code, report = self.check(self.write_mesh(text.replace("4 0 1 2 3", "4 1 0 2 3"), "tet.vtk"))
        self.assertEqual((code, report["inversions"]), (5, 1))

    def test_a_scene_without_room_to_move(self):
        def scene(gap):
            box = '{"shape": {"type": "box", "size": [1, 1, 1]}, "position": [0, %.17g, 0]}'
            return self.write_mesh('{"time": {"step": 0.01, "duration": 0.01}, "bodies": [%s, %s]}'
                                   % (box % 0, box % (1 + gap)), "close.json")
        for verb in ["check", "run"]:
            result = self.marrow(verb, scene(1e-11), cwd=self.folder)
            self.assertEqual(result.returncode, 2, verb + result.stdout)
            self.assertRegex(result.stderr, r"only 1e-11 m apart[\s\S]*leave at least")
            self.assertEqual(list(self.folder.glob("**/run.log")), [])
        self.assertEqual(self.check(scene(1e-8))[0], 0)

    def test_a_body_inside_another_is_noted(self):
        box = {"type": "box", "size": [0.1, 0.1, 0.1]}
        scene = self.write_scene({"time": {"duration": 0.01}, "bodies": [
            {"name": "inner", "kind": "rigid", "shape": box}, {"name": "outer", "shape": {"type": "box"}}]}, "inside.json")
        code, report = self.check(scene)
        self.assertEqual((code, report["intersections"]), (0, 0))
        self.assertIn('"inner" starts inside "outer"', report["notices"][0])
        self.assertIn('"inner" starts inside "outer"', self.marrow("run", scene, "-o", self.folder / "inside").stdout)

    def test_a_run(self):
        out = self.folder / "out"
        self.run_ok(self.scene, "-o", out, "--steps", 4)
        code, report = self.check(out)
        self.assertEqual(code, 0, report)
        self.assertEqual((report["frames"], report["intersections"], report["inversions"]), (3, 0, 0))
        self.assertEqual(report["bad_frames"], [])
        self.assertEqual(self.marrow("check", out / "frames/frame_000002.vtu").returncode, 0)

    def test_a_run_in_which_bodies_meet(self):
        scene = self.write_scene({"time": {"duration": 0.02}, "bodies": [
            {"shape": {"type": "box"}}, {"shape": {"type": "sphere"}, "position": [0.4, 0, 0]}]}, "meet.json")
        out = self.folder / "meet"
        self.run_ok(scene, "-o", out, "--set", "contact.enabled=false")
        # The scene lets them pass through each other: that is told, and no fault.
        code, report = self.check(out)
        self.assertEqual((code, report["intersections"], report["bad_frames"]), (0, 0, []))
        self.assertGreater(report["allowed_intersections"], 0)
        self.assertIn("contact is switched off", report["notes"][0])
        self.assertRegex(self.marrow("check", out).stdout, r"contact is off, \d+ pairs of elements intersect")
        # It is one where the scene keeps bodies apart.
        kept = json.loads((out / "scene.json").read_text())
        kept["contact"]["enabled"] = True
        (out / "scene.json").write_text(json.dumps(kept))
        code, report = self.check(out)
        self.assertEqual(code, 5)
        self.assertEqual(len(report["bad_frames"]), report["frames"])
        self.assertGreater(report["intersections"], 0)
        bodies = {report["bad_frames"][0]["pairs"][0][side]["body"] for side in "ab"}
        self.assertEqual(bodies, {0, 1})
        names = {report["bad_frames"][0]["pairs"][0][side]["name"] for side in "ab"}
        self.assertEqual(names, {"body 0", "body 1"})
        spoken = self.marrow("check", out, cwd=self.folder).stdout
        self.assertRegex(spoken, r'triangle [\d-]+ of "body 0" and triangle [\d-]+ of "body 1"')
        self.assertTrue((self.folder / "meet.intersections.ply").exists())
        # The scene itself is bad, unless its bodies do not touch.
        check = self.marrow("check", scene, cwd=self.folder)
        self.assertEqual(check.returncode, 5)
        self.assertRegex(check.stdout, r'triangle [\d-]+ of "body 0" and triangle [\d-]+ of "body 1"')
        code, report = self.check(scene)
        self.assertEqual(code, 5)
        self.assertGreater(report["intersections"], 0)
        code, report = self.check(scene, "--set", "contact.enabled=false")
        self.assertEqual((code, report["intersections"]), (0, 0))

    def test_a_damaged_frame_is_noticed(self):
        """A coordinate that is not a number, and one moved through the body."""
        out = self.folder / "out"
        self.run_ok(self.scene, "-o", out, "--steps", 2)
        frame = out / "frames/frame_000002.vtu"
        good = unpack_frame(frame)
        # The points are an appended block: 8 bytes of length, then doubles.
        offset = int(re.search(rb'Name="Points"[^>]*offset="(\d+)"', good).group(1))
        start = good.index(b"_", re.search(rb"<AppendedData[^>]*>", good).end()) + 1 + offset + 8
        for value in (float("nan"), 1000.0):
            frame.write_bytes(good[:start] + struct.pack("<d", value) + good[start + 8:])
            code, report = self.check(out)
            self.assertEqual(code, 5, value)
            self.assertEqual([bad["file"] for bad in report["bad_frames"]], ["frames/frame_000002.vtu"])

    def test_a_frame_of_another_topology_is_noticed(self):
        """Two corners of a tet swapped, the bodies' array renamed, another scene's frame."""
        out, other = self.folder / "out", self.folder / "other"
        self.run_ok(self.scene, "-o", out, "--steps", 2)
        frame = out / "frames/frame_000002.vtu"
        good = unpack_frame(frame)
        offset = int(re.search(rb'Name="connectivity"[^>]*offset="(\d+)"', good).group(1))
        start = good.index(b"_", re.search(rb"<AppendedData[^>]*>", good).end()) + 1 + offset + 8
        swapped = good[:start] + good[start + 4:start + 8] + good[start:start + 4] + good[start + 8:]
        self.write_scene({"time": {"duration": 0.02}, "bodies": [{"shape": {"type": "box"}}]}, "other.json")
        self.run_ok(self.folder / "other.json", "-o", other, "--steps", 1)
        foreign = (other / "frames/frame_000000.vtu").read_bytes()
        for bytes_of_frame, words in ((swapped, r"tet 0 is \d+-\d+-\d+-\d+, but in the scene"),
                                      (good.replace(b'Name="body"', b'Name="Body"'), 'no array "body"'),
                                      (foreign, r"it has \d+ points, but the scene has \d+")):
            frame.write_bytes(bytes_of_frame)
            code, report = self.check(out)
            self.assertEqual((code, report["other_topology"], len(report["bad_frames"])), (5, 1, 1), words)
            self.assertRegex(report["bad_frames"][0]["difference"], words)
            self.assertRegex(self.marrow("check", out, cwd=self.folder).stdout, "not a frame of this scene: .*" + words)

    def test_mistakes(self):
        empty = self.folder / "empty"
        empty.mkdir()
        for thing in (empty, self.folder / "missing.obj", self.folder / "missing.json"):
            result = self.marrow("check", thing)
            self.assertEqual(result.returncode, 2, thing)
            self.assertTrue(result.stderr)
        bad = self.write_mesh(two_tetrahedra(0.25))
        self.assertEqual(self.marrow("check", bad, "--write", self.folder / "no/such/folder.ply").returncode, 4)


if __name__ == "__main__":
    unittest.main()
