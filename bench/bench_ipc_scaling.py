#!/usr/bin/env python3
"""How a step's cost grows with the mesh: ./dev bench ipc_scaling [--scenes twist,fall] [--steps N] [--most NODES] [--solvers a,b]

An Armadillo is twisted by head and feet (IPC's own scaling scene), or falls onto a sphere: the same scene with ever finer
meshes, each tet of the coarse ones cut into eight (and into 64). Needs the meshes of ../shared/data/meshes. The table bench/results/ipc_scaling.md goes on from what it holds; the plot
beside it shows the twist with the default solver. Times are processor seconds, which other work on the machine changes little.
"""
import argparse
import itertools
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ipc_runs import ROOT, Table, lower_priority, part_of, per_step, run_scene, show  # noqa: E402
from stiff_plot import write_plot  # noqa: E402

MESHES = ROOT.parent / "shared/data/meshes"
COARSE = {"2.5K": MESHES / "Codim-IPC/Projects/FEM/input/Armadillo2.5K.vtk",
          "1.2K": MESHES / "PositionBasedDynamics/data/models/armadillo_4k.ele"}
# Coarse mesh, times that each tet is cut into eight; the last has more nodes than the largest of figure 2.21 (219,000).
SIZES = [("1.2K", 0), ("2.5K", 0), ("1.2K", 1), ("2.5K", 1), ("1.2K", 2), ("2.5K", 2), ("1.2K", 3)]
COLUMNS = ["run", "nodes", "tets", "solver", "steps", "contacts max", "iterations/step", "processor s/iteration",
           "µs/iteration/node", "memory (MB)", "KB/node", "smallest gap (m)", "status"]
NOTES = ["The Armadillo, 1 m high, steps of 0.025 s. Twist: head and feet turn against each other, 72 degrees a second each, E = 5e3 Pa, no gravity "
         "(the scene of figure 2.21 of the IPC thesis). Fall: it hits a sphere at 3 m/s, E = 1e5 Pa. Meshes: two public ones, and each with its "
         "tets cut into eight, 64 or 512.", "Processor seconds of the whole run over its iterations; memory is the largest of the run. The plot: ipc_scaling.svg.",
         "A twist begins with a jerk, which fine meshes feel for two to five steps; from then on a step takes 2 or 3 iterations at every size."]


def read_vtk(path):
    words = iter(path.read_text().split())
    for word in words:
        if word == "POINTS":
            count, _ = int(next(words)), next(words)
            points = [tuple(float(next(words)) for _ in range(3)) for _ in range(count)]
        elif word == "CELLS":
            count, _ = int(next(words)), next(words)
            return points, [tuple(int(next(words)) for _ in range(int(next(words)))) for _ in range(count)]
    sys.exit(f"ipc_scaling: no cells in {path}")


def read_tetgen(path):
    def rows(file):
        lines = [line.split() for line in file.read_text().splitlines() if line.strip() and not line.startswith("#")]
        return lines[1:1 + int(lines[0][0])]
    nodes = rows(path.with_suffix(".node"))
    first = int(nodes[0][0])
    return [tuple(map(float, row[1:4])) for row in nodes], [tuple(int(i) - first for i in row[1:5]) for row in rows(path)]


def refine(points, tets):
    """Cuts every tet into eight at the middles of its edges."""
    points, middles = list(points), {}

    def middle(a, b):
        key = (a, b) if a < b else (b, a)
        if key not in middles:
            middles[key] = len(points)
            points.append(tuple((x + y) / 2 for x, y in zip(points[a], points[b])))
        return middles[key]

    out = []
    for a, b, c, d in tets:
        ab, ac, ad, bc, bd, cd = (middle(p, q) for p, q in itertools.combinations((a, b, c, d), 2))
        out += [(a, ab, ac, ad), (ab, b, bc, bd), (ac, bc, c, cd), (ad, bd, cd, d),
                (ab, ac, ad, bd), (ab, ac, bd, bc), (ac, ad, bd, cd), (ac, bd, bc, cd)]
    return points, out


def write_mesh(path, points, tets):
    """As VTK, 1 m high, its lowest point at the origin; returns the middle of its box."""
    low, high = (tuple(f(p[k] for p in points) for k in range(3)) for f in (min, max))
    scale = 1 / (high[1] - low[1])
    bottom = min(points, key=lambda p: p[1])
    lines = ["# vtk DataFile Version 3.0", "armadillo", "ASCII", "DATASET UNSTRUCTURED_GRID", f"POINTS {len(points)} double"]
    lines += [" ".join(f"{(x - b) * scale:.12g}" for x, b in zip(p, bottom)) for p in points]
    lines += [f"CELLS {len(tets)} {5 * len(tets)}"] + ["4 " + " ".join(map(str, t)) for t in tets]
    lines += [f"CELL_TYPES {len(tets)}"] + ["10"] * len(tets)
    path.write_text("\n".join(lines) + "\n")
    return [((a + b) / 2 - c) * scale for a, b, c in zip(low, high, bottom)]


TWIST = '''{{"name": "armadillo", "time": {{"step": 0.025, "duration": 10}}, "gravity": [0, 0, 0],
 "bodies": [
  {{"name": "armadillo", "mesh": "{mesh}",
   "material": {{"density": 1000, "youngs_modulus": 5e3, "poissons_ratio": 0.4}},
   "prescribed": [
    {{"select": {{"relative_box": {{"min": [0, 0, 0], "max": [1, 0.03, 1]}}}}, "angular_velocity": [0, -1.2566, 0], "about": [{x:g}, 0, {z:g}]}},
    {{"select": {{"relative_box": {{"min": [0, 0.97, 0], "max": [1, 1, 1]}}}}, "angular_velocity": [0, 1.2566, 0], "about": [{x:g}, 0, {z:g}]}}]}}],
 "output": {{"gltf": false, "viewer": false}}}}
'''
FALL = '''{{"name": "armadillo", "time": {{"step": 0.025, "duration": 1}},
 "bodies": [
  {{"name": "ball", "kind": "obstacle", "shape": {{"type": "sphere", "radius": 0.3, "resolution": 8}}, "position": [0, -0.302, 0]}},
  {{"name": "armadillo", "mesh": "{mesh}", "velocity": [0, -3, 0],
   "material": {{"density": 1000, "youngs_modulus": 1e5, "poissons_ratio": 0.4}}}}],
 "output": {{"gltf": false, "viewer": false}}}}
'''
SCENES = {"twist": TWIST, "fall": FALL}


def write_scene(folder, kind, name, cuts):
    source = COARSE[name]
    points, tets = read_vtk(source) if source.suffix == ".vtk" else read_tetgen(source)
    for _ in range(cuts):
        points, tets = refine(points, tets)
    folder.mkdir(parents=True, exist_ok=True)
    mesh = folder / f"armadillo_{name}_{cuts}.vtk"
    axis = write_mesh(mesh, points, tets)
    scene = folder / f"{kind}_{name}_{cuts}.json"
    scene.write_text(SCENES[kind].format(mesh=mesh.name, x=axis[0], z=axis[2]))
    return scene, len(points)


def make_row(run, solver, figures):
    per_iteration = figures["cpu"] / figures["iterations"] if figures["iterations"] else None
    nodes = int(part_of(figures["head"], "nodes") or 0)
    return [run, nodes, part_of(figures["head"], "elements"), solver, figures["steps"], figures["contacts"],
            show(per_step(figures, "iterations"), "{:.1f}"), show(per_iteration, "{:.3g}"),
            show(per_iteration and 1e6 * per_iteration / nodes, "{:.0f}"), f"{figures['memory']:.0f}",
            show(nodes and 1024 * figures["memory"] / nodes, "{:.1f}"), show(figures["gap"], "{:.1e}"),
            figures["status"]]


def draw(table):
    rows = [row for row in table.rows.values() if row[0].startswith("twist") and row[3] == "multifrontal" and row[7]]
    rows.sort(key=lambda row: int(row[1]))
    lines = {"processor s/iteration": [(int(r[1]), float(r[7])) for r in rows],
             "iterations/step": [(int(r[1]), float(r[6])) for r in rows],
             "memory (GB)": [(int(r[1]), float(r[9]) / 1024) for r in rows]}
    if len(rows) > 1:
        write_plot(ROOT / "bench/results/ipc_scaling.svg", lines, "nodes", "one unit each")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", default="twist,fall")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--most", type=int, default=200000, help="largest mesh [nodes]")
    parser.add_argument("--solvers", default="multifrontal")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=60, help="time limit of a run")
    parser.add_argument("--again", action="store_true", help="also rows that the table has")
    arguments = parser.parse_args()
    if not all(path.exists() for path in COARSE.values()):
        sys.exit(f"ipc_scaling: no meshes at {MESHES}")
    lower_priority()
    work = ROOT / "out/bench_ipc_scaling"
    table = Table(ROOT / "bench/results/ipc_scaling.md", "Benchmark: ipc_scaling", NOTES, COLUMNS)
    for kind, (name, cuts), solver in itertools.product(arguments.scenes.split(","), SIZES, arguments.solvers.split(",")):
        run = f"{kind}, {name} cut {cuts} times, {solver}"
        if run in table.rows and not arguments.again:
            continue
        scene, nodes = write_scene(work / "scenes", kind, name, cuts)
        if nodes > arguments.most:
            continue
        figures = run_scene(scene, work / f"run_{kind}_{name}_{cuts}_{solver}", arguments.minutes,
                            [f"time.duration={0.025 * arguments.steps:g}", "output.vtu=false", f"solver.linear_solver=\"{solver}\""],
                            threads=arguments.threads)
        table.set_row(make_row(run, solver, figures))
        print(" | ".join(table.rows[run]), flush=True)
        draw(table)


if __name__ == "__main__":
    main()
