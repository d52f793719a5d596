#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints what a build spent its time on.

    resources/build_times.py [--preset NAME] [--most N]

Reads the times of every step from the log of ninja (build/PRESET/.ninja_log): the newest of each output. They
are wall times, so that a machine that does something else, or a hit in the compiler cache, shows in them.
"""
import argparse
import collections
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]


def steps(log):
    """Seconds by output; later lines of the log are newer."""
    seconds = {}
    for line in log.read_text().splitlines()[1:]:
        start, end, _, output, _ = line.split("\t")
        seconds[output] = (int(end) - int(start)) / 1000.0
    return seconds


def folder_of(output):
    """core/inference/CMakeFiles/dubito_inference.dir/map.cpp.o -> core/inference"""
    return output.split("/CMakeFiles/")[0] if "/CMakeFiles/" in output else "links and others"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--preset", default="release")
    parser.add_argument("--most", type=int, default=10, help="how many files and folders are listed")
    arguments = parser.parse_args()
    log = ROOT / "build" / arguments.preset / ".ninja_log"
    if not log.is_file():
        sys.exit(f"error: {log.relative_to(ROOT)} is missing; build the preset first")
    seconds = {output: time for output, time in steps(log).items() if not output.endswith((".txt", ".ninja"))}
    by_folder = collections.Counter()
    for output, time in seconds.items():
        by_folder[folder_of(output)] += time
    print(f"{sum(seconds.values()):8.0f} s  all {len(seconds)} steps of {arguments.preset}, one after another")
    print("\nfolders")
    for folder, time in by_folder.most_common(arguments.most):
        print(f"{time:8.0f} s  {folder}")
    print("\nfiles")
    for output, time in collections.Counter(seconds).most_common(arguments.most):
        print(f"{time:8.1f} s  {output}")


if __name__ == "__main__":
    main()
