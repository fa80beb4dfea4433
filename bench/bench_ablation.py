#!/usr/bin/env python3
"""What each heuristic brings: every one of them switched off alone, over the small examples.

    bench_ablation.py --list                           the heuristics, and what off means
    bench_ablation.py --build DIR --jobs N             builds DIR/marrow, in which an environment variable switches them
    bench_ablation.py --run DIR --jobs N --out FILE    runs the scenes with each of them off; FILE.md and FILE.json
        --only NAME…      some heuristics               --slice K/N      every Nth, from the Kth on
        --together A,B,…  a row with all of these off   --scenes NAME…   scenes whose path contains one of the names
        --repeat N        the least processor time of N counts
        --libs DIR        in front of the library path  --loader DIR     with the C library in there
    bench_ablation.py --table FILE.json… --out FILE    one table of several runs

The scenes and their steps are the rows of CI of tests/golden/table.csv. To run it elsewhere: python3, DIR/pack.tar.gz
(the program, its libraries in lib/, the C library in libc/) and, of the project, bench/, tests/golden/ and examples/.

--build copies the tree and patches the constants below into lookups of MARROW_ABLATE="key=value,…": one program for
all rows, so that the code is the same but for the numbers. Without the variable its results are those of the golden
table to the last bit, which the first row of a run confirms.
"""
import argparse
import array
import json
import math
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/golden"))
import golden  # noqa: E402
import runs  # noqa: E402

INFINITY = float("inf")
MOST = 2**31 - 1  # of an int


@dataclass
class Number:
    """A constant or a field of a struct, and its value where the heuristic is off."""
    file: str
    name: str
    off: float

    def key(self):
        return f"{Path(self.file).stem}.{self.name}"


@dataclass
class Code:
    """Code that has no number: the text, and the text that asks is_off."""
    file: str
    old: str
    new: str


@dataclass
class Heuristic:
    name: str
    off: str  # what off means
    changes: list

    def setting(self):
        settings = {change.key(): change.off for change in self.changes if isinstance(change, Number)}
        if any(isinstance(change, Code) for change in self.changes):
            settings[self.name] = 1
        return settings


def number(file, name, off):
    return [Number("src/" + file, name, off)]


def code(file, old, new):
    return [Code("src/" + file, old, new)]


NEWTON, SEARCH, PULL = "solve/newton_heuristics.h", "solve/line_search.cpp", "sim/reach_targets.cpp"
TERMS, JOINTS = "sim/terms/contact_terms.cpp", "potentials/joints/joints.cpp"

# Sources write [ablation: NAME] beside a number that one of these rows measures (tools/check_constants.py).
HEURISTICS = [
    # Newton
    Heuristic("exact_hessian", "always projected (decision 12)",
              code("solve/newton_progress.cpp", "return is_wanted_ && wait_ == 0 ?",
                   'return !is_off("exact_hessian") && is_wanted_ && wait_ == 0 ?')),
    Heuristic("stretched_steps", "never longer than Newton's (decision 18)", number(NEWTON, "max_stretch", 1)),
    Heuristic("crawling", "neither of the two", number(NEWTON, "crawling", INFINITY)),
    Heuristic("nearing", "ends at the first step that rounding hides", number(NEWTON, "nearing", 0)),
    Heuristic("rounding_slack", "steps of any length end at rounding", number(NEWTON, "rounding_slack", INFINITY)),
    Heuristic("no_rounding_slack", "a long step at rounding always fails", number(NEWTON, "rounding_slack", 0)),
    Heuristic("held_up", "cut steps are evidence of convergence too", number(NEWTON, "held_up", 0)),
    Heuristic("max_idle_steps", "cut steps without progress never end a solve", number(NEWTON, "max_idle_steps", MOST)),
    Heuristic("creeping", "a pull never ends because it creeps", number(NEWTON, "creeping", 0)),
    Heuristic("far_below", "the last step is always computed", number(NEWTON, "far_below", 0)),
    Heuristic("least_swing", "paths are bent by any little", number(NEWTON, "least_swing", 0)),
    Heuristic("last_promise", "a last step may promise any energy", number(NEWTON, "last_promise", INFINITY)),
    Heuristic("shifts", "the diagonal is never raised",
              code("solve/newton_system.cpp", "if (kShifts[k] > 0) shift",
                   'if (kShifts[k] > 0 && !is_off("shifts")) shift')),
    Heuristic("same_factor", "the same matrix is factorised again",
              code("solve/newton_system.cpp", "if (!factorized_.empty() && same_bits())",
                   'if (!is_off("same_factor") && !factorized_.empty() && same_bits())')),
    Heuristic("balance_floor", "forces balance though rounding leaves more",
              number("solve/balance.cpp", "gradient", 0)),
    # line search
    Heuristic("max_arcs", "Newton's steps are not bent", number(SEARCH, "max_arcs", 0)),
    Heuristic("arc_slack", "all of what was safe is tried next", number(SEARCH, "arc_slack", 1)),
    Heuristic("bent_paths", "neither steps nor predictions are bent", number("sim/terms/predict.cpp", "kSmallTurn", INFINITY)),
    Heuristic("far_turn", "affine bodies always go straight to predictions",
              number("sim/terms/predict.cpp", "kFarTurn", INFINITY)),
    Heuristic("clearly_above_noise", "steps halved into rounding are taken",
              number(SEARCH, "clearly_above_noise", INFINITY)),
    Heuristic("steepest", "no look at the slope where a step ends", number(SEARCH, "steepest", INFINITY)),
    Heuristic("armijo", "any decrease will do", number(SEARCH, "armijo", 0)),
    Heuristic("value_rounding", "no increase passes as rounding", number("solve/objective.cpp", "kValueRounding", 0)),
    Heuristic("kept_gap", "pairs keep a hundredth of their gap", number("contact/kept_gap.h", "share", 0.01)),
    Heuristic("kept_gap_half", "pairs keep half of their gap", number("contact/kept_gap.h", "share", 0.5)),
    Heuristic("kept_volume", "elements keep a hundredth of their volume",
              number("potentials/elastic/elasticity.cpp", "kept_volume", 0.01)),
    # contact
    Heuristic("majoriser_share", "sliding contacts are never held back", number(TERMS, "majoriser_share", 0)),
    Heuristic("trusted", "once held back, to the end of the solve", number(TERMS, "trusted", MOST)),
    Heuristic("kappa_balance", "κ is the least one", number(TERMS, "balance_range", 1)),
    Heuristic("kappa_doubling", "κ stays during a solve", number(TERMS, "tiny_gap", 0)),
    Heuristic("least_activation", "near starts act at any small gap", number(TERMS, "least_activation", 0)),
    Heuristic("near_starts", "near starts act at d̂ (decision 22)", number(TERMS, "least_activation", 1)),
    Heuristic("near_start", "all of a path is searched", number("potentials/contact/contact_motion.cpp", "nearly_whole", 0)),
    Heuristic("kept_pairs", "every point is searched anew",
              number("contact/proximity.cpp", "point", 0) + number("contact/proximity.cpp", "group", 0)),
    Heuristic("kept_orders", "a new order for every pattern", number("linalg/solver_multifrontal.cpp", "kOrderSlack", 0)),
    Heuristic("kept_hessian", "medial bodies: a new one in each iteration",
              number("potentials/elastic/elastic_terms.cpp", "kHessianPatience", 0)),
    # the time step
    Heuristic("prediction", "solves start at the last positions",
              code("sim/terms/predict.cpp", "if (path.direction.size() == 0 ||",
                   'if (is_off("prediction") || path.direction.size() == 0 ||')),
    Heuristic("impacts", "steps are not split where fast bodies meet (decision 21)",
              number("sim/impacts.cpp", "least_path", INFINITY)),
    Heuristic("rebounds", "BDF2 goes on over impacts", number("sim/integrators/rebounds.cpp", "kVelocityJump", INFINITY)),
    Heuristic("project_joint_velocities", "Newmark's velocities stay as they are",
              code("sim/integrators/project_joint_velocities.cpp", "if (rates.empty()) return;",
                   'if (is_off("project_joint_velocities") || rates.empty()) return;')),
    # joints
    Heuristic("leave_joints_open", "joints that press only fail", number("sim/step.cpp", "halvings_to_leave_joints_open", 99)),
    Heuristic("joints_press", "whether joints press is not asked", number("sim/solve_rounds.cpp", "pressing_gap", 0)),
    Heuristic("joint_growth", "multipliers alone", number(JOINTS, "growth", 1)),
    Heuristic("joint_patience", "rounds go on to the last", number(JOINTS, "patience", MOST)),
    Heuristic("motor_softness", "motors are as stiff as joints", number(JOINTS, "motor_softness", 1)),
    # prescribed motion
    Heuristic("try_direct_move", "no move that is safe as a whole",
              code(PULL, "  try_direct_move(terms, plan, targets, n);",
                   '  if (!is_off("try_direct_move")) try_direct_move(terms, plan, targets, n);')),
    Heuristic("push_if_room", "pushed whatever the gap", number(PULL, "room", 0)),
    Heuristic("never_push", "never pushed before a pull", number(PULL, "room", INFINITY)),
    Heuristic("braced_pulls", "no second pull against a stiffer barrier",
              code(PULL, "!can_brace(terms, targets, state.nodes)",
                   'is_off("braced_pulls") || !can_brace(terms, targets, state.nodes)')),
    Heuristic("pull_stiffness", "the pull's κ stays", number("potentials/prescribed.cpp", "largest_stiffness", 1e6)),
    Heuristic("pull_tolerance", "rounds as exact as steps", number(PULL, "pull_tolerance", 0)),
    Heuristic("nearly_arrived", "multipliers only at the largest κ", number(PULL, "nearly_arrived", 1)),
    Heuristic("arrived", "pulled until it is idle", number(PULL, "arrived", 1)),
    Heuristic("max_idle_rounds", "pulled for all rounds", number(PULL, "max_idle_rounds", MOST)),
    Heuristic("max_creeping_pulls", "rounds that creep go on", number(PULL, "max_creeping_pulls", MOST)),
    Heuristic("max_held_up_iterations", "held up, as many iterations as else",
              number("sim/step.cpp", "max_held_up_iterations", MOST)),
]
BASE = Heuristic("as it is", "", [])

# ---- build ----------------------------------------------------------------------------------------------------------

LOOKUP = '''// Numbers that MARROW_ABLATE="key=value,…" changes: bench/bench_ablation.py.
#pragma once

#include <cstdlib>
#include <cstring>

namespace marrow {

inline double ablate(const char* key, double usual) {
  const char* at = std::getenv("MARROW_ABLATE");
  const size_t length = std::strlen(key);
  while (at != nullptr && *at != 0) {
    if (std::strncmp(at, key, length) == 0 && at[length] == '=') return std::strtod(at + length + 1, nullptr);
    at = std::strchr(at, ',');
    if (at != nullptr) ++at;
  }
  return usual;
}

inline bool is_off(const char* name) { return ablate(name, 0) != 0; }

}  // namespace marrow
'''


def replace_once(text, pattern, new, where):
    changed, count = re.subn(pattern, lambda match: match.expand(new) if "\\" in new else new, text, flags=re.MULTILINE)
    if count != 1:
        raise SystemExit(f"{where}: {count} places instead of one for {pattern}")
    return changed


def patch(text, changes):
    """The text of a file whose numbers and code ask for what is off."""
    for change in changes:
        if isinstance(change, Code):
            text = replace_once(text, re.escape(change.old), change.new, change.file)
            continue
        definition = rf"^(\s*(?:inline )?)(static )?(constexpr )?(double|int|size_t) {change.name} = ([^;]+);"
        lookup = rf'static_cast<\4>(ablate("{change.key()}", \5))'
        kind = re.search(definition, text, re.MULTILINE)
        constant = "const " if kind and kind.group(3) else ""
        static = "inline static " if kind and kind.group(2) else ""
        text = replace_once(text, definition, rf"\g<1>{static}{constant}\4 {change.name} = {lookup};", change.file)
    # Structs with such a field are no constant expressions any more.
    text = re.sub(r"^(inline )?constexpr (\w+ k\w+;)", r"\1const \2", text, flags=re.MULTILINE)
    return re.sub(r'^(#include "[^"]+"|#pragma once)$', r'\1\n#include "core/ablation.h"', text, count=1, flags=re.MULTILINE)


def copy_tree(target):
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True,
                           text=True).stdout.splitlines()
    for name in files:
        if not (ROOT / name).is_file():
            continue
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        # What is the same already keeps its time, so that a second build is short.
        if not (target / name).exists() or (target / name).read_bytes() != (ROOT / name).read_bytes():
            shutil.copyfile(ROOT / name, target / name)


def patch_tree(tree):
    by_file = {}
    for change in (change for heuristic in HEURISTICS for change in heuristic.changes):
        if change not in by_file.setdefault(change.file, []) and not any(
                isinstance(change, Number) and isinstance(old, Number) and old.name == change.name
                for old in by_file[change.file]):
            by_file[change.file].append(change)
    for name, changes in by_file.items():
        (tree / name).write_text(patch((ROOT / name).read_text(encoding="utf-8"), changes), encoding="utf-8")
    (tree / "src/core/ablation.h").write_text(LOOKUP, encoding="utf-8")


LOADER = "ld-linux-x86-64.so.2"


def collect_libraries(program, folder):
    """The shared libraries of a program: the C library's own into libc/, the others into lib/."""
    lines = subprocess.run(["ldd", program], check=True, capture_output=True, text=True).stdout.splitlines()
    for words in map(str.split, lines):
        path = next((Path(word) for word in words if word.startswith("/")), None)
        if path is None:
            continue
        name = path.name if path.name == LOADER else words[0]
        target = folder / ("libc" if name == LOADER or re.match(r"lib(c|m|dl|rt|pthread)\.so", name) else "lib")
        target.mkdir(exist_ok=True)
        shutil.copy(path, target / name)


def build(folder, jobs):
    tree = folder / "tree"
    tree.mkdir(parents=True, exist_ok=True)
    copy_tree(tree)
    patch_tree(tree)
    subprocess.run(["cmake", "--preset", "release", "-DMARROW_TESTS=OFF"], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["nice", "-n", "5", "ninja", "-j", str(jobs), "-C", "build/release", "marrow"], cwd=tree, check=True)
    program = tree / "build/release/bin/marrow"
    subprocess.run(["strip", "-o", folder / "marrow", program], check=True)
    collect_libraries(program, folder)
    with tarfile.open(folder / "pack.tar.gz", "w:gz") as pack:
        for name in ("marrow", "lib", "libc"):
            pack.add(folder / name, name)
    print(f"{folder / 'pack.tar.gz'}: {(folder / 'pack.tar.gz').stat().st_size / 2**20:.0f} MiB")


# ---- run ------------------------------------------------------------------------------------------------------------

LEAST_LIMIT, SLOWER = 30, 10  # a run may take so many seconds of a processor, or so many times those of the base


@dataclass
class Result:
    failure: str = ""
    iterations: int = 0
    seconds: float = 0        # of a processor
    substeps: int = 0         # parts of steps beyond one for each
    held_up: int = 0          # steps whose prescribed nodes stayed behind
    motion: str = ""          # hash of the end
    farthest: float = 0       # from where the base ends, over the size of the scene


def start(command, environment, seconds, folder):
    """Exit status and processor time."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
    with open(Path(folder) / "log", "wb") as log:
        with subprocess.Popen(command, stdout=log, stderr=log, env=environment, preexec_fn=limit) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime


def read_nodes(path):
    data = path.read_bytes()
    count = runs.HEADER.unpack_from(data)[6]
    nodes = array.array("d")
    nodes.frombytes(data[runs.HEADER.size:runs.HEADER.size + 3 * 8 * count])
    return nodes


def deviate(nodes, base):
    """The largest difference of a coordinate, over the size of the base."""
    size = max(max(base[k::3]) - min(base[k::3]) for k in range(3))
    return max(map(lambda a, b: abs(a - b), nodes, base)) / size if size > 0 else 0


def make_program(arguments):
    """The words that start the program, and its library path."""
    folders = [folder.resolve() for folder in (arguments.libs, arguments.loader) if folder]
    path = ":".join(filter(None, [*map(str, folders), os.environ.get("LD_LIBRARY_PATH", "")]))
    program = [str(arguments.run / "marrow")]
    return ([str(folders[-1] / LOADER), "--library-path", path, *program] if arguments.loader else program), path


def run_once(arguments, heuristic, row, limit, ends):
    """ends: {scene: nodes at the end of the base}."""
    program, libraries = make_program(arguments)
    environment = {**os.environ, "MARROW_CACHE": runs.CACHE.name}
    if libraries and not arguments.loader:  # else python's own would take them too
        environment["LD_LIBRARY_PATH"] = libraries
    if heuristic.changes:
        environment["MARROW_ABLATE"] = ",".join(f"{key}={value}" for key, value in heuristic.setting().items())
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "out"
        settings = [word for setting in runs.QUICK for word in ("--set", setting)]
        command = [*program, "run", str(ROOT / row["scene"]), "-o", str(out),
                   "--steps", row["steps"], "--threads", "1", *settings]
        status, seconds = start(command, environment, limit, folder)
        metrics = out / "metrics.jsonl"
        lines = [json.loads(line) for line in metrics.read_text().splitlines()] if metrics.exists() else []
        result = Result(iterations=sum(line["iterations"] for line in lines), seconds=seconds,
                        substeps=sum(line["substeps"] - 1 for line in lines),
                        held_up=sum(line["motion_remaining"] > 0 for line in lines))
        if status == 0:
            checkpoint = out / "checkpoints" / f"step_{int(row['steps']):08}.ckpt"
            result.motion = runs.hash_checkpoint(checkpoint)[0]
            nodes = read_nodes(checkpoint)
            result.farthest = deviate(nodes, ends.setdefault(row["scene"], nodes))
        elif status in (-signal.SIGXCPU, -signal.SIGKILL):
            result.failure = f"does not end in {limit:.0f} s (step {len(lines) + 1})"
        else:
            result.failure = f"exit code {status} in step {len(lines) + 1}"
            if status not in (3,):
                result.failure += ": " + (Path(folder) / "log").read_text(errors="replace").strip()[-200:]
    return result


def run_row(arguments, heuristic, row, base, ends):
    limit = max(LEAST_LIMIT, SLOWER * base.seconds) if base else 1800
    result = run_once(arguments, heuristic, row, limit, ends)
    for _ in range(arguments.repeat - 1 if not result.failure else 0):
        result.seconds = min(result.seconds, run_once(arguments, heuristic, row, limit, ends).seconds)
    return result


def run_all(arguments, heuristics, rows):
    """{heuristic's name: {scene: result as a dictionary}}, the base first."""
    lock, done, ends = threading.Lock(), [0], {}
    total = (2 + len(heuristics)) * len(rows)

    def work(task):
        heuristic, row, base = task
        result = run_row(arguments, heuristic, row, base, ends)
        with lock:
            done[0] += 1
            if done[0] % 50 == 0:
                print(f"{done[0]} of {total} runs", file=sys.stderr, flush=True)
        return heuristic.name, row["scene"], result

    with ThreadPoolExecutor(arguments.jobs) as pool:
        first = {scene: result for _, scene, result in pool.map(work, [(BASE, row, None) for row in rows])}
        # The base again, for its time beside the others; the long scenes first, so that no core waits for the last.
        tasks = [(heuristic, row, first[row["scene"]]) for heuristic in [BASE, *heuristics] for row in rows]
        found = list(pool.map(work, sorted(tasks, key=lambda task: -task[2].seconds)))
    results = {heuristic.name: {} for heuristic in [BASE, *heuristics]}
    for name, scene, result in found:
        results[name][scene] = asdict(result)
    return results


# ---- table ----------------------------------------------------------------------------------------------------------

COLUMNS = ["heuristic", "off means", "iterations", "by scene", "worst scene", "time", "parts", "held up", "fail", "other ends",
           "farthest", "note"]


def short(scene):
    return Path(scene).with_suffix("").as_posix().removeprefix("examples/")


def compare(value, base):
    return f"{100 * (value / base - 1):+.1f} %" if base else f"0 → {value}"


def summarize(name, off, results, base):
    """A row of the table. Sums are over the scenes that end both with and without."""
    both = [scene for scene in results if not results[scene]["failure"] and not base[scene]["failure"]]
    changed = [scene for scene in both if results[scene]["motion"] != base[scene]["motion"]]
    failed = [scene for scene in results if results[scene]["failure"] and not base[scene]["failure"]]
    mended = [scene for scene in results if base[scene]["failure"] and not results[scene]["failure"]]

    def count(scene, some):
        return some[scene]["iterations"]

    def total(what, some):
        return sum(some[scene][what] for scene in both)
    ratios = [count(scene, results) / count(scene, base) for scene in both if count(scene, results) * count(scene, base) > 0]
    mean = math.exp(sum(map(math.log, ratios)) / max(1, len(ratios)))
    worst = max(changed, default=None, key=lambda scene: count(scene, results) / max(1, count(scene, base)))
    notes = [f"{short(scene)}: {results[scene]['failure']}" for scene in failed[:4]] + ["…"] * (len(failed) > 4)
    notes += [f"{short(scene)} no longer fails" for scene in mended]
    if not changed and not failed and not mended:
        notes.append("changes no bit")
    return {
        "heuristic": f"`{name}`", "off means": off,
        "iterations": compare(total("iterations", results), total("iterations", base)),
        "by scene": compare(mean, 1),
        "worst scene": f"{short(worst)} {compare(count(worst, results), count(worst, base))}" if worst else "–",
        "time": compare(total("seconds", results), total("seconds", base)),
        "parts": f"{total('substeps', results) - total('substeps', base):+d}",
        "held up": f"{total('held_up', results) - total('held_up', base):+d}",
        "fail": str(len(failed)), "other ends": str(len(changed)),
        "farthest": f"{max(results[scene]['farthest'] for scene in changed):.0e}" if changed else "–",
        "note": "; ".join(notes).replace("|", "/").replace("\n", " "),
    }


def make_table(results):
    base = results[BASE.name]
    golden_ends = {row["scene"]: row["motion"] for row in golden.read_table(golden.TABLE)[0] if row["part"] == "ci"}
    same = sum(result["motion"] == golden_ends[scene] for scene, result in base.items())

    def total(what):
        return sum(result[what] for result in base.values())
    lines = [
        "# Ablation: each heuristic off", "",
        "`bench/bench_ablation.py` makes this table and says how. Changes against the program as it is, over the scenes",
        "that end with both: Newton iterations in all, and the geometric mean over the scenes; processor time (beside other",
        "runs: to a few per cent), parts of steps, steps in which prescribed nodes stay behind. fail: scenes that end as it",
        "is and not without. other ends: scenes whose last bits differ; farthest: by how much at most, over the size of the",
        "scene (heaps are chaotic). What changes no bit here may still be needed by scenes that are not among these.", "",
        f"As it is: {len(base)} scenes, {total('iterations')} iterations, {total('seconds'):.0f} s, {total('substeps')} parts,"
        f" {total('held_up')} steps held up, {sum(bool(result['failure']) for result in base.values())} fail;"
        f" {same} end as in the golden table.", "",
        "| " + " | ".join(COLUMNS) + " |", "|" + " --- |" * len(COLUMNS)]
    meanings = {heuristic.name: heuristic.off for heuristic in HEURISTICS}
    for name in sorted(results, key=lambda name: list(meanings).index(name) if name in meanings else len(meanings)):
        if name != BASE.name:
            row = summarize(name, meanings.get(name, "all of them off"), results[name], base)
            lines.append("| " + " | ".join(row[column] for column in COLUMNS) + " |")
    return "\n".join(lines) + "\n"


def write(out, results):
    out.with_suffix(".json").write_text(json.dumps(results, indent=1), encoding="utf-8")
    text = make_table(results)
    out.with_suffix(".md").write_text(text, encoding="utf-8")
    print(text)


def merge(files):
    """The results of several runs, with the base of the first; times of the others are scaled by their own base's."""
    merged = {}
    for file in files:
        results = json.loads(file.read_text(encoding="utf-8"))
        first = merged.setdefault(BASE.name, results[BASE.name])
        for name, some in results.items():
            if name == BASE.name:
                continue
            for scene, result in some.items():
                result["seconds"] *= first[scene]["seconds"] / max(1e-3, results[BASE.name][scene]["seconds"])
            merged[name] = some
    return merged


def join(names):
    """One heuristic of several."""
    some = [heuristic for heuristic in HEURISTICS if heuristic.name in names]
    if len(some) != len(names):
        raise SystemExit(f"no such heuristics: {', '.join(set(names) - {h.name for h in some})}")

    class Joined(Heuristic):
        def setting(self):
            return {key: value for heuristic in some for key, value in heuristic.setting().items()}
    return Joined(" + ".join(names), "all of them off", [c for heuristic in some for c in heuristic.changes])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--build", type=Path)
    parser.add_argument("--run", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", type=Path, default=ROOT / "bench/results/ablation.md")
    parser.add_argument("--libs", type=Path)
    parser.add_argument("--loader", type=Path)
    parser.add_argument("--slice", default="1/1")
    parser.add_argument("--table", type=Path, nargs="+")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--only", nargs="+", default=[])
    parser.add_argument("--scenes", nargs="+", default=[""])
    parser.add_argument("--together", action="append", default=[])
    arguments = parser.parse_args()
    if arguments.list:
        for heuristic in HEURISTICS:
            settings = ",".join(f"{key}={value}" for key, value in heuristic.setting().items())
            print(f"{heuristic.name:24}{heuristic.off:60}{settings}")
    if arguments.build:
        build(arguments.build.resolve(), arguments.jobs)
    if arguments.run:
        arguments.run = arguments.run.resolve()
        rows = [row for row in golden.read_table(golden.TABLE)[0] if row["part"] == "ci"
                and any(name in row["scene"] for name in arguments.scenes)]
        heuristics = [h for h in HEURISTICS if not arguments.only or h.name in arguments.only]
        heuristics += [join(names.split(",")) for names in arguments.together]
        first, every = map(int, arguments.slice.split("/"))
        write(arguments.out, run_all(arguments, heuristics[first - 1::every], rows))
    if arguments.table:
        write(arguments.out, merge(arguments.table))
    return 0


if __name__ == "__main__":
    sys.exit(main())
