"""Runs an example for some steps and hashes the bits of the state in which it ends."""
import hashlib
import json
import os
import struct
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# The header of a checkpoint, as in src/output/run/checkpoint.cpp: magic, version, fingerprint, step, time, contact
# stiffness, node count, vectors of three numbers per node, numbers that the joints remember, pairs of bodies with
# an activation distance of their own, and what the linear solver remembers: four numbers.
HEADER = struct.Struct("<8sQQqddQQQQiiii")
VERSIONS = (6, 7)  # 7: with meshes that changed, after all else
QUICK = ("output.vtu=false", "output.gltf=false", "output.viewer=false", "output.check=false")


@dataclass
class Found:
    motion: str = ""   # hash of step, time, nodes and velocities
    memory: str = ""   # hash of all else that a restart needs
    contacts: int = 0  # the most in a step
    failure: str = ""  # why there is no hash


# Meshes that a run prepares and keeps: those of another program are never taken.
CACHE = tempfile.TemporaryDirectory()


def hash_bytes(*parts):
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def hash_checkpoint(path):
    """(motion, memory). Not hashed: the format's version, the scene's fingerprint and the checksum."""
    data = path.read_bytes()
    magic, version, _, step, seconds, stiffness, nodes, *_ = HEADER.unpack_from(data)
    if magic != b"MARROWCK" or version not in VERSIONS:
        raise ValueError(f"{path.name} is no checkpoint of a version in {VERSIONS}: tests/golden/runs.py needs an update")
    split = HEADER.size + 2 * 3 * 8 * nodes
    motion = hash_bytes(struct.pack("<qd", step, seconds), data[HEADER.size:split])
    return motion, hash_bytes(struct.pack("<d", stiffness), data[split:-8])


def start(program, scene, steps, threads, out, *more):
    """One run of the program; what it leaves is in out."""
    settings = [word for setting in QUICK for word in ("--set", setting)]
    command = [program, "run", str(ROOT / scene), "-o", str(out), "--steps", str(steps), "--threads", str(threads)]
    environment = {**os.environ, "MARROW_CACHE": CACHE.name}
    return subprocess.run([*command, *settings, *more], capture_output=True, text=True, timeout=1800, env=environment)


def read_found(result, out, steps):
    if result.returncode != 0:
        return Found(failure=f"exit code {result.returncode}: {(result.stdout + result.stderr).strip()[-300:]}")
    motion, memory = hash_checkpoint(Path(out) / "checkpoints" / f"step_{steps:08}.ckpt")
    metrics = (Path(out) / "metrics.jsonl").read_text(encoding="utf-8").splitlines()
    return Found(motion, memory, max(json.loads(line)["contacts"] for line in metrics))


def run(program, scene, steps, threads=1, stop_after=0, threads_after=0):
    """stop_after: the run ends after so many steps and is resumed, with threads_after threads (0: as many)."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        if not stop_after:
            return read_found(start(program, scene, steps, threads, out), out, steps)
        first = start(program, scene, stop_after, threads, out)
        if first.returncode != 0:
            return read_found(first, out, stop_after)
        return read_found(start(program, scene, steps, threads_after or threads, out, "--resume"), out, steps)
