#!/usr/bin/env python3
"""Writes demo.json and its meshes: a hoist lifts a cloth with everything in it.

    examples/demo.py          writes beside itself; the files are committed

A gantry holds a beam that a motor lifts. From the beam hangs a chain of rigid links, from the chain a cross, from its
four arms hang wires, each through a ring, and the wires carry the corners of a cloth. Balls, boxes, a swimming ring
and a figure fall into the cloth, and the hoist lifts them.
"""
import math
from pathlib import Path

from scene_files import lay_out
from scene_meshes import block, link, ring, sheet, straight_wire, write_obj

FOLDER = Path(__file__).resolve().parent
MESHES = FOLDER / "meshes"

CLOTH = 1.5          # edge of the cloth [m]
CLOTH_CELLS = 16     # along an edge
CLOTH_Y = 0.08      # height of its lowest point at the start
ARM = 0.75           # horizontal distance of the arms' ends from the middle, along x and along z
CROSS_Y = 1.32       # height of the cross
CLOTH_DEPTH = 0.4    # the cloth is sewn as a bowl: its corners lie so much higher than its middle
WIRE_CELLS = 16
LINKS, LINK_STRAIGHT, LINK_BEND, CHAIN_WIRE, SLACK = 3, 0.06, 0.045, 0.013, 0.006
EYE, EYE_ABOVE_CROSS, EYE_BELOW_BEAM = 0.05, 0.089, 0.105   # radius of the eyes; their middles from the bars'
WIRE_RADIUS, CLOTH_RADIUS = 0.008, 0.002


def cross():
    """Two bars across each other with an eye on top; the parts of a rigid body need not touch."""
    half, w = math.hypot(ARM, ARM), 0.025
    long_bar = block((-half, -w, -w), (half, w, w)).turned(-45, "y")
    short = [block((w + 0.001, -w, -w), (half, w, w)).turned(turn, "y") for turn in (45, -135)]
    eye = ring(EYE, CHAIN_WIRE, 20, 8).moved(y=EYE_ABOVE_CROSS)
    return long_bar + short[0] + short[1] + eye


def beam(length):
    """A bar along x with an eye below it."""
    return block((-length / 2, -0.04, -0.04), (length / 2, 0.04, 0.04)) + ring(EYE, CHAIN_WIRE, 20, 8).moved(y=-EYE_BELOW_BEAM)


def bowl(x, z):
    """Height of the cloth at the start above its lowest point."""
    return 2 * CLOTH_DEPTH * (x * x + z * z) / CLOTH ** 2


def rounded(point, digits=6):
    return [round(c, digits) for c in point]


def box(size):
    return {"type": "box", "size": list(size), "cells_x": 1, "cells_y": 1, "cells_z": 1}


def gantry():
    """What does not move."""
    bodies = [{"name": "floor", "kind": "obstacle", "shape": box((3, 0.1, 2.2)), "position": [0, -0.05, 0]}]
    for side, x in (("left", -1.2), ("right", 1.2)):
        for where, z in (("back", -0.1), ("front", 0.1)):
            bodies.append({"name": f"{side} post {where}", "kind": "obstacle", "shape": box((0.08, 2.5, 0.08)),
                           "position": [x, 1.25, z]})
    return bodies


def hoist():
    """The chain with what it hangs from and what hangs in it, and the motor. At the start the chain is almost taut:
    wires are SLACK apart. Links alternate by a quarter turn."""
    half = LINK_STRAIGHT / 2 + LINK_BEND
    lap = 2 * CHAIN_WIRE + SLACK                      # a wire below a wire: middle to middle
    lowest = CROSS_Y + EYE_ABOVE_CROSS + EYE - lap + half
    spacing = 2 * half - lap
    beam_at = [0, round(lowest + (LINKS - 1) * spacing + half - lap + EYE + EYE_BELOW_BEAM, 5), 0]
    bodies = [{"name": f"link {k + 1}", "kind": "rigid", "mesh": "meshes/demo_link.obj",
               "position": [0, round(lowest + k * spacing, 5), 0], "rotation": [0, 90 if k % 2 == 0 else 0, 0],
               "material": {"density": 2000}} for k in range(LINKS)]
    bodies.append({"name": "beam", "kind": "rigid", "mesh": "meshes/demo_beam.obj", "position": beam_at,
                   "material": {"density": 600}})
    bodies.append({"name": "cross", "kind": "rigid", "mesh": "meshes/demo_cross.obj", "position": [0, CROSS_Y, 0],
                   "material": {"density": 600}})
    joints = [{"name": "hoist", "type": "slider", "a": "beam", "at": beam_at, "axis": [0, 1, 0],
               "motor": {"position": "0.55 * smoothstep(0.4, 1.6, t)"}}]
    link_mesh = link(LINK_STRAIGHT, LINK_BEND, CHAIN_WIRE, 8, 8)
    for name, surface in (("link", link_mesh), ("cross", cross()), ("beam", beam(2.5))):
        write_obj(MESHES / f"demo_{name}.obj", surface.points, surface.faces)
    return bodies, joints


def sling():
    """Four wires through rings, tied to the cross and to the corners of the cloth, and the cloth."""
    corner = CLOTH / 2
    top, bottom = (ARM, CROSS_Y - 0.025, ARM), (corner, CLOTH_Y + CLOTH_DEPTH, corner)
    bodies, joints = [], []
    for i, (sx, sz) in enumerate(((1, 1), (1, -1), (-1, -1), (-1, 1))):
        name, mesh = f"wire {i + 1}", f"demo_wire_{i + 1}.obj"
        points, edges = straight_wire((sx * top[0], top[1], sz * top[2]), (sx * bottom[0], bottom[1], sz * bottom[2]), WIRE_CELLS)
        write_obj(MESHES / mesh, points, edges)
        bodies.append({"name": name, "mesh": f"meshes/{mesh}", "thickness": 2 * WIRE_RADIUS, "radius": WIRE_RADIUS,
                       "material": {"density": 1000, "youngs_modulus": 2e7, "damping": 1e-3}})
        joints += [{"name": f"{name} to {to}", "type": "ball", "a": name, "b": to, "at": rounded(end), "ignore_contact": True}
                   for end, to in ((points[0], "cross"), (points[-1], "cloth"))]
        bodies.append({"name": f"ring {i + 1}", "kind": "affine",
                       "shape": {"type": "torus", "ring_radius": 0.07, "tube_radius": 0.025, "resolution": 1, "segments": 16},
                       "position": rounded(points[WIRE_CELLS // 3]), "material": {"density": 500}})
    bodies.append({"name": "cloth", "mesh": "meshes/demo_cloth.obj", "position": [0, CLOTH_Y, 0],
                   "thickness": 2 * CLOTH_RADIUS, "radius": CLOTH_RADIUS,
                   "material": {"density": 250, "youngs_modulus": 5e5, "poissons_ratio": 0.3, "damping": 1e-3}})
    points, faces = sheet(CLOTH, CLOTH_CELLS)
    write_obj(MESHES / "demo_cloth.obj", [(x, bowl(x, z), z) for x, _, z in points], faces)
    return bodies, joints


def load():
    """What falls into the cloth."""
    def above(x, z, height):
        return rounded((x, CLOTH_Y + bowl(x, z) + height, z), 4)

    bodies = [{"name": f"ball {k}", "shape": {"type": "sphere", "radius": radius, "resolution": 2}, "position": above(*at),
               "material": {"density": 250, "youngs_modulus": 2e4}}
              for k, radius, at in ((1, 0.13, (-0.3, 0.22, 0.2)), (2, 0.13, (0.3, -0.22, 0.2)), (3, 0.11, (0.02, -0.32, 0.5)))]
    bodies += [{"name": f"box {k}", "kind": "rigid", "shape": box([0.2] * 3), "position": above(*at), "rotation": turn,
                "material": {"density": 300}}
               for k, at, turn in ((1, (0.27, 0.22, 0.25), [20, 30, 10]), (2, (-0.3, -0.25, 0.25), [-15, 20, 30]),
                                   (3, (0.33, 0.02, 0.6), [35, 10, 40]))]
    bodies.append({"name": "swimming ring", "kind": "soft",
                   "shape": {"type": "torus", "ring_radius": 0.17, "tube_radius": 0.055, "resolution": 1, "segments": 20},
                   "position": above(-0.28, 0.24, 0.48), "rotation": [10, 0, 10],
                   "material": {"density": 250, "youngs_modulus": 4e4}})
    bodies.append({"name": "figure", "kind": "medial", "mesh": "medial/meshes/figure.obj", "handles": 20, "cells": 14,
                   "weight_threshold": 0.01, "scale": [0.4, 0.4, 0.4], "position": above(0.02, 0.04, 0.25),
                   "rotation": [-20, 25, 0], "material": {"density": 250, "youngs_modulus": 4e4, "poissons_ratio": 0.4}})
    return bodies


def main():
    (hoist_bodies, hoist_joints), (sling_bodies, sling_joints) = hoist(), sling()
    # Tolerances for a picture: looser than the defaults.
    scene = {
        "name": "The hoist", "time": {"step": 0.02, "duration": 2},
        "contact": {"friction": 0.3, "d_hat": 0.005, "epsilon_v": 0.02, "friction_iterations": 1},
        "solver": {"joint_tolerance": 1e-5, "balance": 0.01, "tolerance": 0.005},
        "view": {"camera": [1.0, 2.9, 4.2], "target": [0, 1.24, 0]},
        "bodies": gantry() + hoist_bodies + sling_bodies + load(), "joints": hoist_joints + sling_joints,
    }
    members = []
    for key, value in scene.items():
        rows = isinstance(value, list)
        text = "[\n" + ",\n".join("    " + lay_out(v, 4) for v in value) + "\n  ]" if rows else lay_out(value, 4)
        members.append(f'  "{key}": {text}')
    about = ("A motor lifts a beam; a chain, a cross and wires through rings carry a cloth with all kinds of bodies in it.",
             "Written by demo.py.")
    (FOLDER / "demo.json").write_text("{\n" + "".join(f"  // {line}\n" for line in about) + ",\n".join(members) + "\n}\n")


if __name__ == "__main__":
    main()
