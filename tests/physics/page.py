"""The table of outcomes as lines of text and as a page of the documentation."""
from pathlib import Path

from laws import GROUPS

INTRODUCTION = """# Outcomes

That nothing intersects does not show that things move right. This page compares runs with laws that have a closed form, and with results that others
published: one row per law, each measured with every kind of body and every integrator named. Expected and measured are those of the case that is farthest
from the law, as a part of what is allowed; a bound is written as < or >. Every run is checked for intersections as well, and has none.

`./dev outcomes` measures the table anew and writes this page (`--all`: also the cases that take long); each row is a test, `./dev test -L physics`. The rows
and their tolerances, with the reason for each, are in `tests/physics/laws.py`."""

OUT_OF_SCOPE = """## Out of scope

- Restitution of rigid and affine bodies: there is none to set ([stiff bodies](models/stiff.md#restitution)).
- Bending of soft bodies with few cells: linear tetrahedra are too stiff ([elasticity](models/elasticity.md#convergence) has the figures).
- Torsion of wires: they have none.
- Hertz's contact: force, radius and pressure need a fine mesh, see `tests/scenes/hertz_test.cpp`.
- Soft bodies that vibrate while they slide, with Newmark: the vibration never dies and unloads the contact.
- Heaps and other chaotic scenes: no law tells where a stone ends."""


def number(value):
    text = f"{value:.5g}"
    return text.replace("-", "−") if text != "-0" else "0"


def worst_texts(outcome):
    """Case, expected and measured of the value that uses most of what is allowed."""
    (kind, integrator), value = outcome.worst
    sign = {"=": "", "<": "< ", ">": "> "}[value.sign]
    unit = f" {outcome.law.unit}" if outcome.law.unit and "," not in outcome.law.unit and value.sign == "=" else ""
    return f"{kind}, {integrator}, {value.label}", f"{sign}{number(value.expected)}{unit}", number(value.measured)


def verdict(outcome):
    return "skipped" if outcome.skipped else "holds" if outcome.holds else "**does not hold**"


def line(outcome):
    """For the terminal: the row, and below it whatever does not hold."""
    head = f"{verdict(outcome).replace('*', ''):>14}  {outcome.law.name}  ({outcome.seconds:.1f} s)"
    if outcome.skipped:
        return f"{head}: {outcome.skipped}"
    lines = [head]
    if outcome.values:
        case, expected, measured = worst_texts(outcome)
        lines[0] += f": {case}: expected {expected}, measured {measured}; tolerance {outcome.law.tolerance.text()}"
    for (kind, integrator), value in outcome.wrong:
        lines.append(f"{'':>16}{kind}, {integrator}, {value.label}: expected {value.sign} {number(value.expected)}, measured {number(value.measured)}")
    return "\n".join(lines + [f"{'':>16}{failure}" for failure in outcome.failures])


def summary(outcomes):
    held = sum(o.holds for o in outcomes)
    skipped = sum(bool(o.skipped) for o in outcomes)
    values = sum(len(o.values) for o in outcomes)
    return (f"{held} of {len(outcomes)} laws hold, {len(outcomes) - held - skipped} do not, {skipped} skipped;"
            f" {values} values in {sum(o.seconds for o in outcomes):.0f} s of processor time")


def row(outcome):
    law = outcome.law
    case, expected, measured = worst_texts(outcome) if outcome.values else ("", "", "")
    if outcome.failures:
        measured = (measured + "; a run failed").strip("; ")
    cells = [law.name.replace("_", " "), law.law, law.source, expected, measured, law.tolerance.text(), case, ", ".join(law.kinds),
             ", ".join(law.integrators), verdict(outcome)]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def write(path, outcomes):
    by_name = {o.law.name: o for o in outcomes}
    parts = [INTRODUCTION, summary(outcomes) + "."]
    for title, laws in GROUPS.items():
        parts.append(f"## {title}")
        head = ["what", "law", "source", "expected", "measured", "tolerance", "worst case", "kinds", "integrators", "verdict"]
        table = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
        parts.append("\n".join(table + [row(by_name[law.name]) for law in laws]))
        notes = [f"{law.name.replace('_', ' ')} is not claimed for {', '.join(' '.join(pair) for pair in law.skip)}: {law.skip_why}." for law in laws if law.skip]
        parts += notes
    parts.append(OUT_OF_SCOPE)
    Path(path).write_text("\n\n".join(parts) + "\n", encoding="utf-8")
