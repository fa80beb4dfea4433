#!/usr/bin/env python3
"""A ball with soft spikes as a tet mesh of any fineness, and the scene that presses it between two plates.

    squishy_ball.py FOLDER [--cells N]     writes ball.vtk and ball.json; N: cells across (162: 690K nodes)

The toy of figure 2.22 of the IPC thesis is like it (688K nodes, 2.3M tets; its mesh is not public). The ball is made of
cubes of a grid, each cut into five tets; cubes that would touch at an edge or a corner alone are joined.
"""
import argparse
import itertools
import json
import math
from pathlib import Path

RADIUS = 0.05        # with spikes [m]
CORE = 0.48          # radius of the ball without them, over that with them
SPIKES = 320
THICKNESS = 0.031    # radius of a spike, likewise
# The thesis: step 1 ms, 1000 kg/m³, 7e4 Pa, 0.4.
STEP, SPEED, STEPS = 1e-3, 1.0, 10

EVEN = (((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)), ((1, 1, 0), (0, 1, 0), (1, 0, 0), (1, 1, 1)),
        ((1, 0, 1), (1, 0, 0), (0, 0, 1), (1, 1, 1)), ((0, 1, 1), (0, 0, 1), (0, 1, 0), (1, 1, 1)),
        ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)))
ODD = tuple(tuple((1 - x, y, z) for x, y, z in tet) for tet in EVEN)


def spread_directions(count):
    """Points spread evenly over the unit sphere: a Fibonacci lattice."""
    golden = math.pi * (3 - math.sqrt(5))
    for k in range(count):
        z = 1 - (2 * k + 1) / count
        r = math.sqrt(1 - z * z)
        yield r * math.cos(golden * k), r * math.sin(golden * k), z


def fill_cells(cells):
    """The cubes of a grid over [-1, 1]³ whose middles are inside."""
    h = 2 / cells

    def centre(i):
        return (i + 0.5) * h - 1
    filled = set()
    reach = range(int((1 - CORE) / h) - 1, int((1 + CORE) / h) + 2)
    squares = {i: centre(i) ** 2 for i in range(-2, cells + 2)}
    for i, j in itertools.product(reach, reach):
        rest = CORE * CORE - squares[i] - squares[j]
        filled.update((i, j, k) for k in reach if squares[k] <= rest)
    window = range(-int(THICKNESS / h) - 1, int(THICKNESS / h) + 2)
    for d in spread_directions(SPIKES):
        length = 1 - THICKNESS
        for step in range(int((length - CORE) / h) + 3):
            t = min(CORE + step * h - h, length)
            middle = [int((t * c + 1) / h) for c in d]
            for shift in itertools.product(window, repeat=3):
                cell = tuple(m + s for m, s in zip(middle, shift))
                p = [centre(i) for i in cell]
                along = min(max(sum(a * b for a, b in zip(p, d)), 0), length)
                if sum((a - along * b) ** 2 for a, b in zip(p, d)) <= THICKNESS * THICKNESS:
                    filled.add(cell)
    return filled


def join_corners(filled):
    """Adds cubes until none touches another at an edge or a corner alone."""
    edges = [s for s in itertools.product((-1, 0, 1), repeat=3) if sum(map(abs, s)) == 2]
    corners = list(itertools.product((-1, 1), repeat=3))
    pending = sorted(filled)
    while pending:
        added = set()
        for cell in pending:
            for shift in edges + corners:
                other = tuple(c + s for c, s in zip(cell, shift))
                if other not in filled:
                    continue
                # A path of cubes from one to the other, one axis after the next; the first one is filled if none is whole.
                axes = [a for a in range(3) if shift[a]]
                paths = []
                for order in itertools.permutations(axes):
                    at, path = list(cell), []
                    for axis in order[:-1]:
                        at[axis] += shift[axis]
                        path.append(tuple(at))
                    paths.append(path)
                if not any(all(c in filled for c in path) for path in paths):
                    new = [c for c in paths[0] if c not in filled]
                    filled.update(new)
                    added.update(new)
        pending = sorted(added)


def make_tets(filled):
    """Nodes (of the grid) and tets, both in the order of the grid."""
    numbers, nodes, tets = {}, [], []
    for cell in sorted(filled):
        for tet in EVEN if sum(cell) % 2 == 0 else ODD:
            corners = []
            for corner in tet:
                node = (cell[0] + corner[0], cell[1] + corner[1], cell[2] + corner[2])
                if node not in numbers:
                    numbers[node] = len(nodes)
                    nodes.append(node)
                corners.append(numbers[node])
            tets.append(corners)
    return nodes, tets


def orient(nodes, tets):
    """Swaps two corners of tets that are inside out."""
    for tet in tets:
        a, b, c, d = (nodes[i] for i in tet)
        u, v, w = ([q - p for p, q in zip(a, x)] for x in (b, c, d))
        if (u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0])) < 0:
            tet[0], tet[1] = tet[1], tet[0]


def write_ball(folder, cells, linear_solver="automatic"):
    """Writes mesh and scene; returns the scene's path, and the numbers of nodes and tets."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    filled = fill_cells(cells)
    join_corners(filled)
    nodes, tets = make_tets(filled)
    orient(nodes, tets)
    h = 2 * RADIUS / cells
    with open(folder / "ball.vtk", "w") as file:
        file.write(f"# vtk DataFile Version 3.0\nball\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {len(nodes)} double\n")
        file.writelines(f"{i * h - RADIUS:.9g} {j * h - RADIUS:.9g} {k * h - RADIUS:.9g}\n" for i, j, k in nodes)
        file.write(f"CELLS {len(tets)} {5 * len(tets)}\n")
        file.writelines(f"4 {a} {b} {c} {d}\n" for a, b, c, d in tets)
        file.write(f"CELL_TYPES {len(tets)}\n" + "10\n" * len(tets))
    reach = max(abs(j * h - RADIUS) for _, j, _ in nodes)

    def plate(name, side):
        size = [2.4 * RADIUS, 0.2 * RADIUS, 2.4 * RADIUS]
        return {"name": name, "kind": "obstacle", "shape": {"type": "box", "size": size, "cells_x": 1, "cells_y": 1, "cells_z": 1},
                "position": [0, side * (reach + 0.11 * RADIUS), 0], "prescribed": [{"select": {"all": True}, "velocity": [0, -side * SPEED, 0]}]}
    scene = {"name": "squishy_ball", "gravity": [0, 0, 0], "time": {"step": STEP, "duration": STEP * STEPS},
             "bodies": [plate("lower", -1), plate("upper", 1),
                        {"name": "ball", "mesh": "ball.vtk", "material": {"density": 1000, "youngs_modulus": 7e4, "poissons_ratio": 0.4}}],
             "solver": {"linear_solver": linear_solver}, "output": {"gltf": False, "vtu": False}}
    path = folder / "ball.json"
    path.write_text(json.dumps(scene, indent=1) + "\n")
    return path, len(nodes), len(tets)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--cells", type=int, default=162)
    arguments = parser.parse_args()
    print("{}: {} nodes, {} tets".format(*write_ball(arguments.folder, arguments.cells)))
