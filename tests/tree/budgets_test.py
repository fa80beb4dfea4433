"""The budget checker finds functions as a reader would, and counts them right."""
import unittest

from tree_case import TreeCase

import check_budgets
from check_budgets import find_functions


def body(lines):
    return "".join(f"  a = {i};\n" for i in range(lines))


class FindFunctions(unittest.TestCase):
    def test_free_function(self):
        self.assertEqual(find_functions("\nint f(int a) {\n  return a;\n}\n"), [(2, 3)])

    def test_signature_over_two_lines_counts(self):
        self.assertEqual(find_functions("template <class T>\nint f(int a,\n      int b)\n{\n}\n"), [(1, 5)])

    def test_inner_blocks_and_lambdas_belong_to_the_function(self):
        text = "void f() {\n  if (a) {\n    g([&](int i) {\n      h(i);\n    });\n  }\n}\nvoid g() {}\n"
        self.assertEqual(find_functions(text), [(1, 7), (8, 1)])

    def test_namespaces_classes_and_enums_are_no_functions(self):
        text = "namespace a {\nstruct S : B<int()> {\n  int x{3};\n  enum class E { A, B };\n};\n}\nextern \"C\" {\n}\n"
        self.assertEqual(find_functions(text), [])

    def test_methods(self):
        text = "class C {\n public:\n  int x() const { return x_; }\n  bool operator()(int a) {\n    return a;\n  }\n};\n"
        self.assertEqual(find_functions(text), [(3, 1), (4, 3)])

    def test_constructor_with_initialisers(self):
        self.assertEqual(find_functions("C::C(int a) : a_{a}, b_(a), c_{1, 2} {\n  f();\n}\nint g() { return 1; }\n"),
                         [(1, 3), (4, 1)])
        self.assertEqual(find_functions("C::C(int a)\n    : Base<D>{a},\n      b_(a) {}\n"), [(1, 3)])

    def test_values_are_no_functions(self):
        self.assertEqual(find_functions("const int t[] = {f(1), 2};\nint u{g(3)};\nstd::vector<int> v = h({1, 2});\n"), [])

    def test_lambda_at_file_scope(self):
        self.assertEqual(find_functions("const auto f = [](int a) {\n  return a;\n};\n"), [(1, 3)])

    def test_default_arguments_with_braces(self):
        self.assertEqual(find_functions("int f(S s = {}, int b = 2) {\n}\n"), [(1, 2)])

    def test_trailing_return_and_operators(self):
        self.assertEqual(find_functions("auto f() -> int {\n}\nS& S::operator=(const S& s) {\n}\n"), [(1, 2), (3, 2)])

    def test_test_macros_count(self):
        self.assertEqual(find_functions("TEST(Suite, name) {\n  EXPECT_EQ(1, 1);\n}\n"), [(1, 3)])

    def test_braces_in_comments_strings_and_preprocessor(self):
        text = "#define X {\n// {\nvoid f() {\n  s = \"}\";\n  c = '}';\n  r = R\"(}}\n)\"; /* } */\n  n = 1'000'000;\n}\n"
        self.assertEqual(find_functions(text), [(3, 7)])


class Budgets(TreeCase):
    def test_good_tree(self):
        self.write({"src/core/a.cpp": "void f() {\n" + body(10) + "}\n"})
        self.assertEqual(check_budgets.check(self.root), [])

    def test_too_long_file(self):
        files = {f"src/core/a{i}.cpp": "\n" for i in range(20)}
        files["tests/core/big.cpp"] = "\n" * 801
        self.write(files)
        self.assert_one(check_budgets.check(self.root), "tests/core/big.cpp", "801", "800")

    def test_too_many_long_files(self):
        files = {f"bench/a{i}.cpp": "\n" for i in range(8)}
        files.update({f"apps/marrow/b{i}.cpp": "\n" * 400 for i in range(2)})
        self.write(files)
        self.assert_one(check_budgets.check(self.root), "2 of 10 files", "apps/marrow/b1.cpp")

    def test_too_long_function(self):
        short = "".join(f"void f{i}() {{}}\n" for i in range(20))
        self.write({"src/core/a.cpp": short + "void f() {\n" + body(99) + "}\n"})
        self.assert_one(check_budgets.check(self.root), "src/core/a.cpp:21", "101", "100")

    def test_too_many_long_functions(self):
        short = "".join(f"void f{i}() {{}}\n" for i in range(8))
        long = "".join(f"void g{i}() {{\n" + body(48) + "}\n" for i in range(2))
        self.write({"src/core/a.cpp": short + long})
        self.assert_one(check_budgets.check(self.root), "2 of 10 functions")


if __name__ == "__main__":
    unittest.main()
