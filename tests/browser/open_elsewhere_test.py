"""What a run writes opens in other people's programs, with the same numbers.

VTU: meshio reads every frame; points equal the checkpoint's bits, a body in free fall is where the closed form says,
and mass, momentum and kinetic energy computed from the frames are those of metrics.jsonl.
glTF: Khronos' validator finds no error, and three.js in headless Chromium shows every vertex where the frames say.

Usage: open_elsewhere_test.py MARROW FOLDER. The run, pictures and what the browser saw stay in FOLDER.
"""
import json
import shutil
import struct
import subprocess
import sys
import unittest
from pathlib import Path
from xml.etree import ElementTree

import meshio
import numpy

STEP, STEPS, GRAVITY = 0.01, 12, -9.81
DENSITY, SIZE, VELOCITY = 1000.0, (0.4, 0.3, 0.2), (1.0, 2.0, -0.5)
SCENE = {
    "time": {"step": STEP, "duration": STEP * STEPS},
    "bodies": [
        {"name": "falling", "shape": {"type": "box", "size": SIZE, "cells_x": 3, "cells_y": 2, "cells_z": 2},
         "position": [1, 0, 0], "velocity": VELOCITY, "material": {"density": DENSITY}},
        {"name": "beam", "shape": {"type": "box", "size": [1, 0.2, 0.2], "cells_x": 8, "cells_y": 2, "cells_z": 2},
         "position": [-1, 0, 0], "material": {"density": DENSITY, "youngs_modulus": 1e5},
         "prescribed": [{"select": {"relative_box": {"min": [0, 0, 0], "max": [0, 1, 1]}}}]},
        # Nodes that move and rotate, one that stands still, and morph targets of an affine body that gives way.
        {"name": "rigid", "kind": "rigid", "shape": {"type": "torus"}, "position": [0, 2, 0], "angular_velocity": [0, 0, 9]},
        {"name": "stiff", "kind": "affine", "shape": {"type": "cone"}, "position": [3, 0, 0], "angular_velocity": [5, 0, 0]},
        {"name": "yielding", "kind": "affine", "shape": {"type": "box"}, "position": [5, 0, 0], "stiffness": 10,
         "forces": [{"select": {"relative_box": {"min": [0, 1, 0], "max": [1, 1, 1]}}, "force": [0, 20000, 0]}]},
        {"name": "floor", "kind": "obstacle", "shape": {"type": "plate"}, "position": [0, -3, 0]},
    ],
}
MARROW, FOLDER = (Path(argument).resolve() for argument in sys.argv[1:3])
RUN, ALL = FOLDER / "run", FOLDER / "all"


def setUpModule():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    scene = FOLDER / "scene.json"
    scene.write_text(json.dumps(SCENE))
    subprocess.run([MARROW, "run", scene, "-o", RUN], check=True)
    # All frames of what the run kept, and the animation in two files.
    subprocess.run([MARROW, "convert", RUN, "-o", ALL], check=True)
    subprocess.run([MARROW, "convert", RUN, "-o", RUN / "run.gltf"], check=True)


def read_frames(folder):
    """[(time, meshio mesh)] as run.pvd lists them."""
    entries = ElementTree.parse(folder / "run.pvd").iter("DataSet")
    return [(float(e.get("timestep")), meshio.read(folder / e.get("file"))) for e in entries]


def tets_of(mesh):
    return numpy.concatenate([block.data for block in mesh.cells if block.type == "tetra"])


def tet_masses(mesh):
    """Of the first frame, which is the rest shape."""
    corners = mesh.points[tets_of(mesh)]
    edges = corners[:, 1:] - corners[:, :1]
    return DENSITY * numpy.linalg.det(edges) / 6


class Opened(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.frames = read_frames(ALL)
        cls.own = dict(read_frames(RUN))
        cls.body = cls.frames[0][1].point_data["body"].ravel().astype(int)
        cls.metrics = [json.loads(line) for line in (RUN / "metrics.jsonl").read_text().splitlines()]


class Vtu(Opened):
    def test_one_frame_per_step_at_its_time(self):
        self.assertEqual(len(self.frames), STEPS + 1)
        for k, (time, mesh) in enumerate(self.frames):
            self.assertAlmostEqual(time, k * STEP, delta=1e-12)
            self.assertEqual(len(mesh.points), len(self.body))

    def test_the_run_writes_every_fourth_frame_and_the_last(self):
        self.assertEqual([round(time / STEP) for time in self.own], [0, 4, 8, 12])

    def test_points_are_those_of_the_checkpoint_bit_by_bit(self):
        newest = max((RUN / "checkpoints").iterdir())
        soft = self.body < 2
        points = self.frames[-1][1].points[soft]
        self.assertIn(b"".join(struct.pack("<3d", *p) for p in points), newest.read_bytes())

    def test_free_fall_is_where_the_closed_form_says(self):
        falling = self.body == 0
        start = self.frames[0][1].points[falling]
        for k, (time, mesh) in enumerate(self.frames):
            moved = STEP * k * numpy.array(VELOCITY) + [0, GRAVITY * STEP**2 * k * (k + 1) / 2, 0]
            numpy.testing.assert_allclose(mesh.points[falling], start + moved, rtol=0, atol=1e-9)
            if time not in self.own:
                self.assertNotIn("velocity", mesh.point_data)
                continue
            velocity = numpy.array(VELOCITY) + [0, GRAVITY * STEP * k, 0]
            expected = numpy.broadcast_to(velocity, (falling.sum(), 3))
            numpy.testing.assert_allclose(mesh.point_data["velocity"][falling], expected, rtol=0, atol=3e-7)

    def test_mass_is_density_times_volume(self):
        mesh = self.frames[0][1]
        masses, first = tet_masses(mesh), self.body[tets_of(mesh)[:, 0]]
        self.assertAlmostEqual(masses[first == 0].sum(), DENSITY * numpy.prod(SIZE), delta=1e-9)
        self.assertAlmostEqual(masses[first == 1].sum(), DENSITY * 1 * 0.2 * 0.2, delta=1e-9)

    def test_momentum_and_kinetic_energy_are_those_of_the_metrics(self):
        """Of the soft bodies alone; velocities are in single precision."""
        scene, out = FOLDER / "soft.json", FOLDER / "soft"
        scene.write_text(json.dumps({**SCENE, "bodies": SCENE["bodies"][:2], "output": {"vtu_every": 1}}))
        subprocess.run([MARROW, "run", scene, "-o", out], check=True)
        frames = read_frames(out)
        metrics_of_steps = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
        tets, masses = tets_of(frames[0][1]), tet_masses(frames[0][1])
        self.assertEqual(len(frames), STEPS + 1)
        for (_, mesh), metrics in zip(frames[1:], metrics_of_steps):
            v = mesh.point_data["velocity"][tets].astype(float)  # tet, corner, xyz
            momentum = (masses[:, None] * v.mean(axis=1)).sum(axis=0)
            numpy.testing.assert_allclose(momentum, metrics["momentum"], rtol=1e-6, atol=1e-6)
            # Lumped mass: a quarter of each tet's at each corner.
            energy = (masses / 8 * (v**2).sum(axis=(1, 2))).sum()
            self.assertAlmostEqual(energy, metrics["energy"]["kinetic"], delta=1e-6 * energy)


class ContactPressure(unittest.TestCase):
    """A block comes to rest on a plate: what presses on it from below is its weight."""

    def test_over_the_area_it_bears_the_weight(self):
        scene, out = FOLDER / "rest.json", FOLDER / "rest"
        scene.write_text(json.dumps({
            "time": {"step": 0.02, "duration": 0.8},
            "bodies": [
                {"name": "floor", "kind": "obstacle", "shape": {"type": "plate"}, "position": [0, -0.1, 0]},
                {"name": "block", "shape": {"type": "box", "size": [0.2, 0.2, 0.2], "cells_x": 2, "cells_y": 2, "cells_z": 2},
                 "position": [0, 0.1, 0], "material": {"density": DENSITY}}]}))
        subprocess.run([MARROW, "run", scene, "-o", out], check=True)
        weight = DENSITY * 0.2**3 * 9.81
        falling, resting = (meshio.read(out / f"frames/frame_{step:06d}.vtu") for step in (4, 40))
        self.assertEqual(falling.point_data["contact_pressure"].max(), 0)
        self.assertAlmostEqual(self.force_on_tets(resting), weight, delta=1e-3 * weight)

    def force_on_tets(self, mesh):
        tets, x = tets_of(mesh), mesh.points
        faces = numpy.concatenate([numpy.delete(tets, corner, axis=1) for corner in range(4)])
        _, first, uses = numpy.unique(numpy.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
        faces = faces[first[uses == 1]]
        areas = numpy.linalg.norm(numpy.cross(x[faces[:, 1]] - x[faces[:, 0]], x[faces[:, 2]] - x[faces[:, 0]]), axis=1) / 2
        return (areas * mesh.point_data["contact_pressure"].ravel()[faces].mean(axis=1)).sum()


class Gltf(Opened):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        script = Path(__file__).resolve().with_name("open_gltf.mjs")
        cls.times = [0, 1, 5.5, STEPS]  # in steps; at 5.5 viewers draw the middle between two frames
        times = [str(k * STEP) for k in cls.times]
        subprocess.run(["node", script, RUN, FOLDER, *times], check=True, timeout=200)
        cls.opened = json.loads((FOLDER / "opened.json").read_text())

    def test_valid(self):
        for opened in self.opened.values():
            self.assertEqual(opened["validator"]["errors"], 0, opened["validator"]["messages"])
            self.assertEqual(opened["validator"]["warnings"], 0, opened["validator"]["messages"])

    def test_opens_without_complaint_and_lasts_as_long_as_the_run(self):
        self.assertEqual(sorted(self.opened), ["run.glb", "run.gltf"])
        for opened in self.opened.values():
            self.assertEqual(opened["page_errors"], [])
            self.assertEqual(len(opened["frames"]), len(self.times))
            self.assertAlmostEqual(opened["duration"], STEP * STEPS, delta=1e-6)

    def test_something_is_drawn(self):
        for opened in self.opened.values():
            for frame in opened["frames"]:
                self.assertGreater(frame["drawn_pixels"], 2000)

    def test_every_vertex_is_where_the_frame_says(self):
        for opened in self.opened.values():
            first = numpy.array([v for mesh in opened["frames"][0]["meshes"] for v in mesh["vertices"]])
            self.assertEqual(len(opened["frames"][0]["meshes"]), len(SCENE["bodies"]))
            points = self.points_at(0)
            distances = numpy.linalg.norm(first[:, None] - points[None], axis=2)
            point_of = distances.argmin(axis=1)
            self.assertLess(distances.min(axis=1).max(), 1e-6)
            for k, frame in zip(self.times, opened["frames"]):
                seen = numpy.array([v for mesh in frame["meshes"] for v in mesh["vertices"]])
                difference = numpy.abs(seen - self.points_at(k)[point_of]).max(axis=1)
                # Between frames points of nodes go round, those of morph targets straight.
                turns = numpy.isin(self.body[point_of], (2, 3)) & (k != int(k))
                self.assertLess(difference[~turns].max(), 1e-5)
                self.assertLess(difference[turns].max(initial=0), 2e-3)

    def test_rigid_bodies_are_nodes_that_move(self):
        header = json.loads((RUN / "run.gltf").read_text())
        paths = {}
        for channel in header["animations"][0]["channels"]:
            name = header["nodes"][channel["target"]["node"]]["name"]
            paths.setdefault(name, []).append(channel["target"]["path"])
        self.assertEqual(paths, {"falling": ["weights"], "beam": ["weights"], "rigid": ["translation", "rotation"],
                                 "stiff": ["translation", "rotation"], "yielding": ["weights"]})

    def points_at(self, k):
        below, above = self.frames[int(k)][1].points, self.frames[min(int(k) + 1, STEPS)][1].points
        return below + (k - int(k)) * (above - below)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
