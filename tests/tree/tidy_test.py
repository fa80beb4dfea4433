"""The rules of .clang-tidy accept the names of the style guide and reject others."""
import json
import shutil
import subprocess
import unittest

from tree_case import ROOT, TreeCase

import check_tidy

GOOD = """
#define MARROW_TWICE(x) ((x) + (x))
namespace marrow {
constexpr int kMaxSteps = 3;
enum class Verdict { Converged, NoDescent };
template <class Scalar, int Rows>
struct StepLength {
  double alpha = 1;
  double dE_dx = 0;
  Scalar F = 0;
};
class BlockMatrix {
 public:
  int row_count() const { return row_count_; }

 private:
  int row_count_ = 0;
};
inline double compute_energy(double x, double lame_mu, double J) {
  const double F = x, U = F, d2E_dx2 = lame_mu * J, dE_dF = 1, H_xx = 2, x_hat = 3, log_J = 4;
  static const int kTable = 3;
  constexpr int kLocal = 2;
  return F + U + d2E_dx2 + dE_dF + H_xx + x_hat + log_J + kTable + kLocal;
}
}
"""

BAD = {
    "int computeEnergy();": "computeEnergy",
    "struct step_length {};": "step_length",
    "enum class Verdict { no_descent };": "no_descent",
    "constexpr int max_steps = 3;": "max_steps",
    "const int MAX_STEPS = 3;": "MAX_STEPS",
    "class A { int size = 0; };": "size",
    "int f(int stepCount);": "stepCount",
    "inline int f() { int stepCount = 1; return stepCount; }": "stepCount",
    "inline int f() { int StepCount = 1; return StepCount; }": "StepCount",
    "#define TWICE(x) ((x) + (x))": "TWICE",
    "template <class scalar> struct A {};": "scalar",
    "namespace Marrow {}": "Marrow",
    "using vec3 = int;": "vec3",
    "inline double f(int a) { return a / 2; }": "integer-division",
}


class Tidy(TreeCase):
    def check(self, files, only_changed=False):
        shutil.copy(ROOT / ".clang-tidy", self.root)
        self.write(files)
        build = self.root / "build"
        build.mkdir(exist_ok=True)
        commands = [{"directory": str(self.root), "file": str(self.root / path),
                     "command": f"ccache g++ -std=gnu++20 -I{self.root}/src -o {path}.o -c {self.root / path}"}
                    for path in files if path.endswith(".cpp")]
        (build / "compile_commands.json").write_text(json.dumps(commands))
        self.log = []
        return check_tidy.check(self.root, build, self.log.append, only_changed=only_changed)

    def test_good_names(self):
        self.assertEqual(self.check({"src/core/a.cpp": GOOD}), [])

    def test_bad_names(self):
        text = "".join(f"namespace n{i} {{\n{line}\n}}\n" for i, line in enumerate(BAD))
        problems = self.check({"src/core/a.cpp": text})
        for i, (line, name) in enumerate(BAD.items()):
            with self.subTest(line=line):
                self.assertTrue([p for p in problems if f"a.cpp:{3 * i + 2}:" in p and name in p], problems)
        self.assertEqual(len(problems), len(BAD), problems)

    def test_only_what_changed(self):
        def git(*words):
            subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=self.root, check=True,
                           capture_output=True)
        bad = "int badName();\n"
        files = {"src/core/a.cpp": bad, "src/core/b.cpp": bad}
        self.assertEqual(len(self.check(files, only_changed=True)), 2, "without git, all")
        git("init", "-q")
        git("add", "src")
        git("commit", "-qm", "a")
        self.assertEqual(self.check(files, only_changed=True), [])
        files |= {"src/core/b.cpp": bad + "int c();\n", "src/core/new.cpp": "int worseName();\n"}
        problems = self.check(files, only_changed=True)
        self.assertEqual([p.split(":")[0] for p in problems], ["src/core/b.cpp", "src/core/new.cpp"])
        self.assertEqual(len(self.check(files)), 3)

    def test_headers_count_once(self):
        files = {"src/core/a.h": "#pragma once\nint badName();\n", "src/core/a.cpp": '#include "core/a.h"\n',
                 "src/math/b.cpp": '#include "core/a.h"\n', "src/core/alone.h": "#pragma once\nint worseName();\n"}
        self.assertEqual(len(self.check(files)), 2)

    def test_files_that_do_not_bear_each_other(self):
        text = "namespace {{ int helper() {{ return 1; }} }}\nint {}() {{ return helper(); }}\n"
        names = ["first_name", "second_name", "third_name"]
        files = {f"src/core/{name}.cpp": text.format(name) for name in names}
        self.assertEqual(self.check(files), [])
        files["src/core/third_name.cpp"] = text.format("badName")
        self.assert_one(self.check(files), "src/core/third_name.cpp:2:", "badName")

    def test_clashes_that_nobody_foresaw(self):
        files = {f"src/core/{name}.cpp": f"static int helper = 1;\nint {name}() {{ return helper; }}\n"
                 for name in ("first_name", "second_name", "badName")}
        files["src/core/last.cpp"] = files.pop("src/core/badName.cpp")
        self.assert_one(self.check(files), "src/core/last.cpp:2:", "badName")

    def test_a_type_of_its_own_that_hides_one_of_a_header(self):
        files = {"src/core/model.h": "#pragma once\nnamespace marrow {\nstruct Model {};\n}\n",
                 "src/core/a.cpp": "namespace marrow {\nnamespace {\nstruct Model {};\n}\nModel f() { return {}; }\n}\n",
                 "src/core/b.cpp": '#include "core/model.h"\nnamespace marrow {\nModel g() { return {}; }\n}\n'}
        self.assertEqual(self.check(files), [])

    def test_every_program_has_a_main(self):
        main = "int main() { return 0; }\n"
        fuzz = 'extern "C" int LLVMFuzzerTestOneInput(const char*, int) { return 0; }\n'
        files = {"apps/a/main.cpp": main, "bench/bench_a.cpp": main, "tests/fuzz/a.cpp": fuzz, "tests/fuzz/b.cpp": fuzz}
        self.assertEqual(self.check(files), [])
        self.assertEqual(len(self.log), 4, "a batch was split: a clash was not foreseen")

    def test_what_passed_is_not_checked_again(self):
        files = {"src/core/a.h": "#pragma once\nint f();\n", "src/math/b.cpp": '#include "core/a.h"\n'}
        self.check(files)
        self.assertEqual(self.check(files), [])
        self.assertEqual(self.log, [])
        self.check(dict(files, **{"src/core/a.h": "#pragma once\nint g();\n"}))
        self.assertNotEqual(self.log, [])

    def test_code_that_does_not_compile(self):
        files = {"src/core/a.cpp": "int f() { return undeclared_name; }\n", "src/core/b.cpp": "int g();\n"}
        self.assert_one(self.check(files), "undeclared_name")


if __name__ == "__main__":
    unittest.main()
