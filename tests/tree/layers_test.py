"""The layer checker finds every kind of breach, and nothing in a good tree."""
import unittest

from tree_case import TreeCase

import check_layers


class Layers(TreeCase):
    def check(self, path, text):
        self.write({path: text})
        return check_layers.check(self.root)

    def test_downward_includes_are_fine(self):
        text = '#pragma once\n#include <vector>\n#include "core/types.h"\n#include "geometry/mesh.h"\n#include "sim/step.h"\n'
        self.assertEqual(self.check("src/sim/simulate.h", text), [])

    def test_upward_include_names_file_line_and_allowed_set(self):
        problems = self.check("src/linalg/a.cpp", '\n#include "geometry/mesh.h"\n')
        self.assert_one(problems, "src/linalg/a.cpp:2:", "geometry", "core, exec, linalg, math")

    def test_sideways_includes(self):
        for here, there in [("contact", "kinematics"), ("kinematics", "contact"), ("math", "exec"), ("exec", "math"),
                            ("scene", "output"), ("output", "scene"), ("preprocess", "contact"), ("sim", "preprocess"),
                            ("witness", "geometry"), ("witness", "contact"), ("witness", "linalg"), ("exact", "geometry"),
                            ("mesh", "geometry")]:
            with self.subTest(here=here, there=there):
                problems = self.check(f"src/{here}/a.cpp", f'#include "{there}/b.h"\n')
                self.assert_one(problems, f"{here} must not see {there}")
                (self.root / f"src/{here}/a.cpp").unlink()

    def test_potentials_see_contact_and_kinematics(self):
        text = '#include "contact/step_limit.h"\n#include "kinematics/elements/elements.h"\n'
        self.assertEqual(self.check("src/potentials/a.cpp", text), [])

    def test_include_in_a_comment_does_not_count(self):
        self.assertEqual(self.check("src/core/a.cpp", '// #include "sim/step.h"\n/*\n#include "sim/step.h"\n*/\n'), [])

    def test_relative_include(self):
        self.assert_one(self.check("src/sim/a.cpp", '#include "step.h"\n'), "from src/ on")
        self.assert_one(self.check("src/sim/a.cpp", '#include "../solve/step.h"\n'), "from src/ on")

    def test_unknown_layer(self):
        self.assert_one(self.check("src/utils/a.cpp", "\n"), "src/utils/a.cpp:1: not in a layer")

    def test_threads_are_started_in_few_places(self):
        text = "std::thread helper;\n"
        self.assert_one(self.check("src/linalg/a.cpp", text), "src/linalg/a.cpp:1: threads")
        (self.root / "src/linalg/a.cpp").unlink()
        for file in ("src/exec/cpu/a.cpp", "src/output/run/background.cpp", "src/view/a.cpp"):
            self.assertEqual(self.check(file, text), [], file)
        self.assertEqual(self.check("src/exec/b.h", "#pragma once\n// Started as a std::thread.\nstd::this_thread::yield();\n"), [])

    def test_cuda_only_in_exec_cuda(self):
        for line in ("__device__ int f();", "#ifdef __CUDACC__", "cudaMalloc(&p, 1);", "cublasCreate(&h);"):
            with self.subTest(line=line):
                self.assert_one(self.check("src/math/a.cpp", line + "\n"), "src/math/a.cpp:1: CUDA")
        self.assertEqual(self.check("src/math/a.cpp", 'double cubic_root();  // as CUDA wants\nauto s = "cuda";\n'), [])
        self.assertEqual(self.check("src/exec/cuda/a.cu", "__global__ void k();\n"), [])

    def test_macros_only_in_core_and_exec(self):
        self.assert_one(self.check("src/math/a.cpp", "\n# define X 1\n"), "src/math/a.cpp:2: a macro")
        (self.root / "src/math/a.cpp").unlink()
        self.assertEqual(self.check("src/core/macros.h", "#pragma once\n#define MARROW_X 1\n"), [])

    def test_headers_have_pragma_once(self):
        self.assert_one(self.check("src/core/a.h", "int f();\n"), "#pragma once")

    def test_heavy_headers_stay_in_sources(self):
        for heavy in ("nlohmann/json.hpp", "CGAL/Simple_cartesian.h", "CLI/CLI.hpp", "pybind11/pybind11.h"):
            with self.subTest(heavy=heavy):
                self.assert_one(self.check("src/scene/a.h", f"#pragma once\n#include <{heavy}>\n"), "too heavy")
        self.assertEqual(self.check("src/scene/a.h", "#pragma once\n#include <nlohmann/json_fwd.hpp>\n"), [])
        self.assertEqual(self.check("src/scene/a.cpp", "#include <nlohmann/json.hpp>\n"), [])

    def test_no_printing_and_no_exit(self):
        for line in ("std::cout << 1;", 'printf("x");', 'std::printf("x");', 'fprintf(stderr, "x");', 'fmt::print("x");',
                     "exit(1);", "std::exit(1);", "std::abort();"):
            with self.subTest(line=line):
                self.assert_one(self.check("src/core/a.cpp", line + "\n"), "src/core/a.cpp:1: no ")

    def test_what_only_looks_like_printing(self):
        text = 'snprintf(b, 9, "x");\nfprintf(file, "x");\nfmt::print(file, "x");\non_exit();\nloop.exit();\n"exit(1)";\n'
        self.assertEqual(self.check("src/core/a.cpp", text), [])


if __name__ == "__main__":
    unittest.main()
