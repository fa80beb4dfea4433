"""The table of outcomes as lines of text and as a page of the documentation."""
import textwrap
from pathlib import Path

from laws import GROUPS

INTRODUCTION = """# Outcomes

That nothing intersects does not show that things move right. This page compares runs with laws that have a closed
form, and with results that others published. A row is a law, measured with every kind of body and every integrator
that it names. Expected and measured are those of the case that is farthest from the law, as a part of what is allowed;
a bound is written as < or >. `marrow check` examines every run as well: a row with an intersection does not hold.

`./dev outcomes` measures the table anew and writes this page; `--all` runs the cases that take long, too. Each row is a
test of its own: `./dev test -L physics`. Rows, tolerances and the reason for each are in `tests/physics/laws.py`.
`tests/physics/battery_test.py` shows that rows notice a wrong world, such as friction that is off by 2 %."""

OUT_OF_SCOPE = """## Out of scope

- Restitution of rigid and affine bodies: there is none to set ([stiff bodies](models/stiff.md#restitution)).
- Bending of soft bodies with few cells: linear tetrahedra are too stiff; the row takes the limit of two meshes
  ([figures](models/elasticity.md#convergence)).
- Torsion of wires: they have none.
- Hertz's contact needs a finer mesh than a row can afford: `tests/scenes/hertz_test.cpp` measures it.
- Soft bodies that vibrate while they slide, with Newmark: the vibration never dies and unloads the contact.
- Soft bodies that turn, with the default lumped mass: 7 to 18 % too much inertia; `"mass": "consistent"` is exact.
- The stiffness of the barrier adapts to all bodies of a scene, so a heavy body far away changes how another one
  bounces (with Newmark by a twentieth of its size in half a second); `contact.kappa` fixes it.
- Heaps and other chaotic scenes: no law tells where a stone ends.
- Public scenes without a known outcome. Other tests run them and look for intersections."""


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
        expected, measured = number(value.expected), number(value.measured)
        case = f"{kind}, {integrator}, {value.label}"
        lines.append(f"{'':>16}{case}: expected {value.sign} {expected}, measured {measured}")
    return "\n".join(lines + [f"{'':>16}{failure}" for failure in outcome.failures])


def counts(outcomes):
    held = sum(o.holds for o in outcomes)
    skipped = sum(bool(o.skipped) for o in outcomes)
    values = sum(len(o.values) for o in outcomes)
    return (f"{held} of {len(outcomes)} laws hold, {len(outcomes) - held - skipped} do not, {skipped} skipped;"
            f" {values} values")


def summary(outcomes):
    return f"{counts(outcomes)} in {sum(o.seconds for o in outcomes):.0f} s of processor time"


def row(outcome):
    law = outcome.law
    case, expected, measured = worst_texts(outcome) if outcome.values else ("", "", "")
    if outcome.failures:
        measured = (measured + "; a run failed").strip("; ")
    kinds, integrators = (", ".join(dict.fromkeys(names)) for names in zip(*outcome.cases or law.cases()))
    cells = [law.name.replace("_", " "), law.law, law.source, expected, measured, law.tolerance.text(), case, kinds,
             integrators, verdict(outcome)]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def left_out(law):
    cases = ", ".join(f"{kind} with {integrator}" for kind, integrator in law.skip)
    text = f"{law.name.replace('_', ' ').capitalize()} leaves out {cases}: {law.skip_why}."
    return textwrap.fill(text, width=120, break_long_words=False, break_on_hyphens=False)


def write(path, outcomes):
    by_name = {o.law.name: o for o in outcomes}
    parts = [INTRODUCTION, counts(outcomes) + "."]
    for title, laws in GROUPS.items():
        parts.append(f"## {title}")
        head = ["what", "law", "source", "expected", "measured", "tolerance", "worst case", "kinds", "integrators",
                "verdict"]
        table = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
        parts.append("\n".join(table + [row(by_name[law.name]) for law in laws]))
        parts += [left_out(law) for law in laws if law.skip]
    parts.append(OUT_OF_SCOPE)
    Path(path).write_text("\n\n".join(parts) + "\n", encoding="utf-8")
