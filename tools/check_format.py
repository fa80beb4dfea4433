"""Holds the C++ files to the layout of .clang-format; `./dev format` repairs it. Usage: check_format.py [ROOT]."""
import subprocess
import sys
from pathlib import Path

import cpp_source

FOLDERS = ["src", "apps", "tests", "bench", "python"]


def check(root):
    paths = [str(p.relative_to(root)) for p in cpp_source.find_sources(root, FOLDERS)]
    if not paths:
        return []
    command = ["clang-format-14", "--dry-run", "--Werror", "--ferror-limit=1", *paths]
    result = subprocess.run(command, cwd=root, capture_output=True, text=True)
    lines = [line for line in result.stderr.splitlines() if ": error:" in line]
    if result.returncode and not lines:
        lines = result.stderr.splitlines() or ["clang-format-14 failed"]
    return lines


if __name__ == "__main__":
    sys.exit(cpp_source.report("layout (./dev format repairs it)", check(Path(sys.argv[1] if len(sys.argv) > 1 else "."))))
