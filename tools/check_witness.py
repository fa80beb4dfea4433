"""Holds the independent checker apart from what it checks: its files see nothing of the solver's collision path.

Follows the includes of src/contact/checker* and src/geometry/exact_* to the end, and those of apps/marrow/check*
within themselves (the program as a whole does use the solver). Usage: check_witness.py [ROOT].
"""
import fnmatch
import sys
from pathlib import Path

import cpp_source

WITNESS = ["src/contact/checker*", "src/geometry/exact_*"]
SPEAKERS = ["apps/marrow/check*"]
# The solver's collision path, as globs over paths from src/ on.
COLLISION_PATH = ["geometry/closest*", "geometry/distance*", "geometry/ccd*", "geometry/bvh*", "geometry/aabb*", "geometry/lanes*",
                  "contact/candidates*", "contact/step_limit*"]


def is_collision(path):
    return any(fnmatch.fnmatch(path, pattern) for pattern in COLLISION_PATH)


def check_file(root, path, follow):
    """Problems of one file; follow: also of what it includes, with the way there."""
    start = path.relative_to(root).as_posix()
    todo, seen = [(path, start)], set()
    while todo:
        file, way = todo.pop()
        for line, kind, target in cpp_source.list_includes(cpp_source.read_text(file)):
            if kind == "<":
                continue
            if is_collision(target):
                yield f"{start}:{line if file == path else 1}: the witness must not see {target} ({way})"
            included = root / "src" / target
            if follow and target not in seen and included.exists():
                seen.add(target)
                todo.append((included, f"{way} → {target}"))


def check(root):
    root = Path(root)
    problems = []
    for patterns, follow in ((WITNESS, True), (SPEAKERS, False)):
        for path in cpp_source.find_sources(root, ["src", "apps"]):
            if any(fnmatch.fnmatch(path.relative_to(root).as_posix(), p) for p in patterns):
                problems += check_file(root, path, follow)
    return problems


if __name__ == "__main__":
    sys.exit(cpp_source.report("witness", check(sys.argv[1] if len(sys.argv) > 1 else ".")))
