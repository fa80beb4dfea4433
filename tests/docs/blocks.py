"""The code blocks of a Markdown page: fenced ones and those indented by four spaces.

A block that cannot be run has a comment on the line above it, or above the empty line before it:
<!-- not run: why -->
"""
import re
from dataclasses import dataclass, field

FENCE = re.compile(r"^(\s*)(```+)\s*(\w*)")
MARK = re.compile(r"<!--\s*not run:\s*(.*?)\s*-->")
SHELL = re.compile(r"^(\$ )?(\./dev|marrow|cmake|ninja|git|python3?|pip3?|source|export|cd|mkdir|cp|cat|man|sudo|apt(-get)?|curl|meshio|code)\b")
# "save as `x.json`", "save this as `x.py`": never with a folder, so that nothing but the scratch folder is written to.
SAVED_AS = re.compile(r"\b[Ss]aved?\b[\w ]{0,20}\bas `([\w-][\w.-]*\.(?:json|py))`")
LANGUAGES = {"sh": "shell", "bash": "shell", "shell": "shell", "console": "shell", "json": "json", "jsonc": "json",
             "json5": "json", "python": "python", "py": "python"}


@dataclass
class Block:
    page: str
    line: int            # of its first line, counted from 1
    kind: str            # "shell", "json", "python", or anything else: not for us
    text: str
    mark: str | None = None     # why it is not run
    name: str | None = None     # under which the page tells the reader to save it
    before: str = field(default="", repr=False)

    @property
    def place(self):
        return f"{self.page}:{self.line}"


def guess_kind(text):
    first = text.lstrip().split("\n", 1)[0]
    if SHELL.match(first):
        return "shell"
    if first.startswith("{") or re.match(r'"[^"]*"\s*:', first):  # '"floor" and "box" touch' is what a program printed
        return "json"
    return "other"


def split_kinds(lines, first, end):
    """Indented lines are one block in Markdown, but a scene and the commands below it are two for us."""
    parts = [first]
    for i in range(first + 1, end):
        is_paragraph = not lines[i - 1].strip() and lines[i].strip()
        if is_paragraph and guess_kind(lines[i]) == "shell" and guess_kind(lines[parts[-1]]) != "shell":
            parts.append(i)
    return list(zip(parts, [*parts[1:], end]))


def find_blocks(page, text):
    lines = text.split("\n")
    blocks, before, i, in_list = [], [], 0, False
    while i < len(lines):
        fence = FENCE.match(lines[i])
        if fence:
            end = next((k for k in range(i + 1, len(lines)) if lines[k].strip() == fence.group(2)), len(lines))
            body = [line[len(fence.group(1)):] for line in lines[i + 1:end]]
            language = fence.group(3).lower()
            kind = LANGUAGES.get(language, language) if language else guess_kind("\n".join(body))
            blocks.append(make_block(page, i + 2, kind, body, before))
            before, i = [], end + 1
        elif lines[i].startswith("    ") and not in_list and (i == 0 or not lines[i - 1].strip()):
            end = i
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            while not lines[end - 1].strip():
                end -= 1
            for first, last in split_kinds(lines, i, end):
                body = [line[4:] for line in lines[first:last]]
                blocks.append(make_block(page, first + 1, guess_kind("\n".join(body)), body, before))
                before = []
            i = end
        else:
            if lines[i].strip():
                # What is indented below an item belongs to the item.
                in_list = bool(re.match(r"\s*([-*+]|\d+\.) ", lines[i])) or (in_list and lines[i].startswith(" "))
                before.append(lines[i])
            i += 1
    return blocks


def make_block(page, line, kind, body, before):
    """before: what stands between the block before and this one, without empty lines."""
    block = Block(page, line, kind, "\n".join(body) + "\n")
    if before:
        mark = MARK.search(before[-1])
        block.mark = mark.group(1) if mark else None
    names = SAVED_AS.findall(" ".join(part for part in before[-3:] if not MARK.search(part)))
    block.name = names[-1] if names else None
    return block
