"""The checker of constants finds every kind of bare number, and nothing in a good tree."""
import unittest

from tree_case import TreeCase

import check_constants


class Constants(TreeCase):
    def check(self, text, path="src/solve/a.cpp"):
        self.write({path: text})
        return check_constants.check(self.root)

    def setUp(self):
        super().setUp()
        self.write({"docs/decisions/0012-exact.md": "\n", "docs/models/contact.md": "\n",
                    "bench/bench_ablation.py": 'H = [Heuristic("nearing", "off", []),\n     Heuristic(\n    "held_up")]\n'})

    def test_every_kind_of_reason(self):
        for reason in ("[D12]", "[derived: as said]", "[measured: 3 of 4]", "[paper: Li 2020, (5)]", "[speed only]",
                       "[safety net: it must end]", "[ablation: nearing]", "[report only]", "[default]", "[mark]",
                       "[measured: docs/models/contact.md, Constants; ablation: held_up]"):
            with self.subTest(reason=reason):
                self.assertEqual(self.check(f"// Most of it. {reason}\nconstexpr double kMost = 1e-9;\n"), [])

    def test_bare_constant(self):
        for text in ("constexpr double kMost = 2;", "constexpr int kMost = 3;  // of them [m]",
                     "constexpr std::array<double, 2> kMost = {0, 1};", "inline constexpr size_t kMost = 4;",
                     "  static constexpr double kMost = 5;", "// Chosen. [because]\nconstexpr double kMost = 2;"):
            with self.subTest(text=text):
                self.assert_one(self.check(text + "\n"), "src/solve/a.cpp:", "kMost has no reason")

    def test_a_comment_stands_over_several(self):
        self.assertEqual(self.check("// Both. [D12]\nconstexpr int kA = 1;\nconstexpr int kB = 2;\n"), [])

    def test_a_reason_does_not_reach_over_a_blank_line_or_the_next_comment(self):
        self.assert_one(self.check("// Both. [D12]\nconstexpr int kA = 1;\n\nconstexpr int kB = 2;\n"), ":4:", "kB")
        self.assert_one(self.check("// A. [D12]\nconstexpr int kA = 1;\n// B.\nconstexpr int kB = 2;\n"), ":4:", "kB")

    def test_fields_of_a_constant_struct(self):
        text = "struct S {\n  // A. [D12]\n  double a = 2;\n  // B.\n  int b = 3;\n};\nconstexpr S kS;\n"
        self.assert_one(self.check(text), ":5:", "the field b")
        self.assertEqual(self.check("// All. [D12]\n" + text), [])

    def test_a_reason_of_several_lines(self):
        self.assertEqual(self.check("// Less. [derived: from this\n// and that]\nconstexpr double kA = 1e-9;\n"), [])

    def test_fields_of_other_structs_may_start_at_plain_numbers(self):
        self.assertEqual(self.check("struct S {\n  double a = 0;\n  double b = 0.5;\n};\n"), [])
        self.assert_one(self.check("struct S {\n  double a = 1e-3;\n};\n"), ":2:", "the field a")

    def test_options_are_documented_where_scenes_read_them(self):
        text = "struct S {\n  double a = 1e-3;\n};\nvoid visit_fields(Visitor& visit, S& o) {}\n"
        self.assertEqual(self.check(text), [])

    def test_bare_literals(self):
        for literal in ("1e-9", "1E3", "0.9", "2.8", "1.5e-3", ".1", "0.01f"):
            with self.subTest(literal=literal):
                self.assert_one(self.check(f"\nif (x < {literal} * y) f();\n"), "src/solve/a.cpp:2:", literal)

    def test_plain_literals(self):
        self.assertEqual(self.check('x = 0.5 * y + 1.0 - 0.375f + 2.0 / 3 + 100 + 0x1p-53;  // 1e-9\ns = "0.9";\n'), [])

    def test_no_numbers(self):
        text = ("constexpr double kInfinity = std::numeric_limits<double>::infinity();\n"
                'static constexpr const char* names[] = {"a"};\nconstexpr bool f(int x) { return x; }\n')
        self.assertEqual(self.check(text), [])

    def test_other_folders_are_left_alone(self):
        self.assertEqual(self.check("constexpr double kMost = 1e-9;\n", "src/geometry/a.cpp"), [])

    def test_one_name_has_one_value(self):
        self.write({"src/sim/b.cpp": "constexpr double kA = 1;  // [D12]\n"})
        self.assertEqual(self.check("constexpr double kA = 1;  // [D12]\n"), [])
        self.assert_one(self.check("constexpr double kA = 2;  // [D12]\n"), "kA has several values", "src/sim/b.cpp")

    def test_what_reasons_name_exists(self):
        for reason in ("[D99]", "[ablation: nothing]", "[measured: docs/models/none.md]"):
            with self.subTest(reason=reason):
                self.assert_one(self.check(f"constexpr double kA = 1;  // {reason}\n"), reason, "there is no such")


if __name__ == "__main__":
    unittest.main()
