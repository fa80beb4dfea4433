"""The golden table: the bits in which every small example ends, so that a change of the code shows what it changes.

    golden.py PROGRAM                  runs the rows of CI on one thread and compares; exit code 1 if a hash differs,
                                       77 if one does but the table was made with other kernels
    golden.py PROGRAM --all            all rows: more steps, about a quarter of an hour
    golden.py PROGRAM --write          compares, then puts the new hashes into the table
    golden.py PROGRAM --only NAME…     rows whose scene contains one of the names
    golden.py PROGRAM --table FILE     another table; --write makes it if it is not there

README.md beside this says what is hashed and what the columns mean. `./dev golden` is this with --write.
"""
import argparse
import csv
import shutil
import sys
import time
from pathlib import Path

import kernels
import runs

TABLE = Path(__file__).resolve().parent / "table.csv"
CANNOT_COMPARE = 77  # the exit code that ctest counts as skipped
COLUMNS = ("scene", "steps", "part", "contacts", "motion", "memory")


def read_table(path):
    """The rows as dictionaries, and the notes above them (lines that start with #)."""
    lines = path.read_text(encoding="utf-8").splitlines()
    notes = [line[1:].strip() for line in lines if line.startswith("#")]
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    if not rows or tuple(rows[0]) != COLUMNS:
        raise SystemExit(f"{path}: the columns are not {', '.join(COLUMNS)}")
    return rows, notes


def write_table(path, rows, notes):
    text = "".join(f"# {note}\n" for note in notes) + ",".join(COLUMNS) + "\n"
    text += "".join(",".join(row[column] for column in COLUMNS) + "\n" for row in rows)
    path.write_text(text, encoding="utf-8")


def describe_change(row, found):
    """What differs between a row and the same run now; empty if nothing does."""
    where = f"{row['scene']} ({row['steps']} steps)"
    if found.failure:
        return f"{where}: {found.failure}"
    if (row["motion"], row["memory"]) == (found.motion, found.memory):
        return ""
    if row["motion"] == found.motion:
        return f"{where}: only what the state remembers: {row['memory']} -> {found.memory}"
    return f"{where}: motion {row['motion']} -> {found.motion}, contacts {row['contacts']} -> {found.contacts}"


def compare(program, rows, threads=1):
    """Runs the rows; returns the changes as text, and writes what was found into the rows."""
    changes = []
    for row in rows:
        start = time.monotonic()
        found = runs.run(program, row["scene"], int(row["steps"]), threads)
        change = describe_change(row, found)
        print(f"{'CHANGED ' if change else 'same    '}{time.monotonic() - start:6.1f} s  {row['scene']}", flush=True)
        if change:
            changes.append(change)
        if not found.failure:
            row.update(contacts=str(found.contacts), motion=found.motion, memory=found.memory)
    return changes


def add_choice(parser):
    """The arguments that say what is run."""
    parser.add_argument("program")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", nargs="+", default=[""])


def choose(rows, arguments):
    return [row for row in rows if (arguments.all or row["part"] == "ci")
            and any(name in row["scene"] for name in arguments.only)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_choice(parser)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--table", type=Path, default=TABLE)
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.write and not arguments.table.exists():
        shutil.copy(TABLE, arguments.table)

    rows, notes = read_table(arguments.table)
    chosen = choose(rows, arguments)
    now = kernels.describe()
    if notes != now:
        print("The table was made with other kernels, which may change bits:", *notes, "now:", *now, sep="\n  ")
    changes = compare(arguments.program, chosen, arguments.threads)
    print(f"\n{len(chosen)} runs, {len(changes)} changed", *changes, sep="\n  ")
    if arguments.write:
        write_table(arguments.table, rows, now)
    if not changes or arguments.write:
        return 0
    if notes != now:
        print("Cannot compare with the golden table: other kernels than it was made with, named above")
        return CANNOT_COMPARE
    return 1


if __name__ == "__main__":
    sys.exit(main())
