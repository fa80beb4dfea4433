"""Aligned, close and nonsmooth contact; Erleben's degenerate cases; tunnelling; large ratios."""
from scene_parts import (Scene, box, corner_tet, floor, hold, material, move, obstacle, part, pit, shape,
                         single_tet, soft, sphere, wall)


# ---- aligned, close and nonsmooth -----------------------------------------------------------------------------------

def tet_tet(fine):
    """Single tets fall exactly onto each other: vertex on vertex, edge on parallel and on crossed edge, face on face."""
    tet, corner = single_tet(), corner_tet()
    gap = 0.02
    half = 0.353553390593
    return Scene(tet_tet.__doc__, [
        floor(0, 9.0, name="floor"),
        obstacle("edge below", tet, (-3, 0.6, 0)),
        soft("crossed edges", tet, (-3, 0.6 + 2 * half + gap, 0)),
        obstacle("turned edge below", tet, (-1, 0.6, 0), rotation=[0, 90, 0]),
        soft("parallel edges", tet, (-1, 0.6 + 2 * half + gap, 0)),
        obstacle("corner below", corner, (1, 0.8, 0), rotation=[0, 0, -135]),
        soft("vertex on vertex", corner, (1, 0.8 + gap, 0), rotation=[0, 0, 45]),
        obstacle("face below", corner, (3, 0.6, 0), rotation=[0, 0, -90]),
        soft("face on face", corner, (3, 0.6 + gap, 0)),
    ], step=0.02, duration=3.0 if fine else 0.8)


def cube_stack(fine):
    """Cubes of eight nodes, exactly aligned, fall into a stack and stay."""
    count = 10 if fine else 5
    bodies = [floor(0, 3.0)]
    for k in range(count):
        bodies.append(soft(f"cube {k}", box(0.5, 1), (0, round(0.26 + 0.51 * k, 6), 0), material=material(1e6)))
    return Scene(cube_stack.__doc__, bodies, step=0.01, duration=2.0 if fine else 0.5)


def slot(fine):
    """A cube drops into a slot that is 2 µm wider than the cube: 1 µm on either side."""
    gap = 1e-6
    side = 0.05 + gap
    return Scene(slot.__doc__, [
        wall("left", (-0.15, 0.001, -0.1), (-side, 0.2, 0.1)),
        wall("right", (side, 0.001, -0.1), (0.15, 0.2, 0.1)),
        wall("bottom", (-0.15, -0.05, -0.1), (0.15, 0, 0.1)),
        soft("cube", box(0.1, 4 if fine else 1), (0, 0.27, 0), material=material(1e6)),
    ], step=0.01, duration=1.0 if fine else 0.4, contact={"d_hat": 1e-6})


# ---- Erleben's cases ------------------------------------------------------------------------------------------------

def upside_down(name, kind, fine, at, **rest):
    """A soft spike or wedge that points down; `at` is its tip."""
    n = 6 if fine else 2
    body = (shape("spike", width=0.3, height=0.5, resolution=n) if kind == "spike"
            else shape("wedge", width=0.3, height=0.5, depth=0.3, resolution=n, cells_z=n))
    x, y, z = at
    return soft(name, body, (x, round(y + 0.25, 9), z), rotation=[180, 0, 0], material=material(1e5), **rest)


SPIKE = shape("spike", width=0.3, height=0.5, resolution=1)
WEDGE = shape("wedge", width=0.3, height=0.5, depth=0.3, resolution=1, cells_z=1)


def erleben(about, fine, bodies, **rest):
    return Scene(about, bodies, **{"step": 0.01, "duration": 2.0 if fine else 0.6, **rest})


def spikes(fine):
    """Erleben: a spike falls exactly onto the tip of another."""
    return erleben(spikes.__doc__, fine, [
        floor(-0.501), obstacle("spike below", SPIKE, (0, -0.25, 0)), upside_down("spike", "spike", fine, (0, 0.05, 0))])


def spike_and_wedge(fine):
    """Erleben: a spike falls exactly onto the ridge of a wedge."""
    return erleben(spike_and_wedge.__doc__, fine, [
        floor(-0.501), obstacle("wedge below", WEDGE, (0, -0.25, 0)), upside_down("spike", "spike", fine, (0, 0.05, 0))])


def wedges(fine):
    """Erleben: a wedge falls exactly onto the parallel ridge of another."""
    return erleben(wedges.__doc__, fine, [
        floor(-0.501), obstacle("wedge below", WEDGE, (0, -0.25, 0)), upside_down("wedge", "wedge", fine, (0, 0.05, 0))])


def spike_in_hole(fine):
    """Erleben: a spike falls into a square hole and wedges itself in."""
    return erleben(spike_in_hole.__doc__, fine, [
        obstacle("ground with a hole", pit("pit.obj", 2, 0.2, 0.6)), upside_down("spike", "spike", fine, (0, 0.05, 0))])


def crack(fine, kind, about):
    return erleben(about, fine, [
        wall("left bank", (-1, -0.6, -0.5), (-0.1, 0, 0.5)), wall("right bank", (0.1, -0.6, -0.5), (1, 0, 0.5)),
        upside_down(kind, kind, fine, (0, 0.05, 0))])


def spike_in_crack(fine):
    """Erleben: a spike falls into a crack and wedges itself in."""
    return crack(fine, "spike", spike_in_crack.__doc__)


def wedge_in_crack(fine):
    """Erleben: a wedge falls into a parallel crack and wedges itself in."""
    return crack(fine, "wedge", wedge_in_crack.__doc__)


def sliding(fine, kind, about):
    """Dragged along the ground by its base, tip down."""
    body = upside_down(kind, kind, fine, (0, 0.004, 0))
    body["prescribed"] = [move(part((0, 1, 0), (1, 1, 1)), (0.5, -0.05, 0))]
    return erleben(about, fine, [floor(0, 3.0, 12), body])


def sliding_spike(fine):
    """Erleben: a spike is pressed down and dragged over a tessellated plane by its base."""
    return sliding(fine, "spike", sliding_spike.__doc__)


def sliding_wedge(fine):
    """Erleben: a wedge is pressed down and dragged over a tessellated plane by its base."""
    return sliding(fine, "wedge", sliding_wedge.__doc__)


def cliff_edges(fine):
    """Erleben: a cube falls exactly onto two parallel cliff edges, its own edges above them."""
    return erleben(cliff_edges.__doc__, fine, [
        wall("left cliff", (-1, -1, -0.5), (-0.25, 0, 0.5)), wall("right cliff", (0.25, -1, -0.5), (1, 0, 0.5)),
        floor(-1.001, 2.5), soft("cube", box(0.5, 4 if fine else 2), (0, 0.27, 0), material=material(1e5))])


def internal_edges(fine):
    """Erleben: a cube slides, without friction, over the flush edges of a tessellated plane."""
    return erleben(internal_edges.__doc__, fine, [
        floor(0, 4.0, 16),
        soft("cube", box(0.3, 4 if fine else 2), (-1, 0.1502, 0), velocity=[1.5, 0, 0], material=material(1e6))],
        contact={"d_hat": 1e-3})


# ---- speed ----------------------------------------------------------------------------------------------------------

def tunnel(speed, camera, target):
    """camera, target: for the picture after one step, when the ball has sprung back."""
    def scene(fine):
        return Scene(scene.__doc__, [
            wall("board", (-0.01, -0.3, -0.3), (0.01, 0.3, 0.3)),
            soft("ball", sphere(0.05, 8 if fine else 3), (-0.2, 0, 0), velocity=[speed, 0, 0], material=material(1e6)),
        ], step=0.02, duration=0.4 if fine else 0.1, gravity=[0, 0, 0],
           view={"camera": camera, "target": target})
    scene.__doc__ = f"A ball of 0.1 m at {speed} m/s against a fixed board of 0.02 m, steps of 0.02 s: it must not pass."
    return scene


# ---- ratios ---------------------------------------------------------------------------------------------------------

def mass_ratio(fine):
    """A cube 1000 times as heavy as the soft cube it falls onto."""
    n = 6 if fine else 2
    return Scene(mass_ratio.__doc__, [
        floor(0, 3.0),
        soft("light", box(0.5, n), (0, 0.26, 0), material=material(1e6, 10)),
        soft("heavy", box(0.5, n), (0, 0.78, 0), rotation=[0, 30, 0], material=material(1e6, 10000)),
    ], step=0.01, duration=2.0 if fine else 0.4)


def stiffness_ratio(fine):
    """A soft slab between stiff blocks, 10⁴ times as stiff."""
    n = 6 if fine else 2
    return Scene(stiffness_ratio.__doc__, [
        floor(0, 3.0),
        soft("stiff", box(0.5, n), (0, 0.26, 0), material=material(1e8)),
        soft("soft", box([0.6, 0.2, 0.6], [2 * n, n, 2 * n]), (0, 0.63, 0), material=material(1e4)),
        soft("stiff on top", box(0.4, n), (0, 0.95, 0), rotation=[0, 20, 0], material=material(1e8)),
    ], step=0.01, duration=2.0 if fine else 0.4)


def chain(links):
    def scene(fine):
        pitch = 0.065
        mesh = dict(resolution=1, bend_segments=6, straight_segments=2)
        if fine:  # of 100 links as many nodes as the thesis has
            mesh = dict(resolution=1, bend_segments=8, straight_segments=4) if links > 10 else dict(
                resolution=2, bend_segments=12, straight_segments=6)
        bodies = []
        for k in range(links):
            body = soft(f"link {k}", shape("chain_link", **mesh), (0, round(-pitch * k, 6), 0),
                        rotation=[0, 90 * (k % 2), 0], material=material(1e7, 500))
            if k == 0:
                body["prescribed"] = [hold(part((0, 0.6, 0), (1, 1, 1)))]
            bodies.append(body)
        return Scene(scene.__doc__, bodies, step=0.04 if fine else 0.02, duration=2.0 if fine else 0.2)
    scene.__doc__ = f"A chain of {links} elastic links hangs from the first and swings out."
    return scene


SCENES = {
    "tet_tet": tet_tet, "cube_stack": cube_stack, "slot": slot,
    "erleben_spikes": spikes, "erleben_spike_and_wedge": spike_and_wedge, "erleben_wedges": wedges,
    "erleben_spike_in_hole": spike_in_hole, "erleben_spike_in_crack": spike_in_crack,
    "erleben_wedge_in_crack": wedge_in_crack, "erleben_sliding_spike": sliding_spike,
    "erleben_sliding_wedge": sliding_wedge, "erleben_cliff_edges": cliff_edges,
    "erleben_internal_edges": internal_edges,
    "tunnel_10": tunnel(10, [-0.3, 0.12, 0.36], [-0.03, 0, 0]),
    "tunnel_100": tunnel(100, [-0.48, 0.1, 0.32], [-0.1, 0, 0]),
    "tunnel_1000": tunnel(1000, [-1.56, 0.08, 0.14], [-0.72, 0, 0]),
    "mass_ratio": mass_ratio, "stiffness_ratio": stiffness_ratio,
    "chain_10": chain(10), "chain_100": chain(100),
}
