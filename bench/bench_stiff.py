#!/usr/bin/env python3
"""Affine and rigid bodies: ./dev bench stiff [parts…] [--only TEXT] [--minutes M] [--again] [--threads N]

Parts, each with a table of its own in bench/results/, all if none is named:

    rigid_ipc   the six fixtures that rigid-ipc was measured on, same steps and tolerances    stiff_rigid_ipc.md
    fixtures    every public fixture in three dimensions, as rigid and as affine bodies       stiff_fixtures.md
    bullet      heaps, pyramids and chains that Bullet was measured on, and the mixed piles   stiff_bullet.md
    scaling     cost of a step against the number of bodies, with a plot                      stiff_scaling.md, .svg
    scenes      the large scenes of examples/stiff                                            stiff_scenes.md

Every run ends by itself or after M minutes. Rows that a table has already are kept unless --again is given, so a run that
was broken off goes on where it stopped. The fixtures need ../shared/data/scenes/rigid-ipc.
"""
import argparse
import math
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from ipc_runs import ROOT, Table, lower_priority, part_of, per_step, run_scene, show  # noqa: E402
from stiff_plot import write_plot  # noqa: E402
from stiff_tables import ABD_SLIDES, BULLET, RIGID_IPC, STEPS, THESIS  # noqa: E402

FIXTURES = ROOT.parent / "shared/data/scenes/rigid-ipc/fixtures/3D"
WORK = ROOT / "out/bench_stiff"
KINDS = ("rigid", "affine")
QUIET = ["output.vtu=false", "output.gltf=false", "output.viewer=false", "output.checkpoint_every=1000000"]
BODIES = (16, 64, 256, 1024, 4000)
CPU_NOTE = ("CPU: processor time of the whole process, reading and writing included, which other work on the machine hardly changes; "
            "ms/step is by the clock.")


def milliseconds(figures, key="seconds"):
    value = per_step(figures, key)
    return None if value is None else 1000 * value


def steps_of(figures):
    return figures["steps"] if figures["steps"] == figures["wanted"] else f"{figures['steps']} of {figures['wanted']}"


def run(name, scene, arguments, overrides=(), options=(), frames=True):
    settings = QUIET[1:] if frames else QUIET  # every frame is checked exactly in either case, as it would be written
    figures = run_scene(scene, WORK / name, arguments.minutes, [*settings, *overrides],
                        threads=arguments.threads, options=options)
    shutil.rmtree(WORK / name, ignore_errors=True)  # thousands of frames each; the log stays
    return figures


class Part:
    """A table that is filled row by row; the rows there are kept."""

    def __init__(self, name, arguments, notes, columns):
        self.table = Table(ROOT / f"bench/results/stiff_{name}.md", f"Benchmark: stiff_{name}", [*notes, CPU_NOTE], columns)
        self.arguments = arguments

    def wants(self, row):
        if self.arguments.only not in row:
            return False
        cells = self.table.rows.get(row)
        return cells is None or self.arguments.again or (self.arguments.longer and self.was_stopped_before(cells))

    def was_stopped_before(self, cells):
        """Whether the run was stopped with less time than it has now."""
        limits = [re.match(r"stopped after ([0-9.]+) min", str(cell)) for cell in cells]
        return any(limit and float(limit.group(1)) < self.arguments.minutes for limit in limits)

    def add(self, cells):
        self.table.set_row(cells)
        print(" | ".join(str(cell) for cell in cells), flush=True)


def make_scenes(kind):
    folder = WORK / f"scenes_{kind}"
    subprocess.run([sys.executable, ROOT / "examples/stiff/generate.py", "--fine", "--kind", kind, "-o", folder], check=True)
    return folder


def bench_rigid_ipc(arguments):
    part = Part("rigid_ipc", arguments, [
        "Reference: rigid-ipc (23b6ba6f), one thread, on the same kind of machine. Same steps, d_hat and stopping rule."],
        ["fixture and kind", "steps", "iterations", "reference iterations", "ms/step", "CPU ms/step", "reference ms/step", "times faster",
         "smallest gap (m)", "intersections", "status"])
    for name, (path, steps, done, reference, iterations) in RIGID_IPC.items():
        for kind in KINDS:
            row = f"{name} {kind}"
            if not part.wants(row):
                continue
            f = run(f"rigid_ipc/{name}_{kind}", FIXTURES / path, arguments, options=["--kind", kind, "--steps", str(steps)], frames=False)
            ours = milliseconds(f)
            ratio = reference / ours if ours and reference else None
            theirs = f"{reference:g}" if reference else f"stopped after {done} steps, 60 s"
            part.add([row, steps_of(f), f["iterations"], iterations, show(ours, "{:.3g}"), show(milliseconds(f, "cpu"), "{:.3g}"), theirs,
                      show(ratio, "{:.1f}"), show(f["gap"], "{:.1e}"), f["seen"], f["status"]])


def bench_fixtures(arguments):
    part = Part("fixtures", arguments, [
        f"Every fixture to its end or for the time allowed (default 20 minutes; the last run's: {arguments.minutes:g}). Intersections: by the exact "
        "checker over all frames. Thesis: table 4.1, up to 16 cores. Of the 64 chains of scalability/weak every eighth is run."],
        ["fixture and kind", "bodies", "h (s)", "steps", "contacts max", "iterations/step", "ms/step", "CPU ms/step", "smallest gap (m)",
         "intersections", "status", "thesis: s/step", "iterations/step "])
    for path in sorted(FIXTURES.rglob("*.json")):
        name = str(path.relative_to(FIXTURES).with_suffix(""))
        if "weak/" in name and int(path.stem[:2]) % 8:
            continue
        for kind in KINDS:
            row = f"{name} {kind}"
            if not part.wants(row):
                continue
            f = run(f"fixtures/{name.replace('/', '_')}_{kind}", path, arguments, options=["--kind", kind])
            thesis = THESIS.get(name, (None, None))
            h = f["head"].split(" steps of ")[-1].split(" s")[0] if f["head"] else ""
            part.add([row, part_of(f["head"], "bod"), h, steps_of(f), f["contacts"], show(per_step(f, "iterations"), "{:.1f}"),
                      show(milliseconds(f), "{:.3g}"), show(milliseconds(f, "cpu"), "{:.3g}"), show(f["gap"], "{:.1e}"),
                      show(f["intersections"], "{}"), f["status"].replace("|", "/")[:90], show(thesis[0], "{:g}"), show(thesis[1], "{:g}")])


def bench_bullet(arguments):
    part = Part("bullet", arguments, [
        "Scenes of baselines for Bullet 3.24 (float, one thread, ten solver iterations, no sleeping), 4 s each: boxes of 1 m falling into a "
        "container; pyramids; level chains of 16 rings of 576 triangles (Bullet: GImpact). Ratio above 1: Bullet is that much faster. Where a "
        "run was stopped the mean is over the steps it took. Piles: beside them the slides of Affine Body Dynamics (ABD), whose shapes are not "
        "published."],
        ["scene, kind, h", "steps", "contacts max", "iterations/step", "ms/step", "CPU ms/step", "Bullet ms/step", "ratio",
         "Bullet's deepest penetration (m)", "our smallest gap (m)", "ABD slides ms/step", "status"])
    for kind in KINDS:
        folder = make_scenes(kind)
        for name in (*BULLET, *ABD_SLIDES):
            for k, h in enumerate(STEPS):
                row = f"{name}, {kind}, {h}"
                if not part.wants(row):
                    continue
                f = run(f"bullet/{name}_{kind}_{k}", folder / f"{name}.json", arguments, [f"time.step={1 / int(h[2:])!r}"], frames=False)
                ours = milliseconds(f)
                times, depths = BULLET.get(name, (None, None))
                slides = ABD_SLIDES.get(name)
                theirs = times[k] if times else None
                part.add([row, steps_of(f), f["contacts"], show(per_step(f, "iterations"), "{:.1f}"), show(ours, "{:.3g}"),
                          show(milliseconds(f, "cpu"), "{:.3g}"), show(theirs, "{:g}"), show(ours / theirs if ours and theirs else None, "{:.2g}"),
                          show(depths[k] if depths else None, "{:g}"), show(f["gap"], "{:.1e}"),
                          f"{slides[0][k]} (their Bullet: {slides[1][k]})" if slides else "", f["status"]])


def bench_scaling(arguments):
    part = Part("scaling", arguments, [
        "Boxes in four layers fall into a container as wide as it takes: contacts per body do not depend on their number. The last column is "
        "the slope on a log-log plot from the row before: 1 is linear. Plot: stiff_scaling.svg."],
        ["bodies and kind", "steps", "contacts max", "contacts/body", "iterations/step", "ms/step", "CPU ms/step", "CPU µs/body/iteration", "slope", "status"])
    for kind in KINDS:
        folder = make_scenes(kind)
        for bodies in BODIES:
            row = f"{bodies} {kind}"
            if not part.wants(row):
                continue
            f = run(f"scaling/{bodies}_{kind}", folder / f"layers_{bodies}.json", arguments, frames=False)
            ours, cpu = milliseconds(f), milliseconds(f, "cpu")
            each = 1e6 * f["cpu"] / bodies / f["iterations"] if f["iterations"] else None
            part.add([row, steps_of(f), f["contacts"], show(f["contacts"] / bodies, "{:.1f}"), show(per_step(f, "iterations"), "{:.1f}"),
                      show(ours, "{:.3g}"), show(cpu, "{:.3g}"), show(each, "{:.3g}"), "", f["status"]])
    lines = {}
    for kind in KINDS:
        before = None
        for bodies in BODIES:
            cells = part.table.rows.get(f"{bodies} {kind}")
            if not cells or not cells[6]:
                continue
            point = (bodies, float(cells[6]))
            if before:
                cells[8] = f"{math.log(point[1] / before[1]) / math.log(point[0] / before[0]):.2f}"
            before = point
            lines.setdefault(kind, []).append(point)
    part.table.write()
    write_plot(ROOT / "bench/results/stiff_scaling.svg", lines, "bodies", "CPU ms per step")


def bench_scenes(arguments):
    part = Part("scenes", arguments, [
        "The large versions of examples/stiff (`examples/stiff/generate.py --fine`). Intersections: by the exact checker over all frames. Thesis: "
        "the like scene of its table 4.1, on up to 16 cores and with geometry of its own."],
        ["scene and kind", "bodies", "h (s)", "steps", "contacts max", "iterations/step", "ms/step", "CPU ms/step", "smallest gap (m)",
         "intersections", "status", "thesis: s/step", "iterations/step "])
    for kind in KINDS:
        folder = make_scenes(kind)
        for path in sorted(folder.glob("*.json")):
            row = f"{path.stem} {kind}"
            is_locked = '"locked"' in path.read_text()
            if not part.wants(row) or path.stem.startswith("layers_") or (is_locked and kind == "affine"):
                continue
            f = run(f"scenes/{path.stem}_{kind}", path, arguments)
            thesis = THESIS.get(path.stem, (None, None))
            h = f["head"].split(" steps of ")[-1].split(" s")[0] if f["head"] else ""
            part.add([row, part_of(f["head"], "bod"), h, steps_of(f), f["contacts"], show(per_step(f, "iterations"), "{:.1f}"),
                      show(milliseconds(f), "{:.3g}"), show(milliseconds(f, "cpu"), "{:.3g}"), show(f["gap"], "{:.1e}"),
                      show(f["intersections"], "{}"), f["status"].replace("|", "/")[:90], show(thesis[0], "{:g}"), show(thesis[1], "{:g}")])


PARTS = {"rigid_ipc": bench_rigid_ipc, "fixtures": bench_fixtures, "bullet": bench_bullet, "scaling": bench_scaling, "scenes": bench_scenes}


def main():
    parser = argparse.ArgumentParser(description="Affine and rigid bodies, measured.")
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}; all if none")
    parser.add_argument("--only", default="", help="only rows whose name contains this")
    parser.add_argument("--minutes", type=float, default=20, help="time limit of a run; with one thread, of processor time")
    parser.add_argument("--again", action="store_true", help="run rows again that the tables have")
    parser.add_argument("--longer", action="store_true", help="run rows again that were stopped with less time")
    parser.add_argument("--threads", type=int, default=1, help="threads of each run; 1 as the references")
    arguments = parser.parse_args()
    unknown = set(arguments.parts) - set(PARTS)
    if unknown:
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    lower_priority()
    for name in arguments.parts or PARTS:
        if name in ("rigid_ipc", "fixtures") and not FIXTURES.exists():
            print(f"{name}: skipped, no fixtures at {FIXTURES}")
            continue
        PARTS[name](arguments)


if __name__ == "__main__":
    main()
