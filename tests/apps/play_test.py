"""`marrow play` without a page: scripts, recordings, replays to the bit, mistakes; random hands on the scenes to play."""
import json
import sys
import unittest

from program_case import PROGRAM, ROOT, ProgramCase

sys.path.insert(0, str(ROOT / "bench"))
import play_moves  # noqa: E402

SCENE = {
    "name": "toys", "time": {"step": 0.02, "duration": 0.6}, "contact": {"friction": 0.3}, "output": {"vtu_every": 1},
    "bodies": [
        {"name": "floor", "kind": "obstacle", "shape": {"type": "box", "size": [3, 0.1, 3]}, "position": [0, -0.06, 0]},
        {"name": "ball", "shape": {"type": "sphere", "radius": 0.1, "resolution": 1}, "position": [0, 0.12, 0],
         "material": {"youngs_modulus": 2e4}},
        {"name": "brick", "kind": "rigid", "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}, "position": [0.4, 0.12, 0]},
        {"name": "block", "kind": "affine", "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}, "position": [-0.4, 0.12, 0]},
    ],
}
MOVES = [
    {"step": 2, "do": "grab", "body": "ball", "points": [0, 3], "weights": [0.5, 0.5], "target": [0, 0.6, 0]},
    {"step": 4, "do": "grab", "body": "brick", "points": [1], "weights": [1], "target": [0, 0.7, 0], "strength": 9},
    {"step": 6, "do": "move", "body": "ball", "target": [0.1, 0.7, 0.123456789012345]},
    {"step": 9, "do": "set", "gravity": [0, -1.6, 0], "friction": 0.1},
    {"step": 11, "do": "set", "stiffness": 3, "body": "ball"},
    {"step": 15, "do": "release", "body": "ball"},
    {"step": 18, "do": "grab", "body": "block", "points": [2], "weights": [1], "target": [0, 0.5, 0]},
    {"step": 20, "do": "set", "stiffness": 0.5},
    {"step": 25, "do": "release", "body": "brick"},
]
REGION = ([-0.6, -0.1, -0.5], [0.6, 0.6, 0.7])


class PlayTest(ProgramCase):
    def setUp(self):
        super().setUp()
        self.toys = self.write_scene(SCENE, "toys.json")
        self.script = self.write_moves(MOVES)
        self.out = self.folder / "out"

    def write_moves(self, moves, name="moves.jsonl"):
        path = self.folder / name
        path.write_text("".join(json.dumps(move) + "\n" for move in moves))
        return path

    def play(self, *arguments):
        result = self.marrow("play", *arguments)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result

    def record(self, out, *arguments):
        return self.play(self.toys, "--script", self.script, "-o", out, *arguments)

    def inputs(self, out):
        return [json.loads(line) for line in (out / "inputs.jsonl").read_text().splitlines()]

    def heights(self, out, body):
        """Of its centre, by step."""
        rows = [line.split(",") for line in (out / "bodies.csv").read_text().splitlines()]
        name, y = rows[0].index("body"), rows[0].index("y")
        return [float(row[y]) for row in rows[1:] if row[name] == body]

    def test_bodies_go_where_the_script_draws_them(self):
        self.record(self.out)
        brick, block = self.heights(self.out, "brick"), self.heights(self.out, "block")
        self.assertGreater(max(brick), 0.4)  # lifted
        self.assertLess(max(block[:18]), 0.13)  # until it is grabbed it lies there
        self.assertGreater(max(block), 0.3)
        self.assertEqual(json.loads(self.marrow("check", self.out, "--json").stdout)["intersections"], 0)
        recorded = self.inputs(self.out)
        self.assertEqual([(line["step"], line["do"]) for line in recorded], [(m["step"], m["do"]) for m in MOVES])
        self.assertEqual(recorded[2]["target"], MOVES[2]["target"])

    def test_the_same_inputs_give_the_same_bits(self):
        self.record(self.out)
        told = self.play(self.out, "--replay", "--threads", "1").stdout
        self.assertIn("after step 30 all nodes have the same bits", told)
        again = self.folder / "again"
        self.play(self.toys, "--script", self.out / "inputs.jsonl", "-o", again, "--threads", "2")
        self.assert_same_run(self.out, again)

    def test_a_recording_is_resumed_anywhere_to_the_same_bits(self):
        self.record(self.out)
        for stop in (1, 5, 10, 17, 24):
            part = self.folder / f"part_{stop}"
            self.record(part, "--steps", stop)
            self.record(part, "--resume")
            self.assert_same_run(self.out, part)
            self.assertEqual(self.inputs(part), self.inputs(self.out))

    def test_a_torn_recording_goes_on_from_its_checkpoint(self):
        self.record(self.out)
        part = self.folder / "part"
        self.record(part, "--steps", 10)
        with (part / "inputs.jsonl").open("a") as file:  # written before the step that never ended
            file.write('{"step":11,"do":"set","stiffness":100.0,"body":"ball"}\n{"step":12,"do":"gr')
        self.record(part, "--resume")
        self.assert_same_run(self.out, part)

    def test_without_hands_a_resumed_run_lets_go_and_keeps_the_settings(self):
        self.record(self.out, "--steps", 16)
        self.run_ok(self.out / "scene.json", "-o", self.out, "--resume", "--steps", 40)
        self.assertEqual(self.inputs(self.out)[-1], {"step": 17, "do": "release", "body": "brick"})
        # In a sixth of its weight the brick falls from where it was.
        heights = self.heights(self.out, "brick")[17:]
        fall = [a - 2 * b + c for a, b, c in zip(heights, heights[1:], heights[2:])]
        self.assertAlmostEqual(min(fall), -1.6 * 0.02 ** 2, delta=2e-5)
        self.assertEqual(json.loads(self.marrow("check", self.out, "--json").stdout)["intersections"], 0)
        self.play(self.out, "--replay")

    def test_another_end_is_told(self):
        self.record(self.out)
        lines = (self.out / "inputs.jsonl").read_text().replace("0.123456789012345", "0.123456789012346")
        (self.out / "inputs.jsonl").write_text(lines)
        result = self.marrow("play", self.out, "--replay")
        self.assertEqual(result.returncode, 3)
        self.assertIn("differs from", result.stderr)

    def test_mistakes_are_told_before_anything_is_written(self):
        def refused(text, *arguments):
            result = self.marrow("play", *arguments)
            self.assertNotEqual(result.returncode, 0)
            self.assertIn(text, result.stderr)
            self.assertFalse(self.out.exists())

        bad = self.write_moves([{"step": 1, "do": "grab", "body": "bal", "points": [0], "weights": [1], "target": [0, 0, 0]}], "bad.jsonl")
        refused('bad.jsonl:1', self.toys, "--script", bad, "-o", self.out)
        refused('did you mean "ball"?', self.toys, "--script", bad, "-o", self.out)
        floor = self.write_moves([{"step": 1, "do": "grab", "body": "floor", "points": [0], "weights": [1], "target": [0, 0, 0]}], "f.jsonl")
        refused("is an obstacle and cannot be grabbed", self.toys, "--script", floor, "-o", self.out)
        refused("is not the folder of a run that was played", self.folder, "--replay")
        self.record(self.out)
        result = self.marrow("play", self.toys, "--script", bad, "-o", self.out, "--overwrite")
        self.assertEqual(result.returncode, 2)
        self.assertTrue((self.out / "metrics.jsonl").stat().st_size > 0, "the run that was there is still there")

    def test_nothing_is_written_without_a_folder(self):
        before = sorted(self.folder.rglob("*"))
        self.marrow("play", self.toys, "--script", self.script, "--steps", "5", cwd=self.folder)
        self.assertEqual(sorted(self.folder.rglob("*")), before)

    def rows(self, out, body):
        rows = [line.split(",") for line in (out / "bodies.csv").read_text().splitlines()]
        return [dict(zip(rows[0], row)) for row in rows[1:] if row[rows[0].index("body")] == body]

    def test_the_gripper_opens_the_drawer_by_friction(self):
        moves = [{"step": 1, "do": "grab", "body": "hand", "points": [0], "weights": [1], "target": [0, 0.29, 0.22]}]
        moves += [{"step": k, "do": "move", "body": "hand", "target": [0, 0.29, 0.22 + 0.25 * (k - 1) / 39]} for k in range(2, 41)]
        self.play(ROOT / "examples/interactive/drawer.json", "--script", self.write_moves(moves, "pull.jsonl"), "--steps", 50, "-o", self.out)
        drawer, hand = (self.rows(self.out, name) for name in ("drawer", "hand"))
        moved = [float(rows[-1]["z"]) - float(rows[0]["z"]) for rows in (drawer, hand)]
        self.assertGreater(moved[0], 0.2)
        self.assertAlmostEqual(moved[0], moved[1], delta=0.01)  # the jaws do not slip
        self.assertLess(max(abs(float(row["x"])) for row in drawer), 0.005)  # its case guides it
        self.assertEqual(json.loads(self.marrow("check", self.out, "--json").stdout)["intersections"], 0)

    def test_a_hand_stops_the_turntable(self):
        moves = [{"step": 20, "do": "grab", "body": "turntable", "points": [3], "weights": [1], "target": [0.3, 0, 0]}]
        self.play(ROOT / "examples/interactive/jelly.json", "--script", self.write_moves(moves, "stop.jsonl"), "--steps", 50, "-o", self.out)
        turn = [float(row["wy"]) for row in self.rows(self.out, "turntable")]
        self.assertGreater(turn[15], 1)
        self.assertLess(abs(turn[50]), 0.05)

    def test_random_hands_never_make_anything_intersect(self):
        for scene, steps in (("drawer", 60), ("jelly", 60), ("toys", 45)):
            with self.subTest(scene):
                path, out = ROOT / f"examples/interactive/{scene}.json", self.folder / scene
                moves = play_moves.draw_moves(play_moves.list_bodies(PROGRAM, path), steps, 7, REGION)
                self.assertGreater(sum('"grab"' in move for move in moves), 2)
                script = self.folder / f"{scene}.jsonl"
                script.write_text("\n".join(moves) + "\n")
                self.play(path, "--script", script, "--steps", steps, "-o", out, "--set", "output.vtu=false", "--set", "output.gltf=false")
                found = json.loads(self.marrow("check", out, "--json").stdout)
                self.assertEqual(found["frames"], steps + 1)
                self.assertEqual((found["intersections"], found["inversions"], found["not_finite"]), (0, 0, 0))
                self.play(out, "--replay")


if __name__ == "__main__":
    unittest.main()
