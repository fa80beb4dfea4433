"""Prepares medial bodies of every surface at hand and writes a table: error, enclosure and time at 50, 100 and 200 handles.

Usage: bench_medial_prepare.py [--only TEXT] [--handles 50,100,200] [--program P] [--data FOLDER] [--output FILE]

Time is given twice: from start to end, and the processor time of all threads, which is what two idle cores share.
"""
import argparse
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

FOLDERS = ("meshes", "medial")
EXTENSIONS = {".obj", ".off", ".ply", ".stl", ".msh", ".vtk"}


def prepare(program, mesh, handles, folder):
    """Returns the report of one preparation, or the refusal, with wall and processor seconds."""
    command = [program, "prepare", "medial", str(mesh), "--handles", str(handles), "--json", "-o", f"{folder}/body.medial"]
    start = time.time()
    with open(f"{folder}/out", "w+") as out, open(f"{folder}/err", "w+") as err:
        process = subprocess.Popen(command, stdout=out, stderr=err)
        _, status, usage = os.wait4(process.pid, 0)
        out.seek(0)
        err.seek(0)
        report = json.loads(out.read()) if status == 0 else {"refused": err.read().strip().split("\n")[0].split(": ", 2)[-1]}
    report["wall"] = time.time() - start
    report["cpu"] = usage.ru_utime + usage.ru_stime
    return report


def count_triangles(program, mesh):
    text = subprocess.run([program, "info", str(mesh)], capture_output=True, text=True).stdout
    for line in text.splitlines():
        if line.split()[:1] == ["triangles"]:
            return int(line.split()[1])
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default="build/bench/bin/marrow")
    parser.add_argument("--data", default="../shared/data")
    parser.add_argument("--output", default="bench/results/medial_prepare.md")
    parser.add_argument("--handles", default="50,100,200")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    root = Path(arguments.data)
    meshes = sorted(p for f in FOLDERS for p in (root / f).rglob("*") if p.suffix in EXTENSIONS and arguments.only in str(p))
    machine = Path("build/bench/machine.md")
    lines = [
        "# Preparation of medial bodies",
        "",
        "Every surface of the shared data that is a solid, from file to weights. Distances between the surfaces of solid and medial mesh in both "
        "directions, in percent of the box diagonal: mean and max of the result, and the mean before spheres are enlarged. Enclosed: vertices / "
        "triangles in one primitive. Regenerate: `./dev bench medial_prepare`.",
        "",
        machine.read_text() if machine.exists() else "",
        "| surface | triangles | handles | mean % | max % | fitted mean % | enclosed | handles per point | s | processor s |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    refused = []
    for mesh in meshes:
        name = "/".join([mesh.relative_to(root).parts[1], mesh.name])
        triangles = count_triangles(arguments.program, mesh)
        for handles in [int(n) for n in arguments.handles.split(",")]:
            with tempfile.TemporaryDirectory() as folder:
                report = prepare(arguments.program, mesh, handles, folder)
            if "refused" in report:
                refused.append(f"- {name}: {report['refused']}")
                break
            lines.append(f"| {name} | {triangles or '-'} | {report['handles']} | {100 * report['mean_error']:.3f} | {100 * report['max_error']:.2f} | "
                         f"{100 * report['fitted_mean_error']:.3f} | {100 * report['enclosed']:.4g} / {100 * report['enclosed_triangles']:.4g} | "
                         f"{report['handles_per_point']:.1f} | {report['wall']:.1f} | {report['cpu']:.1f} |")
            print(lines[-1], flush=True)
        text = "\n".join(lines) + "\n\n## Refused\n\n" + "\n".join(refused) + "\n"
        Path(arguments.output).write_text(text)


if __name__ == "__main__":
    main()
