"""Marrow installed, and programs in another folder that use it, compiled with other flags: same bits, own terms, witness alone.

Usage: library_test.py BUILD PROGRAM ROOT
"""
import filecmp
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD, PROGRAM, ROOT = (Path(argument).resolve() for argument in sys.argv[1:4])
FLAGS = "-O3 -march=native -ffast-math"


def call(*words, **options):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, **options).stdout


class Library(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.work = Path(cls.folder.name)
        try:
            call("cmake", "--install", BUILD, "--prefix", cls.work / "installed", "--component", "library")
            call("cmake", "-S", ROOT / "examples/cpp", "-B", cls.work / "build", "-G", "Ninja",
                 f"-DCMAKE_PREFIX_PATH={cls.work}/installed", f"-DCMAKE_CXX_FLAGS={FLAGS}")
            call("ninja", "-C", cls.work / "build")
        except subprocess.CalledProcessError as error:
            raise AssertionError(error.stdout[-3000:] + error.stderr[-3000:]) from error

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_same_bits_as_the_program(self):
        for scene, steps in (("examples/ipc/stick_slip.json", 12), ("examples/stiff/turntable_05.json", 20)):
            with self.subTest(scene=scene), tempfile.TemporaryDirectory() as folder:
                out = Path(folder)
                call(self.work / "build/first_steps", ROOT / scene, steps, out)
                call(PROGRAM, "run", ROOT / scene, "--steps", steps, "-o", out / "run")
                newest = max((out / "run/checkpoints").iterdir())
                self.assertTrue(filecmp.cmp(newest, out / "whole.ckpt", shallow=False), "another state than marrow run")
                self.assertTrue(filecmp.cmp(newest, out / "resumed.ckpt", shallow=False), "another state when restored")

    def test_own_forces_and_potentials(self):
        for line in call(self.work / "build/own_terms").splitlines():
            kind, what, measured, expected = line.split()
            with self.subTest(kind=kind, what=what):
                self.assertAlmostEqual(float(measured), float(expected), delta=0.01 * float(expected))

    def test_witness_alone(self):
        self.assertEqual(call(self.work / "build/witness_alone").splitlines(),
                         ["0.1: 0 intersections", "-0.1: 1 intersections", "4.94066e-324: 0 intersections"])
        symbols = call("nm", "-C", self.work / "build/witness_alone")
        for name in ("marrow::take_step", "marrow::detect_collision", "marrow::StepTerms"):
            self.assertNotIn(name, symbols)

    def test_bad_input_is_told(self):
        result = subprocess.run([self.work / "build/first_steps", "no_such_scene.json", "1", self.work],
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("no_such_scene.json", result.stderr)

    def test_headers_hold_declarations_only(self):
        for header in sorted((ROOT / "include/marrow").iterdir()):
            text = header.read_text(encoding="utf-8")
            for word in ("Eigen", "template", "inline "):
                if word == "inline " and header.name == "namespace.h":
                    continue
                self.assertNotIn(word, text.replace("inline namespace", ""), f"{header.name}: {word}")


if __name__ == "__main__":
    sys.argv[1:] = []
    unittest.main()
