#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks whether the tests would notice: plants one fault at a time and sees which test fails.

    tests/faults/plant_faults.py [--only TEXT] [--preset NAME] [--check]

A copy of the checkout under build/faults is built once; then every fault of faults.json is written into it: a wrong
sign, a bin off by one, swapped axes, a correction that is undone. Its tests are built and run, and the fault is taken
back. Each of its tests is a program of the build with its arguments, such as "metrics_test --source=ranking_test" or,
for Qt Test, "app_tour_test isShownByItselfOnlyOnce". Prints a table of faults and the first test that caught each. The
exit status is 1 if fewer than nine of ten are caught or a fault no longer fits the code. --check plants nothing and
only checks that each fault fits. Faults whose programs the preset does not build, such as those of the window with
--preset core-only, are left out.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPY = ROOT / "build" / "faults"
NEEDED_SHARE = 0.9
# A faulty program may hang; on a busy machine the slowest test takes several minutes.
MAX_TEST_SECONDS = 600
# The lines of GoogleTest and of Qt Test that name a test that failed.
FAILED_TEST = re.compile(r"^(?:\[  FAILED  \] ([\w/]+\.[\w/]+)|FAIL!  : ([\w:]+)\()", re.MULTILINE)
ENVIRONMENT = {
    "CCACHE_BASEDIR": str(COPY),
    "CCACHE_NOHASHDIR": "1",
    # As in resources/setup/setup.sh.
    "CCACHE_SLOPPINESS": "pch_defines,time_macros,include_file_mtime,include_file_ctime",
    "OMP_WAIT_POLICY": "PASSIVE",
    "GTEST_BRIEF": "1",
}


def run(command, **options):
    return subprocess.run(command, cwd=COPY, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def copy_checkout():
    """Brings the copy up to date; files that did not change keep their times, so that little is rebuilt."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"], cwd=ROOT, check=True, capture_output=True
    ).stdout
    for name in filter(None, listed.decode().split("\0")):
        source, target = ROOT / name, COPY / name
        if not source.is_file():
            continue
        if target.exists() and target.read_bytes() == source.read_bytes():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        shutil.copymode(source, target)


def program_of(test):
    return test.split()[0]


def build(preset, tests):
    programs = sorted({program_of(test) for test in tests})
    done = run(["cmake", "--build", "--preset", preset, "--target", *programs])
    return done.returncode == 0, done.stdout


def programs_of(preset):
    """The targets of the preset's build."""
    listed = run(["cmake", "--build", "--preset", preset, "--target", "help"]).stdout
    return {line.split(":")[0] for line in listed.splitlines()}


def failing_tests(preset, tests):
    """Names of the tests that fail, first of all of each program; a crash or a hang counts by the program's name."""
    failures = []
    for test in tests:
        program, *arguments = test.split()
        try:
            done = run(
                [str(COPY / "build" / preset / "bin" / program), *arguments], timeout=MAX_TEST_SECONDS, errors="replace"
            )
        except subprocess.TimeoutExpired:
            failures.append(f"{program} (hangs)")
            continue
        failed = FAILED_TEST.search(done.stdout)
        if failed:
            failures.append(f"{program}/{failed[1] or failed[2].removeprefix('dubito::test::')}")
        elif done.returncode != 0:
            failures.append(f"{program} (ends with {done.returncode})")
    return failures


def is_named(fault, text):
    return any(text in part for part in [fault["file"], fault["kind"], *fault["tests"]])


def misfit(fault, text):
    """Why the fault cannot be written into the text of its file; empty where it can."""
    times = text.count(fault["old"])
    return "" if times == 1 else f"\"{fault['old']}\" is there {times} times"


def check(faults):
    """Prints the faults that no longer fit the code; whether there is none."""
    misfits = [f"{fault['file']}: {why}" for fault in faults if (why := misfit(fault, (ROOT / fault["file"]).read_text()))]
    print("\n".join(misfits) or f"all {len(faults)} faults fit the code")
    return not misfits


def plant(fault, preset):
    path = COPY / fault["file"]
    text = path.read_text()
    if why := misfit(fault, text):
        return "does not fit", why
    try:
        path.write_text(text.replace(fault["old"], fault["new"]))
        built, output = build(preset, fault["tests"])
        if not built:
            errors = [line for line in output.splitlines() if "error" in line]
            return "does not compile", (errors or ["?"])[0]
        failures = failing_tests(preset, fault["tests"])
        return ("caught", failures[0]) if failures else ("missed", "")
    finally:
        path.write_text(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="plant the faults whose file, kind or tests contain this text")
    parser.add_argument("--preset", default="release", help="preset of the copy's build (release)")
    parser.add_argument("--check", action="store_true", help="only check that each fault fits the code")
    arguments = parser.parse_args()

    for name, value in ENVIRONMENT.items():
        os.environ.setdefault(name, value)
    faults = json.loads((ROOT / "tests/faults/faults.json").read_text())
    faults = [fault for fault in faults if is_named(fault, arguments.only)]
    if not faults:
        sys.exit(f"error: no fault's file, kind or tests contain \"{arguments.only}\"; see tests/faults/faults.json")
    if arguments.check:
        sys.exit(0 if check(faults) else 1)

    copy_checkout()
    configured = run(["cmake", "--preset", arguments.preset])
    if configured.returncode != 0:
        sys.exit(configured.stdout + "error: the copy cannot be configured; run ./test.sh first")
    known = programs_of(arguments.preset)
    all_faults, faults = faults, [fault for fault in faults if known.issuperset(map(program_of, fault["tests"]))]
    if len(faults) < len(all_faults):
        print(f"left out: {len(all_faults) - len(faults)} faults, whose tests preset {arguments.preset} does not build")
    tests = sorted({test for fault in faults for test in fault["tests"]})
    built, output = build(arguments.preset, tests)
    if not built:
        sys.exit(output + "error: the copy does not build without a fault")
    before = failing_tests(arguments.preset, tests)
    if before:
        sys.exit(f"error: tests fail without a fault: {', '.join(before)}")

    caught, broken = 0, 0
    for fault in faults:
        since = time.monotonic()
        outcome, detail = plant(fault, arguments.preset)
        caught += outcome == "caught"
        broken += outcome.startswith("does not")
        print(f"| {fault['file']} | {fault['kind']} | {outcome} | {detail} | {time.monotonic() - since:.0f} s |", flush=True)
    print(f"{caught} of {len(faults)} faults caught" + (f", {broken} no longer fit the code" if broken else ""))
    sys.exit(1 if broken or caught < NEEDED_SHARE * len(faults) else 0)


if __name__ == "__main__":
    main()
