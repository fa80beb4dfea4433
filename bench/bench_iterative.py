#!/usr/bin/env python3
"""Examples of all kinds of bodies with the iterative solver forced: ./dev bench iterative [--only NAME…]

Each example runs a few steps with multifrontal, with pcg on one, two and three threads (the last one stopped halfway and resumed), and with
multifrontal to a tight tolerance. The table bench/results/iterative.md shows how far both end from that, and whether all runs of pcg have the
same bits.
"""
import argparse
import array
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ipc_runs import ROOT, Table, lower_priority, read_steps, run_scene  # noqa: E402

EXAMPLES = {"chain": 15, "cloth": 8, "soft_bodies": 8, "twist": 10, "hanging_beam": 15, "materials": 8, "wires": 10, "ipc/rods_twist": 6,
            "ipc/mat_twist": 6, "stiff/anchor": 10, "medial/figure_into_cacti_rough": 10, "ipc/rollers": 6, "ipc/stiffness_ratio": 10,
            "ipc/mass_ratio": 10, "ipc/card_house_stands": 10, "ipc/stick_slip": 10, "zoo": 4}
COLUMNS = ["example", "nodes", "steps", "Newton iterations, multifrontal", "pcg", "CG per system", "from tight, multifrontal", "from tight, pcg",
           "pcg on 1, 2, 3 threads and resumed", "intersections, inversions"]
NOTES = ["The largest distance of a node from where a tight solve (tolerance and balance 1e-7) puts it after the same steps, over the size of the "
         "scene. In stiffness_ratio and mass_ratio one of the two is farther away: not for want of accuracy (with a pcg_tolerance of "
         "1e-6 stiffness_ratio ends as far away as with 1e-3), but probably since the barrier's stiffness adapts itself to the iterates."]
HEADER = struct.Struct("<8sQQqddQQQQiiii")  # of a checkpoint (tests/golden/runs.py)


def read_nodes(folder):
    data = max(Path(folder, "checkpoints").glob("step_*.ckpt")).read_bytes()
    count = HEADER.unpack_from(data)[6]
    nodes = array.array("d")
    nodes.frombytes(data[HEADER.size:HEADER.size + 24 * count])
    return nodes


def compare(name, steps, work):
    def run(label, overrides, threads=2, steps=steps, options=()):
        folder = work / f"{name.replace('/', '_')}_{label}"
        figures = run_scene(ROOT / f"examples/{name}.json", folder, 10, ["output.vtu=false", "output.gltf=false", *overrides], threads=threads,
                            options=["--steps", str(steps), *options])
        return read_nodes(folder), figures, folder
    pcg = ['solver.linear_solver="pcg"']
    direct, direct_figures, _ = run("direct", ['solver.linear_solver="multifrontal"'])
    tight, _, _ = run("tight", ['solver.linear_solver="multifrontal"', "solver.tolerance=1e-7", "solver.balance=1e-7"])
    two, figures, folder = run("two", pcg)
    one, _, _ = run("one", pcg, threads=1)
    run("three", pcg, threads=3, steps=max(1, steps // 2))
    three, _, _ = run("three", pcg, threads=3, options=["--resume"])
    size = max(max(tight[k::3]) - min(tight[k::3]) for k in range(3))

    def away(nodes):
        return "{:.1e}".format(max(abs(a - b) for a, b in zip(nodes, tight)) / size)
    linear = sum(step.get("linear_iterations", 0) for step in read_steps(folder))
    return [name, len(tight) // 3, figures["steps"], direct_figures["iterations"], figures["iterations"],
            "{:.1f}".format(linear / max(1, figures["iterations"])), away(direct), away(two), "same bits" if one == two == three else "differ",
            f"{figures['intersections']}, {figures['inversions']}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=list(EXAMPLES))
    arguments = parser.parse_args()
    lower_priority()
    work = ROOT / "out/bench_iterative"
    table = Table(ROOT / "bench/results/iterative.md", "Benchmark: iterative", NOTES, COLUMNS)
    for name in arguments.only:
        table.set_row(compare(name, EXAMPLES[name], work))
        print(" | ".join(table.rows[name]), flush=True)


if __name__ == "__main__":
    main()
