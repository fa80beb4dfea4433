"""The battery itself: a wrong world, a run that fails and an intersection must not pass."""
import copy
import dataclasses
import math
import stat
import tempfile
import unittest
from pathlib import Path

import scenes
from lab import Lab, RunFailed
from law import Outcome, Tolerance, Value, at_least, at_most
from laws import LAWS
from outcomes import run_law

BY_NAME = {law.name: law for law in LAWS}


def one_case(name):
    """The first case of a row alone."""
    law = BY_NAME[name]
    return dataclasses.replace(law, kinds=law.kinds[:1], integrators=law.integrators[:1])


def scale_everywhere(key, factor):
    """A change of scenes: every number under this key, at any depth, times the factor."""
    def scaled(value):
        return [factor * v for v in value] if isinstance(value, list) else factor * value

    def walk(part):
        for name, value in part.items() if isinstance(part, dict) else enumerate(part):
            if name == key:
                part[name] = scaled(value)
            elif isinstance(value, (dict, list)):
                walk(value)

    def change(scene):
        scene = copy.deepcopy(scene)
        scene.setdefault("gravity", [0, -scenes.G, 0])
        walk(scene)
        return scene

    return change


class WrongWorlds(unittest.TestCase):
    def check(self, name, key, factor):
        right = run_law(one_case(name))
        self.assertTrue(right.holds, f"{name} in the right world: {right.failures or right.wrong}")
        wrong = run_law(one_case(name), change=scale_everywhere(key, factor))
        self.assertFalse(wrong.failures)
        self.assertFalse(wrong.holds, f"{name} holds with {key} × {factor}")

    def test_friction_off_by_two_percent(self):
        self.check("block_slides_on_slope", "friction", 1.02)

    def test_friction_across_the_threshold(self):
        self.check("block_holds_or_slides", "friction", 0.97)

    def test_gravity_off_by_one_percent(self):
        self.check("pendulum_period", "gravity", 1.01)

    def test_density_off_by_two_percent(self):
        self.check("spring_period", "density", 1.02)

    def test_stiffness_off_by_one_percent(self):
        self.check("cantilever_wire", "youngs_modulus", 1.01)

    def test_lateral_contraction_off_by_one_percent(self):
        self.check("uniaxial_tension", "poissons_ratio", 0.99)

    def test_pressure_off_by_two_percent(self):
        self.check("balloon", "pressure", 1.02)

    def test_a_motor_too_weak_by_half_a_percent(self):
        self.check("hinge_motor", "max_force", 0.995)

    def test_another_spin(self):
        self.check("middle_axis_flips", "angular_velocity", 1.02)


class NothingToMeasure(unittest.TestCase):
    def test_a_motion_without_what_is_measured_does_not_hold(self):
        outcome = run_law(dataclasses.replace(one_case("pendulum_period"), measure=lambda *_: [][0]))
        self.assertFalse(outcome.holds)
        self.assertIn("nothing to measure", outcome.failures[0])


class Verdicts(unittest.TestCase):
    LAW = dataclasses.replace(LAWS[0], tolerance=Tolerance("a test", relative=0.01, absolute=0.1))

    def outcome(self, *values):
        return Outcome(self.LAW, [(("rigid", "bdf2"), value) for value in values], [])

    def test_tolerances(self):
        self.assertTrue(self.outcome(Value("", 10, 10.19)).holds)
        self.assertFalse(self.outcome(Value("", 10, 10.21)).holds)
        self.assertFalse(self.outcome(Value("", 10, 10), Value("", -10, 10)).holds)

    def test_bounds(self):
        self.assertTrue(self.outcome(at_most("", 1, 0.99), at_most("", 1, -5), at_least("", 1, 1)).holds)
        self.assertFalse(self.outcome(at_most("", 1, 1.001)).holds)
        self.assertFalse(self.outcome(at_least("", 1, 0.999)).holds)
        self.assertFalse(self.outcome(at_most("", 0, 1e-9)).holds)
        self.assertFalse(self.outcome(at_least("", 1, -1)).holds)

    def test_what_is_no_number_does_not_hold(self):
        for nothing in (math.nan, math.inf, -math.inf):
            self.assertFalse(self.outcome(Value("", 0, nothing)).holds)
            self.assertFalse(self.outcome(at_most("", 1, nothing)).holds)
            self.assertFalse(self.outcome(at_least("", 1, nothing)).holds)

    def test_nothing_measured_does_not_hold(self):
        self.assertFalse(self.outcome().holds)

    def test_rows_are_told_apart(self):
        self.assertEqual(len(BY_NAME), len(LAWS))
        for law in LAWS:
            self.assertTrue(law.cases(), law.name)
            self.assertTrue(law.tolerance.why, law.name)


class Programs(unittest.TestCase):
    """With programs that misbehave instead of the true one."""

    def lab(self, script):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        program = Path(folder.name) / "program"
        program.write_text("#!/bin/sh\n" + script, encoding="utf-8")
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return Lab(str(program))

    def test_a_run_that_fails(self):
        with self.lab("echo step 3 failed >&2; exit 3\n") as lab, self.assertRaisesRegex(RunFailed, "step 3 failed"):
            lab.run(scenes.scene([]))

    def test_an_intersection(self):
        found = "[ $1 = check ] && { echo '{\"intersections\": 1, \"inversions\": 0}'; exit 0; }; exit 0\n"
        with self.lab(found) as lab, self.assertRaisesRegex(RunFailed, "1 intersections"):
            lab.run(scenes.scene([]))


if __name__ == "__main__":
    unittest.main()
