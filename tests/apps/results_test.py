"""Poses and forces as files: a resumed run has the same bytes, every example of docs/results.md runs, info prints them."""
import csv
import filecmp
import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

from program_case import ProgramCase

ROOT = Path(__file__).resolve().parents[2]
TABLES = ("bodies.csv", "contacts.csv", "joints.csv")
SCENE = {
    "time": {"step": 0.01, "duration": 0.4, "frame_every": 10},
    "contact": {"friction": 0.4},
    "bodies": [
        {"name": "box", "kind": "rigid", "shape": {"type": "box", "size": [0.2, 0.2, 0.2]}, "position": [0, 0.12, 0]},
        {"name": "jelly", "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 2, "cells_y": 2, "cells_z": 2},
         "position": [0.05, 0.34, 0], "material": {"youngs_modulus": 1e5}},
        {"name": "arm, \"left\"", "kind": "affine", "shape": {"type": "box", "size": [0.4, 0.1, 0.1]},
         "position": [1, 0.3, 0]},
        {"name": "floor", "kind": "obstacle", "shape": {"type": "box", "size": [4, 1, 4]}, "position": [0, -0.5, 0]},
    ],
    "joints": [{"name": "shoulder", "type": "hinge", "a": "arm, \"left\"", "at": [1.2, 0.3, 0], "axis": [0, 0, 1]}],
    "output": {"gltf": False},
}


def find_python():
    """The first Python with pandas and Matplotlib: the system's packages are not those of every Python."""
    for program in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([program, "-c", "import pandas, matplotlib"], capture_output=True).returncode == 0:
            return program
    return None


class ResultsTest(ProgramCase):
    def run_scene(self, out, *options, scene=None):
        path = self.folder / "scene.json"
        path.write_text(json.dumps(scene or SCENE), encoding="utf-8")
        return self.marrow("run", path, "-o", self.folder / out, *options)

    def read(self, out, table):
        with (self.folder / out / table).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def test_a_resumed_run_has_the_same_bytes(self):
        self.assertEqual(self.run_scene("whole", "--threads", 2).returncode, 0)
        self.run_scene("parts", "--steps", 17, "--threads", 1)
        # Rows of a step that was not finished, as a kill leaves them.
        with (self.folder / "parts" / "bodies.csv").open("a", encoding="utf-8") as file:
            file.write("18,0.18,box,rigid,8,0,0")
        self.assertEqual(self.run_scene("parts", "--resume", "--threads", 1).returncode, 0)
        for table in TABLES:
            self.assertTrue(filecmp.cmp(self.folder / "whole" / table, self.folder / "parts" / table, shallow=False), table)

    def test_rows_and_names(self):
        self.run_scene("out")
        bodies = self.read("out", "bodies.csv")
        self.assertEqual({row["body"] for row in bodies}, {"box", "jelly", "arm, \"left\"", "floor"})
        self.assertEqual([row["normal_y"] for row in bodies if row["step"] == "0"], ["", "", ""])
        self.assertEqual(len([row for row in bodies if row["body"] == "box"]), 41)
        joints = self.read("out", "joints.csv")
        self.assertEqual(len(joints), 40)
        self.assertEqual((joints[0]["joint"], joints[0]["a"], joints[0]["b"]), ("shoulder", "arm, \"left\"", ""))
        for row in self.read("out", "contacts.csv"):
            self.assertLess([b["name"] for b in SCENE["bodies"]].index(row["a"]),
                            [b["name"] for b in SCENE["bodies"]].index(row["b"]))

    def test_a_prescribed_rigid_body_is_called_rigid(self):
        turned = {**SCENE["bodies"][0], "prescribed": [{"select": {"all": True}, "velocity": [0, 0.1, 0]}]}
        scene = {**SCENE, "bodies": [turned, *SCENE["bodies"][1:]]}
        self.run_scene("out", "--steps", 1, scene=scene)
        kinds = {row["body"]: row["kind"] for row in self.read("out", "bodies.csv")}
        self.assertEqual((kinds["box"], kinds["arm, \"left\""]), ("rigid", "affine"))
        self.assertIn(b'"name":"box","kind":"rigid"', (self.folder / "out" / "run.mrw").read_bytes())  # for the viewer
        self.assertIn("rigid (prescribed)", self.marrow("info", self.folder / "out").stdout)

    def test_switched_off(self):
        scene = {**SCENE, "output": {"gltf": False, "results": False}}
        self.run_scene("out", scene=scene)
        for table in TABLES:
            self.assertFalse((self.folder / "out" / table).exists(), table)
        self.assertEqual(self.marrow("info", self.folder / "out").returncode, 0)

    def test_info_prints_them(self):
        self.run_scene("out")
        said = self.marrow("info", self.folder / "out").stdout
        for words in ("pairs that touched", "box – floor", "shoulder", "reaction", "last, mean, peak"):
            self.assertIn(words, said)
        (self.folder / "out" / "bodies.csv").write_text("step,time\n", encoding="utf-8")
        refused = self.marrow("info", self.folder / "out")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("no column", refused.stderr)

    def test_examples_of_the_page(self):
        python = find_python()
        if python is None:
            self.skipTest("no Python with pandas and Matplotlib")
        # Names without commas and quotes: NumPy's reader does not know quotes, as the page says.
        plain = json.loads(json.dumps(SCENE).replace('arm, \\"left\\"', "arm"))
        self.run_scene("out", scene=plain)
        blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/results.md").read_text(encoding="utf-8"), re.DOTALL)
        self.assertGreaterEqual(len(blocks), 5)
        for block in blocks:
            with self.subTest(block=block.splitlines()[0:3]):
                result = subprocess.run([python, "-c", block], cwd=self.folder, capture_output=True, text=True)
                self.assertEqual(result.returncode, 0, result.stderr)
                if picture := re.search(r'savefig\("(.*?)"\)', block):
                    self.assertGreater((self.folder / picture[1]).stat().st_size, 5000)
                    continue
                self.assertTrue(result.stdout.strip())
                self.assertNotIn("nan", result.stdout.lower())


if __name__ == "__main__":
    unittest.main()
