"""The worked examples of docs/architecture.md are those that the tests compile.

tests/recipes/NAME_test.cpp holds an example between the lines "// [recipe" and "// recipe]". On the page it is the block
of code after the line "<!-- recipe NAME -->".

Usage: check_recipes.py [ROOT] [--write]. --write puts the examples of the tests on the page.
"""
import re
import sys
from pathlib import Path

import cpp_source

PAGE = "docs/architecture.md"
_RECIPE = re.compile(r"^// \[recipe\n(.*?)^// recipe\]\n", re.DOTALL | re.MULTILINE)
_BLOCK = re.compile(r"^<!-- recipe (\w+) -->\n\n```cpp\n(.*?)^```\n", re.DOTALL | re.MULTILINE)


def read_recipes(root):
    """{name: text} of the tests' examples; None where a file has not exactly one."""
    recipes = {}
    for path in sorted((root / "tests/recipes").glob("*_test.cpp")):
        found = _RECIPE.findall(path.read_text())
        recipes[path.name.removesuffix("_test.cpp")] = found[0] if len(found) == 1 else None
    return recipes


def check(root):
    recipes, shown = read_recipes(root), dict(_BLOCK.findall((root / PAGE).read_text()))
    problems = []
    for name in sorted(recipes.keys() | shown.keys()):
        if recipes.get(name) is None:
            problems.append(f"tests/recipes/{name}_test.cpp: has not exactly one example")
        elif shown.get(name) != recipes[name]:
            problems.append(f"{PAGE}: does not show tests/recipes/{name}_test.cpp; run tools/check_recipes.py --write")
    return problems


def write(root):
    recipes = read_recipes(root)
    page = root / PAGE
    text = _BLOCK.sub(lambda m: f"<!-- recipe {m[1]} -->\n\n```cpp\n{recipes.get(m[1]) or m[2]}```\n", page.read_text())
    page.write_text(text)


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--write"]
    tree = Path(words[0] if words else ".")
    if "--write" in sys.argv:
        write(tree)
    sys.exit(cpp_source.report("recipes", check(tree)))
