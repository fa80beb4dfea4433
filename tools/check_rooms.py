#!/usr/bin/env python3
"""The rooms of src/: no cycles between them, none with more than 30 files, each with a README; and their drawing.

Usage: check_rooms.py [ROOT] checks; check_rooms.py [ROOT] --draw FILE.svg draws which room includes which, made from the
includes. A room is a folder of src/ with sources. The drawing shows an arrow from a room to each that it includes, less
those that follow from others.
"""
import argparse
import re
import sys
from pathlib import Path

MOST_FILES = 30
README_LINES = range(8, 21)
PARTS = ("exec/cpu", "exec/cuda")  # back ends: parts of the room above them
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def name_room(folder):
    return str(Path(folder).parent) if str(folder) in PARTS else str(folder)


def list_rooms(root):
    """{room: its source files}"""
    rooms = {}
    for path in sorted((root / "src").rglob("*")):
        if path.suffix in {".h", ".cpp", ".cu"}:
            rooms.setdefault(name_room(path.parent.relative_to(root / "src")), []).append(path)
    return rooms


def list_arrows(root, rooms):
    """{room: {room that it includes: a file that does}}"""
    arrows = {room: {} for room in rooms}
    for room, files in rooms.items():
        for file in files:
            for name in INCLUDE.findall(file.read_text(encoding="utf-8")):
                target = name_room(Path(name).parent)
                if target in rooms and target != room:
                    arrows[room].setdefault(target, f"{file.relative_to(root)} includes {name}")
    return arrows


def find_cycle(arrows):
    """Rooms that include each other in a circle, the first one again at the end; empty if there are none."""
    done, path = set(), []

    def visit(room):
        if room in path:
            return path[path.index(room):] + [room]
        if room in done:
            return []
        path.append(room)
        for target in sorted(arrows[room]):
            cycle = visit(target)
            if cycle:
                return cycle
        path.pop()
        done.add(room)
        return []

    for room in sorted(arrows):
        cycle = visit(room)
        if cycle:
            return cycle
    return []


def check(root):
    rooms = list_rooms(root)
    arrows = list_arrows(root, rooms)
    problems = []
    cycle = find_cycle(arrows)
    for here, there in zip(cycle, cycle[1:]):
        problems.append(f"src/{here} and src/{there} are part of a circle: {arrows[here][there]}")
    for room, files in rooms.items():
        if len(files) > MOST_FILES:
            problems.append(f"src/{room}: {len(files)} files; split rooms of more than {MOST_FILES}")
        readme = root / "src" / room / "README.md"
        if not readme.is_file():
            problems.append(f"src/{room}: no README.md that says what it is for, what it includes, and which page explains it")
        elif len(readme.read_text(encoding="utf-8").splitlines()) not in README_LINES:
            problems.append(f"src/{room}/README.md: not {README_LINES[0]} to {README_LINES[-1]} lines")
    return problems


def reduce(arrows):
    """Less the arrows that follow from others."""
    reach = {}

    def visit(room):
        if room not in reach:
            reach[room] = set()
            for target in arrows[room]:
                reach[room] |= {target} | visit(target)
        return reach[room]

    for room in arrows:
        visit(room)
    return {room: {t for t in targets if not any(t in reach[other] for other in targets if other != t)}
            for room, targets in arrows.items()}


def rank(arrows):
    """How many arrows lie below a room at most."""
    ranks = {}

    def visit(room):
        if room not in ranks:
            ranks[room] = 1 + max((visit(target) for target in arrows[room]), default=-1)
        return ranks[room]

    for room in arrows:
        visit(room)
    return ranks


WIDTH, HEIGHT, GAP_X, GAP_Y = 168, 34, 22, 44


def place(arrows, ranks):
    """{room: (x, y)} of its centre: rows by rank, lowest at the bottom; in a row near what it includes."""
    rows = {}
    for room, level in ranks.items():
        rows.setdefault(level, []).append(room)
    longest = max(len(row) for row in rows.values())
    places = {}
    for level in sorted(rows):
        def wanted(room):
            below = [places[t][0] for t in arrows[room] if t in places]
            return sum(below) / len(below) if below else 0
        row = sorted(rows[level], key=lambda room: (wanted(room), room))
        left = (longest - len(row)) * (WIDTH + GAP_X) / 2
        for i, room in enumerate(row):
            places[room] = (left + i * (WIDTH + GAP_X) + WIDTH / 2, (max(rows) - level) * (HEIGHT + GAP_Y) + HEIGHT / 2)
    return places


def draw(root):
    rooms = list_rooms(root)
    arrows = reduce(list_arrows(root, rooms))
    places = place(arrows, rank(arrows))
    margin = 10
    width = max(x for x, _ in places.values()) + WIDTH / 2 + margin
    height = max(y for _, y in places.values()) + HEIGHT / 2 + margin
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-margin} {-margin} {width + margin:g} {height + margin:g}" '
             'font-family="sans-serif" font-size="13">',
             '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
             '<path d="M0 0 8 4 0 8z" fill="#667"/></marker></defs>',
             f'<rect x="{-margin}" y="{-margin}" width="{width + margin:g}" height="{height + margin:g}" fill="white"/>']
    for room in sorted(arrows):
        for target in sorted(arrows[room]):
            (x0, y0), (x1, y1) = places[room], places[target]
            y0, y1 = y0 + HEIGHT / 2, y1 - HEIGHT / 2
            lines.append(f'<path d="M{x0:g} {y0:g}C{x0:g} {y0 + GAP_Y * 0.6:g} {x1:g} {y1 - GAP_Y * 0.6:g} {x1:g} {y1:g}" '
                         'fill="none" stroke="#99a" marker-end="url(#tip)"/>')
    for room, (x, y) in sorted(places.items()):
        colour = f"hsl({sum(map(ord, room.split('/')[0])) * 47 % 360} 55% 90%)"
        lines.append(f'<rect x="{x - WIDTH / 2:g}" y="{y - HEIGHT / 2:g}" width="{WIDTH}" height="{HEIGHT}" rx="6" fill="{colour}" stroke="#667"/>')
        lines.append(f'<text x="{x:g}" y="{y + 4.5:g}" text-anchor="middle">{room} <tspan fill="#778">{len(rooms[room])}</tspan></text>')
    return "\n".join(lines + ["</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", nargs="?", type=Path, default=Path("."))
    parser.add_argument("--draw", type=Path)
    arguments = parser.parse_args()
    if arguments.draw:
        arguments.draw.write_text(draw(arguments.root), encoding="utf-8")
        return 0
    problems = check(arguments.root)
    drawing = arguments.root / "docs/pictures/rooms.svg"
    if not problems and (not drawing.is_file() or drawing.read_text(encoding="utf-8") != draw(arguments.root)):
        problems.append("docs/pictures/rooms.svg is not of these rooms: make it again with tools/check_rooms.py . --draw docs/pictures/rooms.svg")
    for problem in problems:
        print(problem)
    print(f"rooms: {len(problems)} problem{'s' if len(problems) != 1 else ''}" if problems else "rooms: fine")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
