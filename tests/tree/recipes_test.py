"""The check of the worked examples sees a page that shows something else."""
import unittest

from tree_case import TreeCase

import check_recipes

CODE = "#include <a>\n// [recipe\nint f();\n// recipe]\nint g();\n"
PAGE = "# A\n\n<!-- recipe force -->\n\n```cpp\nint f();\n```\n"


class Recipes(TreeCase):
    def check(self, code, page):
        self.write({"tests/recipes/force_test.cpp": code, "docs/architecture.md": page})
        return check_recipes.check(self.root)

    def test_same(self):
        self.assertEqual(self.check(CODE, PAGE), [])

    def test_other_text(self):
        self.assert_one(self.check(CODE.replace("f()", "f(int)"), PAGE), "architecture.md", "--write")
        check_recipes.write(self.root)
        self.assertEqual(check_recipes.check(self.root), [])

    def test_not_shown(self):
        self.assert_one(self.check(CODE, "# A\n"), "architecture.md", "force_test.cpp")

    def test_not_compiled(self):
        self.assert_one(self.check(CODE, PAGE + PAGE.replace("force", "other")), "other_test.cpp")

    def test_two_examples(self):
        self.assert_one(self.check(CODE + CODE, PAGE), "force_test.cpp", "exactly one")


if __name__ == "__main__":
    unittest.main()
