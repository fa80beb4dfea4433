"""Mechanisms whose parts hold each other by contact alone: no joints. Most move in the XY plane, which they are locked to."""
import math

from scene_meshes import (Surface, ball, block, circle, disc, extrude, gear, link, rectangle, stadium, thread)
from scene_parts import (EVERYTHING, Scene, material, obstacle, rigid, shape, soft, sphere, surface, turn, wall)

PLANAR = ["z", "rx", "ry"]
AXLE = ["x", "y", *PLANAR]  # only turning about z is left


def clearance(width):
    """Contact for a fit of this play."""
    return {"d_hat": width / 4, "friction": 0.0}


def bore(radius, segments, at=(0, 0)):
    """A hole whose sides, not corners, are this far from its middle."""
    return circle(radius / math.cos(math.pi / segments), segments, at)


# ---- bolt -----------------------------------------------------------------------------------------------------------

def bolt(fine):
    """A bolt screws itself down into a fixed nut by its weight, without friction."""
    n, play = (32, 0.012) if fine else (16, 0.03)
    screw = thread(0.2, 4, 0.3, 0.4, n, -0.5, 0.6) + disc(0.55, n, 0, 0.15).turned(-90, "x").moved(y=0.601)
    nut = thread(0.2, 4, 0.3 + play, 0.4 + play, n, -0.3, 0.1, inside=True, wall=0.7)
    return Scene(bolt.__doc__, [
        obstacle("nut", surface(f"nut_{n}.obj", nut)),
        rigid("bolt", surface(f"bolt_{n}.obj", screw), density=8050),
    ], step=0.01, duration=5.0 if fine else 0.3, contact=clearance(play))


# ---- crank and rod --------------------------------------------------------------------------------------------------

def crank(name, throw, pin, segments, speed, low=-0.06):
    """A disc behind the plane and a pin through it, which turn together."""
    body = disc(throw + 0.04, segments, low, -0.02) + disc(pin, segments, -0.0199, 0.06, (throw, 0))
    return obstacle("crank", surface(f"{name}_crank_{segments}.obj", body),
                    prescribed=[turn(EVERYTHING, (0, 0, speed), (0, 0, 0))])


def piston(fine):
    """A crank drives a piston in its cylinder by a rod with a bore at either end."""
    n, play, throw, length, pin = (32 if fine else 12), 1e-3, 0.1, 0.35, 0.025
    rod = extrude(stadium(length, 0.05, n), 0, 0.04,
                  [bore(pin + play, n, (-length / 2, 0)), bore(pin + play, n, (length / 2, 0))])
    top = math.sqrt(length**2 - throw**2)
    lean = math.degrees(math.atan2(top, -throw))
    head = block((-0.1, 0.065, -0.05), (0.1, 0.165, 0.09)) + disc(pin, n, -0.01, 0.05)
    return Scene(piston.__doc__, [
        crank("piston", throw, pin, n, -2 * math.pi),
        rigid("rod", surface(f"piston_rod_{n}.obj", rod), (throw / 2, round(top / 2, 9), 0), rotation=[0, 0, round(lean, 9)],
              density=7800, locked=PLANAR),
        rigid("head", surface(f"piston_head_{n}.obj", head), (0, round(top, 9), 0), density=2700, locked=PLANAR),
        wall("cylinder left", (-0.2, 0.2, -0.1), (-0.1 - play, 0.7, 0.1)),
        wall("cylinder right", (0.1 + play, 0.2, -0.1), (0.2, 0.7, 0.1)),
    ], step=0.01, duration=5.0 if fine else 0.4, contact=clearance(play))


def press(play):
    def scene(fine):
        n, throw, pin = (32 if fine else 12), 0.1, 0.02
        slot = stadium(2 * throw + 0.02, (pin + play) / math.cos(math.pi / n), n)
        outline = [(-0.19, -0.06), (-0.03, -0.06), (-0.03, -0.5), (0.03, -0.5), (0.03, -0.06), (0.19, -0.06), (0.19, 0.06),
                   (-0.19, 0.06)]
        name = f"{round(1e6 * play)}"
        return Scene(scene.__doc__, [
            crank("press", throw, pin, n, -2 * math.pi),
            rigid("punch", surface(f"punch_{name}_{n}.obj", extrude(outline, 0, 0.04, [slot])), density=7800,
                  locked=PLANAR),
            wall("guide left", (-0.1, -0.45, -0.05), (round(-0.03 - play, 9), -0.25, 0.1)),
            wall("guide right", (round(0.03 + play, 9), -0.45, -0.05), (0.1, -0.25, 0.1)),
        ], step=0.01, duration=2.0 if fine else 0.4, contact=clearance(play))
    scene.__doc__ = f"A turning crank lifts and drops a punch between guides, with {1e3 * play:g} mm of play everywhere."
    return scene


# ---- wheels ---------------------------------------------------------------------------------------------------------

def slotted_wheel(radius, depth, width, segments):
    """A wheel with four radial slots, open outside, the first along the diagonal."""
    points = []
    half = math.asin(width / radius)
    for k in range(4):
        angle = math.pi / 4 + k * math.pi / 2
        for r, side in ((radius * math.cos(half), -1), (depth, -1), (depth, 1), (radius * math.cos(half), 1)):
            points.append((r * math.cos(angle) - side * width * math.sin(angle), r * math.sin(angle) + side * width * math.cos(angle)))
        for j in range(1, segments):
            a = angle + half + (math.pi / 2 - 2 * half) * j / segments
            points.append((radius * math.cos(a), radius * math.sin(a)))
    return points


def intermittent(fine):
    """A pin that goes round turns a slotted wheel by a quarter at each pass: even motion in, steps out."""
    n, play, distance, pin = (24 if fine else 12), 1e-3, 0.2, 0.012
    throw = distance / math.sqrt(2)
    wheel = extrude(slotted_wheel(throw, distance - throw - pin - 2 * play, pin + play, n // 4), 0, 0.04)
    driver = disc(0.04, n, -0.06, -0.02) + disc(pin, n, -0.0199, 0.06, (-throw, 0))
    return Scene(intermittent.__doc__, [
        obstacle("driver", surface(f"driver_{n}.obj", driver),
                 prescribed=[turn(EVERYTHING, (0, 0, 2 * math.pi), (0, 0, 0))]),
        rigid("wheel", surface(f"slotted_wheel_{n}.obj", wheel), (distance, 0, 0), density=7800, locked=AXLE),
    ], step=0.002, duration=4.0 if fine else 0.7, gravity=[0, 0, 0], contact=clearance(play), view={"side": "front"})


def gear_train(fine):
    """The first of three gears is turned; the second sits on a pin with play, the third on an axle."""
    n, play = 12, 5e-3
    wheel = extrude(gear(n, 0.42, 0.58, 0.24, 0.6), -0.1, 0.1, [bore(0.15 + play, 12)])
    mesh = surface("gear.obj", wheel)
    return Scene(gear_train.__doc__, [
        obstacle("driver", mesh, prescribed=[turn(EVERYTHING, (0, 0, 1.5), (0, 0, 0))]),
        obstacle("pin", surface("gear_pin.obj", disc(0.15, 12, -0.2, 0.2)), (1.02, 0, 0)),
        rigid("second", mesh, (1.02, 0, 0), rotation=[0, 0, 15], density=7800, locked=PLANAR),
        rigid("third", mesh, (2.04, 0, 0), density=7800, locked=AXLE),
    ], step=0.01, duration=5.0 if fine else 0.4, gravity=[0, 0, 0], contact=clearance(play))


def mill(fine):
    """A soft ball is drawn in between two gears that turn against each other."""
    wheel = surface("gear_solid.obj", extrude(gear(12, 0.42, 0.58, 0.3, 0.7), -0.4, 0.4))
    return Scene(mill.__doc__, [
        obstacle("left", wheel, (-0.7, 0, 0), prescribed=[turn(EVERYTHING, (0, 0, -1.5), (-0.7, 0, 0))]),
        obstacle("right", wheel, (0.7, 0, 0), rotation=[0, 0, 15], prescribed=[turn(EVERYTHING, (0, 0, 1.5), (0.7, 0, 0))]),
        soft("jelly", sphere(0.3, 6 if fine else 2), (0, 0.75, 0), material=material(2e4)),
    ], step=0.01 if fine else 0.02, duration=4.0 if fine else 0.8, contact={"d_hat": 2e-3, "friction": 0.4, "epsilon_v": 1e-2},
       view={"camera": [0, 0.3, 3.1], "target": [0, 0.14, 0]})


# ---- chains ---------------------------------------------------------------------------------------------------------

def bike_chain(fine):
    """Links with pins and links with bores in turn, round two sprockets; the left one is turned."""
    teeth, pitch, pin, play, straight = 8, 0.1, 0.015, 1e-3, (20 if fine else 3)
    n = 16 if fine else 8
    radius = pitch / 2 / math.sin(math.pi / teeth)
    sprocket = extrude(gear(teeth, radius - pin - 0.008, radius + 0.01, 0.2, 0.5), -0.03, -0.005).turned(180 / teeth)
    sprocket = surface("sprocket.obj", sprocket)
    inner = surface(f"chain_inner_{n}.obj", extrude(stadium(pitch, 0.03, n), 0, 0.02, [
        bore(pin + play, n, (-pitch / 2, 0)), bore(pin + play, n, (pitch / 2, 0))]))
    pins = [disc(pin, n, -0.028, 0.0249, (x, 0)) for x in (-pitch / 2, pitch / 2)]
    outer = surface(f"chain_outer_{n}.obj", extrude(stadium(pitch, 0.03, n), 0.025, 0.045) + pins[0] + pins[1])
    width = straight * pitch
    places = [(k * pitch, radius) for k in range(straight)]
    places += [(width + radius * math.sin(a), radius * math.cos(a)) for a in (2 * math.pi * k / teeth for k in range(teeth // 2))]
    places += [(width - k * pitch, -radius) for k in range(straight)]
    places += [(-radius * math.sin(a), -radius * math.cos(a)) for a in (2 * math.pi * k / teeth for k in range(teeth // 2))]
    bodies = [obstacle("driver", sprocket, prescribed=[turn(EVERYTHING, (0, 0, -2), (0, 0, 0))]),
              rigid("driven", sprocket, (width, 0, 0), density=7800, locked=AXLE)]
    for k, (a, b) in enumerate(zip(places, places[1:] + places[:1])):
        angle = math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))
        bodies.append(rigid(f"link {k}", inner if k % 2 else outer, (round((a[0] + b[0]) / 2, 9), round((a[1] + b[1]) / 2, 9), 0),
                            rotation=[0, 0, round(angle, 9)], density=7800, locked=PLANAR))
    return Scene(bike_chain.__doc__, bodies, step=0.01, duration=2.0 if fine else 0.15, contact=clearance(play))


LINK = (0.04, 0.02, 0.006)
LINK_PITCH = LINK[0] + 2 * (LINK[1] - LINK[2]) - 1e-3


def link_mesh(fine):
    return surface(f"link_{16 if fine else 6}.obj", link(*LINK, 16 if fine else 6, 8 if fine else 6))


def hanging_chain(count, mesh, top, lean=0.0, density=7800):
    """Links down from `top`, the first place below it, leaning out by so many degrees."""
    bodies = []
    for k in range(1, count + 1):
        x, y = math.sin(math.radians(lean)), -math.cos(math.radians(lean))
        place = (round(top[0] + k * LINK_PITCH * x, 9), round(top[1] + k * LINK_PITCH * y, 9), top[2])
        bodies.append(rigid(f"link {k}", mesh, place, rotation=[0, 90 * (k % 2), lean], density=density))
    return bodies


def eye():
    """The upper half link that a load hangs by, its inner top at the origin of the link's place."""
    return link(*LINK, 6, 6)


def anchor(fine):
    """A heavy anchor on a chain is lifted by a turning spool that the chain winds round."""
    count, mesh = (21 if fine else 5), link_mesh(fine)
    spool_radius = 0.05
    first = link(*LINK, 6, 6).moved(x=spool_radius + 0.008)
    spool = disc(spool_radius, 24, -0.08, 0.08) + first
    # The shank and the two arms, then an eye above it.
    outline = [(-0.015, 0), (-0.015, -0.2), (-0.06, -0.19), (-0.1, -0.13), (-0.115, -0.15), (-0.08, -0.24), (0, -0.26),
               (0.08, -0.24), (0.115, -0.15), (0.1, -0.13), (0.06, -0.19), (0.015, -0.2), (0.015, 0)]
    body = eye() + extrude(outline, -0.02, 0.02).moved(y=-0.046 - 1e-3)
    x = spool_radius + 0.008
    bodies = [obstacle("spool", surface("spool.obj", spool), prescribed=[turn(EVERYTHING, (0, 0, -3), (0, 0, 0))])]
    bodies += hanging_chain(count, mesh, (x, 0, 0))
    bodies.append(rigid("anchor", surface("anchor.obj", body), (x, round(-(count + 1) * LINK_PITCH, 9), 0),
                        rotation=[0, 90 * ((count + 1) % 2), 0], density=20000))
    return Scene(anchor.__doc__, bodies, step=0.01, duration=4.0 if fine else 0.3, contact={"d_hat": 5e-4, "friction": 0.2})


def wrecking_ball(fine):
    """A heavy ball on a chain swings into a wall of loose boxes: 560 of them (18 in the small version)."""
    columns, rows, depth = (8, 10, 7) if fine else (3, 3, 2)
    size, gap, count = 0.1, 1e-3, (12 if fine else 4)
    radius = 0.12 if fine else 0.06
    mesh = link_mesh(fine)
    length = (count + 1) * LINK_PITCH
    drop = 0.041 + radius
    height = rows * size / 2 + length + drop
    load = eye() + ball(radius, 8, 12, (0, -drop, 0))
    lean = -60
    reach = (length * math.sin(math.radians(lean)), -length * math.cos(math.radians(lean)))
    top = (-(radius + size * depth / 2 + 0.02), round(height, 9), 0)
    bodies = [obstacle("floor", shape("box", size=[4, 0.2, 4], cells_x=1, cells_y=1, cells_z=1), (0, -0.1 - gap, 0)),
              obstacle("hook", mesh, top, rotation=[0, 0, lean])]
    bodies += hanging_chain(count, mesh, top, lean)
    bodies.append(rigid("ball", surface("wrecking_ball.obj", load), (round(top[0] + reach[0], 9), round(top[1] + reach[1], 9), 0),
                        rotation=[0, 90 * ((count + 1) % 2), lean], density=7800))
    box = shape("box", size=[size, size, size], cells_x=1, cells_y=1, cells_z=1)
    for i in range(depth):
        for j in range(rows):
            for k in range(columns):
                place = [(i - (depth - 1) / 2) * (size + gap), size / 2 + j * (size + gap), (k - (columns - 1) / 2) * (size + gap)]
                bodies.append(rigid(f"box {i} {j} {k}", box, [round(c, 9) for c in place], density=500))
    view = {} if fine else {"view": {"camera": [-1.6, 0.8, 0.55], "target": [-0.05, 0.3, 0]}}
    return Scene(wrecking_ball.__doc__, bodies, step=0.01, duration=2.0 if fine else 0.5, **view,
                 contact={"d_hat": 5e-4, "friction": 0.3, "epsilon_v": 1e-3})


# ---- cradle ---------------------------------------------------------------------------------------------------------

def cradle(integrator):
    def scene(fine):
        radius, gap, length, pin, play = 0.05, 5e-4, 0.3, 0.01, 5e-4
        hanger = extrude(circle(0.02, 12), -0.02, 0.02, [bore(pin + play, 12)])
        body = surface("cradle_ball.obj", ball(radius, 12, 16).moved(y=-length) + hanger)
        pins = surface("cradle_pin.obj", disc(pin, 12, -0.04, 0.04))
        bodies = []
        for k in range(5):
            x = round(k * (2 * radius + gap), 9)
            bodies.append(obstacle(f"pin {k}", pins, (x, 0, 0)))
            lean = -40 if k == 0 else 0
            bodies.append(rigid(f"ball {k}", body, (x, round(-play / 2, 9), 0), rotation=[0, 0, lean], density=7800, locked=PLANAR))
        return Scene(scene.__doc__, bodies, step=0.001 if fine else 0.002, duration=2.0 if fine else 0.4, integrator=integrator,
                     contact={"d_hat": 2e-4, "friction": 0.0})
    scene.__doc__ = f"Newton's cradle: five balls on pins, the first let go from the side; {integrator}."
    return scene


SCENES = {
    "bolt": bolt, "piston": piston, "press_tight": press(2e-4), "press_loose": press(4e-3), "intermittent": intermittent,
    "gear_train": gear_train, "mill": mill, "bike_chain": bike_chain, "anchor": anchor, "wrecking_ball": wrecking_ball,
    "cradle": cradle("newmark"), "cradle_damped": cradle("implicit_euler"),
}
