#!/usr/bin/env python3
"""Medial bodies in scenes: ./dev bench medial [parts…] [--only TEXT] [--minutes M] [--again] [--threads N]

Parts, each with a table of its own in bench/results/, all if none is named:

    scenes   the scenes of examples/medial in both sizes, the small ones colliding by spheres, cones and slabs and by the
             surface, the large ones by the former; the columns of Medial IPC's table 2      medial_scenes.md
    friction the figure over the cacti with more and more friction: is it held?              medial_friction.md
    authors  dinosaur, squishy ball, Armadillo and spider of the shared data                 medial_authors.md
    plot     deviation against the number of handles, from medial_soft.md                    medial_handles.svg

Every run ends by itself or after M minutes (2 if none are given; the table then says how far it came). Rows that a table has already are kept unless --again is given. Beside them:
`./dev bench medial_prepare` (preparation of every surface) and `./dev bench medial_soft` (against soft bodies).
"""
import argparse
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ipc_runs import PROGRAM, ROOT, Table, lower_priority, part_of, per_step, read_steps, run_scene, show  # noqa: E402
from stiff_plot import write_plot  # noqa: E402

WORK = ROOT / "out/bench_medial"
QUIET = ["output.gltf=false", "output.viewer=false", "output.checkpoint_every=1000000"]
DATA = ROOT.parent / "shared/data/medial"
# The columns of the paper's table 2, as sums of our named scopes [s].
SCOPES = {
    "element stiffness": ["elasticity.hessian"],
    "reduced integration": ["assembly.clear", "reduced.rows", "reduced.hessian"],
    "barrier Hessian": ["barrier.hessian", "friction.hessian"],
    "distance": ["broad_phase.total", "contact.set", "contact.narrow"],
    "CCD": ["contact.step_limit"],
    "solve": ["linear.copy", "linear.factorize", "linear.solve", "linear.analyze", "linear.order"],
}
COLUMNS = ["scene, collider", "nodes", "scene as read", "steps", "iterations/step", *[f"{name} ms" for name in SCOPES],
           "ms/step", "CPU ms/step", "contacts max", "smallest gap (m)", "intersections", "status"]


def scope_times(folder, steps):
    sums = dict.fromkeys(SCOPES, 0.0)
    for step in read_steps(folder):
        for name, scopes in SCOPES.items():
            sums[name] += sum(step.get("seconds", {}).get(scope, 0) for scope in scopes)
    return [show(1e3 * value / max(1, steps), "{:.2f}") for value in sums.values()]


def run_row(table, row, scene, overrides, arguments):
    folder = WORK / row.replace(", ", "_").replace(" ", "_")
    f = run_scene(scene, folder, arguments.minutes, [*QUIET, *overrides], threads=arguments.threads)
    steps = f["steps"] if f["steps"] == f["wanted"] else f"{f['steps']} of {f['wanted']}"
    wall, cpu = per_step(f, "seconds"), per_step(f, "cpu")
    cells = [row, part_of(f["head"], "nodes"), f["head"].split(":")[-1].split("→")[0].strip(), steps, show(per_step(f, "iterations"), "{:.1f}"),
             *scope_times(folder, f["steps"]), show(1e3 * wall if wall else None, "{:.1f}"), show(1e3 * cpu if cpu else None, "{:.1f}"), f["contacts"],
             show(f["gap"], "{:.1e}"), show(f["intersections"], "{}"), f["status"].replace("|", "/")[:90]]
    table.set_row(cells)
    print(" | ".join(str(cell) for cell in cells), flush=True)


def bench_scenes(arguments):
    table = Table(ROOT / "bench/results/medial_scenes.md", "Benchmark: medial_scenes", [
        "Scenes of examples/medial. The columns from element stiffness to solve are those of Medial IPC's table 2, in ms per step; what is "
        "left of the step is values, gradients and the line search. Intersections: by the exact checker over all frames, of the surface or of spheres, cones and "
        "slabs as the collider says; pairs that overlap at rest are left out (docs/models/medial.md). CPU: processor time of the whole process, "
        "reading, preparation from the store and writing included. Milliseconds of a busy machine: compare columns within a row. Scenes that are not listed were not "
        "run."], COLUMNS)
    small = ROOT / "examples/medial"
    fine = WORK / "fine"
    if not any(fine.glob("*.json")):  # takes minutes
        subprocess.run([sys.executable, small / "generate.py", "--fine", "-o", fine], check=True)
    scenes = [(path.stem, path) for path in sorted(small.glob("*.json"))] + [(f"{path.stem}, fine", path) for path in sorted(fine.glob("*.json"))]
    for name, path in scenes:
        bodies = [k for k, kind in enumerate(list_kinds(path)) if kind == "medial"]
        for collider in ("medial",) if "fine" in name else ("medial", "surface"):
            row = f"{name}, {collider}"
            if arguments.only not in row or (row in table.rows and not arguments.again):
                continue
            run_row(table, row, path, [f'bodies[{k}].collider="{collider}"' for k in bodies], arguments)


def bench_friction(arguments):
    """Mass, height and speed of the figure follow from gravity's energy and the momentum: nothing else moves."""
    table = Table(ROOT / "bench/results/medial_friction.md", "Benchmark: medial_friction", [
        "examples/medial/figure_into_cacti_rough.json with more and less friction between the figure and the four cacti that it falls onto. "
        "Fallen: way of the centre of mass, which meets the cacti after 0.3 m. Speed: of the centre of mass along the vertical, the mean over the last 0.2 s. "
        "Falls through: more than 1 m; held: less, and slower than 0.2 m/s."],
        ["friction", "steps", "fallen (m)", "speed at the end (m/s)", "highest speed (m/s)", "result", "iterations/step", "intersections", "status"])
    gravity, scene = 9.81, ROOT / "examples/medial/figure_into_cacti_rough.json"
    for friction in (0.02, 0.6, 0.1, 0.3):
        if str(friction) in table.rows and not arguments.again:
            continue
        folder = WORK / f"friction_{friction}"
        f = run_scene(scene, folder, arguments.minutes, [*QUIET, f"contact.friction={friction}"], threads=arguments.threads)
        steps = read_steps(folder)
        mass = -steps[0]["momentum"][1] / (gravity * steps[0]["time"])
        speeds = [step["momentum"][1] / mass for step in steps]
        fallen, speed = -steps[-1]["energy"]["gravity"] / (mass * gravity), sum(speeds[-20:]) / 20
        result = "falls through" if fallen > 1 else "held" if abs(speed) < 0.2 else "moving"
        table.set_row([friction, len(steps), f"{fallen:.3f}", f"{speed:.3f}", f"{-min(speeds):.2f}", result, show(per_step(f, "iterations"), "{:.1f}"),
                       show(f["intersections"], "{}"), f["status"].replace("|", "/")[:90]])
        print(list(table.rows.values())[-1], flush=True)


def list_kinds(path):
    """The kinds of a scene's bodies, in order."""
    return [line.split('"')[3] for line in path.read_text().splitlines() if line.strip().startswith('"kind"')]


def write_tetgen(source, target):
    """A .tobj file (v: points, t: tets) as TetGen's .node and .ele."""
    words = [line.split() for line in source.read_text().splitlines()]
    points, tets = ([w[1:] for w in words if w and w[0] == kind] for kind in "vt")
    target.with_suffix(".node").write_text(f"{len(points)} 3 0 0\n" + "".join(f"{k} {' '.join(p)}\n" for k, p in enumerate(points)))
    target.with_suffix(".ele").write_text(f"{len(tets)} 4 0\n" + "".join(f"{k} {' '.join(t)}\n" for k, t in enumerate(tets)))


FLOOR = {"shape": {"type": "box", "size": [4, 0.2, 4], "cells_x": 1, "cells_y": 1, "cells_z": 1}, "position": [0, -0.1, 0]}


def put_above(path, drop=0.3):
    """A body of a surface (OBJ, OFF), made 1 m high and that far above the floor."""
    lines = [line.split() for line in path.read_text().splitlines()]
    points = [w[1:4] for w in lines if w[:1] == ["v"]] if path.suffix == ".obj" else [w for w in lines[2:] if len(w) == 3]
    heights = [float(point[1]) for point in points]
    scale = 1 / (max(heights) - min(heights))
    return {"scale": [scale] * 3, "position": [0, drop - scale * min(heights), 0],
            "material": {"density": 1000, "youngs_modulus": 1e5, "poissons_ratio": 0.4}}


def list_authors():
    """Of each model: its tets or surface, its medial mesh (or a number of handles), and the body and floor of a scene."""
    dinosaur = DATA / "Medial-IPC/example/test"
    squishy = WORK / "squishy"
    armadillo, spider = DATA.parent / "meshes/libigl-tutorial-data/armadillo.obj", DATA / "Luke-QMAT/data/spider.off"
    write_tetgen(DATA / "xjbd/assets/squishy/squishy.tobj", squishy)
    return {
        "dinosaur": (dinosaur / "dinosaur_h/dinosaur_h.node", dinosaur / "dinosaur_h/dinosaur_h.mat",
                     {"position": [0, 1.78, 0], "rotation": [0, 0, 45], "material": {"density": 2, "youngs_modulus": 1000, "poissons_ratio": 0.35}},
                     {"mesh": str(dinosaur / "floor/floor_tran0.obj")}),  # as the authors' program has placed it
        "squishy ball": (squishy.with_suffix(".node"), DATA / "xjbd/assets/squishy/ma/squishy.ma",
                         {"position": [0, 0.8, 0], "material": {"density": 1000, "youngs_modulus": 1e5, "poissons_ratio": 0.4}},
                         FLOOR),
        "armadillo": (armadillo, 100, put_above(armadillo), FLOOR),
        "spider": (spider, spider.with_name("spider_v100.ma"), put_above(spider), FLOOR),
    }


def bench_authors(arguments):
    table = Table(ROOT / "bench/results/medial_authors.md", "Benchmark: medial_authors", [
        "Models of others with their own medial meshes (Medial IPC's dinosaur scene with its settings: step 0.02 s, E = 1000 Pa, density 2; a squishy ball "
        "and Q-MAT's spider falling 0.3 m), and the Armadillo with a medial mesh of ours of 100 handles, 1.2 s each. Columns as in medial_scenes.md."], COLUMNS)
    if not DATA.exists():
        print(f"authors: left out, {DATA} is not there", flush=True)
        return
    WORK.mkdir(parents=True, exist_ok=True)
    for name, (tets, medial, body, floor) in list_authors().items():
        prepared = WORK / f"{name.replace(' ', '_')}.medial"
        for collider in ("medial", "surface"):
            row = f"{name}, {collider}"
            if arguments.only not in row or (row in table.rows and not arguments.again):
                continue
            if not prepared.exists():
                source = ["--handles", str(medial)] if isinstance(medial, int) else ["--medial", medial]
                subprocess.run([PROGRAM, "prepare", "medial", tets, *source, "-o", prepared], check=True)
            scene = prepared.with_suffix(f".{collider}.json")
            scene.write_text(json.dumps({
                "time": {"step": 0.02, "duration": 1.2},
                "bodies": [{"name": name, "kind": "medial", "mesh": str(prepared), "collider": collider, **body},
                           {"name": "floor", "kind": "obstacle", **floor}]}))
            run_row(table, row, scene, [], arguments)


def bench_plot(arguments):
    """Mean deviation against handles, by scene and kind."""
    path = ROOT / "bench/results/medial_soft.md"
    lines = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) < 11 or not cells[1].startswith("medial, "):
            continue
        _, handles, *kind = cells[1].split(", ")
        lines.setdefault(f"{cells[0]}, {', '.join(kind)}", []).append((float(handles.split()[0]), max(1e-4, float(cells[9]))))
    write_plot(ROOT / "bench/results/medial_handles.svg", {name: sorted(points) for name, points in lines.items()}, "handles",
               "mean deviation of the surface from the soft body, % of the box diagonal")


PARTS = {"scenes": bench_scenes, "friction": bench_friction, "authors": bench_authors, "plot": bench_plot}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS])
    parser.add_argument("--only", default="")
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--again", action="store_true")
    arguments = parser.parse_args()
    lower_priority()
    for part in arguments.parts or PARTS:
        PARTS[part](arguments)


if __name__ == "__main__":
    main()
