# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits, tables and figures of growth.py, from measured points."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "resources"))
import measurements  # noqa: E402  the folder is known only now

from . import fit, plot  # noqa: E402
from .series import ACTIONS, FIGURES  # noqa: E402

TOLERANCE = 0.05
CORES = 64
CORE_MEMORY_MB = 256e3
CLASS_MEMORY_MB = 64e3
DAY = 86400
MILLION = 1_000_000
POINT_COLUMNS = ("action", "who", "variable", "size", "seconds", "MB")
LEFT_OUT_COLUMNS = ("action", "who", "variable", "from", "because of")
SHARE_COLUMNS = ("action", "variable", "size", "share of one thread")
ORDER = [action.name for action in ACTIONS]


def file_in(folder):
    return folder / "docs" / "measurements" / "growth.json"


def kept(folder):
    """The group with its texts; at first those of page.json."""
    return measurements.load(file_in(folder) if file_in(folder).exists() else Path(__file__).with_name("page.json"))


def plain(value):
    if isinstance(value, measurements.Number):
        return float(value) if set(value) & set(".e") else int(value)
    return value


def data_of(group):
    """The measured part of a group of docs/measurements."""
    def rows(name):
        found = [table["rows"] for table in group["tables"] if table["name"] == name]
        return [[plain(cell) for cell in row] for row in found[0]] if found else []
    return {**{key: group[key] for key in ("machine", "date", "version") if key in group},
            "points": rows("points"), "left_out": rows("left-out"), "shares": rows("shares")}


def merged(old, new, names, forget):
    """The new figures, and the old ones of other actions."""
    for part in ("points", "left_out", "shares"):
        others = [] if forget else [row for row in old[part] if row[0] not in names]
        new[part] = sorted(others + new[part], key=lambda row: ORDER.index(row[0]))
    return new


def spaced(count):
    return f"{count:,.0f}".replace(",", " ")


def rough(value):
    """Two digits; 1 200 000 or 2.4e12."""
    if value >= 1e9:
        return f"{value:.1e}".replace("e+", "e")
    return spaced(float(f"{value:.2g}")) if value >= 10 else f"{value:.2g}"


def duration(seconds):
    for limit, unit in ((1, 1e-3), (120, 1), (7200, 60), (2 * DAY, 3600), (730 * DAY, DAY)):
        if seconds < limit:
            name = {1e-3: "ms", 1: "s", 60: "min", 3600: "h", DAY: "days"}[unit]
            return f"{rough(seconds / unit)} {name}"
    return f"{rough(seconds / 365 / DAY)} years"


def memory(megabytes):
    for limit, unit, name in ((1e3, 1, "MB"), (1e6, 1e3, "GB"), (1e9, 1e6, "TB")):
        if megabytes < limit:
            return f"{rough(megabytes / unit)} {name}"
    return f"{rough(megabytes / 1e9)} PB"


def points_of(data, action, who, variable):
    return sorted(row[3:] for row in data["points"] if row[:3] == [action.name, who, variable])


def exponent(points, index):
    """A cell of the table, and the fit."""
    pairs = [(point[0], point[index]) for point in points]
    found = fit.fitted(pairs, fit.TIME_GROWTH if index == 1 else fit.MEMORY_GROWTH)
    if found:
        return [measurements.Number(f"{found.exponent:.2f}"), measurements.Number(f"{found.spread:.2f}")], found
    ratio = max(value for _, value in pairs) / min(value for _, value in pairs)
    return (f"{ratio:.1f} times in all" if len(pairs) > 1 else None), None


def is_above(found, theory):
    return found is not None and found.exponent - found.spread > theory and found.exponent > theory + TOLERANCE


def others_in_words(series):
    return ", ".join(f"{name} = {spaced(size)}" for name, size in series.others.items())


def exponents(data):
    rows = []
    for action in ACTIONS:
        for series in action.series:
            points = points_of(data, action, "Dubito", series.variable)
            if not points:
                continue
            time_cell, time_fit = exponent(points, 1)
            memory_cell, memory_fit = exponent(points, 2)
            flags = [name for name, found, theory in (("time", time_fit, series.time), ("memory", memory_fit, series.memory))
                     if is_above(found, theory)]
            theirs = points_of(data, action, action.peer, series.variable) if action.peer else []
            same = [point for point in theirs if point[0] == points[-1][0]]
            last = max((point[0] for point in theirs if point[0] in {own[0] for own in points}), default=None)
            compared = next((f"{duration(own[1])}, {duration(other[1])} at {spaced(last)}" for own in points
                             for other in theirs if own[0] == other[0] == last), None)
            rows.append([action.title, f"{series.variable} ({others_in_words(series)})",
                         f"{spaced(points[0][0])} to {spaced(points[-1][0])}", time_cell, series.theory,
                         memory_cell, f"{duration(points[-1][1])}, {memory(points[-1][2])}", ", ".join(flags) or None,
                         action.peer if theirs else None, exponent(theirs, 1)[0] if theirs else None,
                         compared if not same else f"{duration(points[-1][1])}, {duration(same[0][1])}"])
    return rows


def left_out_in_words(data):
    titles = {action.name: action.title for action in ACTIONS}
    words = [f"{titles[name]}{'' if who == 'Dubito' else f' ({who})'} {variable} = {spaced(size)} ({reason})"
             for name, who, variable, size, reason in data["left_out"]]
    return "Left out from this size on: " + "; ".join(words) + "." if words else "No size was left out."


def both_fits(data, action, variable):
    points = points_of(data, action, "Dubito", variable)
    if len(points) < 2:
        return None, None
    return exponent(points, 1)[1], exponent(points, 2)[1]


def ending(by_time, by_memory):
    """The smaller of two sizes, and what ends it."""
    size, what = min((by_time, "time"), (by_memory, "memory"))
    return f"{rough(size)}, {what}"


def on_cores(data):
    """From the fits in N: many cores, as the busiest of two threads lets expect."""
    rows = []
    for name, variable, _, share in data["shares"]:
        action = next(action for action in ACTIONS if action.name == name)
        time, space = both_fits(data, action, variable)
        if time is None or variable != "N":
            continue
        faster = 1 / (share + (1 - share) / CORES)
        space_at = space.at if space else lambda _: max(point[2] for point in points_of(data, action, "Dubito", variable))
        rows.append([f"{action.title} ({others_in_words(action.series[0])})", measurements.Number(f"{100 * share:.0f}"),
                     measurements.Number(f"{faster:.2g}"), duration(time.at(1e9)), duration(time.at(1e9) / faster),
                     memory(space_at(1e9)),
                     ending(time.largest(DAY * faster), space.largest(CORE_MEMORY_MB) if space else float("inf"))])
    return rows


def of_classes(data):
    """From the fits in K: a million classes."""
    rows = []
    for action in ACTIONS:
        for series in action.series:
            time, space = both_fits(data, action, series.variable)
            if series.variable != "K" or (time is None and space is None):
                continue
            rows.append([f"{action.title} ({others_in_words(series)})", duration(time.at(MILLION)) if time else "as for few",
                         memory(space.at(MILLION)) if space else "as for few",
                         ending(time.largest(DAY) if time else float("inf"),
                                space.largest(CLASS_MEMORY_MB) if space else float("inf"))])
    return rows


def numbers(rows):
    return [[measurements.Number(f"{cell:.4g}") if isinstance(cell, float)
             else measurements.Number(cell) if isinstance(cell, int) else cell for cell in row] for row in rows]


def columns(*names):
    return [{"name": name} for name in names]


def tables(data, texts):
    def table(name, rows, heads, **more):
        own = {key: texts[name][key] for key in ("title", "text", "notes") if key in texts.get(name, {})}
        return {"name": name, **own, "columns": columns(*heads), "rows": rows, **more}
    drawn = [table("exponents", exponents(data),
                   ("action", "in", "sizes", "time", "theory", "memory", "at the largest", "above theory", "peer",
                    "peer, time", "Dubito, peer"))]
    drawn[0]["notes"] = [left_out_in_words(data)]
    for name, rows, heads in (
            ("cores", on_cores(data), ("action", "one thread alone (%)", f"{CORES} cores, times faster", "1e9 items, one core",
                                       f"1e9 items, {CORES} cores", "memory", "largest N, ended by")),
            ("classes", of_classes(data), ("action", "time", "memory", "largest K, ended by"))):
        if rows:
            drawn.append(table(name, rows, heads))
    for name, title, rows, heads in (("points", "every point", numbers(data["points"]), POINT_COLUMNS),
                                     ("left-out", "what was left out", numbers(data["left_out"]), LEFT_OUT_COLUMNS),
                                     ("shares", "shares of one thread", numbers(data["shares"]), SHARE_COLUMNS)):
        if rows:
            drawn.append({"name": name, "title": title, "columns": columns(*heads), "rows": rows, "page": False})
    return drawn


def figures(data):
    """{name: SVG}."""
    drawn = {}
    for name in FIGURES:
        actions = [action for action in ACTIONS if action.figure == name]
        panels = {}
        for action in actions:
            for series in action.series:
                for who in ("Dubito", action.peer):
                    if who and (points := points_of(data, action, who, series.variable)):
                        panels.setdefault(series.variable, {})[who, action.name] = points
        if panels:
            drawn[name] = plot.figure(panels, {action.name: action.title for action in actions})
    return drawn


def write(out, group, data):
    texts = {table["name"]: table for table in group["tables"]}
    source = {key: data[key] for key in ("machine", "date", "version") if key in data}
    new = {**group, **source, "tables": tables(data, texts)}
    file_in(out).parent.mkdir(parents=True, exist_ok=True)
    file_in(out).write_text(measurements.dump(new) + "\n", encoding="utf-8")
    folder = out / "resources" / "figures"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in figures(data).items():
        (folder / f"growth-{name}.svg").write_text(text, encoding="utf-8")


def summary(data):
    table = tables(data, {})
    return [line for part in table if part.get("page") is not False
            for line in measurements.table_lines(part["columns"], part["rows"]) + [""]] + table[0]["notes"]
