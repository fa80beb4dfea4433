"""Quasi-static steps: every state is an equilibrium."""
import math

from law import Value, at_most
from scenes import DENSITY, G, box, floor, mean, scene

SIZE, MASS = (0.2, 0.25, 0.2), 10.0
FREE = {"enabled": False}


def _hold(lab, kind, integrator, place, joint):
    load = box("load", SIZE, kind, position=place)
    joints = [{"a": "load", "at": [0, 0, 0], **joint}]
    return lab.run(scene([load], 0.01, 0.1, integrator, contact=FREE, joints=joints))


def held_loads(lab, kind, integrator):
    """A load on a weld beside it, under a ball joint, on a slider's limit: weight, torque and place."""
    below, weight = [0, -0.5, 0], MASS * G
    weld = _hold(lab, kind, integrator, [0.3, -0.2, 0], {"type": "fixed"})
    hung = _hold(lab, kind, integrator, below, {"type": "ball"})
    slider = {"type": "slider", "at": below, "axis": [0, 1, 0], "limits": {"min": -0.1}}
    slid = _hold(lab, kind, integrator, below, slider)
    down = _hold(lab, kind, integrator, below, {**slider, "axis": [0, -1, 0], "limits": {"max": 0.1}})
    return [Value("weld: force / weight", 1, weld.last("joint_forces", 0) / weight),
            Value("weld: torque / 0.3 m of weight", 1, weld.last("joint_torques", 0) / (0.3 * weight)),
            Value("ball: force / weight", 1, hung.last("joint_forces", 0) / weight),
            Value("slider: force / weight", 1, slid.last("joint_forces", 0) / weight),
            Value("slider: place / limit", 1, slid.last("joint_coordinates", 0) / -0.1),
            Value("slider along gravity: place / limit", 1, down.last("joint_coordinates", 0) / 0.1)]


def load_swings_down(lab, kind, integrator):
    """A load on a ball joint beside it ends below the joint."""
    run = _hold(lab, kind, integrator, [0.3, -0.2, 0], {"type": "ball"})
    end = mean(run.frame(-1).points_of(0))
    return [Value("force / weight", 1, run.last("joint_forces", 0) / (MASS * G)),
            Value("depth / arm", 1, -end[1] / math.hypot(0.3, 0.2))]


def turned_box_lies_down(lab, kind, integrator):
    """A box turned by (10, 20, 30)° above the floor ends flat on it."""
    d_hat = 5e-4
    body = box("box", [0.2] * 3, kind, rotation=[10, 20, 30], position=[0, 0.25, 0])
    run = lab.run(scene([body, floor()], 0.01, 0.1, integrator, contact={"d_hat": d_hat}))
    heights = sorted(p[1] for p in run.frame(-1).points_of(0))
    return [at_most("lowest point, m", d_hat, heights[0]),
            Value("height of its centre / half its side", 1, (sum(heights) / len(heights)) / 0.1)]


def soft_bar_under_weight(lab, kind, integrator):
    """A hanging bar, ν = 0, is longer by ρ g L² / 2 E."""
    young = 1e7
    bar = box("bar", [0.1, 1, 0.1], kind, cells=[1, 20, 1], young=young, material={"poissons_ratio": 0.0},
              prescribed=[{"select": {"relative_box": {"min": [0, 1, 0], "max": [1, 1, 1]}}}])
    run = lab.run(scene([bar], 0.01, 0.02, integrator, contact=FREE, solver={"tolerance": 1e-6}))
    sinks = min(p[1] for p in run.frame(0).points) - min(p[1] for p in run.frame(-1).points)
    return [Value("lengthening / (ρ g L² / 2 E)", 1, sinks / (DENSITY * G / (2 * young)))]
