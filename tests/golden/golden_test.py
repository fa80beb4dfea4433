"""The golden tools notice what they must: on files made here, with a program made here."""
import argparse
import contextlib
import io
import math
import stat
import sys
import tempfile
import unittest
from pathlib import Path

import golden
import runs
import same_bits

# A program that writes a checkpoint of one node, whose place depends on what the test says.
PROGRAM = """#!{python}
import struct, sys
from pathlib import Path
value = lambda name: sys.argv[sys.argv.index(name) + 1]
out, steps, threads = Path(value("-o")), int(value("--steps")), int(value("--threads"))
resumed = "--resume" in sys.argv
(out / "checkpoints").mkdir(parents=True, exist_ok=True)
place, memory = {place}, {memory}
data = struct.pack("<8sQQqddQQQQiiii", b"MARROWCK", {version}, {fingerprint}, steps, 0.5, 7.0, 1, 2, 1, 0, 0, 0, 0, 0)
data += struct.pack("<6d", place, 0, 0, 1, 0, 0) + struct.pack("<d", memory) + b"checksum"
(out / f"checkpoints/step_{{steps:08}}.ckpt").write_bytes(data)
(out / "metrics.jsonl").write_text('{{"contacts": 2}}\\n{{"contacts": 5}}\\n{{"contacts": 0}}\\n')
sys.exit({code})
"""


class GoldenTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def make_program(self, place="0.25", memory="3.0", version=runs.VERSIONS[0], fingerprint=1, code=0):
        path = self.folder / "program"
        path.write_text(PROGRAM.format(python=sys.executable, place=place, memory=memory, version=version,
                                       fingerprint=fingerprint, code=code))
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return str(path)

    def run_once(self, **options):
        return runs.run(self.make_program(**options), "scene.json", 6)

    def test_one_bit_changes_the_hash(self):
        first, other = self.run_once(), self.run_once(place=repr(math.nextafter(0.25, 1)))
        self.assertNotEqual(first.motion, other.motion)
        self.assertEqual(first.memory, other.memory)
        self.assertEqual(first.contacts, 5)

    def test_the_sign_of_zero_changes_the_hash(self):
        self.assertNotEqual(self.run_once(place="0.0").motion, self.run_once(place="-0.0").motion)

    def test_what_joints_remember_is_another_hash(self):
        first, other = self.run_once(), self.run_once(memory="4.0")
        self.assertEqual(first.motion, other.motion)
        self.assertNotEqual(first.memory, other.memory)

    def test_fingerprint_and_checksum_play_no_part(self):
        self.assertEqual(self.run_once(), self.run_once(fingerprint=99))

    def test_an_unknown_format_is_refused(self):
        with self.assertRaisesRegex(ValueError, "version"):
            self.run_once(version=runs.VERSIONS[-1] + 1)

    def test_a_failed_run_is_a_change(self):
        found = self.run_once(code=3)
        self.assertIn("exit code 3", found.failure)
        self.assertIn("exit code 3", golden.describe_change({"scene": "a", "steps": "6"}, found))

    def row(self, found):
        return {"scene": "scene.json", "steps": "6", "part": "ci", "contacts": "5", "motion": found.motion,
                "memory": found.memory}

    def compare(self, row, **options):
        with contextlib.redirect_stdout(io.StringIO()):
            return golden.compare(self.make_program(**options), [row])

    def test_comparing_names_both_hashes(self):
        first = self.run_once()
        self.assertEqual(self.compare(self.row(first)), [])
        row = self.row(first)
        (change,) = self.compare(row, place="0.5")
        self.assertIn(f"scene.json (6 steps): motion {first.motion} -> {row['motion']}", change)
        (change,) = self.compare(self.row(first), memory="0.5")
        self.assertIn("only what the state remembers", change)

    def test_a_table_is_written_as_it_is_read(self):
        rows, notes = golden.read_table(golden.TABLE)
        golden.write_table(self.folder / "copy.csv", rows, notes)
        self.assertEqual((self.folder / "copy.csv").read_text(), golden.TABLE.read_text())

    def test_the_table_has_every_scene_for_ci_and_each_row_once(self):
        rows, _ = golden.read_table(golden.TABLE)
        for row in rows:
            self.assertTrue((runs.ROOT / row["scene"]).exists(), row["scene"])
        for part in ("ci", "all"):
            scenes = [row["scene"] for row in rows if row["part"] == part]
            self.assertEqual(len(scenes), len(set(scenes)))
        folders = [runs.ROOT / "examples" / name for name in
                   ("", "ipc", "stiff", "medial", "self_collision", "tutorial", "high_order", "interactive")]
        examples = {path.relative_to(runs.ROOT).as_posix() for folder in folders for path in folder.glob("*.json")}
        self.assertEqual(examples - {row["scene"] for row in rows}, set())

    def check_same_bits(self, place):
        return same_bits.check(self.make_program(place=place), {"scene": "scene.json", "steps": "6"})

    def test_bits_that_depend_on_threads_or_a_restart_are_found(self):
        self.assertEqual(self.check_same_bits("0.25"), "")
        self.assertIn("3 threads", self.check_same_bits("threads == 3 and 1.0 or 2.0"))
        self.assertIn("resumed after step 3", self.check_same_bits("resumed and 1.0 or 2.0"))

    def test_names_choose_rows(self):
        rows = [{"scene": "a/b", "part": "ci"}, {"scene": "a/c", "part": "all"}]
        choose = lambda **options: golden.choose(rows, argparse.Namespace(**{"all": True, "only": [""], **options}))
        self.assertEqual(choose(), rows)
        self.assertEqual(choose(all=False), rows[:1])
        self.assertEqual(choose(only=["/c", "nothing"]), rows[1:])


if __name__ == "__main__":
    unittest.main()
