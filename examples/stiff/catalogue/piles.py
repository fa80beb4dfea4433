"""Many bodies: heaps of boxes, pyramids, chains of rings, and the piles of mixed shapes."""
import math
import random

from scene_parts import Scene, box, floor, obstacle, rigid, shape, sphere, wall

FRICTION = 0.5
CUBE = box(1, 1)


def contact(friction=FRICTION, d_hat=1e-3, **rest):
    """Sticking below 1 cm/s, one pass of friction a step: more than the impulse engines of the comparison resolve."""
    return {"friction": friction, "d_hat": d_hat, "epsilon_v": 1e-2, **rest}


def container(width, height, depth=None):
    """A floor and four walls around the origin, open above: five obstacles that overlap at the edges."""
    x, z, t = width / 2, (depth or width) / 2, 0.5
    return [
        wall("floor", (-x - t, -t, -z - t), (x + t, 0, z + t)),
        wall("wall x-", (-x - t, 0, -z - t), (-x, height, z + t)), wall("wall x+", (x, 0, -z - t), (x + t, height, z + t)),
        wall("wall z-", (-x - t, 0, -z - t), (x + t, height, -z)), wall("wall z+", (-x - t, 0, z), (x + t, height, z + t)),
    ]


def tilt(draw):
    return [round(draw.uniform(-180, 180), 3) for _ in range(3)]


def lattice(count, columns, pitch, first_height):
    """Places above each other in layers of columns × columns."""
    for k in range(count):
        layer, place = divmod(k, columns * columns)
        i, j = divmod(place, columns)
        yield (round((i - (columns - 1) / 2) * pitch, 6), round(first_height + layer * pitch, 6),
               round((j - (columns - 1) / 2) * pitch, 6))


def heap_of(count, columns):
    """Boxes of 1 m on a lattice of 1.8 m, turned at random, above a container."""
    draw = random.Random(count)
    layers = math.ceil(count / columns**2)
    bodies = container(1.8 * columns, 1.8 * layers + 2)
    for k, place in enumerate(lattice(count, columns, 1.8, 1.2)):
        bodies.append(rigid(f"box {k}", CUBE, place, rotation=tilt(draw)))
    return bodies


def heap(count, small=8):
    def scene(fine):
        n = count if fine else small
        return Scene(scene.__doc__, heap_of(n, math.ceil(n ** (1 / 3) - 1e-9)), step=0.01, duration=4.0 if fine else 1.2,
                     contact=contact(d_hat=1e-2))
    scene.__doc__ = f"Boxes fall into a container and come to rest: {count} of them (8 in the small version)."
    return scene


def layers(count):
    """Contacts per body do not depend on their number: four layers, whatever the width."""
    def scene(fine):
        n = count if fine else 16
        return Scene(scene.__doc__, heap_of(n, max(2, round(math.sqrt(n / 4)))), step=0.01, duration=2.0 if fine else 0.6,
                     contact=contact(d_hat=1e-2))
    scene.__doc__ = f"Four layers of boxes fall into a wide container: {count} of them (16 in the small version)."
    return scene


def pyramid(count, small=6):
    def scene(fine):
        n = count if fine else small
        base = next(b for b in range(1, n + 1) if b * (b + 1) // 2 >= n)
        gap, pitch = 5e-4, 1.1
        bodies, row, place = [floor(0, 3.0 * base)], 0, 0
        for k in range(n):
            x = (place - (base - row - 1) / 2) * pitch
            bodies.append(rigid(f"box {k}", CUBE, (round(x, 6), round(0.5 + gap + row * (1 + gap), 6), 0)))
            place += 1
            if place == base - row:
                row, place = row + 1, 0
        return Scene(scene.__doc__, bodies, step=0.01, duration=4.0 if fine else 0.5, contact=contact())
    scene.__doc__ = f"A pyramid of boxes that stands, filled up from below: {count} boxes (6 in the small version)."
    return scene


# A ring of 576 triangles.
RING, TUBE = 0.4, 0.1
TORUS = shape("torus", ring_radius=RING, tube_radius=TUBE, resolution=1, segments=36)
RING_PITCH = round(2 * (RING - TUBE) - 0.02, 6)


def ring_chain(name, count, at, held=("first", "last")):
    """Rings along x, every other one upright, none touching; the held ones are obstacles."""
    bodies = []
    for k in range(count):
        place = (round(at[0] + k * RING_PITCH, 6), at[1], at[2])
        turn = [90, 0, 0] if k % 2 else [0, 0, 0]
        is_held = (k == 0 and "first" in held) or (k == count - 1 and "last" in held)
        make = obstacle if is_held else rigid
        bodies.append(make(f"{name} {k}", TORUS, place, rotation=turn))
    return bodies


def ring_chains(count, small=4):
    def scene(fine):
        n = count if fine else small
        bodies = []
        for k, first in enumerate(range(0, n, 16)):
            bodies += ring_chain(f"chain {k} link", min(16, n - first) + 2, (0, 0, round(1.2 * k, 6)))
        return Scene(scene.__doc__, bodies, step=0.01, duration=4.0 if fine else 0.5, contact=contact())
    scene.__doc__ = (f"Level chains of rings of 576 triangles, 16 free ones each between two held ones: {count} free rings "
                     "(4 in the small version).")
    return scene


# Closed shapes of 12 to 96 triangles, about 1 m across.
MIXED = (
    CUBE, shape("wedge", width=1, height=0.8, depth=0.8, resolution=1, cells_z=1),
    shape("spike", width=1, height=0.9, resolution=1), sphere(0.5, 1),
    shape("cylinder", radius=0.4, height=0.9, resolution=1, layers=1),
    shape("torus", ring_radius=0.4, tube_radius=0.15, resolution=1, segments=6),
)


def pile(count, small=12):
    def scene(fine):
        n = count if fine else small
        columns = max(2, math.ceil((n / 2) ** (1 / 3) - 1e-9))
        draw = random.Random(7 * count)
        bodies = container(1.8 * columns, 1.8 * math.ceil(n / columns**2) + 2)
        for k, place in enumerate(lattice(n, columns, 1.8, 1.3)):
            bodies.append(rigid(f"body {k}", MIXED[k % len(MIXED)], place, rotation=tilt(draw)))
        return Scene(scene.__doc__, bodies, step=0.01, duration=4.0 if fine else 1.0, contact=contact(d_hat=1e-2))
    scene.__doc__ = f"Boxes, wedges, spikes, balls, cylinders and rings in a pile: {count} bodies (12 in the small version)."
    return scene


SCENES = {
    "heap_16": heap(16), "heap_142": heap(142), "heap_562": heap(562),
    "pyramid_16": pyramid(16), "pyramid_142": pyramid(142), "pyramid_562": pyramid(562),
    "rings_16": ring_chains(16), "rings_142": ring_chains(142), "rings_562": ring_chains(562),
    "pile_16": pile(16), "pile_142": pile(142), "pile_562": pile(562),
    **{f"layers_{n}": layers(n) for n in (16, 64, 256, 1024, 4000)},
}
