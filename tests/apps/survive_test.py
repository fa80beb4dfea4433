"""Kills, interrupts and full disks: at most the current step is lost, and a resumed run gives the same bits."""
import json
import os
import random
import resource
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from program_case import PROGRAM, SCENE, ProgramCase


class SurviveTest(ProgramCase):
    @classmethod
    def setUpClass(cls):
        """The uninterrupted run that all others must equal."""
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.whole = Path(folder.name) / "whole"
        scene = Path(folder.name) / "scene.json"
        scene.write_text(json.dumps(SCENE))
        started = time.monotonic()
        subprocess.run([PROGRAM, "run", scene, "-o", cls.whole], check=True, capture_output=True)
        cls.seconds = time.monotonic() - started

    def setUp(self):
        super().setUp()
        self.out = self.folder / "out"

    def resume(self, **options):
        return self.start("run", self.scene, "-o", self.out, "--resume", **options)

    def test_killed_again_and_again_it_still_gives_the_same_bits(self):
        chance = random.Random(1)
        kills = 0
        for _ in range(200):
            process = self.resume()
            try:
                process.communicate(timeout=self.seconds * chance.uniform(0.05, 0.5))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.communicate()
                kills += 1
                continue
            self.assertEqual(process.returncode, 0)
            break
        self.assertGreaterEqual(kills, 2, "the run was too short to be killed")
        self.assert_same_run(self.whole, self.out)

    def test_a_kill_loses_no_finished_step(self):
        process = self.resume()
        metrics = self.out / "metrics.jsonl"
        while not metrics.exists() or metrics.read_bytes().count(b"\n") < 5:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        newest = max((self.out / "checkpoints").glob("*.ckpt")).stem
        self.assertGreaterEqual(int(newest.split("_")[1]), 4)

    def test_ctrl_c_stops_cleanly_and_says_how_to_go_on(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.resume()
            metrics = self.out / "metrics.jsonl"
            before = metrics.read_bytes().count(b"\n") if metrics.exists() else 0
            while not metrics.exists() or metrics.read_bytes().count(b"\n") < before + 3:
                time.sleep(0.005)
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
        self.run_ok(self.scene, "-o", self.out, "--set", "time.duration=0.3")
        self.run_ok(self.scene, "-o", self.out, "--resume")
        self.assert_same_run(self.whole, self.out)


if __name__ == "__main__":
    unittest.main()
