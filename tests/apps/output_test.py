"""What a run writes by default: all frames exactly in run.mrw, some as VTU files, and `marrow convert` for the others."""
import json
import re
import shutil
import struct
import unittest

from program_case import ROOT, SCENE, ProgramCase, unpack_frame

# Something of every motion: at rest, by pose, rigid and affine, free.
MIXED = {
    "time": {"step": 0.01, "duration": 0.1},
    "bodies": [
        {"name": "floor", "kind": "obstacle", "shape": {"type": "plate"}, "position": [0, -0.5, 0]},
        {"name": "press", "kind": "obstacle", "shape": {"type": "box", "size": [0.1, 0.1, 0.1]}, "position": [0.3, 1, 0],
         "prescribed": [{"select": {"all": True}, "velocity": [0, -1, 0]}]},
        {"name": "rigid", "kind": "rigid", "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}, "position": [0, -0.36, 0],
         "angular_velocity": [1, 2, 3]},
        {"name": "affine", "kind": "affine", "shape": {"type": "cone", "radius": 0.1, "height": 0.2}, "position": [0.3, 0, 0]},
        {"name": "soft", "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}, "position": [-0.3, -0.3, 0]},
    ],
}


def points_of(path):
    """The bytes of the points of a VTU file."""
    content = unpack_frame(path)
    at = int(re.search(rb'Name="Points"[^>]*offset="(\d+)"', content)[1])
    start = content.index(b"_", content.index(b"<AppendedData")) + 1 + at
    (size,) = struct.unpack_from("<Q", content, start)
    return content[start + 8:start + 8 + size]


def records_of(path):
    """[(kind, step, start, end)] of run.mrw."""
    content, records, at = path.read_bytes(), [], 16
    while at < len(content):
        step, size = struct.unpack_from("<i", content, at + 4)[0], struct.unpack_from("<Q", content, at + 16)[0]
        records.append((content[at:at + 4].decode(), step, at, at + 32 + size))
        at += 32 + size
    return records


class OutputTest(ProgramCase):
    def setUp(self):
        super().setUp()
        self.mixed = self.write_scene(MIXED, "mixed.json")
        self.out = self.folder / "out"

    def check(self, out):
        result = self.marrow("check", out, "--json", cwd=self.folder)
        return result.returncode, json.loads(result.stdout)

    def frames(self, out):
        return sorted(int(p.stem[6:]) for p in (out / "frames").iterdir())

    def test_bodies_have_the_colours_of_the_viewer(self):
        lists = dict(re.findall(r"const (kBodies|kObstacles) = \[([^\]]*)\]", (ROOT / "viewer/src/colours.ts").read_text()))
        wanted = [color for name in ("kBodies", "kObstacles") for color in re.findall(r"#[0-9a-f]{6}", lists[name])]
        self.assertGreater(len(wanted), 12)
        others = len(re.findall("#", lists["kBodies"]))
        bodies = [{"name": color, "kind": "rigid" if i < others else "obstacle", "position": [i, 0, 0],
                   "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}} for i, color in enumerate(wanted)]
        self.run_ok(self.write_scene({"time": {"step": 0.01, "duration": 0.01}, "bodies": bodies}), "-o", self.out)
        content = (self.out / "run.glb").read_bytes()
        materials = json.loads(content[20:20 + struct.unpack_from("<I", content, 12)[0]])["materials"]
        self.assertEqual([material["name"] for material in materials], wanted)
        for material in materials:
            linear = material["pbrMetallicRoughness"]["baseColorFactor"]
            encoded = [12.92 * x if x <= 0.0031308 else 1.055 * x ** (1 / 2.4) - 0.055 for x in linear[:3]]
            self.assertEqual("#" + "".join(f"{round(255 * x):02x}" for x in encoded), material["name"])
            self.assertEqual(linear[3], 1)

    def test_every_fourth_frame_is_a_vtu_file_and_that_is_told(self):
        told = self.run_ok(self.mixed, "-o", self.out).stdout
        self.assertEqual(self.frames(self.out), [0, 4, 8, 10])
        self.assertEqual([r[:2] for r in records_of(self.out / "run.mrw")],
                         [("TOPO", 0), *((kind, step) for step in range(11) for kind in ("FRAM", "EXAC"))])
        self.assertIn("run.pvd (4 of 11 frames; all with `", told)
        self.assertIn("11, of these 4 as VTU files", self.marrow("info", self.out).stdout)
        told = self.run_ok(self.mixed, "-o", self.folder / "all", "--set", "output.vtu_every=1").stdout
        self.assertEqual(self.frames(self.folder / "all"), list(range(11)))
        self.assertNotIn("frames", told.split("run.pvd")[1].splitlines()[0])

    def test_frames_count_from_those_that_are_due(self):
        scene = {**SCENE, "output": {"vtu_every": 3}}  # a frame every second step
        self.run_ok(self.write_scene(scene), "-o", self.out, "--steps", 15)
        self.assertEqual(self.frames(self.out), [0, 6, 12, 15])

    def test_a_run_resumed_anywhere_writes_the_same_bytes(self):
        whole = self.folder / "whole"
        self.run_ok(self.mixed, "-o", whole)
        for step in (1, 4, 6):
            self.run_ok(self.mixed, "-o", self.out, "--steps", step, *(["--overwrite"] if self.out.exists() else []))
            self.assertIn(step, self.frames(self.out))
            self.run_ok(self.mixed, "-o", self.out, "--resume")
            self.assert_same_run(whole, self.out)

    def test_every_frame_is_checked_and_exact(self):
        self.run_ok(self.mixed, "-o", self.out)
        code, report = self.check(self.out)
        self.assertEqual((code, report["frames"], report["notes"]), (0, 11, []))
        # As VTU files they are those of a run that wrote them all.
        self.run_ok(self.mixed, "-o", self.folder / "all", "--set", "output.vtu_every=1", "--set", "output.exact=false")
        result = self.marrow("convert", self.out, "-o", self.folder / "converted")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("11 frames\n  4 copied", result.stdout)
        for step in range(11):
            name = f"frames/frame_{step:06d}.vtu"
            self.assertEqual(points_of(self.folder / "converted" / name), points_of(self.folder / "all" / name), step)
        self.assertEqual((self.folder / "converted/run.pvd").read_bytes(), (self.folder / "all/run.pvd").read_bytes())

    def test_damage_in_the_record_is_found(self):
        self.run_ok(self.mixed, "-o", self.out)
        path = self.out / "run.mrw"
        good = path.read_bytes()
        for kind, step, start, end in records_of(path):
            if step not in (3, 4) or kind == "TOPO":
                continue
            path.write_bytes(good[:end - 20] + bytes([good[end - 20] ^ 1]) + good[end - 19:])
            code, report = self.check(self.out)
            self.assertEqual((code, report["frames"], len(report["bad_frames"])), (5, 11, 1), (kind, step))
            self.assertEqual(report["bad_frames"][0]["step"], step)
            self.assertIn("is damaged", report["bad_frames"][0]["difference"])

    def test_a_vtu_file_that_was_changed_is_found(self):
        self.run_ok(self.mixed, "-o", self.out)
        frame = self.out / "frames/frame_000004.vtu"
        good = unpack_frame(frame)
        self.assertEqual(self.check(self.out)[0], 0)
        at = int(re.search(rb'Name="Points"[^>]*offset="(\d+)"', good)[1])
        start = good.index(b"_", good.index(b"<AppendedData")) + 1 + at + 8
        frame.write_bytes(good[:start] + bytes([good[start] ^ 1]) + good[start + 1:])  # the last bit of x
        code, report = self.check(self.out)
        self.assertEqual((code, len(report["bad_frames"])), (5, 1))
        self.assertEqual(report["bad_frames"][0]["difference"], "point 0 is elsewhere in run.mrw")

    def test_a_run_without_exact_frames_has_its_vtu_files_checked(self):
        # By default every frame has a file then.
        for setting in ("output.exact=false", "output.viewer=false"):
            out = self.folder / setting
            self.run_ok(self.mixed, "-o", out, "--set", setting)
            self.assertEqual(self.frames(out), list(range(11)))
            code, report = self.check(out)
            self.assertEqual((code, report["frames"], report["notes"]), (0, 11, []))
        told = self.run_ok(self.mixed, "-o", self.out, "--set", "output.exact=false", "--set", "output.vtu_every=4").stdout
        self.assertIn("run.pvd (4 of 11 frames)", told)
        code, report = self.check(self.out)
        self.assertEqual((code, report["frames"]), (0, 4))
        self.assertIn("only VTU files are checked", report["notes"][0])
        result = self.marrow("convert", self.out, "-o", self.folder / "no")
        self.assertEqual(result.returncode, 2)
        self.assertIn("does not hold exact frames", result.stderr)

    def test_a_run_without_vtu_files_has_all_else(self):
        self.run_ok(self.mixed, "-o", self.out, "--set", "output.vtu=false")
        self.assertFalse((self.out / "run.pvd").exists())
        self.assertGreater((self.out / "run.glb").stat().st_size, 0)
        self.assertEqual(self.check(self.out)[1]["frames"], 11)
        # The same animation as with VTU files only.
        self.run_ok(self.mixed, "-o", self.folder / "vtu", "--set", "output.viewer=false", "--set", "output.vtu_every=1")
        self.assertEqual((self.folder / "vtu/run.glb").read_bytes(), (self.out / "run.glb").read_bytes())

    def test_colours_and_cameras_leave_frames_exact(self):
        looks = {**MIXED, "view": {"side": "front"}, "bodies": [{**body, "color": "#d08020"} for body in MIXED["bodies"]]}
        self.run_ok(self.write_scene(looks, "looks.json"), "-o", self.out, "--set", "output.vtu=false")
        self.assertEqual(self.check(self.out)[1]["frames"], 11)

    def test_a_record_of_an_unknown_version_is_left_alone(self):
        self.run_ok(self.mixed, "-o", self.out)
        content = bytearray((self.out / "run.mrw").read_bytes())
        struct.pack_into("<I", content, 8, 3)
        (self.out / "run.mrw").write_bytes(content)
        code, report = self.check(self.out)
        self.assertEqual((code, report["frames"]), (0, 4))
        self.assertIn("has a version that this program cannot read", report["notes"][0])

    def test_converted_to_other_files(self):
        self.run_ok(self.mixed, "-o", self.out)
        self.marrow("convert", self.out, "-o", self.folder / "some", "--frames", "2:9:3")
        self.assertEqual(self.frames(self.folder / "some"), [2, 5, 8])
        for form in ("obj", "ply"):
            result = self.marrow("convert", self.out, "-o", self.folder / form, "--to", form, "--frames", "4")
            self.assertEqual(result.returncode, 0, result.stderr)
            mesh = self.folder / form / f"frame_000004.{form}"
            info = self.marrow("info", mesh).stdout
            self.assertRegex(info, r"triangles    \d{3}")
            # Exact: the mesh has the frame's doubles.
            if form == "obj":
                lines = [line.split()[1:4] for line in mesh.read_text().splitlines() if line.startswith("v ")]
                numbers = struct.pack(f"<{3 * len(lines)}d", *(float(x) for line in lines for x in line))
                self.assertEqual(numbers, points_of(self.out / "frames/frame_000004.vtu"))
        result = self.marrow("convert", self.out, "-o", self.folder / "a.gltf")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(json.loads((self.folder / "a.gltf").read_text())["buffers"][0]["uri"], "a.bin")
        self.marrow("convert", self.out, "-o", self.folder / "b.glb")
        self.assertEqual((self.folder / "b.glb").read_bytes(), (self.out / "run.glb").read_bytes())

    def test_what_cannot_be_converted_is_said(self):
        self.run_ok(self.mixed, "-o", self.out, "--steps", 2)
        empty = self.folder / "empty"
        empty.mkdir()
        other = self.folder / "x"
        for words, code, said in (
                (("convert", empty, "-o", other), 2, "is a folder without a run"),
                (("convert", self.out, "-o", self.out), 2, "not empty"),
                (("convert", self.out, "-o", self.scene), 2, "is a file, not a folder"),
                (("convert", self.out, "-o", self.out / "run.glb"), 2, "would overwrite"),
                (("convert", self.out), 1, "name the folder"),
                (("convert", self.out, "-o", other, "--frames", "5:9"), 2, "It has 3 frames"),
                (("convert", self.out, "-o", other, "--frames", "2:1"), 2, "It has 3 frames"),
                (("convert", self.out, "-o", other, "--frames", "0:2:0"), 1, "FIRST:LAST:EVERY"),
                (("convert", self.out, "-o", other, "--frames", "a"), 1, "FIRST:LAST:EVERY"),
                (("convert", self.out, "-o", other, "--frames", "0:1:1:1"), 1, "FIRST:LAST:EVERY"),
                (("convert", self.out, "-o", other, "--to", "stl"), 1, "--to"),
                (("convert", self.out, "-o", self.folder / "x.glb", "--to", "obj"), 1, "--to"),
                (("convert", self.scene, "-o", self.folder / "y.json", "--frames", "1"), 1, "--frames")):
            result = self.marrow(*words)
            self.assertEqual(result.returncode, code, (words, result.stdout, result.stderr))
            self.assertIn(said, result.stderr, words)
        self.assertFalse(other.exists())
        # The meshes of the scene are needed.
        shutil.copy(ROOT / "examples/meshes/sheet.obj", self.folder / "sheet.obj")
        scene = self.write_scene({"time": {"duration": 0.02}, "bodies": [{"mesh": "sheet.obj", "thickness": 0.01}]}, "s.json")
        self.run_ok(scene, "-o", self.folder / "s")
        (self.folder / "sheet.obj").unlink()
        result = self.marrow("convert", self.folder / "s", "-o", other)
        self.assertEqual(result.returncode, 2)
        self.assertIn("sheet.obj", result.stderr)

    def test_the_zoo_stays_small(self):
        """17 bodies; 201 frames may take 40 MB in all."""
        steps = 8
        self.run_ok(ROOT / "examples/zoo.json", "-o", self.out, "--steps", steps)
        size = sum(p.stat().st_size for p in self.out.rglob("*") if p.suffix in (".vtu", ".mrw", ".glb", ".jsonl"))
        self.assertEqual(self.frames(self.out), [0, 4, 8])
        self.assertLess(size / (steps + 1) * 201, 50e6)  # three VTU files in nine frames, where 201 frames have 51
        self.assertEqual(self.check(self.out)[0], 0)


if __name__ == "__main__":
    unittest.main()
