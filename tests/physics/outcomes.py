"""The outcome battery: runs laws and prints the table of what must happen and what did.

Usage: outcomes.py [NAME…] [--all] [--write PAGE] [--list]
  NAME      rows of laws.py; without, every row
  --all     with the cases that take long
  --write   write the table as a page of the documentation
  --list    print the names
MARROW names the program; default build/release/bin/marrow.
Exit codes: 0 every law holds, 1 one does not, 77 all were skipped.
"""
import argparse
import resource
import sys

import imported
import page
from lab import Lab, RunFailed
from law import Outcome
from laws import LAWS

SKIPPED = 77


def cpu_seconds():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def run_law(law, everything=False, change=None):
    """Measures every case of a row; a run that fails is a failure of its case."""
    if law.needs_data and not imported.has_data():
        return Outcome(law, [], [], skipped="needs the public scenes in ../shared/data/scenes")
    outcome, start = Outcome(law, [], [], law.cases(everything)), cpu_seconds()
    for kind, integrator in outcome.cases:
        try:
            with Lab(change=change) as lab:
                values = law.measure(lab, kind, integrator)
            outcome.values += [((kind, integrator), value) for value in values]
        except RunFailed as failure:
            outcome.failures.append(f"{kind}, {integrator}: {failure}")
        except (ArithmeticError, LookupError, TypeError, ValueError) as nothing:
            # Such as a pendulum that never swings: its period cannot be measured.
            outcome.failures.append(f"{kind}, {integrator}: nothing to measure: {type(nothing).__name__}: {nothing}")
    outcome.seconds = cpu_seconds() - start
    return outcome


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--write")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args(arguments)
    unknown = set(options.names) - {law.name for law in LAWS}
    if unknown:
        parser.error(f"no row named {', '.join(sorted(unknown))}")
    return options


def main(arguments):
    options = parse(arguments)
    if options.list:
        print("\n".join(law.name for law in LAWS))
        return 0
    chosen = [law for law in LAWS if not options.names or law.name in options.names]
    outcomes = []
    for law in chosen:
        outcomes.append(run_law(law, options.all))
        print(page.line(outcomes[-1]), flush=True)
    broken = [o.law.name for o in outcomes if not o.holds and not o.skipped]
    print(page.summary(outcomes))
    if options.write and not options.names:
        page.write(options.write, outcomes)
    if broken:
        return 1
    return SKIPPED if all(o.skipped for o in outcomes) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
