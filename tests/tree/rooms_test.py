"""The checker of rooms finds circles, crowded rooms, missing READMEs and an old drawing, and nothing in a good tree."""
import contextlib
import io
import sys
import unittest
from unittest import mock

from tree_case import TreeCase

import check_rooms

README = "line\n" * 10


class Rooms(TreeCase):
    def setUp(self):
        super().setUp()
        self.write({"src/core/a.h": "\n", "src/core/README.md": README,
                    "src/mesh/io/b.h": '#include <vector>\n#include "core/a.h"\n', "src/mesh/io/README.md": README,
                    "src/solve/c.cpp": '#include "core/a.h"\n#include "mesh/io/b.h"\n', "src/solve/README.md": README})

    def run_main(self, *arguments):
        with mock.patch.object(sys, "argv", ["check_rooms.py", str(self.root), *map(str, arguments)]), \
                contextlib.redirect_stdout(io.StringIO()) as printed:
            return check_rooms.main(), printed.getvalue()

    def test_good_tree(self):
        self.assertEqual(check_rooms.check(self.root), [])

    def test_circle(self):
        self.write({"src/core/a.h": '#include "solve/c.h"\n'})
        problems = check_rooms.check(self.root)
        self.assertEqual(len(problems), 2)
        self.assertIn("src/core/a.h includes solve/c.h", "".join(problems))

    def test_circle_within_a_layer(self):
        self.write({"src/mesh/d.h": '#include "mesh/io/b.h"\n', "src/mesh/README.md": README,
                    "src/mesh/io/b.h": '#include "mesh/d.h"\n'})
        self.assertIn("src/mesh/io/b.h includes mesh/d.h", "".join(check_rooms.check(self.root)))

    def test_crowded_room(self):
        self.write({f"src/core/n{i}.h": "\n" for i in range(30)})
        self.assert_one(check_rooms.check(self.root), "src/core:", "31 files")

    def test_back_ends_belong_to_the_room_above(self):
        self.write({"src/exec/a.h": '#include "exec/cpu/b.h"\n', "src/exec/cpu/b.h": '#include "exec/a.h"\n',
                    "src/exec/README.md": README})
        self.assertEqual(check_rooms.check(self.root), [])

    def test_readme(self):
        (self.root / "src/core/README.md").unlink()
        self.assert_one(check_rooms.check(self.root), "src/core:", "no README.md")
        self.write({"src/core/README.md": "one line\n"})
        self.assert_one(check_rooms.check(self.root), "src/core/README.md", "8 to 20 lines")

    def test_arrows_that_follow_from_others_are_not_drawn(self):
        arrows = check_rooms.reduce(check_rooms.list_arrows(self.root, check_rooms.list_rooms(self.root)))
        self.assertEqual(arrows, {"core": set(), "mesh/io": {"core"}, "solve": {"mesh/io"}})

    def test_drawing(self):
        code, printed = self.run_main()
        self.assertEqual(code, 1)
        self.assertIn("rooms.svg is not of these rooms", printed)
        self.write({"docs/pictures/x": ""})
        drawing = self.root / "docs/pictures/rooms.svg"
        self.assertEqual(self.run_main("--draw", drawing)[0], 0)
        self.assertEqual(self.run_main()[0], 0)
        text = drawing.read_text(encoding="utf-8")
        for room in ("core", "mesh/io", "solve"):
            self.assertIn(f">{room} <", text)
        self.assertEqual(text.count('marker-end="url(#tip)"'), 2)
        self.write({"src/solve/c.cpp": '#include "core/a.h"\n'})
        self.assertEqual(self.run_main()[0], 1)


if __name__ == "__main__":
    unittest.main()
