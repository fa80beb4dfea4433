"""Holds every file of src/ to the layers of docs/decisions/0001-layers.md and to what may be named where.

Usage: check_layers.py [ROOT]. Prints file:line and the rule for each breach; exit code 1 if there is any.
"""
import re
import sys
from pathlib import Path

import cpp_source

# What each layer sees directly; it also sees what those see. CMakeLists.txt links the same arrows.
ARROWS = {
    "core": [],
    "math": ["core"],
    "exec": ["core"],
    "mesh": ["core"],
    "exact": ["mesh"],
    "witness": ["math", "exec", "mesh", "exact"],
    "linalg": ["math", "exec"],
    "geometry": ["linalg", "mesh", "exact"],
    "kinematics": ["geometry"],
    "contact": ["geometry"],
    "potentials": ["kinematics", "contact"],
    "solve": ["potentials"],
    "sim": ["solve", "witness"],
    "preprocess": ["geometry", "linalg"],
    "scene": ["sim", "preprocess"],
    "output": ["sim"],
    "play": ["core"],
    "run": ["scene", "output", "play"],
    "view": ["output", "play"],
    "library": ["run"],
}

# (what, where it is allowed, pattern over code without comments and strings)
NAMED_ONLY_IN = [
    ("threads (exec/parallel.h has loops)", ("src/exec/cpu/", "src/output/run/background", "src/view/"),
     re.compile(r"\bstd::j?thread\b|\bstd::async\b|\bpthread_")),
    (
        "CUDA",
        ("src/exec/cuda/", "src/core/macros.h"),
        re.compile(r"cuda|__(?:host|device|global|shared)__|\bcu(?:blas|solver|sparse)|\bcub::|\bthrust\b", re.IGNORECASE),
    ),
    ("a macro (#define)", ("src/core/", "src/exec/"), re.compile(r"^\s*#\s*define\b")),
]
FORBIDDEN = [
    (
        "printing in src/ (return values or write files instead)",
        re.compile(r"std::(?:cout|cerr|clog)\b|\bprintf\s*\(|\bputs\s*\(|\bfprintf\s*\(\s*(?:stdout|stderr)\b"
                   r"|\bfmt::print(?:ln)?\s*\(\s*(?:\"|std(?:out|err)\b)"),
    ),
    ("ending the process in src/ (throw InputError or return an outcome)",
     re.compile(r"(?<![\w.>])(?:std::)?(?:exit|_Exit|quick_exit|abort|terminate)\s*\(")),
]
HEAVY_HEADER = re.compile(r"^(?:CGAL/|CLI/|pybind11/|nlohmann/json\.hpp$|httplib\.h$)")


def visible_from(layer):
    """The layer itself and everything below it."""
    seen, todo = set(), [layer]
    while todo:
        name = todo.pop()
        if name not in seen:
            seen.add(name)
            todo += ARROWS[name]
    return seen


def check_includes(where, layer, is_header, text):
    allowed = visible_from(layer)
    for line, kind, path in cpp_source.list_includes(text):
        if is_header and HEAVY_HEADER.match(path):
            yield f"{where}:{line}: <{path}> is too heavy for a header; include it in a .cpp"
        if kind == "<":
            continue
        target = path.split("/")[0]
        if target not in ARROWS or "/" not in path or "/../" in path:
            yield f'{where}:{line}: "{path}" must be written from src/ on, as "layer/file.h"'
        elif target not in allowed:
            yield f"{where}:{line}: {layer} must not see {target}; it sees {', '.join(sorted(allowed))}"


def check_words(where, text):
    for number, line in enumerate(cpp_source.strip_literals(text).split("\n"), 1):
        for what, places, pattern in NAMED_ONLY_IN:
            if pattern.search(line) and not where.startswith(places):
                yield f"{where}:{number}: {what} only in {' and '.join(places)}"
        for what, pattern in FORBIDDEN:
            if pattern.search(line):
                yield f"{where}:{number}: no {what}"


def check_file(root, path):
    where = path.relative_to(root).as_posix()
    parts = where.split("/")
    text = cpp_source.read_text(path)
    if len(parts) < 3 or parts[1] not in ARROWS:
        yield f"{where}:1: not in a layer; the layers are {', '.join(ARROWS)}"
        return
    is_header = path.suffix in (".h", ".cuh")
    if is_header and "#pragma once" not in text:
        yield f"{where}:1: a header starts with #pragma once"
    yield from check_includes(where, parts[1], is_header, text)
    yield from check_words(where, text)


def check(root):
    root = Path(root)
    return [problem for path in cpp_source.find_sources(root, ["src"]) for problem in check_file(root, path)]


if __name__ == "__main__":
    sys.exit(cpp_source.report("layers", check(sys.argv[1] if len(sys.argv) > 1 else ".")))
