"""Holds the witness apart from what it judges, by what is linked.

The libraries it links must be those below, and every symbol of ours that they need must be defined among them: then
no code of the solver's distances, collision detection, trees or contact is in it. What is inline in headers the linker
cannot see; tools/check_layers.py holds the includes. The program as a whole does use the solver, so of the files that
speak for the witness (SPEAKERS) only their own includes are looked at.

Usage: check_witness.py ROOT --links LIBRARY… --archives FILE… [--solver FILE…]
  links: what marrow_witness links, by names as CMake has them, itself included; archives: the files of these;
  solver: archives in which the culprit of a missing symbol is looked for.
"""
import argparse
import fnmatch
import subprocess
import sys
from pathlib import Path

import cpp_source

ALLOWED = {"core", "math", "exec", "mesh", "exact", "witness"}

SPEAKERS = ["apps/marrow/check*", "src/sim/start/model_witness*"]
# All that these may see of the two layers: readers of mesh files.
SEEN_BY_SPEAKERS = {"mesh/io/mesh_file.h"}


def check_links(links):
    """links: names like marrow_core."""
    ours = [name.removeprefix("marrow_") for name in links if name.startswith("marrow_")]
    return [f"CMakeLists.txt:1: the witness must not link {name}; it may link {', '.join(sorted(ALLOWED))}"
            for name in ours if name not in ALLOWED]


def list_symbols(archive):
    """The symbols of our namespace that an archive defines, and those it needs."""
    lines = subprocess.run(["nm", str(archive)], check=True, capture_output=True, text=True).stdout.splitlines()
    defined, needed = set(), set()
    for words in map(str.split, lines):
        if len(words) < 2 or "6marrow" not in words[-1]:
            continue
        (needed if words[-2] in "Uwv" else defined).add(words[-1])
    return defined, needed


def demangle(symbol):
    return subprocess.run(["c++filt", symbol], check=True, capture_output=True, text=True).stdout.strip()


def check_symbols(archives, solver=()):
    """Symbols that the archives need and none of them defines, with the archive of the solver that has them."""
    symbols = {Path(archive): list_symbols(archive) for archive in archives}
    defined = set().union(*(own for own, _ in symbols.values()))
    if not defined:
        return ["the archives of the witness define nothing: wrong files?"]
    elsewhere = [(Path(archive), list_symbols(archive)[0]) for archive in solver]
    problems = []
    for archive, (_, needed) in symbols.items():
        for symbol in sorted(needed - defined):
            home = next((other.name for other, own in elsewhere if symbol in own), "nowhere")
            problems.append(f"{archive.name}:1: needs {demangle(symbol)} (defined in {home})")
    return problems


def check_speakers(root):
    root = Path(root)
    for path in cpp_source.find_sources(root, ["src", "apps"]):
        where = path.relative_to(root).as_posix()
        if not any(fnmatch.fnmatch(where, pattern) for pattern in SPEAKERS):
            continue
        for line, kind, target in cpp_source.list_includes(cpp_source.read_text(path)):
            if kind != "<" and target.startswith(("geometry/", "contact/")) and target not in SEEN_BY_SPEAKERS:
                yield f"{where}:{line}: {target}: what speaks for the witness must not see the solver's geometry"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root")
    for name in ("links", "archives", "solver"):
        parser.add_argument(f"--{name}", nargs="*", default=[])
    arguments = parser.parse_args()
    problems = list(check_speakers(arguments.root)) + check_links(arguments.links)
    problems += check_symbols(arguments.archives, arguments.solver)
    return cpp_source.report("witness", problems)


if __name__ == "__main__":
    sys.exit(main())
