"""Forces and poses that a run writes, beside statics and dynamics with a closed form."""
import math

import meshes
from law import Value, at_least
from results import add, cross, length, vector
from scenes import DENSITY, G, Slope, ball, box, floor, obstacle, scene

SIDE, D_HAT = 0.2, 2e-4  # [m]
MASS = DENSITY * SIDE**3
WEIGHT = MASS * G
START = 1.02 * D_HAT  # a gap without force
FREE = {"enabled": False}
ALL = {"select": {"all": True}}
TOP = {"select": {"relative_box": {"min": [0, 1, 0], "max": [1, 1, 1]}}}
LEFT = {"select": {"relative_box": {"min": [0, 0, 0], "max": [0, 1, 1]}}}
RIGHT = {"select": {"relative_box": {"min": [1, 0, 0], "max": [1, 1, 1]}}}


def contact(mu=0.0, **more):
    return {"d_hat": D_HAT, "friction": mu, **more}


def _block(name, kind, height=0.0, **more):
    return box(name, [SIDE] * 3, kind, cells=2, position=[0, height + SIDE / 2 + START, 0], **more)


def weight_on_floor(lab, kind, integrator):
    """The floor carries the weight; the block feels as much, and gravity takes it away."""
    results = lab.run(scene([_block("block", kind), floor()], 0.01, 0.6, integrator, contact=contact(0.3))).results
    on = {name: results.mean("bodies", "normal", 0.3, body=name) for name in ("block", "floor")}
    return [Value("on the block", WEIGHT, on["block"][1]), Value("on the floor", -WEIGHT, on["floor"][1]),
            Value("pair", -WEIGHT if results.rows("contacts")[0]["a"] == "floor" else WEIGHT,
                  results.mean("contacts", "normal", 0.3)[1]),
            Value("gravity", -WEIGHT, results.last("bodies", "load", body="block")[1]),
            Value("reaction of the floor", WEIGHT, results.mean("bodies", "reaction", 0.3, body="floor")[1])]


def ball_in_groove(lab, kind, integrator):
    """A ball between slopes of 30° and 50°: W sin 50° / sin 80° and W sin 30° / sin 80°, along their normals."""
    angles = {"left": math.radians(30), "right": math.radians(50)}
    radius, size = 0.1, [1.0, 0.2, 1.0]
    round_body = {"name": "ball", "kind": kind, "mesh": "ball.obj", "thickness": 2 * radius, "radius": radius,
                  "material": {"density": DENSITY}}
    bodies, normals = [round_body], {}
    for side, (name, angle) in zip((-1, 1), angles.items()):
        normal = (-side * math.sin(angle), math.cos(angle), 0.0)
        away = radius + START + size[1] / 2
        bodies.append(obstacle(name, size, rotation=[0, 0, side * math.degrees(angle)],
                               position=[-away * n for n in normal]))
        normals[name] = normal
    # The slabs overlap below the groove, as obstacles may.
    results = lab.run(scene(bodies, 0.01, 0.6, integrator, contact=contact()), {"ball.obj": "v 0 0 0\n"}).results
    weight = DENSITY * 4 / 3 * math.pi * radius**3 * G
    values = []
    for name, other in (("left", "right"), ("right", "left")):
        force = results.mean("bodies", "normal", 0.3, body=name)
        expected = weight * math.sin(angles[other]) / math.sin(sum(angles.values()))
        values += [Value(name, expected, length(force)),
                   Value(f"{name}, along its normal", expected, -sum(f * n for f, n in zip(force, normals[name])))]
    return values


def stack_levels(lab, kind, integrator):
    blocks = [_block(f"block{i}", kind, i * (SIDE + START)) for i in range(3)]
    results = lab.run(scene([*blocks, floor()], 0.01, 0.8, integrator, contact=contact(0.5))).results
    pairs = [("block0", "floor", 3), ("block0", "block1", -2), ("block1", "block2", -1)]
    return [Value(f"{a} on {b}", count * WEIGHT, results.mean("contacts", "normal", 0.4, a=a, b=b)[1])
            for a, b, count in pairs]


def pushed_row(lab, kind, integrator):
    """Three blocks pushed by 120 N: 80 N and 40 N between them."""
    blocks = [box(f"block{i}", [SIDE] * 3, kind, cells=2, position=[i * (SIDE + START), 0, 0],
                  material={"damping": 0.01} if kind == "soft" else {}) for i in range(3)]
    blocks[0]["forces"] = [{**ALL, "force": [120, 0, 0]}]
    run = lab.run(scene(blocks, 0.01, 0.4, integrator, gravity=[0, 0, 0], contact=contact()))
    return [Value(f"block{i} on the next", -force, run.results.mean("contacts", "normal", 0.2, a=f"block{i}")[0])
            for i, force in ((0, 80), (1, 40))]


def gripper_holds(lab, kind, integrator):
    """Jaws on sliders press with 150 N each; friction carries the cube, half on each side. No corner of the cube is on
    an edge of the jaws' triangles: there normals lean."""
    jaws = [box(f"jaw{i}", [0.05, 0.3, 0.36], "rigid", position=[side * (SIDE / 2 + 0.025 + START), 0, 0.03])
            for i, side in enumerate((-1, 1))]
    joints = [{"type": "slider", "a": f"jaw{i}", "at": jaw["position"], "axis": [-1 if i else 1, 0, 0],
               "motor": {"speed": 10, "max_force": 150}} for i, jaw in enumerate(jaws)]
    cube = box("cube", [SIDE] * 3, kind, cells=2)
    run = lab.run(scene([cube, *jaws], 0.01, 0.4, integrator, contact=contact(0.6), joints=joints))
    values = []
    for i, side in ((0, 1), (1, -1)):
        pair = {"a": "cube", "b": f"jaw{i}"}
        values += [Value(f"jaw{i}: normal", side * 150, run.results.mean("contacts", "normal", 0.2, **pair)[0]),
                   Value(f"jaw{i}: friction", WEIGHT / 2, run.results.mean("contacts", "friction", 0.2, **pair)[1])]
    return values


def capstan_force(lab, kind, integrator, radius=0.5, edges=72, thickness=0.002, light=20.0):
    """A rope drawn over half a drum: the end that is drawn holds e^(µπ) times the load at the other one."""
    d_hat, mu = 5e-4, 0.2
    reach = radius + d_hat / 2 + 0.5 * thickness
    arc = [(reach * math.cos(a), reach * math.sin(a), 0.0) for a in (math.pi * i / edges for i in range(edges + 1))]
    tail = [(reach, -0.05 * i, 0.0) for i in range(6, 0, -1)]
    other = [(-reach, -0.05 * i, 0.0) for i in range(1, 7)]
    points = tail + arc + other
    rope = {"name": "rope", "mesh": "rope.obj", "thickness": thickness,
            "material": {"density": 1000, "youngs_modulus": 1e9, "damping": 0.001},
            "prescribed": [{"select": {"vertices": [0]}, "velocity": [0, -0.1, 0]}],
            "forces": [{"select": {"vertices": [len(points) - 1]}, "force": [0, -light, 0]}]}
    drum = {"name": "drum", "kind": "obstacle", "rotation": [90, 0, 0],
            "shape": {"type": "cylinder", "radius": radius, "height": 0.2, "resolution": 64, "layers": 1}}
    fine = {"d_hat": d_hat, "friction": mu, "epsilon_v": 1e-3, "friction_iterations": -1}
    run = lab.run(scene([rope, drum], 0.01, 0.2, integrator, gravity=[0, 0, 0], contact=fine),
                  {"rope.obj": meshes.wire(points)})
    return [Value("force at the drawn end", -light * math.exp(mu * math.pi),
                  run.results.mean("bodies", "reaction", 0.1, body="rope")[1])]


def motor_torque(lab, kind, integrator):
    """A motor holds an arm: m g L. One of 0.2 N m drives a body without gravity, and its other end feels it."""
    arm = box("arm", [1, 0.1, 0.1], kind, position=[0.5, 0, 0])
    hinge = {"type": "hinge", "a": "arm", "at": [0, 0, 0], "axis": [0, 0, 1]}
    held = lab.run(scene([arm], 0.01, 0.3, integrator, contact=FREE,
                         joints=[{**hinge, "motor": {"position": 0}}])).results
    driven = lab.run(scene([arm], 0.01, 0.2, integrator, contact=FREE, gravity=[0, 0, 0],
                           joints=[{**hinge, "motor": {"speed": 1e5, "max_force": 0.2}}])).results
    mass = DENSITY * 0.01
    return [Value("holds: torque", mass * G * 0.5, held.last("joints", "torque")[2]),
            Value("holds: force", mass * G, held.last("joints", "force")[1]),
            Value("drives: torque", 0.2, driven.last("joints", "torque")[2])]


def block_on_slope(lab, kind, integrator):
    """At rest: normal W cos α, friction W sin α up the slope, all of it sticks. Sliding: friction µ W cos α."""
    slope, values = Slope(tangent=0.5), []
    for mu, friction, sticks in ((0.8, WEIGHT * slope.sin, 1.0), (0.25, 0.25 * WEIGHT * slope.cos, 0.0)):
        block = box("block", [SIDE] * 3, kind, cells=2, rotation=slope.rotation, position=slope.place(0, SIDE / 2 + START))
        results = lab.run(scene([block, slope.obstacle()], 0.01, 0.5, integrator, contact=contact(mu))).results
        normal = results.mean("bodies", "normal", 0.25, body="block")
        held = results.mean("bodies", "friction", 0.25, body="block")
        last = results.rows("contacts")[-1]
        values += [Value(f"µ = {mu}: normal", WEIGHT * slope.cos, sum(f * n for f, n in zip(normal, slope.normal))),
                   Value(f"µ = {mu}: friction", -friction, sum(f * d for f, d in zip(held, slope.down))),
                   Value(f"µ = {mu}: sticks", sticks, last["sticking"])]
        if not sticks:
            places = [vector(row, "") for row in results.rows("bodies", body="block")[-2:]]
            values.append(Value("slip", math.dist(*places) / 0.01, last["slip"]))
    return values


def conveyor_feels_it(lab, kind, integrator):
    """A belt that carries a block off must be driven with µ m g."""
    mu = 0.3
    belt = floor(20, prescribed=[{**ALL, "velocity": [2.0, 0, 0]}])
    results = lab.run(scene([_block("block", kind), belt], 0.01, 0.4, integrator, contact=contact(mu))).results
    drive = results.mean("bodies", "reaction", 0.1, body="floor")
    return [Value("drive", mu * WEIGHT, drive[0]), Value("support", WEIGHT, drive[1]),
            Value("on the block", mu * WEIGHT, results.mean("bodies", "friction", 0.1, body="block")[0])]


def hanging_bodies(lab, kind, integrator):
    """Held at its upper end, a bar, a cloth or a wire pulls with its weight there."""
    bar = box("bar", [SIDE, 2 * SIDE, SIDE], kind, cells=[1, 2, 1], material={"damping": 0.02}, prescribed=[TOP])
    cloth = {"name": "cloth", "mesh": "cloth.obj", "thickness": 0.002, "rotation": [0, 0, 90], "prescribed": [TOP],
             "material": {"density": 500, "youngs_modulus": 1e6, "damping": 0.02}}
    wire = {"name": "wire", "mesh": "wire.obj", "thickness": 0.01, "rotation": [0, 0, 90],
            "prescribed": [{"select": {"vertices": [10]}}],
            "material": {"density": 1000, "youngs_modulus": 1e7, "damping": 0.02}}
    files = {"cloth.obj": meshes.strip(0.5, 0.2, 8), "wire.obj": meshes.straight_wire(1.0, 10)}
    results = lab.run(scene([bar, cloth, wire], 0.02, 0.8, integrator, contact=FREE), files).results
    weights = {row["body"]: row["mass"] * G for row in results.rows("bodies", step=1)}
    expected = {"bar": 2 * WEIGHT, "cloth": 0.5 * 0.2 * 0.002 * 500 * G, "wire": math.pi * 0.005**2 * 1000 * G}
    values = [Value(f"{name}: weight", expected[name], weights[name]) for name in weights]
    return values + [Value(f"{name}: reaction", expected[name], results.mean("bodies", "reaction", 0.4, body=name)[1])
                     for name in weights]


def joint_loads(lab, kind, integrator):
    """A beam on two ball joints, a quarter and a half of its length from the ends: 1/3 and 2/3 of its weight."""
    beam = box("beam", [1, 0.1, 0.1], kind, cells=[4, 1, 1], young=1e9)
    joints = [{"name": f"at {x}", "type": "distance", "a": "beam", "at": [x, 0, 0], "at_b": [x, 1, 0]} for x in (-0.5, 0.25)]
    results = lab.run(scene([beam], 0.01, 0.2, integrator, joints=joints, contact=FREE)).results
    weight = DENSITY * 0.01 * G
    return [Value("left", weight / 3, results.mean("joints", "force", 0.1, joint="at -0.5")[1]),
            Value("right", weight * 2 / 3, results.mean("joints", "force", 0.1, joint="at 0.25")[1]),
            Value("on the body", weight, results.mean("bodies", "joint", 0.1, body="beam")[1])]


def pendulum_tension(lab, kind, integrator):
    """Let go at 60°: at the bottom the pivot holds m g (1 + 2 (1 − cos 60°) L²/(L² + k²))."""
    arm, step = 1.0, 0.002
    bob = box("bob", [SIDE] * 3, kind, position=[math.sin(math.pi / 3) * arm, -math.cos(math.pi / 3) * arm, 0],
              rotation=[0, 0, 60])
    joint = [{"name": "pivot", "type": "ball", "a": "bob", "at": [0, 0, 0]}]
    results = lab.run(scene([bob], step, 0.7, integrator, joints=joint, contact=FREE)).results
    gyration = SIDE**2 / 6
    expected = WEIGHT * (1 + 2 * 0.5 * arm**2 / (arm**2 + gyration))
    return [Value("largest force", expected, max(length((r["force_x"], r["force_y"], r["force_z"]))
                                                  for r in results.rows("joints")))]


def spring_force(lab, kind, integrator):
    """A load that has come to rest on a damped spring."""
    load = box("load", [SIDE] * 3, kind)
    joint = [{"name": "spring", "type": "spring", "a": "load", "at": [0, 0, 0], "at_b": [0, 0.5, 0],
              "spring": {"stiffness": 4000, "damping": 300, "rest": 0.5}}]
    results = lab.run(scene([load], 0.01, 1.5, integrator, joints=joint, contact=FREE)).results
    sinks = -results.last("bodies", "", body="load")[1]
    return [Value("force", WEIGHT, results.last("joints", "force")[1]), Value("k x", 4000 * sinks, WEIGHT),
            Value("on the body", WEIGHT, results.last("bodies", "joint", body="load")[1])]


def face_load(lab, kind, integrator):
    """A bar held at one end and drawn at the other one: the reaction is what draws it."""
    bar = box("bar", [1, SIDE, SIDE], kind, cells=[4, 1, 1], young=1e8, material={"damping": 0.01}, prescribed=[LEFT],
              forces=[{**RIGHT, "force": [500, 0, 0]}])
    results = lab.run(scene([bar], 0.01, 0.4, integrator, gravity=[0, 0, 0], contact=FREE)).results
    return [Value("reaction", -500, results.mean("bodies", "reaction", 0.2, body="bar")[0]),
            Value("load", 500, results.last("bodies", "load", body="bar")[0])]


def cantilever_moment(lab, kind, integrator):
    """The wall holds weight and end load, and their moments about it: F L + W L / 2."""
    load, weight = 40.0, DENSITY * 0.01 * G
    beam = box("beam", [1, 0.1, 0.1], kind, cells=[8, 1, 1], young=1e9, position=[0.5, 0, 0], prescribed=[LEFT],
               forces=[{**RIGHT, "force": [0, -load, 0]}])
    results = lab.run(scene([beam], 0.01, 0.02, integrator, contact=FREE)).results
    row = {"table": "bodies", "body": "beam"}
    reaction, centre = results.last(name="reaction", **row), results.last(name="", **row)
    moment = add(results.last(name="reaction_torque", **row), cross(centre, reaction))
    return [Value("force", weight + load, reaction[1]), Value("moment", load * 1.0 + weight * 0.5, moment[2])]


def pressed_block(lab, kind, integrator):
    """A block pressed by 1 % between smooth plates: E A ε, on both plates."""
    young, way = 1e6, 0.01 * SIDE
    block = box("block", [SIDE] * 3, kind, cells=2, young=young, position=[0, SIDE / 2 + START, 0],
                material={"poissons_ratio": 0.3})
    press = obstacle("press", [1, 0.1, 1], position=[0, SIDE + 2 * START + 0.05, 0],
                     prescribed=[{**ALL, "velocity": [0, -way, 0], "end": 1.0}])
    run = lab.run(scene([block, press, floor(1)], 0.1, 1.2, integrator, gravity=[0, 0, 0], contact=contact()))
    gaps = sum(row["gap"] for row in run.results.rows("contacts") if row["step"] == 12)
    strain = (way - (2 * START - gaps)) / SIDE
    force = run.results.mean("bodies", "reaction", 1.0, body="press")[1]
    return [Value("E A ε", young * SIDE**2 * strain, -force),
            Value("on the floor", force, -run.results.mean("bodies", "reaction", 1.0, body="floor")[1])]


def locked_motion(lab, kind, integrator):
    """A body that may not move along y or turn about z carries 30 N at its side: weight and load, and their moment."""
    body = box("body", [SIDE] * 3, kind, locked=["y", "rz"], forces=[{**RIGHT, "force": [0, -30, 0]}])
    results = lab.run(scene([body], 0.01, 0.1, integrator, contact=FREE)).results
    return [Value("force", WEIGHT + 30, results.last("bodies", "reaction")[1]),
            Value("moment", 30 * SIDE / 2, results.last("bodies", "reaction_torque")[2])]


def spinning_body(lab, kind, integrator):
    """A brick that turns about its axle: its angular velocity and its quaternion after 0.5 s."""
    omega, time = 2.0, 0.5
    brick = box("brick", [0.3, 0.1, 0.2], kind, angular_velocity=[0, omega, 0])
    row = lab.run(scene([brick], 0.01, time, integrator, gravity=[0, 0, 0], contact=FREE)).results.rows("bodies")[-1]
    return [Value("angular velocity", omega, row["wy"]), Value("cos ½ angle", math.cos(omega * time / 2), row["qw"]),
            Value("sin ½ angle", math.sin(omega * time / 2), row["qy"])]


def centripetal_force(lab, kind, integrator):
    """A body driven round a circle: m ω² r towards its centre. One on a rod: the same in the rod."""
    omega, radius = 2.0, 1.0
    driven = box("driven", [SIDE] * 3, kind, position=[radius, 0, 0],
                 prescribed=[{**ALL, "angular_velocity": [0, 0, omega], "about": [0, 0, 0]}],
                 angular_velocity=[0, 0, omega], velocity=[0, omega * radius, 0])
    if kind == "soft":
        driven = box("driven", [SIDE] * 3, kind, position=[radius, 0, 0],
                     prescribed=[{**ALL, "angular_velocity": [0, 0, omega], "about": [0, 0, 0]}])
    results = lab.run(scene([driven], 0.005, 0.5, integrator, gravity=[0, 0, 0], contact=FREE)).results
    force, place = results.last("bodies", "reaction", body="driven"), results.last("bodies", "", body="driven")
    return [Value("towards the centre", MASS * omega**2 * radius,
                  -sum(f * x for f, x in zip(force, place)) / length(place)),
            Value("in all", MASS * omega**2 * radius, length(force))]


def impact_impulse(lab, kind, integrator):
    """A block hits a wall: the sum of force × h is what changes its momentum. A fast one meets the wall within a step,
    which is then taken in parts."""
    step, wall = 0.005, obstacle("wall", [0.5, 2, 2], position=[0.35, 0, 0])
    block = box("block", [SIDE] * 3, kind, cells=2, position=[-0.02, 0, 0], velocity=[1, 0, 0])
    run = lab.run(scene([block, wall], step, 0.3, integrator, gravity=[0, 0, 0], contact=contact()))
    rows = run.results.rows("bodies", body="block")
    impulse, change = step * sum(row["normal_x"] for row in rows[1:]), MASS * (rows[-1]["vx"] - 1)
    bullet = box("bullet", [SIDE] * 3, kind, cells=2, position=[-4.3, 0, 0], velocity=[60, 0, 0], young=1e9)
    fast = lab.run(scene([bullet, wall], 0.1, 0.3, integrator, gravity=[0, 0, 0], contact=contact(d_hat=0.01)))
    rows = fast.results.rows("bodies", body="bullet")
    pushed = 0.1 * sum(row["normal_x"] for row in rows[1:])
    return [Value("impulse", change, impulse), Value("fast: impulse", MASS * (rows[-1]["vx"] - 60), pushed),
            at_least("fast: parts of a step", 2, max(step for _, step in fast.series("substeps")))]


def lever_forces(lab, kind, integrator):
    """A plank on two edges, 0.4 m left and 0.2 m right of its centre, carries a load at its right end."""
    plank = box("plank", [1.2, 0.05, 0.2], kind, cells=[12, 1, 2], young=1e9, position=[0, 0.025 + START, 0],
                forces=[{**RIGHT, "force": [0, -10, 0]}])
    edge = meshes.prism([(-0.05, -0.1), (0.05, -0.1), (0.0, 0.0)], 0.4)
    supports = [{"name": name, "kind": "obstacle", "mesh": "edge.obj", "position": [x, 0, 0]}
                for name, x in (("left", -0.4), ("right", 0.2))]
    run = lab.run(scene([plank, *supports], 0.01, 0.6, integrator, contact=contact(0.5)), {"edge.obj": edge})
    weight = DENSITY * 1.2 * 0.05 * 0.2 * G
    left = (weight * 0.2 - 10 * 0.4) / 0.6
    on = {name: -run.results.mean("bodies", "normal", 0.3, body=name)[1] for name in ("left", "right")}
    return [Value("left", left, on["left"]), Value("right", weight + 10 - left, on["right"])]


def centre_of_pressure(lab, kind, integrator):
    """A load that is off the centre moves the point where the floor acts: x = F d / (W + F)."""
    block = box("block", [SIDE] * 3, kind, cells=2, position=[0, SIDE / 2 + START, 0],
                forces=[{"select": {"relative_box": {"min": [1, 0, 0], "max": [1, 1, 1]}}, "force": [0, -40, 0]}])
    run = lab.run(scene([block, floor()], 0.01, 0.5, integrator, contact=contact(0.5)))
    rows = [row for row in run.results.rows("contacts") if row["time"] > 0.3]
    place = sum(row["x"] for row in rows) / len(rows)
    return [Value("point of application", 40 * SIDE / 2 / (WEIGHT + 40), place),
            Value("force", WEIGHT + 40, run.results.mean("bodies", "normal", 0.3, body="block")[1])]


def heap_balances(lab, kind, integrator):
    """In a heap of all kinds forces add up: to 0 over the pairs, to each body's force, and to m a."""
    names, kinds = [f"body{i}" for i in range(6)], ("rigid", "affine", "soft")
    bodies = [(box if i % 2 else ball)(name, *([[0.15] * 3] if i % 2 else [0.08]), kind=kinds[i % 3], young=1e6,
                                       position=[0.02 * (i % 3), 0.1 + 0.17 * i, 0.03 * (i % 2)])
              for i, name in enumerate(names)]
    run = lab.run(scene([*bodies, floor(2)], 0.01, 0.3, integrator, contact=contact(0.4)))
    steps, worst = {}, {"third law": 0.0, "bodies": 0.0, "m a": 0.0}
    for row in run.results.rows("bodies"):
        steps.setdefault(row["step"], {})[row["body"]] = row
    pairs = {}
    for row in run.results.rows("contacts"):
        force = [row[f"normal_{c}"] + row[f"friction_{c}"] for c in "xyz"]
        for name, sign in ((row["a"], 1), (row["b"], -1)):
            own = pairs.setdefault((row["step"], name), [0.0] * 3)
            pairs[row["step"], name] = [o + sign * f for o, f in zip(own, force)]
    heaviest = max(row["mass"] for row in steps[1].values()) * G
    for step in range(1, round(max(steps)) + 1):
        total = [0.0] * 3
        for name, row in steps[step].items():
            force = [row[f"normal_{c}"] + row[f"friction_{c}"] for c in "xyz"]
            total = add(total, force)
            of_pairs = pairs.get((step, name), [0.0] * 3)
            worst["bodies"] = max(worst["bodies"], length([f - p for f, p in zip(force, of_pairs)]) / heaviest)
            if name != "floor":
                before = steps[step - 1][name]
                left = [f + row[f"load_{c}"] - row["mass"] * (row[f"v{c}"] - before[f"v{c}"]) / 0.01
                        for f, c in zip(force, "xyz")]
                worst["m a"] = max(worst["m a"], length(left) / (row["mass"] * G))
        worst["third law"] = max(worst["third law"], length(total) / heaviest)
    return [Value("third law, of a weight", 0, worst["third law"]), Value("pairs and bodies, of a weight", 0, worst["bodies"]),
            Value("m a, of its own weight", 0, worst["m a"])]


def pressure_adds_up(lab, kind, integrator):
    """contact_pressure times area is the normal force, and the vectors at points add up to it."""
    run = lab.run(scene([_block("block", kind), floor()], 0.01, 0.4, integrator, contact=contact(0.3)))
    frame, values = run.frame(-1), []
    row = run.results.rows("contacts")[-1]
    for number, name in enumerate(("block", "floor")):
        points = frame.select(number)
        force = [sum(frame.data["contact_force"][i][k] for i in points) for k in range(3)]
        expected = run.results.last("bodies", "normal", body=name)
        values.append(Value(f"{name}: vectors", expected[1], force[1]))
    areas = [0.0] * len(frame.points)
    for cell in frame.cells:
        if len(cell) == 3:
            a, b, c = (frame.points[i] for i in cell)
            area = length(cross([q - p for p, q in zip(a, b)], [q - p for p, q in zip(a, c)])) / 2
            for i in cell:
                areas[i] += area / 3
    total = sum(frame.data["contact_pressure"][i] * areas[i] for i in frame.select(1))
    return [*values, Value("Σ p A on the floor", row["pressing"], total), Value("pressing", WEIGHT, row["pressing"])]
