"""Scenes written quickly: templates, the schema for editors, runs that record what copies and includes became."""
import json
import re
import subprocess
import unittest
from pathlib import Path

from program_case import PROGRAM, ROOT, ProgramCase

try:
    import jsonschema
except ImportError:
    jsonschema = None

TEMPLATES = ("drop", "stack", "heap", "cloth", "chain", "joint", "gripper", "twist", "medial")


def read_commented(path):
    """A scene file without its comments."""
    text = Path(path).read_text(encoding="utf-8")
    return json.loads(re.sub(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', lambda m: m.group(1) or "", text, flags=re.S))


class NewTest(ProgramCase):
    def start_scene(self, *arguments):
        return self.marrow("new", *arguments, cwd=self.folder)

    def run_steps(self, scene, steps, *arguments):
        out = self.folder / "out"
        self.run_ok(scene, "-o", out, "--steps", steps, "--overwrite", "--set", "output.gltf=false",
                    "--set", "output.vtu=false", *arguments)
        return out

    def test_every_template_is_listed_and_runs(self):
        listed = [line.split()[0] for line in self.marrow("new", "--list").stdout.splitlines()]
        self.assertEqual(sorted(listed), sorted([*TEMPLATES, "mesh"]))
        for name in TEMPLATES:
            with self.subTest(name):
                result = self.start_scene(name, "--template", name)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn(f"run {name}.json", result.stdout)
                out = self.run_steps(self.folder / f"{name}.json", 4)
                self.assertEqual(json.loads((out / "scene.json").read_text())["name"], name)

    def test_mesh_template_puts_a_mesh_on_the_ground(self):
        (self.folder / "meshes").mkdir()
        (self.folder / "meshes" / "tet.obj").write_text(
            "v 0 0 0\nv 5 0 0\nv 0 5 0\nv 0 0 5\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
        result = self.start_scene("scenes/own", "--mesh", "meshes/tet.obj")
        self.assertEqual(result.returncode, 0, result.stderr)
        scene = read_commented(self.folder / "scenes" / "own.json")
        self.assertEqual(scene["bodies"][0]["mesh"], "../meshes/tet.obj")
        self.run_steps(self.folder / "scenes" / "own.json", 2)

    def test_mistakes(self):
        self.assertEqual(self.start_scene("a").returncode, 0)
        again = self.start_scene("a")
        self.assertEqual(again.returncode, 2)
        self.assertIn("a.json: is already there", again.stderr)
        for arguments, part in (((), "NAME: is missing"), (("b", "--template", "clot"), "did you mean cloth?"),
                                (("b", "--template", "mesh"), "needs a mesh file"),
                                (("b", "--template", "drop", "--mesh", "a.json"), "has no place for a mesh")):
            result = self.start_scene(*arguments)
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn(part, result.stderr)
            self.assertFalse((self.folder / "b.json").exists())
        self.assertIn("there is no such file", self.start_scene("b", "--mesh", "none.obj").stderr)

    def test_mesh_given_as_a_scene(self):
        mesh = self.folder / "tet.obj"
        mesh.write_text("v 0 0 0\nv 5 0 0\nv 0 5 0\nv 0 0 5\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
        result = self.marrow("run", mesh, "-o", self.folder / "out")
        self.assertEqual(result.returncode, 2)
        self.assertIn("is a mesh, not a scene", result.stderr)
        # The scene around it that the message shows is one.
        around = self.write_scene(next(line for line in result.stderr.splitlines() if line.strip().startswith("{")))
        self.assertEqual(self.marrow("check", around).returncode, 0)

    def test_run_records_everything_expanded_and_resumes(self):
        scene = ROOT / "examples" / "include.json"
        whole, parts = self.folder / "whole", self.folder / "parts"
        options = ("--set", "time.duration=0.05")
        self.run_ok(scene, "-o", whole, *options)
        recorded = json.loads((whole / "scene.json").read_text())
        self.assertEqual([body["name"] for body in recorded["bodies"]],
                         ["ball on high", "ball on low", *(f"{part} {name}" for part in ("high", "low")
                          for name in ("leg[0]", "leg[1]", "leg[2]", "leg[3]", "top")), "ground"])
        self.assertFalse({"include", "variables", "ground"} & set(recorded))
        self.run_ok(scene, "-o", parts, *options, "--steps", 2)
        self.run_ok(scene, "-o", parts, *options, "--resume")
        self.assert_same_run(whole, parts)
        # From the recorded scene alone, the run goes on as well.
        self.run_ok(whole / "scene.json", "-o", self.folder / "again", "--set", "time.duration=0.05")
        self.assertEqual(max((whole / "checkpoints").iterdir()).read_bytes(),
                         max((self.folder / "again" / "checkpoints").iterdir()).read_bytes())

    def test_included_files_are_not_overwritten(self):
        (self.folder / "out").mkdir()
        (self.folder / "out" / "scene.json").write_text('{"bodies": [{"shape": {"type": "box"}}]}')
        scene = self.write_scene({"include": ["out/scene.json"]}, "main.json")
        result = self.marrow("run", scene, "-o", self.folder / "out")
        self.assertEqual(result.returncode, 2)
        self.assertIn("scene.json", result.stderr)
        self.assertIn("box", (self.folder / "out" / "scene.json").read_text())


class ExamplesTest(ProgramCase):
    """What the examples of these features do."""

    def energies(self, name, steps):
        out = self.folder / "out"
        self.run_ok(ROOT / "examples" / f"{name}.json", "-o", out, "--steps", steps, "--set", "output.vtu=false")
        self.assertEqual(json.loads((out / "summary.json").read_text())["intersections"], 0)
        return self.metrics(out)

    def test_chain_swings_as_one(self):
        lines = self.energies("chain", 60)
        for line in lines:
            # Gravity's energy counts from the start, so that the sum is 0 but for what the integrator damps.
            total = line["energy"]["kinetic"] + line["energy"]["gravity"]
            self.assertLess(total, 1e-9)
            self.assertLess(line["joint_residual"], 1e-8)  # metres
        swinging = lines[36]["energy"]
        self.assertGreater(swinging["kinetic"], -0.85 * swinging["gravity"])
        self.assertEqual(len(lines[0]["joint_forces"]), 12)

    def test_scattered_bodies_come_to_rest_on_the_ground(self):
        last = self.energies("scatter", 100)[-1]
        self.assertGreater(last["contacts"], 16)
        # 26 kg fall by 0.75 m on average.
        self.assertLess(last["energy"]["gravity"], -100)
        self.assertLess(last["energy"]["kinetic"], -0.05 * last["energy"]["gravity"])

    def test_included_tables_stand_still(self):
        lines = self.energies("include", 40)
        for line in lines:
            # 58 kg that fell freely through a gap of 2 mm would have 1.1 J; soft balls sag a little more.
            self.assertLess(line["energy"]["kinetic"], 0.5)
            self.assertGreater(line["energy"]["gravity"], -1.5)
            self.assertGreater(line["contacts"], 8)  # four legs of two tables
        self.assertLess(lines[-1]["energy"]["kinetic"], 0.01)


@unittest.skipIf(jsonschema is None, "needs python3-jsonschema")
class SchemaTest(ProgramCase):
    def setUp(self):
        super().setUp()
        self.schema = json.loads(self.marrow("reference", "--schema").stdout)
        jsonschema.Draft7Validator.check_schema(self.schema)
        self.validator = jsonschema.Draft7Validator(self.schema)

    def test_file_is_current(self):
        self.assertEqual(json.loads((ROOT / "docs" / "scene.schema.json").read_text()), self.schema)

    def test_examples_and_templates_are_valid(self):
        scenes = [path for path in sorted((ROOT / "examples").rglob("*.json"))
                  if "rigid_body_problem" not in path.read_text(encoding="utf-8")]
        self.assertGreater(len(scenes), 50)
        for name in TEMPLATES:
            subprocess.run([PROGRAM, "new", name, "--template", name], cwd=self.folder, check=True, capture_output=True)
            scenes.append(self.folder / f"{name}.json")
        for path in scenes:
            errors = [f"{path}: {'/'.join(map(str, e.path))}: {e.message[:200]}"
                      for e in self.validator.iter_errors(read_commented(path))]
            self.assertEqual(errors, [])

    def test_mistakes_are_seen(self):
        for scene in ({}, {"bodies": [{"shap": {"type": "box"}}]}, {"bodies": [{"kind": "static"}]},
                      {"bodies": [{"shape": {"type": "sphere", "radius": 0}}]},
                      {"bodies": [{"copies": {"type": "row", "count": 2, "radius": 1}}]},
                      {"bodies": [], "time": {"step": True}}, {"bodies": [], "joints": [{"type": "ball"}]}):
            self.assertFalse(self.validator.is_valid(scene), scene)


if __name__ == "__main__":
    unittest.main()
