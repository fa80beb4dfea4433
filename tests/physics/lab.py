"""Runs scenes with the built program in a temporary folder and reads what it wrote; every run ends with a check."""
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import results
import vtu

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared" / "data" / "scenes"
RUN_SECONDS = 300


class RunFailed(Exception):
    """The program did not end well, or the checker found something."""


def find_program():
    return os.environ.get("MARROW", str(ROOT / "build" / "release" / "bin" / "marrow"))


class Run:
    """A finished run: metrics of its steps, frames on demand."""

    def __init__(self, folder, scene):
        self.folder, self.scene = folder, scene
        lines = (folder / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
        self.steps = [json.loads(line) for line in lines]
        self.frame_files = sorted((folder / "frames").glob("*.vtu"))
        self.results = results.Results(folder)

    def series(self, *keys):
        """[(time, value)] over the steps; series("momentum", 0) is the momentum along x."""
        out = []
        for step in self.steps:
            value = step
            for key in keys:
                value = value[key]
            out.append((step["time"], value))
        return out

    def last(self, *keys):
        return self.series(*keys)[-1][1]

    def frame(self, index=-1):
        return vtu.read(self.frame_files[index])

    def frames(self):
        for path in self.frame_files:
            yield vtu.read(path)

    def body(self, name):
        """The number of a body."""
        return [body.get("name") for body in self.scene["bodies"]].index(name)


class Lab:
    """change: applied to every scene before it runs; with it the battery shows that a wrong world is noticed."""

    def __init__(self, program=None, change=None):
        self.program, self.change = program or find_program(), change
        self.folder, self.count = Path(tempfile.mkdtemp(prefix="marrow_physics_")), 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, scene, files=None):
        """Runs a scene given as a dictionary; files: {name: text} beside it (meshes)."""
        if self.change:
            scene = self.change(scene)
        folder = self._new_folder()
        for name, text in (files or {}).items():
            (folder / name).write_text(text, encoding="utf-8")
        (folder / "scene.json").write_text(json.dumps(scene), encoding="utf-8")
        return self._finish(folder, [folder / "scene.json"])

    def run_file(self, path, steps, settings=(), options=()):
        """Runs a public script or fixture as it is, for so many steps."""
        folder = self._new_folder()
        lean = ("output.gltf=false", "output.viewer=false", "output.checkpoint_every=1000000", *settings)
        sets = [word for setting in lean for word in ("--set", setting)]
        return self._finish(folder, [path, "--steps", str(steps), *sets, *options])

    def _new_folder(self):
        self.count += 1
        folder = self.folder / f"run_{self.count}"
        folder.mkdir()
        return folder

    def _finish(self, folder, arguments):
        out = folder / "out"
        every = ["--set", "output.vtu_every=1"]  # frames of all steps
        self._call(["run", *arguments, *every, "-o", out, "--threads", "1"], "run")
        found = self._call(["check", out, "--json"], "check")
        counts = json.loads(found.stdout)
        if counts["intersections"] or counts["inversions"]:
            raise RunFailed(f"check found {counts['intersections']} intersections, {counts['inversions']} inversions")
        return Run(out, json.loads((out / "scene.json").read_text(encoding="utf-8")))

    def _call(self, arguments, what):
        words = [self.program, *map(str, arguments)]
        try:
            result = subprocess.run(words, capture_output=True, text=True, timeout=RUN_SECONDS, cwd=self.folder)
        except subprocess.TimeoutExpired as error:
            raise RunFailed(f"{what} took more than {RUN_SECONDS} s") from error
        if result.returncode:
            said = (result.stderr.strip() or result.stdout.strip()).splitlines()
            raise RunFailed(f"{what} ended with code {result.returncode}: {said[0] if said else ''}"[:300])
        return result
