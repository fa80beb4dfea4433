"""The experiments of Medial IPC with generated solids: ships on rods, figures among cards and cacti, puffer balls on a shelf, a figure pulled."""
from catalogue import solids
from scene_parts import Scene, box, floor, material, move, hold, obstacle, part, rigid, shape, wall

SOFT = material(2e5, 1000, 0.4)


def medial(name, mesh, handles, at=(0, 0, 0), **rest):
    body = {"name": name, "kind": "medial", **mesh, "handles": handles, "weight_threshold": 0.01, "collider": "medial", "position": list(at)}
    body["material"] = rest.pop("material", SOFT)
    body.update(rest)
    return body


def cell(fine, size=0.09):
    return size / 2 if fine else size


def ships(count):
    def scene(fine):
        mesh, handles = solids.ship(cell(fine, 0.06)), 60 if fine else 24
        rods = [obstacle(f"rod {k}", shape("cylinder", radius=0.04, height=3, resolution=2, layers=1), (x, 0.2, 0), rotation=[90, 0, 0])
                for k, x in enumerate((-0.55, 0.0, 0.55))]
        bodies = [medial(f"ship {k}", mesh, handles, (0.1 * k, 0.7 + 0.9 * k, 0), rotation=[0, 20 * k, 0]) for k in range(count)]
        return Scene(scene.__doc__, [*bodies, *rods, floor(-0.5, 4)], duration=2.0 if fine else 0.5, contact={"friction": 0.2})
    scene.__doc__ = f"{'A ship falls' if count == 1 else 'Two ships fall'} on rods, paddles and masts bend."
    return scene


def figure_into_cards(fine):
    """A figure is thrown into a house of cards."""
    card = box([0.02, 0.6, 0.4], 1)
    cards = [rigid(f"card {k}", card, (0.55 + 0.16 * (k % 2), 0.3 + 0.0005, 0.45 * (k // 2 - 1)), density=300) for k in range(6)]
    lid = rigid("lid", box([0.5, 0.02, 1.4], 1), (0.63, 0.6125, 0), density=300)
    thrown = medial("figure", solids.figure(cell(fine)), 80 if fine else 30, (-0.8, 0.05, 0), velocity=[4, 0.5, 0])
    return Scene(figure_into_cards.__doc__, [thrown, *cards, lid, floor(0, 6)], duration=1.5 if fine else 0.4, contact={"friction": 0.3})


def figure_into_cacti(friction, name):
    def scene(fine):
        grown = solids.cactus(cell(fine, 0.07))
        # Arms of the cacti point along the ring of stems; the figure comes down flat over the middle of it.
        cacti = [obstacle(f"cactus {k}", grown, (0.66 * (k % 2) - 0.33, 0, 0.64 * (k // 2) - 0.32), rotation=[0, turn, 0], scale=[1, 1.8, 1])
                 for k, turn in enumerate((45, 315, 135, 225))]
        falling = medial("figure", solids.figure(cell(fine)), 80 if fine else 30, (0, 2.1, -0.9), rotation=[80, 0, 0])
        return Scene(scene.__doc__, [falling, *cacti, floor(-0.1, 5)], duration=2.5 if fine else 2.0, contact={"friction": friction})
    scene.__doc__ = f"A figure falls into cacti with {name} friction."
    return scene


def puffers(count):
    def scene(fine):
        strings = (162 if count == 1 else 42) if fine else 20
        mesh = solids.puffer(strings, cell(fine, 0.08))
        shelf = [wall(f"board {k}", (-1.2 + 0.5 * (k % 2), 1.6 - 0.8 * k, -0.8), (0.7 + 0.5 * (k % 2), 1.66 - 0.8 * k, 0.8)) for k in range(2)]
        for k, board in enumerate(shelf):
            board["rotation"] = [0, 0, -18 if k % 2 == 0 else 18]
        balls = [medial(f"puffer {k}", mesh, 2 * strings + 1, (-0.5 + 0.1 * (k % 2), 2.7 + 1.4 * k, 0.05 * k), material=material(1e5, 500, 0.4))
                 for k in range(count)]
        return Scene(scene.__doc__, [*balls, *shelf, floor(-0.6, 6)], duration=3.0 if fine else 0.4, contact={"friction": 0.1})
    scene.__doc__ = f"{'A puffer ball rolls' if count == 1 else f'{count} puffer balls roll'} down a zigzag shelf."
    return scene


def figure_pulled(handles):
    def scene(fine):
        ends = [hold(part((0, 0, 0), (1, 0.08, 1))), move(part((0, 0.6, 0), (0.06, 1, 1)), (-0.5, 0.2, 0)), move(part((0.94, 0.6, 0), (1, 1, 1)), (0.5, 0.2, 0))]
        pulled = medial("figure", solids.figure(cell(fine)), handles, prescribed=ends)
        return Scene(scene.__doc__, [pulled], duration=1.0 if fine else 0.2)
    scene.__doc__ = f"A figure stands on its feet and is pulled at its hands, with {handles} handles."
    return scene


SCENES = {
    "ship_on_rods": ships(1),
    "two_ships_on_rods": ships(2),
    "figure_into_cards": figure_into_cards,
    "figure_into_cacti_rough": figure_into_cacti(0.6, "high"),
    "figure_into_cacti_smooth": figure_into_cacti(0.02, "low"),
    "puffer_on_shelf": puffers(1),
    "two_puffers_on_shelf": puffers(2),
    "five_puffers_on_shelf": puffers(5),
    "figure_pulled_20": figure_pulled(20),
    "figure_pulled_50": figure_pulled(50),
    "figure_pulled_200": figure_pulled(200),
}
