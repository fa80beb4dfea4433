#!/usr/bin/env python3
"""Remeshing within the steps against uniform refinement: ./dev bench remeshing [--only cantilever,bar_twist] [--again]

Every scene of examples/remeshing with its mesh refined as a whole (refine), and with remesh at several thresholds (gain_relative). Errors are
against the finest run of the scene. Times are processor seconds of the whole run on one thread, which other work on the machine changes little.
"""
import argparse
import csv
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "bench/results/remeshing.md"
COLUMNS = ["run", "nodes at the end", "error", "processor s", "iterations", "splits", "edges looked at", "patches solved", "refused", "remeshing s"]
GAINS = ["1e-2", "1e-3", "1e-4"]
SCENES = {
    # steps, the reference's body, uniform refinements, gains
    "cantilever": (3, {"refine": 3, "order": 2}, [0, 1, 2, 3], GAINS + ["1e-5"]),
    "bar_twist": (30, {"refine": 2}, [0, 1], GAINS),
    "ball_on_spikes": (25, {"refine": 2}, [0, 1], GAINS[:2]),
}
ABOUT = {
    "cantilever": "Error: elastic and potential energy at rest above that of the reference, over the latter's size; smaller is better, none is negative.",
    "bar_twist": "Error: the elastic energy against the reference's, root mean square over the steps, over the reference's largest.",
    "ball_on_spikes": "Error: the largest distance of the ball's centre from the reference's over all steps [m].",
}


def read_scene(name):
    text = (ROOT / "examples/remeshing" / f"{name}.json").read_text()
    return json.loads("\n".join(line for line in text.splitlines() if not line.lstrip().startswith("//")))


def run_scene(marrow, name, settings, folder, steps=None):
    """The scene with these settings of its first body in place of remesh."""
    scene = read_scene(name)
    del scene["bodies"][0]["remesh"]
    scene["bodies"][0].update(settings)
    scene["output"] = {"gltf": False, "viewer": False}
    (folder / "scene.json").write_text(json.dumps(scene))
    out = folder / "out"
    command = [marrow, "run", str(folder / "scene.json"), "-o", str(out), "--overwrite", "--threads", "1", "--steps", str(steps or SCENES[name][0])]
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, capture_output=True, text=True)
    user = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout[-1000:]}{done.stderr[-1000:]}")
    lines = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
    bad = sum(line.get("intersections", 0) + line.get("inversions", 0) for line in lines)
    if bad:
        sys.exit(f"{name} {settings}: {bad} intersections and inversions")
    centres = [[float(row[axis]) for axis in "xyz"] for row in csv.DictReader((out / "bodies.csv").open()) if row["kind"] == "soft"]
    newest = sorted((out / "frames").iterdir())[-1].read_bytes()
    nodes = int(newest.split(b'NumberOfPoints="')[1].split(b'"')[0])
    if settings.get("order", 1) > 1:
        nodes = None  # files have the points of the surface
    return {"user": user, "lines": lines, "centres": centres, "nodes": nodes}


def find_error(name, run, reference):
    if name == "cantilever":
        total = [sum(one["lines"][-1]["energy"][part] for part in ("elastic", "gravity")) for one in (run, reference)]
        return (total[0] - total[1]) / abs(total[1])
    if name == "bar_twist":
        pairs = [(a["energy"]["elastic"], b["energy"]["elastic"]) for a, b in zip(run["lines"], reference["lines"])]
        mean = sum((a - b) ** 2 for a, b in pairs) / len(pairs)
        return mean ** 0.5 / max(b for _, b in pairs)
    return max(sum((p - q) ** 2 for p, q in zip(a, b)) ** 0.5 for a, b in zip(run["centres"], reference["centres"]))


def count_others(marrow, name, folder):
    """Points of the bodies that are not measured."""
    run = run_scene(marrow, name, {"remesh": {"max_nodes": 4}}, folder, steps=1)
    return run["nodes"] - run["lines"][-1]["remesh"]["nodes"]


def format_row(label, name, run, reference, others):
    own = [line["remesh"] for line in run["lines"] if "remesh" in line]
    add = lambda key: sum(part[key] for part in own)  # noqa: E731
    cells = [label, f"{run['nodes'] - others:,}" if run["nodes"] else "", f"{find_error(name, run, reference):.3g}" if run is not reference else "reference", f"{run['user']:.2f}",
             str(sum(line["iterations"] for line in run["lines"]))]
    cells += [str(add(key)) for key in ("splits", "proposals", "solved", "refused")] + [f"{add('seconds'):.2f}"] if own else [""] * 5
    return "| " + " | ".join(cells) + " |"


def bench_scene(marrow, name, folder):
    steps, finest, refinements, gains = SCENES[name]
    reference = run_scene(marrow, name, {"mass": "consistent", **finest}, folder)
    others = count_others(marrow, name, folder)
    rows = []
    for count in refinements:
        settings = {"mass": "consistent", **({"refine": count} if count else {})}
        rows.append(format_row(f"uniform, refine {count}", name, run_scene(marrow, name, settings, folder), reference, others))
        print(rows[-1], flush=True)
    for gain in gains:
        settings = {"remesh": {"gain_relative": float(gain), "max_nodes": 20000, "rounds": 10 if name == "cantilever" else 3}}
        rows.append(format_row(f"remesh, gain_relative {gain}", name, run_scene(marrow, name, settings, folder), reference, others))
        print(rows[-1], flush=True)
    rows.append(format_row(", ".join(f"{key} {value}" for key, value in finest.items()), name, reference, reference, others))
    head = ["| " + " | ".join(COLUMNS) + " |", "| --- |" + " ---: |" * (len(COLUMNS) - 1)]
    return [f"## {name}, {steps} steps", "", ABOUT[name], "", *head, *rows, ""]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("marrow", nargs="?", default=str(ROOT / "build/release/bin/marrow"))
    parser.add_argument("--only", default="", help="scenes, separated by commas")
    parser.add_argument("--again", action="store_true", help="accepted for ./dev bench; every run is made anew")
    arguments = parser.parse_args()
    parts = {}
    if TABLE.is_file():  # scenes that are not measured now keep their tables
        for part in TABLE.read_text().split("\n## ")[1:]:
            parts[part.split(",")[0]] = ("## " + part.rstrip("\n")).split("\n") + [""]
    for name in arguments.only.split(",") if arguments.only else SCENES:
        with tempfile.TemporaryDirectory() as folder:
            parts[name] = bench_scene(arguments.marrow, name, Path(folder))
        text = ["# Remeshing", "", "Made by `./dev bench remeshing`. Processor seconds are of the whole run, output and check included, on one thread; other",
                "programs ran beside. No run had an intersection or an inversion in any frame.", ""]
        TABLE.write_text("\n".join(text + [line for scene in SCENES if scene in parts for line in parts[scene]]).rstrip("\n") + "\n")


if __name__ == "__main__":
    main()
