#!/usr/bin/env python3
"""Writes the scenes of this folder but for bending_beam and soft_balls: those of chapter 5 of Ferguson's thesis, with the
steps, materials, d_hat and friction of its table 5.1 and meshes of our own.

    examples/high_order/generate.py                             the small ones, here
    examples/high_order/generate.py --fine -o out/high_order    with surfaces twice as fine, and to their ends
    examples/high_order/generate.py --list                      names and what they show
"""
import itertools
import math
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER.parent / "medial"), str(FOLDER.parent)]
import scene_meshes  # noqa: E402
from catalogue import solids  # noqa: E402
from scene_files import generate  # noqa: E402
from scene_parts import MeshFile, material, obj  # noqa: E402


class Scene:
    """One scene file and its meshes; meshes are named by the body's mesh and by its collider."""

    def __init__(self, about, bodies, time, contact, **rest):
        self.about, self.time, self.contact, self.rest = about, time, contact, rest
        self.meshes, self.bodies = {}, []
        for body in bodies:
            body = dict(body)
            if isinstance(body.get("mesh"), MeshFile):
                body["mesh"] = self.take(body["mesh"])
            if isinstance(body.get("collider"), MeshFile):
                body["collider"] = {"mesh": self.take(body["collider"])}
            self.bodies.append(body)

    def take(self, mesh):
        self.meshes[mesh.name] = mesh.text
        return "meshes/" + mesh.name

    def to_json(self, name):
        return {"name": name, "time": self.time, "contact": self.contact, **self.rest, "bodies": self.bodies,
                "output": {"gltf": False, "checkpoint_every": 10}}


def surface(name, mesh):
    return obj(name, mesh.points, mesh.faces)["mesh"]


def solid(name, limbs, cell):
    return solids.solid(name, limbs, cell)["mesh"]


def msh(name, points, tets):
    """Gmsh 2.2."""
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(points))]
    lines += [f"{i + 1} " + " ".join(f"{round(c, 6):g}" for c in p) for i, p in enumerate(points)]
    lines += ["$EndNodes", "$Elements", str(len(tets))]
    lines += [f"{i + 1} 4 0 " + " ".join(str(v + 1) for v in tet) for i, tet in enumerate(tets)]
    return MeshFile(name, "\n".join([*lines, "$EndElements"]) + "\n")


def lattice(name, limbs, cell):
    """Cubes cut into six tets each, wherever limbs come near: coarse tets around a fine surface."""
    lower, upper = solids.bounds(limbs, 0.1 * cell)
    counts = [math.ceil((upper[i] - lower[i]) / cell) for i in range(3)]
    first = [(lower[i] + upper[i] - counts[i] * cell) / 2 for i in range(3)]
    number, points, tets = {}, [], []

    def corner(q):
        if q not in number:
            number[q] = len(points)
            points.append(tuple(first[i] + cell * q[i] for i in range(3)))
        return number[q]

    def is_near(at):
        """Whether some of 5 x 5 x 5 places of the cube are in a limb, or nearly."""
        places = itertools.product(*([first[i] + cell * (at[i] + (k + 0.5) / 5) for k in range(5)] for i in range(3)))
        return any(min(solids.capsule_distance(p, limb) for limb in limbs) < 0.06 * cell for p in places)

    for at in itertools.product(*(range(c) for c in counts)):
        if not is_near(at):
            continue
        for order in solids.KUHN:
            q, tet = list(at), [corner(at)]
            for axis in order:
                q[axis] += 1
                tet.append(corner(tuple(q)))
            if order not in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
                tet[1], tet[2] = tet[2], tet[1]
            tets.append(tet)
    return msh(name, points, tets)


def ball(radius, rings):
    return surface(f"ball_{rings}.obj", scene_meshes.ball(radius, rings, 2 * rings))


def plate(name, size, position, **more):
    return {"name": name, "kind": "obstacle", "shape": {"type": "box", "size": list(size), "cells_x": 1, "cells_y": 1, "cells_z": 1},
            "position": list(position), **more}


def moved(velocity):
    return [{"select": {"all": True}, "velocity": velocity}]


def box(size, cells):
    return {"type": "box", "size": list(size), **dict(zip(("cells_x", "cells_y", "cells_z"), cells))}


GROUND = {"name": "ground", "kind": "obstacle", "plane": {"height": 0}}
FIGURE = [((0, 0.75, 0), (0, 1.15, 0), 0.2, 0.24), ((0, 1.5, 0.04), (0, 1.5, 0.04), 0.17, 0.17), ((0, 1.2, 0), (0, 1.45, 0), 0.12, 0.1),
          ((0.2, 1.2, 0), (0.62, 1.28, 0.1), 0.1, 0.08), ((-0.2, 1.2, 0), (-0.62, 1.28, 0.1), 0.1, 0.08),
          ((0.12, 0.7, 0), (0.2, 0.12, 0.05), 0.13, 0.1), ((-0.12, 0.7, 0), (-0.2, 0.12, 0.05), 0.13, 0.1),
          ((0, 0.75, -0.1), (0, 0.45, -0.55), 0.12, 0.08)]


def armadillo_rollers(fine):
    """Rollers draw a figure of coarse tets through; its true surface collides."""
    cell = 0.045 if fine else 0.09
    rollers = []
    for side, name in ((-1, "back"), (1, "front")):
        rollers.append({"name": f"roller {name}", "kind": "obstacle",
                        "shape": {"type": "cylinder", "radius": 0.3, "height": 2, "resolution": 3, "layers": 6},
                        "position": [0, 0, 0.5 * side], "rotation": [0, 0, 90],
                        "prescribed": [{"select": {"all": True}, "angular_velocity": [-2 * side, 0, 0], "about": [0, 0, 0.5 * side]}]})
    figure = {"name": "figure", "mesh": lattice("figure_tets.msh", FIGURE, 0.2), "collider": solid("figure.obj", FIGURE, cell),
              "position": [0, 0.15, 0], "material": material(5e5, 1000, 0.2)}
    return Scene(armadillo_rollers.__doc__, [figure, *rollers, {"name": "floor", "kind": "obstacle", "plane": {"height": -2.4}}],
                 {"step": 0.025, "duration": 4.0 if fine else 2.5}, {"d_hat": 0.001, "friction": 0.5, "epsilon_v": 0.001, "friction_iterations": 1})


def pressed_beam(fine, order=3, cells=(8, 1, 1), surface_cells=None):
    """Two planes press a beam along its axis until it bends aside: 48 tets of order 3."""
    beam = {"name": "beam", "order": order, "shape": box((2, 0.25, 0.25), cells), "position": [0, 0, 0], "rotation": [0, 0, 2],
            "material": material(1e7, 1000, 0.4)}
    if order > 1:
        beam["surface_cells"] = surface_cells or 2 * order
    planes = [plate(f"plane {name}", (0.1, 1.2, 1.2), (1.06 * side, 0, 0),
                    prescribed=[{"select": {"all": True}, "velocity": [-0.1 * side, 0, 0], "end": 2.5}])
              for side, name in ((-1, "left"), (1, "right"))]
    return Scene(pressed_beam.__doc__, [beam, *planes], {"step": 0.1, "duration": 4}, {"d_hat": 0.001, "friction": 0.5, "epsilon_v": 0.001, "friction_iterations": 10},
                 gravity=[0, 0, 0])


def bouncing_ball(fine):
    """A ball of 48 tets of order 2 bounces up again: its collider is round. Without, and with order 1, it rolls away."""
    body = {"name": "ball", "order": 2, "shape": {"type": "sphere", "radius": 0.5, "resolution": 1}, "collider": ball(0.5, 24 if fine else 16),
            "rotation": [20, 30, 10], "position": [0, 0.8, 0], "material": material(5.91e5, 700, 0.45)}
    return Scene(bouncing_ball.__doc__, [body, GROUND], {"step": 0.001, "duration": 2.0 if fine else 1.0, "frame_every": 10},
                 {"d_hat": 0.001, "friction": 0.2, "epsilon_v": 0.001, "friction_iterations": 1})


def rolling_ball(fine):
    """A cube of tets with the inertia of a ball rolls down a slope: a round surface collides in its place."""
    side = math.sqrt(2.4) * 0.5  # m s²/6 = 2/5 m r²
    density = 1000 * (4 / 3 * math.pi * 0.5**3) / side**3
    slope = math.radians(10)
    normal = [math.sin(slope), math.cos(slope), 0]
    body = {"name": "ball", "shape": box((side, side, side), (2, 2, 2)), "mass": "consistent", "collider": ball(0.5, 48 if fine else 32),
            "position": [round(0.5011 * n, 9) for n in normal], "material": material(1e9, round(density, 6), 0.4)}
    return Scene(rolling_ball.__doc__, [body, {"name": "slope", "kind": "obstacle", "plane": {"height": 0, "normal": [round(n, 12) for n in normal]}}],
                 {"step": 0.025, "duration": 2.5}, {"d_hat": 0.001, "friction": 1.0, "epsilon_v": 0.001, "friction_iterations": -1})


def mat_twist(fine):
    """A thin mat of tets of order 2 is twisted from both sides; each of its faces is 16 triangles."""
    cells = 20 if fine else 8
    mat = {"name": "mat", "order": 2, "surface_cells": 4,
           "shape": {"type": "plate", "width": 1, "depth": 1, "thickness": 0.02 if fine else 0.04, "cells_x": cells, "cells_z": cells},
           "material": material(2e4, 1000, 0.4),
           "prescribed": [{"select": {"relative_box": {"min": [side, 0, 0], "max": [side, 1, 1]}}, "angular_velocity": [3 * (2 * side - 1), 0, 0],
                           "about": [side - 0.5, 0, 0]} for side in (0, 1)]}
    return Scene(mat_twist.__doc__, [mat], {"step": 0.04, "duration": 4.0 if fine else 0.64}, {"d_hat": 0.001}, gravity=[0, 0, 0])


def microstructure(fine):
    """A frame of round struts is pressed: coarse tets of order 2 around them, and the true surface."""
    at = (-0.5, 0.0, 0.5)
    nodes = list(itertools.product(at, repeat=3))
    limbs = [(a, b, 0.12, 0.12) for a, b in itertools.combinations(nodes, 2) if abs(math.dist(a, b) - 0.5) < 1e-6]
    scale = 0.02  # a cube of 2.5 cm
    body = {"name": "frame", "order": 2, "mesh": lattice("frame_tets.msh", limbs, 0.31), "collider": solid("frame.obj", limbs, 0.06 if fine else 0.09),
            "scale": [scale] * 3, "material": material(6e5, 1030, 0.48)}
    top = 0.62 * scale + 0.001 + 2e-5
    planes = [plate("lower", (0.04, 0.002, 0.04), (0, -top, 0)),
              plate("upper", (0.04, 0.002, 0.04), (0, top, 0), prescribed=moved([0, -0.01, 0]))]
    return Scene(microstructure.__doc__, [body, *planes], {"step": 0.01, "duration": 1.0 if fine else 0.5},
                 {"d_hat": 1e-5, "friction": 0.3, "epsilon_v": 0.001, "friction_iterations": 1})


def trash_compactor(fine):
    """Five planes press a creature with eight arms into a corner: coarse tets and the true surface."""
    limbs = [((0, 0.12, 0), (0, 0.32, 0), 0.22, 0.2)]
    for k in range(8):
        a = 2 * math.pi * (k + 0.5) / 8
        reach = lambda r, y: (r * math.cos(a), y, r * math.sin(a))
        limbs += [(reach(0.12, 0.02), reach(0.42, -0.14), 0.085, 0.07), (reach(0.42, -0.14), reach(0.62, -0.02), 0.07, 0.055)]
    body = {"name": "creature", "mesh": lattice("creature_tets.msh", limbs, 0.11 if fine else 0.14),
            "collider": solid("creature.obj", limbs, 0.035 if fine else 0.055), "material": material(1e4, 1000, 0.4)}
    planes = []
    for axis, side in ((0, -1), (0, 1), (1, 1), (2, -1), (2, 1)):
        position, velocity, size = [0, 0.1, 0], [0, 0, 0], [2, 2, 2]
        position[axis] = 0.8 * side if axis != 1 else 0.7
        velocity[axis] = (-0.4 if axis != 1 else -0.3) * side
        size[axis] = 0.04
        planes.append(plate(f"{'xyz'[axis]} {'low' if side < 0 else 'high'}", size, position,
                            prescribed=[{"select": {"all": True}, "velocity": velocity, "end": 1.2}]))
    planes.append(plate("floor", (2, 0.04, 2), (0, -0.26, 0)))
    pairs = [{"a": p["name"], "b": q["name"], "ignore": True} for p, q in itertools.combinations(planes, 2)]
    return Scene(trash_compactor.__doc__, [body, *planes], {"step": 0.01, "duration": 1.2}, {"d_hat": 0.001, "pairs": pairs}, gravity=[0, 0, 0])


def nut_and_bolt(fine):
    """A bolt of steel, coarse tets inside its thread, screws itself down into a nut by its weight."""
    n, play = 64 if fine else 48, 0.03  # with fewer, corners of the bolt would rest in corners of the nut: tan(180°/n) is to be below the lead
    bolt = scene_meshes.thread(0.2, 3, 0.3, 0.4, n, -0.35, 0.4) + scene_meshes.disc(0.55, n, 0, 0.15).turned(-90, "x").moved(y=0.401)
    nut = scene_meshes.thread(0.2, 3, 0.3 + play, 0.4 + play, n, -0.2, 0.1, inside=True, wall=0.7)
    limbs = [((0, -0.15, 0), (0, 0.3, 0), 0.25, 0.25), ((-0.35, 0.47, 0), (0.35, 0.47, 0), 0.1, 0.1), ((0, 0.47, -0.35), (0, 0.47, 0.35), 0.1, 0.1)]
    scale = [0.1] * 3
    body = {"name": "bolt", "mesh": lattice("bolt_tets.msh", limbs, 0.3), "collider": surface("bolt.obj", bolt), "scale": scale,
            "material": material(2e11, 8050, 0.28), "densities": {"match_collider": True}}
    return Scene(nut_and_bolt.__doc__, [body, {"name": "nut", "kind": "obstacle", "mesh": surface("nut.obj", nut), "scale": scale}],
                 {"step": 0.01, "duration": 2.0 if fine else 0.4}, {"d_hat": 1e-4, "friction": 0.0})


DANCER = [((-0.03, 0, 0), (0.03, 0, 0), 0.12, 0.12), ((0, 0.02, 0), (0.02, 0.5, 0), 0.085, 0.1), ((0.02, 0.5, 0), (-0.06, 1.0, 0), 0.12, 0.2),
          ((-0.06, 1.3, 0), (-0.06, 1.3, 0), 0.15, 0.15), ((-0.06, 1.0, 0), (-0.06, 1.2, 0), 0.1, 0.09),
          ((0.05, 0.55, 0), (0.75, 0.8, 0), 0.08, 0.05), ((-0.11, 1.05, 0), (-0.4, 0.8, 0.1), 0.075, 0.05),
          ((0.02, 1.05, 0), (0.5, 1.35, 0), 0.07, 0.05)]


def with_sole(mesh, height):
    """Flat below."""
    lines = []
    for line in mesh.text.splitlines():
        word, *numbers = line.split()
        if word == "v" and float(numbers[1]) < height:
            line = f"v {numbers[0]} {height} {numbers[2]}"
        lines.append(line)
    return MeshFile(mesh.name, "\n".join(lines) + "\n")


def balancing_armadillo(fine, densities=True):
    """A figure stands on one foot. Its coarse tets alone would tip over: their densities put the centre of mass back."""
    body = {"name": "figure", "mesh": lattice("dancer_tets.msh", DANCER, 0.24), "collider": with_sole(solid("dancer.obj", DANCER, 0.04 if fine else 0.07), -0.09),
            "rest_on": "ground", "material": material(1e11, 1000, 0.2)}
    if densities:
        body["densities"] = {"match_collider": True}
    return Scene(balancing_armadillo.__doc__, [body, GROUND], {"step": 0.1, "duration": 3.0},
                 {"d_hat": 1e-5, "friction": 0.1, "epsilon_v": 0.001, "friction_iterations": 20})


SCENES = {scene.__name__: scene for scene in (armadillo_rollers, pressed_beam, bouncing_ball, rolling_ball, mat_twist, microstructure,
                                             trash_compactor, nut_and_bolt, balancing_armadillo)}

if __name__ == "__main__":
    generate(SCENES, FOLDER)
