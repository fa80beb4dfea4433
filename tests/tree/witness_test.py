"""The check of the witness finds every way to the solver's collision path, and nothing in a good tree."""
import unittest

from tree_case import TreeCase

import check_witness


class Witness(TreeCase):
    def check(self, files):
        self.write(files)
        return check_witness.check(self.root)

    def test_good_tree(self):
        self.assertEqual(self.check({"src/contact/checker.cpp": '#include "contact/checker.h"\n#include "geometry/surface.h"\n',
                                     "src/contact/checker.h": "#pragma once\n#include <vector>\n",
                                     "src/contact/candidates.cpp": '#include "geometry/bvh.h"\n'}), [])

    def test_each_forbidden_header(self):
        for header in ("geometry/closest.h", "geometry/distance.h", "geometry/ccd.h", "geometry/ccd_advancement.h", "geometry/bvh.h",
                       "geometry/bvh_node.h", "geometry/aabb.h", "geometry/lanes.h", "contact/candidates.h", "contact/step_limit.h"):
            with self.subTest(header=header):
                problems = self.check({"src/geometry/exact_a.cpp": f'\n#include "{header}"\n'})
                self.assert_one(problems, "src/geometry/exact_a.cpp:2:", header)

    def test_by_way_of_another_header(self):
        problems = self.check({"src/contact/checker.cpp": '#include "geometry/surface.h"\n',
                               "src/geometry/surface.h": '#pragma once\n#include "geometry/bvh.h"\n'})
        self.assert_one(problems, "src/contact/checker.cpp:1:", "geometry/bvh.h", "geometry/surface.h")

    def test_the_verb_that_speaks_for_it(self):
        self.assert_one(self.check({"apps/marrow/check.cpp": '#include "geometry/ccd.h"\n'}), "apps/marrow/check.cpp:1:", "geometry/ccd.h")


if __name__ == "__main__":
    unittest.main()
