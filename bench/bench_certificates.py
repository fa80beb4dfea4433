"""Self-collision culling by certificates: speed, preparation, soundness, and the contact solver's search with and without.

Usage: bench_certificates.py [--only TEXT] [--trials N] [--seed N] [--rows P] [--marrow P] [--data FOLDER] [--output FILE] [--store FILE]

Every row is measured by one call of bench_certificate_rows or two of `marrow run`, plain and certified by turns. Rows measured
before are kept in the store and only measured again where --only names them, so that a long table can be built piece by piece.
"""
import argparse
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

# Our kinds, and of the relatives in table 1 of Zheng and James 2012: name, triangles, ms of its plain and of its culled search (8
# cores), culling difficulty, ms of preparation (G and certificates, 8 cores) per certificate, bytes per triangle where its text has them.
EXAMPLES = {
    "flowing_cloth 51200": ("flowing cloth", 124.6, 6.5, 0.10, 31.3, 510),
    "cloth_on_sphere 20000": ("cloth sphere", 54.4, 12.0, 0.40, 26.7, 498),
    "folding_cloth 13436": ("flag", 41.5, 5.0, 0.29, 28.1, None),
    "spring_wire 16000": ("spring wire", 33.2, 1.2, 0.10, 10.5, None),
    "bending_rod 18354": ("snake", 44.0, 4.9, 0.71, 20.8, None),
    "squashed_blob 13632": ("bunny, low res.", 41.7, 7.6, 0.42, 29.9, 608),
    "squashed_blob 54528": ("bunny, high res.", 169.7, 41.1, 0.36, 35.6, 669),
    "noisy_blob 54528": ("bunny, noisy", 185.7, 55.9, 0.78, 44.6, None),
    "spiky_blob 54528": ("bunny, spiky", 194.9, 95.5, 1.30, 61.9, None),
    "twisting_bar 12000": ("none", None, None, None, None, None),
    "tentacle_ball 100000": ("squishy ball, a tenth", None, None, 0.72, 8.3, 350),
    "tentacle_ball 1064216": ("squishy ball", 3100, 270, 0.72, 8.3, 350),
}
SCENES = [("twisting", "twist"), ("folding", "fold"), ("tentacles", "tentacles")]
SCOPES = ("contact.search", "contact.set", "contact.step_limit", "contact.certificates", "contact.renewal")


def call(command):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def measure_example(arguments, example):
    return json.loads(call([arguments.rows, "example", *example.split(), 1]))


def list_sequences(data):
    horse = data / "sequences/Hyperspectral-Inverse-Skinning/models/horse-collapse"
    kick = data / "sequences/Codim-IPC/Projects/FEMShell/input"
    numbers = sorted((int(file.stem) for file in horse.glob("*.obj")))
    return [("horse-collapse", [horse / f"{n}.obj" for n in numbers]),
            ("Kick", [kick / "Kick/shell39.obj", kick / "Kick/shell40.obj"]),
            ("Kick_unfixed", [kick / "Kick_unfixed/39.obj", kick / "Kick_unfixed/40.obj"])]


def measure_generated(arguments):
    lines = [json.loads(line) for line in call([arguments.rows, "sequences", 600, 4]).splitlines()]
    return {"sequences": len(lines), "differences": sum(row[way]["differences"] for row in lines for way in ("discrete", "continuous")),
            "frames": sum(len(row["discrete"]["pairs"]) for row in lines),
            "pairs": sum(sum(row[way]["pairs"]) for row in lines for way in ("discrete", "continuous"))}


def measure_trials(arguments):
    lines = [json.loads(line) for line in call([arguments.rows, "trials", arguments.trials, arguments.seed]).splitlines()]
    return {key: sum(row[key] for row in lines) for key in ("trials", "colliding", "certified", "unsound")}


def run_scene(arguments, scene, how, folder):
    """Runs the scene and returns its totals and the bytes of its last checkpoint."""
    shutil.rmtree(folder, ignore_errors=True)
    call([arguments.marrow, "run", scene, "-o", folder, "--threads", 1, "--set", f"bodies[0].self_collision={how}", "--set", "output.vtu=false",
          "--set", "output.gltf=false", "--set", "output.check=false"])
    lines = [json.loads(line) for line in (Path(folder) / "metrics.jsonl").read_text().splitlines()]
    totals = {scope: sum(line["seconds"].get(scope, 0) for line in lines) for scope in SCOPES}
    totals["total"] = sum(line["wall_time"] for line in lines)
    totals["steps"] = len(lines)
    totals["iterations"] = sum(line["iterations"] for line in lines)
    totals["energies"] = [line["energy"] for line in lines]
    culling = [line["self_collision"] for line in lines if "self_collision" in line]
    totals["culling"] = culling[-1] if culling else None
    totals["certified_share"] = sum(c["certified_triangles"] / c["triangles"] for c in culling) / len(culling) if culling else 0
    return totals, b"".join(file.read_bytes() for file in sorted(Path(folder).glob("checkpoints/*")))


def measure_scene(arguments, name):
    scene = Path("examples/self_collision") / f"{name}.json"
    with tempfile.TemporaryDirectory() as folder:
        plain, plain_end = run_scene(arguments, scene, "plain", f"{folder}/plain")
        certified, certified_end = run_scene(arguments, scene, "certified", f"{folder}/certified")
        auto, auto_end = run_scene(arguments, scene, "auto", f"{folder}/auto")
    same = plain_end == certified_end == auto_end and plain["energies"] == certified["energies"] == auto["energies"]
    for run in (plain, certified, auto):
        del run["energies"]
    return {"plain": plain, "certified": certified, "auto": auto, "same": bool(same and plain_end)}


def format_examples(store):
    lines = ["| example (relative) | tri | intra | inter | cover | planes | prepared in CPU s | of which G | ms/cert. (paper's) | B/tri (paper's) | with tree and sums | plain ms → certified ms | paper's ms | speed-up (paper's) "
             "| free frames | CCD plain ms → certified ms | CCD speed-up | free frames | leaf tests | difficulty (paper's) | differences |", "|" + " --- |" * 21]
    for example, (relative, plain, culled, difficulty, cost, size) in EXAMPLES.items():
        row = store.get(f"example {example}")
        if row is None:
            continue
        d, c = row["discrete"], row["continuous"]
        paper = lambda value: "-" if value is None else value
        lines.append(f"| {row['name'].replace('_', ' ')} ({relative}) | {row['triangles']} | {row['intra']} | {row['inter']} | {row['cover']:.2f} | {row['planes']} | {row['prepare_s']} | {100 * row['green_share']:.0f} % "
                     f"| {row['ms_per_certificate']:.2f} ({paper(cost)}) | {row['data_bytes_per_triangle']:.0f} ({paper(size)}) | {row['bytes_per_triangle']:.0f} | {d['plain_ms']:.2f} → {d['certified_ms']:.2f} "
                     f"| {paper(plain)} → {paper(culled)} | **{d['speedup']:.1f}×** ({f'{plain / culled:.1f}' if plain else '-'}) | {d['free_speedup']:.1f}× | {c['plain_ms']:.2f} → {c['certified_ms']:.2f} "
                     f"| **{c['speedup']:.1f}×** | {c['free_speedup']:.1f}× | {d['plain_leaf_tests']:.0f} → {d['leaf_tests']:.0f} | {d['difficulty']} ({paper(difficulty)}) | {d['differences'] + c['differences']} |")
    return lines


def format_sequences(store):
    lines = ["| sequence | tri | pairs at frames | pairs between frames | speed-up | CCD speed-up | differences |", "|" + " --- |" * 7]
    for key in sorted(store):
        if not key.startswith("sequence "):
            continue
        row = store[key]
        d, c = row["discrete"], row["continuous"]
        lines.append(f"| {key[9:]} | {row['triangles']} | {', '.join(map(str, d['pairs']))} | {', '.join(map(str, c['pairs']))} | {d['speedup']:.1f}× | {c['speedup']:.1f}× "
                     f"| {d['differences'] + c['differences']} |")
    return lines


def format_scenes(store):
    lines = ["| scene | triangles | steps, iterations | certified | pairs culled | regions renewed in searches | search s | barrier's pairs s | step limit s | asking s | these together, by the rest of the run | auto | same bits |",
             "|" + " --- |" * 13]
    for label, name in SCENES:
        row = store.get(f"scene {name}")
        if row is None:
            continue
        p, q, a = row["plain"], row["certified"], row["auto"]
        culling = q["culling"]
        share = 1 - culling["kept_pairs"] / max(1, culling["plain_pairs"])
        both = lambda scope: f"{p[scope]:.2f} → {q[scope]:.2f}"
        # The rest of both runs is the same work, so it tells how busy the machine was.
        before, after = (sum(run[s] for s in SCOPES) / (run["total"] - sum(run[s] for s in SCOPES)) for run in (p, q))
        choice = "without" if a["culling"] is None else "with" if a["culling"]["certified"] else "left off"
        lines.append(f"| {label} | {culling['triangles']} | {p['steps']}, {p['iterations']} | {100 * q['certified_share']:.0f} % | {100 * share:.0f} % | {culling['renewed']} in {culling['searches']} "
                     f"| {both('contact.search')} | {both('contact.set')} | {both('contact.step_limit')} | {q['contact.certificates'] + q['contact.renewal']:.2f} | **{before / after:.2f}×** | {choice} "
                     f"| {'yes' if row['same'] else '**no**'} |")
    return lines


def write_tables(store, output):
    machine = Path("build/bench/machine.md")
    generated, rounds = store.get("generated"), [row for key, row in store.items() if key.startswith("trials ")]
    trials = {key: sum(row[key] for row in rounds) for key in rounds[0]} if rounds else None
    parts = ["# Self-collision culling by certificates", "", machine.read_text().strip() if machine.exists() else "", "",
             "Written by `./dev bench certificates`. Plain and certified search by turns in one run, on the same hierarchy and one thread, least of three for every frame, mean of four consecutive",
             "frames at each of ten times out of a sequence of 200 frames from rest to the end, CCD on the way from the frame before; times on a shared machine, so only ratios mean something. Free frames: those",
             "without intersections; in the others the exact test of the triangles that meet takes much of the time, with and without certificates. In brackets, and under paper's ms, the paper's figures for the",
             "relative of the example, on eight cores of 2009 (Xeon X5570). B/tri: what certificates add to mesh and tree of boxes, as the paper counts. Difficulty: tests of leaves that are far along the surface, per leaf.", "", *format_examples(store), ""]
    parts += ["## The same pairs", "", *format_sequences(store), ""]
    if generated:
        parts += [f"Generated sequences: {generated['sequences']} of ten kinds, {generated['frames']} frames and as many motions, {generated['pairs']} pairs found, **{generated['differences']} differences**.", ""]
    if trials:
        parts += [f"Least-energy deformations aimed at just crossing a certificate, under random affine maps: {trials['trials']} trials, {trials['colliding']} colliding, "
                  f"{trials['certified']} certified as a whole, **{trials['unsound']} unsound**.", ""]
    parts += ["## In the contact solver", "", "Seconds of whole runs of examples/self_collision, one thread, without → with certificates. certified: mean share of triangles in regions; pairs culled: in the last search made both ways.",
              "", *format_scenes(store), ""]
    notes = re.search(r"(?s)<!-- notes -->.*", output.read_text()) if output.exists() else None
    output.write_text("\n".join(parts) + ("\n" + notes.group(0) if notes else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", default="build/bench/bin/bench_certificate_rows")
    parser.add_argument("--marrow", default="build/bench/bin/marrow")
    parser.add_argument("--data", default="../shared/data")
    parser.add_argument("--output", default="bench/results/certificates.md")
    parser.add_argument("--store", default="bench/results/certificates.json")
    parser.add_argument("--trials", type=int, default=112000, help="about; kinds that are not connected have none")
    parser.add_argument("--seed", type=int, default=21, help="of the trials; those of other seeds are kept and counted too")
    parser.add_argument("--only", default="")
    arguments = parser.parse_args()
    path = Path(arguments.store)
    store = json.loads(path.read_text()) if path.exists() else {}
    tasks = [(f"example {example}", lambda e=example: measure_example(arguments, e)) for example in EXAMPLES]
    tasks += [(f"sequence {name}", lambda f=files: json.loads(call([arguments.rows, "files", *f]))) for name, files in list_sequences(Path(arguments.data))]
    tasks += [("generated", lambda: measure_generated(arguments)), (f"trials {arguments.seed}", lambda: measure_trials(arguments))]
    tasks += [(f"scene {name}", lambda n=name: measure_scene(arguments, n)) for _, name in SCENES]
    for key, measure in tasks:
        if (arguments.only and arguments.only not in key) or (not arguments.only and key in store):
            continue
        store[key] = measure()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(store, indent=1))
        write_tables(store, Path(arguments.output))
        print(key, flush=True)
    write_tables(store, Path(arguments.output))


if __name__ == "__main__":
    main()
