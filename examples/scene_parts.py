"""What the scenes are put together from: bodies, motions, and the few meshes that are no built-in shape."""
import math


class Scene:
    """One scene file and the mesh files it refers to."""

    def __init__(self, about, bodies, step=0.01, duration=1.0, **rest):
        self.about = about
        self.meshes = {}
        self.bodies = []
        for body in bodies:
            body = dict(body)
            mesh = body.get("mesh")
            if isinstance(mesh, MeshFile):
                self.meshes[mesh.name] = mesh.text
                body["mesh"] = "meshes/" + mesh.name
            self.bodies.append(body)
        self.step, self.duration, self.rest = step, duration, rest

    def to_json(self, name):
        time = {"step": self.step, "duration": self.duration}
        if "integrator" in self.rest:
            time["integrator"] = self.rest["integrator"]
        scene = {"name": name, "time": time}
        for key in ("gravity", "solver", "contact", "view"):
            if key in self.rest:
                scene[key] = self.rest[key]
        scene["bodies"] = self.bodies
        scene["output"] = {"gltf": False, "checkpoint_every": 10}
        return scene


class MeshFile:
    def __init__(self, name, text):
        self.name, self.text = name, text


# ---- materials ------------------------------------------------------------------------------------------------------

def material(young=1e5, density=1000, poisson=0.4, **rest):
    return {"density": density, "youngs_modulus": young, "poissons_ratio": poisson, **rest}


# ---- bodies ---------------------------------------------------------------------------------------------------------

def soft(name, shape, at=(0, 0, 0), **rest):
    body = {"name": name, **shape, "position": list(at)}
    body["material"] = rest.pop("material", material())
    body.update(rest)
    return body


def rigid(name, shape, at=(0, 0, 0), density=1000, **rest):
    return {"name": name, "kind": "rigid", **shape, "position": list(at), "material": {"density": density}, **rest}


def obstacle(name, shape, at=(0, 0, 0), **rest):
    return {"name": name, "kind": "obstacle", **shape, "position": list(at), **rest}


def box(size, cells):
    size = [size] * 3 if isinstance(size, (int, float)) else list(size)
    cells = [cells] * 3 if isinstance(cells, int) else cells
    return {"shape": {"type": "box", "size": size, "cells_x": cells[0], "cells_y": cells[1], "cells_z": cells[2]}}


def sphere(radius, resolution):
    return {"shape": {"type": "sphere", "radius": radius, "resolution": resolution}}


def shape(kind, **fields):
    return {"shape": {"type": kind, **fields}}


def floor(y=0.0, width=2.0, cells=1, name="floor", **rest):
    """A slab whose upper side is at y."""
    return obstacle(name, box([width, 0.1 * width, width], [cells, 1, cells]), (0, round(y - 0.05 * width, 9), 0), **rest)


def wall(name, lower, upper, **rest):
    """An obstacle box from its lower to its upper corner."""
    size = [round(b - a, 9) for a, b in zip(lower, upper)]
    middle = [round((a + b) / 2, 9) for a, b in zip(lower, upper)]
    return obstacle(name, box(size, 1), middle, **rest)


# ---- motions --------------------------------------------------------------------------------------------------------

def part(lower, upper):
    return {"relative_box": {"min": list(lower), "max": list(upper)}}


EVERYTHING = {"all": True}


def hold(select):
    return {"select": select}


def move(select, velocity):
    return {"select": select, "velocity": list(velocity)}


def turn(select, angular_velocity, about=None):
    motion = {"select": select, "angular_velocity": list(angular_velocity)}
    if about is not None:
        motion["about"] = list(about)
    return motion


def poses(select, *frames):
    """frames: (time, translation) or (time, translation, rotation in degrees)."""
    keys = ("time", "translation", "rotation")
    return {"select": select, "keyframes": [dict(zip(keys, frame)) for frame in frames]}


# ---- meshes ---------------------------------------------------------------------------------------------------------

def number(x):
    return format(x + 0.0, ".15g")


def obj(name, points, faces=(), lines=(), singles=()):
    rows = ["v " + " ".join(number(c) for c in p) for p in points]
    for keyword, elements in (("f", faces), ("l", lines), ("p", singles)):
        rows += [keyword + " " + " ".join(str(i + 1) for i in e) for e in elements]
    return {"mesh": MeshFile(name, "\n".join(rows) + "\n")}


def surface(name, piece):
    """A surface of scene_meshes as a mesh file."""
    return obj(name, piece.points, piece.faces)


def msh(name, points, tets):
    rows = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$Nodes", str(len(points))]
    rows += [f"{i + 1} " + " ".join(number(c) for c in p) for i, p in enumerate(points)]
    rows += ["$EndNodes", "$Elements", str(len(tets))]
    rows += [f"{i + 1} 4 2 0 1 " + " ".join(str(k + 1) for k in t) for i, t in enumerate(tets)]
    return {"mesh": MeshFile(name, "\n".join(rows + ["$EndElements"]) + "\n")}


def single_tet():
    """One tetrahedron with an edge of 1 m along X below and one along Z above, both axes of symmetry."""
    height = 1 / math.sqrt(2)
    points = [(-0.5, -height / 2, 0), (0.5, -height / 2, 0), (0, height / 2, -0.5), (0, height / 2, 0.5)]
    return msh("tet.msh", points, [(0, 1, 2, 3)])


def corner_tet():
    """One tetrahedron with three edges of 0.5 m along the axes: a corner, faces in the coordinate planes."""
    points = [(0, 0, 0), (0.5, 0, 0), (0, 0.5, 0), (0, 0, 0.5)]
    return msh("corner_tet.msh", points, [(0, 1, 2, 3)])


# The six tets of a cell with corners 0..7 (bit 0: X, bit 1: Y, bit 2: Z) around its diagonal 0–7.
KUHN = ((0, 1, 3, 7), (0, 3, 2, 7), (0, 2, 6, 7), (0, 6, 4, 7), (0, 4, 5, 7), (0, 5, 1, 7))


def arch_corners(stones, height, half_span, thickness, depth, gap):
    """The eight corners of each stone of an arch along a catenary, cut across it. The feet are level. Corner bits: 0 along
    the arch, 1 outwards, 2 along Z."""
    a = half_span
    for _ in range(60):  # height = a (cosh(half_span/a) − 1)
        a *= (a * (math.cosh(half_span / a) - 1) / height) ** 0.5
    arc = a * math.sinh(half_span / a)

    def section(s):
        """Inner and outer point of the joint at arc length s from the top; the joints at the feet are level."""
        x = a * math.asinh(s / a)
        y = height - a * (math.cosh(x / a) - 1)
        slope = -math.sinh(x / a)
        length = math.hypot(1, slope)
        out = (-slope / length, 1 / length)
        if abs(abs(s) - arc) < 1e-9 * arc:
            half = thickness / 2 / abs(out[0])
            return (x - math.copysign(half, x), y), (x + math.copysign(half, x), y), (1 / length, slope / length)
        half = thickness / 2
        return ((x - half * out[0], y - half * out[1]), (x + half * out[0], y + half * out[1]),
                (1 / length, slope / length))

    for k in range(stones):
        ends = []
        for side, s in ((1, -arc + 2 * arc * k / stones), (-1, -arc + 2 * arc * (k + 1) / stones)):
            inner, outer, tangent = section(s)
            shift = side * gap / 2
            ends.append([(p[0] + shift * tangent[0], p[1] + shift * tangent[1]) for p in (inner, outer)])
        yield [(*ends[x][y], z) for z in (-depth / 2, depth / 2) for y in (0, 1) for x in (0, 1)]


def catenary_arch(name, stones, height, half_span, thickness, depth, gap):
    """All stones as one mesh, each one hexahedron of six tets."""
    points, tets = [], []
    for corners in arch_corners(stones, height, half_span, thickness, depth, gap):
        tets += [tuple(len(points) + i for i in t) for t in KUHN]
        points += corners
    return msh(name, points, tets)


# The sides of a cell with corners 0..7 as above, outward.
SIDES = ((0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5), (0, 1, 5), (0, 5, 4), (2, 6, 7), (2, 7, 3), (0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6))


def arch_stones(*arguments):
    """The stones one by one, as points and triangles; arguments as of arch_corners."""
    for corners in arch_corners(*arguments):
        yield corners, SIDES


def funnel(name, rings, segments):
    """An open surface of revolution; rings: (radius, height) from above to below."""
    points, faces = [], []
    for radius, y in rings:
        for k in range(segments):
            angle = 2 * math.pi * k / segments
            points.append((radius * math.cos(angle), y, radius * math.sin(angle)))
    for r in range(len(rings) - 1):
        for k in range(segments):
            a, b = r * segments + k, r * segments + (k + 1) % segments
            c, d = a + segments, b + segments
            faces += [(a, b, d), (a, d, c)]
    return obj(name, points, faces)


def pit(name, outer, inner, depth):
    """A square hole of width `inner` and the given depth in a flat square of width `outer` at y = 0."""
    o, i = outer / 2, inner / 2
    corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    points = [(o * x, 0, o * z) for x, z in corners] + [(i * x, 0, i * z) for x, z in corners]
    points += [(i * x, -depth, i * z) for x, z in corners]
    faces = [(8, 9, 10), (8, 10, 11)]
    for k in range(4):
        n = (k + 1) % 4
        faces += [(k, n, 4 + n), (k, 4 + n, 4 + k), (4 + k, 4 + n, 8 + n), (4 + k, 8 + n, 8 + k)]
    return obj(name, points, faces)


def grid_points(name, count, width, y=0.0):
    """A square bed of points that belong to nothing."""
    step = width / (count - 1)
    points = [(-width / 2 + i * step, y, -width / 2 + k * step) for i in range(count) for k in range(count)]
    return obj(name, points, singles=[(i,) for i in range(len(points))])


def wires(name, count, width):
    """Parallel wires along Z."""
    points, lines = [], []
    for k in range(count):
        x = -width / 2 + width * k / (count - 1)
        points += [(x, 0, -width / 2), (x, 0, width / 2)]
        lines.append((2 * k, 2 * k + 1))
    return obj(name, points, lines=lines)


def knives(name, count, width, height):
    """Parallel upright blades without thickness, along Z, edges up at y = 0."""
    points, faces = [], []
    for k in range(count):
        x = -width / 2 + width * k / (count - 1)
        first = len(points)
        points += [(x, y, z) for y in (0, -height) for z in (-width / 2, width / 2)]
        faces += [(first, first + 1, first + 3), (first, first + 3, first + 2)]
    return obj(name, points, faces)


def pins(name, count, width, height):
    """Upright pins: wires from y = 0 down."""
    points, lines = [], []
    step = width / (count - 1)
    for i in range(count):
        for k in range(count):
            x, z = -width / 2 + i * step, -width / 2 + k * step
            lines.append((len(points), len(points) + 1))
            points += [(x, 0, z), (x, -height, z)]
    return obj(name, points, lines=lines)
