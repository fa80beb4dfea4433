"""Holds files and functions to the size budgets, so that every part stays readable on its own.

Files: nine in ten under 400 lines, none over 800. Functions: nine in ten under 50 lines, none over 100.
Functions are found by matching braces, which is a heuristic; tests/tree/budgets_test.py says what it understands.

Usage: check_budgets.py [ROOT].
"""
import re
import statistics
import sys
from pathlib import Path

import cpp_source

FOLDERS = ["src", "apps", "tests", "bench", "python"]
FILE_MOST, FILE_USUAL = 800, 400
FUNCTION_MOST, FUNCTION_USUAL = 100, 50
USUAL_SHARE = 0.9

_SCOPE = re.compile(r"(?:(?:inline|export|typedef|static)\s+)*(?:namespace|class|struct|union|extern)\b")
_ACCESS = re.compile(r"(?:public|private|protected)\s*")
_TEMPLATE_HEAD = re.compile(r"^template\s*<")
_LAMBDA = re.compile(r"\[[^\]]*\]\s*(?:<[^>]*>\s*)?\(\)")


def strip_template_heads(head):
    """`template <class T> struct S` → `struct S`."""
    while _TEMPLATE_HEAD.match(head):
        depth = 0
        for i, c in enumerate(head):
            depth += (c == "<") - (c == ">")
            if c == ">" and depth == 0:
                break
        head = head[i + 1 :].lstrip()
    return head


def collapse_parentheses(head):
    """Every balanced (...) becomes (), so that what is inside confuses nobody."""
    out, depth = [], 0
    for c in head:
        if c == "(":
            if depth == 0:
                out.append("(")
            depth += 1
        elif c == ")":
            depth -= 1
            if depth == 0:
                out.append(")")
        elif depth <= 0:
            out.append(c)
    return "".join(out)


def opens_function(head):
    """Whether a { after this text (back to the last ; { or }) starts the body of a function."""
    head = collapse_parentheses(strip_template_heads(head)).rstrip()
    if "()" not in head or head.startswith("enum"):
        return False
    if re.search(r"\)[^:]*(?<!:):(?!:)", head) and not head.endswith((")", "}")):
        return False  # a brace in a constructor's initialiser list: Foo() : a_{1}
    if re.search(r"(?<![=!<>+\-*/%&|^])=(?!=)", head) and "operator" not in head:
        return bool(_LAMBDA.search(head))  # a value, unless it is a lambda
    return True


def find_functions(text):
    """[(first line, number of lines)] of every outermost function of a C++ text."""
    code = cpp_source.strip_literals(text)
    # Preprocessor lines go; their line ends stay.
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: "\n" * m.group(0).count("\n"), code, flags=re.MULTILINE)
    functions, line = [], 1
    head, first_line = "", 0  # the text since the last ; { or }, and where it began
    depth, is_body = 0, False  # braces open within a function's body, or within a value such as {1, 2}
    parentheses = 0
    for c in code:
        line += c == "\n"
        if depth:
            depth += (c == "{") - (c == "}")
            if depth == 0 and is_body:
                functions.append((first_line, line - first_line + 1))
                head = ""
            elif depth == 0:
                head += "}"
            continue
        parentheses += (c == "(") - (c == ")")
        if c == "{" and (parentheses or not _SCOPE.match(strip_template_heads(head))):
            depth, is_body = 1, not parentheses and opens_function(head)
            head += "{"
        elif (c in "{};" and not parentheses) or (c == ":" and _ACCESS.fullmatch(head)):
            head = ""
        elif head or not c.isspace():
            first_line = first_line if head else line
            head += c
    return functions


def check_sizes(kind, sizes, usual, most):
    """sizes: [(lines, where)]. Problems as text."""
    problems = [f"{where}: {kind} of {lines} lines; at most {most}" for lines, where in sizes if lines > most]
    long = [(lines, where) for lines, where in sizes if lines >= usual]
    if len(long) > (1 - USUAL_SHARE) * len(sizes) + 1e-9:
        worst = ", ".join(f"{where} ({lines})" for lines, where in sorted(long, reverse=True)[:10])
        problems.append(f"{len(long)} of {len(sizes)} {kind}s have {usual} lines or more; one in ten may: {worst}")
    return problems


def measure(root):
    """Sizes of files and of functions, each [(lines, where)]."""
    root, files, functions = Path(root), [], []
    for path in cpp_source.find_sources(root, FOLDERS):
        text, where = cpp_source.read_text(path), path.relative_to(root).as_posix()
        files.append((text.count("\n"), where))
        functions += [(lines, f"{where}:{first}") for first, lines in find_functions(text)]
    return files, functions


def check(root):
    files, functions = measure(root)
    return check_sizes("file", files, FILE_USUAL, FILE_MOST) + check_sizes(
        "function", functions, FUNCTION_USUAL, FUNCTION_MOST
    )


def summary(root):
    lines = []
    for kind, sizes in zip(("files", "functions"), measure(root)):
        numbers = sorted(n for n, _ in sizes)
        if numbers:
            ninth = numbers[int(0.9 * (len(numbers) - 1))]
            lines.append(f"{len(numbers)} {kind}: median {statistics.median(numbers):g} lines,"
                         f" nine in ten up to {ninth}, longest {numbers[-1]}")
    return "\n".join(lines)


if __name__ == "__main__":
    tree = sys.argv[1] if len(sys.argv) > 1 else "."
    print(summary(tree))
    sys.exit(cpp_source.report("budgets", check(tree)))
