"""The demo: every kind of body in one scene, and what must hold when a motor has lifted them."""
import math
import os
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/physics"))
from lab import Lab  # noqa: E402

SCENE = ROOT / "examples/demo.json"
STEPS = 100
LIFT = 0.55  # the motor's way [m]
GRAVITY = 9.81


def centre(points):
    return [sum(p[k] for p in points) / len(points) for k in range(3)]


class Demo(unittest.TestCase):
    def test_demo(self):
        lab = Lab(os.environ["MARROW"]).__enter__()
        self.addCleanup(lab.__exit__)
        run = lab.run_file(SCENE, STEPS)  # fails if `marrow check` finds an intersection or an inverted tet
        self.assertEqual(len(run.steps), STEPS)
        self.assertEqual({body["kind"] for body in run.scene["bodies"]}, {"soft", "rigid", "affine", "medial", "obstacle"})
        first, last = run.frame(0), run.frame()
        at = {body["name"]: last.points_of(k) for k, body in enumerate(run.scene["bodies"])}
        was = {body["name"]: first.points_of(k) for k, body in enumerate(run.scene["bodies"])}

        # The motor has done its way, and the joints hold.
        self.assertAlmostEqual(run.last("joint_coordinates", 0), LIFT, delta=1e-4)
        self.assertLess(run.last("joint_residual"), 1e-4)

        # Once the cloth has left the floor, only the motor carries: its impulse is the weight times the time, plus the
        # change of momentum. (On the floor, at the start, it is less.)
        lifted = [step for step in run.steps if step["time"] > 1.2]
        before = run.steps[-len(lifted) - 1]
        h = run.scene["time"]["step"]
        impulse = sum(step["joint_forces"][0] for step in lifted) * h
        impulse -= lifted[-1]["momentum"][1] - before["momentum"][1]
        weight = self.weigh() * GRAVITY
        self.assertAlmostEqual(impulse / (len(lifted) * h), weight, delta=0.003 * weight)

        # Everything that fell into the cloth is still in it: above its lowest point, between its corners.
        cloth = at["cloth"]
        low, high = min(p[1] for p in cloth), max(p[1] for p in cloth)
        self.assertGreater(low, 0.0)
        for name in ("ball 1", "ball 2", "ball 3", "box 1", "box 2", "box 3", "swimming ring", "figure"):
            x, y, z = centre(at[name])
            self.assertTrue(low < y < high, name)
            self.assertLess(math.hypot(x, z), 0.6, name)

        # Each ring is still on its wire, and has slid down it to the corner of the cloth.
        for k in range(1, 5):
            wire, ring = at[f"wire {k}"], centre(at[f"ring {k}"])
            self.assertLess(min(math.dist(ring, p) for p in [*wire, wire[-1]]), 0.2, k)
            self.assertLess(ring[1] - LIFT, centre(was[f"ring {k}"])[1], k)

        # The chain bears: each link hangs in the next, no higher than its inner length.
        links = [centre(at[f"link {k}"])[1] for k in (1, 2, 3)]
        for below, above in zip(links, links[1:]):
            self.assertAlmostEqual(above - below, 0.124, delta=0.01)

    def weigh(self):
        """The mass of all bodies that are no obstacles, as `marrow info` prints it."""
        text = subprocess.run([os.environ["MARROW"], "info", SCENE], capture_output=True, text=True, check=True).stdout
        return sum(float(line.split(",")[-1].split()[0]) for line in text.splitlines() if line.endswith(" kg"))


if __name__ == "__main__":
    unittest.main()
