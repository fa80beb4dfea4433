"""What a person is told while a run goes on, when it happens and once each; nothing where nothing is odd."""
import json
import subprocess
import unittest

from program_case import SCENE, ProgramCase

FLOOR = {"name": "floor", "kind": "obstacle", "shape": {"type": "plate", "width": 4, "depth": 4, "thickness": 0.02}}
BOX = {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 1, "cells_y": 1, "cells_z": 1}


class NotesTest(ProgramCase):
    def notes(self, scene, *options):
        """The notes of a run with the number of the line of each; the run itself goes to its end."""
        out = self.folder / f"out{len(list(self.folder.iterdir()))}"
        result = self.run_ok(self.write_scene(scene), "-o", out, *options)
        return [line for line in result.stdout.splitlines() if line.startswith("Note: ")], result.stdout, out

    def drop(self, *more, **changes):
        ball = {"name": "ball", "kind": "rigid", "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}, "position": [0, 0.5, 0]}
        return {"time": {"step": 0.01, "duration": 1}, "bodies": [{**ball, **changes}, *more]}

    def test_a_body_that_only_falls(self):
        notes, text, out = self.notes(self.drop())
        self.assertEqual(len(notes), 1, text)
        self.assertIn("ball has fallen", notes[0])
        self.assertIn("nothing is below it", notes[0])
        self.assertLess(text.index("Note:"), text.index("Done:"), "told at the end only")
        self.assertIn("nothing is below it", (out / "run.log").read_text())
        # It falls ½ g t²; the note comes once that is more than its size, √3 · 0.2 m.
        step = int(notes[0].split("step ")[1].split()[0])
        self.assertAlmostEqual(step, (2 * 3**0.5 * 0.2 / 9.81) ** 0.5 / 0.01, delta=2)

    def test_a_body_with_a_floor_or_a_joint_or_no_weight_is_left_in_peace(self):
        falls = {"position": [0, 1.5, 0], "shape": {"type": "box", "size": [0.1, 0.1, 0.1]}}
        self.assertEqual(self.notes(self.drop(FLOOR, **falls), "--set", "time.duration=0.4")[0], [])
        hung = self.drop()
        hung["joints"] = [{"type": "ball", "a": "ball", "at": [2, 0.5, 0]}]
        self.assertEqual(self.notes(hung)[0], [])
        self.assertEqual(self.notes({**self.drop(), "gravity": [0, 0, 0]})[0], [])
        held = self.drop(prescribed=[{"select": {"all": True}, "velocity": [0, -20, 0]}])
        self.assertEqual(self.notes(held)[0], [])

    def test_a_body_beside_the_floor_falls_and_one_thrown_away_has_left(self):
        notes, text, _ = self.notes(self.drop(FLOOR, position=[3, 0.5, 0]))
        self.assertEqual(len(notes), 1, text)
        self.assertIn("nothing is below it", notes[0])
        notes, text, _ = self.notes({**self.drop(FLOOR, velocity=[0, 0, 30]), "gravity": [0, 0, 0]})
        self.assertEqual(len(notes), 1, text)
        self.assertIn("ball has left the scene", notes[0])

    def test_motion_that_is_held_up_is_told_when_it_happens(self):
        scene = {"time": {"step": 0.01, "duration": 0.4}, "gravity": [0, 0, 0], "bodies": [
            FLOOR,
            {"name": "press", "shape": BOX, "position": [0, 0.5, 0],
             "prescribed": [{"select": {"all": True}, "velocity": [0, -2, 0]}]}]}
        notes, text, _ = self.notes(scene)
        during = [note for note in notes if "press is held up" in note]
        self.assertEqual(len(during), 1, text)
        self.assertRegex(during[0], r"since step \d+ \(0\.\d+ s\) press is held up by something in the way")
        self.assertLess(text.index("press is held up"), text.index("Done:"))
        after = text[text.index("Done:"):]
        self.assertRegex(after, r"in \d+ steps of 40, since step \d+, prescribed points were blocked")

    def test_a_split_step_is_told_once(self):
        fast = {"name": "bullet", "kind": "rigid", "shape": BOX, "position": [0, 2, 0], "velocity": [0, -300, 0]}
        notes, text, out = self.notes({"time": {"step": 0.05, "duration": 0.5}, "bodies": [FLOOR, fast]})
        split = [json.loads(line)["substeps"] > 1 for line in (out / "metrics.jsonl").read_text().splitlines()]
        told = [note for note in notes if "was split into" in note]
        self.assertEqual(len(told), 1 if any(split) else 0, text)
        self.assertTrue(any(split), "the scene no longer splits a step: choose a harder one")
        self.assertIn(f"step {split.index(True) + 1} ", told[0])

    def test_creep_below_epsilon_v_is_told_at_the_end(self):
        # On a slope of 30° with µ = 0.6 friction holds at 96 % of its bound: it creeps at 0.8 epsilon_v.
        block = {"name": "block", "kind": "rigid", "shape": {"type": "box", "size": [0.2, 0.1, 0.2]}, "position": [0, 0.0602, 0]}
        slope = {"contact": {"friction": 0.6, "epsilon_v": 0.01}, "gravity": [4.905, -8.496, 0],
                 "time": {"step": 0.01, "duration": 1}, "bodies": [FLOOR, block]}
        notes, text, _ = self.notes(slope)
        crept = [note for note in notes if "block crept by" in note]
        self.assertEqual(len(crept), 1, text)
        self.assertIn("contact.epsilon_v (0.01 m/s)", crept[0])
        self.assertGreater(text.index("block crept by"), text.index("Done:"))
        # On level ground nothing creeps.
        self.assertNotIn("crept", self.notes({**slope, "gravity": [0, -9.81, 0]})[1])

    def test_many_bodies_are_counted_not_listed(self):
        scene = self.drop()
        scene["bodies"] = [{**scene["bodies"][0], "name": f"ball {i}", "position": [i, 0, 0]} for i in range(6)]
        scene["time"]["duration"] = 1.6
        notes, text, out = self.notes(scene)
        self.assertEqual(sum("has fallen" in note for note in notes), 3, text)
        self.assertIn("6 bodies in all fell", notes[-1])
        self.assertEqual((out / "run.log").read_text().count("has fallen"), 6)

    def test_a_disk_that_will_be_full_is_told_early(self):
        small = self.folder / "small"
        small.mkdir()
        mount = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "none", small], capture_output=True, text=True)
        if mount.returncode != 0:
            self.skipTest("mounting a small disk needs rights: " + mount.stderr.strip())
        self.addCleanup(subprocess.run, ["umount", small], check=True)
        scene = self.write_scene({**SCENE, "time": {"step": 0.02, "duration": 20, "frame_every": 1}})
        result = self.marrow("run", scene, "-o", small / "out")
        self.assertEqual(result.returncode, 4, result.stderr)
        notes = [line for line in result.stdout.splitlines() if "will be written" in line]
        self.assertEqual(len(notes), 1, result.stdout)
        self.assertRegex(notes[0], r"about \d+ MB will be written into \S+, and only \d+ [kM]B are free")
        self.assertIn("time.frame_every", notes[0])
        # A disk with room is no news.
        self.assertNotIn("will be written", self.run_ok(scene, "-o", self.folder / "out", "--steps", 9).stdout)

    def test_a_resumed_run_writes_the_same_and_tells_again(self):
        scene = self.write_scene(self.drop())
        whole, parts = self.folder / "whole", self.folder / "parts"
        self.run_ok(scene, "-o", whole)
        self.run_ok(scene, "-o", parts, "--set", "time.duration=0.5")
        result = self.run_ok(scene, "-o", parts, "--resume")
        self.assertIn("ball has fallen", result.stdout)
        self.assert_same_run(whole, parts)

    def test_counts_leave_out_what_is_not_there(self):
        text = self.notes(self.drop(FLOOR, position=[0, 1, 0]), "--steps", 1)[1]
        self.assertIn("2 bodies,", text)
        self.assertNotIn("element", text)
        text = self.notes({"bodies": [{"shape": BOX}]}, "--steps", 1)[1]
        self.assertRegex(text, r"1 body, 8 nodes, \d+ elements, 1 step")

    def test_info_says_why_there_is_no_animation_and_keeps_the_kinds(self):
        held = self.drop(prescribed=[{"select": {"all": True}}])
        _, _, out = self.notes(held, "--steps", 1, "--set", "output.gltf=false")
        text = self.marrow("info", out).stdout
        self.assertIn("output.gltf off", text)
        self.assertIn("rigid (prescribed)", text)
        self.assertNotIn("affine", text)


if __name__ == "__main__":
    unittest.main()
