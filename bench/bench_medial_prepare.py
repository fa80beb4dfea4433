"""Prepares medial bodies of every surface at hand and writes a table: error, enclosure and time at 50, 100 and 200 handles.

Usage: bench_medial_prepare.py [--only TEXT] [--handles 50,100,200] [--again] [--program P] [--data FOLDER] [--output FILE]

Rows that the table has already are kept unless --again is given; small surfaces come first.

Time is given twice: from start to end, and the processor time of all threads, which is what two idle cores share.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ipc_runs import PROGRAM, ROOT, Table  # noqa: E402

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
    parser.add_argument("--program", default=str(PROGRAM))
    parser.add_argument("--data", default=str(ROOT.parent / "shared/data"))
    parser.add_argument("--output", default=str(ROOT / "bench/results/medial_prepare.md"))
    parser.add_argument("--handles", default="50,100,200")
    parser.add_argument("--only", default="")
    parser.add_argument("--again", action="store_true")
    arguments = parser.parse_args()
    table = Table(arguments.output, "Benchmark: medial_prepare", [
        "Surfaces of the shared data that are solids, small ones first, from file to weights. Distances between the surfaces of solid and medial mesh in both "
        "directions, in percent of the box diagonal: mean and max of the result, and the mean before spheres are enlarged. Enclosed: vertices / "
        "triangles in one primitive. Processor s: of all threads, which is what two idle cores share; s: by the clock, on a machine that had other work."],
        ["surface, handles asked for", "triangles", "handles", "mean %", "max %", "fitted mean %", "enclosed %", "handles per point", "s", "processor s"])
    root = Path(arguments.data)
    meshes = [p for f in FOLDERS for p in (root / f).rglob("*") if p.suffix in EXTENSIONS and arguments.only in str(p)]
    for mesh in sorted(meshes, key=lambda p: p.stat().st_size):
        name = "/".join([mesh.relative_to(root).parts[1], mesh.name])
        wanted = [n for n in arguments.handles.split(",") if arguments.again or f"{name}, {n}" not in table.rows]
        if not wanted or (name in table.rows and not arguments.again):
            continue
        triangles = count_triangles(arguments.program, mesh)
        for handles in wanted:
            with tempfile.TemporaryDirectory() as folder:
                report = prepare(arguments.program, mesh, int(handles), folder)
            if "refused" in report:
                table.set_row([name, triangles or "-", "refused: " + report["refused"].replace("|", "/")[:120], *[""] * 7])
                break
            table.set_row([f"{name}, {handles}", triangles or "-", report["handles"], f"{100 * report['mean_error']:.3f}", f"{100 * report['max_error']:.2f}",
                           f"{100 * report['fitted_mean_error']:.3f}", f"{100 * report['enclosed']:.4g} / {100 * report['enclosed_triangles']:.4g}",
                           f"{report['handles_per_point']:.1f}", f"{report['wall']:.1f}", f"{report['cpu']:.1f}"])
            print(table.rows[f"{name}, {handles}"], flush=True)


if __name__ == "__main__":
    main()
