"""What a run records and how it is checked: iterates, summary, the witness's counts, and a step that fails."""
import json
import re
import signal
import struct
import subprocess
import time
import unittest

from program_case import ProgramCase, unpack_frame

BOX = {"type": "box", "cells_x": 1, "cells_y": 1, "cells_z": 1}

# Two soft boxes fall onto a third that does not move, and come to touch.
FALL = {
    "name": "two boxes",
    "time": {"step": 0.025, "duration": 0.75, "frame_every": 2},
    "contact": {"friction": 0.1},
    "bodies": [
        {"name": "a", "shape": BOX, "position": [0, 0.8, 0]},
        {"name": "b", "shape": BOX, "position": [0.3, 2, 0.2]},
        {"name": "floor", "kind": "obstacle", "shape": {**BOX, "size": [4, 0.5, 4]}, "position": [0, -0.25, 0]},
    ],
}
HEADER = 24  # of iterates.bin


class RecordTest(ProgramCase):
    def setUp(self):
        super().setUp()
        self.fall = self.write_scene(FALL, "fall.json")
        self.out = self.folder / "out"

    def check(self, out):
        result = self.marrow("check", out, "--json", cwd=self.folder)
        self.assertIn(result.returncode, (0, 5), result.stderr)
        return result.returncode, json.loads(result.stdout)

    def summary(self, out):
        return json.loads((out / "summary.json").read_text())

    def test_a_contact_run_is_sound_at_every_iterate(self):
        result = self.run_ok(self.fall, "-o", self.out, "--iterates")
        self.assertRegex(result.stdout, r"\d+ contacts?, gap \S+ m")
        summary = self.summary(self.out)
        self.assertEqual((summary["verdict"], summary["steps"]), ("finished", 30))
        self.assertEqual((summary["intersections"], summary["inversions"]), (0, 0))
        self.assertEqual((summary["scene"], summary["nodes"], summary["elements"]), ("two boxes", 24, 12))
        self.assertGreater(summary["contacts_max"], 0)
        metrics = self.metrics(self.out)
        self.assertEqual(summary["newton_iterations"], sum(m["iterations"] for m in metrics))
        self.assertEqual(summary["min_gap"], min(m["min_gap"] for m in metrics if m["min_gap"] is not None))
        self.assertEqual([m["step"] for m in metrics if "intersections" in m], list(range(2, 31, 2)))

        code, report = self.check(self.out)
        self.assertEqual(code, 0, report)
        self.assertEqual((report["intersections"], report["inversions"], report["frames"]), (0, 0, 16))
        # Every iteration moved the nodes once, and a step may begin with a move to where inertia leads; every step adds its start.
        self.assertGreaterEqual(report["paths"], summary["newton_iterations"])
        self.assertLessEqual(report["paths"], summary["newton_iterations"] + 30)
        self.assertEqual(report["iterates"], report["paths"] + 30)
        self.assertGreater(report["min_gap"], 0)
        self.assertEqual(report["notes"], [])

    def test_a_resumed_run_records_and_sums_up_the_same(self):
        self.run_ok(self.fall, "-o", self.folder / "whole", "--iterates")
        process = self.start("run", self.fall, "-o", self.out, "--iterates")
        while (self.out / "metrics.jsonl").exists() is False or \
                (self.out / "metrics.jsonl").read_bytes().count(b"\n") < 3:
            if process.poll() is not None:
                break
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        # A record that was being written when it was killed.
        with (self.out / "iterates.bin").open("ab") as file:
            file.write(b"torn")
        self.run_ok(self.fall, "-o", self.out, "--resume", "--iterates")
        self.assert_same_run(self.folder / "whole", self.out)
        summaries = [self.summary(self.folder / "whole"), self.summary(self.out)]
        for summary in summaries:
            summary.pop("seconds")
        self.assertEqual(*summaries)

    def test_a_stopped_run_has_a_summary_too(self):
        slow = self.write_scene({**FALL, "time": {"step": 0.0001, "duration": 10}, "output": {"gltf": False}}, "slow.json")
        process = self.start("run", slow, "-o", self.out)
        while not (self.out / "metrics.jsonl").exists() or not (self.out / "metrics.jsonl").read_text():
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        summary = self.summary(self.out)
        self.assertEqual((summary["verdict"], summary["intersections"]), ("stopped", 0))
        self.assertEqual(summary["steps"], len(self.metrics(self.out)))

    def test_a_planted_intersection_in_a_frame(self):
        self.run_ok(self.fall, "-o", self.out, "--steps", 2)
        frame = self.out / "frames/frame_000002.vtu"
        good = unpack_frame(frame)
        offset = int(re.search(rb'Name="Points"[^>]*offset="(\d+)"', good).group(1))
        start = good.index(b"_", re.search(rb"<AppendedData[^>]*>", good).end()) + 1 + offset + 8
        # The lowest corner of the first box goes down into the floor.
        points = [struct.unpack_from("<3d", good, start + 24 * i) for i in range(8)]
        lowest = min(range(8), key=lambda i: points[i][1])
        at = start + 24 * lowest + 8
        frame.write_bytes(good[:at] + struct.pack("<d", -0.1) + good[at + 8:])
        code, report = self.check(self.out)
        self.assertEqual(code, 5)
        self.assertGreater(report["intersections"], 0)
        self.assertEqual([bad["file"] for bad in report["bad_frames"]], ["frames/frame_000002.vtu"])
        self.assertTrue((self.folder / "out.intersections.ply").exists())

    def plant_tunnelling(self, is_start):
        """Appends a record in which the upper box is below everything: its ends are clean, the way is not."""
        self.run_ok(self.fall, "-o", self.out, "--steps", 2, "--iterates")
        file = self.out / "iterates.bin"
        bytes_ = file.read_bytes()
        (nodes,) = struct.unpack_from("<Q", bytes_, 16)
        self.assertEqual(nodes, 24)
        size = 8 + 24 * nodes
        self.assertEqual((len(bytes_) - HEADER) % size, 0)
        record = bytearray(bytes_[-size:])
        struct.pack_into("<I", record, 4, is_start)
        for node in range(8, 16):
            (y,) = struct.unpack_from("<d", record, 8 + 24 * node + 8)
            struct.pack_into("<d", record, 8 + 24 * node + 8, y - 10)
        file.write_bytes(bytes_ + record)
        return self.check(self.out)

    def test_tunnelling_between_iterates_with_clean_ends(self):
        code, report = self.plant_tunnelling(is_start=0)
        self.assertEqual(code, 5)
        self.assertEqual((report["bad_frames"], report["bad_iterates"]), ([], []))
        self.assertEqual(len(report["bad_paths"]), 1)
        self.assertEqual(report["bad_paths"][0]["step"], 2)
        self.assertGreater(report["intersections"], 0)
        self.assertTrue((self.folder / "out.intersections.ply").exists())
        text = self.marrow("check", self.out, cwd=self.folder).stdout
        self.assertIn("path to record", text)

    def test_the_nodes_need_not_move_to_where_a_solve_begins(self):
        code, report = self.plant_tunnelling(is_start=1)
        self.assertEqual(code, 0, report)

    def test_without_its_scene_a_run_is_checked_against_everything(self):
        self.run_ok(self.fall, "-o", self.out, "--steps", 2, "--iterates")
        (self.out / "scene.json").write_text("{}")
        code, report = self.check(self.out)
        self.assertEqual(code, 0)
        self.assertEqual((report["frames"], report["iterates"]), (2, 0))
        self.assertEqual(len(report["notes"]), 2)
        self.assertIn("cannot be built", report["notes"][0])

    def test_obstacles_may_overlap_and_so_may_bodies_that_ignore_each_other(self):
        scene = {**FALL, "time": {"step": 0.025, "duration": 0.05}, "bodies": [
            *FALL["bodies"],
            {"name": "wall", "kind": "obstacle", "shape": {**BOX, "size": [1, 3, 1]}, "position": [1.6, 0, 0]},
            {"name": "ghost", "shape": BOX, "position": [0, 1, 0], "contact": False}]}
        self.run_ok(self.write_scene(scene, "overlap.json"), "-o", self.out)
        self.assertEqual(self.summary(self.out)["intersections"], 0)
        self.assertEqual(self.check(self.out)[0], 0)

    def test_checking_can_be_switched_off(self):
        self.run_ok(self.fall, "-o", self.out, "--steps", 2, "--set", "output.check=false")
        self.assertIsNone(self.summary(self.out)["intersections"])
        self.assertFalse(any("intersections" in m for m in self.metrics(self.out)))

    def test_a_step_that_fails_leaves_a_bundle_that_replays_it(self):
        self.run_ok(self.fall, "-o", self.folder / "good", "--steps", 3)
        result = self.marrow("run", self.fall, "-o", self.out, "--set", "solver.max_iterations=1")
        self.assertEqual(result.returncode, 3)
        self.assertIn("too many iterations", result.stderr)
        self.assertIn("solver.max_iterations", result.stderr)
        self.assertEqual(self.summary(self.out)["verdict"], "failed")
        failure = json.loads((self.out / "failure/failure.json").read_text())
        self.assertEqual(failure["verdict"], "too many iterations")
        # Free fall takes no iteration: it fails in the first step with contact.
        self.assertEqual(failure["step"], len(self.metrics(self.out)) + 1)
        self.assertGreater(len(failure["last_iterations"]), 0)
        self.assertLessEqual({"change", "alpha", "limit", "cause", "energy", "contacts", "min_gap", "kappa"},
                             failure["last_iterations"][-1].keys())
        # The printed command fails at the same place and records the way there.
        command = next(line for line in result.stderr.splitlines() if "--resume" in line)
        self.assertEqual(command.strip(), failure["replay"])
        again = subprocess.run(command, shell=True, capture_output=True, text=True)
        self.assertEqual(again.returncode, 3)
        self.assertEqual(again.stderr.splitlines()[0], result.stderr.splitlines()[0])
        self.assertGreater((self.out / "failure/iterates.bin").stat().st_size, HEADER)
        self.assertFalse((self.out / "failure/failure").exists())
        # Another run in its place takes the bundle away.
        self.run_ok(self.fall, "-o", self.out, "--overwrite", "--steps", 2)
        self.assertFalse((self.out / "failure").exists())


if __name__ == "__main__":
    unittest.main()
