#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Renders docs/measurements.md from the figures in docs/measurements/*.json.

    resources/measurements.py                        write the page
    resources/measurements.py --check                fail if the page, or a result of README.md, differs from the data
    resources/measurements.py show GROUP/TABLE       print a whole table, also if the page shows only a part of it
    resources/measurements.py take FILE.json --as GROUP/TABLE [--column NAME]
                                                     replace figures by those of a benchmark, write the page

page.json gives the introduction and the order of the groups. A group has `title`, `text`, `tables` and `notes`; group and table
have `command` (a line, or a list of lines), `machine`, `date` and `version`, as far as they are known. A table has `name`,
`title`, `text`, `columns` (`name`, `unit`, and how to print lists of numbers: `join`, `signed`), `rows`, `notes` and `page`:
`false` if only the data has it, or which `columns` and which rows (`where`: allowed values by column) the page shows. Cells are numbers, text,
null, or lists: [mean, deviation]. Numbers keep the digits that they are written with.

`take` reads either a table (`columns`, `rows` and any of the keys above) or the output of a benchmark of the window (`steps`),
which fills the columns in `steps` of the table, or one of them: {column: {name of a step: row}}.
"""
import argparse
import datetime
import json
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WIDTH = 120
TABLE_KEYS = {"name", "title", "text", "command", "machine", "date", "version", "columns", "rows", "steps", "page", "notes"}
GROUP_KEYS = {"title", "text", "command", "machine", "date", "version", "tables", "notes"}


class Invalid(Exception):
    """Data that cannot be rendered; the text names file and table."""


class Number(str):
    """A number of a JSON file, with its digits: 0.50 stays 0.50."""


def load(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"), parse_float=Number, parse_int=Number)
    except (OSError, ValueError) as error:
        raise Invalid(f"{path}: {error}") from error


def dump(value, indent=0):
    """JSON with one row of a table per line, and Numbers as they were read."""
    if isinstance(value, Number):
        return str(value)
    flat = isinstance(value, list) and not any(isinstance(part, dict) for part in value)
    if isinstance(value, list) and flat and not any(isinstance(part, list) or len(str(part)) > 40 for part in value):
        return "[" + ", ".join(dump(part) for part in value) + "]"
    if not isinstance(value, (dict, list)) or not value:
        return json.dumps(value, ensure_ascii=False)
    pairs = [(f"{json.dumps(key, ensure_ascii=False)}: ", part) for key, part in value.items()] \
        if isinstance(value, dict) else [("", part) for part in value]
    lines = []
    for key, part in pairs:
        rows = key == '"rows": '
        if rows:
            text = "[\n" + ",\n".join(" " * (indent + 4) + one_line(row) for row in part) + "\n" + " " * (indent + 2) + "]"
        elif isinstance(part, dict) and not any(isinstance(inner, (dict, list)) for inner in part.values()):
            text = one_line(part)
        else:
            text = dump(part, indent + 2)
        lines.append(" " * (indent + 2) + key + text)
    begin, end = "{}" if isinstance(value, dict) else "[]"
    return begin + "\n" + ",\n".join(lines) + "\n" + " " * indent + end


def one_line(value):
    if isinstance(value, list):
        return "[" + ", ".join(one_line(part) for part in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {one_line(part)}" for key, part in value.items()) + "}"
    return dump(value)


def cell_text(value, column, join=None):
    if value is None:
        return ""
    if isinstance(value, list):
        nested = any(isinstance(part, list) for part in value)
        inner = {**column, "signed": False}
        parts = [cell_text(part, column if index == 0 else inner, " ± ") for index, part in enumerate(value)]
        return (column.get("join", " ± ") if nested or join is None else join).join(parts)
    sign = "+" if column.get("signed") and isinstance(value, Number) and not value.startswith("-") else ""
    return sign + str(value)


def header_text(column):
    return f"{column['name']} ({column['unit']})" if "unit" in column else column["name"]


def selected(table):
    """Columns and rows of a table that the page shows."""
    page = table.get("page") or {}
    names = [column["name"] for column in table["columns"]]
    unknown = set(page) - {"columns", "where"} or (set(page.get("columns", [])) | set(page.get("where", {}))) - set(names)
    if unknown:
        raise Invalid(f"page names {', '.join(sorted(unknown))}, which the table does not have")
    rows = [row for row in table["rows"]
            if all(row[names.index(name)] in allowed for name, allowed in page.get("where", {}).items())]
    if not rows:
        raise Invalid("page.where allows no row")
    kept = [index for index, name in enumerate(names) if name in page.get("columns", names)]
    return [table["columns"][index] for index in kept], [[row[index] for index in kept] for row in rows]


def table_lines(columns, rows):
    def line(cells):
        return "| " + " | ".join(cells) + " |"
    lines = [line(map(header_text, columns)), line(["---"] * len(columns))]
    for row in rows:
        lines.append(line(cell_text(value, column).replace("|", "\\|") for value, column in zip(row, columns)))
    return lines


def paragraph(text):
    """The text in lines, not broken within `code` and numbers such as 10 000."""
    joined = re.sub(r"`[^`]*`|\d+(?: \d{3})+\b|\d+ %", lambda found: found[0].replace(" ", "\0"), text)
    hanging = "  " if text.startswith("- ") else ""
    lines = textwrap.fill(joined, WIDTH, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)
    return lines.replace("\0", " ")


def paragraphs(texts):
    """Paragraphs with a blank line between them; items of a list ("- ...") follow each other."""
    blocks = []
    for text in texts:
        if text.startswith("- ") and blocks and blocks[-1].startswith("- "):
            blocks[-1] += "\n" + paragraph(text)
        else:
            blocks.append(paragraph(text))
    return blocks


def source(part, inherited=None):
    """How figures were taken: commands, machine, date, version. What the group states already is not repeated."""
    inherited = inherited or {}
    own = {key: part[key] for key in ("command", "machine", "date", "version") if key in part and part[key] != inherited.get(key)}
    if not own:
        return []
    command = own.get("command")
    words = [f"Recorded {own['date']}" if "date" in own else "Measured"]
    if "machine" in own:
        words.append(f"on {own['machine']}")
    if "machine" in own and command:
        words[-1] += ","
    if command:
        words.append("with" if isinstance(command, list) else f"with `{command}`")
    if "version" in own:
        words.append(f"({own['version']})")
    if isinstance(command, list):
        return [paragraph(" ".join(words) + ":"), "```sh\n" + "\n".join(command) + "\n```"]
    return [paragraph(" ".join(words) + ".")]


def table_blocks(table, group):
    blocks = []
    text = list(table.get("text", []))
    if "title" in table:
        text[:1] = [f"**{table['title']}.** {text[0]}" if text else f"**{table['title']}**"]
    blocks += paragraphs(text)
    blocks.append("\n".join(table_lines(*selected(table))))
    blocks += source(table, group)
    return blocks + paragraphs(table.get("notes", []))


def group_blocks(name, group):
    blocks = [f"## {group['title']}"] + paragraphs(group.get("text", [])) + source(group)
    more = []
    for table in group.get("tables", []):
        if table.get("page") is False:
            more.append(table["title"])
            continue
        blocks += table_blocks(table, group)
    if any(table.get("page") for table in group.get("tables", [])):
        more.insert(0, "all rows and columns")
    if more:
        blocks.append(paragraph(f"[The data](measurements/{name}.json) has more: {'; '.join(more)}."))
    return blocks + paragraphs(group.get("notes", []))


def anchor(heading):
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def check_group(name, group):
    if unknown := set(group) - GROUP_KEYS:
        raise Invalid(f"{name}.json: unknown keys {', '.join(sorted(unknown))}")
    names = [table["name"] for table in group.get("tables", [])]
    if len(set(names)) != len(names):
        raise Invalid(f"{name}.json: two tables have the same name")
    for table in group.get("tables", []):
        place = f"{name}/{table['name']}"
        if unknown := set(table) - TABLE_KEYS:
            raise Invalid(f"{place}: unknown keys {', '.join(sorted(unknown))}")
        if table.get("page") is False and "title" not in table:
            raise Invalid(f"{place}: a table that the page does not show needs a title")
        if missing := {"columns", "rows"} - set(table):
            raise Invalid(f"{place}: no {' and no '.join(sorted(missing))}")
        columns = [column["name"] for column in table["columns"]]
        if len(set(columns)) != len(columns):
            raise Invalid(f"{place}: two columns have the same name")
        for row in table["rows"]:
            if len(row) != len(columns):
                raise Invalid(f"{place}: a row has {len(row)} cells for {len(columns)} columns: {one_line(row)}")
        try:
            selected(table)
        except Invalid as error:
            raise Invalid(f"{place}: {error}") from error


class Measurements:
    """The data, the page and README.md of a repository."""

    def __init__(self, root=ROOT):
        self.folder = root / "docs" / "measurements"
        self.page = root / "docs" / "measurements.md"
        self.readme = root / "README.md"

    def groups(self):
        """Groups by name, in the order of the page."""
        order = load(self.folder / "page.json")["groups"]
        files = {path.stem for path in self.folder.glob("*.json")} - {"page"}
        if left_out := files.symmetric_difference(order):
            raise Invalid(f"{self.folder / 'page.json'}: its groups and the files differ in {', '.join(sorted(left_out))}")
        groups = {name: load(self.folder / f"{name}.json") for name in order}
        for name, group in groups.items():
            check_group(name, group)
        return groups

    def rendered(self):
        page = load(self.folder / "page.json")
        groups = self.groups()
        blocks = [f"# {page['title']}", "<!-- Written by resources/measurements.py from docs/measurements/*.json. -->"]
        blocks += paragraphs(page["text"])
        blocks.append("\n".join(f"- [{group['title']}](#{anchor(group['title'])})" for group in groups.values()))
        for name, group in groups.items():
            blocks += group_blocks(name, group)
        return "\n\n".join(blocks) + "\n"

    def write(self):
        self.page.write_text(self.rendered(), encoding="utf-8")

    def stale_results(self):
        """Rows of the results in README.md that the table of the most important figures does not have."""
        def without_links(text):
            return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
        glance = self.groups()["glance"]["tables"][0]
        known = {without_links(line) for line in table_lines(glance["columns"], glance["rows"])}
        section = self.readme.read_text(encoding="utf-8").partition("\n## Results\n")[2].partition("\n## ")[0]
        return [line for line in section.splitlines() if line.startswith("|") and without_links(line) not in known]

    def complaints(self):
        """What differs from the data, as messages."""
        found = []
        if not self.page.exists() or self.page.read_text(encoding="utf-8") != self.rendered():
            found.append("docs/measurements.md differs from docs/measurements/*.json; run resources/measurements.py")
        return found + [f"README.md: not a row of docs/measurements/glance.json: {line}" for line in self.stale_results()]

    def table(self, place):
        """The file, the group and the table of "GROUP/TABLE"."""
        group_name, _, name = place.partition("/")
        group = self.groups().get(group_name)
        for table in (group or {}).get("tables", []):
            if table["name"] == name:
                return self.folder / f"{group_name}.json", group, table
        raise Invalid(f"{place}: docs/measurements has no such table")

    def take(self, file, place, column=None):
        path, group, table = self.table(place)
        found = load(file)
        if "rows" in found:
            table.update({key: value for key, value in found.items() if key in TABLE_KEYS - {"name"}})
        elif "steps" in found:
            fill_columns(table, found["steps"], [column] if column else [], place)
        else:
            raise Invalid(f"{file}: neither a table (columns, rows) nor a report with steps")
        table["date"] = found.get("date", datetime.date.today().isoformat())
        check_group(path.stem, group)
        path.write_text(dump(group) + "\n", encoding="utf-8")
        self.write()


def milliseconds(value):
    value = float(value)
    return f"{value / 1000:.3g} s" if value >= 1000 else f"{value:.3g} ms"


def step_text(step):
    if "ms" in step:
        return milliseconds(step["ms"])
    if "median_ms" in step:
        return f"median {milliseconds(step['median_ms'])}, 95 % below {milliseconds(step['p95_ms'])}"
    return None


def fill_columns(table, steps, columns, place):
    """Writes the times of `steps` into `columns`; all that the table has steps for if there are none."""
    known = table.get("steps", {})
    unknown = set(columns) - set(known)
    if unknown or not known:
        raise Invalid(f"{place}: columns for steps of a benchmark: {', '.join(known) or 'none'}")
    names = [column["name"] for column in table["columns"]]
    rows = {row[0]: row for row in table["rows"]}
    texts = {step["name"]: step_text(step) for step in steps}
    taken = False
    for column in columns or known:
        for step, row in known[column].items():
            if row not in rows:
                raise Invalid(f"{place}: no row {row}, which the step “{step}” fills")
            if texts.get(step) is not None:
                rows[row][names.index(column)] = texts[step]
                taken = True
    if not taken:
        raise Invalid(f"{place}: the file has none of the steps of this table")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="fail if page or README.md differ from the data")
    commands = parser.add_subparsers(dest="command")
    show = commands.add_parser("show", help="print a whole table")
    show.add_argument("place", metavar="GROUP/TABLE")
    take = commands.add_parser("take", help="replace figures by those of a benchmark")
    take.add_argument("file", type=Path)
    take.add_argument("--as", dest="place", metavar="GROUP/TABLE", required=True)
    take.add_argument("--column", help="the only column that a report with steps fills")
    arguments = parser.parse_args()
    measurements = Measurements()
    try:
        if arguments.command == "show":
            table = measurements.table(arguments.place)[2]
            print("\n".join(table_lines(table["columns"], table["rows"])))
        elif arguments.command == "take":
            measurements.take(arguments.file, arguments.place, arguments.column)
        elif not arguments.check:
            measurements.write()
        elif found := measurements.complaints():
            sys.exit("\n".join(found))
    except Invalid as error:
        sys.exit(f"measurements.py: {error}")


if __name__ == "__main__":
    main()
