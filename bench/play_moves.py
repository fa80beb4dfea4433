"""Random hands for `marrow play --script`: seeded grabs, throws, presses, shakes and changes of settings.

Everything is drawn from the seed. A hand holds a body at one to three random points of it and leads them
    lift    up, and lets go there
    throw   in a few steps far across the scene, letting go on the way
    press   down through whatever is below, or sideways into what is there, for a while
    shake   to a random place every few steps
with a strength from that of one weight to thirty. Up to three bodies are held at a time.
"""
import json
import random
import re
import subprocess

MOST_HELD = 3


def list_bodies(marrow, scene):
    """Name and number of points of every body that can be grabbed, as `marrow info` tells."""
    text = subprocess.run([marrow, "info", str(scene)], check=True, capture_output=True, text=True).stdout
    found = re.findall(r"^  (.+?)\s+(soft|affine|rigid|medial|obstacle), ([\d,]+) points", text, re.MULTILINE)
    return [(name, int(points.replace(",", "")), kind) for name, kind, points in found if kind != "obstacle"]


class Hand:
    """What one hand does, from its first step to its last."""

    def __init__(self, rng, body, step, region):
        self.name, count, _ = body
        self.rng, self.first, self.region = rng, step, region
        self.points = rng.sample(range(count), rng.randint(1, min(3, count)))
        weights = [rng.random() + 0.01 for _ in self.points]
        self.weights = [w / sum(weights) for w in weights]
        self.strength = rng.choice([1, 2, 5, 5, 10, 30])
        self.what = rng.choice(["lift", "throw", "throw", "press", "press", "shake"])
        self.last = step + {"lift": 25, "throw": rng.randint(3, 9), "press": rng.randint(10, 50), "shake": rng.randint(10, 40)}[self.what]
        self.start, self.end = self.place(), self.place()
        if self.what == "throw":
            self.end = [3 * c for c in self.end]
        if self.what == "press" and rng.random() < 0.7:
            self.end[1] = region[0][1] - 1

    def place(self):
        low, high = self.region
        return [self.rng.uniform(a, b) for a, b in zip(low, high)]

    def target(self, step):
        if self.what == "shake":
            return self.place() if (step - self.first) % 3 == 0 else None
        share = min(1.0, (step - self.first) / max(1, min(self.last - self.first, 8)))
        return [a + share * (b - a) for a, b in zip(self.start, self.end)]


def draw_settings(rng, bodies):
    what = rng.choice(["gravity", "friction", "stiffness", "one"])
    if what == "gravity":
        return {"gravity": rng.choice([[0, -9.81, 0], [0, -1.6, 0], [0, 0, 0], [3, -9, 2], [0, -20, 0]])}
    if what == "friction":
        return {"friction": rng.choice([0, 0.1, 0.3, 0.8])}
    soft = [name for name, _, kind in bodies if kind in ("soft", "medial", "affine")]
    if what == "one" and soft:
        return {"stiffness": rng.choice([0.3, 1, 3]), "body": rng.choice(soft)}
    return {"stiffness": rng.choice([0.3, 1, 1, 3])}


def draw_moves(bodies, steps, seed, region, settings=True):
    """The lines of a script."""
    rng, hands, lines = random.Random(seed), {}, []

    def say(step, **message):
        lines.append(json.dumps({"step": step, **message}))

    for step in range(1, steps + 1):
        for name, hand in list(hands.items()):
            if step > hand.last:
                say(step, do="release", body=name)
                del hands[name]
            elif (target := hand.target(step)) is not None and step > hand.first:
                say(step, do="move", body=name, target=target)
        if settings and rng.random() < 0.005:
            say(step, do="set", **draw_settings(rng, bodies))
        if len(hands) >= MOST_HELD or rng.random() > 0.12:
            continue
        body = rng.choice(bodies)
        if body[0] in hands:
            continue
        hand = hands[body[0]] = Hand(rng, body, step, region)
        say(step, do="grab", body=body[0], points=hand.points, weights=hand.weights, target=hand.start, strength=hand.strength)
    return lines
