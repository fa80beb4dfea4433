"""The scenes of Medial Elastics (Lan et al. 2020) with solids of our own: every function takes `fine` (False: here)."""
import math
import random
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "medial"))
from catalogue import solids  # noqa: E402
from scene_parts import Scene, floor, hold, material, move, obstacle, part, shape, wall  # noqa: E402

SOFT = material(2e5, 1000, 0.4)
STEP = round(1 / 30, 6)


def detected(**more):
    return {"stepper": "projective", "projective": {"contact": "detected", "iterations": 8, **more}}


def medial(name, mesh, handles, at=(0, 0, 0), cells=None, **rest):
    body = {"name": name, "kind": "medial", **mesh, "handles": handles, "weight_threshold": 0.01, "position": list(at)}
    if cells:
        body["cells"] = cells
    body["material"] = rest.pop("material", SOFT)
    body.update(rest)
    return body


def known(name, make, fine_cell, fine):
    """The mesh of examples/medial, or a fine one."""
    return make(fine_cell) if fine else {"mesh": f"../medial/meshes/{name}.obj"}


def standing(height=0.05):
    """Held at its foot."""
    return [hold(part((0, 0, 0), (1, height, 1)))]


def dinosaur(cell):
    """Body, neck, head, tail and four legs."""
    limbs = [((-0.3, 0.55, 0), (0.3, 0.6, 0), 0.22, 0.2), ((0.35, 0.62, 0), (0.75, 1.05, 0), 0.13, 0.09),
             ((0.75, 1.07, 0), (0.98, 1.03, 0), 0.11, 0.08), ((-0.35, 0.55, 0), (-0.8, 0.4, 0), 0.15, 0.1),
             ((-0.8, 0.4, 0), (-1.25, 0.42, 0.1), 0.1, 0.06)]
    for x in (-0.28, 0.28):
        for z in (-0.14, 0.14):
            limbs.append(((x, 0.45, z), (x, 0.1, 1.2 * z), 0.1, 0.08))
    return solids.solid("dinosaur.obj", limbs, cell)


def puffed(cell):
    """A man of cushions: fat limbs, rings around body and arms."""
    limbs = [((0, 1.22, 0), (0, 1.22, 0), 0.2, 0.2), ((0, 0.62, 0), (0, 0.62, 0), 0.34, 0.34), ((0, 0.9, 0), (0, 0.9, 0), 0.27, 0.27)]
    for side in (-1, 1):
        limbs += [((0.22 * side, 0.92, 0), (0.62 * side, 0.8, 0.05), 0.14, 0.12), ((0.62 * side, 0.8, 0.05), (0.7 * side, 0.8, 0.08), 0.13, 0.13),
                  ((0.16 * side, 0.45, 0), (0.2 * side, 0.16, 0), 0.19, 0.16), ((0.2 * side, 0.12, 0), (0.2 * side, 0.12, 0.1), 0.13, 0.11)]
    return solids.solid("puffed.obj", limbs, cell)


def tree(handles_wanted, cell):
    """A trunk that forks again and again. Limbs, as capsules, and one place a handle, along all of them."""
    draw = random.Random(5)
    limbs, at = [], []

    def grow(a, direction, length, radius, left):
        b = tuple(a[i] + length * direction[i] for i in range(3))
        limbs.append((a, b, radius, 0.8 * radius))
        at.append(b)
        if left == 0:
            return
        turn = draw.uniform(0, math.tau)
        for k in range(2 + (left % 2 == 0)):
            angle = turn + k * math.tau / (2 + (left % 2 == 0))
            side = (math.cos(angle), 0.25, math.sin(angle))
            bent = [direction[i] + 0.8 * side[i] for i in range(3)]
            size = math.hypot(*bent)
            grow(b, tuple(c / size for c in bent), 0.78 * length, max(0.72 * radius, 0.9 * cell), left - 1)

    levels = 4 if handles_wanted < 500 else 7
    grow((0, 0, 0), (0, 1, 0), 0.45, 0.09, levels)
    return solids.solid("bonsai.obj", limbs, cell), at


# ---- scenes ---------------------------------------------------------------------------------------------------------

def ship_paddles_projective(fine):
    """A ship falls on two rods, and two more press its paddles against each other (figure 1)."""
    ship = medial("ship", known("ship", solids.ship, 0.03, fine), 188 if fine else 40, (0, 0.5, 0))
    rod = lambda name, x, z, **more: obstacle(name, shape("cylinder", radius=0.03, height=0.8 if more else 2, resolution=2, layers=20), (x, 0.2, z), **more)
    rods = [obstacle(f"rod {k}", shape("cylinder", radius=0.03, height=2, resolution=2, layers=40), (x, 0.2, 0), rotation=[90, 0, 0]) for k, x in enumerate((-0.3, 0.3))]
    pushers = [rod(f"pusher {k}", side_x * 0.62, side_z * 0.3, prescribed=[{**move({"all": True}, (-0.35 * side_x, 0, 0)), "start": 0.6, "end": 1.7}])
               for k, (side_x, side_z) in enumerate(((-1, -1), (1, -1), (-1, 1), (1, 1)))]
    return Scene(ship_paddles_projective.__doc__, [ship, *rods, *pushers, floor(-0.5, 4)], step=STEP, duration=2.4, contact={"friction": 0.2},
                 solver=detected())


def dinosaur_cacti_projective(fine):
    """A dinosaur is thrown through eight cacti (figure 15)."""
    cell = 0.05 if fine else 0.09
    grown = known("cactus", solids.cactus, 0.03, fine)
    thrown = medial("dinosaur", dinosaur(cell), 87 if fine else 30, (-2.6, 0.05, 0), velocity=[3, 1.5, 0])
    cacti = [medial(f"cactus {k}", grown, 60 if fine else 12, (-0.9 + 0.85 * (k // 2), 0.02, 0.42 * (2 * (k % 2) - 1)), rotation=[0, 37 * k, 0],
                    prescribed=standing(), material=material(4e5, 1000, 0.4)) for k in range(8)]
    return Scene(dinosaur_cacti_projective.__doc__, [thrown, *cacti, floor(0, 8)], step=round(1 / 60, 6), duration=1.5, contact={"friction": 0.2}, solver=detected())


def cushion_men_cacti_projective(fine):
    """Four men of cushions fall into cacti (figure 18, left)."""
    grown, man = known("cactus", solids.cactus, 0.03, fine), puffed(0.04 if fine else 0.08)
    cacti = [medial(f"cactus {k}", grown, 60 if fine else 12, (0.7 * (k % 2) - 0.35, 0.02, 0.7 * (k // 2) - 0.35), rotation=[0, 60 * k, 0],
                    prescribed=standing(), material=material(4e5, 1000, 0.4)) for k in range(4)]
    men = [medial(f"man {k}", man, 28 if fine else 16, (0.5 * (k % 2) - 0.25, 1.4 + 1.6 * k, 0.5 * (k // 2) - 0.25), rotation=[70 * (k % 2), 90 * k, 0],
                  material=material(1e5, 500, 0.4)) for k in range(4)]
    return Scene(cushion_men_cacti_projective.__doc__, [*men, *cacti, floor(0, 8)], step=STEP, duration=2.0, contact={"friction": 0.3}, solver=detected())


def puffer_balls_projective(fine):
    """Six puffer balls fall into a tray (figure 18, right)."""
    strings = 400 if fine else 20
    ball = known("puffer_20", lambda cell: solids.puffer(strings, cell), 0.025, fine)
    tray = [wall(f"wall {k}", lower, upper) for k, (lower, upper) in enumerate((
        ((-1.3, 0, -1.1), (-1.2, 0.8, 1.1)), ((1.2, 0, -1.1), (1.3, 0.8, 1.1)), ((-1.2, 0, -1.1), (1.2, 0.8, -1)), ((-1.2, 0, 1), (1.2, 0.8, 1.1))))]
    balls = [medial(f"puffer {k}", ball, 1269 if fine else 41, (1.3 * (k % 2) - 0.65, 1.5 + 1.4 * (k // 2), 0.1 * k - 0.25), rotation=[15 * k, 40 * k, 0],
                    material=material(1e5, 500, 0.4)) for k in range(6)]
    return Scene(puffer_balls_projective.__doc__, [*balls, *tray, floor(0, 8)], step=STEP, duration=2.0, contact={"friction": 0.2}, solver=detected())


LAWS = ("stable_neo_hookean", "stvk", "mooney_rivlin", "fixed_corotated", "arruda_boyce")


def figures_on_stairs(fine):
    """Five figures of five materials tumble down stairs (figure 14): reduced hyperelasticity, Newton, no intersections."""
    stairs = [wall(f"stair {k}", (-0.8 + 0.5 * k, 0, -3.7), (-0.3 + 0.5 * k, 1.0 - 0.25 * k, 3.7)) for k in range(4)]
    mesh = known("figure", solids.figure, 0.045, fine)
    figures = [medial(f"figure {law}", mesh, 130 if fine else 20, (-0.15, 1.1, 1.45 * (k - 2)), rotation=[0, 90, -25], velocity=[1.2, 0, 0],
                      cells=None if fine else 14, material={**material(1e5, 1000, 0.4), "model": law}, collider="medial") for k, law in enumerate(LAWS)]
    return Scene(figures_on_stairs.__doc__, [*figures, *stairs, floor(0, 8)], step=0.02, duration=3.0 if fine else 1.0, contact={"friction": 0.3})


def bonsai_in_wind_projective(fine):
    """A bonsai in a sinusoidal wind, without contact (figure 12; the large version has 1,771 handles)."""
    mesh, places = tree(1771 if fine else 130, 0.025 if fine else 0.05)
    count = 1771 if fine else 130
    grown = medial("bonsai", mesh, count, prescribed=standing(0.03), material=material(1e6, 600, 0.35), cells=160 if fine else 64,
                   forces=[{"select": {"all": True}, "acceleration": ["12*sin(2*pi*t/1.5)", 0, "5*sin(2*pi*t/0.9)"]}])
    return Scene(bonsai_in_wind_projective.__doc__, [grown], step=STEP, duration=3.0, contact={"enabled": False}, solver=detected(iterations=20))


def stem(handles, text):
    def scene(fine):
        rod = {"shape": {"type": "rod", "length": 1.2, "radius": 0.08, "resolution": 2, "segments": 48 if fine else 24}}
        bent = medial("stem", rod, handles, (0, 0.8, 0), cells=24, material=material(1e5, 500, 0.4), prescribed=[
            hold(part((0, 0, 0), (0.05, 1, 1))), {**move(part((0.95, 0, 0), (1, 1, 1)), (-0.35, 0.35, 0)), "end": 1.4}])
        return Scene(scene.__doc__, [bent], step=0.02, duration=2.0, solver=detected(iterations=20))
    scene.__doc__ = f"A stem with {text} is held at one end and bent by the other (figures 7 and 8)."
    return scene


SCENES = {
    "ship_paddles_projective": ship_paddles_projective,
    "dinosaur_cacti_projective": dinosaur_cacti_projective,
    "cushion_men_cacti_projective": cushion_men_cacti_projective,
    "puffer_balls_projective": puffer_balls_projective,
    "figures_on_stairs": figures_on_stairs,
    "bonsai_in_wind_projective": bonsai_in_wind_projective,
    "stem_one_cone_projective": stem(2, "one cone"),
    "stem_four_cones_projective": stem(5, "four cones"),
}

# Their preparation takes longer than the tests have time for.
ONLY_FINE = {"cushion_men_cacti_projective", "puffer_balls_projective", "bonsai_in_wind_projective"}
