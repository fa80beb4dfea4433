"""What stands, slides or flies: arches, Lewis, turntable, coin, cards, nets, packing, tunnel, a turning handle."""
import math
import random

from scene_meshes import Surface, extrude
from scene_parts import (EVERYTHING, Scene, arch_stones, box, floor, obj, obstacle, poses, rigid, shape, sphere, surface, wall)

from .piles import container, tilt


def tight(mu, **rest):
    """Friction that is solved until it agrees."""
    return {"friction": mu, "friction_iterations": -1, **rest}


# ---- friction -------------------------------------------------------------------------------------------------------

def arch(stones, mu, small=7):
    def scene(fine):
        count, gap = (stones if fine else small), 5e-4
        bodies = [floor(round(-gap / 2, 9), 60.0)]
        for k, (points, faces) in enumerate(arch_stones(count, 20.0, 17.4, 2.0, 2.0, gap)):
            bodies.append(rigid(f"stone {k}", obj(f"stone_{count}_{k}.obj", points, faces), density=2300))
        return Scene(scene.__doc__, bodies, step=0.01 if fine else 0.02, duration=2.0 if fine else 0.5,
                     contact=tight(mu, d_hat=1e-3, epsilon_v=1e-3))
    scene.__doc__ = f"A masonry arch, 20 m high, of {stones} stones ({small} in the small version), with a friction of {mu}."
    return scene


def lewis(mu):
    """Wedge angle 15°: the legs hold by friction alone if mu is above tan 7.5° = 0.13."""
    def scene(fine):
        gap, depth, slope = 5e-4, 0.3, math.tan(math.radians(15))
        inner, outer = 0.04, 0.18  # half widths: of the middle piece at its top, of the hole
        middle = [(-inner - slope * depth, 0), (inner + slope * depth, 0), (inner, depth), (-inner, depth)]
        leg = [(inner + slope * depth + gap, 0), (outer - gap, 0), (outer - gap, depth), (inner + gap, depth)]
        block = [(-0.6, -0.2), (0.6, -0.2), (0.6, 0.32), (outer, 0.32), (outer, -gap), (-outer, -gap), (-outer, 0.32), (-0.6, 0.32)]
        piece = lambda name, outline: surface(name, extrude(outline, -0.15, 0.15))
        return Scene(scene.__doc__, [
            floor(-0.2 - gap, 3.0),
            rigid("block", piece("lewis_block.obj", block), density=2500),
            obstacle("middle", piece("lewis_middle.obj", middle), prescribed=[
                {"select": EVERYTHING, "translation": ["0", "if(t < 0.1, 0, 0.5*(t - 0.1))", "0"]}]),
            rigid("leg left", piece("lewis_leg_left.obj", [(-x, y) for x, y in leg]), density=7800),
            rigid("leg right", piece("lewis_leg_right.obj", leg), density=7800),
        ], step=0.01, duration=2.0 if fine else 0.3, contact=tight(mu, d_hat=1e-3, epsilon_v=1e-4), solver={"tolerance": 1e-6})
    scene.__doc__ = f"A Lewis lifts a stone ten times its weight: wedges in a straight hole, friction {mu} (needed: 0.13)."
    return scene


def turntable(mu):
    def scene(fine):
        return Scene(scene.__doc__, [
            obstacle("table", shape("cylinder", radius=1, height=0.1, resolution=4 if fine else 3, layers=1), (0, -0.05, 0),
                     prescribed=[{"select": EVERYTHING, "angle": "28.6478897565412*t*t", "axis": [0, 1, 0], "about": [0, 0, 0]}]),
            rigid("block", box(0.1, 1), (0.5, 0.0505, 0)),
        ], step=0.025, duration=4.0 if fine else 3.6, contact=tight(mu, d_hat=1e-3, epsilon_v=1e-4), solver={"tolerance": 1e-4})
    scene.__doc__ = f"A block at half a metre on a table that turns ever faster, by 1 rad/s each second; friction {mu}."
    return scene


def coin(fine):
    """A coin set spinning on its edge rolls and falls; steps of 0.1 ms."""
    return Scene(coin.__doc__, [
        floor(0, 1.0),
        rigid("coin", shape("cylinder", radius=0.0121, height=0.0017, resolution=8 if fine else 4, layers=1), (0, 0.01245, 0),
              rotation=[82, 0, 0], angular_velocity=[0, 40, 0], density=8900),
    ], step=1e-4, duration=1.0 if fine else 0.02, contact=tight(0.2, d_hat=1e-4, epsilon_v=1e-3))


# ---- without volume -------------------------------------------------------------------------------------------------

def plane(name, width, depth):
    """Two triangles, flat at y = 0."""
    x, z = width / 2, depth / 2
    return obj(name, [(-x, 0, -z), (x, 0, -z), (x, 0, z), (-x, 0, z)], [(0, 2, 1), (0, 3, 2)])


def card_house(fine):
    """A house of cards of two triangles each, hit by two boxes in the large version."""
    levels, lean, gap = (3 if fine else 2), 65.0, 1e-3
    card = plane("card.obj", 1.0, 0.6)
    rise, half = math.sin(math.radians(lean)), math.cos(math.radians(lean)) / 2
    bodies, y = [floor(0, 12.0)], gap
    for level in range(levels):
        tents = levels - level
        pitch = 1.1
        for k in range(tents):
            x = (k - (tents - 1) / 2) * pitch
            for side in (-1, 1):
                bodies.append(rigid(f"card {level} {k} {'left' if side < 0 else 'right'}", card,
                                    (round(x + side * (half + gap / 2), 9), round(y + rise / 2, 9), 0),
                                    rotation=[0, 0, -side * lean], thickness=0.002, density=700))
        y += rise + gap
        for k in range(tents - 1):
            bodies.append(rigid(f"flat {level} {k}", card, (round((k - (tents - 2) / 2) * pitch, 9), round(y, 9), 0),
                                thickness=0.002, density=700))
        y += gap
    if fine:
        for k, x in enumerate((-2.5, 2.5)):
            bodies.append(rigid(f"cube {k}", box(0.2, 1), (x, round(y - 0.6, 6), 0), velocity=[-3 * x, 6, 0], density=200))
    return Scene(card_house.__doc__, bodies, step=0.01, duration=2.0 if fine else 0.3, contact=tight(0.9, d_hat=1e-3, epsilon_v=1e-3))


def net(count, wire):
    """Flat rings on a lattice, neighbours joined by upright rings; the corners are held and a ball falls on it. Wire rings
    have no thickness at all."""
    def scene(fine):
        n = count if fine else 3
        ring, tube = 0.4, (0.0 if wire else 0.06)
        pitch = round(2 * (2 * ring - 2 * tube - 0.03), 6)
        if wire:
            sides = 12
            loop = [(ring * math.cos(2 * math.pi * k / sides), 0, ring * math.sin(2 * math.pi * k / sides)) for k in range(sides)]
            mesh = obj("wire_ring.obj", loop, lines=[(k, (k + 1) % sides) for k in range(sides)])
            mass = {"thickness": 0.06, "density": 7800}
        else:
            mesh = shape("torus", ring_radius=ring, tube_radius=tube, resolution=1, segments=16 if fine else 12)
            mass = {"density": 7800}
        bodies = []

        def place(i, k):
            return (round((i - (n - 1) / 2) * pitch, 6), 0, round((k - (n - 1) / 2) * pitch, 6))

        for i in range(n):
            for k in range(n):
                is_held = i in (0, n - 1) and k in (0, n - 1)
                bodies.append(obstacle(f"ring {i} {k}", mesh, place(i, k)) if is_held
                              else rigid(f"ring {i} {k}", mesh, place(i, k), **mass))
        for i in range(n):
            for k in range(n):
                x, _, z = place(i, k)
                if i + 1 < n:
                    bodies.append(rigid(f"joint x {i} {k}", mesh, (round(x + pitch / 2, 6), 0, z), rotation=[90, 0, 0], **mass))
                if k + 1 < n:
                    bodies.append(rigid(f"joint z {i} {k}", mesh, (x, 0, round(z + pitch / 2, 6)), rotation=[0, 0, 90], **mass))
        radius = 1.0 if fine else 0.8
        bodies.append(rigid("ball", sphere(radius, 4 if fine else 2), (0, radius + 0.8, 0), density=1000))
        return Scene(scene.__doc__, bodies, step=0.01, duration=2.0 if fine else 0.4,
                     contact={"d_hat": 2e-3, "friction": 0.0})
    kind = "without thickness" if wire else "of wire"
    scene.__doc__ = f"A ball falls on a net of rings {kind}, {count} by {count} (3 by 3 in the small version), held at its corners."
    return scene


# ---- separation -----------------------------------------------------------------------------------------------------

def packing(fine):
    """Eight parts settle in the bed of a printer and keep 1 mm from each other and from it: half a millimetre of radius each."""
    radius, draw = 5e-4, random.Random(3)
    bodies = []
    for body in container(0.29, 0.9):
        bodies.append({**body, "radius": radius})
    parts = [
        shape("torus", ring_radius=0.05, tube_radius=0.018, resolution=1, segments=12),
        shape("chain_link", straight=0.06, bend_radius=0.03, wire_radius=0.01, resolution=1, bend_segments=6, straight_segments=1),
        box([0.12, 0.05, 0.03], 1), shape("cylinder", radius=0.04, height=0.1, resolution=2, layers=1),
        shape("wedge", width=0.1, height=0.08, depth=0.08, resolution=1, cells_z=1), shape("rod", length=0.13, radius=0.02, resolution=1, segments=2),
        shape("cone", radius=0.05, height=0.1, resolution=2), sphere(0.045, 2),
    ]
    count = 24 if fine else 8
    for k in range(count):
        layer, place = divmod(k, 4)
        at = (round((place % 2 - 0.5) * 0.135, 6), round(0.09 + 0.13 * layer, 6), round((place // 2 - 0.5) * 0.135, 6))
        bodies.append(rigid(f"part {k}", parts[k % len(parts)], at, rotation=[draw.choice((0, 90)), round(draw.uniform(0, 20), 3), 0], radius=radius))
    return Scene(packing.__doc__, bodies, step=0.01, duration=2.0 if fine else 0.3, contact={"d_hat": 5e-4, "friction": 0.0})


# ---- flight ---------------------------------------------------------------------------------------------------------

def tunnel(fine):
    """A spinning box flies at 60 m/s down a tunnel whose walls have no thickness, and into the wall at its end."""
    length, half = 12.0, 0.16
    sheet = plane("tunnel_sheet.obj", length, 0.5)
    end = plane("tunnel_end.obj", 0.5, 0.5)
    walls = [("below", (0, -half, 0), [0, 0, 0]), ("above", (0, half, 0), [0, 0, 0]), ("left", (0, 0, -half), [90, 0, 0]),
             ("right", (0, 0, half), [90, 0, 0])]
    bodies = [obstacle(name, sheet, at, rotation=turn) for name, at, turn in walls]
    bodies += [obstacle("end", end, (length / 2 - 0.5, 0, 0), rotation=[0, 0, 90]),
               rigid("box", box([0.3, 0.15, 0.15], 1), (-length / 2 + 0.5, 0, 0), rotation=[0, 0, 0.5], velocity=[60, 2, 1],
                     angular_velocity=[200, 3, 5])]
    return Scene(tunnel.__doc__, bodies, step=0.01, duration=1.0 if fine else 0.3, contact={"d_hat": 1e-3, "friction": 0.0})


def handle(integrator):
    def scene(fine):
        outline = [(-0.1, 0), (0.1, 0), (0.1, 0.04), (0.02, 0.04), (0.02, 0.14), (-0.02, 0.14), (-0.02, 0.04), (-0.1, 0.04)]
        return Scene(scene.__doc__, [
            rigid("handle", surface("handle.obj", extrude(outline, -0.02, 0.02)), density=7800, angular_velocity=[0.05, 12, 0.05]),
        ], step=0.001, duration=10.0 if fine else 1.0, gravity=[0, 0, 0], integrator=integrator)
    scene.__doc__ = f"A T-shaped handle spun about its middle axis turns over again and again (Dzhanibekov); {integrator}."
    return scene


SCENES = {
    "arch_25": arch(25, 0.5), "arch_101": arch(101, 0.5), "arch_25_falls": arch(25, 0.2),
    "lewis": lewis(0.3), "lewis_slips": lewis(0.05),
    "turntable_0": turntable(0.0), "turntable_01": turntable(0.1), "turntable_05": turntable(0.5), "turntable_1": turntable(1.0),
    "coin": coin, "cards": card_house,
    "net_4": net(4, False), "net_8": net(8, False), "net_16": net(16, False), "wire_net_4": net(4, True), "wire_net_16": net(16, True),
    "packing": packing, "tunnel": tunnel,
    "handle_euler": handle("implicit_euler"), "handle_bdf2": handle("bdf2"), "handle_newmark": handle("newmark"),
}
