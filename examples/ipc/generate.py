#!/usr/bin/env python3
"""Writes the scenes of this folder.

    examples/ipc/generate.py                      the small ones, here: they take seconds and are committed
    examples/ipc/generate.py --fine -o out/ipc    the large ones of `./dev bench ipc`
    examples/ipc/generate.py --list               names and what they show
"""
import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from catalogue import friction, large, unit  # noqa: E402

SCENES = {**unit.SCENES, **large.SCENES, **friction.SCENES}
ONLY_FINE = {"chain_100"}
WIDTH = 118


def lay_out(value, indent=0):
    """JSON on one line where it fits, else one member per line."""
    line = json.dumps(value)
    if len(line) + indent <= WIDTH or not isinstance(value, (dict, list)) or not value:
        return line
    pad = " " * (indent + 2)
    if isinstance(value, dict):
        members = [f"{json.dumps(k)}: {lay_out(v, indent + len(k) + 6)}" for k, v in value.items()]
        return "{" + (",\n" + " " * (indent + 1)).join(members) + "}"
    return "[\n" + ",\n".join(pad + lay_out(v, indent + 2) for v in value) + "]"


def write_scene(name, scene, folder):
    members = []
    for key, value in scene.to_json(name).items():
        text = lay_out(value, 4) if key != "bodies" else (
            "[\n" + ",\n".join("    " + lay_out(body, 4) for body in value) + "\n  ]")
        members.append(f"  {json.dumps(key)}: {text}")
    (folder / f"{name}.json").write_text(f"// {scene.about}\n{{\n" + ",\n".join(members) + "\n}\n")
    for mesh, text in scene.meshes.items():
        (folder / "meshes").mkdir(exist_ok=True)
        (folder / "meshes" / mesh).write_text(text)


def main():
    parser = argparse.ArgumentParser(description="Writes the scenes of examples/ipc.")
    parser.add_argument("names", nargs="*", help="only these; all if none")
    parser.add_argument("--fine", action="store_true", help="the large ones")
    parser.add_argument("--list", action="store_true", help="names and what they show")
    parser.add_argument("-o", "--output", type=Path, default=Path(__file__).resolve().parent)
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(SCENES)
    if unknown:
        parser.error(f"no scene {', '.join(sorted(unknown))}; there are {', '.join(SCENES)}")
    arguments.output.mkdir(parents=True, exist_ok=True)
    for name, make in SCENES.items():
        if arguments.list:
            print(f"{name:26} {make(arguments.fine).about}")
        elif name in (arguments.names or SCENES) and (arguments.fine or name not in ONLY_FINE):
            write_scene(name, make(arguments.fine), arguments.output)


if __name__ == "__main__":
    main()
