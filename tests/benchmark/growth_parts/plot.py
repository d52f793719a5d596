# SPDX-License-Identifier: GPL-3.0-or-later
"""Log-log panels as SVG, without a library: a column per variable, time above, memory below; Dubito solid, peers dashed."""
import math
from html import escape

WIDTH, HEIGHT = 190, 150
LEFT, TOP, GAP_X, GAP_Y = 50, 30, 52, 58
COLOURS = ["#1f5fa8", "#c4501b", "#3a7d34", "#7a3f98"]
TITLES = {"N": "items N", "K": "classes K", "T": "draws T", "D": "features D"}


def decades(low, high):
    return [10.0 ** power for power in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)]


def label(value):
    if 0.01 <= value < 10000:
        return f"{value:g}"
    return f"10<tspan dy='-4' font-size='8'>{round(math.log10(value))}</tspan>"


class Panel:
    def __init__(self, x, y, lines):
        self.x, self.y, self.lines = x, y, lines
        xs = [point[0] for line in lines for point in line["points"]]
        values = [point[1] for line in lines for point in line["points"]]
        self.columns, self.rows = decades(min(xs), max(xs)), decades(min(values), max(values))
        self.low = (math.log10(min(xs)) - 0.1, math.log10(self.rows[0]))
        self.high = (math.log10(max(xs)) + 0.1, math.log10(self.rows[-1]))

    def at(self, x, value):
        share = [(math.log10(part) - low) / (high - low) for part, low, high in zip((x, value), self.low, self.high)]
        return self.x + WIDTH * share[0], self.y + HEIGHT * (1 - share[1])

    def drawn(self, title, unit):
        parts = [f"<text x='{self.x}' y='{self.y - 6}'>{escape(unit)}</text>",
                 f"<text x='{self.x + WIDTH}' y='{self.y + HEIGHT + 30}' text-anchor='end'>{escape(title)}</text>"]
        for value in self.rows:
            y = self.at(1, value)[1]
            parts.append(f"<path d='M{self.x} {y:.1f}h{WIDTH}' class='grid'/>"
                         f"<text x='{self.x - 6}' y='{y + 4:.1f}' text-anchor='end'>{label(value)}</text>")
        for value in self.columns:
            x = self.at(value, 1)[0]
            if self.x <= x <= self.x + WIDTH:
                parts.append(f"<path d='M{x:.1f} {self.y}v{HEIGHT}' class='grid'/>"
                             f"<text x='{x:.1f}' y='{self.y + HEIGHT + 15}' text-anchor='middle'>{label(value)}</text>")
        for line in self.lines:
            places = [self.at(*point) for point in line["points"]]
            dashes = " stroke-dasharray='5 4'" if line["dashed"] else ""
            parts.append("<polyline fill='none' stroke-width='1.8' stroke='" + line["colour"] + f"'{dashes} points='"
                         + " ".join(f"{x:.1f},{y:.1f}" for x, y in places) + "'/>")
            parts += [f"<circle cx='{x:.1f}' cy='{y:.1f}' r='2.3' fill='{line['colour']}'/>" for x, y in places]
        return parts


def legend(lines, y):
    parts, x = [], LEFT
    for line in lines:
        dashes = " stroke-dasharray='5 4'" if line["dashed"] else ""
        parts.append(f"<path d='M{x} {y}h26' stroke-width='1.8' stroke='{line['colour']}'{dashes}/>"
                     f"<text x='{x + 32}' y='{y + 4}'>{escape(line['name'])}</text>")
        x += 52 + 7 * len(line["name"])
    return parts, x


def figure(panels, names):
    """SVG text. panels: {variable: {(who, action): [(x, seconds, MB)]}}; names: titles of actions, in the order of colours."""
    def lines_of(columns, value):
        return [{"name": f"{who}: {names[action]}", "colour": COLOURS[list(names).index(action) % len(COLOURS)],
                 "dashed": who != "Dubito", "points": [(point[0], point[value]) for point in points]}
                for (who, action), points in columns.items() if points]
    parts, known = [], {}
    for index, (variable, columns) in enumerate(panels.items()):
        for row, (value, unit) in enumerate(((1, "seconds"), (2, "MB"))):
            lines = lines_of(columns, value)
            known.update({line["name"]: line for line in lines})
            panel = Panel(LEFT + index * (WIDTH + GAP_X), TOP + row * (HEIGHT + GAP_Y), lines)
            parts += panel.drawn(TITLES[variable], unit)
    width, height = LEFT + len(panels) * (WIDTH + GAP_X), TOP + 2 * (HEIGHT + GAP_Y)
    for line in known.values():
        drawn, end = legend([line], height)
        parts += drawn
        width, height = max(width, end), height + 18
    head = (f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width:.0f} {height:.0f}' width='{width:.0f}' "
            f"height='{height:.0f}' font-family='sans-serif' font-size='12'>"
            "<style>.grid{stroke:#ddd}</style><rect width='100%' height='100%' fill='white'/>")
    return head + "\n" + "\n".join(parts) + "\n</svg>\n"
