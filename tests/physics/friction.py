"""Sliding, sticking, rolling and tipping: Coulomb's law and what follows from it."""
import math

import meshes
from law import Value, at_least, at_most
from scenes import DENSITY, G, Slope, box, floor, late_rate, mean, scene

SIDE, D_HAT = 0.2, 2e-4  # of the block on slopes [m]


def contact(mu, **more):
    return {"d_hat": D_HAT, "friction": mu, **more}


def _slide(lab, kind, integrator, mu, slope, duration=0.5, step=0.01, **more):
    """[(time, speed)] of a block that starts at rest just above the slope. The speed is v_down + µ v_up: sliding
    accelerates that by g (sin α − µ cos α) also while the block bounces: friction's impulse is µ times the bounce's."""
    block = box("block", [SIDE] * 3, kind, cells=2, rotation=slope.rotation,
                position=slope.place(0, SIDE / 2 + 1.02 * D_HAT))
    run = lab.run(scene([block, slope.obstacle()], step, duration, integrator, contact=contact(mu, **more)))
    mass = DENSITY * SIDE**3
    along = [d + mu * n for d, n in zip(slope.down, slope.normal)]
    return [(t, sum(a * b for a, b in zip(p, along)) / mass) for t, p in run.series("momentum")]


def block_slides(lab, kind, integrator):
    slope, values = Slope(tangent=0.5), []
    for mu in (0.0, 0.25, 0.45):
        measured = late_rate(_slide(lab, kind, integrator, mu, slope))
        values.append(Value(f"µ = {mu}", G * (slope.sin - mu * slope.cos), measured))
    return values


def block_holds_or_slides(lab, kind, integrator):
    """2 % above and below the threshold, µ = tan α."""
    slope, fine = Slope(tangent=0.5), {"epsilon_v": 1e-4}
    holds = _slide(lab, kind, integrator, 0.51, slope, **fine)
    slides = _slide(lab, kind, integrator, 0.49, slope, **fine)
    expected = G * (slope.sin - 0.49 * slope.cos)
    return [at_most("µ = 0.51: last speed", 2e-4, abs(holds[-1][1])),
            Value("µ = 0.49: acceleration", expected, late_rate(slides))]


def block_slides_newmark(lab, kind, integrator):
    """Newmark never damps the small bounce of the start; a tenth above the threshold the block holds."""
    slope = Slope(tangent=0.5)
    slides, holds = (_slide(lab, kind, integrator, mu, slope, duration=1.0) for mu in (0.25, 0.55))
    return [Value("µ = 0.25", G * (slope.sin - 0.25 * slope.cos), late_rate(slides)),
            at_most("µ = 0.55: last speed", 0.01, abs(holds[-1][1]))]


def block_stops(lab, kind, integrator):
    mu, speed = 0.3, 1.0
    block = box("block", [SIDE, SIDE / 2, SIDE], kind, cells=2, position=[0, SIDE / 4 + 1.02 * D_HAT, 0],
                velocity=[speed, 0, 0])
    run = lab.run(scene([block, floor()], 0.005, 0.5, integrator, contact=contact(mu)))
    way = mean(run.frame(-1).points_of(0))[0] - mean(run.frame(0).points_of(0))[0]
    return [Value("way", speed**2 / (2 * mu * G), way)]


RADIUS = 0.1  # of balls and cylinders [m]
BALL_MASS, CYLINDER_MASS = DENSITY * 4 / 3 * math.pi * RADIUS**3, DENSITY * math.pi * RADIUS**2 * 0.2
ROUND = {"ball.obj": "v 0 0 0\n", "cylinder.obj": "v 0 0 -0.1\nv 0 0 0.1\nl 1 2\n"}


def _round_body(shape, kind, **pose):
    """A point or an edge with a radius: a ball or a cylinder with round ends, without facets."""
    return {"name": shape, "kind": kind, "mesh": f"{shape}.obj", "thickness": 2 * RADIUS, "radius": RADIUS,
            "material": {"density": DENSITY}, **pose}


def _roll(lab, kind, integrator, shape, mu, slope):
    bodies = [_round_body(shape, kind, position=slope.place(0, RADIUS + 1.02 * D_HAT)), slope.obstacle()]
    run = lab.run(scene(bodies, 0.01, 0.8, integrator, contact=contact(mu)), ROUND)
    mass = BALL_MASS if shape == "ball" else CYLINDER_MASS
    return late_rate([(t, slope.speed(p, mass)) for t, p in run.series("momentum")])


def round_bodies_roll(lab, kind, integrator):
    slope = Slope(degrees=10)
    cases = (("ball", 0.3), ("cylinder", 0.3), ("ball", 0.02))
    rolls = [_roll(lab, kind, integrator, shape, mu, slope) for shape, mu in cases]
    return [Value("ball rolls: 5/7 g sin α", 5 / 7 * G * slope.sin, rolls[0]),
            Value("cylinder rolls: 2/3 g sin α", 2 / 3 * G * slope.sin, rolls[1]),
            Value("ball slips, µ = 0.02 < 2/7 tan α", G * (slope.sin - 0.02 * slope.cos), rolls[2])]


def bowling_ball(lab, kind, integrator):
    """A ball thrown without spin ends rolling with 5/7 of its speed, whatever µ."""
    values, speed = [], 1.4
    for mu in (0.1, 0.3):
        thrown = _round_body("ball", kind, position=[0, RADIUS + 1.02 * D_HAT, 0], velocity=[speed, 0, 0])
        run = lab.run(scene([thrown, floor(40)], 0.005, 0.8, integrator, contact=contact(mu)), ROUND)
        values.append(Value(f"µ = {mu}: speed at the end", 5 / 7 * speed, run.last("momentum", 0) / BALL_MASS))
    return values


def conveyor_carries(lab, kind, integrator):
    mu, speed = 0.3, 1.0
    block = box("block", [SIDE] * 3, kind, cells=2, position=[0, SIDE / 2 + 1.02 * D_HAT, 0])
    belt = floor(20, prescribed=[{"select": {"all": True}, "velocity": [speed, 0, 0]}])
    run = lab.run(scene([block, belt], 0.01, 0.6, integrator, contact=contact(mu)))
    speeds = [(t, p[0] / (DENSITY * SIDE**3)) for t, p in run.series("momentum")]
    early = [pair for pair in speeds if 0.05 < pair[0] < 0.28]
    return [Value("acceleration: µ g", mu * G, late_rate(early, 0)), Value("speed at the end", speed, speeds[-1][1])]


def plate_under_block(lab, kind, integrator):
    """A plate of 20 kg on the floor (µ 0.1), a block of 8 kg on it (µ 0.4); the plate is pulled."""
    values, plate_mass, block_mass = [], 20.0, 8.0
    resists = 0.1 * (plate_mass + block_mass) * G
    for force in (20.0, 100.0, 180.0):
        together = max(0.0, (force - resists) / (plate_mass + block_mass))
        block_rate = min(together, 0.4 * G)
        plate_rate = together if together <= 0.4 * G else (force - resists - 0.4 * block_mass * G) / plate_mass
        plate = box("plate", [1, 0.05, 0.4], kind, position=[0, 0.025 + 1.02 * D_HAT, 0],
                    forces=[{"select": {"all": True}, "force": [force, 0, 0]}])
        block = box("block", [SIDE] * 3, kind, position=[0, 0.05 + SIDE / 2 + 2.1 * D_HAT, 0])
        pairs = [{"a": "plate", "b": "floor", "friction": 0.1}, {"a": "plate", "b": "block", "friction": 0.4}]
        run = lab.run(scene([plate, block, floor()], 0.01, 0.3, integrator, every=10, contact=contact(0, pairs=pairs)))
        for number, name, expected in ((0, "plate", plate_rate), (1, "block", block_rate)):
            speeds = [mean(run.frame(i).velocities_of(number))[0] for i in (1, -1)]
            values.append(Value(f"{force:g} N, {name}", expected, (speeds[1] - speeds[0]) / 0.2))
    return values


def box_tips(lab, kind, integrator):
    """Twice as high as wide: tips above atan(1/2) = 26.57°."""
    values = []
    for degrees in (25.5, 27.6):
        slope = Slope(degrees=degrees)
        tower = box("tower", [0.1, 0.2, 0.1], kind, cells=[1, 2, 1], rotation=slope.rotation,
                    position=slope.place(0, 0.1 + 1.02 * D_HAT))
        run = lab.run(scene([tower, slope.obstacle()], 0.01, 0.7, integrator, contact=contact(1.0)))
        tilt = math.degrees(_tilt(run.frame(0).points_of(0), run.frame(-1).points_of(0)))
        values.append(at_most(f"{degrees}°: tilt", 1, tilt)
                      if degrees < 26 else at_least(f"{degrees}°: tilt", 10, tilt))
    return values


def _tilt(before, after):
    """The angle between the lines from the lowest to the highest point, before and after. [rad]"""
    low = min(range(len(before)), key=lambda i: before[i][1])
    high = max(range(len(before)), key=lambda i: before[i][1])
    lines = [[q - p for p, q in zip(points[low], points[high])] for points in (before, after)]
    dot = sum(a * b for a, b in zip(*lines))
    return math.acos(max(-1, min(1, dot / math.hypot(*lines[0]) / math.hypot(*lines[1]))))


def friction_rules(lab, kind, integrator):
    """The pair's µ comes first; else the geometric mean; else the one that has; else contact.friction."""
    cases = {"a pair": (0.2, 0.6, 0.4, 0.4), "both bodies": (0.16, 0.36, None, 0.24),
             "one body": (0.15, None, None, 0.15),
             "neither": (None, None, None, 0.5)}
    values = []
    for name, (of_block, of_floor, of_pair, mu) in cases.items():
        block = box("block", [SIDE, SIDE / 2, SIDE], kind, position=[0, SIDE / 4 + 1.02 * D_HAT, 0], velocity=[3, 0, 0])
        ground = floor()
        for part, value in ((block, of_block), (ground, of_floor)):
            if value is not None:
                part["friction"] = value
        pairs = [{"a": "block", "b": "floor", "friction": of_pair}] if of_pair else []
        run = lab.run(scene([block, ground], 0.01, 0.4, integrator, contact=contact(0.5, pairs=pairs)))
        speeds = [(t, p[0] / (DENSITY * SIDE**3 / 2)) for t, p in run.series("momentum")]
        values.append(Value(name, -mu * G, late_rate(speeds)))
    return values


def wedge_and_block(lab, kind, integrator):
    """A block slides down a wedge that slides on the floor, both without friction."""
    height, run_length, depth = 0.5, 1.0, 0.4
    angle = math.atan(height / run_length)
    s, c = math.sin(angle), math.cos(angle)
    wedge_mass, block_mass = DENSITY * height * run_length * depth / 2, DENSITY * SIDE**3
    wedge = {"name": "wedge", "kind": kind, "mesh": "wedge.obj", "position": [0, 1.02 * D_HAT, 0],
             "material": {"density": DENSITY}}
    along, above = 0.35, SIDE / 2 + 1.02 * D_HAT
    place = [along * c + above * s, height + 1.02 * D_HAT - along * s + above * c, 0]
    block = box("block", [SIDE] * 3, kind, rotation=[0, 0, -math.degrees(angle)], position=place)
    files = {"wedge.obj": meshes.prism([(0.0, 0.0), (run_length, 0.0), (0.0, height)], depth)}
    run = lab.run(scene([wedge, block, floor()], 0.01, 0.3, integrator, every=10, contact=contact(0)), files)
    back = block_mass * G * s * c / (wedge_mass + block_mass * s * s)
    relative = (wedge_mass + block_mass) * G * s / (wedge_mass + block_mass * s * s)
    rates = []
    for number in (0, 1):
        speeds = [mean(run.frame(i).velocities_of(number))[0] for i in (1, -1)]
        rates.append((speeds[1] - speeds[0]) / 0.2)
    return [Value("wedge", -back, rates[0]), Value("block", relative * c - back, rates[1])]


def friction_opposes_motion(lab, kind, integrator):
    """A block thrown askew over a floor slows along its way, as much in every direction."""
    mu, speed, time = 0.3, 2.0, 0.3
    values = []
    for degrees in (0, 30, 75):
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        block = box("block", [SIDE, SIDE / 2, SIDE], kind, position=[0, SIDE / 4 + 1.02 * D_HAT, 0],
                    velocity=[speed * c, 0, speed * s])
        run = lab.run(scene([block, floor()], 0.005, time, integrator, contact=contact(mu)))
        mass = DENSITY * SIDE**3 / 2
        x, _, z = (p / mass for p in run.last("momentum"))
        values += [Value(f"{degrees}°: speed along", speed - mu * G * time, c * x + s * z),
                   Value(f"{degrees}°: speed across", 0, c * z - s * x)]
    return values
