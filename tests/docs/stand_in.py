#!/usr/bin/env python3
"""Stands in for `marrow` (and, as `dev`, for ./dev run) while the blocks of the pages are run: the built program, but with
two steps instead of many, small pictures, and a view that ends once it serves. Files that a page takes for granted, as a
mesh of the reader's own, are made before."""
import json
import math
import os
import re
import signal
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

PROGRAM = os.environ["MARROW"]
STEPS = "2"
MOST_STEPS = 20  # of runs that name their steps: enough for what pages read of them
BEAM = {"bodies": [{"name": "beam", "shape": {"type": "box", "size": [1, 0.2, 0.2], "cells_x": 5, "cells_y": 2, "cells_z": 2},
                    "prescribed": [{"select": {"relative_box": {"min": [0, 0, 0], "max": [0, 1, 1]}}}]}]}


def make_sphere():
    """A closed surface of 224 triangles as (points, triangles)."""
    rings, sides = 8, 16
    points = [(0, 0.5, 0)]
    for r in range(1, rings):
        for s in range(sides):
            a, b = math.pi * r / rings, 2 * math.pi * s / sides
            points.append((0.5 * math.sin(a) * math.cos(b), 0.5 * math.cos(a), 0.5 * math.sin(a) * math.sin(b)))
    points.append((0, -0.5, 0))
    def at(r, s):
        return 1 + (r - 1) * sides + s % sides
    triangles = []
    for s in range(sides):
        triangles.append((0, at(1, s + 1), at(1, s)))
        triangles.append((len(points) - 1, at(rings - 1, s), at(rings - 1, s + 1)))
        for r in range(1, rings - 1):
            triangles += [(at(r, s), at(r, s + 1), at(r + 1, s + 1)), (at(r, s), at(r + 1, s + 1), at(r + 1, s))]
    return points, triangles


def write_mesh(path):
    points, triangles = make_sphere()
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".ply":
        text = f"ply\nformat ascii 1.0\nelement vertex {len(points)}\nproperty double x\nproperty double y\nproperty double z\n"
        text += f"element face {len(triangles)}\nproperty list uchar int vertex_indices\nend_header\n"
        text += "".join(f"{x} {y} {z}\n" for x, y, z in points) + "".join(f"3 {a} {b} {c}\n" for a, b, c in triangles)
    else:
        text = "".join(f"v {x} {y} {z}\n" for x, y, z in points)
        text += "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in triangles)
    path.write_text(text)


def make_missing(words):
    """The first argument of a verb that reads something, if it is not there."""
    verb = words[0]
    for i, word in enumerate(words[1:], 1):
        path = Path(word)
        if word.startswith("-") or words[i - 1].startswith("-") or path.exists():
            continue
        if path.suffix in (".obj", ".ply"):
            write_mesh(path)
        elif path.suffix == ".msh":
            write_mesh(path.with_suffix(".obj"))
            subprocess.run([PROGRAM, "prepare", "tet", path.with_suffix(".obj"), "-o", path], check=True, capture_output=True)
        elif path.suffix == ".json" and verb in ("run", "check", "info", "view", "render", "play"):
            path.write_text(json.dumps(BEAM))
        elif not path.suffix and verb in ("view", "render", "info", "check"):
            make_run(path)


def make_run(folder):
    folder.parent.mkdir(parents=True, exist_ok=True)
    scene = folder.parent / "stand_in.json"
    scene.write_text(json.dumps(BEAM))
    subprocess.run([PROGRAM, "run", scene, "-o", folder, "--steps", STEPS], check=True, capture_output=True)


def make_named_runs(text, root):
    """The runs whose tables a block reads, if no block before has made them."""
    for name in re.findall(r"\b(out(?:/\w+)?)/(?:metrics\.jsonl|summary\.json|\w+\.csv)", text):
        if not (root / name).exists():
            make_run(root / name)


def serve(words):
    """A command that serves the page: until it answers."""
    process = subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, text=True)
    timer = threading.Timer(60, process.kill)
    timer.start()
    answered = False
    for line in process.stdout:
        address = next((word.rstrip(";") for word in line.split() if word.startswith("http://")), None)
        if address and not answered:
            answered = urllib.request.urlopen(address, timeout=30).status == 200
            process.send_signal(signal.SIGINT)
    code = process.wait()
    timer.cancel()
    if not answered:
        sys.exit(code or 1)
    return 0 if code in (0, 130) else code


def main():
    words = sys.argv[1:]
    if Path(sys.argv[0]).name == "dev":
        if words[:1] != ["run"]:
            sys.exit(f"dev {words[:1]}: only ./dev run is run here")
        words = words[1:]
    if not words or words[0].startswith("-") or words[0] == "help":
        sys.exit(subprocess.run([PROGRAM, *words]).returncode)
    words = [word for word in words if word != "--open"]
    make_missing(words)
    if words[0] == "run" and "--steps" not in words and "--resume" not in words and "--help" not in words:
        words += ["--steps", STEPS]
    for i, word in enumerate(words[1:], 1):
        if words[0] == "run" and words[i - 1] == "--steps" and word.isdigit():
            words[i] = str(min(int(word), MOST_STEPS))
    if words[0] == "render" and "--help" not in words:
        words += [word for option, value in (("--size", "96x64"), ("--samples", "1")) if option not in words
                  for word in (option, value)]
        if any(word.endswith((".mp4", ".gif")) for word in words) and "--fps" not in words:
            words += ["--fps", "2"]
    if "--help" not in words and (words[0] == "view" or "--live" in words):
        sys.exit(serve(words))
    sys.exit(subprocess.run([PROGRAM, *words]).returncode)


if __name__ == "__main__":
    main()
