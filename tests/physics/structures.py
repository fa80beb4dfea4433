"""Thresholds of structures that friction and shape hold up: a rope round a drum, leaning cards, an arch."""
import math

import meshes
from law import at_least, at_most
from scenes import box, floor, scene


def capstan(lab, kind, integrator):
    """A rope over half a drum holds up to the ratio e^(µπ) of its ends' forces."""
    values = []
    for mu, share in ((0.2, 0.95), (0.2, 1.05), (0.4, 0.95), (0.4, 1.05)):
        way = _pull_rope(lab, integrator, mu, share * math.exp(mu * math.pi))
        label = f"µ = {mu}, {share} e^(µπ): way"
        values.append(at_most(label, 0.003, way) if share < 1 else at_least(label, 0.02, way))
    return values


def _pull_rope(lab, integrator, mu, ratio, radius=0.5, edges=36, thickness=0.01, light=20.0):
    """How far the end that is pulled harder goes within 0.2 s."""
    d_hat = 5e-4
    reach = radius + d_hat
    arc = [(reach * math.cos(a), reach * math.sin(a), 0.0) for a in (math.pi * i / edges for i in range(edges + 1))]
    tail = [(x, -0.05 * i, 0.0) for i in range(6, 0, -1) for x in (reach,)]
    other = [(-reach, -0.05 * i, 0.0) for i in range(1, 7)]
    points = tail + arc + other
    rope = {"name": "rope", "mesh": "rope.obj", "thickness": thickness,
            "material": {"density": 1000, "youngs_modulus": 1e9},
            "forces": [{"select": {"vertices": [0]}, "force": [0, -light * ratio, 0]},
                       {"select": {"vertices": [len(points) - 1]}, "force": [0, -light, 0]}]}
    drum = {"name": "drum", "kind": "obstacle", "rotation": [90, 0, 0],
            "shape": {"type": "cylinder", "radius": radius, "height": 0.2, "resolution": 24, "layers": 1}}
    fine = {"d_hat": d_hat, "friction": mu, "epsilon_v": 1e-3}
    run = lab.run(scene([rope, drum], 0.01, 0.2, integrator, gravity=[0, 0, 0], contact=fine),
                  {"rope.obj": meshes.wire(points)})
    return run.frame(0).points[0][1] - run.frame(-1).points[0][1]


def leaning_cards(lab, kind, integrator):
    """Two cards lean against each other at 60°: they need µ = (cot 60° − t/L)/2 at the floor."""
    values, threshold = [], 0.5 * (1 / math.tan(math.radians(60)) - 0.02)
    for share in (0.9, 1.1):
        sinks = _lean(lab, kind, integrator, share * threshold)
        label = f"µ = {share} of it: top sinks"
        values.append(at_most(label, 0.005, sinks) if share > 1 else at_least(label, 0.05, sinks))
    return values


def _lean(lab, kind, integrator, mu, length=1.0, thickness=0.02, d_hat=5e-4):
    angle, gap = math.radians(60), 0.9 * d_hat
    across = math.cos(angle) * length / 2 + math.sin(angle) * thickness / 2 + gap / 2
    height = math.sin(angle) * length / 2 + math.cos(angle) * thickness / 2 + gap
    cards = [box(name, [length, thickness, 0.5], kind, cells=[2, 1, 2], position=[side * across, height, 0],
                 rotation=[0, 0, -side * 60]) for name, side in (("left", -1), ("right", 1))]
    pairs = [{"a": "left", "b": "right", "friction": 1}]
    fine = {"d_hat": d_hat, "friction": mu, "epsilon_v": 1e-4, "pairs": pairs}
    run = lab.run(scene([*cards, floor()], 0.01, 0.8, integrator, contact=fine))
    return max(p[1] for p in run.frame(0).points_of(0)) - max(p[1] for p in run.frame(-1).points_of(0))


def semicircular_arch(lab, kind, integrator):
    """Couplet, Milankovitch: an arch of even thickness t and mean radius R stands if t/R is above 0.1075."""
    values = []
    for ratio in (0.095, 0.12):
        sinks = _sink_of_arch(lab, kind, integrator, ratio)
        label = f"t/R = {ratio}: crown sinks, of R"
        values.append(at_most(label, 0.002, sinks) if ratio > 0.1075 else at_least(label, 0.02, sinks))
    return values


def _sink_of_arch(lab, kind, integrator, ratio, radius=10.0, count=16):
    d_hat, files, bodies = 1e-3, {}, [floor(60)]
    for number in range(count):
        name = f"stone{number}"
        files[f"{name}.obj"] = meshes.arch_stone(radius, ratio * radius, number, count, 1.0, 0.8 * d_hat)
        bodies.append({"name": name, "kind": kind, "mesh": f"{name}.obj", "position": [0, 0.4 * d_hat, 0],
                       "material": {"density": 2000}})
    fine = {"d_hat": d_hat, "friction": 1.0, "epsilon_v": 1e-4}
    run = lab.run(scene(bodies, 0.02, 1.6, integrator, contact=fine), files)
    return (max(p[1] for p in run.frame(0).points) - max(p[1] for p in run.frame(-1).points)) / radius
