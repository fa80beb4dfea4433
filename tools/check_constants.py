"""Refuses bare numbers where numbers steer algorithms: in src/sim, src/solve, src/contact and src/potentials.

A constant, a field of a constant struct, and any field whose number looks chosen have a reason in brackets: in the
comment beside it, in the nearest comment above it (which may stand over several), or in the one above its struct.

    [D12]              a decision record
    [derived: how]     [measured: where or what]     [paper: which, where]
    [ablation: name]   measured by this row of bench/bench_ablation.py
    [safety net: why]  a limit that only bounds work, or keeps from a division by 0
    [speed only]       no result depends on it
    [report only]      it changes words and figures that are reported, no result
    [default]          stands in until a scene or a caller says otherwise
    [mark]             a mark in data, or part of a format

Elsewhere in the code no number may stand that looks chosen: one with an exponent, or a fraction that is not made of
sixteenths. Numbers of options that scenes set (structs with visit_fields) are documented there. Two constants of one
name must have one value. Decisions, files and rows that reasons name must exist.

Usage: check_constants.py [ROOT]. Prints file:line and the rule for each breach; exit code 1 if there is any.
"""
import re
import sys
from collections import defaultdict
from pathlib import Path

import cpp_source

FOLDERS = ["src/sim", "src/solve", "src/contact", "src/potentials"]
ABLATION = "bench/bench_ablation.py"

_KIND = (r"D\d+|(?:derived|measured|paper|safety net|ablation): [^\]]+|speed only|report only|default|mark")
_REASON = re.compile(rf"\[(?:{_KIND})(?:[;,.:][^\]]*)?\]", re.DOTALL)
_NUMBER_TYPE = r"(?:double|float|int|unsigned|bool|auto|size_t|std::size_t|std::u?int\d+_t|Index|std::array<[^>]*>)"
_CONSTANT = re.compile(rf"\bconstexpr\s+(?:{_NUMBER_TYPE})\s+(\w+)\s*(?:\[[^\]]*\]\s*)?=\s*([^;]*);")
_FIELD = re.compile(r"^\s+(?:double|float|int|size_t)\s+(\w+) = [^;]*;")
_CONSTANT_STRUCT = re.compile(r"\bconstexpr (\w+) k\w+;")
_INFINITE = re.compile(r"std::numeric_limits<\w+>::(?:infinity|max)\(\)")
_LITERAL = re.compile(r"(?<![\w.])(?:\d+\.\d*(?:e[-+]?\d+)?|\.\d+(?:e[-+]?\d+)?|\d+e[-+]?\d+)f?(?![\w.])", re.IGNORECASE)
_STRUCT = re.compile(r"^(\s*)struct (\w+)[^;]*\{\s*$")
_VISITED = re.compile(r"void visit_fields\(\w+& \w+, (?:const )?(\w+)& ")
_COMMENT = re.compile(r"//(.*)$")


def looks_chosen(literal):
    """1e-9, 0.9 and 2.8 do; 0.5, 1.0 and 0.375 do not."""
    literal = literal.rstrip("fF")
    return "e" in literal.lower() or (16 * float(literal)) % 1 != 0


def split_comments(text):
    """For each line its code, without comments and strings, and the text of its // comment."""
    comments = []
    for line in text.split("\n"):
        at = _COMMENT.search(re.sub(r'"(?:\\.|[^"\\])*"', '""', line))
        comments.append(at.group(1).strip() if at else "")
    return cpp_source.strip_literals(text).split("\n"), comments


def find_structs(code):
    """[(name, first line, last line)] of structs, by indentation; lines from 0."""
    structs = []
    for i, line in enumerate(code):
        match = _STRUCT.match(line)
        if match:
            end = next((k for k in range(i + 1, len(code)) if code[k].startswith(match.group(1) + "}")), len(code) - 1)
            structs.append((match.group(2), i, end))
    return structs


def comment_above(code, comments, line):
    """The block of comment lines that ends directly above a line."""
    block = []
    while line > 0 and not code[line - 1].strip() and comments[line - 1]:
        line -= 1
        block.insert(0, comments[line])
    return " ".join(block)


class File:
    def __init__(self, text):
        self.code, self.comments = split_comments(text)
        self.structs = find_structs(self.code)
        self.visited = set(_VISITED.findall(text))
        self.constant = set(_CONSTANT_STRUCT.findall("\n".join(self.code)))

    def is_definition(self, line):
        return bool(_CONSTANT.search(self.code[line]) or _FIELD.match(self.code[line]))

    def find_reasons(self, first, last):
        """The comment that a definition on these lines has, and that of its struct."""
        texts = [" ".join(self.comments[first:last + 1])]
        above = first
        while above > 0 and self.is_definition(above - 1):
            above -= 1
            if comment_above(self.code, self.comments, above + 1):
                break
        texts.append(comment_above(self.code, self.comments, first) or comment_above(self.code, self.comments, above))
        texts += [comment_above(self.code, self.comments, start) for _, start, end in self.structs if start < first <= end]
        return texts

    def has_reason(self, first, last):
        return any(_REASON.search(text) for text in self.find_reasons(first, last))

    def names_of_structs(self, line):
        return {name for name, start, end in self.structs if start < line <= end}

    def is_option(self, line):
        return bool(self.names_of_structs(line) & self.visited)

    def is_constant(self, line):
        """Whether the line is of a struct with a constant object."""
        return bool(self.names_of_structs(line) & self.constant)


def find_constants(file):
    """[(first line, last line, name, value)] of every constant that is a number; lines from 0."""
    text = "\n".join(file.code)
    for match in _CONSTANT.finditer(text):
        value = " ".join(match.group(2).split())
        if not _INFINITE.fullmatch(value):
            yield text.count("\n", 0, match.start()), text.count("\n", 0, match.end()), match.group(1), value


def check_constants(where, file):
    for first, last, name, _ in find_constants(file):
        if not file.has_reason(first, last):
            yield f"{where}:{first + 1}: {name} has no reason in brackets: [D12], [derived: …], [measured: …], …"


def check_literals(where, file):
    defined = {line for first, last, _, _ in find_constants(file) for line in range(first, last + 1)}
    for line, code in enumerate(file.code):
        if line in defined or file.is_option(line):
            continue
        chosen = list(filter(looks_chosen, _LITERAL.findall(code)))
        is_field = _FIELD.match(code)
        if chosen and not is_field:
            yield f"{where}:{line + 1}: {', '.join(chosen)} in code; a number that was chosen has a name and a reason"
        elif is_field and (chosen or file.is_constant(line)) and not file.has_reason(line, line):
            yield f"{where}:{line + 1}: the field {is_field.group(1)} has no reason in brackets"


def list_ablations(root):
    path = Path(root) / ABLATION
    return set(re.findall(r'Heuristic\(\s*"(\w+)"', path.read_text(encoding="utf-8"))) if path.exists() else set()


def check_references(root, where, file):
    """Decisions, rows of the ablation and files that brackets name exist."""
    rows = list_ablations(root)
    text = "\n".join(file.comments)
    for match in _REASON.finditer(re.sub(r"\n", " ", text)):
        reason = match.group(0)
        for number in re.findall(r"\[D(\d+)", reason):
            if not list((Path(root) / "docs/decisions").glob(f"{int(number):04}-*.md")):
                yield f"{where}:1: {reason}: there is no such decision"
        for name in re.findall(r"ablation: (\w+)", reason):
            if name not in rows:
                yield f"{where}:1: {reason}: there is no such row in {ABLATION}"
        for path in re.findall(r"(?:docs|tests|bench|src|examples)/[\w/.]+\.\w+", reason):
            if not (Path(root) / path).exists():
                yield f"{where}:1: {reason}: there is no such file"


def check_names(constants):
    """constants: [(where, line, name, value)]."""
    by_name = defaultdict(list)
    for where, line, name, value in constants:
        by_name[name].append((where, line, value))
    for name, places in sorted(by_name.items()):
        if len({value for _, _, value in places}) > 1:
            where, line, _ = places[0]
            others = ", ".join(f"{value} ({place})" for place, _, value in places)
            yield f"{where}:{line + 1}: {name} has several values: {others}"


def check(root):
    root, problems, constants = Path(root), [], []
    for path in cpp_source.find_sources(root, FOLDERS):
        where, file = path.relative_to(root).as_posix(), File(cpp_source.read_text(path))
        problems += check_constants(where, file)
        problems += check_literals(where, file)
        problems += check_references(root, where, file)
        constants += [(where, first, name, value) for first, _, name, value in find_constants(file)]
    return problems + list(check_names(constants))


if __name__ == "__main__":
    sys.exit(cpp_source.report("constants", check(sys.argv[1] if len(sys.argv) > 1 else ".")))
