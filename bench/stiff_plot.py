"""A log-log plot as SVG, without any library."""
import math

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 420, 80, 60, 20, 130
COLOURS = ("#1f6fb4", "#c8502d", "#3a8f4d", "#7a4fa3")


def decades(values):
    return math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))


def write_plot(path, lines, x_label, y_label):
    """lines: points (x, y) by name, all above 0."""
    points = [p for line in lines.values() for p in line]
    if len(points) < 2:
        return
    (x0, x1), (y0, y1) = decades([p[0] for p in points]), decades([p[1] for p in points])

    def place(point):
        x = LEFT + (WIDTH - LEFT - RIGHT) * (math.log10(point[0]) - x0) / (x1 - x0)
        y = HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (math.log10(point[1]) - y0) / (y1 - y0)
        return round(x, 1), round(y, 1)

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
    for k in range(x0, x1 + 1):
        x, _ = place((10.0**k, 10.0**y0))
        out.append(f'<path d="M{x} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/><text x="{x}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">{10**k:g}</text>')
    for k in range(y0, y1 + 1):
        _, y = place((10.0**x0, 10.0**k))
        out.append(f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="#ddd"/><text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{10.0**k:g}</text>')
    for k, (name, line) in enumerate(lines.items()):
        path_text = " ".join(f"{x},{y}" for x, y in map(place, line))
        colour = COLOURS[k % len(COLOURS)]
        out.append(f'<polyline points="{path_text}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x}" cy="{y}" r="4" fill="{colour}"/>' for x, y in map(place, line)]
        x, y = place(line[-1])
        out.append(f'<text x="{x + 10}" y="{y + 4}" fill="{colour}">{name}</text>')
    # Where a line of slope 1 through the first point would go.
    first = next(iter(lines.values()))[0]
    last = max(p[0] for p in points)
    end = (last, min(first[1] * last / first[0], 10.0**y1))
    (ax, ay), (bx, by) = place(first), place((end[1] / first[1] * first[0], end[1]))
    out.append(f'<path d="M{ax} {ay}L{bx} {by}" stroke="#888" stroke-dasharray="5 4"/><text x="{bx + 10}" y="{by + 4}" fill="#888">linear</text>')
    out.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 12}" text-anchor="middle">{x_label}</text>')
    out.append(f'<text x="20" y="{HEIGHT / 2}" text-anchor="middle" transform="rotate(-90 20 {HEIGHT / 2})">{y_label}</text></svg>')
    path.write_text("\n".join(out) + "\n")
