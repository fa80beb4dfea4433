"""The gallery: every example scene, run and rendered, with the command under each picture.

Usage: gallery.py MARROW [NAME…] [--all] [--limit SECONDS] [--jobs N] [--again] [--draw]. Writes docs/gallery/*.jpg,
docs/gallery.md, and the shares of the picture that the bodies take into bench/results/gallery.md.

A NAME is that of a scene (stiff/mill), of a folder (stiff), or a pattern (ipc/erleben_*); without names, all scenes. A run
that reaches the time limit is stopped there; the command on the page names the steps that it took, so that everybody
gets the same picture. --all runs every scene to its end. --again keeps the steps of the page as it is. --draw draws
anew what was run before, from build/gallery, without running it. Needs ffmpeg and Chromium.
"""
import argparse
import concurrent.futures
import fnmatch
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES, PICTURES, PAGE = ROOT / "examples", ROOT / "docs/gallery", ROOT / "docs/gallery.md"
LIST = PICTURES / "gallery.json"
WORK = ROOT / "build/gallery"
TABLE = ROOT / "bench/results/gallery.md"
SIZE = "640x400"
ENOUGH_FILL, ENOUGH_VISIBLE = 1 / 3, 0.8  # below, the table says so
# Steps after which a scene shows what it is about; at its end it does not, or not from near.
SHOWN = {
    "all_shapes": 24, "cloth": 20, "wires": 20, "ipc/funnel": 16, "ipc/mass_ratio": 16, "ipc/tunnel_10": 1, "ipc/tunnel_100": 1,
    "ipc/tunnel_1000": 1, "stiff/door": 200, "planar/masticator": 20,
}
# Scenes that end before anything can be seen, and how long they are run instead [s].
LONGER = {"ipc/arch_falls": 3, "stiff/arch_25_falls": 3}
TITLES = {
    "": "All kinds of bodies",
    "ipc": "Tests of contact from the literature",
    "interactive": "Made to be played with",
    "high_order": "Curved tets",
    "medial": "Medial bodies",
    "parts": "Parts of other scenes",
    "planar": "Two dimensions",
    "remeshing": "Meshes that become finer within a step",
    "self_collision": "Bodies that meet themselves",
    "stiff": "Affine, rigid and jointed bodies",
    "tutorial": "The tutorial",
}
HEAD = """# Gallery

Every example scene, as `./dev gallery` runs and renders it: the last frame, with the camera that `marrow render`
chooses. `./dev run run SCENE -o out/x`, then `./dev run view out/x`, shows the motion. Where a run was stopped, to save
time or because more is seen there, `--steps` says where.
"""
TABLE_HEAD = """# Pictures of the gallery

What `marrow render --json` says of each picture of [the gallery](../../docs/gallery.md), written by `./dev gallery`.
Fill is the larger share of the picture's width and height that the bodies take, in the frame shown; visible is the part
of their pixels that no obstacle covers. Wanted: a third, and 80 %.

"""


def list_scenes():
    """Names of all example scenes: paths below examples/ without the ending."""
    paths = (path for path in EXAMPLES.rglob("*.json") if isinstance(read_json(path), dict))
    return sorted(path.relative_to(EXAMPLES).with_suffix("").as_posix() for path in paths if "bodies" in path.read_text())


def read_json(path):
    """The scene; scenes may hold comments, which JSON may not: those count as scenes too."""
    try:
        return json.loads(path.read_text())
    except ValueError:
        return {}


def choose(names, scenes):
    """The scenes that the names mean. Ends the program if a name means none."""
    chosen = []
    for name in names:
        pattern = name.removeprefix("examples/").removesuffix(".json").rstrip("/")
        found = [scene for scene in scenes if fnmatch.fnmatch(scene, pattern) or scene.startswith(pattern + "/")]
        if not found:
            sys.exit(f"gallery: no example scene is called {name}; see the folder examples/")
        chosen += found
    return sorted(set(chosen)) or scenes


def run(marrow, scene, limit, steps):
    """Runs the scene. Raises RuntimeError if it cannot."""
    out = WORK / scene
    shutil.rmtree(out, ignore_errors=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    words = [marrow, "run", EXAMPLES / f"{scene}.json", "-o", out, "--set", "output.gltf=false", "--set", "output.vtu=false"]
    words += ["--set", "output.checkpoint_every=1000000"] + (["--steps", str(steps)] if steps else [])
    words += ["--set", f"time.duration={LONGER[scene]}"] if scene in LONGER else []
    process = subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGINT)  # it ends after its step, and writes its last frame
        output, _ = process.communicate(timeout=300)
    if count_steps(scene) == 0:
        raise RuntimeError(output.strip().splitlines()[-1] if output.strip() else "no step was taken")


def count_steps(scene):
    """The steps that the run took."""
    metrics = WORK / scene / "metrics.jsonl"
    return len(metrics.read_text().splitlines()) if metrics.exists() else 0


def count_planned(marrow, scene):
    """The steps that the scene has."""
    said = subprocess.run([str(marrow), "info", str(EXAMPLES / f"{scene}.json")], capture_output=True, text=True, check=True).stdout
    step = re.search(r"in (\d+) steps? of ([0-9.e-]+) s", said)
    return round(LONGER[scene] / float(step[2])) if scene in LONGER else int(step[1])


def render(marrow, scene):
    """Renders the last frame as a JPEG; returns what `marrow render --json` says."""
    png, jpg = WORK / f"{scene}.png", PICTURES / f"{scene.replace('/', '_')}.jpg"
    PICTURES.mkdir(exist_ok=True)
    result = subprocess.run([str(marrow), "render", str(WORK / scene), "-o", str(png), "--size", SIZE, "--samples", "16", "--json"],
                            capture_output=True, text=True, timeout=600, check=False)
    if result.returncode != 0:
        raise RuntimeError(result.stderr.strip())
    subprocess.run(["ffmpeg", "-y", "-loglevel", "error", "-i", str(png), "-q:v", "4", str(jpg)], check=True)
    return json.loads(result.stdout.strip().splitlines()[-1])


def make(marrow, scene, limit, steps, is_run):
    if not is_run:
        run(marrow, scene, limit, steps)
    said = render(marrow, scene)
    return {"steps": count_steps(scene), "planned": count_planned(marrow, scene), "fill": round(said["fill"], 2), "visible": round(said["visible"], 2)}


def format_page(entries):
    """docs/gallery.md from what is known of each scene."""
    text, folders = HEAD, sorted({scene.rpartition("/")[0] for scene in entries})
    for folder in folders:
        text += f"\n## {TITLES.get(folder, folder)}\n"
        for scene in sorted(name for name in entries if name.rpartition("/")[0] == folder):
            title = read_json(EXAMPLES / f"{scene}.json").get("name") or scene.rpartition("/")[2].replace("_", " ")
            entry = entries[scene]
            steps = f" --set time.duration={LONGER[scene]}" if scene in LONGER else ""
            steps += "" if entry["steps"] >= entry["planned"] else f" --steps {entry['steps']}"
            text += f"\n### {title[0].upper() + title[1:]}\n\n![{title}](gallery/{scene.replace('/', '_')}.jpg)\n\n"
            text += f"    marrow run examples/{scene}.json{steps} -o out/{scene.rpartition('/')[2]}\n"
    return text


def lacks(entry):
    """Whether the picture shows too little of the bodies."""
    return entry["fill"] < ENOUGH_FILL or entry["visible"] < ENOUGH_VISIBLE


def format_table(entries):
    """bench/results/gallery.md: how much of each picture is filled."""
    text = TABLE_HEAD + "| scene | steps | of | fill | visible |\n| --- | ---: | ---: | ---: | ---: |\n"
    for scene, entry in sorted(entries.items()):
        text += f"| `{scene}`{' (less)' if lacks(entry) else ''} | {entry['steps']} | {entry['planned']} |"
        text += f" {entry['fill']:.0%} | {entry['visible']:.0%} |\n"
    return text + f"\n{len(entries)} scenes; {sum(map(lacks, entries.values()))} with less than is wanted.\n"


def keep(scene, entry, scenes):
    """Adds the scene to what is known of all, as it is on disk now, and writes all that is made from it."""
    PICTURES.mkdir(exist_ok=True)
    known = json.loads(LIST.read_text()) if LIST.exists() else {}
    known[scene] = entry
    entries = {name: each for name, each in sorted(known.items()) if name in scenes}
    LIST.write_text(json.dumps(entries, indent=1) + "\n")
    PAGE.write_text(format_page(entries))
    TABLE.write_text(format_table(entries))


def main():
    parser = argparse.ArgumentParser(prog="./dev gallery", description=__doc__.split("\n\n")[0])
    parser.add_argument("marrow", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME", help="scenes, folders or patterns; none: all")
    parser.add_argument("--all", action="store_true", help="run every scene to its end")
    parser.add_argument("--limit", type=float, default=20, help="seconds for each run (default 20)")
    parser.add_argument("--jobs", type=int, default=1, help="scenes at the same time")
    parser.add_argument("--draw", action="store_true", help="draw anew what is in build/gallery, without running it")
    parser.add_argument("--again", action="store_true", help="take as many steps as the page says")
    options = parser.parse_intermixed_args()  # names after options, too
    if shutil.which("ffmpeg") is None:
        sys.exit("gallery: ffmpeg was not found; install it with ./dev setup movie")
    entries = json.loads(LIST.read_text()) if LIST.exists() else {}
    scenes, failed = list_scenes(), []
    chosen = choose(options.names, scenes)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        jobs = {}
        for scene in chosen:
            known = entries.get(scene, {}).get("steps") if options.again else SHOWN.get(scene)
            limit = None if options.all or known else options.limit
            jobs[pool.submit(make, options.marrow, scene, limit, known, options.draw)] = scene
        for number, job in enumerate(concurrent.futures.as_completed(jobs), 1):
            scene = jobs[job]
            try:
                made = job.result()
                keep(scene, made, scenes)
                said = "fills {fill:.0%}, {visible:.0%} visible, {steps} of {planned} steps".format(**made)
            except (RuntimeError, subprocess.SubprocessError) as error:
                failed.append(scene)
                said = f"left out: {error}"
            print(f"{number} of {len(chosen)}  {scene}: {said}", flush=True)
    if failed:
        sys.exit(f"gallery: {len(failed)} of {len(chosen)} scenes could not be shown: {', '.join(failed)}")


if __name__ == "__main__":
    main()
