#!/usr/bin/env python3
"""High order and free colliders: ./dev bench high_order [--only TEXT] [--minutes M] [--again] [--list]

Table 5.2 of Ferguson's thesis with our column: every variant of its nine scenes that runs to its end within M minutes of
processor time (10 if none are given). Meshes are those of ../shared/data where they are there, else those of
examples/high_order/generate.py. One thread. Each row is measured: the last column says what of the motion, and how far it
is from the row of its scene that is marked as the reference. Then the cost of an iteration by order and stage, on cubes
with the same number of unknowns. Rows that bench/results/high_order.md has already are kept unless --again is given.
"""
import argparse
import csv
import json
import math
import re
import subprocess
import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parent.parent / "examples/high_order")]
import generate  # noqa: E402
from ipc_runs import PROGRAM, ROOT, Table, lower_priority, part_of, read_steps, run_scene  # noqa: E402
from scene_files import write_scene  # noqa: E402

WORK = ROOT / "out/bench_high_order"
DATA = ROOT.parent / "shared/data"
POLYFEM = DATA / "scenes/polyfem-data/contact/meshes/3D"
QUIET = ["output.gltf=false", "output.vtu_every=1000000", "output.checkpoint_every=1000000"]
COLUMNS = ["scene, variant", "tets", "triangles that collide", "unknowns", "steps", "iterations", "processor time [s]", "thesis [s]", "of the same",
           "intersections", "inverted", "measured", "difference from the reference", "status"]
NOTES = ["Processor time is that of the whole run to its end on one thread, start, output and check of every frame included; others",
         "worked on the machine meanwhile. The thesis's seconds are of 16 threads by the clock. *Of the same*: whether the row has",
         "the thesis's mesh and duration; only then may the two be compared. Intersections and inverted tets are those that",
         "`marrow check` finds in the frames, by exact arithmetic and bounds over whole tets.",
         "What the rows are, and what is measured: [bench_high_order.py](../bench_high_order.py). What follows from them:",
         "[curved tets](../../docs/models/curved.md) and [colliders](../../docs/models/colliders.md).",
         "No row has the thesis's mesh and duration, so no ratio is given. References are P1 meshes as fine as time allowed: that of",
         "the mat has one tet across and is too stiff itself. Rows of the list (`--list`) that are missing here were not run."]


class Row:
    """scene: what generate.py's functions return. thesis: its seconds; is_same: the same tets, surface and duration."""

    def __init__(self, scene, measure, thesis=None, is_same=False, is_reference=False):
        self.scene, self.measure, self.thesis, self.is_same, self.is_reference = scene, measure, thesis, is_same, is_reference


def first_body(scene, **changes):
    """The scene with the first body changed; a value of None removes the key."""
    body = scene.bodies[0]
    for key, value in changes.items():
        if isinstance(value, generate.MeshFile):
            scene.meshes[value.name] = value.text
            value = {"mesh": "meshes/" + value.name} if key == "collider" else "meshes/" + value.name
        if value is None:
            body.pop(key, None)
        else:
            body[key] = value
    return scene


def shortened(scene, duration):
    scene.time["duration"] = duration
    return scene


# ---- what is measured ------------------------------------------------------------------------------------------------

def read_body(folder, name):
    with open(folder / "bodies.csv", encoding="utf-8", newline="") as file:
        return [{k: float(v) for k, v in row.items() if k not in ("body", "kind") and v} for row in csv.DictReader(file) if row["body"] == name]


def measure_sag(name):
    """How far the middle of a beam has gone aside: its mean does 0.6 of that."""
    return lambda folder: (f"centre {aside(read_body(folder, name)[-1]):.4f} m aside", aside(read_body(folder, name)[-1]))


def aside(row):
    return math.hypot(row["y"], row["z"])


def measure_bounce(name):
    """The height of the second fall's top, and how far the ball has gone aside."""
    def measure(folder):
        rows = read_body(folder, name)
        low = min(range(len(rows)), key=lambda i: rows[i]["y"])
        top = max(r["y"] for r in rows[low:])
        return f"bounces to {top:.4f} m, {1000 * math.hypot(rows[-1]['x'], rows[-1]['z']):.2f} mm aside", top
    return measure


def measure_roll(name):
    def measure(folder):
        last, first = read_body(folder, name)[-1], read_body(folder, name)[0]
        way = math.hypot(last["x"] - first["x"], last["y"] - first["y"])
        return f"rolls {way:.4f} m, {1000 * abs(last['z'] - first['z']):.2f} mm aside", way
    return measure


def measure_height(name):
    return lambda folder: (f"centre at {read_body(folder, name)[-1]['y']:.5f} m", read_body(folder, name)[-1]["y"])


def measure_centre(name, axis="y"):
    def measure(folder):
        rows = read_body(folder, name)
        way = rows[-1][axis] - rows[0][axis]
        return f"centre moved {way:.5g} m along {axis}", way
    return measure


def measure_twist(name):
    """The elastic energy at the end, that of the last step's line: how stiff the mat is against its twist."""
    def measure(folder):
        energy = read_steps(folder)[-1]["energy"]["elastic"]
        return f"elastic energy {energy:.3f} J", energy
    return measure


# ---- the rows --------------------------------------------------------------------------------------------------------

def list_beam():
    make = lambda order, cells, cut=None: generate.pressed_beam(False, order, cells, cut)
    measure = measure_sag("beam")
    return {"P1, 48 tets": Row(make(1, (8, 1, 1)), measure, 15), "P1, 1,200 tets": Row(make(1, (22, 3, 3)), measure),
            "P1, 6,000 tets (reference)": Row(make(1, (40, 5, 5)), measure, is_reference=True),
            "P2, 48 tets": Row(make(2, (8, 1, 1), 6), measure, 57), "P3, 48 tets": Row(make(3, (8, 1, 1), 6), measure, 58)}


def list_bouncing():
    measure = measure_bounce("ball")
    body = lambda **changes: shortened(first_body(generate.bouncing_ball(True), **changes), 0.7)
    fine = {"shape": {"type": "sphere", "radius": 0.5, "resolution": 5}, "order": None, "collider": None}
    rows = {"own ball, P1": Row(body(order=None, collider=None), measure, 8), "own ball, P1, round surface": Row(body(order=None), measure, 12),
            "own ball, P2, round surface": Row(body(), measure), "own ball, fine P1 (reference)": Row(body(**fine), measure, 256, is_reference=True)}
    if POLYFEM.exists():
        coarse = lambda q, **changes: body(shape=None, mesh=str(POLYFEM / f"simple/sphere/coarse/P{q}.msh"), scale=[0.5] * 3, **changes)
        rows |= {"30 tets P1": Row(coarse(1, order=None, collider=None), measure, 8),
                 "30 tets P1, round surface": Row(coarse(1, order=None), measure, 12),
                 "30 tets curved P2": Row(coarse(2, order=None, collider=None, surface_cells=6), measure),
                 "30 tets curved P4": Row(coarse(4, order=None, collider=None, surface_cells=6), measure, 26)}
    return rows


def list_rolling():
    measure = measure_roll("ball")
    ball = first_body(generate.rolling_ball(True), shape={"type": "sphere", "radius": 0.5, "resolution": 6}, collider=None,
                      material=generate.material(1e9, 1000, 0.4))
    return {"cube of 48 tets, round surface": Row(generate.rolling_ball(True), measure, 47), "ball of P1 tets (reference)": Row(ball, measure, 352, is_reference=True)}


def list_mat():
    measure = measure_twist("mat")
    make = lambda order, cells, cut, duration=0.64: shortened(first_body(generate.mat_twist(False), order=order, surface_cells=cut, shape={
        "type": "plate", "width": 1, "depth": 1, "thickness": 0.04, "cells_x": cells, "cells_z": cells}), duration)
    return {"P1, 384 tets": Row(make(None, 8, None), measure), "P2, 384 tets": Row(make(2, 8, 4), measure),
            "P1, 9,600 tets (reference)": Row(make(None, 40, None), measure, is_reference=True)}


def list_microstructure():
    measure = measure_centre("frame")
    own = lambda **changes: shortened(first_body(generate.microstructure(False), **changes), 0.3)
    return {"own frame, P1, true surface": Row(own(order=1), measure), "own frame, P2, true surface": Row(own(), measure)}


def list_compactor():
    measure = measure_height("creature")
    own = lambda **changes: first_body(generate.trash_compactor(False), **changes)
    return {"own creature, P1, true surface": Row(own(), measure), "own creature, P2, true surface": Row(own(order=2), measure),
            "own creature, filled P1 (reference)": Row(own(mesh="meshes/creature.obj", collider=None, tet_size=0.04), measure, is_reference=True)}


def list_bolt():
    measure = measure_centre("bolt")
    rows = {"own bolt, coarse tets, true surface": Row(generate.nut_and_bolt(False), measure)}
    if POLYFEM.exists():
        def screw(**changes):  # of other meshes and mass
            scene = first_body(generate.nut_and_bolt(False), position=[0, 0, 0], scale=[0.01] * 3, densities=None, **changes)
            scene.bodies[1].update(mesh=str(POLYFEM / "screw/nut.obj"), scale=[0.01] * 3)
            scene.rest["gravity"] = [0, -9.81, 0]
            return scene
        proxy = POLYFEM.parent.parent / "examples/3D/rigid/proxy"
        rows |= {"492 tets, true surface": Row(screw(mesh=str(proxy / "screw-coarse.msh"), collider={"mesh": str(proxy / "screw.ply")}), measure, 580),
                 "6,059 tets (reference)": Row(screw(mesh=str(POLYFEM / "screw/screw.msh"), collider=None), measure, 1324, is_reference=True)}
    return rows


def list_balancing():
    measure = measure_height("figure")
    fine = first_body(generate.balancing_armadillo(False, densities=False), mesh="meshes/dancer.obj", collider=None, tet_size=0.05)
    return {"coarse tets, true surface, one density": Row(generate.balancing_armadillo(False, densities=False), measure, 19),
            "the same, densities": Row(generate.balancing_armadillo(False), measure, 9), "filled (reference)": Row(fine, measure, 17, is_reference=True)}


def list_rollers():
    measure = measure_height("figure")
    own = lambda **changes: shortened(first_body(generate.armadillo_rollers(False), **changes), 1.5)
    return {"own figure, P1, true surface": Row(own(), measure), "own figure, P2, true surface": Row(own(order=2), measure),
            "own figure, filled P1 (reference)": Row(own(mesh="meshes/figure.obj", collider=None, tet_size=0.04), measure, is_reference=True)}


SCENES = {"bending beam": list_beam, "bouncing ball": list_bouncing, "rolling ball": list_rolling, "mat twist": list_mat,
          "microstructure": list_microstructure, "trash compactor": list_compactor, "nut and bolt": list_bolt,
          "balancing armadillo": list_balancing, "armadillo rollers": list_rollers}


def list_rows(only=""):
    """Rows by name, references last, as they take longest; only: those whose name may have this text, as their meshes take time."""
    rows = {}
    for scene, make in SCENES.items():
        if any(only in other for other in SCENES if other != scene) and only not in scene:
            continue
        own = make()
        for name in sorted(own, key=lambda n: own[n].is_reference):
            rows[f"{scene}: {name}"] = own[name]
    return rows


# ---- runs ------------------------------------------------------------------------------------------------------------

def slug_of(name):
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


def run_row(table, name, row, minutes):
    """Runs the row; returns the number that is measured, or nothing."""
    slug = slug_of(name)
    WORK.mkdir(parents=True, exist_ok=True)
    write_scene(slug, row.scene, WORK)
    folder = WORK / f"run_{slug}"
    f = run_scene(WORK / f"{slug}.json", folder, minutes, QUIET, threads=1)
    head, log = f["head"], (WORK / f"run_{slug}.log").read_text(encoding="utf-8")
    tets = re.search(r"in place of the boundary of ([\d,]+) tets", log)
    text, value = row.measure(folder) if f["status"] == "ended" else ("", None)
    steps = f["steps"] if f["steps"] == f["wanted"] else f"{f['steps']} of {f['wanted']}"
    table.set_row([name, tets.group(1) if tets else part_of(head, "elements"), count_triangles(folder), count_unknowns(head, folder), steps,
                   f["iterations"], f"{f['cpu']:.1f}", row.thesis or "–", "yes" if row.is_same else "no", f["intersections"],
                   f["inversions"], text, "", f["status"].replace("|", "/")[:90]])
    print(name, f"{f['cpu']:.1f} s", text, flush=True)
    return value


def compare_rows(table, rows, values):
    """Fills in sizes, and how far each row is from the reference of its scene."""
    references = {name.split(":")[0]: values.get(name) for name, row in rows.items() if row.is_reference}
    for name in [n for n in rows if n in table.rows]:
        folder = WORK / f"run_{slug_of(name)}"
        log = folder.parent / (folder.name + ".log")
        if log.exists():
            cells = table.rows[name]
            head = next((line for line in log.read_text(encoding="utf-8").splitlines() if " nodes, " in line), "")
            cells[2:4] = [str(count_triangles(folder)), str(count_unknowns(head, folder))]
            table.set_row(cells)
    for name, row in rows.items():
        reference, value = references.get(name.split(":")[0]), values.get(name)
        if name not in table.rows or row.is_reference or reference is None or value is None:
            continue
        cells = table.rows[name]
        cells[COLUMNS.index("difference from the reference")] = f"{100 * abs(value - reference) / abs(reference):.2g} %"
        table.set_row(cells)


def tell(folder):
    return subprocess.run([PROGRAM, "info", str(folder)], capture_output=True, text=True, check=False).stdout


def count_triangles(folder):
    """Of all soft bodies, as the program tells them."""
    found = re.findall(r"^\s+\S.*?\s+soft, [\d,]+ points, [\d,]+ tets, ([\d,]+) triangles", tell(folder), re.M)
    return sum(int(n.replace(",", "")) for n in found) or "–"


def count_unknowns(head, folder):
    """Three per node; those of obstacles do not count."""
    obstacles = re.findall(r"^\s+\S.*?\s+obstacle, ([\d,]+) points", tell(folder), re.M)
    return 3 * (int(part_of(head, "nodes") or 0) - sum(int(n.replace(",", "")) for n in obstacles))


# ---- cost by order ---------------------------------------------------------------------------------------------------

STAGES = ["gradient", "Hessian", "assembly of the matrix", "factorisation", "linear solve", "line search", "energy"]


def write_cost(path, cells=12):
    """Cubes that hang from their top: P1 to P4 with (cells + 1)³ nodes each."""
    lines = ["", "## Cost of an iteration by order", "",
             f"A cube that hangs from its top, {3 * (cells + 1) ** 3} unknowns at every order, no contact, exact factorisation, one thread: ms by the",
             "clock of a Newton iteration (`--profile`), while others worked on the machine.", "",
             "| order | tets | iterations | all | " + " | ".join(STAGES) + " | µs per unknown |", "| --- |" + " --- |" * (len(STAGES) + 4)]
    for order in (1, 2, 3, 4):
        side = cells // order
        body = {"name": "cube", "order": order, "shape": generate.box((1, 1, 1), (side,) * 3), "material": generate.material(2e4, 1000, 0.3),
                "prescribed": [{"select": {"relative_box": {"min": [0, 1, 0], "max": [1, 1, 1]}}}]}
        scene = generate.Scene("A cube hangs.", [body], {"step": 0.02, "duration": 0.1}, {"enabled": False}, solver={"linear_solver": "multifrontal"})
        write_scene(f"cost_{order}", scene, WORK)
        answer = subprocess.run([PROGRAM, "run", str(WORK / f"cost_{order}.json"), "-o", str(WORK / f"run_cost_{order}"), "--overwrite", "--profile",
                                 "--threads", "1"], capture_output=True, text=True, check=False)
        text = answer.stdout + answer.stderr
        total = re.search(r"Profile: ([\d.e+-]+) s in \d+ steps, (\d+) Newton", text)
        if not total:
            lines.append(f"| {order} | {6 * side ** 3} | failed |")
            continue
        iterations = int(total.group(2))
        all_ms = 1000 * float(total.group(1)) / iterations
        parts = [re.search(rf"^\s+{stage}\s+[\d.]+\s+[\d.]+%\s+([\d.]+)", text, re.M) for stage in STAGES]
        lines.append(f"| {order} | {6 * side ** 3} | {iterations} | {all_ms:.1f} | " + " | ".join(p.group(1) if p else "–" for p in parts) +
                     f" | {1000 * all_ms / (3 * (cells + 1) ** 3):.2f} |")
    lines += ["", "Hessians of tets with more than four nodes go through the world's axes since the first version of this table. Before, their time",
              "was 0.73 (P3) and 1.24 (P4) of that of the factorisation."]
    path.write_text("\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    lower_priority()
    rows = list_rows(arguments.only)
    if arguments.list:
        print("\n".join(rows))
        return
    cost = WORK / "cost.md"
    notes = lambda _: NOTES
    table = Table(ROOT / "bench/results/high_order.md", "Benchmark: high_order", notes, COLUMNS)
    values_file = WORK / "values.json"
    values = json.loads(values_file.read_text()) if values_file.exists() else {}
    for name, row in rows.items():
        if arguments.only not in name or (name in table.rows and not arguments.again):
            continue
        values[name] = run_row(table, name, row, arguments.minutes)
        values_file.write_text(json.dumps(values))
    compare_rows(table, rows, values)
    if not arguments.only:
        table.sort(list(rows))
    if not arguments.only or arguments.only == "cost":
        WORK.mkdir(parents=True, exist_ok=True)
        write_cost(cost)
    if cost.exists():
        table.write()
        with open(table.path, "a", encoding="utf-8") as file:
            file.write(cost.read_text())


if __name__ == "__main__":
    main()
