#!/usr/bin/env python3
"""Every public IPC script, run and checked: ./dev bench ipc_scripts [--seconds S] [--threads T] [--only TEXT] [--again]

Needs IPC's scripts in ../shared/data/scenes/IPC. A run ends by itself or is stopped after S seconds; either way its frames
are checked exactly afterwards. The table goes on from what it holds: a script that ended, or had this much time before,
is left as it is (--again runs it anew). So a later call with more seconds runs only those that need them.
"""
import argparse
import shutil
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ipc_runs import ROOT, Table, lower_priority, per_step, run_scene, show  # noqa: E402

INPUT = ROOT.parent / "shared/data/scenes/IPC/input"
COLUMNS = ["script", "status", "steps", "of", "iterations", "per step", "s", "limit (s)", "smallest gap (m)",
           "intersections / inversions"]


def describe(rows):
    """The notes above the table, counted anew whenever it is written."""
    def count(word):
        return sum(row[1].startswith(word) for row in rows)
    other = len(rows) - count("ended") - count("stopped") - count("not run")
    return [f"{len(rows)} scripts: {count('ended')} ended, {count('stopped')} were stopped by the limit of their row, {count('not run')} "
            f"cannot run (mostly: a mesh that was not published), {other} failed.",
            "Intersections and inversions: by the exact checker, over all frames that were written. A step is never cut off, so a run may last "
            "longer than its limit.",
            "Rows with limits of 60 s and more ran beside one to three other runs on two cores. Limits of 1200 s are by the clock or, of runs with one "
            "thread, of processor time; the others by the clock. Rows are of several commits; the one above is the last."]


def make_row(name, figures, limit, script):
    status = figures["status"].replace(str(script.parent), "").replace("|", "/")
    if not figures["head"] and not status.startswith("stopped"):
        status = "not run: " + status[:120]
    checked = "" if figures["intersections"] is None else f"{figures['intersections']} / {figures['inversions']}"
    return [name, "stopped" if status.startswith("stopped") else status, figures["steps"], figures["wanted"], figures["iterations"],
            show(per_step(figures, "iterations"), "{:.1f}"), f"{figures['total']:.1f}", f"{limit:g}",
            show(figures["gap"], "{:.2e}"), checked]


def is_done(row, limit):
    return row is not None and (row[1] == "ended" or row[1].startswith("not run") or float(row[7]) >= limit)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=1200, help="time limit of a script")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", default="", help="scripts with this in their path")
    parser.add_argument("--again", action="store_true", help="also those that ended")
    arguments = parser.parse_args()
    if not INPUT.exists():
        sys.exit(f"ipc_scripts: no scripts at {INPUT}")
    lower_priority()
    table = Table(ROOT / "bench/results/ipc_scripts.md", "The public IPC scripts", describe, COLUMNS)
    scripts = {str(p.relative_to(INPUT).with_suffix("")): p for p in sorted(INPUT.rglob("*.txt"))}
    work = ROOT / "out/bench_ipc_scripts"
    for name, script in scripts.items():
        if arguments.only not in name or (is_done(table.rows.get(name), arguments.seconds) and not arguments.again):
            continue
        folder = work / name.replace("/", "_")
        figures = run_scene(script, folder, arguments.seconds / 60, ["output.gltf=false", "output.viewer=false"],
                            threads=arguments.threads, check_seconds=max(60, arguments.seconds))
        shutil.rmtree(folder, ignore_errors=True)
        table.set_row(make_row(name, figures, arguments.seconds, script))
        print(" | ".join(table.rows[name]), flush=True)
    table.sort(scripts)


if __name__ == "__main__":
    main()
