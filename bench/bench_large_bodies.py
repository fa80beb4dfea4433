#!/usr/bin/env python3
"""Large soft bodies with each linear solver: ./dev bench large_bodies [--only cube,mat] [--most NODES] [--fine] [--again]

Cubes, slabs, plates, bars, mats, an Armadillo (if ../shared/data/meshes is there) and a ball with spikes, in several sizes. Times are processor
seconds of the whole run over its Newton iterations, which other work on the machine changes little. --fine: the ball of 690,000 nodes, 10 steps,
and a cube of 700,000; they need 11 GB and long. The table bench/results/large_bodies.md goes on from what it holds.
"""
import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import bench_ipc_scaling as armadillo  # noqa: E402
from ipc_runs import ROOT, Table, lower_priority, part_of, run_scene, read_steps, show  # noqa: E402
from squishy_ball import write_ball  # noqa: E402

COLUMNS = ["run", "nodes", "tets", "steps", "iterations", "CG per system", "processor s/iteration", "µs/iteration/node", "memory (MB)", "KB/node",
           "contacts max", "status"]
NOTES = ["Processor seconds of the whole run (start, output and check included) over its Newton iterations; memory is the largest of the run. "
         "What the scenes are: [bench_large_bodies.py](../bench_large_bodies.py).", "",
         "Measured by hand on two threads of an EPYC that did nothing else, with an earlier version that rebuilt levels more often, seconds of a "
         "step over its iterations: cube 40 (68,929 nodes), 0.56 s, 1.17 GB, 5.1 CG per system; cube 88 (704,977 nodes, 4.1 million tets), one step, "
         "10.2 s, 10.7 GB, 7.6 CG per system (in the same step of cube 20: 6.8).", "",
         "Rows of more than 24,000 nodes were made later (commit 489727e, beside other work); the ball of 695,000 nodes is in [squishy_ball.md](squishy_ball.md)."]
DIRECT_MOST = 30000  # nodes; larger ones take minutes per iteration


def material(stiffness):
    return {"density": 1000, "youngs_modulus": stiffness, "poissons_ratio": 0.4}


def make_scene(bodies, step=0.01, steps=3, **rest):
    return {"time": {"step": step, "duration": step * steps}, "bodies": bodies, "output": {"gltf": False, "vtu": False}, **rest}


def box(size, cells):
    return {"type": "box", "size": size, "cells_x": cells[0], "cells_y": cells[1], "cells_z": cells[2]}


FLOOR = {"name": "floor", "kind": "obstacle", "shape": box([8, 0.1, 8], [1, 1, 1]), "position": [0, -0.051, 0]}


def falling(size, cells, stiffness):
    """Onto the floor; its points are not above the floor's edges."""
    return make_scene([FLOOR, {"name": "body", "shape": box(size, cells), "position": [0.0137, size[1] / 2 + 0.001, 0.0271], "velocity": [0, -1, 0],
                               "material": material(stiffness)}])


def held(size, cells, stiffness, motions, **rest):
    ends = [{"select": {"relative_box": {"min": [x, 0, 0], "max": [x, 1, 1]}}, **motion} for x, motion in motions]
    return make_scene([{"name": "body", "shape": box(size, cells), "material": material(stiffness), "prescribed": ends}], **rest)


def mats(n):
    """A mat on another, which lies on the floor: all of its points are in contact."""
    height = 1 / n
    return make_scene([FLOOR] + [{"name": f"mat {k}", "shape": box([1, height, 1], [n, 1, n]), "position": [0.0137 + 0.0031 * k, (k + 0.5) * height + 0.001 * (k + 1), 0.0271],
                                  "velocity": [0, -0.5 * (k + 1), 0], "material": material(1e6)} for k in range(2)])


TURN = {"angular_velocity": [1.2566, 0, 0]}, {"angular_velocity": [-1.2566, 0, 0]}
# As in figure 2.21 of the IPC thesis: 72 degrees a second at both ends, steps of 0.04 s.
SCENES = {
    "cube": lambda n: falling([1, 1, 1], [n, n, n], 1e5),
    "slab": lambda n: falling([1, 4 / n, 1], [n, 4, n], 1e6),
    "plate": lambda n: falling([1, 1 / n, 1], [n, 1, n], 1e6),
    "mats": mats,
    "bar": lambda n: held([n / 6, 1, 1], [n, 6, 6], 1e6, [(0, {})]),
    "mat": lambda n: held([1, 1 / n, 1], [n, 1, n], 2e4, [(0, TURN[0]), (1, TURN[1])], step=0.04, gravity=[0, 0, 0]),
    "rest": lambda n: {**falling([1, 1, 1], [n, n, n], 1e5), **held([1, 1, 1], [n, n, n], 1e5, [(0, {})], step=1), "gravity": [0, -9.81, 0]},
}
SIZES = {"cube": [6, 9, 12, 20, 28, 40], "slab": [16, 32, 64], "plate": [20, 40, 80, 160], "mats": [20, 40, 80], "bar": [30, 120, 480],
         "mat": [20, 40, 100, 150, 225], "rest": [6, 12, 20]}


def write_scenes(work, arguments):
    """Name, path and number of nodes, as far as it is known, of every run."""
    for kind, sizes in SIZES.items():
        for n in sizes + ([88] if kind == "cube" and arguments.fine else []):
            path = work / f"{kind}_{n}.json"
            scene = make_quasi_static(SCENES[kind](n)) if kind == "rest" else SCENES[kind](n)
            path.write_text(json.dumps(scene))
            yield f"{kind} {n}", path, count_nodes(scene)
    if all(path.exists() for path in armadillo.COARSE.values()):
        for name, cuts in armadillo.SIZES:
            path, nodes = armadillo.write_scene(work, "twist", name, cuts)
            yield f"armadillo {nodes // 1000}K", path, nodes
    for cells in [48] + ([162] if arguments.fine else []):
        path, nodes, _ = write_ball(work / f"ball_{cells}", cells)
        yield f"ball {cells}", path, nodes


def make_quasi_static(scene):
    scene["time"]["integrator"] = "quasi_static"
    return scene


def count_nodes(scene):
    total = 0
    for body in scene["bodies"]:
        shape = body["shape"]
        total += (shape["cells_x"] + 1) * (shape["cells_y"] + 1) * (shape["cells_z"] + 1)
    return total


def make_row(run, folder, figures):
    linear = sum(step.get("linear_iterations", 0) for step in read_steps(folder))
    nodes = int(part_of(figures["head"], "nodes") or 0)
    iterations = figures["iterations"]
    per_iteration = figures["cpu"] / iterations if iterations else None
    return [run, nodes, part_of(figures["head"], "elements"), figures["steps"], iterations, show(iterations and linear / iterations, "{:.1f}"),
            show(per_iteration, "{:.3g}"), show(per_iteration and 1e6 * per_iteration / nodes, "{:.0f}"), f"{figures['memory']:.0f}",
            show(nodes and 1024 * figures["memory"] / nodes, "{:.1f}"), figures["contacts"], figures["status"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="kinds of bodies, separated by commas")
    parser.add_argument("--solvers", default="multifrontal,pcg,automatic")
    parser.add_argument("--most", type=int, default=80000, help="largest body [nodes]")
    parser.add_argument("--steps", type=int, help="instead of the scene's own")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=10, help="limit of processor time of a run")
    parser.add_argument("--fine", action="store_true")
    parser.add_argument("--again", action="store_true", help="also rows that the table has")
    arguments = parser.parse_args()
    lower_priority()
    work = ROOT / "out/bench_large_bodies"
    work.mkdir(parents=True, exist_ok=True)
    table = Table(ROOT / "bench/results/large_bodies.md", "Benchmark: large_bodies", NOTES, COLUMNS)
    most = 10**6 if arguments.fine else arguments.most
    for name, scene, nodes in write_scenes(work, arguments):
        if nodes > most or (arguments.only and name.split()[0] not in arguments.only.split(",")):
            continue
        for solver in arguments.solvers.split(","):
            run = f"{name}, {solver}"
            if (run in table.rows and not arguments.again) or (solver == "multifrontal" and nodes > DIRECT_MOST):
                continue
            folder = work / f"run_{name.replace(' ', '_')}_{solver}"
            options = ["--steps", str(arguments.steps)] if arguments.steps else []
            if name.startswith("armadillo") and not arguments.steps:
                options = ["--steps", "3"]
            figures = run_scene(scene, folder, arguments.minutes, [f"solver.linear_solver=\"{solver}\"", "output.vtu=false"],
                                threads=arguments.threads, options=options)
            table.set_row(make_row(run, folder, figures))
            print(" | ".join(table.rows[run]), flush=True)


if __name__ == "__main__":
    main()
