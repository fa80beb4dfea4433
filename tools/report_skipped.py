"""Says which tests were skipped and why, from ctest's results: a run that tests less must not look like one of all.

Usage: report_skipped.py RESULTS.xml [--most N]. RESULTS.xml is what `ctest --output-junit` writes. With --most the
exit code is 1 if more than N tests were skipped. Counted are tests of ctest, and those in Python scripts run with -v.
"""
import argparse
import re
import sys
import xml.etree.ElementTree as xml
from collections import defaultdict

# What a skipped test says, and the group in which it is counted. Any other reason is a group of its own.
GROUPS = (
    ("data of ../shared/data missing", r"shared/data|shared data|no (data|scripts|sequence|fixtures) (at|in) "),
    ("no browser", r"browser|chromium"),
    ("no GPU", r"\bGPU\b|CUDA"),
    ("no right to mount", r"right to mount"),
    ("processor without these instructions", r"this processor has no"),
    ("other kernels than the golden table's", r"golden table"),
    ("nothing to test in this case", r"^(STL |text only|dense is serial)"),
)
SKIPPED_IN_GTEST = re.compile(r"Skipped\n(.*?)\n*\[  SKIPPED \]", re.S)
SKIPPED_IN_PYTHON = re.compile(r"""^(\w+) \([^\n]*\)(?:\n[^\n]*?)? \.\.\. skipped (['"])(.*)\2$""", re.M)


def name_group(reason):
    for group, pattern in GROUPS:
        if re.search(pattern, reason, re.I):
            return group
    return reason


def list_skipped(case):
    """(name, reason) of what was skipped in one test of ctest."""
    name, output = case.get("name").split("  # ")[0], case.findtext("system-out") or ""  # less GoogleTest's parameter
    if case.find("skipped") is not None:
        said = SKIPPED_IN_GTEST.search(output)
        reason = said.group(1) if said else output or case.find("skipped").get("message") or "no reason"
        return [(name, " ".join(reason.split()))]
    return [(f"{name}.{test}", reason) for test, _, reason in SKIPPED_IN_PYTHON.findall(output)]


def group_skipped(root):
    """{group: names} of a parsed result file."""
    groups = defaultdict(list)
    for case in root.iter("testcase"):
        for name, reason in list_skipped(case):
            groups[name_group(reason)].append(name)
    return groups


def format_report(groups):
    count = sum(map(len, groups.values()))
    if count == 0:
        return "No test was skipped."
    lines = [f"{count} {'test was' if count == 1 else 'tests were'} skipped, so this was not tested:"]
    for group, names in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
        few = ", ".join(sorted(names)[:3]) + (", …" if len(names) > 3 else "")
        lines.append(f"  {len(names):4} {group}: {few}")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("results")
    parser.add_argument("--most", type=int)
    arguments = parser.parse_args()
    groups = group_skipped(xml.parse(arguments.results).getroot())
    print(format_report(groups))
    count = sum(map(len, groups.values()))
    if arguments.most is None or count <= arguments.most:
        return 0
    print(f"At most {arguments.most} may be skipped here. If the new ones are right, raise the number in .ci/run.")
    return 1


if __name__ == "__main__":
    sys.exit(main())
