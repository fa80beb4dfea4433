"""The check of the witness finds each way to the solver's geometry, and nothing where all is well."""
import subprocess
import unittest

from tree_case import TreeCase

import check_witness

GEOMETRY = "namespace marrow {\ndouble compute_distance(double x) { return x; }\n}\n"
CALLER = "namespace marrow {\ndouble compute_distance(double x);\ndouble judge(double x) { return compute_distance(x); }\n}\n"
CLEAN = "namespace marrow {\nint orient();\nbool judge() { return orient() > 0; }\n}\n"
EXACT = "namespace marrow {\nint orient() { return 1; }\n}\n"


class Witness(TreeCase):
    def archive(self, name, text):
        """A static library of one file."""
        self.write({f"{name}.cpp": text})
        subprocess.run(["c++", "-c", f"{name}.cpp", "-o", f"{name}.o"], cwd=self.root, check=True)
        subprocess.run(["ar", "rcs", f"lib{name}.a", f"{name}.o"], cwd=self.root, check=True)
        return self.root / f"lib{name}.a"

    def test_what_it_may_link(self):
        links = ["marrow_witness", "marrow_exact", "marrow_mesh", "marrow_core", "Eigen3::Eigen"]
        self.assertEqual(check_witness.check_links(links), [])
        for name in ("geometry", "contact", "linalg", "kinematics", "sim"):
            with self.subTest(name=name):
                self.assert_one(check_witness.check_links(links + [f"marrow_{name}"]), f"must not link {name}")

    def test_symbols_that_are_all_there(self):
        archives = [self.archive("witness", CLEAN), self.archive("exact", EXACT)]
        self.assertEqual(check_witness.check_symbols(archives), [])

    def test_a_call_into_the_geometry(self):
        archives, geometry = [self.archive("witness", CALLER)], self.archive("geometry", GEOMETRY)
        self.assert_one(check_witness.check_symbols(archives, [geometry]), "libwitness.a", "marrow::compute_distance(double)",
                        "libgeometry.a")

    def test_archives_of_nothing(self):
        self.assert_one(check_witness.check_symbols([self.archive("empty", "int f() { return 0; }\n")]), "define nothing")

    def test_files_that_speak_for_it(self):
        for file in ("apps/marrow/check_run.cpp", "src/sim/start/model_witness.cpp"):
            for header in ("geometry/ccd/ccd.h", "geometry/distance/distance.h", "contact/proximity.h"):
                with self.subTest(file=file, header=header):
                    self.write({file: f'#include "mesh/io/mesh_file.h"\n#include "{header}"\n'})
                    self.assert_one(list(check_witness.check_speakers(self.root)), f"{file}:2:", header)
                    (self.root / file).unlink()


if __name__ == "__main__":
    unittest.main()
