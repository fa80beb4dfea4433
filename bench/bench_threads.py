#!/usr/bin/env python3
"""What more threads bring: ./dev bench threads [--program before=PATH after=PATH] [--threads 1,2,4,8,16] [scene…]

Each scene goes on from a state in the middle of its action, on every number of threads; with several programs, they
take turns. The tables give milliseconds per Newton iteration, whole and by stage, and whether the last states are the
same to the bit. The Armadillo needs the meshes of ../shared/data.

For a machine with more cores: --pack FOLDER writes all that a run needs (programs with their libraries, scenes, states
and run.sh, a plain shell script: OUT=RESULTS ./run.sh); --from RESULTS makes the tables of what came back.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from bench_ipc_scaling import COARSE, write_scene  # noqa: E402
from ipc_runs import ROOT  # noqa: E402

# Scene: steps before (not measured), steps measured, times that each is measured.
SCENES = {"heap_562": (90, 5, 2), "layers_1024": (50, 6, 2), "rings_142": (45, 10, 2), "pyramid_562": (20, 12, 2),
          "armadillo_48k": (1, 2, 1)}
QUIET = ["output.vtu=false", "output.gltf=false", "output.viewer=false", "output.results=false", "output.check=false"]
LOOPS = "build/release/bin/bench_parallel_loops"

LAUNCHER = '''#!/bin/sh
d=$(dirname "$(readlink -f "$0")")
exec "$d/lib/ld-linux-x86-64.so.2" --library-path "$d/lib" "$d/bin/{name}" "$@"
'''
RUN = '''#!/bin/sh
# Runs all programs on all scenes and numbers of threads; results go to $OUT (default: results).
cd "$(dirname "$(readlink -f "$0")")" || exit 1
OUT=${{OUT:-results}}; export OPENBLAS_NUM_THREADS=1
T=$(mktemp -d)
mkdir -p "$OUT"; nproc >"$OUT/cores"; grep -m1 "model name" /proc/cpuinfo | cut -d: -f2 >"$OUT/processor"
if [ -x ./parallel_loops ]; then ./parallel_loops >"$OUT/parallel_loops.md" 2>&1; fi
one() {{  # PROGRAM SCENE LAST_STEP THREADS REPETITION
  n=$1.$2.$4.$5
  rm -rf "$T/run"; cp -r "start/$2" "$T/run"; rm -f "$T/run/metrics.jsonl"; cp "start/$2/metrics.jsonl" "$T/run/"
  "./$1" run "scenes/$2.json" -o "$T/run" --resume --steps "$3" --threads "$4" {options} >"$OUT/$n.log" 2>&1 || echo "$n failed" >>"$OUT/failed"
  cp "$T/run/metrics.jsonl" "$OUT/$n.jsonl"
  tail -c +{state_from} "$(ls "$T"/run/checkpoints/*.ckpt | sort | tail -1)" | cksum >"$OUT/$n.state"
}}
{calls}
rm -rf "$T"
'''


def make_scenes(folder, names):
    """Writes the scene files; returns those that there are."""
    scenes = {}
    subprocess.run([sys.executable, ROOT / "examples/stiff/generate.py", "--fine", "-o", folder], check=True,
                   capture_output=True)
    if all(path.exists() for path in COARSE.values()):
        scene, _ = write_scene(folder, "twist", "1.2K", 2)
        scene.rename(folder / "armadillo_48k.json")
    for name in names:
        if (folder / f"{name}.json").exists():
            scenes[name] = folder / f"{name}.json"
        else:
            print(f"threads: no {name}: its mesh is not at ../shared/data", file=sys.stderr)
    return scenes


def describe_options(overrides):
    return [word for override in overrides for word in ("--set", override)]


def run_to_start(program, scene, folder, steps):
    """A run that ended where the measured ones begin."""
    subprocess.run([program, "run", scene, "-o", folder, "--overwrite", "--steps", str(steps), *describe_options(QUIET),
                    "--set", "output.checkpoint_every=1"], check=True, capture_output=True,
                   env={**os.environ, "OPENBLAS_NUM_THREADS": "1"})
    checkpoints = sorted((folder / "checkpoints").glob("*.ckpt"))
    for checkpoint in checkpoints[:-1]:
        checkpoint.unlink()


def copy_program(program, name, folder):
    """The program with its libraries and loader, so that it runs on a bare machine."""
    for part in ("bin", "lib"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    shutil.copy(program, folder / "bin" / name)
    subprocess.run(["strip", folder / "bin" / name], check=False)
    for line in subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout.splitlines():
        path = next((word for word in line.split() if word.startswith("/")), None)
        if path and not (folder / "lib" / Path(path).name).exists():
            shutil.copy(path, folder / "lib")
    launcher = folder / name
    launcher.write_text(LAUNCHER.format(name=name))
    launcher.chmod(0o755)


def pack(folder, programs, threads, names):
    """Programs, scenes, states and the script."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "scenes").mkdir(parents=True)
    work = folder / "all"
    scenes = make_scenes(work, names)
    for name, scene in scenes.items():
        shutil.copy(scene, folder / "scenes")
        for mesh in set(re.findall(r'"mesh": *"([^"]+)"', scene.read_text())):
            target = folder / "scenes" / mesh
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(scene.parent / mesh, target)
    shutil.rmtree(work)
    for name, program in programs.items():
        copy_program(program, name, folder)
    if (ROOT / LOOPS).exists():
        copy_program(ROOT / LOOPS, "parallel_loops", folder)
    calls = []
    for name in scenes:
        before, measured, times = SCENES[name]
        print(f"threads: {name} to step {before}", file=sys.stderr, flush=True)
        run_to_start(list(programs.values())[-1], folder / "scenes" / f"{name}.json", folder / "start" / name, before)
        for count in threads:
            for repetition in range(times):
                calls += [f"one {program} {name} {before + measured} {count} {repetition}" for program in programs]
    script = folder / "run.sh"
    script.write_text(RUN.format(options=" ".join(describe_options(QUIET)), calls="\n".join(calls), state_from=1))
    script.chmod(0o755)


def read_run(folder, program, scene, threads, repetition):
    """Scopes (seconds) and iterations of the measured steps of one run; None if it is not there."""
    path = folder / f"{program}.{scene}.{threads}.{repetition}.jsonl"
    if not path.exists():
        return None
    steps = [json.loads(line) for line in path.read_text().splitlines()]
    before, measured, _ = SCENES[scene]
    steps = [step for step in steps if step["step"] > before]
    if len(steps) < measured:
        return None
    scopes = {}
    for step in steps:
        for name, seconds in step["seconds"].items():
            scopes[name] = scopes.get(name, 0) + seconds
    state = path.with_suffix(".state").read_text().split()[0]
    return {"scopes": scopes, "iterations": sum(step["iterations"] for step in steps), "state": state,
            "contacts": max(step["contacts"] for step in steps)}


def collect(folder):
    """results[program][scene][threads]: the fastest run."""
    results = {}
    for path in sorted(folder.glob("*.jsonl")):
        program, scene, threads, repetition = path.name.removesuffix(".jsonl").rsplit(".", 3)
        run = read_run(folder, program, scene, int(threads), repetition)
        if run is None:
            continue
        slot = results.setdefault(program, {}).setdefault(scene, {})
        known = slot.get(int(threads))
        if known is None or run["scopes"]["step.total"] < known["scopes"]["step.total"]:
            run["states"] = (known or {"states": set()})["states"] | {run["state"]}
            slot[int(threads)] = run
        else:
            known["states"].add(run["state"])
    return results


def per_iteration(run, scope="step.total"):
    return 1000 * run["scopes"].get(scope, 0) / max(run["iterations"], 1)


def write_table(columns, rows):
    print("| " + " | ".join(columns) + " |\n|" + " --- |" * len(columns))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def print_speed_ups(results):
    programs = list(results)
    for program in programs:
        counts = sorted({t for runs in results[program].values() for t in runs})
        print(f"## {program}: milliseconds per Newton iteration, and times faster than on one thread\n")
        rows = []
        for scene, runs in results[program].items():
            states = set().union(*(run["states"] for run in runs.values()))
            iterations = {run["iterations"] for run in runs.values()}
            one = per_iteration(runs[counts[0]]) if counts[0] in runs else None
            cells = [f"{per_iteration(runs[t]):.2f} ({one / per_iteration(runs[t]):.1f})" if t in runs and one else ""
                     for t in counts]
            rows.append([scene, "/".join(map(str, sorted(iterations))), str(max(r["contacts"] for r in runs.values())), *cells,
                         "same" if len(states) == 1 else "**differ**"])
        write_table(["scene", "iterations", "contacts", *[f"{t} threads" for t in counts], "bits"], rows)
    if len(programs) > 1:
        first, last = programs[0], programs[-1]
        counts = sorted({t for runs in results[last].values() for t in runs})
        print(f"## Times faster: {last} than {first}\n")
        rows = []
        for scene, runs in results[last].items():
            others = results[first].get(scene, {})
            states = set().union(*(run["states"] for run in [*runs.values(), *others.values()]))
            rows.append([scene, *[f"{per_iteration(others[t]) / per_iteration(runs[t]):.2f}" if t in runs and t in others else ""
                                  for t in counts], "same" if len(states) == 1 else "**differ**"])
        write_table(["scene", *[f"{t} threads" for t in counts], "bits"], rows)


def print_scopes(results, least):
    """Scopes that take at least a share of a step on the most threads."""
    for program, scenes in results.items():
        for scene, runs in scenes.items():
            few, many = min(runs), max(runs)
            print(f"## {program}, {scene}: stages, ms per iteration on {few} → {many} threads (times faster)\n")
            names = sorted(runs[many]["scopes"], key=lambda n: -per_iteration(runs[many], n))
            total = per_iteration(runs[many])
            rows = []
            for name in names:
                a, b = per_iteration(runs[few], name), per_iteration(runs[many], name)
                if b >= least * total or a >= least * per_iteration(runs[few]):
                    rows.append([name, f"{a:.3f}", f"{b:.3f}", f"{a / b:.1f}" if b else ""])
            write_table(["stage", f"{few}", f"{many}", "times faster"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", nargs="*", default=list(SCENES))
    parser.add_argument("--program", nargs="+", default=[f"marrow={ROOT / 'build/release/bin/marrow'}"], metavar="NAME=PATH")
    parser.add_argument("--threads", default=None, help="numbers of threads [default: 1, 2, 4, 8, 16, up to the cores]")
    parser.add_argument("--pack", type=Path, metavar="FOLDER")
    parser.add_argument("--from", type=Path, dest="results", metavar="RESULTS")
    parser.add_argument("--least", type=float, default=0.01, help="smallest share of a step that the stages show")
    arguments = parser.parse_args()
    if not arguments.results:
        programs = dict(item.split("=", 1) for item in arguments.program)
        most = 16 if arguments.pack else os.cpu_count()
        threads = [int(t) for t in (arguments.threads or "1,2,4,8,16").split(",") if int(t) <= most]
        folder = arguments.pack or ROOT / "out/bench_threads"
        pack(folder, programs, threads, arguments.scenes or list(SCENES))
        if arguments.pack:
            return
        arguments.results = folder / "results"
        subprocess.run([folder / "run.sh"], check=True, env={**os.environ, "OUT": str(arguments.results)})
    results = collect(arguments.results)
    print_speed_ups(results)
    print_scopes(results, arguments.least)
    loops = arguments.results / "parallel_loops.md"
    if loops.exists():
        print("## What a parallel loop costs\n\n" + loops.read_text())


if __name__ == "__main__":
    main()
