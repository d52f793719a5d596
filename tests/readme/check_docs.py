#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks README.md, CONTRIBUTING.md, CHANGELOG.md, tests/README.md and docs/ against the repository.

    tests/readme/check_docs.py [--cli DUBITO_CLI] [--window DUBITO]

Links, anchors and scripts exist; every screenshot is shown; the sections of docs/theory.md that comments cite exist;
docs/measurements.md and the results in README.md are those of docs/measurements/*.json. With --cli, every command has a section
in the user guide, and every flag that a page mentions exists; --window does the same for the flags of the window.
"""
import argparse
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMAND_PAGE = ROOT / "docs" / "user-guide" / "command-line.md"
LONGEST_README = 200

sys.path.insert(0, str(ROOT / "resources"))
import measurements  # noqa: E402  the folder is known only now

problems = []


def complain(page, message):
    problems.append(f"{page.relative_to(ROOT)}: {message}")


def all_pages():
    named = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "tests/README.md")]
    return named + sorted((ROOT / "docs").rglob("*.md"))


def without_code(text):
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors_of(text):
    """The anchors that GitHub gives to the headings of a page."""
    anchors = set()
    for heading in re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M), re.M):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        anchors.add(re.sub(r"[^\w\- ]", "", plain).replace(" ", "-"))
    return anchors


def check_links(page, text, shown):
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code(text)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists():
            complain(page, f"the link {target} leads nowhere")
            continue
        shown.add(file)
        if anchor and anchor not in anchors_of(file.read_text()):
            complain(page, f"the link {target}: there is no such heading")


def command_lines(text):
    """The lines of all shell blocks, without comments."""
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.S | re.M):
        for line in block.replace("\\\n", " ").splitlines():
            line = re.sub(r"(^|\s)#.*", "", line).strip()
            if line:
                yield line


def check_scripts(page, text):
    for line in command_lines(text):
        for word in line.split():
            script = word.removeprefix("./")
            if re.fullmatch(r"[\w./-]+\.(sh|py)", script) and not (ROOT / script).exists():
                complain(page, f"{word} does not exist ({line})")


def check_theory():
    page = ROOT / "docs" / "theory.md"
    headings = set(re.findall(r"^## (\d+) ", page.read_text(), re.M))
    for folder in ("core", "app", "widgets", "tests"):
        for file in (ROOT / folder).rglob("*"):
            if file.suffix not in (".h", ".cpp", ".cu"):
                continue
            text = re.sub(r"\n\s*///?", " ", file.read_text())
            for cited in re.findall(r"[Tt]heory,\s+sections?\s+(\d+(?:\s*(?:,|and)\s*\d+)*)", text):
                for number in re.findall(r"\d+", cited):
                    if number not in headings:
                        complain(page, f"{file.relative_to(ROOT)} cites section {number}, which does not exist")


def help_of(program, *command):
    done = subprocess.run([program, *command, "--help"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
    if done.returncode != 0:
        sys.exit(f"check_docs.py: {program} {' '.join(command)} --help failed:\n{done.stdout}")
    return done.stdout


def flags_in(text):
    return set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", text))


def subcommands_in(text):
    _, found, listed = re.sub(r"^subcommands:", "SUBCOMMANDS:", text, flags=re.M | re.I).partition("SUBCOMMANDS:")
    return re.findall(r"^ {2}([a-z][a-z-]*) {2,}\S", listed, re.M) if found else []


def flags_of(cli, command):
    """The flags of a command and of its subcommands."""
    text = help_of(cli, command)
    return flags_in(text).union(*(flags_in(help_of(cli, command, sub)) for sub in subcommands_in(text)))


def check_commands(pages, cli, window):
    common = help_of(cli)
    commands = subcommands_in(common)
    if not commands:
        sys.exit(f"check_docs.py: {cli} --help names no commands")
    flags = {command: flags_of(cli, command) | flags_in(common) for command in commands}
    of_any = set().union(*flags.values())
    of_window = flags_in(help_of(window)) if window else None
    guide = COMMAND_PAGE.read_text()
    for command in commands:
        if command not in anchors_of(guide):
            complain(COMMAND_PAGE, f"the command {command} has no section")
    for page, text in pages.items():
        for line in command_lines(text):
            words = re.sub(r"\"[^\"]*\"", "TEXT", line).split()
            programs = [Path(word).name for word in words]
            if "dubito-cli" in programs:
                command = (words[programs.index("dubito-cli") + 1:] + [""])[0]
                unknown = flags_in(line) - flags.get(command, set()) if command in flags else {command}
                # mpirun's own flags are single dashes; --version and --help belong to the program.
                if unknown - {"--help", "--version"}:
                    complain(page, f"{', '.join(sorted(unknown))}: unknown in {line}")
            elif programs[0] == "dubito" and of_window is not None and flags_in(line) - of_window:
                complain(page, f"{', '.join(sorted(flags_in(line) - of_window))}: unknown in {line}")
    # Flags in the text: of some command, or of the window.
    for flag in sorted(flags_in(" ".join(re.findall(r"`[^`\n]*`", guide))) - of_any - {"--help", "--version"}):
        complain(COMMAND_PAGE, f"{flag}: no command has this flag")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", help="path of dubito-cli")
    parser.add_argument("--window", help="path of dubito")
    arguments = parser.parse_args()
    pages = {page: page.read_text() for page in all_pages()}
    shown = set()
    for page, text in pages.items():
        check_links(page, text, shown)
        check_scripts(page, text)
    for picture in sorted((ROOT / "resources" / "screenshots").glob("*.png")):
        if picture not in shown:
            complain(picture, "no page shows this picture")
    for page in sorted((ROOT / "docs").rglob("*.md")):
        if page not in shown:
            complain(page, "no page links to it")
    lines = pages[ROOT / "README.md"].count("\n")
    if lines > LONGEST_README:
        complain(ROOT / "README.md", f"{lines} lines; move details to docs/ (at most {LONGEST_README})")
    check_theory()
    try:
        problems.extend(measurements.Measurements().complaints())
    except measurements.Invalid as error:
        problems.append(str(error))
    if arguments.cli:
        check_commands(pages, arguments.cli, arguments.window)
    if problems:
        sys.exit("\n".join(problems))
    print(f"{len(pages)} pages checked")


if __name__ == "__main__":
    main()
