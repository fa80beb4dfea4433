"""Closed surfaces of rounded limbs: the union of capsules as an implicit function, cut out of a lattice of tetrahedra.

Every lattice edge whose ends lie on different sides carries one vertex, so the surface is closed, has no edge in more than two triangles and
never meets itself, whatever the limbs do.
"""
import itertools
import math

from scene_parts import obj

KUHN = [tuple(order) for order in itertools.permutations(range(3))]


def capsule_distance(p, limb):
    """To a capsule (a, b, ra, rb): a segment with a radius at each end."""
    a, b, ra, rb = limb
    ab = [b[i] - a[i] for i in range(3)]
    length2 = sum(c * c for c in ab)
    t = sum(ab[i] * (p[i] - a[i]) for i in range(3)) / length2 if length2 > 0 else 0.0
    t = min(1.0, max(0.0, t))
    return math.dist(p, [a[i] + t * ab[i] for i in range(3)]) - (ra + t * (rb - ra))


def bounds(limbs, margin):
    lower = [min(min(a[i] - ra, b[i] - rb) for a, b, ra, rb in limbs) - margin for i in range(3)]
    upper = [max(max(a[i] + ra, b[i] + rb) for a, b, ra, rb in limbs) + margin for i in range(3)]
    return lower, upper


def solid(name, limbs, cell):
    """The surface of the union, with lattice cells of this size, as an OBJ mesh."""
    lower, upper = bounds(limbs, 1.5 * cell)
    counts = [int(math.ceil((upper[i] - lower[i]) / cell)) for i in range(3)]
    place = lambda q: tuple(lower[i] + cell * q[i] for i in range(3))
    values = {}
    for q in itertools.product(*(range(c + 1) for c in counts)):
        value = min(capsule_distance(place(q), limb) for limb in limbs)
        values[q] = value if abs(value) > 1e-9 else 1e-9
    points, number, faces = [], {}, []

    def cut(q, r):
        """The vertex between an inner and an outer lattice point, kept away from both."""
        key = (min(q, r), max(q, r))
        if key not in number:
            t = min(0.85, max(0.15, values[key[0]] / (values[key[0]] - values[key[1]])))
            a, b = place(key[0]), place(key[1])
            number[key] = len(points)
            points.append(tuple(round(a[i] + t * (b[i] - a[i]), 6) for i in range(3)))
        return number[key]

    for cell_at in itertools.product(*(range(c) for c in counts)):
        corners = {d: tuple(cell_at[i] + d[i] for i in range(3)) for d in itertools.product((0, 1), repeat=3)}
        signs = {values[q] < 0 for q in corners.values()}
        if len(signs) == 1:
            continue
        for order in KUHN:
            tet, at = [corners[(0, 0, 0)]], [0, 0, 0]
            for axis in order:
                at[axis] = 1
                tet.append(corners[tuple(at)])
            if order not in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
                tet[1], tet[2] = tet[2], tet[1]
            add_tet(tet, values, cut, faces)
    return obj(name, points, faces)


def add_tet(tet, values, cut, faces):
    """The piece of the surface in a positively oriented tet, seen from outside counter-clockwise."""
    inner = [i for i in range(4) if values[tet[i]] < 0]
    outer = [i for i in range(4) if i not in inner]
    if not inner or not outer:
        return
    flip = parity(inner + outer)
    if len(inner) == 2:
        a, b = inner
        c, d = outer
        quad = [cut(tet[a], tet[c]), cut(tet[a], tet[d]), cut(tet[b], tet[d]), cut(tet[b], tet[c])]
        quad = quad[::-1] if flip else quad
        faces.extend([(quad[0], quad[1], quad[2]), (quad[0], quad[2], quad[3])])
        return
    alone, others = (inner[0], outer) if len(inner) == 1 else (outer[0], inner)
    face = [cut(tet[alone], tet[k]) for k in others]
    turned = parity([alone] + others) ^ (len(inner) == 3)
    faces.append(tuple(face[::-1] if turned else face))


def parity(order):
    return sum(order[i] > order[j] for i in range(len(order)) for j in range(i + 1, len(order))) % 2 == 1


def directions(count):
    """Evenly spread over the sphere (Fibonacci)."""
    golden = math.pi * (3 - math.sqrt(5))
    for k in range(count):
        y = 1 - 2 * (k + 0.5) / count
        r = math.sqrt(1 - y * y)
        yield (r * math.cos(golden * k), y, r * math.sin(golden * k))


def puffer(strings, cell):
    """A ball with strings all around, just thick enough for the lattice."""
    radius = cell
    limbs = [((0, 0, 0), (0, 0, 0), 0.3, 0.3)]
    for d in directions(strings):
        limbs.append((tuple(0.25 * c for c in d), tuple(0.6 * c for c in d), radius, 0.9 * radius))
    return solid(f"puffer_{strings}.obj", limbs, cell)


def figure(cell):
    """Head, body, arms, legs and a tail."""
    limbs = [((0, 0.75, 0), (0, 1.15, 0), 0.2, 0.24), ((0, 1.5, 0.04), (0, 1.5, 0.04), 0.17, 0.17), ((0, 1.2, 0), (0, 1.45, 0), 0.12, 0.1),
             ((0.2, 1.2, 0), (0.62, 1.28, 0.1), 0.1, 0.08), ((-0.2, 1.2, 0), (-0.62, 1.28, 0.1), 0.1, 0.08),
             ((0.12, 0.7, 0), (0.2, 0.12, 0.05), 0.13, 0.1), ((-0.12, 0.7, 0), (-0.2, 0.12, 0.05), 0.13, 0.1),
             ((0, 0.75, -0.1), (0, 0.45, -0.55), 0.12, 0.08)]
    return solid("figure.obj", limbs, cell)


def cactus(cell):
    """A stem with two bent arms."""
    limbs = [((0, 0.1, 0), (0, 0.9, 0), 0.12, 0.1), ((0, 0.4, 0), (0.3, 0.45, 0), 0.07, 0.07), ((0.3, 0.45, 0), (0.32, 0.75, 0), 0.07, 0.06),
             ((0, 0.55, 0), (-0.26, 0.58, 0), 0.06, 0.06), ((-0.26, 0.58, 0), (-0.28, 0.82, 0), 0.06, 0.05)]
    return solid("cactus.obj", limbs, cell)


def ship(cell):
    """A hull with paddles at its sides and two masts, just thick enough for the lattice."""
    limbs = [((-0.6, 0, 0), (0.6, 0, 0), 0.12, 0.12), ((0.6, 0, 0), (0.85, 0.08, 0), 0.12, 0.05), ((-0.6, 0, 0), (-0.8, 0.06, 0), 0.12, 0.07)]
    for x in (-0.45, -0.15, 0.15, 0.45):
        for side in (-1, 1):
            limbs.append(((x, 0, 0.05 * side), (x, -0.22, 0.42 * side), 0.9 * cell, 0.8 * cell))
    for x in (-0.25, 0.3):
        limbs += [((x, 0, 0), (x, 0.6, 0), cell, 0.8 * cell), ((x, 0.42, -0.2), (x, 0.42, 0.2), 0.8 * cell, 0.8 * cell)]
    return solid("ship.obj", limbs, cell)
