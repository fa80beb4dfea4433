"""Mistakes get answers: an exit code, one message with place and advice, and nothing written."""
import copy
import subprocess
import unittest

from program_case import PROGRAM, SCENE, ProgramCase


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
        self.refuse({"bodies": [{"mesh": "none.msh"}]}, "none.msh", "No such file", "bodies[0].mesh")

    def test_formulas_that_are_not_finite_name_field_and_time(self):
        self.refuse(self.changed(lambda s: s["bodies"][0].update(pressure="1/(t - t)")), "bodies[0].pressure", "t = 0 s")
        self.refuse(self.changed(lambda s: s["bodies"][0].update(
            forces=[{"select": {"all": True}, "force": [0, "log(1 - 100*t)", 0]}])), "bodies[0].forces[0].force", "t = 0.0")
        self.refuse(self.changed(lambda s: s["bodies"][0].update(
            prescribed=[{"select": {"all": True}, "translation": ["if(t > 0, 1/0, 0)", 0, 0]}])),
            "bodies[0].prescribed[0].translation", "not a number")

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
        for arguments in ((), ("fly",), ("run",), ("run", "a.json", "--threads", "-1"), ("run", "a.json", "--steps", "-3"),
                          ("run", "a.json", "--resume", "--overwrite")):
            self.assertEqual(self.marrow(*arguments).returncode, 1)
        self.assertLess(len(self.marrow("run", "a.json", "--steps", "-3").stderr), 200)
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

    def test_inputs_are_never_replaced(self):
        before = self.scene.read_bytes()
        link = self.folder / "link"
        link.symlink_to(self.folder)
        for options in ((), ("--resume",), ("--overwrite",)):
            for place in (self.folder, link):
                result = self.marrow("run", self.scene, "-o", place, *options)
                self.assertEqual(result.returncode, 2)
                self.assertIn("would be overwritten", result.stderr)
        self.assertEqual(self.scene.read_bytes(), before)
        self.assertEqual([p.name for p in self.folder.iterdir() if p.is_dir()], ["link"])
        out = self.folder / "out"
        out.mkdir()
        for name in ("scene.json", "run.log", "frames/frame_000001.vtu"):
            (out / name).parent.mkdir(exist_ok=True)
            (out / name).write_text("mine")
            for options in ((), ("--resume",), ("--overwrite",)):
                result = self.marrow("run", self.scene, "-o", out, *options)
                self.assertEqual(result.returncode, 2)
                self.assertIn(name, result.stderr)
                self.assertEqual((out / name).read_text(), "mine")
            (out / name).unlink()

    def test_the_recorded_scene_is_resumed_and_stays(self):
        out = self.folder / "out"
        self.run_ok(self.scene, "-o", out, "--steps", 2)
        before = (out / "scene.json").read_bytes()
        self.run_ok(out / "scene.json", "-o", out, "--resume", "--steps", 3)
        self.assertEqual((out / "scene.json").read_bytes(), before)
        self.assertEqual(len(self.metrics(out)), 3)
        self.assertEqual(self.marrow("run", out / "scene.json", "-o", out, "--overwrite").returncode, 2)
        self.assertEqual(len(self.metrics(out)), 3)

    def test_overwriting_keeps_what_is_not_the_runs(self):
        out = self.folder / "out"
        self.run_ok(self.scene, "-o", out, "--steps", 4)
        mine = [out / name for name in ("mine.txt", "frames/mine.vtu", "checkpoints/mine.ckpt")]
        for path in mine:
            path.write_text("keep")
        (out / "frames/frame_000002.vtu.part").write_text("half")
        self.run_ok(self.scene, "-o", out, "--steps", 1, "--overwrite")
        for path in mine:
            self.assertEqual(path.read_text(), "keep")
        self.assertEqual(sorted(p.name for p in (out / "frames").iterdir()),
                         ["frame_000000.vtu", "frame_000001.vtu", "mine.vtu"])

    def test_a_run_without_checkpoints_is_not_resumed(self):
        out = self.folder / "out"
        self.run_ok(self.scene, "-o", out, "--steps", 4)
        for path in (out / "checkpoints").iterdir():
            path.unlink()
        result = self.marrow("run", self.scene, "-o", out, "--resume")
        self.assertEqual(result.returncode, 2)
        self.assertIn("--overwrite", result.stderr)
        self.assertEqual(len(self.metrics(out)), 4)

    def test_strange_paths_get_answers(self):
        loop = self.folder / "loop.msh"
        loop.symlink_to(loop)
        long = self.folder / ("x" * 300)
        for path in (loop, long, self.folder / "nothing.msh"):
            for arguments in (("info", path), ("check", path), ("run", path), ("run", self.scene, "-o", path)):
                result = self.marrow(*arguments, cwd=self.folder)
                self.assertIn(result.returncode, (2, 4) if path.name != "nothing.msh" else (0, 2), arguments)
        self.assertIn("does not exist", self.marrow("info", self.folder / "none").stderr)

    def test_a_folder_where_a_file_should_be(self):
        for name in ("metrics.jsonl", "run.pvd"):
            out = self.folder / name.split(".")[0]
            self.run_ok(self.scene, "-o", out, "--steps", 2)
            (out / name).unlink()
            (out / name / "inside").mkdir(parents=True)
            result = self.marrow("run", self.scene, "-o", out, "--overwrite")
            self.assertEqual(result.returncode, 4)
            self.assertIn(name, result.stderr)
            self.assertNotIn("Free some space", result.stderr)
            self.assertEqual(len(list((out / "checkpoints").iterdir())), 2)

    def test_a_file_that_is_read_is_not_written(self):
        mesh = self.write_scene("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "sheet.obj")
        scene = self.write_scene({**SCENE, "bodies": [{"name": "sheet", "mesh": "sheet.obj", "thickness": 0.01}]}, "sheet.json")
        script = self.write_scene("energy NH\n", "script.json")
        for arguments, name in ((["run", scene, "--trace", scene], "sheet.json"), (["run", scene, "--trace", mesh], "sheet.obj"),
                                (["check", scene, "--write", mesh], "sheet.obj"), (["check", mesh, "--write", mesh], "sheet.obj"),
                                (["convert", script, "-o", script], "script.json")):
            before = (self.folder / name).read_text()
            result = self.marrow(*arguments, cwd=self.folder)
            self.assertEqual(result.returncode, 2, result.stdout)
            self.assertRegex(result.stderr, rf"would overwrite the input \S*{name}")
            self.assertEqual((self.folder / name).read_text(), before)

    def test_a_trace_that_cannot_be_written_is_told_before_the_run(self):
        out = self.folder / "out"
        result = self.marrow("run", self.scene, "-o", out, "--trace", self.folder / "none/trace.json")
        self.assertEqual(result.returncode, 4)
        self.assertFalse((out / "metrics.jsonl").exists())

    def test_a_mistyped_verb_is_told(self):
        result = self.marrow("chek", self.scene)
        self.assertEqual(result.returncode, 1)
        self.assertIn('unknown command "chek"', result.stderr)
        self.assertIn("Did you mean check?", result.stderr)

    def test_a_full_device_as_output(self):
        for arguments in (("reference",), ("--help",), ("info", self.scene)):
            with open("/dev/full", "w") as full:
                result = subprocess.run([PROGRAM, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE,
                                        text=True)
            self.assertEqual(result.returncode, 4, result.stderr)
            self.assertIn("cannot be written", result.stderr)

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
