"""The scenes of docs/tutorial do what the pages say: heights, speeds, angles, and no intersection in any frame."""
import json
import math
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/physics"))
from lab import Lab  # noqa: E402

SCENES = ROOT / "examples/tutorial"
GRAVITY = 9.81


def centre(points):
    return [sum(p[k] for p in points) / len(points) for k in range(3)]


def heights(points):
    return min(p[1] for p in points), max(p[1] for p in points)


class Tutorial(unittest.TestCase):
    def setUp(self):
        self.lab = Lab(os.environ["MARROW"]).__enter__()
        self.addCleanup(self.lab.__exit__)

    def run_scene(self, name, *settings):
        """The run, checked by `marrow check`, and the points of a body in its last frame."""
        lines = (SCENES / f"{name}.json").read_text().splitlines()
        scene = json.loads("\n".join(line for line in lines if not line.lstrip().startswith("//")))
        steps = round(scene["time"]["duration"] / scene["time"]["step"])
        run = self.lab.run_file(SCENES / f"{name}.json", steps, settings)
        self.assertEqual(len(run.steps), steps)
        last = run.frame()
        return run, {body["name"]: last.points_of(k) for k, body in enumerate(run.scene["bodies"])}

    def test_fall(self):
        """Implicit Euler: y = v t − g t (t + h) / 2, whatever the kind, the density and the spin."""
        _, points = self.run_scene("1_fall")
        for name, of_body in points.items():
            self.assertAlmostEqual(centre(of_body)[1], 6 - GRAVITY * 1.01 / 2, delta=1e-6, msg=name)
        spread = [max(p[k] for p in points["jelly ball"]) - min(p[k] for p in points["jelly ball"]) for k in range(3)]
        self.assertGreater(max(spread) - min(spread), 1e-4)  # the spin makes the jelly ball flatter; it is soft

    def test_contact(self):
        run, points = self.run_scene("2_contact")
        (bottom, top), (box, box_top) = heights(points["cushion"]), heights(points["box"])
        self.assertTrue(0 < bottom <= 0.002, bottom)  # closer than d_hat, and above the floor
        self.assertAlmostEqual(box_top - box, 0.3, delta=0.003)  # the box stands upright to half a degree
        # Under the box the cushion gives way: at least as much as if the weight pressed all of it, at most as much as if
        # only the column below the box carried the weight.
        sunk = 0.3 - (box - bottom)
        pressure = 2000 * 0.3 ** 3 * GRAVITY / 1e4
        self.assertTrue(pressure / 0.8 ** 2 * 0.3 < sunk < pressure / 0.3 ** 2 * 0.3, sunk)
        self.assertGreater(top - box, 0.002)  # the cushion rises beside the box
        self.assertLess(abs(run.last("momentum", 1)), 0.2)  # 92 kg rest to 2 mm/s

    def test_friction(self):
        run, points = self.run_scene("3_friction")
        start = run.frame(0)
        slope = math.radians(25)
        for name, mu in (("slippery", 0.1), ("smooth", 0.3)):
            acceleration = GRAVITY * (math.sin(slope) - mu * math.cos(slope))
            way = math.dist(centre(points[name]), centre(start.points_of(run.body(name))))
            self.assertAlmostEqual(way, acceleration * 0.8 * 0.81 / 2, delta=0.01 * way, msg=name)
        self.assertLess(math.dist(centre(points["rough"]), centre(start.points_of(run.body("rough")))), 0.001)

    def test_joint(self):
        run, points = self.run_scene("4_joint")
        # The motor's formula: 90 °/s after a smooth start of half a second, which costs 22.5°.
        self.assertAlmostEqual(math.degrees(run.last("joint_coordinates", 0)), 85.5, delta=0.5)
        self.assertLessEqual(max(torques[0] for _, torques in run.series("joint_torques")), 505)
        for name in ("ball 1", "ball 2", "ring"):
            at, was = centre(points[name]), centre(run.frame(0).points_of(run.body(name)))
            self.assertGreater(math.dist(at, was), 0.2, name)  # the beam has swept it along
            self.assertGreater(heights(points[name])[0], 0, name)  # and it is still on the floor

    def test_cloth_and_wires(self):
        run, points = self.run_scene("5_cloth_and_wires")
        # The wire: 1.2 m between points 0.9 m apart hangs as a catenary, y = a cosh(x/a): 2 a sinh(0.45/a) = 1.2.
        low, high = 0.1, 10.0
        for _ in range(60):
            a = (low + high) / 2
            low, high = (a, high) if 2 * a * math.sinh(0.45 / a) > 1.2 else (low, a)
        sag = a * (math.cosh(0.45 / a) - 1)
        self.assertAlmostEqual(1 - heights(points["wire"])[0], sag, delta=0.03 * sag)
        # The cloth: its middle lies on the ball, its corners hang, and it has not been stretched.
        bottom, top = heights(points["cloth"])
        self.assertTrue(0.5 < top < 0.51, top)
        self.assertLess(bottom, 0.25)
        sheet = run.body("cloth")
        first, last = run.frame(0), run.frame()
        for a, b, _ in first.cells_of(sheet):
            rest = math.dist(first.points[a], first.points[b])
            self.assertAlmostEqual(math.dist(last.points[a], last.points[b]), rest, delta=0.05 * rest)

    def test_medial(self):
        run, points = self.run_scene("6_medial")
        summary = json.loads((run.folder / "summary.json").read_text())
        self.assertEqual(summary["intersections"], 0)
        figure = points["figure"]
        bottom, top = heights(figure)
        self.assertGreater(top, 0.68)  # it hangs over the bar, whose top is at 0.68 m
        self.assertLess(bottom, 0.45)  # and its ends hang down on both sides
        low_front = min(p[1] for p in figure if p[2] > 0.1)
        low_back = min(p[1] for p in figure if p[2] < -0.1)
        self.assertLess(max(low_front, low_back), 0.68)

    def test_play(self):
        """The script lifts the box, drops it on the cushion, and switches gravity off."""
        out = Path(self.lab.folder) / "7_play"
        script = SCENES / "7_play.jsonl"
        subprocess.run([os.environ["MARROW"], "play", SCENES / "7_play.json", "--script", script, "-o", out], check=True, capture_output=True)
        rows = [line.split(",") for line in (out / "bodies.csv").read_text().splitlines()]
        columns = {name: k for k, name in enumerate(rows[0])}
        box = [[float(row[columns[key]]) for key in ("y", "vy")] for row in rows[1:] if row[columns["body"]] == "box"]
        self.assertLess(max(y for y, _ in box[:10]), 0.175)
        # The corner that is held is drawn to 0.4 m, less a fiftieth of the box's size or so; the rest hangs below it.
        self.assertTrue(0.4 - 0.1 * math.sqrt(3) - 0.01 < box[39][0] < 0.4, box[39])
        self.assertTrue(0.4 < max(y for y, _ in box[40:50]) < 0.5)
        self.assertLess(box[69][0], 0.3)  # it fell
        self.assertGreater(box[99][1] - box[70][1], -0.05)  # without gravity nothing goes on to fall
        text = (ROOT / "docs/tutorial/7_play.md").read_text(encoding="utf-8")
        self.assertIn(script.read_text().strip(), text)

    def test_pages_quote_their_scenes(self):
        """Every block of JSON on a page is a part of its scene, and every picture is there."""
        pages = sorted((ROOT / "docs/tutorial").glob("*.md"))
        self.assertEqual([page.stem for page in pages], [scene.stem for scene in sorted(SCENES.glob("*.json"))])
        for page in pages:
            text = page.read_text(encoding="utf-8")
            scene = (SCENES / f"{page.stem}.json").read_text(encoding="utf-8")
            scene = "".join("".join(line for line in scene.splitlines() if not line.lstrip().startswith("//")).split())
            blocks = [block for block in re.findall(r"(?:^    .*\n)+", text, re.M) if block.strip()[0] in '{"']
            self.assertGreater(len(blocks), 0, page)
            for block in blocks:
                self.assertIn("".join(block.split()).rstrip(","), scene, page)
            for picture in re.findall(r"!\[[^]]*\]\(([^)]*)\)", text):
                self.assertTrue((page.parent / picture).is_file(), picture)


if __name__ == "__main__":
    unittest.main()
