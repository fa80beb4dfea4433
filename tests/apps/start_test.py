"""Scenes whose bodies touch or overlap at the start: what is said, and what `marrow check --part` makes of them."""
import json
import re
import unittest

from program_case import ProgramCase

FLOOR = {"name": "floor", "kind": "obstacle", "shape": {"type": "box", "size": [4, 1, 4]}, "position": [0, -0.5, 0]}


def box(name, position, kind="rigid", size=1, **more):
    return {"name": name, "kind": kind, "shape": {"type": "box", "size": [size] * 3}, "position": position, **more}


class StartTest(ProgramCase):
    def scene_of(self, bodies, joints=(), name="start.json", **more):
        return self.write_scene({"time": {"duration": 0.02}, "bodies": bodies, "joints": list(joints), **more}, name)

    def part(self, scene, code=0):
        result = self.marrow("check", scene, "--part", "-o", self.folder / "apart.json", cwd=self.folder)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result.stdout, json.loads((self.folder / "apart.json").read_text())

    def test_bodies_that_touch_are_named_with_the_least_move(self):
        scene = self.scene_of([FLOOR, box("box", [0, 0.5, 0])])
        advice = r'"floor" and "box" touch: raise "box" by (0\.00\d+) m, to position \[0, (0\.50\d+), 0\]'
        checked = self.marrow("check", scene, cwd=self.folder)
        self.assertEqual(checked.returncode, 5)
        self.assertRegex(checked.stdout, advice)
        self.assertIn("--part -o start_apart.json", checked.stdout)
        run = self.marrow("run", scene, "-o", self.folder / "out", cwd=self.folder)
        self.assertEqual(run.returncode, 2)
        self.assertRegex(run.stderr, advice)
        self.assertIn("--part -o start_apart.json", run.stderr)
        # The advice holds: no more, no less.
        move, height = map(float, re.search(advice, run.stderr).groups())
        self.assertAlmostEqual(0.5 + move, height)
        self.assertEqual(self.marrow("check", self.scene_of([FLOOR, box("box", [0, height, 0])])).returncode, 0)
        self.assertEqual(self.marrow("check", self.scene_of([FLOOR, box("box", [0, height - move, 0])]),
                                     cwd=self.folder).returncode, 5)

    def test_the_depth_of_an_overlap(self):
        scene = self.scene_of([FLOOR, box("box", [0, 0.4, 0])])
        result = self.marrow("check", scene, "--json", cwd=self.folder)
        pair, = json.loads(result.stdout)["meeting"]
        self.assertAlmostEqual(pair["depth"], 0.1, 6)
        self.assertEqual((pair["a"], pair["b"], pair["body"]), ("floor", "box", "box"))
        self.assertAlmostEqual(pair["move"][1], 0.1025, 3)
        self.assertIn("overlap by 0.1 m", self.marrow("check", scene, cwd=self.folder).stdout)

    def test_the_way_out_is_the_shortest_one(self):
        # Deep in the upper right corner of a large box: out through the nearer side, not through the box.
        scene = self.scene_of([box("big", [0, 0, 0], size=2), box("small", [0.9, 0.5, 0], size=0.4)])
        text, parted = self.part(scene)
        self.assertIn('"small" moved', text)
        self.assertGreater(parted["bodies"][1]["position"][0], 1.2)
        self.assertLess(parted["bodies"][1]["position"][0], 1.25)
        self.assertEqual(parted["bodies"][1]["position"][1:], [0.5, 0])

    def test_a_tower_of_ten_is_raised(self):
        kinds = ["rigid", "affine", "soft"]
        bodies = [FLOOR] + [box(f"b{i}", [0, 0.5 + i, 0], kinds[i % 3]) for i in range(10)]
        text, parted = self.part(self.scene_of(bodies))
        self.assertIn("10 bodies moved, good", text)
        heights = [body["position"][1] for body in parted["bodies"][1:]]
        gaps = [b - a - 1 for a, b in zip([-0.5] + heights, heights)]
        self.assertGreater(min(gaps), 0.005)
        self.assertLess(max(gaps), 0.02)
        self.assertEqual(parted["bodies"][0], FLOOR)
        self.run_ok(self.folder / "apart.json", "-o", self.folder / "out", "--steps", 2)

    def test_what_is_apart_stays_and_the_text_is_kept(self):
        text = """{
  // stays
  "time": {"duration": 0.02},
  "bodies": [
    {"name": "floor", "kind": "obstacle", "shape": {"type": "box", "size": [4, 1, 4]}, "position": [0, -0.5, 0]},
    {"name": "box", "kind": "rigid", "shape": {"type": "box", "size": [0.5, 0.5, 0.5]},
     "position": [0, 0.25, 0]},  // touches
    {"name": "far", "kind": "rigid", "shape": {"type": "box"}, "position": [1.5, 0.51, 0]}
  ]
}
"""
        scene = self.write_scene(text)
        result = self.marrow("check", scene, "--part", "-o", self.folder / "apart.json")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        written = (self.folder / "apart.json").read_text()
        raised = re.search(r'"position": \[0, (0\.25\d+), 0\]\},  // touches', written)
        self.assertTrue(raised, written)
        self.assertEqual(written.replace(raised.group(1), "0.25"), text)

    def test_a_position_that_was_not_given_is_added(self):
        text, parted = self.part(self.scene_of([
            {"name": "a", "kind": "rigid", "shape": {"type": "box"}}, box("b", [0, -1, 0], "obstacle")]))
        self.assertGreater(parted["bodies"][0]["position"][1], 0)
        self.assertIn("1 body moved", text)

    def test_regions_and_joints_move_along(self):
        held = {"select": {"box": {"min": [-1, 0.5, -1], "max": [1, 2, 1]}}}
        bodies = [FLOOR, box("soft", [0, 0.5, 0], "soft", prescribed=[held]), box("rider", [0, 1.6, 0], "affine")]
        joints = [{"type": "ball", "a": "rider", "b": "soft", "at": [0, 1, 0], "ignore_contact": True}]
        _, parted = self.part(self.scene_of(bodies, joints))
        move = parted["bodies"][1]["position"][1] - 0.5
        self.assertGreater(move, 0)
        self.assertAlmostEqual(parted["bodies"][2]["position"][1], 1.6 + move)
        region = parted["bodies"][1]["prescribed"][0]["select"]["box"]
        self.assertAlmostEqual(region["min"][1], 0.5 + move)
        self.assertAlmostEqual(region["max"][1], 2 + move)
        self.assertAlmostEqual(parted["joints"][0]["at"][1], 1 + move)

    def test_joined_bodies_are_left_alone_and_the_key_is_named(self):
        bodies = [box("a", [0, 0, 0]), box("b", [1, 0, 0])]
        joint = {"type": "hinge", "a": "b", "b": "a", "at": [0.5, 0, 0], "axis": [0, 0, 1]}
        scene = self.scene_of(bodies, [joint])
        for verb in (["check", scene], ["run", scene, "-o", self.folder / "out"]):
            result = self.marrow(*verb, cwd=self.folder)
            self.assertIn('"ignore_contact": true', result.stdout + result.stderr)
        text, parted = self.part(scene, code=5)
        self.assertIn("ignore_contact", text)
        self.assertEqual(parted["bodies"], bodies)
        joint["ignore_contact"] = True
        self.assertEqual(self.marrow("check", self.scene_of(bodies, [joint])).returncode, 0)

    def test_thick_sheets_and_wires_part_by_their_radius(self):
        plate = {"name": "sheet", "shape": {"type": "plate", "thickness": 0.02}, "position": [0, 0.02, 0],
                 "radius": 0.05, "self_contact": False}
        _, parted = self.part(self.scene_of([FLOOR, plate]))
        self.assertGreater(parted["bodies"][1]["position"][1] - 0.01, 0.05)
        self.assertLess(parted["bodies"][1]["position"][1] - 0.01, 0.08)

    def test_a_body_that_meets_itself_is_no_matter_of_moving(self):
        faces = "f 1 2 3\nf 4 5 6\n"
        points = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0.2 0.2 -1\nv 0.3 0.2 1\nv 0.2 0.3 1\n"
        (self.folder / "crossed.obj").write_text(points + faces)
        scene = self.scene_of([{"name": "cloth", "mesh": "crossed.obj", "thickness": 0.001}])
        result = self.marrow("run", scene, "-o", self.folder / "out", cwd=self.folder)
        self.assertIn('"cloth" meets itself', result.stderr)
        self.assertIn("triangle", result.stderr)
        self.assertNotIn("--part", result.stderr)

    def test_bad_use(self):
        scene = self.scene_of([FLOOR, box("box", [0, 0.5, 0])])
        self.assertEqual(self.marrow("check", scene, "-o", self.folder / "x.json").returncode, 1)
        self.assertEqual(self.marrow("check", scene, "--part", "--json").returncode, 1)
        self.assertEqual(self.marrow("check", scene, "--part", "-o", scene).returncode, 2)
        self.assertEqual(self.marrow("check", scene, "--part", "-o", self.folder / "x.obj").returncode, 2)
        (self.folder / "mesh.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.assertEqual(self.marrow("check", self.folder / "mesh.obj", "--part").returncode, 1)

    def test_overrides_and_other_folders_write_every_key(self):
        (self.folder / "sub").mkdir()
        cube = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
        (self.folder / "tet.obj").write_text(cube)
        scene = self.scene_of([FLOOR, {"name": "tet", "kind": "rigid", "mesh": "tet.obj"}])
        target = self.folder / "sub" / "apart.json"
        result = self.marrow("check", scene, "--part", "-o", target, "--set", "contact.friction=0.25")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        parted = json.loads(target.read_text())
        self.assertEqual(parted["contact"]["friction"], 0.25)
        self.assertEqual(parted["bodies"][1]["mesh"], "../tet.obj")
        self.assertEqual(self.marrow("check", target).returncode, 0)


if __name__ == "__main__":
    unittest.main()
