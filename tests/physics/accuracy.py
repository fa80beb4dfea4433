"""How errors fall with the step, and what must not matter: place, direction, size and order of bodies."""
import math

from closed_forms import observed_order
from friction import D_HAT, SIDE
from law import Value
from scenes import DENSITY, G, ball, box, floor, scene

ORDERS = {"implicit_euler": 1, "bdf2": 2, "newmark": 2}
FREE = {"enabled": False}


def order_of_spring(lab, kind, integrator):
    """10 kg on 1000 N/m after half a second: x₀ cos ωt."""
    errors = []
    for step in (0.01, 0.005, 0.0025):
        load = box("load", [0.2, 0.25, 0.2], kind)
        joints = [{"type": "slider", "a": "load", "at": [0, 0, 0], "axis": [0, 1, 0],
                   "spring": {"stiffness": 1000, "rest": 0.1}}]
        run = lab.run(scene([load], step, 0.5, integrator, joints=joints, gravity=[0, 0, 0], contact=FREE,
                            solver={"tolerance": 1e-7}))
        errors.append(run.last("joint_coordinates", 0) - 0.1 * (1 - math.cos(10 * 0.5)))
    return [Value("order", ORDERS[integrator], observed_order(errors))]


def free_fall(lab, kind, integrator):
    """A throw: ½ g t² is exact with Newmark; implicit Euler is off by ½ g t h."""
    step, time = 0.01, 1.0
    run = lab.run(scene([box("stone", [0.1] * 3, kind, velocity=[1, 5, 0])], step, time, integrator, contact=FREE))
    x, y, _ = (b - a for a, b in zip(run.frame(0).points[0], run.frame(-1).points[0]))
    late = {"implicit_euler": step, "bdf2": 0, "newmark": 0}[integrator]
    return [Value("across", time, x), Value("up", 5 * time - G * time * (time + late) / 2, y)]


def order_in_contact(lab, kind, integrator):
    """A block slides on a rough floor and is pushed by F sin ωt: x = (v₀ + F/mω) t − µ g t²/2 − F/mω² sin ωt."""
    mu, push, omega, speed, time = 0.1, 400.0, 20.0, 3.0, 0.4
    mass = DENSITY * SIDE**3
    swing = push / (mass * omega)
    expected = (speed + swing) * time - mu * G * time**2 / 2 - swing / omega * math.sin(omega * time)
    errors = []
    for step in (0.02, 0.01, 0.005):
        block = box("block", [SIDE] * 3, kind, position=[0, SIDE / 2 + 0.9 * D_HAT, 0], velocity=[speed, 0, 0],
                    forces=[{"select": {"all": True}, "force": [f"{push}*sin({omega}*t)", 0, 0]}])
        run = lab.run(scene([block, floor(40)], step, time, integrator, contact={"d_hat": D_HAT, "friction": mu},
                            solver={"tolerance": 1e-6}))
        errors.append(run.frame(-1).points[0][0] - run.frame(0).points[0][0] - expected)
    return [Value("order", ORDERS[integrator], observed_order(errors)),
            Value("way at the finest step / way", 1, 1 + errors[-1] / expected)]


# ---- what must not matter --------------------------------------------------------------------------------------------

def _world(kind, integrator, shift=(0.0, 0.0, 0.0), degrees=0.0, size=1.0):
    """A box and a ball that are thrown at the floor and each other; shifted, turned about z and scaled as a whole."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))

    def turn(x, y, z):
        return [size * (c * x - s * y), size * (s * x + c * y), size * z]

    def place(x, y, z):
        return [a + b for a, b in zip(turn(x, y, z), shift)]

    shape = {"stiffness": 3e9 * size**2} if kind == "affine" else {}
    thrown = box("box", [0.2 * size] * 3, kind, cells=2, young=1e6 * size**2, position=place(-0.2, 0.18, 0),
                 velocity=turn(2, 0, 0),
                 rotation=[0, 0, 20 + degrees], **shape)
    other = ball("ball", 0.1 * size, "rigid", resolution=1, position=place(0.15, 0.101, 0.02), velocity=turn(-1, 0, 0),
                 rotation=[0, 0, degrees])
    ground = floor()
    ground.update(position=place(0, -0.5, 0), rotation=[0, 0, degrees], scale=[size] * 3)
    return scene([thrown, other, ground], 0.01, 0.2, integrator, gravity=turn(0, -G, 0),
                 contact={"d_hat": 1e-3 * size, "friction": 0.3, "epsilon_v": 1e-3 * size, "kappa": 1e-3 * size**5},
                 solver={"tolerance": 1e-8, "balance": 1e-6})


def _end(lab, world, shift=(0.0, 0.0, 0.0), degrees=0.0, size=1.0):
    """The end of every body, moved back."""
    run = lab.run(world)
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    out = []
    for name in ("box", "ball"):
        for p in run.frame(-1).points_of(run.body(name)):
            x, y, z = ((a - b) / size for a, b in zip(p, shift))
            out.append((c * x + s * y, c * y - s * x, z))
    return out


def _difference(ends, others):
    """The largest, as a part of the box's size."""
    return max(math.dist(p, q) for p, q in zip(ends, others)) / 0.2


def invariance(lab, kind, integrator):
    """The same motion 1000 m away, turned by 37°, 1000 times larger with gravity and stiffness to match, and with
    the bodies in reverse order."""
    plain = _end(lab, _world(kind, integrator))
    away, turned, large = {"shift": (1000.0, -500.0, 300.0)}, {"degrees": 37.0}, {"size": 1000.0}
    backwards = _world(kind, integrator)
    backwards["bodies"].reverse()
    values = [Value(name, 0, _difference(plain, _end(lab, _world(kind, integrator, **change), **change)))
              for name, change in (("1000 m away", away), ("turned by 37°", turned), ("1000 times as large", large))]
    return values + [Value("bodies in reverse", 0, _difference(plain, _end(lab, backwards)))]
