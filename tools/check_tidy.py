"""Runs clang-tidy (.clang-tidy) over every C++ file that the build compiles, and over the headers beside them.

The cost of clang-tidy is parsing Eigen and the standard library, so the files of one folder are checked together:
a generated file includes them all and the big headers are read once. Should two files of a folder not bear each
other (the same name in two anonymous namespaces), that folder is checked file by file. What passed is not checked
again until it, or something it includes, changes.

Usage: check_tidy.py [ROOT] [BUILD]. BUILD holds compile_commands.json; default ROOT/build/release.
"""
import concurrent.futures
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

import cpp_source

TIDY = "clang-tidy-14"
INCLUDE_ROOTS = ["src", "apps", "tests"]
FOLDERS = ("src", "apps", "tests", "bench")
_DROP_WITH_VALUE = {"-o", "-c", "-MF", "-MT", "-MQ"}
_DROP = {"-MD", "-MMD", "-Werror"}


class Group:
    """The files of one folder, checked together with one set of flags."""

    def __init__(self, root, folder, flags):
        self.root, self.folder, self.flags = root, folder, flags
        self.sources = []
        self.headers = sorted(p for p in (root / folder).glob("*.h"))

    @property
    def name(self):
        return self.folder.replace("/", "_")


def compile_flags(entry):
    """The flags of one compile command: no launcher, no compiler, no files."""
    words = entry.get("arguments") or shlex.split(entry["command"])
    first = next(i for i, word in enumerate(words) if word.startswith("-"))
    flags, skip = [], False
    for word in words[first:]:
        if skip or word in _DROP or word == entry["file"]:
            skip = False
        elif word in _DROP_WITH_VALUE:
            skip = True
        else:
            flags.append(word)
    return flags


def find_groups(root, build):
    groups = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = Path(entry["directory"], entry["file"]).resolve()
        if root not in path.parents or not path.relative_to(root).as_posix().startswith(FOLDERS):
            continue
        folder = path.parent.relative_to(root).as_posix()
        if path.suffix == ".cpp" and path.exists():
            group = groups.setdefault(folder, Group(root, folder, compile_flags(entry)))
            if path not in group.sources:
                group.sources.append(path)
    return list(groups.values())


def fingerprint(root, paths, flags):
    """A hash of the files, of all of ours that they include, of the flags and of the rules."""
    seen, todo = set(), list(paths)
    while todo:
        path = todo.pop()
        if path in seen or not path.is_file():
            continue
        seen.add(path)
        for _, kind, name in cpp_source.list_includes(cpp_source.read_text(path)):
            if kind == '"':
                todo += [root / base / name for base in INCLUDE_ROOTS] + [path.parent / name]
    digest = hashlib.sha256(repr(flags).encode() + (root / ".clang-tidy").read_bytes())
    for path in sorted(seen):
        digest.update(str(path).encode() + path.read_bytes())
    return digest.hexdigest()


def run_tidy(group, file):
    """(problems, whether the file compiled)."""
    command = [TIDY, "--quiet", f"--config-file={group.root}/.clang-tidy",
               f"--header-filter=^{re.escape(str(group.root / group.folder))}/[^/]*$",
               str(file), "--", *group.flags, "-w", "-Wno-unknown-warning-option", "-Wno-everything"]
    out = subprocess.run(command, capture_output=True, text=True, cwd=group.root)
    lines = [line for line in out.stdout.splitlines() if re.search(r":\d+:\d+: (?:error|warning):", line)]
    if out.returncode and not lines:
        lines = (out.stdout + out.stderr).splitlines()
    problems = sorted({line.replace(str(group.root) + "/", "") for line in lines})
    return problems, not any("[clang-diagnostic-error]" in line for line in problems)


def check_group(group, work):
    """(problems, one line of what was done)."""
    start = time.monotonic()
    stamp = work / f"{group.name}.passed"
    key = fingerprint(group.root, group.sources + group.headers, group.flags)
    if stamp.exists() and stamp.read_text() == key:
        return [], f"{group.folder}: unchanged"
    together = work / f"{group.name}.cpp"
    together.write_text("".join(f'#include "{p}"\n' for p in group.sources + group.headers))
    problems, compiled = run_tidy(group, together)
    how = f"{len(group.sources)} sources together"
    if not compiled and len(group.sources) > 1:
        results = [run_tidy(group, path) for path in group.sources]
        problems = sorted({problem for found, _ in results for problem in found})
        how = f"{len(group.sources)} sources one by one"
    if not problems:
        stamp.write_text(key)
    return problems, f"{group.folder}: {how}, {time.monotonic() - start:.1f} s"


def check(root, build, log=print):
    root, build = Path(root).resolve(), Path(build).resolve()
    work = build / "lint"
    work.mkdir(exist_ok=True)
    groups = sorted(find_groups(root, build), key=lambda g: -len(g.sources))
    problems = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for found, line in pool.map(lambda g: check_group(g, work), groups):
            log(line)
            problems += found
    return problems


if __name__ == "__main__":
    tree = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    sys.exit(cpp_source.report("clang-tidy", check(tree, Path(sys.argv[2]) if len(sys.argv) > 2 else tree / "build/release")))
