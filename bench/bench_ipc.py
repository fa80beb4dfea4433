#!/usr/bin/env python3
"""The scenes of examples/ipc: ./dev bench ipc [names…] [--small] [--minutes M]

Runs the large versions (or the small ones), one after the other, each at most M minutes, and refreshes their rows in
bench/results/ipc.md (ipc_small.md). The last columns are the thesis's own figures for the like scene (IPC thesis,
tables 2.1 and 2.2), on other and mostly larger machines and meshes.
"""
import argparse
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ipc_runs import ROOT, Table, lower_priority, part_of, per_step, run_scene, show  # noqa: E402

sys.path.insert(0, str(ROOT / "examples/ipc"))
from generate import ONLY_FINE, SCENES  # noqa: E402

# nodes, tets; seconds and iterations per step (thesis, table 2.2).
THESIS = {
    "ball_on_points": ("7K, 28K", 2.8, 6.6), "mat_on_knives": ("3.2K, 9.1K", 1.4, 5.5),
    "chain_100": ("20K, 49K", 4.0, 2.4), "funnel": ("8K, 36K", 27.9, 39.7),
    "pin_cushion": ("9K, 28K", 3.7, 9.5), "ball_impact": ("29K, 118K", 12.1, 9.3),
    "mat_twist": ("45K, 133K", 776.2, 34.5), "rods_twist": ("53K, 202K", 141.5, 14.1),
    "compactor": ("15K, 56K", 61.9, 29.4), "squeeze_out": ("45K, 181K", 252, 42.5),
    "rollers": ("7K, 28K", 63.3, 58.6), "card_house_hit": ("6K, 15K", 10.0, 16.6),
    "arch_stands": ("216, 150", 0.05, 5.7), "large_step_half": ("2.5K, 6.9K", 11.39, 100.58),
    "large_step_two": ("2.5K, 6.9K", 52.02, 522.0),
}
COLUMNS = ["scene", "nodes", "tets", "h (s)", "steps", "contacts max", "iterations/step", "s/step", "memory (MB)",
           "smallest gap (m)", "intersections", "inversions", "status", "thesis: nodes, tets", "s/step ", "iterations/step "]
NOTES = ["Two threads. Intersections and inversions: by the exact checker, over all frames (and iterates where recorded).",
         "Memory includes that of writing the frames. Thesis: 4 to 8 cores, meshes of its own. Seconds are by the clock, for most rows on a machine that had other "
         "work at the same time: up to five times slower than alone. Iterations do not depend on that.",
         "mat_twist and rods_twist turn by 18° a second, five times from each side in 100 s; the thesis's by 72°."]


def make_row(name, figures):
    thesis = THESIS.get(name, ("", None, None))
    h = figures["head"].split(" steps of ")[-1].split(" s")[0] if figures["head"] else ""
    count = f"{figures['steps']} of {figures['wanted']}" if figures["steps"] != figures["wanted"] else figures["steps"]
    return [name, part_of(figures["head"], "nodes"), part_of(figures["head"], "elements"), h, count,
            figures["contacts"], show(per_step(figures, "iterations"), "{:.1f}"),
            show(per_step(figures, "seconds"), "{:.3g}"), f"{figures['memory']:.0f}", show(figures["gap"], "{:.1e}"),
            show(figures["intersections"], "{}"), show(figures["inversions"], "{}"), figures["status"],
            thesis[0], show(thesis[1], "{:g}"), show(thesis[2], "{:g}")]


def main():
    parser = argparse.ArgumentParser(description="The scenes of examples/ipc, measured.")
    parser.add_argument("names", nargs="*", help="only these; all if none")
    parser.add_argument("--small", action="store_true", help="the small versions, with every iterate recorded")
    parser.add_argument("--minutes", type=float, default=60, help="time limit of a scene")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(SCENES)
    if unknown:
        parser.error(f"no scene {', '.join(sorted(unknown))}; there are {', '.join(SCENES)}")
    lower_priority()
    suffix = "_small" if arguments.small else ""
    work = ROOT / f"out/bench_ipc{suffix}"
    folder = ROOT / "examples/ipc"
    if not arguments.small:
        folder = work / "scenes"
        subprocess.run([sys.executable, ROOT / "examples/ipc/generate.py", "--fine", "-o", folder], check=True)
    table = Table(ROOT / f"bench/results/ipc{suffix}.md", f"Benchmark: ipc{suffix}", NOTES, COLUMNS)
    for name in arguments.names or SCENES:
        if arguments.small and name in ONLY_FINE:
            continue
        overrides = ["output.viewer=false", "output.gltf=false"] + (["output.iterates=true"] if arguments.small else [])
        figures = run_scene(folder / f"{name}.json", work / name, arguments.minutes, overrides)
        table.set_row(make_row(name, figures))
        print(" | ".join(str(cell) for cell in table.rows[name]), flush=True)
    table.sort(SCENES)


if __name__ == "__main__":
    main()
