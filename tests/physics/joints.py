"""Joints, springs, motors, limits and breaking."""
import math

from closed_forms import mean_period
from law import Value, at_least, at_most
from scenes import G, box, mean, scene

SIZE, MASS = (0.2, 0.25, 0.2), 10.0
WEIGHT = MASS * G
FREE = {"enabled": False}


def _hang(lab, kind, integrator, joint, gravity=G, duration=1.0, step=0.01, **more):
    load = box("load", SIZE, kind, **more)
    joints = [{"a": "load", "at": [0, 0, 0], **joint}]
    return lab.run(scene([load], step, duration, integrator, joints=joints, gravity=[0, -gravity, 0], contact=FREE))


def joint_forces(lab, kind, integrator):
    """What carries a load at rest reports its weight; a weld reports the torque of its arm too."""
    values = []
    for joint in ({"type": "ball"}, {"type": "fixed"}, {"type": "slider", "axis": [0, 1, 0], "limits": {"min": 0}}):
        run = _hang(lab, kind, integrator, joint, duration=0.3)
        values.append(Value(joint["type"], WEIGHT, run.last("joint_forces", 0)))
    run = _hang(lab, kind, integrator, {"type": "fixed", "at": [-0.5, 0, 0]}, duration=0.3)
    return values + [Value("arm of 0.5 m: torque", 0.5 * WEIGHT, run.last("joint_torques", 0))]


def rope_and_limit(lab, kind, integrator):
    """A load on a rope; a rod that lies on its hinge's limit, 30° below the horizontal."""
    rope = {"type": "distance", "at_b": [0, 1, 0], "limits": {"max": 1.0}}
    rod = box("rod", [1, 0.1, 0.1], kind, position=[0.5, 0, 0])
    hinge = [{"type": "hinge", "a": "rod", "at": [0, 0, 0], "axis": [0, 0, 1], "limits": {"min": -30}}]
    held = lab.run(scene([rod], 0.01, 2.0, integrator, joints=hinge, contact=FREE))
    return [Value("rope", WEIGHT, _hang(lab, kind, integrator, rope, duration=0.5).last("joint_forces", 0)),
            Value("angle", -30, math.degrees(held.last("joint_coordinates", 0))),
            Value("torque of the limit", 10 * G * 0.5 * math.cos(math.radians(30)), held.last("joint_torques", 0))]


def slider_motor(lab, kind, integrator):
    """150 N hold 98.1 N; 147.15 N lift 10 kg with 4.905 m/s²; 50 N let it fall with g − 5 m/s²."""
    slider = {"type": "slider", "axis": [0, 1, 0]}
    holds = _hang(lab, kind, integrator, {**slider, "motor": {"position": 0, "max_force": 150}})
    lifts = _hang(lab, kind, integrator, {**slider, "motor": {"speed": 100, "max_force": 147.15}})
    falls = _hang(lab, kind, integrator, {**slider, "motor": {"position": 0, "max_force": 50}})
    return [Value("150 N: place", 0, holds.last("joint_coordinates", 0)),
            Value("147.15 N: speed", 4.905, lifts.last("momentum", 1) / MASS),
            Value("50 N: speed", 5 - G, falls.last("momentum", 1) / MASS)]


def hinge_motor(lab, kind, integrator):
    """0.2 N m for a second, without gravity; the angular momentum of a brick on its axle."""
    motor = {"type": "hinge", "axis": [0, 0, 1], "motor": {"speed": 1e5, "max_force": 0.2}}
    run = _hang(lab, kind, integrator, motor, gravity=0)
    driven = {"type": "hinge", "axis": [0, 0, 1], "motor": {"speed": 90}}
    turned = _hang(lab, kind, integrator, driven, gravity=0)
    return [Value("0.2 N m: angular momentum", 0.2, run.last("angular_momentum", 2)),
            Value("90°/s: angle after 1 s", 90, math.degrees(turned.last("joint_coordinates", 0)))]


def damper_carries(lab, kind, integrator):
    """A load sinks through a damper of 100 N s/m: speed m g / c, force m g; it must not break at 120 N."""
    slider = {"type": "slider", "axis": [0, 1, 0], "spring": {"damping": 100}, "break_force": 120}
    run = _hang(lab, kind, integrator, slider, duration=1.5)
    return [Value("speed", -WEIGHT / 100, run.last("momentum", 1) / MASS),
            Value("force", WEIGHT, run.last("joint_forces", 0)),
            Value("joints broken", 0, run.last("joints_broken"))]


def joints_break(lab, kind, integrator):
    """One that carries 98.1 N breaks at 97 N, not at 99 N; a weld with 49.05 N m at 48, not at 50."""
    values = []
    for joint in ("ball", "fixed", "hinge"):
        for force in (97, 99):
            run = _hang(lab, kind, integrator, {"type": joint, "break_force": force}, duration=0.2)
            values.append(Value(f"{joint}, {force} N", float(force < WEIGHT), run.last("joints_broken")))
    for torque in (48, 50):
        run = _hang(lab, kind, integrator, {"type": "fixed", "at": [-0.5, 0, 0], "break_torque": torque}, duration=0.2)
        values.append(Value(f"fixed, {torque} N m", float(torque < 0.5 * WEIGHT), run.last("joints_broken")))
    return values


def spring_period(lab, kind, integrator):
    """10 kg on a spring of 1000 N/m."""
    spring = {"type": "slider", "axis": [0, 1, 0], "spring": {"stiffness": 1000, "rest": 0.05}}
    run = _hang(lab, kind, integrator, spring, gravity=0, duration=3.0, step=0.005)
    return [Value("period", 2 * math.pi * math.sqrt(MASS / 1000), mean_period(run.series("momentum", 1)))]


def spring_decay(lab, kind, integrator):
    """The same with a damper of 20 N s/m: x = x₀ e^(−γt) (cos ωt + γ/ω sin ωt), γ = c/2m, ω² = k/m − γ²."""
    spring = {"type": "slider", "axis": [0, 1, 0], "spring": {"stiffness": 1000, "damping": 20, "rest": 0}}
    load = box("load", SIZE, kind, velocity=[0, 1, 0])
    joints = [{"a": "load", "at": [0, 0, 0], **spring}]
    step, duration = 0.002, 1.5
    run = lab.run(scene([load], step, duration, integrator, joints=joints, gravity=[0, 0, 0], contact=FREE))
    gamma = 20 / (2 * MASS)
    omega = math.sqrt(1000 / MASS - gamma**2)
    peak = max(run.series("joint_coordinates", 0), key=lambda pair: pair[1])[1]
    late = max((q for t, q in run.series("joint_coordinates", 0) if t > 1.0), default=0)
    turn = math.atan2(omega, gamma) / omega  # of the first peak
    times = [turn + 2 * math.pi / omega * i for i in range(5)]
    heights = [math.exp(-gamma * t) / omega * math.sin(omega * t) for t in times]
    return [Value("first peak", heights[0], peak),
            Value("peak after 1 s", next(x for t, x in zip(times, heights) if t > 1.0), late)]


def double_pendulum(lab, kind, integrator):
    """Two rods let go from the horizontal: energy stays, as a part of the largest kinetic energy."""
    rods = [box(name, [0.5, 0.05, 0.05], kind, position=[x, 0, 0]) for name, x in (("a", 0.25), ("b", 0.75))]
    joints = [{"type": "hinge", "a": "a", "at": [0, 0, 0], "axis": [0, 0, 1]},
              {"type": "hinge", "a": "b", "b": "a", "at": [0.5, 0, 0], "axis": [0, 0, 1], "ignore_contact": True}]
    run = lab.run(scene(rods, 0.0025, 2.0, integrator, joints=joints))
    kinetic = [k for _, k in run.series("energy", "kinetic")]
    total = [e["kinetic"] + e["gravity"] + e["elastic"] for _, e in run.series("energy")]
    change = (total[-1] - total[0]) / max(kinetic)
    if integrator == "bdf2":
        return [Value("energy gained", 0, change)]
    return [at_most("energy gained", 0.001, change), at_least("energy gained", -0.6, change)]


def motor_between_free_bodies(lab, kind, integrator):
    """A motor between two free bodies leaves momentum and angular momentum at zero."""
    bodies = [box("a", SIZE, kind), box("b", SIZE, kind, position=[0, 0.3, 0])]
    joints = [{"type": "hinge", "a": "a", "b": "b", "at": [0, 0.15, 0], "axis": [0, 1, 0], "motor": {"speed": 90}}]
    run = lab.run(scene(bodies, 0.01, 1.0, integrator, joints=joints, gravity=[0, 0, 0], contact=FREE))
    turned = math.degrees(run.last("joint_coordinates", 0))
    return [Value("angle / 90°", 1, turned / 90), at_most("momentum", 1e-6, math.hypot(*run.last("momentum"))),
            at_most("angular momentum", 1e-6, math.hypot(*run.last("angular_momentum")))]


def released_from_turning(lab, kind, integrator):
    """An arm that was turned at π/2 rad/s about a point 1 m away flies on with 1.5708 m/s."""
    arm = box("arm", [0.2, 0.1, 0.1], kind, position=[1, 0, 0],
              prescribed=[{"select": {"all": True}, "angular_velocity": [0, 0, math.pi / 2], "about": [0, 0, 0],
                           "release": 0.5}])
    run = lab.run(scene([arm], 0.01, 0.8, integrator, gravity=[0, 0, 0], contact=FREE))
    return [Value("speed", math.pi / 2, math.hypot(*mean(run.frame(-1).velocities_of(0))))]


def hanging_chain(lab, kind, integrator):
    """Five links on ball joints: each joint carries all that hangs below it."""
    links = [box(f"link{i}", [0.05, 0.2, 0.05], kind, position=[0, -0.1 - 0.2 * i, 0]) for i in range(5)]
    joints = [{"type": "ball", "a": f"link{i}", "at": [0, -0.2 * i, 0], "ignore_contact": True,
               **({"b": f"link{i - 1}"} if i else {})} for i in range(5)]
    run = lab.run(scene(links, 0.01, 0.3, integrator, joints=joints))
    weight = 1000 * 0.05 * 0.2 * 0.05 * G
    return [Value(f"joint {i + 1}", (5 - i) * weight, run.last("joint_forces", i)) for i in range(5)]


def lever(lab, kind, integrator):
    """A plank on a hinge with a weight on each arm: m₁ l₁ = m₂ l₂ stays level; 5 % more on one side tips it by
    T/mgh (cosh λt − 1), with T the torque out of balance, mgh that of the weights' height, λ² = mgh / I."""
    values, d_hat, time = [], 2e-4, 0.5
    high = 0.02 + 0.05 + 1.02 * d_hat
    for extra in (0.0, 0.05):
        bodies = [box("plank", [1.2, 0.04, 0.2], kind, cells=[6, 1, 1]),
                  box("left", [0.1] * 3, kind, position=[-0.5, high, 0], material={"density": 1000 * (1 + extra)}),
                  box("right", [0.1] * 3, kind, position=[0.25, high, 0], material={"density": 2000})]
        hinge = [{"type": "hinge", "a": "plank", "at": [0, 0, 0], "axis": [0, 0, 1]}]
        rough = {"d_hat": d_hat, "friction": 0.5}
        run = lab.run(scene(bodies, 0.005, time, integrator, joints=hinge, contact=rough))
        weights = ((1 + extra, 0.5), (2.0, 0.25))
        inertia = 9.6 * (1.2**2 + 0.04**2) / 12 + sum(m * (l * l + high**2 + 0.1**2 / 6) for m, l in weights)
        lift = sum(m for m, _ in weights) * G * high
        tips = extra * 0.5 * G / lift * (math.cosh(math.sqrt(lift / inertia) * time) - 1)
        label = f"{100 * extra:g} % more: tilt, °"
        values.append(Value(label, math.degrees(tips), math.degrees(run.last("joint_coordinates", 0))))
    return values
