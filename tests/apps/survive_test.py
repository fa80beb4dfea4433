"""Kills, interrupts and full disks: at most the current step is lost, and a resumed run gives the same bits."""
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from program_case import PROGRAM, ROOT, SCENE, ProgramCase


class SurviveTest(ProgramCase):
    @classmethod
    def setUpClass(cls):
        """The uninterrupted run that all others must equal."""
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.whole = Path(folder.name) / "whole"
        scene = Path(folder.name) / "scene.json"
        scene.write_text(json.dumps(SCENE))
        subprocess.run([PROGRAM, "run", scene, "-o", cls.whole], check=True, capture_output=True)

    def setUp(self):
        super().setUp()
        self.out = self.folder / "out"

    def resume(self, **options):
        return self.start("run", self.scene, "-o", self.out, "--resume", **options)

    def count_steps(self):
        metrics = self.out / "metrics.jsonl"
        return metrics.read_bytes().count(b"\n") if metrics.exists() else 0

    def wait_for_steps(self, process, count):
        """Until the run has written so many lines of metrics; false if it ended before."""
        while self.count_steps() < count:
            if process.poll() is not None:
                return False
            time.sleep(0.002)
        return True

    def test_killed_again_and_again_it_still_gives_the_same_bits(self):
        chance = random.Random(1)
        kills = 0
        while True:
            before = self.count_steps()
            process = self.resume()
            # Opening to resume drops the step being written; waiting for more than before skips that.
            if self.wait_for_steps(process, before + chance.randint(1, 6)):
                process.send_signal(signal.SIGKILL)
            stdout, stderr = process.communicate(timeout=300)
            if process.returncode != -signal.SIGKILL:
                self.assertEqual(process.returncode, 0, stdout + stderr)
                break
            kills += 1
        self.assertGreaterEqual(kills, 3, "the run ended before it was killed")
        self.assert_same_run(self.whole, self.out)

    def test_a_kill_loses_no_finished_step(self):
        process = self.resume()
        self.assertTrue(self.wait_for_steps(process, 5))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        newest = max((self.out / "checkpoints").glob("*.ckpt")).stem
        self.assertGreaterEqual(int(newest.split("_")[1]), 4)

    def test_ctrl_c_stops_cleanly_and_says_how_to_go_on(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            before = self.count_steps()
            process = self.resume()
            self.assertTrue(self.wait_for_steps(process, before + 3))
            process.send_signal(number)
            stdout, stderr = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 130, stdout + stderr)
            self.assertIn("--resume", stdout)
        self.run_ok(self.scene, "-o", self.out, "--resume")
        self.assert_same_run(self.whole, self.out)

    def test_a_full_disk_is_reported_and_nothing_is_half_written(self):
        # A limit on file sizes stands for a disk that fills up: metrics.jsonl grows into it.
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))

        # Frames must fit, so that it is a later write that fails.
        process = self.resume(preexec_fn=limit)
        _, stderr = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 4, stderr)
        self.assertIn("cannot be written", stderr)
        self.assertFalse(list(self.out.rglob("*.part")))
        self.run_ok(self.scene, "-o", self.out, "--resume")
        self.assert_same_run(self.whole, self.out)

    def test_a_really_full_file_system(self):
        place = self.folder / "small_disk"
        place.mkdir()
        mounted = os.geteuid() == 0 and subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=700k", "tmpfs", place], capture_output=True).returncode == 0
        if not mounted:
            self.skipTest("needs the right to mount a tmpfs")
        self.addCleanup(subprocess.run, ["umount", place], check=True)
        out = place / "out"
        process = self.start("run", self.scene, "-o", out)
        _, stderr = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 4, stderr)
        self.assertIn("No space left on device", stderr)
        subprocess.run(["mount", "-o", "remount,size=64m", place], check=True)
        self.run_ok(self.scene, "-o", out, "--resume")
        self.assert_same_run(self.whole, out)

    def test_a_damaged_newest_checkpoint_is_passed_over(self):
        self.run_ok(self.scene, "-o", self.out, "--steps", 10)
        newest = max((self.out / "checkpoints").glob("*.ckpt"))
        newest.write_bytes(newest.read_bytes()[:-9])
        self.run_ok(self.scene, "-o", self.out, "--resume")
        self.assert_same_run(self.whole, self.out)

    def test_resuming_another_scene_is_refused(self):
        self.run_ok(self.scene, "-o", self.out, "--steps", 3)
        other = self.write_scene({**SCENE, "gravity": [0, -1, 0]}, "other.json")
        result = self.marrow("run", other, "-o", self.out, "--resume")
        self.assertEqual(result.returncode, 2)
        self.assertIn("belongs to another scene", result.stderr)

    def test_a_finished_run_can_be_made_longer(self):
        # 15 steps, a frame every second one: the last state has a frame of its own, which goes again.
        self.run_ok(self.scene, "-o", self.out, "--set", "time.duration=0.3")
        self.assertTrue((self.out / "frames/frame_000015.vtu").exists())
        self.run_ok(self.scene, "-o", self.out, "--resume", "--steps", 15)
        self.assertTrue((self.out / "frames/frame_000015.vtu").exists())
        self.run_ok(self.scene, "-o", self.out, "--resume")
        self.assertFalse((self.out / "frames/frame_000015.vtu").exists())
        self.assert_same_run(self.whole, self.out)

    def test_the_last_frame_keeps_its_contacts(self):
        # 40 steps, a frame every third one: the last frame is an extra one, of a box that lies on a floor.
        cube = {"type": "box", "cells_x": 1, "cells_y": 1, "cells_z": 1}
        scene = self.write_scene({
            "time": {"step": 0.01, "duration": 0.4, "frame_every": 3}, "output": {"checkpoint_every": 7},
            "bodies": [{"kind": "rigid", "shape": {**cube, "size": [0.2, 0.2, 0.2]}, "position": [0, 0.102, 0]},
                       {"kind": "obstacle", "shape": {**cube, "size": [4, 1, 4]}, "position": [0, -0.5, 0]}],
        }, "rests.json")
        whole = self.folder / "rests"
        self.run_ok(scene, "-o", whole)
        self.assertGreater(self.metrics(whole)[-1]["contacts"], 0)
        # A finished run is resumed, twice.
        again = self.folder / "again"
        shutil.copytree(whole, again)
        for _ in range(2):
            self.run_ok(scene, "-o", again, "--resume")
            self.assert_same_run(whole, again)
        # Killed after the last frame, before the checkpoint.
        (again / "checkpoints/step_00000040.ckpt").unlink()
        self.run_ok(scene, "-o", again, "--resume")
        self.assert_same_run(whole, again)
        # Ended early at a state without a frame of its own, and resumed there without a step.
        early = self.folder / "early"
        self.run_ok(scene, "-o", early, "--steps", 20)
        before = (early / "frames/frame_000020.vtu").read_bytes()
        self.run_ok(scene, "-o", early, "--resume", "--steps", 20)
        self.assertEqual((early / "frames/frame_000020.vtu").read_bytes(), before)
        self.run_ok(scene, "-o", early, "--resume")
        self.assert_same_run(whole, early)

    def test_counters_of_certificates_count_on(self):
        ends = [{"select": {"relative_box": {"min": [x, 0, 0], "max": [x, 1, 1]}}} for x in (0, 1)]
        ends[1]["keyframes"] = [{"time": 0}, {"time": 0.24, "rotation": [900, 0, 0], "translation": [-0.3, 0, 0]}]
        scene = self.write_scene({
            "time": {"step": 0.02, "duration": 0.16}, "gravity": [0, 0, 0], "contact": {"d_hat": 2e-3, "friction": 0.3},
            "bodies": [{"shape": {"type": "box", "size": [1, 0.04, 0.3], "cells_x": 20, "cells_y": 1, "cells_z": 6},
                        "self_collision": "certified", "material": {"poissons_ratio": 0.3}, "prescribed": ends}],
        }, "twist.json")
        self.run_ok(scene, "-o", self.folder / "whole")
        self.run_ok(scene, "-o", self.folder / "parts", "--steps", 3)
        self.run_ok(scene, "-o", self.folder / "parts", "--resume")
        for whole, parts in zip(self.metrics(self.folder / "whole"), self.metrics(self.folder / "parts"), strict=True):
            for line in (whole, parts):
                # By the clock, and of samples that each process takes when it likes.
                for key in ("saved_seconds", "plain_pairs", "kept_pairs"):
                    line["self_collision"].pop(key)
            self.assertGreater(whole["self_collision"]["searches"], 0)
            self.assertEqual(whole["self_collision"], parts["self_collision"])

    def test_joints_remember_their_forces(self):
        scene = ROOT / "examples" / "stiff" / "slider_crank.json"
        length = ("--set", "time.duration=0.1")
        self.run_ok(scene, "-o", self.folder / "whole", *length)
        self.run_ok(scene, "-o", self.folder / "parts", *length, "--steps", 7)
        self.run_ok(scene, "-o", self.folder / "parts", *length, "--resume")
        self.assert_same_run(self.folder / "whole", self.folder / "parts")
        last = self.metrics(self.folder / "parts")[-1]
        self.assertEqual(len(last["joint_forces"]), 4)
        self.assertLess(last["joint_residual"], 1e-9)

    def test_the_printed_command_goes_on_with_the_run(self):
        scene = self.write_scene(SCENE, "my scene.json")
        process = self.start("run", scene, "-o", self.folder / "it's", "--steps", 20, "--set", "gravity=[0, -5, 0]")
        self.out = self.folder / "it's"
        self.assertTrue(self.wait_for_steps(process, 3))
        process.send_signal(signal.SIGINT)
        stdout, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        command = stdout.split("Continue with:\n")[1].splitlines()[0]
        subprocess.run(command, shell=True, check=True, capture_output=True)
        self.assertEqual(len(self.metrics(self.out)), 20)

    def test_a_lost_list_of_frames_is_made_anew(self):
        for damage in (lambda p: p.unlink(), lambda p: p.write_bytes(p.read_bytes()[:-60])):
            self.run_ok(self.scene, "-o", self.out, "--steps", 10, *(["--overwrite"] if self.out.exists() else []))
            damage(self.out / "run.pvd")
            self.assertIn("run.pvd", self.run_ok(self.scene, "-o", self.out, "--resume").stdout)
            self.assertIn("run.pvd was missing", (self.out / "run.log").read_text())
            self.assert_same_run(self.whole, self.out)

    def test_a_lost_frame_is_named_before_anything_happens(self):
        self.run_ok(self.scene, "-o", self.out, "--steps", 10)
        for damage in (lambda p: p.write_bytes(b""), lambda p: p.unlink()):
            damage(self.out / "frames/frame_000004.vtu")
            result = self.marrow("run", self.scene, "-o", self.out, "--resume")
            self.assertEqual(result.returncode, 2)
            self.assertIn("frame_000004.vtu", result.stderr)
            self.assertEqual(self.count_steps(), 10)

    def test_lost_metrics_are_told(self):
        self.run_ok(self.scene, "-o", self.out, "--steps", 10)
        (self.out / "metrics.jsonl").write_text("")
        result = self.run_ok(self.scene, "-o", self.out, "--resume", "--steps", 12)
        self.assertIn("has 0 of the 10 steps", result.stdout)
        self.assertIn("has 0 of the 10 steps", (self.out / "run.log").read_text())

    def test_one_process_per_folder(self):
        process = self.resume()
        self.assertTrue(self.wait_for_steps(process, 1))
        process.send_signal(signal.SIGSTOP)
        result = self.marrow("run", self.scene, "-o", self.out, "--resume")
        process.send_signal(signal.SIGCONT)
        self.assertEqual(result.returncode, 2)
        self.assertIn("another run is using this folder", result.stderr)
        process.communicate(timeout=300)
        self.assert_same_run(self.whole, self.out)


if __name__ == "__main__":
    unittest.main()
