"""Bodies that turn: free, on a pivot, under torques."""
import math

from closed_forms import box_inertia, crossings, free_spin, mean_period
from law import Value
from scenes import DENSITY, G, box, mean, scene

BRICK = (0.4, 0.2, 0.1)  # its middle axis is y


def _edge_along_y(points):
    """Two corners of the brick that lie above each other."""
    rounded = [tuple(round(x, 6) for x in p) for p in points]
    low = rounded.index(min(rounded))
    return low, rounded.index((rounded[low][0], -rounded[low][1], rounded[low][2]))


def middle_axis_flips(lab, kind, integrator):
    """A brick that spins about its middle axis turns over, again and again (Dzhanibekov, Poinsot)."""
    spin, step = (0.05, 10.0, 0.0), 0.01
    brick = box("brick", BRICK, kind, angular_velocity=list(spin))
    run = lab.run(scene([brick], step, 5.0, integrator, every=2, gravity=[0, 0, 0], contact={"enabled": False}))
    low, high = _edge_along_y(run.frame(0).points)
    upright = [(f.time, f.points[high][1] - f.points[low][1]) for f in run.frames()]
    times = [0.001 * i for i in range(1, 5001)]
    expected = crossings(list(zip(times, (w[1] for w in free_spin(box_inertia(1, BRICK), spin, times, 2)))))
    measured = crossings(upright)
    values = [Value(f"flip {i + 1}", t, measured[i] if i < len(measured) else math.inf) for i, t in enumerate(expected)]
    return values + [Value("number of flips", len(expected), len(measured))]


def spin_is_kept(lab, kind, integrator):
    """Angular momentum and energy of a brick that tumbles freely for 2 s."""
    brick = box("brick", BRICK, kind, angular_velocity=[4, 8, 6])
    run = lab.run(scene([brick], 0.01, 2.0, integrator, gravity=[0, 0, 0], contact={"enabled": False}))
    inertia = box_inertia(DENSITY * math.prod(BRICK), BRICK)
    start = [i * w for i, w in zip(inertia, (4, 8, 6))]
    end = run.last("angular_momentum")
    size = math.hypot(*start)
    values = [Value(f"L{axis} / L", a / size, b / size) for axis, a, b in zip("xyz", start, end)]
    energy = sum(i * w * w for i, w in zip(inertia, (4, 8, 6))) / 2
    return values + [Value("energy, of the first", 1, run.last("energy", "kinetic") / energy)]


def moment_of_inertia(lab, kind, integrator):
    """L = I ω of a brick about each axis, right after the start."""
    values = []
    for axis in range(3):
        spin = [0, 0, 0]
        spin[axis] = 1
        brick = box("brick", BRICK, kind, cells=[4, 2, 2], angular_velocity=spin)
        brick.update({"soft": {"mass": "consistent"}, "medial": {"handles": 2, "cells": 12}}.get(kind, {}))
        run = lab.run(scene([brick], 1e-4, 1e-4, integrator, gravity=[0, 0, 0], contact={"enabled": False}))
        expected = box_inertia(DENSITY * math.prod(BRICK), BRICK)[axis]
        values.append(Value(f"about {'xyz'[axis]}", expected, run.last("angular_momentum", axis)))
    return values


def loads_accelerate(lab, kind, integrator):
    """p = F t, L = T t, v = a t."""
    everywhere, mass = {"all": True}, DENSITY * math.prod(BRICK)
    forces = [{"select": everywhere, "force": [6, 0, 0]}, {"select": everywhere, "torque": [0, 0, 0.2]},
              {"select": everywhere, "acceleration": [0, 0, 2]}]
    run = lab.run(scene([box("brick", BRICK, kind, forces=forces)], 0.01, 1.0, integrator, gravity=[0, 0, 0],
                        contact={"enabled": False}))
    p, spin = run.last("momentum"), run.last("angular_momentum")
    # L is about the origin; the centre's own share p × x is taken off.
    x = mean(run.frame(-1).points_of(0))
    own = spin[2] - (x[0] * p[1] - x[1] * p[0])
    return [Value("momentum of 6 N", 6, p[0]), Value("spin of 0.2 N m", 0.2, own),
            Value("speed of 2 m/s²", 2, p[2] / mass)]


def pendulum_period(lab, kind, integrator):
    """A rod of 1 m that swings by 5°."""
    values, length, width, angle = [], 1.0, 0.05, math.radians(5)
    inertia = (length**2 + width**2) / 12 + length**2 / 4
    expected = 2 * math.pi * math.sqrt(inertia / (G * length / 2)) * (1 + angle**2 / 16)
    for joint in ({"type": "hinge", "axis": [0, 0, 1]}, {"type": "ball"}):
        rod = box("rod", [width, length, width], kind, rotation=[0, 0, 5],
                  position=[length / 2 * math.sin(angle), -length / 2 * math.cos(angle), 0])
        joints = [{"a": "rod", "at": [0, 0, 0], **joint}]
        run = lab.run(scene([rod], 0.005, 4.0, integrator, joints=joints, contact={"enabled": False}))
        values.append(Value(joint["type"], expected, mean_period(run.series("momentum", 0))))
    return values


def top_precesses(lab, kind, integrator):
    """A wheel on a horizontal axle held at one end goes round with Ω = m g r / (I ω)."""
    size, arm, spin = (0.04, 0.2, 0.2), 0.1, 150.0
    inertia = box_inertia(1, size)[0]
    round_rate = G * arm / (inertia * spin)
    wheel = box("wheel", size, kind, position=[arm, 0, 0], angular_velocity=[spin, round_rate, 0],
                velocity=[0, 0, -round_rate * arm])
    joints = [{"type": "ball", "a": "wheel", "at": [0, 0, 0]}]
    run = lab.run(scene([wheel], 0.001, 0.4, integrator, every=100, joints=joints, contact={"enabled": False}))
    angles = [(f.time, math.atan2(-c[2], c[0])) for f, c in ((f, mean(f.points_of(0))) for f in run.frames())]
    return [Value("round rate", round_rate, (angles[-1][1] - angles[0][1]) / angles[-1][0])]
