#!/usr/bin/env python3
"""Writes the scenes of this folder, which are made to be played with: `marrow play examples/interactive/toys.json --open`.

    examples/interactive/generate.py     writes beside itself; the files are committed

The meshes are coarse, so that two cores keep up with the clock (bench/results/play.md).
"""
import math
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))
from scene_files import write_scene  # noqa: E402


class Scene:
    def __init__(self, about, **members):
        self.about, self.members, self.meshes = about, members, {}

    def to_json(self, name):
        return {"name": name, **self.members}


STEP = 1 / 30
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
        {"name": "ring", "shape": {"type": "torus", "radius": 0.1, "tube_radius": 0.03, "resolution": 1}, "position": [0.3, 0.04, -0.12],
         "material": soft(4e4), "color": "#7aa35a"},
        {"name": "worm", "shape": {"type": "box", "size": [0.3, 0.04, 0.04], "cells_x": 8, "cells_y": 1, "cells_z": 1},
         "position": [-0.12, 0.03, -0.2], "rotation": [0, 15, 0], "material": soft(2e4), "color": "#b06aa8"},
        {"name": "brick", "kind": "rigid", "shape": box((0.1, 0.06, 0.06)), "position": [0.33, 0.035, 0.18], "material": {"density": 500},
         "color": "#8c8f96"},
        {"name": "die", "kind": "affine", "shape": box((0.07, 0.07, 0.07)), "position": [0.3, 0.15, -0.12], "rotation": [10, 20, 0],
         "material": {"density": 400}, "color": "#e6e2d6"},
        {"name": "napkin", "shape": {"type": "sheet", "width": 0.24, "depth": 0.24, "cells_x": 5, "cells_z": 5}, "thickness": 0.003,
         "position": [-0.28, 0.26, 0.08], "material": soft(2e4, 200), "color": "#cfd7df"},
        {"name": "string", "shape": {"type": "wire", "length": 0.4, "cells": 10}, "thickness": 0.008, "radius": 0.004,
         "position": [-0.1, 0.02, 0.02], "material": soft(5e5, 500), "color": "#343b45"},
    ]
    return Scene("A table of toys: soft, cloth, wire, affine and rigid. Made for marrow play.",
                 time={"step": STEP, "duration": 4}, contact={"friction": 0.35, "d_hat": 0.002, "friction_iterations": 1}, solver=SOLVER,
                 view={"camera": [0.35, 0.75, 0.95], "target": [0.02, 0.04, 0]}, bodies=table(1, 0.7, 0.05) + toys)


if __name__ == "__main__":
    for name, scene in {"toys": toys}.items():
        write_scene(name, scene(), FOLDER)
