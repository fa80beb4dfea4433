"""Meshes as OBJ and legacy VTK texts: wires, strips, spheres, prisms, stones of an arch, a cube of six tets."""
import math


def obj(points, faces=(), lines=()):
    out = [f"v {x!r} {y!r} {z!r}" for x, y, z in points]
    out += ["f " + " ".join(str(i + 1) for i in face) for face in faces]
    out += ["l " + " ".join(str(i + 1) for i in line) for line in lines]
    return "\n".join(out) + "\n"


def wire(points):
    return obj(points, lines=[(i, i + 1) for i in range(len(points) - 1)])


def straight_wire(length, edges):
    return wire([(length * i / edges, 0.0, 0.0) for i in range(edges + 1)])


def strip(length, width, cells, across=2):
    """A flat strip along x, in the plane y = 0; diagonals alternate."""
    points = [(length * i / cells, 0.0, width * (j / across - 0.5)) for i in range(cells + 1)
              for j in range(across + 1)]
    faces = []
    for i in range(cells):
        for j in range(across):
            a = i * (across + 1) + j
            b, c, d = a + 1, a + across + 1, a + across + 2
            faces += [(a, b, c), (b, d, c)] if (i + j) % 2 else [(a, b, d), (a, d, c)]
    return obj(points, faces)


def icosphere(radius, halvings):
    t = (1 + math.sqrt(5)) / 2
    points = [(-1, t, 0), (1, t, 0), (-1, -t, 0), (1, -t, 0), (0, -1, t), (0, 1, t),
              (0, -1, -t), (0, 1, -t), (t, 0, -1), (t, 0, 1), (-t, 0, -1), (-t, 0, 1)]
    faces = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6),
             (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10),
             (8, 6, 7), (9, 8, 1)]
    for _ in range(halvings):
        middles, finer = {}, []

        def middle(a, b):
            key = (min(a, b), max(a, b))
            if key not in middles:
                middles[key] = len(points)
                points.append(tuple((p + q) / 2 for p, q in zip(points[a], points[b])))
            return middles[key]

        for a, b, c in faces:
            ab, bc, ca = middle(a, b), middle(b, c), middle(c, a)
            finer += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        faces = finer
    return obj([tuple(radius * x / math.hypot(*p) for x in p) for p in points], faces)


def prism(corners, depth):
    """A convex polygon in the plane z = 0, counter-clockwise, drawn out along z by ± depth/2."""
    n = len(corners)
    points = [(x, y, side * depth / 2) for side in (-1, 1) for x, y in corners]
    faces = [(0, i + 1, i) for i in range(1, n - 1)] + [(n, n + i, n + i + 1) for i in range(1, n - 1)]
    for i in range(n):
        j = (i + 1) % n
        faces += [(i, j, n + j), (i, n + j, n + i)]
    return obj(points, faces)


def arch_stone(radius, thickness, number, count, depth, gap):
    """A stone of a semicircular arch of mean radius `radius`; gap: between neighbours, at the mean radius."""
    first, last = math.pi * number / count, math.pi * (number + 1) / count
    first, last = first + gap / (2 * radius), last - gap / (2 * radius)
    inner, outer = radius - thickness / 2, radius + thickness / 2
    ends = ((inner, first), (outer, first), (outer, last), (inner, last))
    corners = [(r * math.cos(a), r * math.sin(a)) for r, a in ends]
    return prism(corners, depth)


def tet_cube():
    """The unit cube cut into six tets around the diagonal from point 0 to point 7; point i is at the bits of i."""
    points = [(float(i & 1), float(i >> 1 & 1), float(i >> 2 & 1)) for i in range(8)]
    orders = ((1, 2, 4), (2, 4, 1), (4, 1, 2), (1, 4, 2), (2, 1, 4), (4, 2, 1))
    tets = []
    for number, (a, b, _) in enumerate(orders):
        way = [0, a, a + b, 7]
        tets.append(way if number < 3 else [way[0], way[2], way[1], way[3]])
    out = ["# vtk DataFile Version 2.0", "cube", "ASCII", "DATASET UNSTRUCTURED_GRID", "POINTS 8 double"]
    out += [f"{x} {y} {z}" for x, y, z in points]
    out += [f"CELLS 6 {6 * 5}"] + ["4 " + " ".join(map(str, tet)) for tet in tets]
    out += ["CELL_TYPES 6"] + ["10"] * 6
    return "\n".join(out) + "\n"
