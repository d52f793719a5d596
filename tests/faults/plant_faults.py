#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks whether the tests would notice: plants one fault at a time and sees which test fails.

    tests/faults/plant_faults.py [--only TEXT] [--preset NAME] [--in-place] [--check]

A copy of the checkout under build/faults is built once; then every fault of faults.json is written into it: a wrong
sign, a bin off by one, swapped axes, a correction that is undone. Its tests are built and run, and the fault is taken
back. Each of its tests is a program of the build with its arguments, such as "metrics_test --source=ranking_test" or,
for Qt Test, "app_tour_test isShownByItselfOnlyOnce". Prints a table of faults and the first test that caught each. The
exit status is 1 if fewer than nine of ten are caught or a fault no longer fits the code. --check plants nothing and
only checks that each fault fits. Faults whose programs the preset does not build, such as those of the window with
--preset core-only, are left out.

--in-place plants in this checkout and its build/NAME, which must be configured, instead of in a copy: one fault then
takes no longer than compiling its file and running its tests. It refuses if a file to plant in differs from the last
commit, restores every file even if interrupted (Ctrl+C, SIGTERM, SIGHUP), and builds the programs again at the end, so
that none contains a fault.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
COPY = ROOT / "build" / "faults"
NEEDED_SHARE = 0.9
# A faulty program may hang; on a busy machine the slowest test takes several minutes.
MAX_TEST_SECONDS = 600
# A program that was asked to end is killed after this time.
SECONDS_TO_END = 10
# The lines of GoogleTest and of Qt Test that name a test that failed.
FAILED_TEST = re.compile(r"^(?:\[  FAILED  \] ([\w/]+\.[\w/]+)|FAIL!  : ([\w:]+)\()", re.MULTILINE)
INTERRUPTS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ENVIRONMENT = {
    "CCACHE_NOHASHDIR": "1",
    # As in resources/setup/setup.sh.
    "CCACHE_SLOPPINESS": "pch_defines,time_macros,include_file_mtime,include_file_ctime",
    "OMP_WAIT_POLICY": "PASSIVE",
    "GTEST_BRIEF": "1",
}


def run(command, root, timeout=None):
    """Runs a command to its end; after a timeout or an interrupt, ends all its processes, compilers included."""
    process = subprocess.Popen(
        command,
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=timeout)
    except BaseException:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.communicate(timeout=SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        raise
    return subprocess.CompletedProcess(command, process.returncode, output)


def interrupt(_number, _frame):
    # A second signal must not interrupt the restoring of files.
    for number in INTERRUPTS:
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt


def modified(files):
    """Those of `files` that differ from the last commit, as `git status` lists them."""
    listed = run(["git", "status", "--porcelain", "--", *sorted(set(files))], ROOT)
    if listed.returncode != 0:
        sys.exit(listed.stdout + "error: --in-place needs git to see which files are modified")
    return [line[3:] for line in listed.stdout.splitlines()]


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


def build(root, preset, tests):
    programs = sorted({program_of(test) for test in tests})
    done = run(["cmake", "--build", "--preset", preset, "--target", *programs], root)
    return done.returncode == 0, done.stdout


def programs_of(root, preset):
    """The targets of the preset's build."""
    listed = run(["cmake", "--build", "--preset", preset, "--target", "help"], root).stdout
    return {line.split(":")[0] for line in listed.splitlines()}


def failing_tests(root, preset, tests):
    """Names of the tests that fail, first of all of each program; a crash or a hang counts by the program's name."""
    failures = []
    for test in tests:
        program, *arguments = test.split()
        try:
            done = run([str(root / "build" / preset / "bin" / program), *arguments], root, MAX_TEST_SECONDS)
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


def plant(fault, root, preset):
    path = root / fault["file"]
    text = path.read_text()
    if why := misfit(fault, text):
        return "does not fit", why
    try:
        path.write_text(text.replace(fault["old"], fault["new"]))
        built, output = build(root, preset, fault["tests"])
        if not built:
            errors = [line for line in output.splitlines() if "error:" in line]
            return "does not compile", (errors or ["?"])[0]
        failures = failing_tests(root, preset, fault["tests"])
        return ("caught", failures[0]) if failures else ("missed", "")
    finally:
        path.write_text(text)


def plant_all(faults, root, preset):
    """Plants each fault and prints its outcome; the exit status of the program."""
    texts = {path: path.read_text() for path in {root / fault["file"] for fault in faults}}
    caught, broken = 0, 0
    try:
        for fault in faults:
            since = time.monotonic()
            outcome, detail = plant(fault, root, preset)
            caught += outcome == "caught"
            broken += outcome.startswith("does not")
            seconds = f"{time.monotonic() - since:.0f} s"
            print(f"| {fault['file']} | {fault['kind']} | {outcome} | {detail} | {seconds} |", flush=True)
    finally:
        # An interrupt may come just before plant() restores its file.
        for path, text in texts.items():
            if path.read_text() != text:
                path.write_text(text)
    print(f"{caught} of {len(faults)} faults caught" + (f", {broken} no longer fit the code" if broken else ""))
    return 1 if broken or caught < NEEDED_SHARE * len(faults) else 0


def make_copy(preset):
    copy_checkout()
    configured = run(["cmake", "--preset", preset], COPY)
    if configured.returncode != 0:
        sys.exit(configured.stdout + "error: the copy cannot be configured; run ./test.sh first")


def check_in_place(faults, preset):
    if not (ROOT / "build" / preset / "CMakeCache.txt").is_file():
        sys.exit(f"error: build/{preset} is not configured; run cmake --preset {preset} first")
    if changed := modified(fault["file"] for fault in faults):
        sys.exit(f"error: {', '.join(changed)}: modified since the last commit; commit first, or omit --in-place")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="plant the faults whose file, kind or tests contain this text")
    parser.add_argument("--preset", default="release", help="preset of the build (release)")
    parser.add_argument("--in-place", action="store_true", help="plant in this checkout and its build, not in a copy")
    parser.add_argument("--check", action="store_true", help="only check that each fault fits the code")
    arguments = parser.parse_args()

    root = ROOT if arguments.in_place else COPY
    for name, value in {"CCACHE_BASEDIR": str(root), **ENVIRONMENT}.items():
        os.environ.setdefault(name, value)
    faults = json.loads((ROOT / "tests/faults/faults.json").read_text())
    faults = [fault for fault in faults if is_named(fault, arguments.only)]
    if not faults:
        sys.exit(f"error: no fault's file, kind or tests contain \"{arguments.only}\"; see tests/faults/faults.json")
    if arguments.check:
        sys.exit(0 if check(faults) else 1)
    for number in INTERRUPTS:
        if signal.getsignal(number) != signal.SIG_IGN:  # as nohup sets it
            signal.signal(number, interrupt)

    if arguments.in_place:
        check_in_place(faults, arguments.preset)
    else:
        make_copy(arguments.preset)
    known = programs_of(root, arguments.preset)
    all_faults, faults = faults, [fault for fault in faults if known.issuperset(map(program_of, fault["tests"]))]
    if len(faults) < len(all_faults):
        print(f"left out: {len(all_faults) - len(faults)} faults, whose tests preset {arguments.preset} does not build")
    tests = sorted({test for fault in faults for test in fault["tests"]})
    where = "checkout" if arguments.in_place else "copy"
    built, output = build(root, arguments.preset, tests)
    if not built:
        sys.exit(output + f"error: the {where} does not build without a fault")
    before = failing_tests(root, arguments.preset, tests)
    if before:
        sys.exit(f"error: tests fail without a fault: {', '.join(before)}")

    status = plant_all(faults, root, arguments.preset)
    if arguments.in_place and not build(root, arguments.preset, tests)[0]:
        sys.exit("error: the checkout does not build without a fault")
    sys.exit(status)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("interrupted: every file is restored; build again, as programs may contain the last fault")
