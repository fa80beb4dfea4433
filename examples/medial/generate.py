#!/usr/bin/env python3
"""Writes the scenes of this folder.

    examples/medial/generate.py                        the small ones, here
    examples/medial/generate.py --fine -o out/medial   the large ones
    examples/medial/generate.py --list                 names and what they show
"""
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent)]
from catalogue import reduced  # noqa: E402
from scene_files import generate  # noqa: E402

# Of scenes that come in several sizes, one has a small version.
ONLY_FINE = {"two_puffers_on_shelf", "five_puffers_on_shelf", "two_ships_on_rods", "figure_pulled_50", "figure_pulled_200"}

if __name__ == "__main__":
    generate(reduced.SCENES, FOLDER, ONLY_FINE)
