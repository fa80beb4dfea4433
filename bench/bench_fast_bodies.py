"""Fast bodies: do balls that must meet meet, and does their energy never grow? (docs/decisions/0021-fast-bodies.md)

Usage: bench_fast_bodies.py [--encounters N] [--jobs J] [--program PATH] [--out FILE] [--kinds K…] [--integrators I…]
                            [--seed S] [--seconds T] [--show NAME [--keep FOLDER]]

An encounter is two balls of 20 cm in space, head on or beside each other by up to 0.9 of a diameter, which come nearer by
0.5 to 100 diameters in a step, in any direction, at any phase of the step, either of them the faster, masses 1:10 to 10:1.
All of it is drawn from the encounter's name, KIND/INTEGRATOR/NUMBER, and the seed; --show runs one again and tells more.

    impulse   along the line of centres of an ideal meeting, over that of an inelastic impact of smooth balls (the balls
              have facets, so that it is not 1)
    passed    less than a quarter of that, and less than half of what steps of a tenth give: they went around each other.
              (Soft balls that meet beside each other faster than sound travels in them do slip by; short steps tell.)
    energy    the largest kinetic + elastic energy after any step, over that of the first (a step of free flight)
    bad       runs that failed, took longer than --seconds, or in which `marrow check` found something

Needs the program, python3 and the repository's tests/physics/vtu.py. Exit code 1 where a ball passed, a run was bad, or energy
grew by more than a thousandth with implicit Euler or BDF2.
"""
import argparse
import json
import math
import random
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests" / "physics"))
import vtu  # noqa: E402

KINDS = ("soft", "affine", "rigid", "medial", "mixed")
INTEGRATORS = ("implicit_euler", "bdf2", "newmark")
MIXED = (("soft", "rigid"), ("soft", "affine"), ("rigid", "affine"), ("soft", "medial"), ("rigid", "medial"))
RADIUS, STEP, STEPS = 0.1, 0.01, 7
GROWN = 1e-3  # of energy, that counts
LEAST_IMPULSE, LEAST_OF_SHORT = 0.25, 0.5
SHORTER = 10


@dataclass
class Result:
    name: str
    path: float  # relative, in diameters a step
    offset: float  # in diameters
    impulse: float = 1.0
    short: float = 0.0  # impulse with shorter steps, where that was asked for
    passed: bool = False
    energy: float = 0.0
    iterations: int = 0
    seconds: float = 0.0
    wrong: str = ""


def draw_direction(draw):
    while True:
        v = [draw.uniform(-1, 1) for _ in range(3)]
        length = math.hypot(*v)
        if 0.1 < length < 1:
            return [x / length for x in v]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def make_ball(name, kind, position, velocity, density, draw):
    material = {"density": density}
    if kind in ("soft", "medial"):
        material["youngs_modulus"] = 10 ** draw.uniform(5, 7)
    rotation = [draw.uniform(0, 360) for _ in range(3)]
    ball = {"name": name, "kind": kind, "shape": {"type": "sphere", "radius": RADIUS, "resolution": 2},
            "position": position, "rotation": rotation, "velocity": velocity, "material": material}
    return {**ball, "handles": 4, "cells": 6} if kind == "medial" else ball


def draw_encounter(name, seed):
    """The scene, its path and offset, and the line of centres of an ideal meeting, from a to b."""
    kind, integrator, number = name.split("/")
    draw = random.Random(f"{name} {seed}")
    kinds = MIXED[int(number) % len(MIXED)] if kind == "mixed" else (kind, kind)
    path = 10 ** draw.uniform(math.log10(0.5), 2)
    offset = 0.0 if int(number) % 5 == 0 else draw.uniform(0, 0.9)
    along = draw_direction(draw)
    side = cross(along, draw_direction(draw))
    side = [x / math.hypot(*side) for x in side]
    # The first step is free flight; they meet somewhere in the second, or in the third.
    diameter = 2 * RADIUS
    apart = diameter * (1 + path * (1 + draw.uniform(0.001, 1)))
    speed, share = path * diameter / STEP, draw.choice((0.0, 0.5, draw.random()))
    densities = [1000.0, 1000.0 * 10 ** draw.uniform(-1, 1)]
    places = [[0.0] * 3, [apart * u + offset * diameter * v for u, v in zip(along, side)]]
    speeds = [share * speed, (share - 1) * speed]
    balls = [make_ball("ab"[i], kinds[i], places[i], [speeds[i] * u for u in along], densities[i], draw) for i in (0, 1)]
    depth = math.sqrt(1 - offset**2)
    normal = [depth * u + offset * v for u, v in zip(along, side)]
    scene = {"time": {"step": STEP, "duration": STEPS * STEP, "frame_every": STEPS, "integrator": integrator},
             "gravity": [0, 0, 0], "output": {"gltf": False}, "bodies": balls}
    return scene, path, offset, normal


def mean(points):
    return [sum(p[k] for p in points) / len(points) for k in range(3)]


def call(words, seconds):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=seconds)


def measure(folder, normal, result):
    steps = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    energies = [s["energy"]["kinetic"] + s["energy"]["elastic"] for s in steps]
    result.energy = max(energies) / energies[0]
    result.iterations = sum(s["iterations"] for s in steps)
    frame = vtu.read(sorted((folder / "frames").glob("*.vtu"))[-1])
    a, b = mean(frame.velocities_of(0)), mean(frame.velocities_of(1))
    closing = result.path * 2 * RADIUS / STEP * math.sqrt(1 - result.offset**2)
    left = sum((y - x) * n for x, y, n in zip(a, b, normal))
    result.impulse = (left + closing) / closing


def run_scene(scene, normal, options, folder, result):
    """Fills the result; `wrong` says what went wrong."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "scene.json").write_text(json.dumps(scene))
    start = time.time()
    try:
        run = call([options.program, "run", folder / "scene.json", "-o", folder / "out", "--threads", 1, "--overwrite"],
                   options.seconds)
        result.seconds = time.time() - start
        if run.returncode != 0:
            lines = [line for line in run.stderr.splitlines() if "failed" in line] or run.stderr.splitlines() or ["?"]
            result.wrong = f"code {run.returncode}: {lines[0]}"
            return
        measure(folder / "out", normal, result)
        if call([options.program, "check", folder / "out"], 10 * options.seconds).returncode != 0:
            result.wrong = "check found something"
    except subprocess.TimeoutExpired:
        result.seconds = time.time() - start
        result.wrong = f"over {options.seconds:g} s"


def run_encounter(name, options, folder):
    scene, path, offset, normal = draw_encounter(name, options.seed)
    result = Result(name, path, offset)
    run_scene(scene, normal, options, folder, result)
    if result.wrong or result.impulse >= LEAST_IMPULSE:
        return result
    # So little: is that the step's doing?
    scene["time"].update(step=STEP / SHORTER, frame_every=STEPS * SHORTER)
    short = Result(name, path, offset)
    run_scene(scene, normal, options, folder / "short", short)
    if short.wrong:
        result.wrong = f"impulse {result.impulse:.2f}, and with short steps {short.wrong}"
    else:
        result.short = short.impulse
        result.passed = result.impulse < LEAST_OF_SHORT * result.short
    return result


def run_all(options):
    names = [f"{kind}/{integrator}/{n}" for kind in options.kinds for integrator in options.integrators
             for n in range(options.encounters)]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(options.jobs) as pool:

        def work(name):
            with tempfile.TemporaryDirectory(dir=folder) as own:
                return run_encounter(name, options, Path(own))
        return list(pool.map(work, names))


def has_grown(result):
    return result.energy > 1 + GROWN


def is_fault(result):
    grows = has_grown(result) and result.name.split("/")[1] != "newmark"
    return result.passed or grows or bool(result.wrong)


def write_table(results, options):
    lines = ["| kind | integrator | encounters | passed | least impulse | energy grew | largest energy / start | bad | iterations "
             "| seconds: median, largest |", "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |"]
    for kind in options.kinds:
        for integrator in options.integrators:
            rows = [r for r in results if r.name.startswith(f"{kind}/{integrator}/")]
            ended = [r for r in rows if r.energy > 0]
            seconds = sorted(r.seconds for r in rows)
            lines.append(
                f"| {kind} | {integrator} | {len(rows)} | {sum(r.passed for r in rows)} | "
                f"{min((r.impulse for r in ended), default=0):.2f} | "
                f"{sum(map(has_grown, rows))} | {max((r.energy for r in ended), default=0):.4f} | "
                f"{sum(bool(r.wrong) for r in rows)} | {sum(r.iterations for r in ended) / max(1, len(ended)):.0f} | "
                f"{seconds[len(seconds) // 2]:.2f}, {seconds[-1]:.1f} |")
    faults = [r for r in results if is_fault(r)]
    lines += ["", f"Seed {options.seed}. {len(faults)} of {len(results)} encounters are at fault."]
    for r in faults:
        what = r.wrong or (f"passed, impulse {r.impulse:.2f}, {r.short:.2f} with short steps" if r.passed else f"energy {r.energy:.4f}")
        lines.append(f"- `{r.name}`, {r.path:.3g} diameters a step, {r.offset:.2f} beside: {what}")
    return "\n".join(lines) + "\n"


def main(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--encounters", type=int, default=10, help="of every kind with every integrator")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--program", default="build/release/bin/marrow")
    parser.add_argument("--out", help="the table, as Markdown; every encounter beside it as FILE.jsonl")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--integrators", nargs="+", choices=INTEGRATORS, default=INTEGRATORS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60, help="the longest that a run may take")
    parser.add_argument("--show", help="one encounter, by name")
    parser.add_argument("--keep", default="fast_encounter", help="where --show leaves its run")
    options = parser.parse_args(words)
    options.program = str(Path(options.program).resolve())
    if options.show:
        print(asdict(run_encounter(options.show, options, Path(options.keep))))
        return 0
    results = run_all(options)
    table = write_table(results, options)
    print(table, end="")
    if options.out:
        Path(options.out).write_text(table)
        Path(options.out + ".jsonl").write_text("".join(json.dumps(asdict(r)) + "\n" for r in results))
    return 1 if any(map(is_fault, results)) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
