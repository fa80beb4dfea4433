"""Random hands on the scenes of examples/interactive: does anything ever intersect, and how fast are the steps?

Usage: bench_play.py [SCENE…] [--minutes M] [--seeds N] [--first SEED] [--program PATH] [--out FILE] [--threads N]

Every scene is played for M simulated minutes per seed by a script of random grabs, throws, presses, shakes and settings
(bench/play_moves.py), recorded with a frame of every step, examined as a whole by `marrow check`, and replayed: the
last state must have the same bits. The table goes to bench/results/play.md, a row per scene; rows that are not run
stay. Exit code 1 if anything intersects, a run fails, or a replay differs.
"""
import argparse
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent))
import play_moves  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
SCENES = ROOT / "examples/interactive"
REGION = ([-0.6, -0.1, -0.5], [0.6, 0.6, 0.7])
HEAD = """# Play: random hands

`./dev bench play`: the scenes of `examples/interactive`, played by scripts of random grabs, throws, presses, shakes and
settings (`bench/play_moves.py`), up to three bodies held at a time, strengths of 1 to 30 weights. Every step is a
frame, and `marrow check` looks at all of them. *Processor* is the user time per step on one thread, recording
included: below 33 ms a scene keeps up with the clock at 30 steps per second. *Wall* is the median and the 95th
percentile of a step, on a machine that did other work too (a load of 30 on two cores in November 2026).

"""
COLUMNS = ["scene", "played [min]", "steps", "inputs", "grabs", "failed runs", "intersections", "inverted", "smallest gap [m]",
           "same bits on replay", "Newton iterations", "processor [ms/step]", "wall [ms/step]"]


def user_seconds():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def play(arguments, scene, seed, folder):
    """Runs, checks and replays one script; returns what was found."""
    path, out, script = SCENES / f"{scene}.json", folder / f"{scene}_{seed}", folder / f"{scene}_{seed}.jsonl"
    step = json.loads("\n".join(line for line in path.read_text().splitlines() if not line.startswith("//")))["time"]["step"]
    steps = round(arguments.minutes * 60 / step)
    moves = play_moves.draw_moves(play_moves.list_bodies(arguments.program, path), steps, seed, REGION)
    script.write_text("\n".join(moves) + "\n")
    settings = [word for key in ("output.vtu", "output.gltf", "output.check", "output.results") for word in ("--set", f"{key}=false")]
    command = [arguments.program, "play", str(path), "--script", str(script), "--steps", str(steps), "-o", str(out), "--threads",
               str(arguments.threads), "--set", "output.checkpoint_every=30", *settings]
    before = user_seconds()
    run = subprocess.run(command, capture_output=True, text=True)
    seconds = user_seconds() - before
    metrics = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
    check = json.loads(subprocess.run([arguments.program, "check", str(out), "--json"], capture_output=True, text=True).stdout or "{}")
    replay = subprocess.run([arguments.program, "play", str(out), "--replay", "--threads", str(arguments.threads)], capture_output=True, text=True)
    if run.returncode:
        print(run.stdout[-500:], run.stderr[-2000:], flush=True)
    return {"steps": len(metrics), "minutes": len(metrics) * step / 60, "inputs": len(moves), "grabs": sum('"grab"' in m for m in moves),
            "failed": run.returncode != 0, "check": check, "same": replay.returncode == 0, "user": seconds,
            "iterations": sum(line["iterations"] for line in metrics), "walls": [line["wall_time"] for line in metrics],
            "gap": min((line["min_gap"] for line in metrics if line["min_gap"]), default=float("inf"))}


def count(results, key):
    """What `marrow check` counts over all frames of all runs; each step must have been looked at."""
    checks = [r["check"] for r in results if r["check"].get("frames") == r["steps"] + 1]
    return sum(check[key] for check in checks) if len(checks) == len(results) else "not checked"


def make_row(scene, results):
    steps, walls = sum(r["steps"] for r in results), sorted(w for r in results for w in r["walls"])
    return [scene, f"{sum(r['minutes'] for r in results):.1f}", steps, sum(r["inputs"] for r in results), sum(r["grabs"] for r in results),
            sum(r["failed"] for r in results), count(results, "intersections"), count(results, "inversions"),
            f"{min(r['gap'] for r in results):.1e}", "yes" if all(r["same"] for r in results) else "NO",
            f"{sum(r['iterations'] for r in results) / steps:.1f}", f"{1e3 * sum(r['user'] for r in results) / steps:.0f}",
            f"{1e3 * walls[len(walls) // 2]:.0f}, {1e3 * walls[int(0.95 * len(walls))]:.0f}"]


def write_table(path, row):
    rows = {}
    if path.is_file():
        for line in path.read_text().splitlines():
            if line.startswith("| ") and not line.startswith(("| scene", "| ---")):
                rows[line.split("|")[1].strip()] = line
    rows[row[0]] = "| " + " | ".join(str(cell) for cell in row) + " |"
    lines = ["| " + " | ".join(COLUMNS) + " |", "| " + " | ".join("---" for _ in COLUMNS) + " |", *(rows[key] for key in sorted(rows))]
    path.write_text(HEAD + "\n".join(lines) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("scenes", nargs="*", default=[])
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--program", default=str(ROOT / "build/bench/bin/marrow"))
    parser.add_argument("--out", type=Path, default=ROOT / "bench/results/play.md")
    arguments = parser.parse_args()
    is_good = True
    for scene in arguments.scenes or sorted(path.stem for path in SCENES.glob("*.json")):
        with tempfile.TemporaryDirectory() as folder:
            results = [play(arguments, scene, seed, Path(folder)) for seed in range(arguments.first, arguments.first + arguments.seeds)]
        row = make_row(scene, results)
        write_table(arguments.out, row)
        print(dict(zip(COLUMNS, row)), flush=True)
        is_good = is_good and row[5] == 0 and row[6] == 0 and row[7] == 0 and row[9] == "yes"
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
