#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints where the time of a build went.

    resources/build_times.py [--preset NAME] [--most N]

Reads the newest time of each output from ninja's log (build/PRESET/.ninja_log). These are wall times, so other load on
the machine and hits in the compiler cache affect them.
"""
import argparse
import collections
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]


def steps(log):
    """Seconds by output; later lines in the log are newer."""
    seconds = {}
    for line in log.read_text().splitlines()[1:]:
        start, end, _, output, _ = line.split("\t")
        seconds[output] = (int(end) - int(start)) / 1000.0
    return seconds


def folder_of(output):
    """core/predict/CMakeFiles/dubito_predict.dir/predict.cpp.o -> core/predict"""
    return output.split("/CMakeFiles/")[0] if "/CMakeFiles/" in output else "links and others"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--preset", default="release")
    parser.add_argument("--most", type=int, default=10, help="number of files and folders to list")
    arguments = parser.parse_args()
    log = ROOT / "build" / arguments.preset / ".ninja_log"
    if not log.is_file():
        sys.exit(f"error: {log.relative_to(ROOT)} is missing; build the preset first")
    seconds = {output: time for output, time in steps(log).items() if not output.endswith((".txt", ".ninja"))}
    by_folder = collections.Counter()
    for output, time in seconds.items():
        by_folder[folder_of(output)] += time
    print(f"{sum(seconds.values()):8.0f} s  all {len(seconds)} steps of {arguments.preset}, in total")
    print("\nfolders")
    for folder, time in by_folder.most_common(arguments.most):
        print(f"{time:8.0f} s  {folder}")
    print("\nfiles")
    for output, time in collections.Counter(seconds).most_common(arguments.most):
        print(f"{time:8.1f} s  {output}")


if __name__ == "__main__":
    main()
