"""Scenes that live by friction: slope, arch, card house, rollers, stick-slip."""
import math

from scene_parts import (EVERYTHING, Scene, box, catenary_arch, floor, material, obstacle, part, poses, shape, soft, sphere,
                         turn)


def tight(mu, iterations=-1, **rest):
    """Contact that holds still: little creep, friction solved until it agrees. Newton's tolerance must then be finer
    than the creep, or it takes sticking for the answer."""
    return {"friction": mu, "friction_iterations": iterations, **rest}


# ---- slope ----------------------------------------------------------------------------------------------------------

SLOPE_DEGREES = math.degrees(math.atan(0.5))


def slope(mu):
    def scene(fine):
        gap = 5e-4
        up = 0.05 + 0.125 + gap  # from the middle of the slope to the middle of the block, across it
        along = -math.radians(SLOPE_DEGREES)
        return Scene(scene.__doc__, [
            obstacle("slope", box([3, 0.1, 1], 1), (0, 0, 0), rotation=[0, 0, -SLOPE_DEGREES]),
            soft("block", box(0.25, 4 if fine else 2),
                 (round(-up * math.sin(along), 12), round(up * math.cos(along), 12), 0),
                 rotation=[0, 0, -SLOPE_DEGREES], material=material(1e8)),
        ], step=0.025, duration=2.5 if fine else 0.5, solver={"tolerance": 1e-6},
            contact=tight(mu, d_hat=1e-3, epsilon_v=1e-5))
    scene.__doc__ = f"A stiff block on a slope of tangent 0.5 with a friction of {mu}."
    return scene


# ---- arch -----------------------------------------------------------------------------------------------------------

def arch(mu):
    def scene(fine):
        stones = 25 if fine else 7
        gap = 5e-4
        body = catenary_arch(f"arch_{stones}.msh", stones, 20.0, 17.4, 2.0, 2.0, gap)
        return Scene(scene.__doc__, [
            floor(round(-gap / 2, 9), 60.0),
            soft("stones", body, material=material(2e10, 2300, 0.2)),
        ], step=0.01 if fine else 0.02, duration=2.0 if fine else 0.6, solver={"tolerance": 1e-6},
            contact=tight(mu, d_hat=1e-3, epsilon_v=4e-4))
    scene.__doc__ = f"A masonry arch of cement, 20 m high, with a friction of {mu}."
    return scene


# ---- card house -----------------------------------------------------------------------------------------------------

def frame(name, apex_x, base_y, cells, mu_gap):
    """Two cards that lean against each other at 75°."""
    length, thickness, angle = 0.5, 0.004, math.radians(75)
    c, s = math.cos(angle), math.sin(angle)
    reach_x, reach_y = length / 2 * c + thickness / 2 * s, length / 2 * s + thickness / 2 * c
    bodies = []
    for side in (-1, 1):
        bodies.append(soft(f"{name} {'left' if side < 0 else 'right'}",
                           box([length, thickness, length], [cells, 1, cells]),
                           (round(apex_x + side * (reach_x + mu_gap / 2), 9), round(base_y + reach_y + mu_gap, 9), 0),
                           rotation=[0, 0, -75 * side], material=material(1e8)))
    return bodies, base_y + 2 * reach_y + mu_gap


def card_house(mu, hit=False):
    def scene(fine):
        cells, gap = (20 if fine else 2 if hit else 4), 4e-4
        spacing = 0.5 * math.cos(math.radians(75)) + 0.006
        bodies = [floor(0, 3.0)]
        storeys = 2 if fine or hit else 1
        top = 0
        for k, x in enumerate((-spacing, spacing) if storeys == 2 else (0,)):
            cards, top = frame(f"lower {k}", round(x, 9), 0, cells, gap)
            bodies += cards
        if storeys == 2:
            bodies.append(soft("lid", box([0.55, 0.004, 0.55], [cells, 1, cells]), (0, round(top + 0.002 + gap, 9), 0),
                               material=material(1e8)))
            cards, top = frame("upper", 0, round(top + 0.004 + gap, 9), cells, gap)
            bodies += cards
        if hit:
            for k, x in enumerate((-0.03, 0.03)):
                bodies.append(soft(f"block {k}", box(0.05, 2), (x, round(top + 0.06 + 0.1 * k, 9), 0.05 - 0.1 * k),
                                   velocity=[0, -8, 0], rotation=[10, 20, 30 * k], material=material(1e8, 2000)))
        return Scene(scene.__doc__, bodies, step=0.025 if fine or hit else 0.02,
                     duration=(2.0 if fine else 0.2 if hit else 0.5), solver={"tolerance": 1e-2 if hit else 1e-5},
                     contact={"friction": mu} if hit else tight(mu, d_hat=1e-3, epsilon_v=1e-4))
    scene.__doc__ = (f"A card house of stiff boards with a friction of {mu}"
                     + (", hit by two fast blocks from above." if hit else "."))
    return scene


# ---- rollers, stick-slip --------------------------------------------------------------------------------------------

def rollers(fine):
    """Two turning rollers draw a soft ball through their gap by friction."""
    n = 8 if fine else 2
    bodies = []
    for side in (-1, 1):
        bodies.append(obstacle(f"roller {'left' if side < 0 else 'right'}",
                               shape("cylinder", radius=0.2, height=0.8, resolution=4 if fine else 2, layers=4),
                               (0.27 * side, 0, 0), rotation=[90, 0, 0],
                               prescribed=[turn(EVERYTHING, (0, 0, 4 * side), [0.27 * side, 0, 0])]))
    bodies.append(soft("ball", sphere(0.2, n), (0, 0.3, 0), material=material(1e4, 500)))
    return Scene(rollers.__doc__, bodies, step=0.01 if fine else 0.02, duration=2.0 if fine else 0.4,
                 contact={"friction": 0.5})


def stick_slip(fine):
    """A thin rod is pushed down a little and dragged along the ground: it sticks, bends, slips and sticks again."""
    n = 40 if fine else 16
    rod = box([0.01, 0.2, 0.01], [2 if fine else 1, n, 2 if fine else 1])
    return Scene(stick_slip.__doc__, [
        floor(0, 1.0),
        soft("rod", rod, (-0.2, 0.1004, 0), rotation=[0, 0, -0.5], material=material(1e5), prescribed=[
            poses(part((0, 1, 0), (1, 1, 1)), (0, [0, 0, 0]), (0.1, [0.005, -0.004, 0]), (1.1, [0.205, -0.004, 0]))]),
    ], step=0.002 if fine else 0.01, duration=1.1 if fine else 0.6, solver={"tolerance": 1e-4},
        contact={"friction": 0.35, "epsilon_v": 1e-4, "friction_iterations": 2})


SCENES = {
    "slope_sticks": slope(0.5), "slope_slides": slope(0.49),
    "arch_stands": arch(0.5), "arch_falls": arch(0.2),
    "card_house_stands": card_house(0.2), "card_house_falls": card_house(0.1), "card_house_hit": card_house(1.0, True),
    "rollers": rollers, "stick_slip": stick_slip,
}
