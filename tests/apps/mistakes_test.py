"""Mistakes get answers: an exit code, one message with place and advice, and nothing written."""
import copy
import unittest

from program_case import SCENE, ProgramCase


class MistakesTest(ProgramCase):
    def refuse(self, scene, *parts, name="bad.json", code=2, arguments=()):
        """The scene is refused by check and by run, with a message that has all the parts."""
        path = self.write_scene(scene, name)
        for verb in ("check", "run"):
            out = self.folder / "out"
            options = ("-o", out) if verb == "run" else ()
            result = self.marrow(verb, path, *options, *arguments)
            self.assertEqual(result.returncode, code, result.stdout + result.stderr)
            for part in parts:
                self.assertIn(part, result.stderr)
            self.assertFalse(out.exists(), "something was written")
            self.assertNotIn("terminate", result.stderr)

    def changed(self, change):
        scene = copy.deepcopy(SCENE)
        change(scene)
        return scene

    def test_misspelt_key_with_the_nearest_one(self):
        self.refuse(self.changed(lambda s: s["bodies"][0].update(materiel={})), "bad.json:", "bodies[0]", "materiel",
                    "material")

    def test_impossible_values(self):
        for key, value, part in (("density", -1, "above 0"), ("poissons_ratio", 0.5, "below 0.5"),
                                 ("youngs_modulus", 0, "above 0")):
            self.refuse(self.changed(lambda s: s["bodies"][0].update(material={key: value})),
                        f"bodies[0].material.{key}", part)
        self.refuse(self.changed(lambda s: s["time"].update(step=0)), "time.step", "above 0")

    def test_wrong_type(self):
        self.refuse(self.changed(lambda s: s["time"].update(step="fast")), "time.step", "number")
        self.refuse(self.changed(lambda s: s.update(gravity=[0, 1])), "gravity")

    def test_syntax(self):
        self.refuse('{"bodies": [}', "bad.json:1:")
        self.refuse("", "bad.json")
        self.refuse('0\0,{"33', "bad.json:1:2", "NUL byte")

    def test_missing_files(self):
        result = self.marrow("run", self.folder / "none.json", "-o", self.folder / "out")
        self.assertEqual(result.returncode, 2)
        self.assertIn("No such file", result.stderr)
        self.refuse({"bodies": [{"mesh": "none.msh"}]}, "none.msh", "No such file")

    def test_bad_meshes_name_the_elements(self):
        header = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n"
        good = ["0 0 0", "1 0 0", "0 1 0", "0 0 1"]
        meshes = {
            "nan": (["nan 0 0", *good[1:]], "0 1 2 3", "nan.vtk"),
            "inverted": (good, "0 2 1 3", "inverted"),
            "flat": (["0 0 0", "1 0 0", "0 1 0", "1 1 0"], "0 1 2 3", "flat"),
            "range": (good, "0 1 2 9", "9"),
        }
        for name, (points, tet, part) in meshes.items():
            (self.folder / f"{name}.vtk").write_text(
                header + "POINTS 4 double\n" + "\n".join(points) + f"\nCELLS 1 5\n4 {tet}\nCELL_TYPES 1\n10\n")
            self.refuse({"bodies": [{"mesh": f"{name}.vtk"}]}, f"{name}.vtk", part)
        (self.folder / "empty.vtk").write_text(header + "POINTS 0 double\nCELLS 0 0\nCELL_TYPES 0\n")
        self.refuse({"bodies": [{"mesh": "empty.vtk"}]}, "empty.vtk")
        (self.folder / "surface.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.refuse({"bodies": [{"mesh": "surface.obj"}]}, "surface.obj", "tetrahedra", "obstacle")

    def test_selections_that_miss(self):
        far = {"select": {"sphere": {"center": [9, 9, 9], "radius": 1}}}
        self.refuse(self.changed(lambda s: s["bodies"][1].update(prescribed=[far])), "bodies[1].prescribed[0].select",
                    "no point")
        beyond = {"select": {"vertices": [0, 100000]}}
        self.refuse(self.changed(lambda s: s["bodies"][1].update(prescribed=[beyond])), "100000", "does not exist")
        twice = {"select": {"all": True}}
        self.refuse(self.changed(lambda s: s["bodies"][1].update(prescribed=[twice, twice])), "already prescribed")

    def test_set_with_a_misspelt_path(self):
        self.refuse(SCENE, "time.stp", "Did you mean \"step\"", arguments=("--set", "time.stp=1"))

    def test_command_line(self):
        for arguments in ((), ("fly",), ("run",), ("run", "a.json", "--threads", "-1")):
            self.assertEqual(self.marrow(*arguments).returncode, 1)
        self.assertEqual(self.marrow("--help").returncode, 0)
        self.assertEqual(self.marrow("--version").returncode, 0)

    def test_a_folder_with_a_run_is_not_overwritten_unasked(self):
        out = self.folder / "out"
        self.run_ok(self.scene, "-o", out, "--steps", 2)
        result = self.marrow("run", self.scene, "-o", out)
        self.assertEqual(result.returncode, 2)
        self.assertIn("--resume", result.stderr)
        (out / "mine.txt").write_text("keep")
        self.run_ok(self.scene, "-o", out, "--steps", 3, "--overwrite")
        self.assertEqual(len(self.metrics(out)), 3)
        self.assertTrue((out / "mine.txt").exists())

    def test_output_that_cannot_be_made(self):
        (self.folder / "file").write_text("")
        self.assertEqual(self.marrow("run", self.scene, "-o", self.folder / "file").returncode, 2)
        self.assertEqual(self.marrow("run", self.scene, "-o", self.folder / "file/inside").returncode, 4)
        self.assertEqual(self.marrow("info", self.folder / "nothing").returncode, 2)

    def test_a_step_that_cannot_be_solved_fails_with_its_own_code(self):
        out = self.folder / "out"
        result = self.marrow("run", self.scene, "-o", out, "--set", "solver.max_iterations=1", "--set",
                             "solver.tolerance=1e-9")
        self.assertEqual(result.returncode, 3)
        self.assertIn("too many iterations", result.stderr)
        self.assertIn("--resume", result.stderr)


if __name__ == "__main__":
    unittest.main()
