"""Prescribed motions and loads that must not push."""
import math

from law import Value
from scenes import ball, box, scene

FREE = {"enabled": False}


def prescribed_motion(lab, kind, integrator):
    """Keyframes, constant turning and formulas: a corner ends where the motion says."""
    motions = {
        "keyframes": ({"keyframes": [{"time": 0}, {"time": 0.5, "translation": [0.3, 0.1, 0], "rotation": [0, 0, 90]}]},
                      lambda x, y, z: (0.3 - y, 0.1 + x, z)),
        "angular_velocity": ({"angular_velocity": [0, 0, math.pi], "about": [0, 0, 0]}, lambda x, y, z: (-y, x, z)),
        "formulas": ({"translation": ["0.4*t^2", "0", "0.1*sin(pi*t)"], "angle": "180*t", "axis": [0, 1, 0],
                      "about": [0, 0, 0]},
                     lambda x, y, z: (0.1 + z, y, 0.1 - x)),
    }
    values = []
    for name, (motion, where) in motions.items():
        body = box("body", [0.2] * 3, kind, prescribed=[{"select": {"all": True}, **motion}])
        run = lab.run(scene([body], 0.01, 0.5, integrator, gravity=[0, 0, 0], contact=FREE))
        off = max(math.dist(where(*p), q) for p, q in zip(run.frame(0).points, run.frame(-1).points))
        values.append(Value(f"{name}: farthest off, m", 0, off))
    return values


def pressure_has_no_net_force(lab, kind, integrator):
    """Pressure inside a closed body moves it nowhere and does not turn it."""
    body = ball("body", 0.1, kind, resolution=2, young=1e6, pressure=2e4, rotation=[10, 20, 30],
                position=[0.3, 0.2, 0.1])
    run = lab.run(scene([body], 0.01, 0.3, integrator, gravity=[0, 0, 0], contact=FREE))
    impulse = 2e4 * math.pi * 0.1**2 * 0.3  # of the pressure on one side alone
    return [Value("momentum / impulse on one side", 0, math.hypot(*run.last("momentum")) / impulse),
            Value("angular momentum / the same × radius", 0,
                  math.hypot(*run.last("angular_momentum")) / (0.1 * impulse))]
