"""Public scripts of IPC and fixtures of rigid-ipc, run as they are, where the outcome is known."""
import math

from impacts import surface_areas
from lab import DATA
from law import Value, at_least, at_most
from scenes import Slope, late_rate, volume_of

IPC = DATA / "IPC" / "input"
RIGID_IPC = DATA / "rigid-ipc" / "fixtures" / "3D"
INCLINES = RIGID_IPC / "friction" / "incline-plane"
TIGHT = ("solver.tolerance=1e-6",)


def has_data():
    return IPC.is_dir() and RIGID_IPC.is_dir()


def _run(lab, path, steps, kind, settings=()):
    options = ("--kind", kind) if kind in ("rigid", "affine") else ()
    return lab.run_file(path, steps, settings, options)


def _speeds(run, slope, number=0):
    """[(time, speed down the slope)] of the only body that moves."""
    mass = run.scene["bodies"][number]["material"]["density"] * volume_of(run.frame(0), number)
    return [(t, slope.speed(p, mass)) for t, p in run.series("momentum")]


def _gravity(run):
    return math.hypot(*run.scene["gravity"])


def high_school_slope(lab, kind, integrator):
    """IPC's test of Coulomb's law, tan α = 0.5, as a script (soft) and as a fixture: 0.49 slides, 0.5 holds."""
    slope, values = Slope(tangent=0.5), []
    for mu in (0.49, 0.5):
        script = IPC / "otherExamples" / "friction" / f"slopeTest_highSchoolPhysics_{mu}.txt"
        fixture = INCLINES / f"slopeTest_highSchoolPhysics_mu={mu}.json"
        run = _run(lab, script if kind == "soft" else fixture, 100, kind)
        speeds, rate = _speeds(run, slope), _gravity(run) * (slope.sin - mu * slope.cos)
        if mu == 0.5:
            values.append(at_most("µ = 0.5: speed after 2.5 s, m/s", 1e-3, abs(speeds[-1][1])))
            continue
        values += [Value("µ = 0.49: acceleration", rate, late_rate(speeds)),
                   at_least("µ = 0.49: speed after 2.5 s", 0.94 * 2.5 * rate, speeds[-1][1])]
    return values


def inclines(lab, kind, integrator):
    """The fixtures at 15°, 20° (µ 0.1) and 30° (µ 0.05)."""
    values = []
    for degrees, mu, steps in ((15, 0.1, 700), (20, 0.1, 700), (30, 0.05, 200)):
        slope = Slope(degrees=degrees)
        run = _run(lab, INCLINES / f"incline-plane-{degrees}°.json", steps, kind, ("time.frame_every=1000",))
        values.append(Value(f"{degrees}°, µ = {mu}", _gravity(run) * (slope.sin - mu * slope.cos),
                            late_rate(_speeds(run, slope), 0.7)))
    return values


def sliding_cube(lab, kind, integrator):
    """10 m/s on a floor with µ = 0.05: it slows by µ g."""
    run = _run(lab, RIGID_IPC / "friction" / "sliding.json", 100, kind)
    mass = run.scene["bodies"][0]["material"]["density"] * volume_of(run.frame(0), 0)
    return [Value("deceleration", 0.05 * _gravity(run), (10 - run.last("momentum", 0) / mass) / run.last("time"))]


def gears(lab, kind, integrator):
    """A rail that falls turns two gears; −384.5 kg m/s after 0.4 s by a solve at a millionth of the tolerance."""
    run = _run(lab, RIGID_IPC / "mechanisms" / "gears" / "single.json", 40, kind)
    return [Value("momentum of the rail", -384.5, run.last("momentum", 1))]


def arch_stands(lab, kind, integrator):
    """25 stones, µ = 0.5: after they have come down on the floor nothing moves."""
    run = _run(lab, RIGID_IPC / "friction" / "arch" / "arch-25-stones.json", 150, kind)
    first, last = run.frame(0), run.frame(-1)
    mass = sum(b["material"]["density"] * volume_of(first, i) for i, b in enumerate(run.scene["bodies"])
               if b["kind"] != "obstacle")
    height = max(p[1] for p in first.points)
    return [at_most("speed of the centre, m/s", 0.1, math.hypot(*run.last("momentum")) / mass),
            at_most("crown sinks, of its height", 0.04, (height - max(p[1] for p in last.points)) / height)]


def card_tent_stands(lab, kind, integrator):
    """Two cards at 65°, µ = 0.5: they need ½ cot 65° = 0.233."""
    run = _run(lab, RIGID_IPC / "friction" / "card-house" / "card-tent.json", 150, kind)
    heights = [max(p[1] for p in run.frame(i).points) for i in (0, -1)]
    return [at_most("top sinks, of its height", 0.06, (heights[0] - heights[1]) / heights[0])]


def turntable(lab, kind, integrator):
    """A cube falls on a disc that a torque of 300 N m drives: dL/dt = 300 N m, whatever friction hands over."""
    values = []
    for mu in ("0.0", "0.5"):
        run = _run(lab, RIGID_IPC / "friction" / "turntable" / f"turntable-mu={mu}.json", 40, kind)
        gained = run.last("angular_momentum", 1) - run.steps[0]["angular_momentum"][1]
        values.append(Value(f"µ = {mu}: torque", 300, gained / (run.last("time") - run.steps[0]["time"])))
    return values


def spinning_fixtures(lab, kind, integrator):
    """Free spin: angular momentum and energy stay."""
    values = []
    for name in ("rotating-cube", "rotating-ellipsoid-minor", "rotating-ellipsoid-major"):
        run = _run(lab, RIGID_IPC / "unit-tests" / "rotation" / f"{name}.json", 200, kind, ("time.frame_every=1000",))
        first, last = run.steps[0], run.steps[-1]
        kept = math.dist(first["angular_momentum"], last["angular_momentum"]) / math.hypot(*first["angular_momentum"])
        values += [Value(f"{name}: change of L", 0, kept),
                   Value(f"{name}: change of energy", 0, last["energy"]["kinetic"] / first["energy"]["kinetic"] - 1)]
    return values


def imports_are_solved(lab, kind, integrator):
    """How far the end of an import is from that of a solve at a tolerance of 1e-6, as a part of the farthest way."""
    values = []
    for name, steps in (("mechanisms/gears/single", 40), ("unit-tests/edge-edge-parallel", 60),
                        ("unit-tests/erleben/spikes", 60),
                        ("pendulum/pendulum", 40)):
        ends = [_run(lab, RIGID_IPC / f"{name}.json", steps, kind, ("time.frame_every=1000", *more))
                for more in ((), TIGHT)]
        first, plain, tight = ends[1].frame(0).points, ends[0].frame(-1).points, ends[1].frame(-1).points
        way = max(math.dist(p, q) for p, q in zip(first, tight))
        values.append(Value(name.split("/")[-1], 0, max(math.dist(p, q) for p, q in zip(plain, tight)) / way))
    return values


def floor_carries(lab, kind, integrator):
    """Cubes that fell on each other and came to rest: Σ p A on the floor is the weight of all."""
    path, steps = (IPC / "tutorialExamples" / "2cubesFall.txt",
                   500) if kind == "soft" else (RIGID_IPC / "unit-tests" / "5-cubes.json", 250)
    run = _run(lab, path, steps, kind, ("time.frame_every=1000",))
    frame, bodies = run.frame(-1), run.scene["bodies"]
    ground = [i for i, b in enumerate(bodies) if b["kind"] == "obstacle"]
    mass = sum(b["material"]["density"] * volume_of(run.frame(0), i) for i, b in enumerate(bodies) if i not in ground)
    pressure = frame.data["contact_pressure"]
    force = sum(area * pressure[i] for number in ground for i, area in surface_areas(frame, number).items())
    return [Value("force / weight", 1, force / (mass * _gravity(run))),
            at_most("speed, m/s", 0.02, math.hypot(*run.last("momentum")) / mass)]
