"""Codimensional obstacles, large deformation, high speed, large time steps."""
from scene_parts import (EVERYTHING, Scene, box, funnel, grid_points, knives, material, obstacle, part, pins,
                         poses, shape, soft, sphere, turn, wall, wires)


# ---- obstacles of points, wires and blades --------------------------------------------------------------------------

def ball_on_points(fine):
    """A soft ball falls onto a bed of loose points."""
    return Scene(ball_on_points.__doc__, [
        obstacle("points", grid_points("points_31.obj" if fine else "points_11.obj", 31 if fine else 11, 0.8)),
        soft("ball", sphere(0.25, 8 if fine else 3), (0, 0.27, 0), material=material(1e4)),
    ], step=0.04 if fine else 0.02, duration=4.0 if fine else 0.5)


def mat_on_wires(fine):
    """A soft mat falls across parallel wires without thickness."""
    n = 40 if fine else 10
    return Scene(mat_on_wires.__doc__, [
        obstacle("wires", wires("wires.obj", 8, 0.9)),
        soft("mat", shape("plate", width=1, depth=1, thickness=0.02, cells_x=n, cells_z=n), (0, 0.05, 0),
             rotation=[0, 20, 0], material=material(2e4)),
    ], step=0.04 if fine else 0.02, duration=4.0 if fine else 0.5)


def mat_on_knives(fine):
    """A soft mat falls onto blades without thickness."""
    n = 40 if fine else 10
    return Scene(mat_on_knives.__doc__, [
        obstacle("knives", knives("knives.obj", 5, 0.8, 0.5)),
        soft("mat", shape("plate", width=1, depth=1, thickness=0.02, cells_x=n, cells_z=n), (0, 0.03, 0),
             material=material(2e4)),
    ], step=0.04 if fine else 0.02, duration=4.0 if fine else 0.5)


def pin_cushion(fine):
    """A plate presses a soft ball onto a bed of pins."""
    count = 15 if fine else 7
    return Scene(pin_cushion.__doc__, [
        obstacle("pins", pins(f"pins_{count}.obj", count, 0.7, 0.6), (0, -0.26, 0)),
        soft("ball", sphere(0.25, 8 if fine else 3), material=material(1e4)),
        obstacle("press", box([1, 0.02, 1], 1), (0, 0.27, 0),
                 prescribed=[poses(EVERYTHING, (0, [0, 0, 0]), (0.5, [0, -0.25, 0]))]),
    ], step=0.04 if fine else 0.02, duration=2.0 if fine else 0.5, gravity=[0, 0, 0])


# ---- large deformation ----------------------------------------------------------------------------------------------

# 18° a second: five turns from each side in 100 s. The thesis turns four times as fast, meshes twenty times as fine.
SLOW_TURN = 0.31416

def pull_through_funnel(fine):
    """A soft body is drawn by its nose through a funnel a third of its width."""
    ring = [(0.45, 0.3), (0.3, 0.1), (0.1, -0.15), (0.1, -0.4)]
    select = part((0, 0, 0), (1, 0.06 if fine else 0.3, 1))
    time = 2.0
    return Scene(pull_through_funnel.__doc__, [
        obstacle("funnel", funnel("funnel_40.obj" if fine else "funnel_16.obj", ring, 40 if fine else 16)),
        soft("fish", {**sphere(0.2, 10 if fine else 2), "scale": [1, 2, 1]}, (0, 0.45, 0), material=material(1e4),
             prescribed=[poses(select, (0, [0, 0, 0]), (time, [0, -1.6, 0]))]),
    ], step=0.04 if fine else 0.05, duration=time, gravity=[0, 0, 0])


def mat_twist(fine):
    """A mat is twisted from both sides."""
    n = 16 if fine else 12
    return Scene(mat_twist.__doc__, [
        soft("mat", shape("plate", width=1, depth=1, thickness=0.01 if fine else 0.02, cells_x=n, cells_z=n),
             material=material(2e4), prescribed=[
                 turn(part((0, 0, 0), (0, 1, 1)), (-SLOW_TURN if fine else -3, 0, 0), [-0.5, 0, 0]),
                 turn(part((1, 0, 0), (1, 1, 1)), (SLOW_TURN if fine else 3, 0, 0), [0.5, 0, 0])]),
    ], step=0.04, duration=100.0 if fine else 1.6, gravity=[0, 0, 0])


def twisting_rods(fine, speed):
    n = (16, 2) if fine else (12, 2)
    bodies = []
    for k, (y, z) in enumerate(((-0.08, -0.08), (-0.08, 0.08), (0.08, -0.08), (0.08, 0.08))):
        bodies.append(soft(f"rod {k}", box([1, 0.12, 0.12], [n[0], n[1], n[1]]), (0, y, z), material=material(1e4),
                           prescribed=[turn(part((0, 0, 0), (0, 1, 1)), (-speed, 0, 0), [-0.5, 0, 0]),
                                       turn(part((1, 0, 0), (1, 1, 1)), (speed, 0, 0), [0.5, 0, 0])]))
    return bodies


def rods_twist(fine):
    """Four rods are twisted into one strand from both ends."""
    return Scene(rods_twist.__doc__, twisting_rods(fine, SLOW_TURN if fine else 3), step=0.025 if fine else 0.04,
                 duration=100.0 if fine else 1.2, gravity=[0, 0, 0])


def large_steps(step):
    def scene(fine):
        return Scene(scene.__doc__, twisting_rods(False, 0.6), step=step, duration=6.0 if fine else max(2.0, 2 * step),
                     gravity=[0, 0, 0])
    scene.__doc__ = f"Four rods are twisted into one strand with steps of {step} s."
    return scene


def compactor(fine):
    """Six walls close around a ball, a mat and a ring."""
    n = 6 if fine else 2
    bodies = [
        soft("ball", sphere(0.22, n), (-0.45, 0, 0), material=material(1e4)),
        soft("mat", shape("plate", width=0.8, depth=0.8, thickness=0.04, cells_x=5 * n, cells_z=5 * n), (0, 0, 0),
             rotation=[0, 0, 90], material=material(1e4)),
        soft("ring", shape("torus", ring_radius=0.2, tube_radius=0.08, resolution=max(1, n // 2), segments=6 * n),
             (0.45, 0, 0), rotation=[90, 0, 0], material=material(1e4)),
    ]
    close = 0.55
    for axis in range(3):
        for side in (-1, 1):
            at, size = [0, 0, 0], [1.5, 1.5, 1.5]
            at[axis], size[axis] = side * 0.85, 0.1
            way = [0, 0, 0]
            way[axis] = -side * close
            bodies.append(obstacle(f"wall {'xyz'[axis]}{'+' if side > 0 else '-'}", box(size, 1), at,
                                   prescribed=[poses(EVERYTHING, (0, [0, 0, 0]), (1.0, way))]))
    return Scene(compactor.__doc__, bodies, step=0.01 if fine else 0.05, duration=1.2 if fine else 1.0,
                 gravity=[0, 0, 0])


def squeeze_out(fine):
    """A plunger presses soft bodies out of a box through a narrow neck."""
    ring = [(0.5, 1.6), (0.5, 0.0), (0.16, -0.4), (0.16, -0.6)]
    n = 6 if fine else 2
    return Scene(squeeze_out.__doc__, [
        obstacle("nozzle", funnel("nozzle_40.obj" if fine else "nozzle_16.obj", ring, 40 if fine else 16)),
        obstacle("plunger", shape("cylinder", radius=0.47, height=0.1, resolution=2, layers=1), (0, 1.4, 0),
                 prescribed=[poses(EVERYTHING, (0, [0, 0, 0]), (2.0, [0, -1.35, 0]))]),
        soft("ball", sphere(0.3, n), (0.05, 0.25, 0), material=material(5e4)),
        soft("ring", shape("torus", ring_radius=0.25, tube_radius=0.1, resolution=max(1, n // 2), segments=6 * n),
             (0, 0.7, 0), material=material(5e4)),
        soft("block", box(0.4, n), (0, 1.1, 0), rotation=[0, 30, 0], material=material(5e4)),
    ], step=0.01 if fine else 0.05, duration=2.2 if fine else 2.0, gravity=[0, -9.81, 0])


# ---- speed ----------------------------------------------------------------------------------------------------------

def ball_impact(fine):
    """A foam ball of 0.04 m hits a fixed plate at 67 m/s; Newmark with steps of 20 µs."""
    return Scene(ball_impact.__doc__, [
        wall("plate", (0.0, -0.06, -0.06), (0.01, 0.06, 0.06)),
        soft("ball", sphere(0.02, 12 if fine else 4), (-0.0205, 0, 0), velocity=[67, 0, 0],
             material=material(1e7, 1150, 0.45)),
    ], step=2e-5, duration=1.2e-3 if fine else 4e-4, gravity=[0, 0, 0], integrator="newmark")


SCENES = {
    "ball_on_points": ball_on_points, "mat_on_wires": mat_on_wires, "mat_on_knives": mat_on_knives,
    "pin_cushion": pin_cushion, "funnel": pull_through_funnel, "mat_twist": mat_twist, "rods_twist": rods_twist,
    "compactor": compactor, "squeeze_out": squeeze_out, "ball_impact": ball_impact,
    "large_step_half": large_steps(0.5), "large_step_two": large_steps(2.0),
}
