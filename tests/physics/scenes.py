"""Parts of scenes: a scene, boxes, balls, floors and slopes, as dictionaries."""
import math

G = 9.81
DENSITY = 1000.0
LEAN_OUTPUT = {"gltf": False, "viewer": False, "checkpoint_every": 1000000}
STIFF_JELLY = 1e7  # Young's modulus of soft bodies that stand for solid ones [Pa]


def scene(bodies, step=0.01, duration=1.0, integrator="implicit_euler", every=None, **parts):
    """every: steps from frame to frame; if absent, the first and the last state only."""
    every = every or max(1, round(duration / step))
    time = {"step": step, "duration": duration, "frame_every": every, "integrator": integrator}
    return {"time": time, "bodies": bodies, "output": dict(LEAN_OUTPUT), **parts}


def box(name, size, kind="rigid", cells=1, young=STIFF_JELLY, **more):
    """cells: along each side, or three numbers."""
    counts = cells if isinstance(cells, (list, tuple)) else [cells] * 3
    shape = {"type": "box", "size": list(size), "cells_x": counts[0], "cells_y": counts[1], "cells_z": counts[2]}
    return body(name, shape, kind, young, **more)


def ball(name, radius, kind="rigid", resolution=3, young=STIFF_JELLY, **more):
    return body(name, {"type": "sphere", "radius": radius, "resolution": resolution}, kind, young, **more)


def body(name, shape, kind, young, **more):
    material = {"density": DENSITY, **more.pop("material", {})}
    if kind in ("soft", "medial"):
        material.setdefault("youngs_modulus", young)
    out = {"name": name, "kind": kind, "shape": shape, "material": material, **more}
    if kind == "medial":
        out.setdefault("handles", 4)
        out.setdefault("cells", 6)
    return out


def obstacle(name, size, **more):
    """A box that stands still, or moves as prescribed."""
    shape = {"type": "box", "size": list(size), "cells_x": 1, "cells_y": 1, "cells_z": 1}
    return {"name": name, "kind": "obstacle", "shape": shape, **more}


def floor(width=10.0, **more):
    """An obstacle with its upper side at y = 0."""
    return obstacle("floor", [width, 1, width], position=[0, -0.5, 0], **more)


class Slope:
    """A slope through the origin that falls towards +x."""

    def __init__(self, tangent=None, degrees=None):
        self.angle = math.atan(tangent) if tangent is not None else math.radians(degrees)
        self.sin, self.cos = math.sin(self.angle), math.cos(self.angle)
        self.down, self.normal = (self.cos, -self.sin, 0.0), (self.sin, self.cos, 0.0)
        self.rotation = [0, 0, -math.degrees(self.angle)]

    def obstacle(self, length=40.0, width=4.0):
        return obstacle("slope", [length, 1, width], rotation=self.rotation, position=self.place(0, -0.5))

    def place(self, along, above):
        return [along * d + above * n for d, n in zip(self.down, self.normal)]

    def speed(self, momentum, mass):
        return sum(p * d for p, d in zip(momentum, self.down)) / mass


def mean(vectors):
    vectors = list(vectors)
    return tuple(sum(v[i] for v in vectors) / len(vectors) for i in range(3))


def late_rate(series, start=0.5):
    """The mean rate of change of [(time, value)] after this part of the time."""
    first = series[int(start * len(series))]
    last = series[-1]
    return (last[1] - first[1]) / (last[0] - first[0])


def volume_of(frame, number):
    """Of a closed surface or a body of tets: signed volumes of its cells with the origin, or of their own."""
    total = 0.0
    for cell in frame.cells_of(number):
        corners = [frame.points[i] for i in cell]
        base = corners.pop(0) if len(corners) == 4 else (0.0, 0.0, 0.0)
        (a, b, c), (d, e, f), (g, h, i) = ([q - p for p, q in zip(base, corner)] for corner in corners)
        total += (a * (e * i - f * h) + b * (f * g - d * i) + c * (d * h - e * g)) / 6
    return abs(total)
