"""Reading C++ sources for the checks of the tree: which files there are, and their text without comments and strings."""
import re
from pathlib import Path

SUFFIXES = {".h", ".cpp", ".cu", ".cuh"}

# An include, a comment, a raw string, a string, or a character literal (but not the separator of 1'000'000).
_LITERAL = re.compile(
    r"""^[ \t]*\#[ \t]*include[ \t]*"[^"\n]*"
      | //[^\n]*
      | /\*.*?\*/
      | R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)"
      | "(?:\\.|[^"\\\n])*"
      | (?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+'
    """,
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def find_sources(root, folders):
    """The C++ files below root/folder for each folder, sorted, as Paths."""
    root = Path(root)
    return sorted(p for f in folders for p in (root / f).rglob("*") if p.suffix in SUFFIXES and "node_modules" not in p.parts)


def read_text(path):
    return Path(path).read_text(encoding="utf-8")


def strip_literals(text):
    """The text with comments blanked and strings emptied; every line keeps its number."""

    def blank(match):
        found = match.group(0)
        lines = "\n" * found.count("\n")
        if found.startswith("/"):
            return " " + lines
        if found[0] == "'":
            return "' '"
        return '""' + lines if found[0] in 'R"' else found

    return _LITERAL.sub(blank, text)


def list_includes(text):
    """[(line number, "<" or '"', path)] of every #include."""
    code = strip_literals(text)
    return [(code.count("\n", 0, m.start(1)) + 1, m.group(1), m.group(2)) for m in _INCLUDE.finditer(code)]


def report(name, problems):
    """Prints the problems of a check, or that there are none; returns the exit code."""
    for problem in problems:
        print(problem)
    print(f"{name}: {len(problems)} problem{'' if len(problems) == 1 else 's'}" if problems else f"{name}: fine")
    return 1 if problems else 0
