#!/usr/bin/env python3
"""The paper's tables of Medial Elastics beside ours: ./dev bench medial_elastics [--only TEXT] [--minutes M] [--again] [--tables 123]

Tables 1 and 2: bodies of the paper's sizes, prepared and stepped alone. Table 3: the scenes of examples/interactive with
detected contact, and with certified contact. Everything runs on one thread; rows that are there stay unless --again.
The geometry (soundness, tightness, culling) is measured by bench_medial_elastics.cpp, with a table of its own.
"""
import argparse
import json
import os
import statistics
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ipc_runs import PROGRAM, ROOT, Table, lower_priority, part_of, read_steps, run_limited, run_scene, show  # noqa: E402

sys.path[1:1] = [str(ROOT / "examples/interactive"), str(ROOT / "examples")]
import medial_scenes  # noqa: E402
WORK = ROOT / "out/bench_medial_elastics"
QUIET = ["output.gltf=false", "output.viewer=false", "output.vtu=false", "output.check=false", "output.checkpoint_every=1000000"]

# Of the paper: tets, triangles, handles, MA + QM + BW [s], n, factor [ms], constraints, global, local [ms]; and ours: mesh, handles, cells.
MODELS = {
    "Armadillo": ("156K, 62K, 104 + 26, 362 + 6 + 1, 2,028, 0.62, 65,013, 0.32, 0.16", "figure", 130, 49),
    "dinosaur": ("194K, 114K, 67 + 20, 470 + 31 + 2, 1,404, 0.45, 193,695, 0.24, 0.28", "dinosaur", 87, 80),
    "Staypuft": ("213K, 236K, 21 + 7, 172 + 10 + 1, 462, 0.16, 212,608, 0.12, 0.31", "puffed", 28, 62),
    "ship": ("482K, 236K, 188 + 9, 640 + 64 + 4, 2,526, 0.67, 482,052, 0.38, 0.56", "ship", 197, 130),
    "cactus 1": ("231K, 139K, 208 + 22, 216 + 23 + 2, 5,076, 0.87, 231,312, 0.49, 0.33", "cactus", 230, 110),
    "puffer ball": ("610K, 120K, 1,257 + 12, 776 + 73 + 13, 15,444, 3.00, 610,452, 2.43, 0.62", "puffer_20", 1269, 105),
}
MESHES = {"dinosaur": "interactive"}
MODEL_COLUMNS = ["body", "paper: tets, triangles, handles, MA + QM + BW (s), n, factor (ms), constraints, global, local (ms)", "triangles", "handles",
                 "tets", "preparation (s)", "rows", "constraints", "factor (ms)", "global (ms)", "local (ms)", "local (ns)", "memory (MB)"]
PAPER_SCENES = {
    "ship_paddles": "42.7, 13.8, 4.7; 16.0", "dinosaur_cacti": "34.5, 9.6, 4.4; 18.6", "cushion_men_cacti": "39.6, 14.5, 3.7; 16.4",
    "puffer_balls": "76.5, 16.7, 5.6; 11.3", "figures_on_stairs": "1.2 in all",
}
SCENE_COLUMNS = ["scene", "contact", "paper: sim, CC, CD (ms); frames/s", "constraints", "steps", "projections (ms)", "culling (ms)", "detection (ms)",
                 "step (ms)", "CPU step (ms)", "frames/s on one core", "contacts max", "deepest (m)", "intersections", "status"]


def median(values):
    return statistics.median(values) if values else 0


def seconds_of(steps, *names):
    return [1e3 * sum(step.get("seconds", {}).get(name, 0) for name in names) for step in steps]


def run_model(table, name, arguments):
    paper, mesh, handles, cells = MODELS[name]
    file = ROOT / f"examples/{MESHES.get(mesh, 'medial')}/meshes/{mesh}.obj"
    WORK.mkdir(parents=True, exist_ok=True)
    if mesh == "puffed":  # of a scene that is written in its large version only
        file = WORK / "puffed.obj"
        file.write_text(medial_scenes.puffed(0.08)["mesh"].text)
    body = {"name": mesh, "kind": "medial", "mesh": str(file), "handles": handles, "cells": cells, "weight_threshold": 0.01, "handle": "mixed",
            "material": {"density": 1000, "youngs_modulus": 2e5, "poissons_ratio": 0.4}}
    scene = {"time": {"step": 1 / 30, "duration": 1 / 3}, "contact": {"enabled": False}, "bodies": [body],
             "solver": {"stepper": "projective", "projective": {"contact": "detected", "volume": 0}}}
    path = WORK / f"{mesh}.json"
    path.write_text(json.dumps(scene))
    # The first run prepares; the second finds the body in the store.
    os.environ["MARROW_CACHE"] = str(WORK / "store")
    figures = []
    for turn in range(2):
        status, _, usage, stopped = run_limited([str(PROGRAM), "run", str(path), "-o", str(WORK / mesh), "--overwrite", "--threads", "1",
                                                 *[w for o in QUIET for w in ("--set", o)]], 60 * arguments.minutes, WORK / "log",
                                                is_processor_time=True)
        figures.append(usage)
        if status:
            text = (WORK / "log").read_text().splitlines()
            table.set_row([name, paper, *[""] * (len(MODEL_COLUMNS) - 3), "stopped" if stopped else (text or ["failed"])[-1][:90]])
            return
    steps = read_steps(WORK / mesh)
    own = [s["projective"] for s in steps]
    head = next(line for line in (WORK / "log").read_text().splitlines() if " nodes, " in line)
    local = min(1e3 * p["local_seconds"] / p["iterations"] for p in own)
    constraints = own[0]["constraints"]
    triangles = sum(line.startswith("f ") for line in file.read_text().splitlines())
    table.set_row([name, paper, triangles, handles, part_of(head, "elements"), f"{figures[0].ru_utime - figures[1].ru_utime:.1f}", part_of(head, "nodes"),
                   constraints, show(max(seconds_of(steps, "projective.factorize"))),
                   show(min(1e3 * p["global_seconds"] / p["iterations"] for p in own)), show(local), show(1e6 * local / constraints, "{:.0f}"),
                   f"{figures[1].ru_maxrss / 1024:.0f}"])
    print(table.rows[name], flush=True)


def run_row(table, scene, contact, arguments):
    name = scene.stem.removesuffix("_projective")
    row = f"{name}, {contact}"
    overrides = list(QUIET)
    if contact == "certified":
        overrides += ["solver.projective.contact=certified", "solver.projective.newton_iterations=0"]
    folder = WORK / row.replace(", ", "_")
    f = run_scene(scene, folder, arguments.minutes, overrides, threads=1)
    steps = read_steps(folder)
    own = [s["projective"] for s in steps if "projective" in s]
    count = max(1, len(steps))
    walls = [1e3 * s["wall_time"] for s in steps]
    cpu = 1e3 * f["cpu"] / count
    # Of the whole run's processor time, reading and preparing is what the clock of the steps does not show.
    share = min(1.0, sum(walls) / (1e3 * f["total"]))
    table.set_row([row, contact, PAPER_SCENES.get(name, ""), own[0]["constraints"] if own else "", f"{f['steps']} of {f['wanted']}",
                   show(median([1e3 * (p["local_seconds"] + p["global_seconds"]) for p in own]), "{:.1f}"),
                   show(median(seconds_of(steps, "projective.culling")), "{:.1f}"),
                   show(median([a - b for a, b in zip(seconds_of(steps, "projective.detect"), seconds_of(steps, "projective.culling"))]), "{:.1f}"),
                   show(median(walls), "{:.0f}"), show(share * cpu, "{:.0f}"), show(1e3 / (share * cpu) if cpu else 0, "{:.1f}"), f["contacts"],
                   show(max((p.get("penetration", 0) for p in own), default=0), "{:.1e}"), show(f["intersections"], "{}"), f["status"][:80]])
    print(table.rows[row], flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--minutes", type=float, default=3, help="of processor time a run")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--tables", default="123")
    parser.add_argument("--folder", type=Path, default=ROOT / "examples/interactive", help="of the scenes; those of generate.py --fine, for instance")
    arguments = parser.parse_args()
    lower_priority()
    busy = "One thread of two cores with a load of ten: CPU and preparation are processor time; all others are by the clock, the least or the median of the steps, and up to five times too long."
    models = Table(ROOT / "bench/results/medial_elastics_bodies.md", "Medial Elastics: bodies (the paper's tables 1 and 2)", [
        "Bodies of our own geometry with the paper's numbers of handles, and a fifth to a half of its tets; mixed handles, no contact, 10 steps, shape",
        "constraints alone, as in the paper. *Rows* of the global matrix: it is scalar, so its order is a third of the paper's n. *Preparation* is processor",
        f"time from the surface to weights. {busy} The paper: a Titan RTX."], MODEL_COLUMNS)
    for name in MODELS if "1" in arguments.tables or "2" in arguments.tables else ():
        if arguments.only in name and (arguments.again or name not in models.rows):
            run_model(models, name, arguments)
    scenes = Table(ROOT / "bench/results/medial_elastics_scenes.md", "Medial Elastics: scenes (the paper's table 3)", [
        "The small scenes of `examples/interactive`, from start to end. *Projections*: local and global steps; *culling*: bounds and pairs of primitives;",
        "*detection*: vertices, voxels and triangles; all per step (detection runs three times in a step). Certified: at most 5 steps with the constant matrix,",
        f"no Newton iteration. {busy}"], SCENE_COLUMNS)
    for scene in sorted(arguments.folder.glob("*.json")) if "3" in arguments.tables else ():
        contacts = ["detected", "certified"] if '"projective"' in scene.read_text() else ["Newton"]
        for contact in contacts if scene.stem.removesuffix("_projective") not in ("toys", "drawer", "jelly") else ():
            row = f"{scene.stem.removesuffix('_projective')}, {contact}"
            if arguments.only in row and (arguments.again or row not in scenes.rows):
                run_row(scenes, scene, contact, arguments)


if __name__ == "__main__":
    main()
