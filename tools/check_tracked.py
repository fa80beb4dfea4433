"""Holds the tracked files to what is true on every machine: no paths of one machine, no package hosts, plain file names.
Lines of pages have at most 120 characters, so that changes can be read.

Usage: check_tracked.py [ROOT]. Outside a git checkout every file below ROOT counts as tracked.
"""
import re
import subprocess
import sys
from pathlib import Path

import cpp_source

# Folders of one machine. The temporary folder is fine: every machine has it.
MACHINE_PATH = re.compile(r"(?<![\w./\-${}])/(?:work|root|home/\w+|Users/\w+)/")
# Hosts that serve packages: what is installed comes from wherever the machine is set up to take it from.
PACKAGE_HOST = re.compile(r"\b(?:registry|deb|pypi|ftp|snapshot|security|mirrors?)\.[a-z0-9-]+\.(?:org|com|io|net)\b|\bpypi\.org\b")
SNAKE_CASE = re.compile(r"[a-z0-9_]+\.[a-z0-9.]+")
PAGE_WIDTH = 120
CODE_FOLDERS = ("src/", "apps/", "tests/", "bench/", "tools/")
OTHER_NAMES = {"CMakeLists.txt", "README.md", "package.json", "package-lock.json", ".npmrc"}


def list_tracked(root):
    try:
        out = subprocess.run(["git", "-C", str(root), "ls-files", "-z"], capture_output=True, check=True).stdout
        top = subprocess.run(["git", "-C", str(root), "rev-parse", "--show-toplevel"], capture_output=True, check=True)
        if Path(top.stdout.decode().strip()) == Path(root).resolve():
            return sorted(p for p in out.decode().split("\0") if p and (root / p).is_file())
    except (OSError, subprocess.CalledProcessError):
        pass
    return sorted(p.relative_to(root).as_posix() for p in root.rglob("*") if p.is_file())


# Rows of tables cannot be broken, nor can words (addresses).
def check_lines(where, text):
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > PAGE_WIDTH and not line.lstrip().startswith("|") and " " in line.strip(" -*"):
            yield f"{where}:{number}: {len(line)} characters; lines of pages have at most {PAGE_WIDTH}"


def check_text(where, text):
    for number, line in enumerate(text.split("\n"), 1):
        for what, pattern in (("a path of one machine", MACHINE_PATH), ("a package host", PACKAGE_HOST)):
            found = pattern.search(line)
            if found:
                yield f"{where}:{number}: {what}: {found.group(0)}"


def check(root):
    root, problems = Path(root), []
    for where in list_tracked(root):
        name = where.rsplit("/", 1)[-1]
        if where.startswith(CODE_FOLDERS) and not SNAKE_CASE.fullmatch(name) and name not in OTHER_NAMES:
            if not where.startswith("tests/data/"):
                problems.append(f"{where}: file names are snake_case")
        try:
            text = (root / where).read_text(encoding="utf-8")
            problems += check_text(where, text)
            if where.endswith(".md") and not where.startswith("bench/results/"):  # those are written by programs
                problems += check_lines(where, text)
        except UnicodeDecodeError:
            pass  # a binary file
    return problems


if __name__ == "__main__":
    sys.exit(cpp_source.report("tracked files", check(sys.argv[1] if len(sys.argv) > 1 else ".")))
