"""The trail checker follows thirteen files, and notices a missing one and a missing step."""
import unittest

from tree_case import TreeCase

import check_trail


class Trail(TreeCase):
    def setUp(self):
        super().setUp()
        files = {f"{stem}.cpp": "" for stem in check_trail.TRAIL}
        for here, there in check_trail.STEPS:
            files[f"{here}.cpp"] += f'#include "{there.split("/", 1)[1]}.h"\n'
        self.write(files)

    def test_thirteen_files(self):
        self.assertEqual(len(check_trail.TRAIL), 13)

    def test_whole_trail(self):
        self.assertEqual(check_trail.check(self.root), [])

    def test_header_may_hold_the_include(self):
        step = self.root / "src/sim/step.cpp"
        step.rename(step.with_suffix(".h"))
        self.assertEqual(check_trail.check(self.root), [])

    def test_missing_file(self):
        (self.root / f"{check_trail.STEP_LIMIT}.cpp").unlink()
        self.assert_one(check_trail.check(self.root), check_trail.STEP_LIMIT, "missing")

    def test_every_step_is_held(self):
        for here, there in check_trail.STEPS:
            with self.subTest(here=here, there=there):
                path = self.root / f"{here}.cpp"
                text = path.read_text()
                line = f'#include "{there.split("/", 1)[1]}.h"\n'
                path.write_text(text.replace(line, "// " + line))
                self.assert_one(check_trail.check(self.root), here, there.split("/", 1)[1] + ".h")
                path.write_text(text)


if __name__ == "__main__":
    unittest.main()
