"""Impacts, rest and the forces of contact."""
import math
from collections import Counter

from friction import D_HAT, SIDE
from law import STIFF, Value, at_least, at_most
from scenes import DENSITY, G, Slope, ball, box, floor, mean, obstacle, scene, volume_of

NO_GRAVITY = [0, 0, 0]


def _last_gap(run):
    """The smallest of the last 20 steps; a body that bounces is not in contact at the end of each. [m]"""
    return min((s["min_gap"] for s in run.steps[-20:] if s["min_gap"] is not None), default=math.inf)


def _velocities(run, names):
    """Along x, by the way between the last two frames; a mean over points stands for the centre."""
    before, after = run.frame(-2), run.frame(-1)
    out = []
    for name in names:
        places = [mean(frame.points_of(run.body(name)))[0] for frame in (before, after)]
        out.append((places[1] - places[0]) / (after.time - before.time))
    return out


def cradle(lab, kind, integrator):
    """Three equal elastic balls in a row: the last takes all of the first one's velocity."""
    soft = {"kind": kind, "resolution": 3, "young": 1e6}
    # The third ball waits until the second has left the first.
    row = [ball("a", 0.1, position=[-0.1005, 0, 0], velocity=[1, 0, 0], **soft),
           ball("b", 0.1, position=[0.1005, 0, 0], **soft),
           ball("c", 0.1, position=[0.32, 0, 0], **soft)]
    run = lab.run(scene(row, 0.001, 0.12, integrator, every=20, gravity=NO_GRAVITY, contact={"d_hat": 2e-4}))
    first, second, third = _velocities(run, "abc")
    return [Value("first", 0, first), Value("second", 0, second), Value("third", 1, third)]


def unequal_balls(lab, kind, integrator):
    """An elastic ball hits one of three times its mass: −v/2 and v/2."""
    balls = [ball("a", 0.1, kind, resolution=3, young=1e6, position=[-0.1005, 0, 0], velocity=[1, 0, 0]),
             ball("b", 0.1, kind, resolution=3, young=1e6, position=[0.1005, 0, 0], material={"density": 3 * DENSITY})]
    run = lab.run(scene(balls, 0.001, 0.08, integrator, every=20, gravity=NO_GRAVITY, contact={"d_hat": 2e-4}))
    light, heavy = _velocities(run, "ab")
    return [Value("light", -0.5, light), Value("heavy", 0.5, heavy)]


def fast_bodies_meet(lab, kind, integrator):
    """Two balls, a tenth of the radius off centre, that come nearer by 1.25 to 3 diameters in a step."""
    values, radius, step = [], 0.05, 0.01
    for ways in (1.25, 2.0, 3.0) if kind in STIFF else (1.25, 2.0):
        speed = ways * radius / step
        for phase in (0.0, 0.5) if kind in STIFF else (0.0,):
            apart = (3 + phase) * speed * step + radius
            bodies = [ball("a", radius, kind, resolution=2, young=1e6, position=[-apart, 0, 0], velocity=[speed, 0, 0]),
                      ball("b", radius, kind, resolution=2, young=1e6, position=[apart, 0, 0.1 * radius],
                           velocity=[-speed, 0, 0])]
            run = lab.run(scene(bodies, step, 10 * step, integrator, every=5, gravity=NO_GRAVITY))
            left = _velocities(run, "ab")[0] / speed
            energy = run.last("energy", "kinetic") / run.steps[0]["energy"]["kinetic"]
            label = f"{ways} diameters a step, phase {phase}"
            values += [at_most(f"{label}: speed kept", 0.5, left), at_most(f"{label}: energy kept", 1.0 + 1e-9, energy)]
    return values


def pebble_hits_pin(lab, kind, integrator):
    """A pebble of 1 cm falls on a pin of 4 mm across its way, by two of its diameters in a step."""
    pin = obstacle("pin", [0.004, 0.004, 0.1])
    pebble = ball("pebble", 0.005, kind, resolution=2, young=1e6, position=[0.0005, 0.03, 0.0003], velocity=[0, -2, 0])
    run = lab.run(scene([pebble, pin], 0.01, 0.03, integrator, gravity=NO_GRAVITY))
    mass = run.steps[0]["momentum"][1] / -2
    return [at_most("speed down after the pin", 1.0, -run.last("momentum", 1) / mass)]


def bat_hits_ball(lab, kind, integrator):
    """A heavy bat leaves a ball at rest at least as fast as itself, and at most twice."""
    values = []
    for speed in (3.0, 20.0) if kind in STIFF else (3.0,):
        swing = [{"select": {"all": True}, "velocity": [speed, 0, 0]}]
        bat = obstacle("bat", [0.1, 0.5, 0.5], position=[-0.3, 0, 0], prescribed=swing)
        run = lab.run(scene([ball("ball", 0.1, kind, resolution=1, young=1e6), bat], 0.01, 0.12, integrator, every=3,
                            gravity=NO_GRAVITY))
        left = run.last("momentum", 0) / (DENSITY * volume_of(run.frame(0), 0)) / speed
        values += [at_least(f"{speed:g} m/s: ball / bat", 0.999, left),
                   at_most(f"{speed:g} m/s: ball / bat", 2.0, left)]
    return values


def drop_gains_nothing(lab, kind, integrator):
    """A body that falls on the floor never has more energy than at first."""
    body = box("body", [0.2] * 3, kind, cells=2, young=1e6, position=[0, 0.4, 0], rotation=[20, 10, 30])
    run = lab.run(scene([body, floor()], 0.005, 0.8, integrator, contact={"d_hat": 5e-4}))
    total = [e["kinetic"] + e["elastic"] + e["gravity"] for _, e in run.series("energy")]
    fall = DENSITY * 0.2**3 * G * 0.3
    return [at_most("energy gained, of the fall's", 1e-3, (max(total) - total[0]) / fall),
            at_most("energy left, of the first", 0, (total[-1] - total[0]) / fall)]


def soft_ball_bounces(lab, kind, integrator):
    """Newmark keeps the energy of a frictionless bounce."""
    falling = ball("ball", 0.1, kind, resolution=2, young=1e6, position=[0, 0.11, 0], velocity=[0, -1, 0])
    run = lab.run(scene([falling, floor()], 0.001, 0.06, integrator, gravity=NO_GRAVITY, contact={"d_hat": 2e-4}))
    total = [e["kinetic"] + e["elastic"] for _, e in run.series("energy")]
    return [Value("energy after / before", 1, total[-1] / total[0]),
            at_least("speed up / down", 0.8, -run.last("momentum", 1) / run.steps[0]["momentum"][1])]


def momentum_is_kept(lab, kind, integrator):
    """Three free bodies that collide."""
    bodies = [box("a", [0.2] * 3, kind, cells=2, young=1e6, position=[-0.3, 0, 0], velocity=[3, 0, 0],
                  rotation=[10, 20, 30]),
              ball("b", 0.1, "rigid", resolution=1, position=[0, 0.05, 0]),
              ball("c", 0.1, "soft", resolution=1, young=1e6, position=[0.3, -0.05, 0.03], velocity=[-2, 0, 0])]
    run = lab.run(scene(bodies, 0.005, 0.25, integrator, gravity=NO_GRAVITY, contact={"d_hat": 5e-4, "friction": 0.2}))
    size = math.hypot(*run.steps[0]["momentum"])
    changes = [(a - b) / size for a, b in zip(run.last("momentum"), run.steps[0]["momentum"])]
    return [Value(f"momentum {axis}, of the first", 0, c) for axis, c in zip("xyz", changes)] + [
        at_least("contacts", 1, max(s["contacts"] for s in run.steps))]


def surface_areas(frame, number):
    """A third of the triangles on the surface around each point of a body."""
    faces = []
    for cell in frame.cells_of(number):
        faces += [cell] if len(cell) == 3 else [cell[:i] + cell[i + 1 :] for i in range(4) if len(cell) == 4]
    seen, areas = Counter(tuple(sorted(face)) for face in faces), Counter()
    for face in (face for face, times in seen.items() if times == 1):
        a, b, c = (frame.points[i] for i in face)
        u, v = [q - p for p, q in zip(a, b)], [q - p for p, q in zip(a, c)]
        area = math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2
        for corner in face:
            areas[corner] += area / 3
    return areas


def pressure_carries(lab, kind, integrator):
    """Σ p A of a box on the floor is its weight: over a time, ∫ Σ p A dt = m g t + m Δv."""
    resting = box("box", [SIDE] * 3, kind, cells=2, position=[0, SIDE / 2 + 1.02 * D_HAT, 0])
    run = lab.run(scene([resting, floor()], 0.01, 0.4, integrator, every=1, contact={"d_hat": D_HAT}))
    frames = list(run.frames())[20:]
    forces = []
    for frame in frames[1:]:
        forces.append(sum(area * frame.data["contact_pressure"][i] for i, area in surface_areas(frame, 0).items()))
    first, last = run.steps[19]["momentum"][1], run.last("momentum", 1)
    weight = DENSITY * SIDE**3 * G
    return [Value("mean force", weight, sum(forces) / len(forces) - (last - first) / (0.01 * len(forces)))]


def box_rests(lab, kind, integrator):
    """A box let down on the floor stays there, nearer than d_hat, and comes to rest; so does a pile of five."""
    values = []
    for count in (1, 5):
        pile = [box(f"box{i}", [SIDE] * 3, kind, position=[0, SIDE / 2 + 1.02 * D_HAT + i * (SIDE + 1.02 * D_HAT), 0])
                for i in range(count)]
        run = lab.run(scene([*pile, floor()], 0.01, 0.5, integrator, contact={"d_hat": D_HAT, "friction": 0.3}))
        first, last = run.frame(0), run.frame(-1)
        moved = max(math.dist(p, q) for p, q in zip(first.points, last.points))
        values += [at_most(f"{count}: smallest gap / d_hat", 1, _last_gap(run) / D_HAT),
                   at_most(f"{count}: farthest way, m", count * 1.1 * D_HAT, moved),
                   at_most(f"{count}: last speed, m/s", 1e-3,
                           math.hypot(*run.last("momentum")) / (count * DENSITY * SIDE**3))]
    return values


def near_start(lab, kind, integrator):
    """A box that starts at a tenth of d_hat rises by no more than d_hat above it, whatever the step."""
    values, bound = [], math.sqrt(2 * G * D_HAT)
    for step, steps in ((0.01, 20), (0.001, 50), (0.0001, 100)):
        near = box("box", [SIDE] * 3, kind, position=[0, SIDE / 2 + 0.1 * D_HAT, 0])
        run = lab.run(scene([near, floor()], step, step * steps, integrator, contact={"d_hat": D_HAT}))
        fastest = max(p for _, p in run.series("momentum", 1)) / (DENSITY * SIDE**3)
        values.append(at_most(f"h = {step}: speed up", bound, fastest))
    return values


def near_start_on_slope(lab, kind, integrator):
    """A block that starts at 0.7 d_hat on a slope slides as Coulomb says, also with short steps."""
    slope, mu, step, duration = Slope(tangent=0.5), 0.25, 0.0005, 0.2
    block = box("block", [SIDE] * 3, kind, rotation=slope.rotation, position=slope.place(0, SIDE / 2 + 0.7 * D_HAT))
    run = lab.run(scene([block, slope.obstacle()], step, duration, integrator,
                        contact={"d_hat": D_HAT, "friction": mu}))
    speed = slope.speed(run.last("momentum"), DENSITY * SIDE**3)
    return [Value("speed after 0.2 s", G * (slope.sin - mu * slope.cos) * duration, speed)]


def heavy_on_light(lab, kind, integrator):
    """A box carries one 10,000 times as heavy, and stays under it."""
    bodies = [box("light", [SIDE] * 3, kind, cells=2, position=[0, SIDE / 2 + 1.02 * D_HAT, 0],
                  material={"density": 1}),
              box("heavy", [SIDE] * 3, kind, cells=2, position=[0, 1.5 * SIDE + 2.04 * D_HAT, 0],
                  material={"density": 1e4})]
    if kind == "affine":
        bodies[0]["stiffness"] = 3e10  # its own follows its density
    run = lab.run(scene([*bodies, floor()], 0.01, 0.3, integrator, contact={"d_hat": D_HAT, "friction": 0.3}))
    moved = max(math.dist(p, q) for p, q in zip(run.frame(0).points, run.frame(-1).points))
    return [at_most("farthest way, m", 4 * D_HAT, moved), at_least("smallest gap, m", 1e-9, _last_gap(run))]


def radius_keeps_distance(lab, kind, integrator):
    """A plate, a wire and a ball with a radius of 10 mm lie that far above the floor, and less than d_hat more."""
    values, radius, d_hat = [], 0.01, 5e-4
    meshes_of = {"shell": "v 0 0 0\nv 0.2 0 0\nv 0.2 0 0.2\nv 0 0 0.2\nf 1 2 3\nf 1 3 4\n",
                 "wire": "v 0 0 0\nv 0.1 0 0\nv 0.2 0 0\nl 1 2\nl 2 3\n", "point": "v 0 0 0\n"}
    for name, mesh in meshes_of.items():
        material = {"density": DENSITY, **({"youngs_modulus": 1e7} if kind == "soft" else {})}
        body = {"name": name, "kind": kind, "mesh": "thin.obj", "thickness": 2 * radius, "radius": radius,
                "position": [0, radius + 1.02 * d_hat, 0], "material": material}
        run = lab.run(scene([body, floor()], 0.01, 0.3, integrator, contact={"d_hat": d_hat}), {"thin.obj": mesh})
        own = [p for p, owner in zip(run.frame(-1).points, run.frame(-1).body) if owner == 0]
        low = min(p[1] for p in own)
        values += [at_least(f"{name}: height / radius", 1, low / radius),
                   at_most(f"{name}: height / radius", 1 + d_hat / radius, low / radius)]
    return values
