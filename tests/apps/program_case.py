"""A test case that runs the built program in a temporary folder. MARROW names the program."""
import json
import os
import re
import struct
import subprocess
import tempfile
import unittest
import zlib
from pathlib import Path

PROGRAM = os.environ["MARROW"]
ROOT = Path(__file__).resolve().parents[2]

# A small scene in which everything moves.
SCENE = {
    "name": "small",
    "time": {"step": 0.02, "duration": 0.6, "frame_every": 2},
    "output": {"vtu_every": 1},
    "bodies": [
        {
            "name": "bar",
            "shape": {"type": "box", "size": [1, 0.2, 0.2], "cells_x": 8, "cells_y": 2, "cells_z": 2},
            "prescribed": [
                {"select": {"relative_box": {"min": [0, 0, 0], "max": [0, 1, 1]}}},
                {"select": {"relative_box": {"min": [1, 0, 0], "max": [1, 1, 1]}}, "angular_velocity": [5, 0, 0]},
            ],
        },
        {"name": "ball", "shape": {"type": "sphere"}, "position": [0, 2, 0], "angular_velocity": [0, 0, 3]},
        {"name": "floor", "kind": "obstacle", "shape": {"type": "plate"}, "position": [0, -2, 0]},
    ],
}


# What a run writes that has no wall times in it.
WRITTEN = (".vtu", ".pvd", ".mrw", ".glb", ".gltf", ".bin", ".csv")


def unpack_frame(path):
    """Rewrites a VTU file without compression, as a length of 8 bytes and the data for each array; returns its bytes."""
    content = path.read_bytes()
    mark = content.index(b"_", content.index(b"<AppendedData")) + 1
    head, data, blocks = content[:mark].replace(b' compressor="vtkZLibDataCompressor"', b""), content[mark:], b""

    def move(found):
        nonlocal blocks
        at, place = int(found[1]), len(blocks)
        (count,) = struct.unpack_from("<Q", data, at)
        sizes, start, plain = struct.unpack_from(f"<{count}Q", data, at + 24), at + 24 + 8 * count, b""
        for size in sizes:
            plain += zlib.decompress(data[start:start + size])
            start += size
        blocks += struct.pack("<Q", len(plain)) + plain
        return b'offset="%d"' % place

    head = re.sub(rb'offset="(\d+)"', move, head)
    path.write_bytes(head + blocks + content[content.rindex(b"\n  </AppendedData>"):])
    return path.read_bytes()


class ProgramCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.scene = self.write_scene(SCENE)

    def write_scene(self, scene, name="scene.json"):
        path = self.folder / name
        path.write_text(scene if isinstance(scene, str) else json.dumps(scene, indent=1), encoding="utf-8")
        return path

    def marrow(self, *arguments, **options):
        """Runs the program to its end."""
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=300, **options)

    def start(self, *arguments, **options):
        return subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, **options)

    def run_ok(self, *arguments):
        result = self.marrow("run", *arguments)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result

    def metrics(self, out):
        return [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]

    def assert_same_run(self, a, b):
        """Frames, animation and last state to the last bit; metrics but for the times."""
        files = sorted(p.relative_to(a) for p in a.rglob("*") if p.suffix in WRITTEN)
        self.assertEqual(files, sorted(p.relative_to(b) for p in b.rglob("*")
                                       if p.suffix in WRITTEN))
        self.assertTrue(any(f.suffix == ".vtu" for f in files))
        last = max((a / "checkpoints").iterdir()).relative_to(a)
        for file in [*files, last]:
            self.assertEqual((a / file).read_bytes(), (b / file).read_bytes(), file)
        for x, y in zip(self.metrics(a), self.metrics(b), strict=True):
            for key in ("seconds", "wall_time", "threads"):
                x.pop(key)
                y.pop(key)
            self.assertEqual(x, y)
