#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the man page and the bash completion of a program from what it prints with --help.

    resources/package/make_pages.py PROGRAM --version V [--more FILE.mdoc] [--man FILE.1.gz] [--completion FILE]

Reads the help of the program, of each of its subcommands and of theirs (the form of CLI11). --more: sections to add to the man page.
"""
import argparse
import dataclasses
import gzip
import os
import re
import subprocess
import sys
import textwrap
import time
from pathlib import Path

COLUMN = 30  # where descriptions begin
TAKES_NOTHING = ("-h,--help", "--version")


@dataclasses.dataclass
class Entry:
    head: str  # "-o,--output TEXT REQUIRED"
    text: str

    @property
    def names(self):
        return self.head.split()[0].split(",")

    @property
    def type(self):
        return (self.head.split() + [""])[1]

    @property
    def takes_value(self):
        return self.head not in TAKES_NOTHING and self.type not in ("", "REQUIRED", "Excludes:", "Needs:", "...")

    @property
    def choices(self):
        """Values: of "TEXT:{a,b}", or of a description that ends in "a | b"."""
        if listed := re.search(r":\{([^}]*)\}", self.head):
            return listed[1].split(",")
        if listed := re.search(r"(?:^|\s)([\w-]+(?: \| [\w-]+)+)$", self.text):
            return listed[1].split(" | ")
        return []


@dataclasses.dataclass
class Help:
    description: str
    usage: str
    sections: dict  # title -> entries
    footer: list  # lines below the sections

    @property
    def commands(self):
        return [entry for title, entries in self.sections.items() if title == "Subcommands" for entry in entries]

    @property
    def options(self):
        return [entry for entries in self.sections.values() for entry in entries if entry.head.startswith("-")]


def parse_help(text):
    description, _, rest = text.partition("Usage: ")
    usage, _, rest = rest.partition("\n")
    sections, entries, footer = {}, None, []
    for line in rest.splitlines():
        if title := re.fullmatch(r"(\S.*):", line):
            entries = sections.setdefault(title[1], [])
        elif line.startswith(" " * COLUMN) and entries:
            entries[-1].text = f"{entries[-1].text} {line.strip()}".strip()
        elif line.startswith("  "):
            if entries is None:
                sys.exit(f"make_pages.py: an entry outside of any section: {line}")
            # A head that leaves no room has its description on the next line.
            head, gap, words = line[2:].partition("  ")
            if not gap and line[COLUMN - 1:COLUMN] == " ":
                head, words = line[:COLUMN], line[COLUMN:]
            entries.append(Entry(head.strip(), words.strip()))
        elif line.strip():
            footer.append(line)
    return Help(" ".join(description.split()), usage, sections, footer)


def help_of(program, *command):
    done = subprocess.run([program, *command, "--help"], stdout=subprocess.PIPE, text=True, check=True, timeout=60)
    return parse_help(done.stdout)


# --- Man page


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in (".", "'") else text


def list_of(entries):
    lines = [".Bl -tag -width Ds"]
    for entry in entries:
        words = entry.head.split(maxsplit=1)
        names = " , ".join((f"Fl {escaped(name[1:])}" if name.startswith("-") else f"Ar {name}") for name in entry.names)
        notes, value = [], words[1] if len(words) > 1 else ""
        if excluded := re.search(r"\s?Excludes: (.*)$", value):
            notes, value = [f"not together with {' '.join(excluded[1].split())}"], value[:excluded.start()]
        if re.search(r"(^| )REQUIRED$", value):
            notes, value = ["required", *notes], value.removesuffix("REQUIRED").strip()
        if default := re.search(r"=(\S*)$", value):
            notes, value = [f"default: {default[1]}", *notes], value[:default.start()]
        if listed := re.search(r":\{(.*)\}$", value):
            notes, value = [f"one of {', '.join(listed[1].split(','))}", *notes], value[:listed.start()]
        # "INT:INT in [0 - 4096]" says the type twice.
        value = re.sub(r"^(\w+):\1\b", r"\1", value)
        # Words that mdoc knows as macros, such as In, are text here.
        value = " ".join(f"\\&{escaped(word)}" for word in value.split())
        lines.append(f".It {names}" + (f" Ar {value}" if value and entry.head.startswith("-") else ""))
        text = entry.text + (f" ({'; '.join(notes)})" if notes else "")
        lines += [escaped(line) for line in textwrap.wrap(text, 76, break_on_hyphens=False, break_long_words=False)]
    return lines + [".El"]


def man_page(name, version, common, commands, more):
    built = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    lines = [".Dd " + time.strftime("%B %d, %Y", time.gmtime(built)), f".Dt {name.upper()} 1", f".Os Dubito {version}", ".Sh NAME", f".Nm {name}",
             f".Nd {escaped(common.description.rstrip('.'))}", ".Sh SYNOPSIS", f".Nm {name}"]
    lines += [escaped(common.usage.removeprefix(name).strip()), ".Sh DESCRIPTION", escaped(common.description.rstrip(".") + ".")]
    for title, entries in common.sections.items():
        if title == "Subcommands":
            continue
        lines += [f".Sh {title.upper()}", *list_of(entries)]
    if commands:
        lines.append(".Sh COMMANDS")
    for words, command in commands.items():
        lines += [f".Ss {words}", escaped(command.description.rstrip(".") + "."), ".Pp", f".Dl {escaped(command.usage)}"]
        for title, entries in command.sections.items():
            if title not in ("Positionals", "Options"):
                lines += [".Pp", f".Em {title}"]
            lines += list_of(entries)
        for line in command.footer:
            lines += [".Pp", escaped(line)]
    return "\n".join(lines) + "\n" + more


# --- Completion

COMPLETION = """\
# bash completion of @NAME@, written by make_pages.py from its --help
@FUNCTION@() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command='' words='' i
  # --flag=value is three words to bash.
  if [ "$current" = = ]; then
    current=''
  elif [ "$previous" = = ] && [ "$COMP_CWORD" -gt 1 ]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "${command:+$command }${COMP_WORDS[i]}" in
      @COMMANDS@)
        command="${command:+$command }${COMP_WORDS[i]}"
        ;;
    esac
  done
  case "$command $previous" in
@VALUES@
  esac
  if [ -z "$words" ]; then
    case "$command $current" in
@WORDS@
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -o bashdefault -F @FUNCTION@ @NAME@
"""


def completion(name, common, commands):
    values, words, files = [], [], []
    for command, page in [("", common), *commands.items()]:
        for option in page.options:
            patterns = "|".join(f'"{command} {flag}"' for flag in option.names)
            if option.choices:
                values.append(f"    {patterns}) words='{' '.join(option.choices)}' ;;")
            elif option.takes_value:
                files.append(patterns)
        flags = " ".join(flag for option in page.options for flag in option.names)
        words.append(f"      \"{command} -\"*) words='{flags}' ;;")
    # The last pattern of a command with subcommands also fits these, so theirs come first.
    for command, page in reversed([("", common), *commands.items()]):
        words.append(f"      \"{command} \"*) words='{' '.join(entry.head for entry in page.commands)}' ;;")
    if files:
        # Anything else that takes a value: what it is, only the user knows; readline offers files.
        values.append("    " + "|".join(files) + ") return ;;")
    text = COMPLETION.replace("@NAME@", name).replace("@FUNCTION@", "_" + name.replace("-", "_"))
    text = text.replace("@COMMANDS@", "|".join(f"'{command}'" for command in commands) or "''")
    return text.replace("@VALUES@", "\n".join(values)).replace("@WORDS@", "\n".join(words))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--version", required=True)
    parser.add_argument("--more", type=Path)
    parser.add_argument("--man", type=Path)
    parser.add_argument("--completion", type=Path)
    arguments = parser.parse_args()
    name = Path(arguments.program).name
    common = help_of(arguments.program)
    commands = {}
    for entry in common.commands:
        commands[entry.head] = help_of(arguments.program, entry.head)
        for nested in commands[entry.head].commands:
            commands[f"{entry.head} {nested.head}"] = help_of(arguments.program, entry.head, nested.head)
    if arguments.man:
        more = arguments.more.read_text() if arguments.more else ""
        page = man_page(name, arguments.version, common, commands, more)
        arguments.man.parent.mkdir(parents=True, exist_ok=True)
        # Without a time stamp: equal pages are equal files.
        arguments.man.write_bytes(gzip.compress(page.encode(), 9, mtime=0))
    if arguments.completion:
        arguments.completion.parent.mkdir(parents=True, exist_ok=True)
        arguments.completion.write_text(completion(name, common, commands))


if __name__ == "__main__":
    main()
