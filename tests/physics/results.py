"""Reads bodies.csv, contacts.csv and joints.csv of a run (docs/results.md)."""
import csv
import math


def read(path):
    """A list of dictionaries, one per row; fields that are empty are NaN."""
    with path.open(encoding="utf-8", newline="") as file:
        return [{key: _value(key, text) for key, text in row.items()} for row in csv.DictReader(file)]


def _value(key, text):
    if key in ("body", "kind", "a", "b", "joint"):
        return text
    return float(text) if text else math.nan


def vector(row, name):
    """The three numbers of name_x, name_y, name_z; of the place ("") x, y, z."""
    return tuple(row[f"{name}_{axis}" if name else axis] for axis in "xyz")


class Results:
    """The tables of a run, read when they are asked for."""

    def __init__(self, folder):
        self.folder, self.tables = folder, {}

    def rows(self, table, **where):
        if table not in self.tables:
            self.tables[table] = read(self.folder / f"{table}.csv")
        return [row for row in self.tables[table] if all(row[key] == value for key, value in where.items())]

    def last(self, table, name, **where):
        return vector(self.rows(table, **where)[-1], name)

    def mean(self, table, name, since, **where):
        """Of the steps that begin at this time or later; a step without a row counts as 0."""
        steps = {row["step"] for row in self.rows("bodies") if row["time"] > since}
        vectors = [vector(row, name) for row in self.rows(table, **where) if row["time"] > since]
        return tuple(sum(v[i] for v in vectors) / len(steps) for i in range(3))


def add(*vectors):
    return tuple(map(sum, zip(*vectors)))


def length(v):
    return math.hypot(*v)


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
