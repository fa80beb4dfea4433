#!/usr/bin/env python3
"""Writes the scenes of this folder, which are made to be played with: `marrow play examples/interactive/toys.json --open`.

    examples/interactive/generate.py                        writes beside itself; the files are committed
    examples/interactive/generate.py --fine -o out/fine     the large versions of those of Medial Elastics
    examples/interactive/generate.py --list                 names and what they show

The meshes are coarse, so that two cores keep up with the clock (bench/results/play.md). medial_scenes.py has the
scenes of Medial Elastics.
"""
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent)]
import medial_scenes  # noqa: E402
from scene_files import generate  # noqa: E402
from scene_meshes import block, straight_wire  # noqa: E402


class Scene:
    def __init__(self, about, **members):
        self.about, self.members, self.meshes = about, members, {}
        self.bodies = members["bodies"]

    def to_json(self, name):
        return {"name": name, **self.members}


def format_obj(points, elements):
    lines = ["v " + " ".join(f"{round(c, 6):g}" for c in p) for p in points]
    return "\n".join(lines + [("f " if len(e) > 2 else "l ") + " ".join(str(i + 1) for i in e) for e in elements]) + "\n"


STEP = round(1 / 30, 6)
SOLVER = {"tolerance": 0.02, "balance": 0.03}


def box(size, cells=1):
    return {"type": "box", "size": list(size), "cells_x": cells, "cells_y": cells, "cells_z": cells}


def fixed(name, size, position, **more):
    return {"name": name, "kind": "obstacle", "shape": box(size), "position": position, **more}


def table(width, depth, rim):
    """A board with four rims, so that nothing rolls off by itself."""
    side = 0.02
    parts = [fixed("table", (width, 0.04, depth), [0, -0.02, 0], color="#b9a58a")]
    for k, (x, z, size) in enumerate([(width / 2 + side / 2, 0, (side, rim + 0.04, depth)), (-width / 2 - side / 2, 0, (side, rim + 0.04, depth)),
                                      (0, depth / 2 + side / 2, (width + 2 * side, rim + 0.04, side)),
                                      (0, -depth / 2 - side / 2, (width + 2 * side, rim + 0.04, side))]):
        parts.append(fixed(f"rim {k + 1}", size, [x, rim / 2 - 0.02, z], color="#8f7a5e"))
    return parts


def soft(youngs_modulus, density=300, damping=0.004):
    return {"youngs_modulus": youngs_modulus, "density": density, "damping": damping}


def toys():
    toys = [
        {"name": "ball", "shape": {"type": "sphere", "radius": 0.09, "resolution": 1}, "position": [-0.3, 0.12, 0.1],
         "material": soft(3e4), "color": "#d0503a"},
        {"name": "cushion", "shape": {"type": "box", "size": [0.2, 0.08, 0.2], "cells_x": 3, "cells_y": 1, "cells_z": 3},
         "position": [0.02, 0.045, 0.12], "material": soft(1.5e4), "color": "#5a8fc0"},
        {"name": "eraser", "shape": {"type": "box", "size": [0.12, 0.05, 0.06], "cells_x": 3, "cells_y": 1, "cells_z": 1},
         "position": [0.02, 0.12, 0.12], "rotation": [0, 30, 0], "material": soft(5e4), "color": "#d9a441"},
        {"name": "ring", "shape": {"type": "torus", "ring_radius": 0.09, "tube_radius": 0.03, "resolution": 1, "segments": 16}, "position": [0.3, 0.04, -0.12],
         "material": soft(4e4), "color": "#7aa35a"},
        {"name": "worm", "shape": {"type": "box", "size": [0.3, 0.04, 0.04], "cells_x": 8, "cells_y": 1, "cells_z": 1},
         "position": [-0.12, 0.03, -0.2], "rotation": [0, 15, 0], "material": soft(2e4), "color": "#b06aa8"},
        {"name": "brick", "kind": "rigid", "shape": box((0.1, 0.06, 0.06)), "position": [0.33, 0.035, 0.18], "material": {"density": 500},
         "color": "#8c8f96"},
        {"name": "die", "kind": "affine", "shape": box((0.07, 0.07, 0.07)), "position": [0.3, 0.15, -0.12], "rotation": [10, 20, 0],
         "material": {"density": 400}, "color": "#e6e2d6"},
        {"name": "napkin", "shape": {"type": "sheet", "width": 0.24, "depth": 0.24, "cells_x": 5, "cells_z": 5}, "thickness": 0.003,
         "position": [-0.28, 0.26, 0.08], "material": soft(2e4, 200), "color": "#cfd7df"},
        {"name": "string", "mesh": "meshes/string.obj", "thickness": 0.008, "radius": 0.004, "position": [-0.12, 0.02, 0],
         "material": soft(5e6, 800), "color": "#343b45"},
        {"name": "bone", "kind": "medial", "shape": {"type": "rod", "length": 0.26, "radius": 0.035, "resolution": 2, "segments": 8},
         "handles": 4, "position": [-0.22, 0.05, 0.25], "rotation": [0, -20, 0], "material": soft(3e4), "color": "#e3c9a0"},
    ]
    scene = Scene("A table of toys: soft, cloth, wire, affine and rigid. Made for marrow play.",
                 time={"step": STEP, "duration": 4}, contact={"friction": 0.35, "d_hat": 0.002, "friction_iterations": 1}, solver=SOLVER,
                 view={"camera": [0.35, 0.75, 0.95], "target": [0.02, 0.04, 0]}, bodies=table(1, 0.7, 0.05) + toys)
    scene.meshes["string.obj"] = format_obj(*straight_wire((-0.2, 0, 0), (0.2, 0, 0), 12))
    return scene


def tray(width, height, depth, wall):
    """An open box with a tab in front; its parts do not touch, which a rigid body does not mind."""
    gap = 0.001
    w, d = width / 2, depth / 2
    parts = block((-w, 0, -d), (w, wall, d))
    for x in (-w, w - wall):
        parts += block((x, wall + gap, -d), (x + wall, height, d))
    for z in (-d, d - wall):
        parts += block((-w + wall + gap, wall + gap, z), (w - wall - gap, height, z + wall))
    parts += block((-0.008, 0.3 * height, d + gap), (0.008, 0.9 * height, d + 0.07))
    return parts


def drawer():
    width, height, depth, wall, slack = 0.4, 0.12, 0.34, 0.012, 0.004
    w, side, grip_z, grip_y = width / 2 + slack, 0.02, depth / 2 + 0.05, 0.6 * height
    cabinet = [
        fixed("floor", (1.2, 0.04, 1.4), [0, -0.02, 0.3], color="#b9a58a"),
        fixed("left side", (side, height + 0.02, depth), [-w - side / 2, height / 2 + 0.011, -0.01], color="#8f7a5e"),
        fixed("right side", (side, height + 0.02, depth), [w + side / 2, height / 2 + 0.011, -0.01], color="#8f7a5e"),
        fixed("back", (2 * w + 2 * side, height + 0.02, side), [0, height / 2 + 0.011, -depth / 2 - 0.03], color="#8f7a5e"),
        fixed("rail", (0.03, 0.03, 1.1), [0, 0.36, 0.45], color="#60666e"),
    ]
    finger = (0.016, 0.2, 0.03)
    bodies = [
        {"name": "drawer", "kind": "rigid", "mesh": "meshes/drawer.obj", "position": [0, 0.003, 0], "material": {"density": 300},
         "friction": 0.15, "color": "#c79a5b"},
        {"name": "hand", "kind": "affine", "shape": box((0.16, 0.03, 0.05)), "position": [0, 0.29, grip_z], "material": {"density": 600},
         "color": "#5a8fc0"},
    ]
    joints = [{"name": "guide", "type": "slider", "a": "hand", "b": "world", "at": [0, 0.29, grip_z], "axis": [0, 0, 1],
               "limits": {"min": -0.02, "max": 0.5}, "spring": {"damping": 2}}]
    for name, sign in (("left finger", -1), ("right finger", 1)):
        bodies.append({"name": name, "kind": "affine", "shape": box(finger), "position": [sign * 0.03, grip_y + 0.09, grip_z],
                       "material": {"density": 600}, "friction": 0.9, "color": "#3f6f9f"})
        joints.append({"name": name.replace("finger", "jaw"), "type": "slider", "a": name, "b": "hand",
                       "at": [sign * 0.03, 0.29, grip_z], "axis": [-sign, 0, 0], "limits": {"min": -0.03, "max": 0.028},
                       "spring": {"stiffness": 300, "damping": 3, "rest": 0.1}, "ignore_contact": True})
    for k, (x, z, colour) in enumerate([(-0.1, 0.05, "#d0503a"), (0.05, -0.08, "#7aa35a"), (0.1, 0.08, "#b06aa8")]):
        bodies.append({"name": f"ball {k + 1}", "shape": {"type": "sphere", "radius": 0.045, "resolution": 1}, "position": [x, 0.07, z],
                       "material": soft(3e4), "color": colour})
    scene = Scene("A drawer that slides in its case by friction alone, soft balls in it, and a gripper that holds its tab. Drag the hand.",
                  time={"step": STEP, "duration": 4}, contact={"friction": 0.3, "d_hat": 0.001, "friction_iterations": 1},
                  solver={**SOLVER, "joint_tolerance": 1e-4},
                  view={"camera": [0.75, 0.75, 1.1], "target": [0, 0.1, 0.15]}, bodies=cabinet + bodies, joints=joints)
    front = tray(width, height, depth, wall)
    scene.meshes["drawer.obj"] = format_obj(front.points, front.faces)
    return scene


def jelly():
    bodies = [
        fixed("stand", (0.2, 0.1, 0.2), [0, -0.1, 0], color="#60666e"),
        {"name": "turntable", "kind": "rigid", "shape": {"type": "cylinder", "radius": 0.3, "height": 0.03, "resolution": 2, "layers": 1},
         "position": [0, 0, 0], "material": {"density": 400}, "color": "#b9a58a"},
        {"name": "jelly", "shape": {"type": "cylinder", "radius": 0.12, "height": 0.14, "resolution": 2, "layers": 3},
         "position": [0, 0.0875, 0], "material": soft(6e3, 600, 0.01), "color": "#d0503a"},
        {"name": "cherry", "shape": {"type": "sphere", "radius": 0.035, "resolution": 1}, "position": [0.01, 0.196, 0],
         "material": soft(2e4), "color": "#8a1c1c"},
        {"name": "cube", "kind": "affine", "shape": box((0.06, 0.06, 0.06)), "position": [0.22, 0.047, 0], "material": {"density": 500},
         "color": "#5a8fc0"},
        fixed("floor", (1.4, 0.04, 1.4), [0, -0.18, 0], color="#cfc8bd"),
    ]
    joints = [{"name": "axle", "type": "hinge", "a": "turntable", "b": "world", "at": [0, 0, 0], "axis": [0, 1, 0],
               "motor": {"speed": 90, "max_force": 0.6}}]
    return Scene("A jelly with a cherry on a turntable whose motor is weak: hold it, or spin it.",
                 time={"step": STEP, "duration": 4}, contact={"friction": 0.6, "d_hat": 0.002, "friction_iterations": 1},
                 solver={**SOLVER, "joint_tolerance": 1e-4},
                 view={"camera": [0.6, 0.6, 0.8], "target": [0, 0.02, 0]}, bodies=bodies, joints=joints)


# They have one size.
PLAYED = {name: lambda fine, make=make: make() for name, make in {"toys": toys, "drawer": drawer, "jelly": jelly}.items()}

if __name__ == "__main__":
    generate({**PLAYED, **medial_scenes.SCENES}, FOLDER, medial_scenes.ONLY_FINE)
