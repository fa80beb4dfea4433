"""Writes scene files from catalogues of scenes: shared by the generate.py of each folder here.

    generate.py                    the small scenes, beside it: they take seconds and are committed
    generate.py --fine -o DIR      the large ones, for the benchmarks
    generate.py --list             names and what they show
    generate.py --kind affine      rigid bodies made affine ones, but for those locked in part
"""
import argparse
import json
from pathlib import Path

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


def generate(scenes, folder, only_fine=()):
    """The program: scenes maps names to functions of "fine" that return a Scene; folder is where the small ones are."""
    parser = argparse.ArgumentParser(description=f"Writes the scenes of {folder.parent.name}/{folder.name}.")
    parser.add_argument("names", nargs="*", help="only these; all if none")
    parser.add_argument("--fine", action="store_true", help="the large ones")
    parser.add_argument("--list", action="store_true", help="names and what they show")
    parser.add_argument("--kind", default="rigid", choices=("rigid", "affine"), help="of the bodies that are rigid; those locked in part stay so")
    parser.add_argument("-o", "--output", type=Path, default=folder)
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(scenes)
    if unknown:
        parser.error(f"no scene {', '.join(sorted(unknown))}; there are {', '.join(scenes)}")
    arguments.output.mkdir(parents=True, exist_ok=True)
    for name, make in scenes.items():
        if arguments.list:
            print(f"{name:26} {make(arguments.fine).about}")
        elif name in (arguments.names or scenes) and (arguments.fine or name not in only_fine):
            scene = make(arguments.fine)
            for body in scene.bodies:
                if body.get("kind") == "rigid" and "locked" not in body:
                    body["kind"] = arguments.kind
            write_scene(name, scene, arguments.output)
