"""Runs clang-tidy (.clang-tidy) over every C++ file of ours.

The cost of clang-tidy is reading Eigen and the standard library, so many files are checked in one go: a generated
file includes them all and the big headers are read once per batch. tidy_batches.py says which files bear each other.
A batch that passed is not checked again until something in it, or something it includes, changes.

Where CI is set in the environment, all files are checked; elsewhere those that differ from the branch they started from
(origin/HEAD; the last commit, if there is none). --all checks all files.

Usage: check_tidy.py [--all] [ROOT] [BUILD] [FOLDERS]. BUILD holds compile_commands.json; default ROOT/build/release. FOLDERS: those to
check, with commas between; default src,apps,bench,tests. ./dev test leaves out tests and bench, which ./dev lint includes.
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
from tidy_batches import make_batches

TIDY = "clang-tidy-14"
FOLDERS = ["src", "apps", "tests", "bench"]
# What is compiled by another compiler only.
LEFT_OUT = ("src/exec/cuda/",)
# Functions that every program defines; in a batch each gets the name of its file.
ENTRY_POINTS = ["main", "LLVMFuzzerTestOneInput"]
# Errors of the compiler are always shown; one cheap check has to be named.
ONLY_COMPILE = ["--checks=-*,misc-unused-alias-decls"]

_FLAG = re.compile(r"-(?:I|D|std=|isystem$)")
_DIAGNOSTIC = re.compile(r"^(?P<file>[^:\n]+):\d+:\d+: (?:error|warning): ")


class Checker:
    def __init__(self, root, build, log):
        self.root, self.build, self.log = root, build, log
        self.work = build / "lint"
        self.work.mkdir(exist_ok=True)
        self.flags = read_flags(build)

    def run(self, files, *options):
        """[(file, line of output)] of clang-tidy over the files together."""
        text = ""
        for path in files:
            stem = re.sub(r"\W", "_", str(path.relative_to(self.root).with_suffix("")))
            text += "".join(f"#define {name} {name.lower()}_{stem}\n" for name in ENTRY_POINTS)
            text += f'#include "{path}"\n' + "".join(f"#undef {name}\n" for name in ENTRY_POINTS)
        together = self.work / (hashlib.sha256(text.encode()).hexdigest()[:16] + ".cpp")
        together.write_text(text)
        command = [TIDY, "--quiet", f"--config-file={self.root}/.clang-tidy",
                   f"--header-filter=^{re.escape(str(self.root))}/({'|'.join(FOLDERS)})/", *options,
                   str(together), "--", *self.flags, "-w"]
        out = subprocess.run(command, capture_output=True, text=True, cwd=self.root)
        found = {(m["file"], line) for line in out.stdout.splitlines() if (m := _DIAGNOSTIC.match(line))}
        if out.returncode and not found:
            found = {("", line) for line in (out.stdout + out.stderr).splitlines() if "error" in line}
        together.unlink()
        return sorted((file, line) for file, line in found if file != str(together))

    def split(self, files):
        """Lists of files that compile together: those that do not bear the others go to a list of their own."""
        if len(files) == 1:
            return [files]
        wrong = {Path(file) for file, _ in self.run(files, *ONLY_COMPILE)}
        apart = [path for path in files if path in wrong and path.suffix == ".cpp"]
        rest = [path for path in files if path not in apart]
        if not wrong:
            return [files]
        if not apart or not rest:
            middle = len(files) // 2
            apart, rest = files[:middle], files[middle:]
        self.log(f"{', '.join(path.name for path in apart[:5])}: not together with the others")
        return self.split(rest) + self.split(apart)

    def check(self, files):
        """Problems of a batch, or of its parts, should the files not bear each other after all."""
        key = fingerprint(self.root, files, self.flags)
        stamp = self.work / f"{key}.passed"
        if stamp.exists():
            stamp.touch()
            return []
        start = time.monotonic()
        found = self.run(files)
        self.log(f"{len(files)} files from {files[0].relative_to(self.root)} on: {time.monotonic() - start:.1f} s")
        if len(files) > 1 and any("[clang-diagnostic-error]" in line for _, line in found):
            parts = self.split(files)
            if len(parts) > 1:
                return [line for part in parts for line in self.check(part)]
        if not found:
            stamp.touch()
        return [line.replace(f"{self.root}/", "") for _, line in found]


def read_flags(build):
    """Include paths, definitions and the standard, of all compile commands together."""
    flags = []
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = entry.get("arguments") or shlex.split(entry["command"])
        for i, word in enumerate(words):
            if _FLAG.match(word):
                flag = [word, words[i + 1]] if word in ("-isystem", "-I", "-D") else [word]
                flags += [] if flag in flags else [flag]
    return [word for flag in flags for word in flag]


def fingerprint(root, files, flags):
    """A hash of the files, of all of ours that they include, of the flags and of the rules."""
    seen, todo = set(), list(files)
    while todo:
        path = todo.pop()
        if path not in seen and path.is_file():
            seen.add(path)
            names = [name for _, kind, name in cpp_source.list_includes(cpp_source.read_text(path)) if kind == '"']
            todo += [base / name for name in names for base in (root / "src", root / "apps", root / "tests", path.parent)]
    digest = hashlib.sha256(repr(flags).encode() + (root / ".clang-tidy").read_bytes())
    for path in sorted(seen):
        digest.update(str(path).encode() + path.read_bytes())
    return digest.hexdigest()


def list_changed(root):
    """The files that differ from where this branch started; None if git does not tell."""
    def git(*words):
        out = subprocess.run(["git", *words], capture_output=True, text=True, cwd=root)
        return out.stdout.split("\0") if out.returncode == 0 else None

    start = git("merge-base", "HEAD", "origin/HEAD") or ["HEAD"]
    changed, added = git("diff", "--name-only", "-z", start[0].strip()), git("ls-files", "-zo", "--exclude-standard")
    return None if changed is None or added is None else {root / name for name in changed + added if name}


def check(root, build, log=print, wanted=FOLDERS, only_changed=False):
    root, cores = Path(root).resolve(), os.cpu_count() or 1
    checker = Checker(root, Path(build).resolve(), log)
    changed = list_changed(root) if only_changed else None
    batches = []
    for folders in (["src", "apps", "bench"], ["tests"]):
        folders = [folder for folder in folders if folder in wanted]
        files = [p for p in cpp_source.find_sources(root, folders) if p.suffix in (".h", ".cpp")] if folders else []
        files = [p for p in files if not p.relative_to(root).as_posix().startswith(LEFT_OUT)]
        if changed is not None:
            files = [p for p in files if p in changed]
        batches += make_batches(files, cores) if files else []
    with concurrent.futures.ThreadPoolExecutor(cores) as pool:
        return sorted({problem for found in pool.map(checker.check, batches) for problem in found})


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--all"]
    tree = Path(words[0] if words else ".")
    folder = Path(words[1]) if len(words) > 1 else tree / "build/release"
    chosen = words[2].split(",") if len(words) > 2 else FOLDERS
    only_changed = "--all" not in sys.argv and not os.environ.get("CI")
    sys.exit(cpp_source.report("clang-tidy", check(tree, folder, wanted=chosen, only_changed=only_changed)))
