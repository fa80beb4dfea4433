"""Runs every public IPC script and writes a table: how far it came, and whether it stayed free of intersections.

Usage: bench_ipc_scripts.py [--seconds 1200] [--threads 2] [--only TEXT] [--program P] [--scripts FOLDER] [--output FILE]

A run ends by itself or is stopped after the given seconds; either way its frames are checked afterwards.
"""
import argparse
import json
import re
import signal
import subprocess
import tempfile
import time
from pathlib import Path


def run_script(program, script, folder, seconds, threads):
    """Returns the row of one script."""
    row = {"script": "", "status": "", "steps": 0, "of": 0, "iterations": 0, "seconds": 0.0, "gap": None, "check": "-"}
    out = Path(folder) / "out"
    command = [program, "run", str(script), "-o", str(out), "--overwrite", "--threads", str(threads), "--set", "output.gltf=false"]
    start = time.time()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        text, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)  # ends after the current step
        try:
            text, _ = process.communicate(timeout=max(60, seconds))
        except subprocess.TimeoutExpired:
            process.kill()
            text, _ = process.communicate()
    row["seconds"] = time.time() - start
    metrics = out / "metrics.jsonl"
    if not metrics.exists():
        missing = re.search(r"marrow: (.*)", text)
        row["status"] = "not run: " + (missing.group(1) if missing else "?").replace(str(script.parent), "")[:120]
        return row
    steps = [json.loads(line) for line in metrics.read_text().splitlines()]
    total = re.search(r"(\d+) steps? of", text)
    row["of"] = int(total.group(1)) if total else 0
    row["steps"] = len(steps)
    row["iterations"] = sum(step["iterations"] for step in steps)
    gaps = [step["min_gap"] for step in steps if step.get("min_gap")]
    row["gap"] = min(gaps) if gaps else None
    row["status"] = {0: "finished", 130: "stopped"}.get(process.returncode, "stopped" if "Stopped" in text else "FAILED")
    checked = subprocess.run([program, "check", str(out), "--json"], capture_output=True, text=True, timeout=600)
    try:
        result = json.loads(checked.stdout)
        row["check"] = f"{result['intersections']} / {result['inversions']}"
    except (json.JSONDecodeError, KeyError):
        row["check"] = "?"
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default="build/bench/bin/marrow")
    parser.add_argument("--scripts", default="../shared/data/scenes/IPC/input")
    parser.add_argument("--output", default="bench/results/ipc_scripts.md")
    parser.add_argument("--seconds", type=float, default=1200)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    root = Path(arguments.scripts)
    scripts = sorted(p for p in root.rglob("*.txt") if arguments.only in str(p) and "shapes" in p.read_text(errors="replace"))
    lines = [
        "# The public IPC scripts",
        "",
        f"Each run to its end or for {arguments.seconds:g} s, whichever was first, on {arguments.threads} threads. Check: intersections / "
        "inversions over all frames by the independent checker. Regenerate: `./dev bench ipc_scripts`.",
        "",
        "| script | status | steps | of | iterations | per step | s | smallest gap [m] | check |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for script in scripts:
        with tempfile.TemporaryDirectory() as folder:
            row = run_script(arguments.program, script, folder, arguments.seconds, arguments.threads)
        gap = "-" if row["gap"] is None else f"{row['gap']:.2e}"
        per_step = f"{row['iterations'] / row['steps']:.1f}" if row["steps"] else "-"
        name = str(script.relative_to(root).with_suffix(""))
        lines.append(f"| {name} | {row['status']} | {row['steps']} | {row['of']} | {row['iterations']} | {per_step} | "
                     f"{row['seconds']:.1f} | {gap} | {row['check']} |")
        print(lines[-1], flush=True)
        Path(arguments.output).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
