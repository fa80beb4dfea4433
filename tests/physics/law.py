"""A law: what must happen, by a closed form or a published result, and how far a measurement may be from it.

A row of the table (laws.py) is a Law. Its `measure(lab, kind, integrator)` builds scenes, runs them and returns
Values: what was expected beside what was measured. The row's tolerance judges them all. Thresholds (a block that must
hold, a box that must tip) are Values with a bound instead.
"""
import itertools
import math
from dataclasses import dataclass, field
from typing import Callable

STIFF = ("rigid", "affine")
KINDS = ("rigid", "affine", "soft", "medial")
DYNAMIC = ("implicit_euler", "bdf2", "newmark")
SECOND_ORDER = ("bdf2", "newmark")
STATIC = ("quasi_static",)


@dataclass(frozen=True)
class Tolerance:
    """|measured − expected| <= relative |expected| + absolute; why says what the size comes from."""
    why: str
    relative: float = 0
    absolute: float = 0

    def allowed(self, expected):
        return self.relative * abs(expected) + self.absolute

    def text(self):
        parts = [f"{100 * self.relative:.3g} %"] * (self.relative > 0) + [f"{self.absolute:.3g}"] * (self.absolute > 0)
        return " + ".join(parts) or "bounds"


@dataclass(frozen=True)
class Value:
    """One measurement. sign: "=" near `expected` by the row's tolerance, "<" at most it, ">" at least it."""
    label: str
    expected: float
    measured: float
    sign: str = "="

    def badness(self, tolerance):
        """How much of what is allowed is used; above 1 the law does not hold."""
        if not math.isfinite(self.measured):
            return math.inf
        if self.sign == "=":
            off = abs(self.measured - self.expected)
            allowed = tolerance.allowed(self.expected)
            return off / allowed if allowed > 0 else (math.inf if off > 0 else 0.0)
        lower, upper = (self.measured, self.expected) if self.sign == "<" else (self.expected, self.measured)
        if lower <= upper:
            return max(0.0, lower / upper) if upper > 0 else (1.0 if lower == upper else 0.0)
        return lower / upper if upper > 0 else math.inf


def at_most(label, bound, measured):
    return Value(label, bound, measured, "<")


def at_least(label, bound, measured):
    return Value(label, bound, measured, ">")


@dataclass(frozen=True)
class Law:
    """A row of the table."""
    name: str  # of the test, as physics.NAME
    law: str  # what must hold, as a formula or a sentence
    source: str  # who says so
    kinds: tuple  # of bodies; each is run with each integrator
    integrators: tuple
    measure: Callable  # (lab, kind, integrator) → [Value]
    tolerance: Tolerance
    unit: str = ""
    needs_data: bool = False  # public scenes in ../shared/data
    skip: tuple = ()  # (kind, integrator) for which the law is not claimed; `skip_why` says why
    skip_why: str = ""
    only_all: tuple = ()  # (kind, integrator) that take long: run with --all only

    def cases(self, everything=False):
        pairs = itertools.product(self.kinds, self.integrators)
        left_out = self.skip if everything else self.skip + self.only_all
        return [pair for pair in pairs if pair not in left_out]


@dataclass
class Outcome:
    """What came out for a row."""
    law: Law
    values: list  # [(case, Value)]
    failures: list  # texts: runs that did not end, or that the checker found intersections in
    cases: list = field(default_factory=list)  # [(kind, integrator)] that were run
    seconds: float = 0
    skipped: str = ""

    @property
    def worst(self):
        """The (case, Value) to show: of what is wrong, else of what has a closed form, else of the bounds, the one that
        uses most of what is allowed; None without any."""
        shown = self.wrong or [pair for pair in self.values if pair[1].sign == "="] or self.values
        return max(shown, key=lambda pair: pair[1].badness(self.law.tolerance), default=None)

    @property
    def wrong(self):
        return [pair for pair in self.values if not pair[1].badness(self.law.tolerance) <= 1]

    @property
    def holds(self):
        return not self.failures and not self.wrong and bool(self.values)
