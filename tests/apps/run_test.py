"""A run from the command line: what it writes, on any number of threads, and what the other verbs say."""
import json
import re
import unittest

from program_case import ROOT, SCENE, ProgramCase


class RunTest(ProgramCase):
    def test_a_run_writes_everything_it_promises(self):
        out = self.folder / "out"
        result = self.run_ok(self.scene, "-o", out)
        self.assertIn("run.pvd", result.stdout)
        for name in ("scene.json", "run.pvd", "run.glb", "run.mrw", "metrics.jsonl", "run.log"):
            self.assertGreater((out / name).stat().st_size, 0, name)
        metrics = self.metrics(out)
        self.assertEqual([m["step"] for m in metrics], list(range(1, 31)))
        for m in metrics:
            self.assertGreater(m["iterations"], 0)
            self.assertGreaterEqual(m["energy"]["elastic"], 0)
            self.assertIn("linear.factorize", m["seconds"])
        self.assertEqual(len(list((out / "frames").glob("*.vtu"))), 16)
        self.assertFalse(list(out.rglob("*.part")))

    def test_thread_count_does_not_change_a_bit(self):
        for threads in (1, 2):
            self.run_ok(self.scene, "-o", self.folder / str(threads), "--threads", threads)
        self.assert_same_run(self.folder / "1", self.folder / "2")

    def test_the_recorded_scene_runs_to_the_same_result(self):
        self.run_ok(self.scene, "-o", self.folder / "a", "--set", "gravity=[0,-5,0]")
        self.run_ok(self.folder / "a" / "scene.json", "-o", self.folder / "b")
        self.assert_same_run(self.folder / "a", self.folder / "b")

    def test_the_recorded_scene_finds_its_meshes(self):
        (self.folder / "meshes").mkdir()
        (self.folder / "meshes" / "tet.vtk").write_text(
            "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n"
            "0 0 0 1 0 0 0 1 0 0 0 1\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n")
        scene = self.write_scene({"time": {"duration": 0.05}, "bodies": [{"mesh": "meshes/tet.vtk"}]}, "tet.json")
        self.run_ok(scene, "-o", self.folder / "a")
        self.run_ok(self.folder / "a" / "scene.json", "-o", self.folder / "b")
        self.assert_same_run(self.folder / "a", self.folder / "b")
        self.run_ok(self.folder / "a" / "scene.json", "-o", self.folder / "a", "--resume")

    def test_meshes_are_found_through_a_linked_folder(self):
        (self.folder / "tet.vtk").write_text(
            "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n"
            "0 0 0 1 0 0 0 1 0 0 0 1\nCELLS 1 5\n4 0 1 2 3\nCELL_TYPES 1\n10\n")
        scene = self.write_scene({"time": {"duration": 0.01}, "bodies": [{"mesh": "tet.vtk"}]}, "tet.json")
        (self.folder / "deep/er/disk").mkdir(parents=True)
        (self.folder / "link").symlink_to(self.folder / "deep/er/disk")
        result = self.run_ok(scene, "-o", self.folder / "link/out")
        self.assertIn(" 1 body,", result.stdout)
        self.assertIn(" 1 step,", result.stdout.replace(" 1 step of", " 1 step,"))
        self.assertEqual(self.marrow("check", self.folder / "link/out/scene.json").returncode, 0)
        self.assertIn("steps        1 of 1, finished", self.marrow("info", self.folder / "link/out").stdout)

    def test_only_what_was_written_is_announced(self):
        result = self.run_ok(self.scene, "-o", self.folder / "out", "--steps", 1, "--set", "output.gltf=false")
        self.assertNotIn("run.glb", result.stdout)
        self.assertIn("run.pvd", result.stdout)

    def test_steps_and_set_change_the_run(self):
        out = self.folder / "out"
        self.run_ok(self.scene, "-o", out, "--steps", 3, "--set", "time.step=0.01", "--set", "time.frame_every=1")
        self.assertEqual([m["time"] for m in self.metrics(out)], [0.01, 0.02, 0.03])
        self.assertEqual(json.loads((out / "scene.json").read_text())["time"]["step"], 0.01)

    def test_what_did_not_work_out_is_told(self):
        box = {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 1, "cells_y": 1, "cells_z": 1}
        scene = self.write_scene({
            "time": {"step": 0.01, "duration": 0.2}, "gravity": [0, 0, 0],
            "bodies": [
                {"name": "pushed", "kind": "rigid", "shape": box},
                {"name": "wall", "kind": "obstacle", "shape": box, "position": [0.25, 0, 0]},
                {"name": "torn", "kind": "rigid", "shape": box, "position": [0, 2, 0]},
                {"name": "spun", "kind": "rigid", "shape": box, "position": [0, 4, 0], "angular_velocity": [0, 400, 0]},
            ],
            "joints": [
                {"name": "press", "type": "slider", "a": "pushed", "at": [0, 0, 0], "axis": [1, 0, 0], "motor": {"speed": 2}},
                {"name": "rope", "type": "distance", "a": "torn", "at": [0, 2, 0], "at_b": [0, 3, 0],
                 "motor": {"position": "1 - t"}, "break_force": 1e-6},
            ]}, "notes.json")
        told = self.run_ok(scene, "-o", self.folder / "told").stdout
        log = (self.folder / "told/run.log").read_text()
        self.assertRegex(told, r"joints did not hold; press was off by up to 0\.0")
        self.assertIn("Note: 1 joint broke.", told)
        self.assertRegex(told, r"spun turned by up to 4 rad in one step")
        self.assertIn("press is ", log)
        self.assertIn("1 joint broken so far", log)

    def test_bodies_that_start_within_reach_are_told(self):
        box = {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 1, "cells_y": 1, "cells_z": 1}
        scene = {"bodies": [{"kind": "rigid", "shape": box}, {"kind": "rigid", "shape": box, "position": [0, 0.2001, 0]}],
                 "contact": {"d_hat": 1e-3}}
        near = self.write_scene(scene, "near.json")
        for verb in (["check"], ["run", "--steps", 1, "-o", self.folder / "near"]):
            self.assertIn("well within contact.d_hat", self.marrow(verb[0], near, *verb[1:]).stdout)
        scene["bodies"][1]["position"][1] = 0.202
        self.assertNotIn("d_hat", self.marrow("check", self.write_scene(scene, "far.json")).stdout)

    def test_trace_is_chrome_json(self):
        trace = self.folder / "trace.json"
        self.run_ok(self.scene, "-o", self.folder / "out", "--steps", 2, "--trace", trace)
        names = {event["name"] for event in json.loads(trace.read_text())["traceEvents"]}
        self.assertLessEqual({"step.total", "newton.total", "linear.factorize", "elasticity.hessian"}, names)

    def test_profile_says_where_the_time_went(self):
        text = self.run_ok(self.scene, "-o", self.folder / "out", "--steps", 4, "--threads", 2, "--profile").stdout
        self.assertRegex(text, r"Profile: \S+ s in 4 steps, \d+ Newton iterations")
        shares = {name: float(share) for name, share in re.findall(r"^  +([A-Za-z' ]+?) +[\d.]+ +([\d.]+)% +[\d.]+$", text, re.M)}
        self.assertGreater(shares["all steps"], 90)
        for stage in ("Newton's method", "gradient", "Hessian", "factorisation", "linear solve", "line search"):
            self.assertIn(stage, shares)
            self.assertLessEqual(shares[stage], shares["all steps"])
        self.assertRegex(text, r"Threads: \d\.\d of 2 worked on average; \d+ % of the time")
        self.assertRegex(text, r"Newton steps: \d+ % cut by collisions, \d+ % by elements that would invert")
        for line in (self.folder / "out/metrics.jsonl").read_text().splitlines():
            step = json.loads(line)
            self.assertEqual(step["threads"]["set"], 2)
            self.assertGreaterEqual(step["threads"]["used"], 0.9)
            self.assertLessEqual(step["threads"]["used"], 2.5)
            self.assertLessEqual(step["threads"]["parallel_share"], 1)
        plain = self.run_ok(self.scene, "-o", self.folder / "plain", "--steps", 1)
        self.assertNotIn("Profile", plain.stdout)

    def test_check_and_info_describe(self):
        check = self.marrow("check", self.scene)
        self.assertEqual(check.returncode, 0, check.stderr)
        self.assertIn("good", check.stdout)
        self.run_ok(self.scene, "-o", self.folder / "out", "--steps", 2)
        for thing in (self.scene, self.folder / "out", self.folder / "out/frames/frame_000002.vtu"):
            info = self.marrow("info", thing)
            self.assertEqual(info.returncode, 0, info.stderr)
        self.assertIn("steps        2", self.marrow("info", self.folder / "out").stdout)
        (self.folder / "one.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.assertIn("triangles    1", self.marrow("info", self.folder / "one.obj").stdout)

    def test_every_example_is_good(self):
        examples = sorted((ROOT / "examples").rglob("*.json"))
        self.assertTrue(examples)
        for example in examples:
            result = self.marrow("check", example)
            self.assertEqual(result.returncode, 0, result.stderr)

    def test_reference_names_every_top_level_key(self):
        text = self.marrow("reference").stdout
        for key in [*SCENE, "gravity", "solver", "output"]:
            self.assertIn(f"`{key}`", text)

    def test_written_reference_is_current(self):
        page = ROOT / "docs" / "scene.md"
        self.assertEqual(page.read_text(encoding="utf-8"), self.marrow("reference").stdout,
                         "docs/scene.md is stale: ./dev docs writes it")


if __name__ == "__main__":
    unittest.main()
