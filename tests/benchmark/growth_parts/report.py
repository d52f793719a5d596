# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits, tables and figures of growth.py, from measured points."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "resources"))
import measurements  # noqa: E402  the folder is known only now

from . import fit, plot  # noqa: E402
from .series import ACTIONS, FIGURES  # noqa: E402

TOLERANCE = {"time": 0.05, "memory": 0.15}
CORES = 64
CORE_MEMORY_MB = 256e3
CLASS_MEMORY_MB = 64e3
DAY = 86400
MILLION = 1_000_000
POINT_COLUMNS = ("action", "who", "variable", "size", "seconds", "MB")
LEFT_OUT_COLUMNS = ("action", "who", "variable", "from", "because of")
SHARE_COLUMNS = ("action", "variable", "size", "seconds of two threads", "of them one alone")
ORDER = [action.name for action in ACTIONS]


def file_in(folder):
    return folder / "docs" / "measurements" / "growth.json"


def kept(folder):
    return measurements.load(file_in(folder)) if file_in(folder).exists() else {"title": "How it grows", "tables": []}


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
        return f"{value:.1e}".replace("e+0", "e").replace("e+", "e")
    return spaced(float(f"{value:.2g}")) if value >= 10 else f"{value:.2g}"


def duration(seconds):
    for limit, unit in ((0.995, 1e-3), (120, 1), (7200, 60), (2 * DAY, 3600), (730 * DAY, DAY)):
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
    found = fit.fitted(pairs, fit.TIME if index == 1 else fit.MEMORY)
    if found:
        return [measurements.Number(f"{found.exponent:.2f}"), measurements.Number(f"{found.spread:.2f}")], found
    ratio = max(value for _, value in pairs) / min(value for _, value in pairs)
    return (f"{ratio:.1f} times in all" if len(pairs) > 1 else None), None


def is_above(found, theory, what):
    """Whether the exponent is above the largest one of theory, by more than the tolerance and without any one of the points."""
    return found is not None and found.exponent > theory[1] + TOLERANCE[what] and found.lowest > theory[1]


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
                     if is_above(found, theory, name)]
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


def on_paper(data, action, series):
    """Fits of time and memory for large sizes: with the exponents of theory, or measured ones that are above it."""
    points = points_of(data, action, "Dubito", series.variable)
    if len(points) < 4:
        return None, None
    found = []
    for index, what, theory in ((1, "time", series.time), (2, "memory", series.memory)):
        measured = exponent(points, index)[1]
        pairs = [(point[0], point[index]) for point in points]
        found.append(measured if is_above(measured, theory, what) else fit.within(pairs, *theory))
    return found


def ending(by_time, by_memory):
    """The smaller of two sizes, and what ends it."""
    size, what = min((by_time, "time"), (by_memory, "memory"))
    return f"{rough(size)}, {what}"


def at(found, size):
    return found.at(size) if found else 0.0


def largest(found, bound):
    return found.largest(bound) if found else float("inf")


def on_cores(data):
    """Many cores, as the busiest of two threads lets expect, from the fits in N."""
    rows = []
    for name, _, size, total, alone in data["shares"]:
        action = next(action for action in ACTIONS if action.name == name)
        series = action.series[0]
        time, space = on_paper(data, action, series)
        if time is None or series.variable != "N":
            continue
        # The start does not grow: of what does, one thread does this share.
        share = min(max((alone - time.fixed) / (total - time.fixed), 0.0), 1.0) if total > time.fixed else 1.0
        faster = 1 / (share + (1 - share) / CORES)
        rows.append([f"{action.title} ({others_in_words(series)})", measurements.Number(f"{100 * share:.0f}"),
                     measurements.Number(f"{faster:.2g}"), duration(time.at(1e9)), duration(time.at(1e9) / faster),
                     memory(at(space, 1e9)), ending(largest(time, DAY * faster), largest(space, CORE_MEMORY_MB))])
    return rows


def of_classes(data):
    """A million classes, from the fits in K."""
    rows = []
    for action in ACTIONS:
        for series in action.series:
            if series.variable != "K" or action.do == "window":
                continue
            time, space = on_paper(data, action, series)
            if time or space:
                rows.append([f"{action.title} ({others_in_words(series)})", duration(at(time, MILLION)),
                             memory(at(space, MILLION)), ending(largest(time, DAY), largest(space, CLASS_MEMORY_MB))])
    return rows


def numbers(rows):
    """Rows as they are written: four digits."""
    return [[measurements.Number(f"{cell:.4g}") if isinstance(cell, float)
             else measurements.Number(cell) if isinstance(cell, int) else cell for cell in row] for row in rows]


def rounded(data):
    """The data as it will be read again, so that the same tables follow from it."""
    return {**data, **{part: [[plain(cell) for cell in row] for row in numbers(data[part])]
                       for part in ("points", "left_out", "shares")}}


def columns(*names):
    return [{"name": name} for name in names]


def tables(data, texts):
    def table(name, rows, heads, **more):
        own = {key: texts[name][key] for key in ("title", "text", "notes") if key in texts.get(name, {})}
        return {"name": name, **own, "columns": columns(*heads), "rows": rows, **more}
    drawn = [table("exponents", exponents(data),
                   ("action", "in", "sizes", "time", "theory", "memory", "at the largest", "above theory", "peer",
                    "peer, time", "Dubito, peer"))]
    drawn[0]["notes"] = [left_out_in_words(data)] + texts.get("exponents", {}).get("notes", [])[1:]
    for name, rows, heads in (
            ("cores", on_cores(data), ("action", "one thread alone (%)", f"{CORES} cores, times faster", "1e9 items, one core",
                                       f"1e9 items, {CORES} cores", "memory", "largest N, ended by")),
            ("classes", of_classes(data), ("action", "time", "memory", "largest K, ended by"))):
        if rows:
            drawn.append(table(name, rows, heads))
    for name, title, rows, heads in (("points", "every point", numbers(data["points"]), POINT_COLUMNS),
                                     ("left-out", "what was left out", numbers(data["left_out"]), LEFT_OUT_COLUMNS),
                                     ("shares", "what one of two threads does alone", numbers(data["shares"]), SHARE_COLUMNS)):
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


def contents(group, data):
    """{path below a repository: text} of everything that follows from the points."""
    texts = {table["name"]: table for table in group["tables"]}
    source = {key: data[key] for key in ("machine", "date", "version") if key in data}
    found = {file_in(Path()): measurements.dump({**group, **source, "tables": tables(data, texts)}) + "\n"}
    found.update({Path("resources") / "figures" / f"growth-{name}.svg": text for name, text in figures(data).items()})
    return found


def write(out, group, data):
    for path, text in contents(group, data).items():
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_text(text, encoding="utf-8")


def differing(out, group, data):
    """Paths that `write` would change."""
    return [path for path, text in contents(group, data).items()
            if not (out / path).exists() or (out / path).read_text(encoding="utf-8") != text]


def summary(data):
    table = tables(data, {})
    return [line for part in table if part.get("page") is not False
            for line in measurements.table_lines(part["columns"], part["rows"]) + [""]] + table[0]["notes"]
