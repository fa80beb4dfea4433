#!/usr/bin/env python3
"""Writes the scenes of this folder.

    examples/stiff/generate.py                        the small ones, here: they take seconds and are committed
    examples/stiff/generate.py --fine -o out/stiff    the large ones of `./dev bench stiff`
    examples/stiff/generate.py --kind affine -o DIR   rigid bodies made affine ones, but for those locked in part
    examples/stiff/generate.py --list                 names and what they show
"""
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent)]
from catalogue import mechanisms, piles, structures  # noqa: E402
from scene_files import generate  # noqa: E402

SCENES = {**piles.SCENES, **mechanisms.SCENES, **structures.SCENES}
# Of scenes that come in several sizes, one has a small version.
ONLY_FINE = {"heap_142", "heap_562", "pyramid_142", "pyramid_562", "rings_142", "rings_562", "pile_142", "pile_562",
             "layers_16", "layers_64", "layers_256", "layers_1024", "layers_4000", "arch_101", "net_8", "net_16", "wire_net_16"}

if __name__ == "__main__":
    generate(SCENES, FOLDER, ONLY_FINE)
