"""Every small example gives the same bits on any number of threads, and when it is stopped half-way and resumed.

    same_bits.py PROGRAM               the rows of CI: on one thread, and with two threads, stopped, resumed with three
    same_bits.py PROGRAM --all         all rows
    same_bits.py PROGRAM --only NAME…  rows whose scene contains one of the names

Where the two differ, further runs tell whether it is the threads or the restart. The table only names scenes and
steps: its hashes play no part, so this holds on every processor. Exit code 1 if bits differ.
"""
import argparse
import sys
import time

import golden
import runs


def find_cause(program, row, whole):
    """Which of the ways to run it differs from the run on one thread."""
    steps = int(row["steps"])
    ways = [(f"{threads} threads", runs.run(program, row["scene"], steps, threads)) for threads in (1, 2, 3)]
    ways.append((f"1 thread, resumed after step {steps // 2}", runs.run(program, row["scene"], steps, 1, steps // 2)))
    different = [f"{name} ({found.failure or found.motion})" for name, found in ways if found != whole]
    return ", ".join(different) or "none of the ways alone"


def check(program, row):
    """What is wrong, as text; empty if the bits are the same."""
    steps = int(row["steps"])
    whole = runs.run(program, row["scene"], steps)
    if whole.failure:
        return f"{row['scene']}: {whole.failure}"
    other = runs.run(program, row["scene"], steps, threads=2, stop_after=max(1, steps // 2), threads_after=3)
    if other == whole:
        return ""
    return f"{row['scene']} ({steps} steps): not {whole.motion} with {find_cause(program, row, whole)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    golden.add_choice(parser)
    arguments = parser.parse_args()
    rows = golden.choose(golden.read_table(golden.TABLE)[0], arguments)
    problems = []
    for row in rows:
        begin = time.monotonic()
        problem = check(arguments.program, row)
        print(f"{'DIFFERS ' if problem else 'same    '}{time.monotonic() - begin:6.1f} s  {row['scene']}", flush=True)
        if problem:
            problems.append(problem)
    print(f"\n{len(rows)} scenes, {len(problems)} differ", *problems, sep="\n  ")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
