"""Figures of others that `./dev bench stiff` sets beside ours, and which scenes they belong to."""

# rigid-ipc (23b6ba6f), one thread, on this kind of machine: fixture, steps asked, steps done, ms per step, Newton steps.
RIGID_IPC = {
    "5-cubes": ("unit-tests/5-cubes.json", 200, 200, 2.16, 257),
    "tet-corner": ("unit-tests/tet-corner.json", 100, 100, 0.50, 105),
    "edge-edge": ("unit-tests/edge-edge.json", 100, 100, 0.28, 102),
    "arch-25": ("friction/arch/arch-25-stones.json", 50, 50, 165.75, 145),
    "card-house-2": ("friction/card-house/card-house-2-levels.json", 30, 15, None, 7762),
    "chain-10": ("chain/10-links.json", 60, 60, 27.66, 98),
}

# IPC thesis, table 4.1: seconds and Newton iterations per step on up to 16 cores, by fixture and by scene of ours.
THESIS = {
    "mechanisms/bolt": (3.5, 8.3), "mechanisms/507-movements/092-piston": (1.5, 9.9),
    "mechanisms/507-movements/140-punching-press": (1.3, 9.2), "friction/arch/arch-25-stones": (None, None),
    "friction/turntable/turntable-mu=0.0": (0.004, 2.3), "friction/turntable/turntable-mu=0.5": (0.01, 5.9),
    "bolt": (3.5, 8.3), "piston": (1.5, 9.9), "intermittent": (0.2, 5.7), "bike_chain": (21.6, 42.0),
    "press_tight": (1.3, 9.2), "press_loose": (1.3, 12.5), "cards": (3.2, 161.9), "wire_net_16": (20.5, 130.5),
    "coin": (0.01, 3.8), "wrecking_ball": (4.8, 17.1), "anchor": (3.0, 21.4), "arch_101": (0.21, 2.1), "lewis": (0.02, 2.7),
    "turntable_0": (0.004, 2.3), "turntable_01": (0.003, 2.9), "turntable_05": (0.01, 5.9), "turntable_1": (0.01, 9.1),
    "packing": (33.5, 91.3),
}

# Bullet 3.24, one thread, on this kind of machine: ms per step and deepest penetration in m, at 1/100, 1/240, 1/1000 s.
BULLET = {
    "heap_16": ((0.031, 0.030, 0.030), (0.05306, 0.01888, 0.00530)),
    "heap_142": ((0.32, 0.295, 0.297), (0.12084, 0.03766, 0.00915)),
    "heap_562": ((1.26, 1.21, 1.18), (0.15438, 0.06317, 0.01233)),
    "pyramid_16": ((0.052, 0.050, 0.051), (0.00007, 0.00002, 0.00001)),
    "pyramid_142": ((0.52, 0.52, 0.551), (0.00209, 0.00036, 0.00002)),
    "pyramid_562": ((2.35, 2.3, 2.309), (0.00582, 0.00101, 0.00006)),
    "rings_16": ((0.86, 0.8, 0.666), (0.01100, 0.00820, 0.00098)),
    "rings_142": ((7.6, 6.9, 6.012), (0.01638, 0.00916, 0.00576)),
    "rings_562": ((30.3, 27.9, 23.838), (0.01755, 0.00916, 0.00620)),
}

# Affine Body Dynamics, its authors' slides: ms per step of theirs and of their Bullet, at the same three steps. Their
# shapes are not published; ours are the mixed piles with the same numbers of bodies.
ABD_SLIDES = {"pile_16": ((3, 2.2, 2), (2, 1.5, 3)), "pile_142": ((92, 41, 19), (68, 58, 82)),
              "pile_562": ((657, 328, 102), (629, 809, 804))}

STEPS = ("1/100", "1/240", "1/1000")
