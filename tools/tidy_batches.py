"""Which C++ files can be compiled as one, so that clang-tidy reads the big headers once per batch.

Two files clash when both define the same name for themselves: in an anonymous namespace, as a type, as a test, or a
function with the same parameters. A file whose own name hides one of a header clashes with all users of that header,
so it is left alone. This is read off the text; check_tidy.py copes where the guess is wrong.
"""
import re

import cpp_source

_TOKEN = re.compile(r"[{};]")
_TYPE = re.compile(r"\b(?:struct|class|enum(?:\s+class)?|union)\s+(\w+)|\busing\s+(\w+)\s*=")
_TEST = re.compile(r"\b(?:TEST|TEST_F|TEST_P|TYPED_TEST|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)\s*\(\s*(\w+)\s*,\s*(\w+)")
_CALL = re.compile(r"([\w:~]+)\s*\(([^)]*)")
_VALUE = re.compile(r"(\w+)\s*(?:\[[^\]]*\]\s*)?(?:=.*)?$", re.DOTALL)


def scan_heads(text):
    """(what stands before a body or a semicolon at namespace scope, whether the namespace is anonymous)."""
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", "", cpp_source.strip_literals(text), flags=re.MULTILINE)
    scopes, skipped, begin = [], 0, 0
    for token in _TOKEN.finditer(code):
        c, head = token.group(), code[begin : token.start()].strip()
        if skipped:
            skipped += (c == "{") - (c == "}")
            if skipped:
                continue
        elif c == "{" and re.match(r"(?:inline\s+)?namespace\b|extern\s+\"", head):
            scopes.append(bool(re.fullmatch(r"namespace", head)))
        elif c == "{":
            yield head, any(scopes)
            skipped = 1
            continue
        elif c == "}":
            scopes = scopes[:-1]
        elif head:
            yield head, any(scopes)
        begin = token.end()


def name_of(head, anonymous):
    """The name that a definition claims for its file; None if it claims none."""
    head = re.sub(r"^template\s*<[^{;]*?>\s*(?=[a-zA-Z])", "", head)
    if test := _TEST.search(head):
        return "_".join(test.groups())
    if kind := _TYPE.match(head):
        return kind.group(1) or kind.group(2)
    call = _CALL.search(head.split("=")[0])
    if call and "::" not in call.group(1):
        return call.group(1) if anonymous else call.group(1) + re.sub(r"\s+", "", call.group(2))
    value = _VALUE.search(head) if anonymous and not call else None
    return value.group(1) if value else None


def names_of(text):
    return {name for head, anonymous in scan_heads(text) if (name := name_of(head, anonymous))}


def types_of(text, only_anonymous):
    """Names of the types defined at namespace scope."""
    kinds = [_TYPE.match(head) for head, anonymous in scan_heads(text) if anonymous or not only_anonymous]
    return {kind.group(1) or kind.group(2) for kind in kinds if kind}


def make_batches(files, count):
    """Lists of files that do not clash; at least count of about the same size if there are enough files."""
    texts = {path: cpp_source.read_text(path) for path in files}
    headers = [path for path in files if path.suffix == ".h"]
    header_types = set().union(*[types_of(texts[path], False) for path in headers])
    room = sum(map(len, texts.values())) / count
    alone, batches = [], []  # a batch: [files, names, size]
    for path in files:
        text = texts[path]
        names = set() if path in headers else names_of(text)
        if path not in headers and types_of(text, True) & header_types:
            alone.append([path])
            continue
        fit = next((b for b in batches if not b[1] & names and b[2] + len(text) <= room + 1), None)
        if fit is None:
            batches.append(fit := [[], set(), 0])
        fit[0].append(path)
        fit[1] |= names
        fit[2] += len(text)
    return [batch[0] for batch in batches] + alone
