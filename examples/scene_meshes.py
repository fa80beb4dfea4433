"""Closed surfaces for mechanisms: outlines with holes that are extruded, and several pieces as one body.

Pieces of one rigid body need not touch: what is rigid holds together without a bridge. So a crank is a disc and a pin
with a hair's breadth between them, and no surface cuts another.
"""
import math


class Surface:
    """Points and triangles, outward; + joins two as one body."""

    def __init__(self, points, faces):
        self.points, self.faces = [tuple(p) for p in points], [tuple(f) for f in faces]

    def __add__(self, other):
        shift = len(self.points)
        return Surface(self.points + other.points, self.faces + [tuple(i + shift for i in f) for f in other.faces])

    def moved(self, x=0.0, y=0.0, z=0.0):
        return Surface([(a + x, b + y, c + z) for a, b, c in self.points], self.faces)

    def turned(self, degrees, axis="z"):
        """About an axis through the origin."""
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        turn = {"z": lambda p: (c * p[0] - s * p[1], s * p[0] + c * p[1], p[2]),
                "x": lambda p: (p[0], c * p[1] - s * p[2], s * p[1] + c * p[2]),
                "y": lambda p: (c * p[0] + s * p[2], p[1], c * p[2] - s * p[0])}[axis]
        return Surface([turn(p) for p in self.points], self.faces)


# ---- outlines -------------------------------------------------------------------------------------------------------

def circle(radius, segments, at=(0, 0), phase=0.0):
    return [(at[0] + radius * math.cos(2 * math.pi * (k + phase) / segments),
             at[1] + radius * math.sin(2 * math.pi * (k + phase) / segments)) for k in range(segments)]


def rectangle(width, height, at=(0, 0)):
    x, y = width / 2, height / 2
    return [(at[0] - x, at[1] - y), (at[0] + x, at[1] - y), (at[0] + x, at[1] + y), (at[0] - x, at[1] + y)]


def stadium(length, radius, segments):
    """Two half circles, their centres `length` apart along X."""
    half = segments // 2
    right = [(length / 2 + radius * math.sin(math.pi * k / half), -radius * math.cos(math.pi * k / half)) for k in range(half + 1)]
    return right + [(-x, -y) for x, y in right]


def gear(teeth, inner, outer, top=0.3, bottom=0.7):
    """A wheel with trapezoid teeth; top and bottom: their widths as parts of the pitch."""
    points = []
    for k in range(teeth):
        middle = 2 * math.pi * k / teeth
        for radius, part in ((inner, -bottom / 2), (outer, -top / 2), (outer, top / 2), (inner, bottom / 2)):
            angle = middle + 2 * math.pi * part / teeth
            points.append((radius * math.cos(angle), radius * math.sin(angle)))
    return points


# ---- triangles ------------------------------------------------------------------------------------------------------

def cross(o, a, b):
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def area(outline):
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(outline, outline[1:] + outline[:1])) / 2


def is_visible(points, a, b, edges):
    """Whether the segment from a to b cuts no edge that ends at neither."""
    p, q = points[a], points[b]
    for i, j in edges:
        if {i, j} & {a, b}:
            continue
        r, s = points[i], points[j]
        if cross(p, q, r) * cross(p, q, s) <= 0 and cross(r, s, p) * cross(r, s, q) <= 0:
            return False
    return True


def join_holes(points, loops):
    """One loop of indices: each hole is joined to the outer loop by its shortest free bridge."""
    loop = list(loops[0])
    edges = [(l[k], l[(k + 1) % len(l)]) for l in loops for k in range(len(l))]
    for hole in loops[1:]:
        pairs = sorted((math.dist(points[a], points[b]), i, j) for i, a in enumerate(loop) for j, b in enumerate(hole))
        i, j = next((i, j) for _, i, j in pairs if is_visible(points, loop[i], hole[j], edges))
        edges.append((loop[i], hole[j]))
        loop = loop[:i + 1] + hole[j:] + hole[:j + 1] + loop[i:]
    return loop


def cut_ears(points, loop):
    """Triangles of a simple counter-clockwise loop; the ear with the largest smallest angle goes first."""
    loop, triangles = list(loop), []

    def quality(a, b, c):
        sides = math.dist(a, b) ** 2 + math.dist(b, c) ** 2 + math.dist(c, a) ** 2
        return cross(a, b, c) / sides

    while len(loop) > 3:
        best, best_quality = None, 0.0
        for k in range(len(loop)):
            ids = loop[k - 1], loop[k], loop[(k + 1) % len(loop)]
            a, b, c = (points[i] for i in ids)
            q = quality(a, b, c)
            if q <= best_quality:
                continue
            others = (points[i] for i in set(loop) - set(ids))
            if any(cross(a, b, p) >= 0 and cross(b, c, p) >= 0 and cross(c, a, p) >= 0 for p in others):
                continue
            best, best_quality = k, q
        if best is None:
            raise ValueError("the outline is not simple")
        triangles.append((loop[best - 1], loop[best], loop[(best + 1) % len(loop)]))
        del loop[best]
    return triangles + [tuple(loop)]


# ---- surfaces -------------------------------------------------------------------------------------------------------

def extrude(outline, low, high, holes=()):
    """The prism over an outline in the XY plane, from z = low to z = high, without its holes."""
    loops, points = [], []
    for k, ring in enumerate((outline, *holes)):
        ring = ring if (area(ring) > 0) == (k == 0) else ring[::-1]
        loops.append(list(range(len(points), len(points) + len(ring))))
        points += ring
    n = len(points)
    caps = cut_ears(points, join_holes(points, loops))
    faces = [(c, b, a) for a, b, c in caps] + [(a + n, b + n, c + n) for a, b, c in caps]
    for loop in loops:
        for a, b in zip(loop, loop[1:] + loop[:1]):
            faces += [(a, b, b + n), (a, b + n, a + n)]
    return Surface([(x, y, low) for x, y in points] + [(x, y, high) for x, y in points], faces)


def disc(radius, segments, low, high, at=(0, 0), hole=0.0):
    return extrude(circle(radius, segments, at), low, high, [circle(hole, segments, at)] if hole else ())


def block(lower, upper):
    return extrude([(lower[0], lower[1]), (upper[0], lower[1]), (upper[0], upper[1]), (lower[0], upper[1])], lower[2], upper[2])


def ball(radius, rings, segments, at=(0, 0, 0)):
    points = [(at[0], at[1] + radius, at[2])]
    for i in range(1, rings):
        y, r = radius * math.cos(math.pi * i / rings), radius * math.sin(math.pi * i / rings)
        points += [(at[0] + r * math.cos(2 * math.pi * k / segments), at[1] + y, at[2] + r * math.sin(2 * math.pi * k / segments))
                   for k in range(segments)]
    points.append((at[0], at[1] - radius, at[2]))
    last, faces = len(points) - 1, []
    for k in range(segments):
        n = (k + 1) % segments
        faces += [(0, 1 + n, 1 + k), (last, last - segments + k, last - segments + n)]
        for i in range(rings - 2):
            a, b = 1 + i * segments + k, 1 + i * segments + n
            faces += [(a, b, b + segments), (a, b + segments, a + segments)]
    return Surface(points, faces)


def ring(radius, tube, segments, sides, at=(0, 0, 0)):
    """A torus about the Z axis."""
    points, faces = [], []
    for i in range(segments):
        a = 2 * math.pi * i / segments
        for j in range(sides):
            b = 2 * math.pi * j / sides
            r = radius + tube * math.cos(b)
            points.append((at[0] + r * math.cos(a), at[1] + r * math.sin(a), at[2] + tube * math.sin(b)))
    for i in range(segments):
        for j in range(sides):
            m, n = (i + 1) % segments, (j + 1) % sides
            a, b, c, d = i * sides + j, m * sides + j, m * sides + n, i * sides + n
            faces += [(a, b, c), (a, c, d)]
    return Surface(points, faces)


def link(straight, bend, wire, bend_segments, sides):
    """A chain link: round wire along a stadium in the XY plane, long axis Y."""
    path = []
    for end, first in ((1, 0.0), (-1, math.pi)):
        for k in range(bend_segments + 1):
            angle = first + math.pi * k / bend_segments
            path.append((math.cos(angle), math.sin(angle), end * straight / 2))
    points, faces, n = [], [], len(path)
    for c, s, shift in path:
        for j in range(sides):
            b = 2 * math.pi * j / sides
            r = bend + wire * math.cos(b)
            points.append((r * c, r * s + shift, wire * math.sin(b)))
    for i in range(n):
        for j in range(sides):
            m, k = (i + 1) % n, (j + 1) % sides
            a, b, c, d = i * sides + j, m * sides + j, m * sides + k, i * sides + k
            faces += [(a, b, c), (a, c, d)]
    return Surface(points, faces)


def thread(pitch, turns, root, crest, segments, low_cap, high_cap, inside=False, wall=0.0):
    """A rod along Y with a helical thread (inside: a nut, round outside with radius `wall`, whose bore is the same
    helix). Heights from low_cap to high_cap; the helix fades out within a quarter turn of each end."""
    points, faces = [], []
    half = pitch * turns / 2

    def radius(y, angle):
        phase = (y / pitch - angle / (2 * math.pi)) % 1.0
        wave = 1 - abs(2 * phase - 1)  # a triangle, 0 to 1
        fade = max(0.0, min(1.0, (half - abs(y)) / (pitch / 4)))
        return root + (crest - root) * wave * (1.0 if inside else fade)

    count = max(4, round((high_cap - low_cap) / pitch * segments / 2))
    heights = [low_cap + (high_cap - low_cap) * k / count for k in range(count + 1)]
    for y in heights:
        for k in range(segments):
            angle = 2 * math.pi * k / segments
            r = radius(y, angle)
            points.append((r * math.cos(angle), y, -r * math.sin(angle)))
    for i in range(count):
        for k in range(segments):
            n = (k + 1) % segments
            a, b, c, d = i * segments + k, i * segments + n, (i + 1) * segments + n, (i + 1) * segments + k
            faces += [(a, b, c), (a, c, d)]
    first, last = 0, count * segments
    if not inside:
        low, high = len(points), len(points) + 1
        points += [(0, low_cap, 0), (0, high_cap, 0)]
        for k in range(segments):
            n = (k + 1) % segments
            faces += [(low, first + n, first + k), (high, last + k, last + n)]
        return Surface(points, faces)
    # The bore looks inwards; outside a cylinder, joined at both ends.
    faces = [(a, c, b) for a, b, c in faces]
    outer = len(points)
    for y in (low_cap, high_cap):
        points += [(wall * math.cos(2 * math.pi * k / segments), y, -wall * math.sin(2 * math.pi * k / segments))
                   for k in range(segments)]
    for k in range(segments):
        n = (k + 1) % segments
        a, b, c, d = outer + k, outer + n, outer + segments + n, outer + segments + k
        faces += [(a, b, c), (a, c, d)]
        faces += [(first + k, first + n, b), (first + k, b, a), (last + k, c, last + n), (last + k, d, c)]
    return Surface(points, faces)


# ---- sheets and wires -----------------------------------------------------------------------------------------------

def sheet(edge, cells):
    """Points and triangles of a square about the origin in the XZ plane. The diagonals alternate, so that it folds
    alike in both directions."""
    at = [edge * (i / cells - 0.5) for i in range(cells + 1)]
    points = [(x, 0, z) for z in at for x in at]
    faces = []
    for j in range(cells):
        for i in range(cells):
            a, b = j * (cells + 1) + i, j * (cells + 1) + i + 1
            c, d = b + cells + 1, a + cells + 1
            faces += [(a, d, b), (b, d, c)] if (i + j) % 2 else [(a, d, c), (a, c, b)]
    return points, faces


def straight_wire(first, last, cells):
    """Points and edges from one point to another."""
    points = [tuple(a + (b - a) * i / cells for a, b in zip(first, last)) for i in range(cells + 1)]
    return points, [(i, i + 1) for i in range(cells)]


def write_obj(path, points, elements):
    """Triangles become f lines, edges l lines."""
    lines = ["v " + " ".join(f"{round(c, 6):g}" for c in p) for p in points]
    lines += [("f " if len(e) > 2 else "l ") + " ".join(str(i + 1) for i in e) for e in elements]
    path.write_text("\n".join(lines) + "\n")
