#!/usr/bin/env python3
"""Two programs beside each other, with what each leaves of the motion: ./dev bench core --before PROGRAM

Each scene is run by both programs and by the new one a thousand times tighter, one thread, one after the other. The
deviation is the largest difference of momentum and angular momentum from the tight run over all steps, as a part of
the largest there is; of chaotic scenes (heaps) it tells that they are, no more. Needs the scenes of others in
../shared/data for rows that name them.
"""
import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RIGID = "scenes/rigid-ipc/fixtures/3D/"
IPC = "scenes/IPC/input/"
# name, file (in the data folder or in the project), steps, options
SCENES = [
    ("2cubesFall", IPC + "tutorialExamples/2cubesFall.txt", 200, []),
    ("rodsTwist", IPC + "otherExamples/typical/rodsTwist.txt", 60, []),
    ("mat40x40Twist", IPC + "otherExamples/typical/mat40x40Twist.txt", 40, []),
    ("5-cubes rigid", RIGID + "unit-tests/5-cubes.json", 200, []),
    ("5-cubes affine", RIGID + "unit-tests/5-cubes.json", 200, ["--kind", "affine"]),
    ("tet-corner rigid", RIGID + "unit-tests/tet-corner.json", 100, []),
    ("edge-edge rigid", RIGID + "unit-tests/edge-edge.json", 100, []),
    ("arch-25 rigid", RIGID + "friction/arch/arch-25-stones.json", 50, []),
    ("arch-25 affine", RIGID + "friction/arch/arch-25-stones.json", 50, ["--kind", "affine"]),
    ("card-house-2 rigid", RIGID + "friction/card-house/card-house-2-levels.json", 30, []),
    ("chain-10 rigid", RIGID + "chain/10-links.json", 60, []),
    ("heap_142", "out/stiff/heap_142.json", 100, []),
    ("figure_into_cards", "examples/medial/figure_into_cards.json", 40, []),
    ("figure_into_cacti_rough", "examples/medial/figure_into_cacti_rough.json", 60, []),
    ("cloth", "examples/cloth.json", 100, []),
    ("materials", "examples/materials.json", 55, []),
]
TIGHT = ["--set", "solver.tolerance=1e-6", "--set", "solver.balance=1e-6"]
QUIET = ["--set", "output.vtu=false", "--set", "output.gltf=false", "--set", "output.viewer=false"]
COLUMNS = ["scene", "steps", "iterations before", "after", "seconds before", "after", "times faster",
           "deviation before", "after"]


def find(file, data):
    return next((path for path in (data / file, ROOT / file) if path.exists()), None)


def run(program, file, steps, options):
    """The metrics of a run, and the seconds of its steps."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "run", file, "-o", folder + "/o", "--threads", "1", "--steps", str(steps), *QUIET, *options],
                       check=False, capture_output=True)
        lines = [json.loads(line) for line in open(folder + "/o/metrics.jsonl", encoding="utf-8")]
    return lines, sum(line["wall_time"] for line in lines)


def deviate(lines, tight):
    def numbers(line):
        return line["momentum"] + line["angular_momentum"]
    largest = max(abs(x) for line in tight for x in numbers(line))
    return max(abs(a - b) for p, q in zip(lines, tight) for a, b in zip(numbers(p), numbers(q))) / largest


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", required=True)
    parser.add_argument("--after", default=str(ROOT / "build/release/bin/marrow"))
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    parser.add_argument("--repeat", type=int, default=3, help="the fastest of so many counts")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    print("| " + " | ".join(COLUMNS) + " |\n|" + " --- |" * len(COLUMNS), flush=True)
    for name, file, steps, options in SCENES:
        path = find(file, arguments.data)
        if path is None or (arguments.names and name not in arguments.names):
            continue
        began = time.time()
        tight, _ = run(arguments.after, path, steps, options + TIGHT)
        figures = []
        for program in (arguments.before, arguments.after):
            runs = [run(program, path, steps, options)]
            while len(runs) < arguments.repeat and time.time() - began < 30:
                runs.append(run(program, path, steps, options))
            lines = runs[0][0]
            is_whole = len(lines) == steps
            figures.append((sum(line["iterations"] for line in lines), min(seconds for _, seconds in runs),
                            deviate(lines, tight), is_whole))
        (i0, s0, d0, whole0), (i1, s1, d1, whole1) = figures
        ratio = f"{s0 / s1:.2f}" if whole0 and whole1 else "stopped"
        print(f"| {name} | {steps} | {i0} | {i1} | {s0:.3f} | {s1:.3f} | {ratio} | {100 * d0:.2f} % | {100 * d1:.2f} % |",
              flush=True)


if __name__ == "__main__":
    sys.exit(main())
