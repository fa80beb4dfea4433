"""Scenes around the parts of scenes that pages show: keys or objects of any place, lists, beginnings that go on."""
import json
import re

import stand_in

STRING = r'"(?:[^"\\]|\\.)*"'
# How many copies a body gets that a joint names with an expression, as in "link[{i + 1}]".
COPIES = 30


def read_fragment(text):
    """The values of the fragment in a list for each group of them that belongs together: values with commas between them
    are one list, values without stand for themselves. Raises ValueError if it is no JSON."""
    text = re.sub(rf"({STRING})|//[^\n]*|/\*.*?\*/", lambda found: found.group(1) or "", text, flags=re.S)
    text = re.sub(rf"({STRING})|(?:…|\.\.\.)", lambda found: found.group(1) or " null ", text)
    text = re.sub(r"(?<=[}\]])(\s*)null\b", r", null", text)
    goes_on = text.rstrip().endswith(",")
    text = text.strip().rstrip(",").strip()
    if text.startswith('"'):
        text = "{" + text + "}"
    if goes_on:
        text += missing_brackets(text)
    decoder = json.JSONDecoder(object_pairs_hook=refuse_doubles)
    groups, at, continues = [], 0, False
    while at < len(text):
        value, end = decoder.raw_decode(text, at)
        (groups[-1].append if continues else lambda first: groups.append([first]))(value)
        rest = re.compile(r"\s*(,?)\s*").match(text, end)
        at, continues = rest.end(), bool(rest.group(1))
    return [drop_dots(group) for group in groups]


def is_complete(text):
    """Whether the text is JSON as it is, nothing left out."""
    return text.lstrip().startswith("{") and not text.rstrip().endswith(",") and not re.search(r"…|\.\.\.", text)


def missing_brackets(text):
    """What closes a fragment that ends with a comma: the page shows the beginning only."""
    closing = []
    for found in re.finditer(rf"{STRING}|[\[\]{{}}]", text):
        if found.group() in "[{":
            closing.append("]" if found.group() == "[" else "}")
        elif found.group() in "]}" and closing:
            closing.pop()
    return "".join(reversed(closing))


def refuse_doubles(pairs):
    names = [name for name, _ in pairs]
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f'the key "{name}" appears twice')
    return dict(pairs)


def drop_dots(value):
    """Without the null that stands for "…" in a list."""
    if isinstance(value, list):
        return [drop_dots(part) for part in value if part is not None]
    return {key: drop_dots(part) for key, part in value.items()} if isinstance(value, dict) else value


def make_body(keys, place=0):
    """The body, with what it lacks to be one."""
    body = dict(keys)
    body.setdefault("name", f"part {place}")
    if not {"mesh", "shape", "plane"} & set(body):
        body["shape"] = {"type": "box"}
    if not {"position", "rest_on", "plane"} & set(body):
        body["position"] = [0, 5 + 3 * place, 0]
    return body


def make_joined(joints):
    """A scene with the joints, and the bodies that they name: where the joints are, and so through each other."""
    bodies = {}
    for joint in joints:
        at = joint.get("at", [0, 0, 0])
        for name in (joint[end] for end in ("a", "b") if joint.get(end, "world") != "world"):
            plain = re.sub(r"\[.*\]$", "", name)
            body = {"name": plain, "shape": {"type": "box"}, "position": at}
            if plain != name:
                body["copies"] = {"count": COPIES}
            bodies.setdefault(plain, body)
    return {"bodies": list(bodies.values()), "joints": joints, "contact": {"enabled": False}}


def list_scenes(group):
    """The scenes that the objects may be a part of, the likeliest first."""
    keys = set().union(*group)
    if keys & {"bodies", "include"} and len(group) == 1:
        scene = dict(group[0])
        if "include" not in scene:
            scene["bodies"] = [make_body(body, place) for place, body in enumerate(scene["bodies"])]
        return [scene]
    bodies = {"bodies": [make_body(body, place) for place, body in enumerate(group)]}
    beam = [{**body, "position": [0, 5, 0]} for body in stand_in.BEAM["bodies"]]  # above a ground, if the part has one
    if "type" in keys and ("a" in keys or "at" in keys):
        return [make_joined(group)]
    scenes = [bodies] if len(group) > 1 or {"mesh", "shape", "kind", "name"} & keys else []
    if len(group) == 1:
        part = group[0]
        joints = {"bodies": beam, **part}
        if "joints" in part:
            joints = {**make_joined(part["joints"]), **part}
        scenes += [joints, bodies]
        scenes += [{"bodies": beam, key: part} for key in ("contact", "time", "solver", "output", "view", "ground")]
        scenes += [{"bodies": [make_body({key: value})]} for key, value in (
            ("material", part), ("shape", part), ("copies", part), ("prescribed", [part]), ("forces", [part]),
            ("prescribed", [{"select": part}]))]
    return scenes
