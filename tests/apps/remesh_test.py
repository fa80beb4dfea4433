"""Runs whose meshes change: results, checks, restart, and what is refused."""
import json
import re
import unittest

from program_case import ProgramCase

SCENE = {
    "time": {"step": 0.01, "duration": 0.12},
    "contact": {"d_hat": 2e-3, "friction": 0.2},
    "bodies": [
        {"name": "ball", "shape": {"type": "sphere", "radius": 0.2, "resolution": 1}, "position": [0.03, 0.43, 0.02],
         "material": {"youngs_modulus": 2e4}, "velocity": [0, -2, 0], "remesh": {}},
        {"name": "spike", "kind": "obstacle", "shape": {"type": "spike", "width": 0.2, "height": 0.2}},
    ],
}


class RemeshTest(ProgramCase):
    def write(self, **changes):
        scene = json.loads(json.dumps(SCENE))
        body = scene["bodies"][0]
        for key, value in changes.items():
            (body if key in ("remesh", "order", "kind", "forces", "pressure", "thickness", "surface", "refine", "densities") else scene)[key] = value
        path = self.folder / "scene.json"
        path.write_text(json.dumps(scene))
        return path

    def count_points(self, file):
        return int(re.search(rb'NumberOfPoints="(\d+)"', file.read_bytes()).group(1))

    def test_frames_metrics_and_check_follow_the_mesh(self):
        out = self.folder / "out"
        result = self.run_ok(self.write(), "-o", out)
        self.assertIn("the meshes change in this run", result.stdout + result.stderr)
        lines = self.metrics(out)
        self.assertGreater(sum(line["remesh"]["splits"] for line in lines), 20)
        self.assertEqual(sum(line["intersections"] + line["inversions"] for line in lines), 0)
        frames = sorted((out / "frames").glob("*.vtu"))
        self.assertEqual(len(frames), 13)  # of every step, and the start
        spike = self.count_points(frames[0]) - (lines[0]["remesh"]["nodes"] - lines[0]["remesh"]["splits"])
        for line, frame in zip(lines, frames[1:]):
            self.assertEqual(self.count_points(frame) - spike, line["remesh"]["nodes"])
        check = self.marrow("check", out)
        self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
        self.assertIn("13 frames", check.stdout)

    def test_check_finds_a_frame_of_another_mesh(self):
        out = self.folder / "out"
        self.run_ok(self.write(), "-o", out)
        for file in (out / "meshes").iterdir():
            file.unlink()
        check = self.marrow("check", out)
        self.assertNotEqual(check.returncode, 0)

    def test_restart_and_threads_have_the_same_bits(self):
        scene = self.write()
        ends = []
        for name, threads in (("one", 1), ("two", 2)):
            self.run_ok(scene, "-o", self.folder / name, "--threads", str(threads))
            ends.append((self.folder / name / "checkpoints" / "step_00000012.ckpt").read_bytes())
        half = self.folder / "half"
        self.run_ok(scene, "-o", half, "--steps", "8")
        self.run_ok(scene, "-o", half, "--resume")
        ends.append((half / "checkpoints" / "step_00000012.ckpt").read_bytes())
        self.assertEqual(ends[0], ends[1])
        self.assertEqual(ends[0], ends[2])
        check = self.marrow("check", half)
        self.assertEqual(check.returncode, 0, check.stdout + check.stderr)
        self.assertEqual(len(self.metrics(half)), 12)

    def test_a_cap_that_is_reached_is_told_and_the_run_goes_on(self):
        out = self.folder / "out"
        result = self.run_ok(self.write(remesh={"max_nodes": 40}), "-o", out)
        self.assertIn("as many nodes as it may have (remesh.max_nodes)", result.stdout + result.stderr)
        self.assertEqual(self.metrics(out)[-1]["remesh"]["nodes"], 40)

    def test_last_frames_are_converted(self):
        out = self.folder / "out"
        self.run_ok(self.write(), "-o", out)
        self.assertGreater((out / "run.glb").stat().st_size, 1000)
        result = self.marrow("convert", out, "--to", "vtu", "-o", self.folder / "all")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_mistakes_are_named(self):
        for changes, message in (
            ({"remesh": {"gain": -1}}, "remesh.gain"),
            ({"remesh": {"gain_relative": 2}}, "remesh.gain_relative"),
            ({"remesh": {"rounds": 0}}, "remesh.rounds"),
            ({"remesh": {"collapse": True}}, "unknown key"),
            ({"kind": "rigid"}, "only"),
            ({"order": 2}, "an order above 1 cannot be remeshed"),
            ({"surface": "carried"}, "a carried surface cannot be remeshed"),
            ({"thickness": 0.01}, "a thickness"),
            ({"pressure": 10}, "a pressure cannot be remeshed"),
            ({"forces": [{"select": {"all": True}, "force": [1, 0, 0]}]}, "forces"),
            ({"output": {"iterates": True}}, "iterates"),
            ({"solver": {"stepper": "projective"}}, "stepper"),
            ({"contact": {"weighting": "area"}}, "remeshing does not work with contact by area"),
            ({"dimension": 2, "bodies": [{"shape": {"type": "disk", "radius": 1}, "remesh": {}}]}, "in two dimensions are not remeshed"),
            ({"densities": {"values": [1.0]}}, "densities of its own cannot be remeshed"),
        ):
            result = self.marrow("run", self.write(**changes), "-o", self.folder / "bad")
            self.assertEqual(result.returncode, 2, changes)
            self.assertIn(message, result.stderr, changes)
            self.assertIn("scene.json", result.stderr, changes)
            self.assertFalse((self.folder / "bad").exists())


if __name__ == "__main__":
    unittest.main()
