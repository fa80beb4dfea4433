#!/usr/bin/env python3
"""Scenes of others beside a solve a thousand times tighter: ./dev bench imported [--seconds S] [--jobs J] [--only TEXT]

Every public script of IPC and every fixture of rigid-ipc (in ../shared/data/scenes) is run as the importer reads it, and
again with tolerance and balance of 1e-6; each run has S seconds of processor time, the tight one three times that. They
are compared at the frames that both reached: the largest distance of a point from where the tight run has it, as a part
of the longest way that any point has gone. Where that is above 2 %, two tight runs more, in which gravity is tilted by
1e-5 to either side, tell whether the scene is unstable (a heap, a cube that lands on its corner): then these differ from
the tight run by more than 2 % too, and energies and contacts are to be compared instead.
"""
import argparse
import concurrent.futures
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))
sys.path.insert(0, str(ROOT / "tests/physics"))
import vtu  # noqa: E402
from ipc_runs import read_steps, run_limited  # noqa: E402

FRAMES = 16
LARGEST = 0.02
TILT = 1e-5
COLUMNS = ["scene", "compared steps", "of", "iterations", "tight", "deviation of points", "tilted by 1e-5", "energy apart",
           "contacts", "tight", "verdict"]


def list_scenes(data):
    scripts = data / "IPC/input"
    fixtures = data / "rigid-ipc/fixtures/3D"
    for path in sorted(scripts.rglob("*.txt")):
        yield "IPC " + str(path.relative_to(scripts).with_suffix("")), path
    for path in sorted(fixtures.rglob("*.json")):
        yield "rigid-ipc " + str(path.relative_to(fixtures).with_suffix("")), path


def run(program, path, folder, seconds, settings):
    command = [program, "run", str(path), "-o", str(folder), "--threads", "1"]
    for setting in ("output.gltf=false", "output.viewer=false", "output.checkpoint_every=1000000", *settings):
        command += ["--set", setting]
    log = folder.with_suffix(".log")
    status, _, _, was_stopped = run_limited(command, seconds, log, is_processor_time=True)
    said = [line for line in log.read_text().splitlines() if line.startswith("marrow: ")]
    failure = None if status == 0 or was_stopped else (said[0] if said else f"code {status}")
    return read_steps(folder), failure


def read_frames(folder):
    """{number of the frame: points}"""
    frames = {}
    for path in sorted((folder / "frames").glob("*.vtu")):
        try:
            frames[path.stem] = vtu.read(path).points
        except Exception:  # the last one may be cut off
            break
    return frames


def compare(frames, others):
    """The largest distance at common frames as a part of the longest way, and how many frames there are."""
    common = [name for name in frames if name in others]
    first = others[common[0]]
    way = max((math.dist(p, q) for name in common for p, q in zip(others[name], first)), default=0)
    apart = max((math.dist(p, q) for name in common for p, q in zip(others[name], frames[name])), default=0)
    return (apart / way if way > 0 else 0), len(common)


def tilt_run(program, path, work, side, seconds, every, description):
    """The tight run where gravity is tilted by a little."""
    gravity = [float(x) for x in re.search(r"gravity\s+\((.*?)\)", description)[1].split(",")]
    size = math.hypot(*gravity) or 1
    down = max(range(3), key=lambda i: abs(gravity[i]))
    for axis, sign in (((down + 1) % 3, 1), ((down + 2) % 3, -0.7)):
        gravity[axis] += side * sign * TILT * size
    folder = work / f"tilted{side}"
    run(program, path, folder, 3 * seconds, [every, "solver.tolerance=1e-6", "solver.balance=1e-6", f"gravity={gravity}"])
    return folder


def total_energy(steps):
    return sum(value for value in steps[-1]["energy"].values())


def spread_of_energy(steps):
    totals = [sum(step["energy"].values()) for step in steps]
    kinetic = [step["energy"]["kinetic"] for step in steps]
    return max(max(totals) - min(totals), max(kinetic))


def compare_scene(name, path, program, seconds):
    work = Path(tempfile.mkdtemp(prefix="marrow_imported_"))
    try:
        probe = subprocess.run([program, "info", str(path)], capture_output=True, text=True, timeout=300)
        found = re.search(r"in (\d+) steps? of", probe.stdout)
        if found is None:
            said = [line for line in probe.stderr.splitlines() if line.startswith("marrow: ")]
            return [name, "", "", "", "", "", "", "", "", "", "not run: " + (said[0][8:] if said else "").replace(str(path.parent), "")[:80]]
        wanted = int(found[1])
        every = f"time.frame_every={max(1, wanted // FRAMES)}"
        loose, failure = run(program, path, work / "loose", seconds, [every])
        tight, tight_failure = run(program, path, work / "tight", 3 * seconds,
                                   [every, "solver.tolerance=1e-6", "solver.balance=1e-6"])
        if failure or tight_failure:
            return [name, "", wanted, "", "", "", "", "", "", "", f"failed: {failure or 'tight: ' + tight_failure}"[:120]]
        frames, others = read_frames(work / "loose"), read_frames(work / "tight")
        apart, count = compare(frames, others)
        steps = min(len(loose), len(tight), (count - 1) * max(1, wanted // FRAMES))
        if count < 2 or steps < 1:
            return [name, 0, wanted, "", "", "", "", "", "", "", "too slow"]
        loose, tight = loose[:steps], tight[:steps]
        energy = abs(total_energy(loose) - total_energy(tight)) / max(spread_of_energy(tight), 1e-300)
        other_apart, verdict = "", "ok"
        if apart > LARGEST:
            tilted = [compare(read_frames(tilt_run(program, path, work, side, seconds, every, probe.stdout)), others)[0]
                      for side in (1, -1)]
            other_apart = " and ".join(f"{100 * x:.2f} %" for x in tilted)
            verdict = "unstable" if max(tilted) > LARGEST else "APART"
        return [name, steps, wanted, sum(s["iterations"] for s in loose), sum(s["iterations"] for s in tight),
                f"{100 * apart:.3f} %", other_apart, f"{100 * energy:.3f} %", loose[-1].get("contacts", 0),
                tight[-1].get("contacts", 0), verdict]
    except subprocess.TimeoutExpired:
        return [name, "", "", "", "", "", "", "", "", "", "too slow"]
    finally:
        shutil.rmtree(work, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=str(ROOT / "build/release/bin/marrow"))
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data/scenes")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="")
    parser.add_argument("--skip", type=Path, help="a table with rows that are not made again")
    arguments = parser.parse_args()
    known = arguments.skip.read_text(encoding="utf-8") if arguments.skip else ""
    scenes = [(n, p) for n, p in list_scenes(arguments.data) if arguments.only in n and f"| {n} |" not in known]
    print("| " + " | ".join(COLUMNS) + " |\n|" + " --- |" * len(COLUMNS), flush=True)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        futures = [pool.submit(compare_scene, n, p, arguments.program, arguments.seconds) for n, p in scenes]
        for future in concurrent.futures.as_completed(futures):
            print("| " + " | ".join(map(str, future.result())) + " |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
