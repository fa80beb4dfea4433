#!/usr/bin/env python3
"""Writes the scenes of this folder.

    examples/ipc/generate.py                      the small ones, here: they take seconds and are committed
    examples/ipc/generate.py --fine -o out/ipc    the large ones of `./dev bench ipc`
    examples/ipc/generate.py --list               names and what they show
"""
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent)]
from catalogue import friction, large, unit  # noqa: E402
from scene_files import generate  # noqa: E402

SCENES = {**unit.SCENES, **large.SCENES, **friction.SCENES}
ONLY_FINE = {"chain_100"}

if __name__ == "__main__":
    generate(SCENES, FOLDER, ONLY_FINE)
