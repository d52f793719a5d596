#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks the man pages and completions that resources/package/make_pages.py writes.

    tests/package/check_pages.py PROGRAM...

Every command and every flag of --help is in the man page, under its command, and is offered by the completion.
"""
import gzip
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "resources" / "package"

problems = []


def help_text(program, *command):
    return subprocess.run([program, *command, "--help"], stdout=subprocess.PIPE, text=True, check=True, timeout=60).stdout


def flags_in(text):
    """What the entries of a help begin with; other flags in it are only mentioned."""
    return {flag for names in re.findall(r"^  (-\S+)", text, re.M) for flag in names.split(",")}


def subcommands_in(text):
    listed = re.search(r"^Subcommands:\n(.*?)(?:\n\n|\Z)", text, re.M | re.S)
    return re.findall(r"^  (\S+)", listed[1], re.M) if listed else []


def offered(completion, name, *words):
    """What the completion offers for the last of the words."""
    script = (f'source "{completion}"; COMP_WORDS=({" ".join(repr(word) for word in words)}); '
              f'COMP_CWORD={len(words) - 1}; _{name.replace("-", "_")}; printf "%s\\n" "${{COMPREPLY[@]}}"')
    done = subprocess.run(["bash", "-euc", script], stdout=subprocess.PIPE, text=True, check=True)
    return set(done.stdout.split())


def check(name, what, missing):
    if missing:
        problems.append(f"{name}: {what}: {', '.join(sorted(missing))}")


def check_program(program, folder):
    name = Path(program).name
    man, completion = folder / f"{name}.1.gz", folder / name
    subprocess.run([sys.executable, PACKAGE / "make_pages.py", program, "--version", "1", "--more", PACKAGE / "man" / f"{name}.mdoc",
                    "--man", man, "--completion", completion], check=True)
    page = gzip.decompress(man.read_bytes()).decode().replace("\\-", "-").replace("\\&", "")
    # By command; what precedes them is the program's own.
    parts = dict(re.findall(r"^\.Ss (\S+(?: \S+)?)\n(.*?)(?=^\.S[sh] )", page, re.M | re.S))
    common = help_text(program)
    commands = []
    for command in subcommands_in(common):
        nested = subcommands_in(help_text(program, command))
        check(f"{name} {command}", "commands not offered", set(nested) - offered(completion, name, name, command, ""))
        commands += [command, *(f"{command} {word}" for word in nested)]
    check(name, "commands missing in the man page", set(commands) - set(parts))
    check(name, "commands not offered", set(subcommands_in(common)) - offered(completion, name, name, ""))
    of_program = page.partition("\n.Sh COMMANDS")[0]
    for part, text, words in [(of_program, common, []), *((parts.get(c, ""), help_text(program, *c.split()), c.split()) for c in commands)]:
        flags = flags_in(text)
        if not flags:
            problems.append(f"{name} {' '.join(words)}: no flags in its help")
        described = {"-" + flag for line in re.findall(r"^\.It (Fl .*)", part, re.M) for flag in re.findall(r"Fl (\S+)", line)}
        check(" ".join([name, *words]), "flags missing in the man page", flags - described)
        check(" ".join([name, *words]), "flags not offered", flags - offered(completion, name, name, *words, "-"))
    return 1 + len(commands)


def check_values(program, folder):
    """Values after a flag, with a space and with =."""
    name = Path(program).name
    flag, value = {"dubito": ("--theme", "dark"), "dubito-cli": ("--progress", "json")}[name]
    for words in ([flag, value[:1]], [flag, "=", value[:1]]):
        check(name, f"values of {flag} not offered", {value} - offered(folder / name, name, name, *words))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        pages = sum(check_program(program, Path(folder)) for program in sys.argv[1:])
        for program in sys.argv[1:]:
            if Path(program).name != "dubito-setup":
                check_values(program, Path(folder))
    if problems:
        sys.exit("\n".join(problems))
    print(f"{pages} helps checked")


if __name__ == "__main__":
    main()
