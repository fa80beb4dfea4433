"""Holds the trail of one time step, from the command line to the linear solve, to thirteen files that include each other.

A reader who follows it meets: the verb, the run into a folder, the loop over steps, one step, its solves with friction and joints, its terms, the
Newton iteration with its linear system and its progress, the line search with the step limit, and the linear solver. Usage: check_trail.py [ROOT].
"""
import sys
from pathlib import Path

import cpp_source

VERB = "apps/marrow/run"
RUN = "src/run/run_scene"
SIMULATE = "src/sim/simulate"
STEP = "src/sim/step"
ROUNDS = "src/sim/solve_rounds"
TERMS = "src/sim/terms/step_terms"
NEWTON = "src/solve/projected_newton"
SYSTEM = "src/solve/newton_system"
PROGRESS = "src/solve/newton_progress"
OBJECTIVE = "src/solve/objective"
LINE_SEARCH = "src/solve/line_search"
STEP_LIMIT = "src/contact/step_limit"
SOLVER = "src/linalg/linear_solver"

TRAIL = [VERB, RUN, SIMULATE, STEP, ROUNDS, TERMS, NEWTON, SYSTEM, PROGRESS, OBJECTIVE, LINE_SEARCH, STEP_LIMIT, SOLVER]
STEPS = [
    (VERB, RUN),
    (RUN, SIMULATE),
    (SIMULATE, STEP),
    (STEP, ROUNDS),
    (ROUNDS, TERMS),
    (TERMS, NEWTON),
    (NEWTON, SYSTEM),
    (SYSTEM, OBJECTIVE),
    (SYSTEM, SOLVER),
    (NEWTON, PROGRESS),
    (PROGRESS, LINE_SEARCH),
    (LINE_SEARCH, OBJECTIVE),
    (LINE_SEARCH, STEP_LIMIT),
]


def files_of(root, stem):
    return [p for p in (Path(root) / f"{stem}.h", Path(root) / f"{stem}.cpp") if p.is_file()]


def check(root):
    problems = [f"{stem}.h: a file of the trail is missing" for stem in TRAIL if not files_of(root, stem)]
    for here, there in STEPS:
        wanted = there.split("/", 1)[1] + ".h"
        sources = files_of(root, here)
        seen = {path for source in sources for _, _, path in cpp_source.list_includes(cpp_source.read_text(source))}
        if sources and wanted not in seen:
            problems.append(f'{here}: the trail breaks; neither its .h nor its .cpp has #include "{wanted}"')
    return problems


if __name__ == "__main__":
    sys.exit(cpp_source.report("trail", check(sys.argv[1] if len(sys.argv) > 1 else ".")))
