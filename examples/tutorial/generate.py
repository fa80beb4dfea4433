#!/usr/bin/env python3
"""Writes the two meshes of the tutorial that are no built-in shape: a square cloth, and a straight wire."""
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))
from scene_meshes import sheet, straight_wire, write_obj  # noqa: E402

if __name__ == "__main__":
    write_obj(FOLDER / "meshes/cloth.obj", *sheet(0.9, 16))
    write_obj(FOLDER / "meshes/wire.obj", *straight_wire((-0.6, 0, 0), (0.6, 0, 0), 40))
