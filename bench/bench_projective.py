#!/usr/bin/env python3
"""The projective stepper: ./dev bench projective [--only TEXT] [--minutes M] [--again] [--threads N]

One row per scene of examples/interactive/*_projective.json and way to step it: detected contact with all or some
projections, certified contact with 0, 1 or as many Newton iterations as it takes, and Newton alone. The table is
bench/results/projective_scenes.md; bench/results/projective.md compares it with the paper's. Every run ends by itself or
after M minutes (2 if none are given; the table then says how far it came). Rows that the table has already are kept
unless --again is given.
"""
import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ipc_runs import ROOT, Table, lower_priority, per_step, read_steps, run_scene, show  # noqa: E402

WORK = ROOT / "out/bench_projective"
QUIET = ["output.gltf=false", "output.viewer=false", "output.checkpoint_every=1000000"]
CERTIFIED = "solver.projective.contact=certified"
WAYS = {
    "detected": [],
    "detected, hyper 1000": ["solver.projective.local=hyper"],
    "certified, 0 Newton": [CERTIFIED, "solver.projective.newton_iterations=0"],
    "certified, 1 Newton": [CERTIFIED, "solver.projective.newton_iterations=1"],
    "certified": [CERTIFIED],
    "Newton": None,
}
COLUMNS = ["scene, way", "constraints", "steps", "PD iterations/step", "local ms/iteration", "global ms/iteration",
           "local ns/constraint", "quasi-Newton/step", "Newton/step", "ms/step", "CPU ms/step", "contacts max",
           "deepest (m)", "intersections", "status"]

NOTES = ["Scenes of `examples/interactive`, every step of them. Seconds are by the clock; CPU ms/step is processor time of the",
         "whole run, with reading, output and the witness, over its steps. Detected contact has intersections; the deepest is that",
         "of a vertex at the end of a step."]


def list_overrides(scene, way):
    """Newton takes none of the projective options."""
    if WAYS[way] is not None:
        return WAYS[way]
    text = scene.read_text(encoding="utf-8")
    plain = WORK / scene.name
    plain.parent.mkdir(parents=True, exist_ok=True)
    begin = text.index('  "solver"')
    plain.write_text(text[:begin] + text[text.index("\n", begin) + 1:].replace('"../', f'"{scene.parent.parent}/'), encoding="utf-8")
    return []


def run_row(table, scene, way, arguments):
    overrides = list_overrides(scene, way)
    row = f"{scene.stem.replace('_projective', '')}, {way}"
    folder = WORK / row.replace(", ", "_").replace(" ", "_")
    file = WORK / scene.name if WAYS[way] is None else scene
    f = run_scene(file, folder, arguments.minutes, [*QUIET, *overrides], threads=arguments.threads)
    own = [s["projective"] for s in read_steps(folder) if "projective" in s]
    iterations = sum(p["iterations"] for p in own)
    constraints = own[0]["constraints"] if own else 0
    per_iteration = {key: 1e3 * sum(p[key] for p in own) / max(1, iterations) for key in ("local_seconds", "global_seconds")}
    steps = f["steps"] if f["steps"] == f["wanted"] else f"{f['steps']} of {f['wanted']}"
    count = max(1, f["steps"])
    wall, cpu = per_step(f, "seconds"), per_step(f, "cpu")
    table.set_row([row, constraints or "–", steps, show(iterations / count, "{:.1f}") if own else "–",
                   show(per_iteration["local_seconds"]) if own else "–", show(per_iteration["global_seconds"]) if own else "–",
                   show(1e6 * per_iteration["local_seconds"] / constraints, "{:.0f}") if own else "–",
                   show(sum(p["quasi_newton_iterations"] for p in own) / count, "{:.1f}") if own else "–",
                   show(per_step(f, "iterations"), "{:.1f}"), show(1e3 * wall if wall else None, "{:.1f}"),
                   show(1e3 * cpu if cpu else None, "{:.1f}"), f["contacts"],
                   show(max((p.get("penetration", 0) for p in own), default=0), "{:.1e}") if "detected" in way else "0",
                   show(f["intersections"], "{}"), f["status"].replace("|", "/")[:90]])
    print(row, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--threads", type=int)
    arguments = parser.parse_args()
    lower_priority()
    table = Table(ROOT / "bench/results/projective_scenes.md", "Benchmark: projective_scenes", NOTES, COLUMNS)
    for scene in sorted((ROOT / "examples/interactive").glob("*_projective.json")):
        for way in WAYS:
            row = f"{scene.stem.replace('_projective', '')}, {way}"
            if arguments.only not in row or (row in table.rows and not arguments.again):
                continue
            run_row(table, scene, way, arguments)


if __name__ == "__main__":
    main()
