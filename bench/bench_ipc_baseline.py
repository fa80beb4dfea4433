#!/usr/bin/env python3
"""The three scenes that the original IPC code was measured on: ./dev bench ipc_baseline

Needs IPC's scripts in ../shared/data/scenes/IPC. Same steps, same tolerances; the reference's figures are those of
ipc-sim/IPC (573d2c7e, CHOLMOD, two threads) on the same kind of machine.
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ipc_runs import ROOT, Table, lower_priority, part_of, run_scene, show  # noqa: E402

INPUT = ROOT.parent / "shared/data/scenes/IPC/input"
# script, steps, step length; the reference's seconds and iterations.
BASELINES = {
    "2cubesFall": ("tutorialExamples/2cubesFall.txt", 200, 0.025, 0.30, 737),
    "rodsTwist": ("otherExamples/typical/rodsTwist.txt", 60, 0.025, 20.63, 183),
    "mat40x40Twist": ("otherExamples/typical/mat40x40Twist.txt", 40, 0.04, 55.58, 203),
}
COLUMNS = ["scene", "nodes", "tets", "steps", "contacts max", "iterations", "reference iterations", "seconds",
           "reference seconds", "times faster", "smallest gap (m)", "status"]


def main():
    if not INPUT.exists():
        sys.exit(f"ipc_baseline: no scripts at {INPUT}")
    lower_priority()
    table = Table(ROOT / "bench/results/ipc_baseline.md", "Benchmark: ipc_baseline",
                  ["Seconds are those of the steps, without reading and writing. Reference: ipc-sim/IPC (573d2c7e)."], COLUMNS)
    for name in sys.argv[1:] or BASELINES:
        script, steps, h, seconds, iterations = BASELINES[name]
        figures = run_scene(INPUT / script, ROOT / f"out/bench_ipc_baseline/{name}", 60,
                            [f"time.duration={steps * h:g}", "output.vtu=false", "output.gltf=false", "output.viewer=false"])
        ratio = seconds / figures["seconds"] if figures["seconds"] > 0 else None
        table.set_row([name, part_of(figures["head"], "nodes"), part_of(figures["head"], "elements"), figures["steps"],
                       figures["contacts"], figures["iterations"], iterations, show(figures["seconds"]), show(seconds),
                       show(ratio, "{:.1f}"), show(figures["gap"], "{:.1e}"), figures["status"]])
        print(" | ".join(table.rows[name]), flush=True)


if __name__ == "__main__":
    main()
