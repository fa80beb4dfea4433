"""Elastic bodies, shells and wires against the theory of materials, beams, columns, shells and chains."""
import math

import meshes
from closed_forms import catenary_sag, elastica, energy_density, mean_period, uniaxial_stretch
from law import Value, at_least, at_most
from scenes import box, mean, scene

MODELS = ("neo_hookean", "stable_neo_hookean", "fixed_corotated", "stvk", "linear_corotated", "mooney_rivlin",
          "arruda_boyce")
FREE = {"enabled": False}
NO_GRAVITY = [0, 0, 0]
HELD_AT_X0 = [{"select": {"relative_box": {"min": [0, 0, 0], "max": [0, 1, 1]}}}]


def uniaxial_tension(lab, kind, integrator):
    """A cube pulled at two faces by P: ∂Ψ/∂s = P along the pull, ∂Ψ/∂t = 0 across."""
    values, young, poisson = [], 1e5, 0.4
    for model in MODELS:
        for pull in (0.02, 0.3):
            along, across = _pull_cube(lab, integrator, model, pull * young, young, poisson)
            s, t = uniaxial_stretch(model, pull * young, young, poisson)
            values += [Value(f"{model}, P/E = {pull}: stretch", s, along),
                       Value(f"{model}, P/E = {pull}: across", t, across)]
    return values


def _pull_cube(lab, integrator, model, force, young, poisson):
    """Its stretches along the pull and across."""
    p = _run_cube(lab, integrator, model, force, young, poisson).frame(-1).points
    return math.dist(p[0], p[1]), math.dist(p[0], p[2])


def _run_cube(lab, integrator, model, force, young, poisson):
    """Point forces that are the traction on the two triangles of a face: a third of their areas at each corner."""
    forces = []
    for side, ends, others in ((-1, [0, 6], [2, 4]), (1, [1, 7], [3, 5])):
        forces += [{"select": {"vertices": ends}, "force": [side * force * 2 / 3, 0, 0]},
                   {"select": {"vertices": others}, "force": [side * force / 3, 0, 0]}]
    # Light and with long steps, so that implicit Euler takes all vibration out.
    cube = {"name": "cube", "mesh": "cube.vtk", "forces": forces,
            "material": {"model": model, "youngs_modulus": young, "poissons_ratio": poisson, "density": 10}}
    still = scene([cube], 0.1, 3.0, integrator, gravity=NO_GRAVITY, contact=FREE)
    return lab.run(still, {"cube.vtk": meshes.tet_cube()})


WIRE = {"thickness": 0.01, "material": {"density": 1000, "youngs_modulus": 5e8}}
AREA, INERTIA = math.pi / 4 * 0.01**2, math.pi / 64 * 0.01**4
STIFFNESS = 5e8 * INERTIA  # E I of the wire [N m²]
EDGES = 40
CLAMP = [{"select": {"vertices": [0, 1]}}]
HELD = 0.5 / EDGES  # a clamp of two points acts in the middle between them


def _wire(**more):
    return {"name": "wire", "mesh": "wire.obj", "prescribed": CLAMP, **WIRE, **more}


WIRE_FILES = {"wire.obj": meshes.straight_wire(1.0, EDGES)}


def cantilever_wire(lab, kind, integrator):
    """Euler–Bernoulli: q L⁴ / 8 E I under its weight, F L³ / 3 E I under a point load at its end."""
    length, weight = 1 - HELD, 1000 * AREA * 0.1
    own = lab.run(scene([_wire()], 0.1, 0.1, integrator, gravity=[0, -0.1, 0], contact=FREE), WIRE_FILES)
    load = 3e-3
    tip = [{"select": {"vertices": [EDGES]}, "force": [0, -load, 0]}]
    loaded = lab.run(scene([_wire(forces=tip)], 0.1, 0.1, integrator, gravity=NO_GRAVITY, contact=FREE), WIRE_FILES)
    return [Value("weight", weight * length**4 / (8 * STIFFNESS), -own.frame(-1).points[EDGES][1]),
            Value("load at the end", load * length**3 / (3 * STIFFNESS), -loaded.frame(-1).points[EDGES][1])]


def cantilever_strip(lab, kind, integrator):
    """A narrow shell: E h³/12 per width, ν = 0.3."""
    cells, thick, width, young = 40, 0.01, 0.05, 1e9
    body = {"name": "strip", "mesh": "strip.obj", "thickness": thick,
            "material": {"density": 1000, "youngs_modulus": young, "poissons_ratio": 0.3},
            "prescribed": [{"select": {"relative_box": {"min": [0, 0, 0], "max": [1.01 / cells, 1, 1]}}}]}
    run = lab.run(scene([body], 0.1, 0.1, integrator, gravity=[0, -0.5, 0], contact=FREE),
                  {"strip.obj": meshes.strip(1.0, width, cells)})
    ends = [p for p, x in zip(run.frame(-1).points, run.frame(0).points) if x[0] > 1 - 1e-9]
    length = 1 - 0.5 / cells
    return [Value("weight", 1000 * thick * 0.5 * length**4 / (8 * young * thick**3 / 12), -mean(ends)[1])]


def wire_vibrates(lab, kind, integrator):
    """The first frequency of a clamped wire: 1.8751² √(E I / ρ A) / L²."""
    length = 1 - HELD
    omega = 1.875104069**2 * math.sqrt(STIFFNESS / (1000 * AREA)) / length**2
    period = 2 * math.pi / omega
    run = lab.run(scene([_wire()], period / 100, 3.2 * period, integrator, gravity=[0, -0.02, 0], every=2,
                        contact=FREE), WIRE_FILES)
    # It swings about its equilibrium.
    sinks = 1000 * AREA * 0.02 * length**4 / (8 * STIFFNESS)
    return [Value("period", period, mean_period([(f.time, f.points[EDGES][1]) for f in run.frames()], -sinks))]


def wire_buckles(lab, kind, integrator):
    """A clamped column: straight below π² E I / 4 L², bent as Euler's elastica above it."""
    length = 1 - HELD
    critical = math.pi**2 * STIFFNESS / (4 * length**2)
    ratio, bent = elastica(60)
    values = []
    for share in (0.9, ratio):
        forces = [{"select": {"vertices": [EDGES]}, "force": [-share * critical, 0, 0]},
                  {"select": {"vertices": [EDGES]}, "force": [0, 1e-4 * critical, 0]}]
        run = lab.run(scene([_wire(forces=forces)], 0.5, 30.0, integrator, gravity=NO_GRAVITY, contact=FREE),
                      WIRE_FILES)
        aside = abs(run.frame(-1).points[EDGES][1]) / length
        label = f"P = {share:.3f} of it: deflection / L"
        values.append(at_most(label, 0.01, aside) if share < 1 else Value(label, bent, aside))
    return values


def catenary(lab, kind, integrator):
    """A slack wire between two points hangs as a chain does."""
    edges, half = 40, 1.2  # it starts as an arc of ± half [rad]
    radius = 0.5 / math.sin(half)
    angles = [half * (2 * i / edges - 1) for i in range(edges + 1)]
    points = [(radius * math.sin(a), radius * (math.cos(half) - math.cos(a)), 0.0) for a in angles]
    span, length = 1.0, 2 * edges * radius * math.sin(half / edges)
    rope = {"name": "rope", "mesh": "rope.obj", "thickness": 1e-3, "material": {"density": 1000, "youngs_modulus": 3e7},
            "prescribed": [{"select": {"vertices": [0, edges]}}]}
    run = lab.run(scene([rope], 0.1, 6.0, integrator, contact=FREE), {"rope.obj": meshes.wire(points)})
    return [Value("sag", catenary_sag(span, length), -min(p[1] for p in run.frame(-1).points))]


def balloon(lab, kind, integrator):
    """A thin sphere of radius R and wall t grows to R s under the pressure t Ψ′(s) / (R s²)."""
    values, radius, thick, young, poisson = [], 0.5, 2e-3, 1e7, 0.3
    mu = young / (2 * (1 + poisson))
    plane = young * poisson / (1 - poisson**2)  # λ of plane stress
    for stretch in (1.002, 1.05):
        slope = 2 * mu * (stretch - 1 / stretch) + 4 * plane * math.log(stretch) / stretch
        pressure = thick * slope / (radius * stretch**2)
        body = {"name": "balloon", "mesh": "balloon.obj", "thickness": thick, "pressure": pressure,
                "material": {"density": 1000, "youngs_modulus": young, "poissons_ratio": poisson}}
        still = scene([body], 0.1, 2.0, integrator, gravity=NO_GRAVITY, contact=FREE, solver={"tolerance": 1e-6})
        run = lab.run(still, {"balloon.obj": meshes.icosphere(radius, 3)})
        sizes = [sum(math.hypot(*p) for p in run.frame(i).points) for i in (0, -1)]
        values.append(Value(f"strain at {pressure:.4g} Pa", stretch - 1, sizes[1] / sizes[0] - 1))
    return values


def bar_rings(lab, kind, integrator):
    """A bar held at one end that its weight begins to pull: longitudinal waves, period 4 L √(ρ/E)."""
    young, cells = 1e6, 20
    bar = box("bar", [1, 0.1, 0.1], "soft", cells=[cells, 1, 1], young=young, material={"poissons_ratio": 0.0},
              prescribed=HELD_AT_X0)
    period = 4 * math.sqrt(1000 / young)
    run = lab.run(scene([bar], period / 200, 3.2 * period, integrator, gravity=[1, 0, 0], every=2, contact=FREE))
    ends = [i for i, p in enumerate(run.frame(0).points) if p[0] > max(q[0] for q in run.frame(0).points) - 1e-9]
    stretched = [(f.time, sum(f.points[i][0] for i in ends) / len(ends)) for f in run.frames()]
    return [Value("period", period, mean_period(stretched, stretched[0][1] + 1000 * 1 / (2 * young)))]


def cantilever_soft(lab, kind, integrator):
    """Timoshenko: q L⁴ / 8 E I + q L² / 2 k G A, k = 5/6. Linear tets are too stiff by an error that falls with the
    square of the cells' size, so two meshes give the limit (Richardson)."""
    young, side, weight = 1e7, 0.2, 0.05
    deflections = []
    for across in (4, 6):
        beam = box("beam", [1, side, side], kind, cells=[5 * across, across, across], young=young,
                   material={"poissons_ratio": 0.0},
                   prescribed=[{"select": {"relative_box": {"min": [0, 0, 0], "max": [0, 1, 1]}}}])
        still = scene([beam], 0.01, 0.01, integrator, gravity=[0, -weight, 0], contact=FREE, solver={"tolerance": 1e-8})
        frames = (lab.run(still).frame(i) for i in (0, -1))
        first, last = (mean(f.points[i] for i in range(len(f.points)) if f.points[i][0] > 0.5 - 1e-3) for f in frames)
        deflections.append(first[1] - last[1])
    ratio = (6 / 4) ** 2
    limit = (ratio * deflections[1] - deflections[0]) / (ratio - 1)
    load, inertia = 1000 * side**2 * weight, side**4 / 12
    bending, shear = load / (8 * young * inertia), load / (2 * 5 / 6 * young / 2 * side**2)
    return [Value("limit of the deflection", bending + shear, limit),
            at_most("4 cells / closed form", 1, deflections[0] / (bending + shear)),
            at_least("6 cells / closed form", 0.88, deflections[1] / (bending + shear))]


def stress_and_energy(lab, kind, integrator):
    """A cube under P: von Mises stress P / t², energy Ψ(s, t, t) per volume."""
    values, young, poisson = [], 1e5, 0.4
    for model in ("neo_hookean", "mooney_rivlin"):
        pull = 0.1 * young
        s, t = uniaxial_stretch(model, pull, young, poisson)
        run = _run_cube(lab, integrator, model, pull, young, poisson)
        stresses = run.frame(-1).data["von_mises"]
        values += [Value(f"{model}: von Mises stress / (P / t²)", 1, sum(stresses) / len(stresses) / (pull / t**2)),
                   Value(f"{model}: energy / Ψ", 1, run.last("energy", "elastic") / energy_density(
                       model, (s, t, t), young, poisson).real)]
    return values


def damping_decays(lab, kind, integrator):
    """The bar that rings, with material damping β: its first vibration decays as exp(−β ω² t / 2)."""
    young, beta = 1e6, 2e-3
    bar = box("bar", [1, 0.1, 0.1], "soft", cells=[20, 1, 1], young=young, prescribed=HELD_AT_X0,
              material={"poissons_ratio": 0.0, "damping": beta})
    period = 4 * math.sqrt(1000 / young)
    run = lab.run(scene([bar], period / 200, 3.2 * period, integrator, gravity=[1, 0, 0], contact=FREE))
    # The momentum of the bar swings about 0; its peaks are half a period apart.
    speeds = run.series("momentum", 0)
    peaks = [max(abs(p) for t, p in speeds if k <= 2 * t / period < k + 1) for k in (2, 3, 4, 5)]
    rate = beta * (2 * math.pi / period) ** 2 / 2
    return [Value("peak after a period / peak", math.exp(-rate * period), peaks[k + 2] / peaks[k]) for k in (0, 1)]
