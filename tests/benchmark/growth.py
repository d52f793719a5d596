#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Time and peak memory against the number of items N, classes K, draws T and features D, with fitted exponents.

    tests/benchmark/growth.py                  measure all (about 12 minutes), write growth.json, figures, page
    tests/benchmark/growth.py --quick          small sizes, below 2 minutes, into build/growth
    tests/benchmark/growth.py --only evaluate  one action; the others keep their figures
    tests/benchmark/growth.py --render         fit and draw again from the points in growth.json
    tests/benchmark/growth.py --check          fail if tables and figures do not follow from its points

Needs a built Dubito (--build) and a Python with torch and numpy (--python), which makes the data and runs the peers; what it
lacks of scikit-learn and laplace-torch is named and left out:

    python3 -m venv DIR && DIR/bin/pip install torch==2.11.0 torchvision==0.26.0 scikit-learn laplace-torch==0.3

Times are seconds of the processor, of all threads together, with one thread: other programs disturb them least. Those of the
window are on the clock. Each is the least of the repetitions, one if a run takes longer than 5 s. A size is left out if the ones before it let expect more
than --longest seconds, and ended at --bound seconds or --memory MB.
"""
import argparse
import datetime
import os
import platform
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "resources"), str(Path(__file__).parent)]
import measurements  # noqa: E402  the folders are known only now
from growth_parts import fit, ours, report, watch  # noqa: E402
from growth_parts.series import ACTIONS  # noqa: E402

QUICK = {"N": 100_000, "K": 300, "T": 100, "D": 256}
ENOUGH_SECONDS = 5  # no further repetition of one size after them


class Measuring:
    def __init__(self, programs, peers, arguments):
        self.programs, self.peers, self.arguments = programs, peers, arguments
        self.points, self.left_out, self.windows = [], [], {}

    def repeated(self, once):
        """The least time and memory of the repetitions."""
        found = []
        while len(found) < self.arguments.repetitions and sum(seconds for seconds, _ in found) < ENOUGH_SECONDS:
            found.append(once())
        return tuple(min(values) for values in zip(*found))

    def window(self, action, sizes):
        key = tuple(sorted(sizes.items()))
        if key not in self.windows:
            runs = [self.programs.window(sizes, 24)
                    for _ in range(min(2, self.arguments.repetitions))]
            self.windows[key] = {step: min(run[step] for run in runs) for step in runs[0]}
        return self.windows[key][action.settings["step"]]

    def once(self, who, action, sizes):
        if action.do == "window":
            return self.window(action, sizes)
        return self.repeated(lambda: (self.programs.ours if who == "Dubito" else self.programs.theirs)(action, sizes))

    def series(self, who, action, series):
        """Sizes in ascending order, until one is expected or found to take too much."""
        measured = []
        for size in series.sizes:
            if self.arguments.quick and size > QUICK[series.variable]:
                break
            sizes = {**series.others, series.variable: size}
            reason = None
            if measured:
                seconds = fit.expected([(x, t) for x, t, _ in measured], size, series.time[1])
                if seconds > self.arguments.longest:
                    reason = "time"
            try:
                if reason is None:
                    measured.append((size, *self.once(who, action, sizes)))
                    print(f"{action.name} {who} {series.variable}={size}: {measured[-1][1]:.3f} s, {measured[-1][2]:.0f} MB",
                          flush=True)
            except watch.LeftOut as found:
                reason = str(found)
            except ours.Failed as failure:
                if who == "Dubito":
                    raise
                print(f"{action.name} {who} {series.variable}={size}: {failure}", file=sys.stderr)
                reason = "an error"
            if reason:
                print(f"{action.name} {who} {series.variable}={size}: left out ({reason})", flush=True)
                self.left_out.append([action.name, who, series.variable, size, reason])
                break
        self.points += [[action.name, who, series.variable, *point] for point in measured]
        self.programs.forget_large_files()

    def action(self, action):
        for series in action.series:
            self.series("Dubito", action, series)
            if action.peer and action.do in self.peers.names:
                self.series(action.peer, action, series)

    def serial_part(self, action):
        """Seconds of a run with two threads, and those that one does alone: the busiest does these and half of the others."""
        series = action.series[0]
        times = [point for point in self.points if point[:3] == [action.name, "Dubito", series.variable]]
        size = max((point[3] for point in times if point[4] < self.arguments.longest / 2), default=series.sizes[0])
        found = []
        for _ in range(self.arguments.repetitions):
            by_thread = {}
            command = self.programs.command(action, {**series.others, series.variable: size}, threads=2)
            total, _ = self.programs.timed(command, 2, by_thread)
            found.append((max(2 * max(by_thread.values(), default=total) - total, 0.0), total))
        # On a busy machine a thread that waits for its turn leaves its part to the other: the least is the closest.
        alone, total = min(found, key=lambda run: run[0] / run[1])
        return [action.name, series.variable, size, total, alone]


def measured(arguments, chosen):
    peers = ours.Peers(arguments.python, arguments.bound, arguments.memory)
    for name, peer in (("scikit-learn", "evaluate"), ("laplace-torch", "laplace-fit")):
        if peer not in peers.names:
            print(f"growth.py: {arguments.python} has no {name} that works; it is left out", file=sys.stderr)
    with tempfile.TemporaryDirectory(prefix="dubito-growth-") as folder:
        programs = ours.Programs(arguments.build, Path(folder), peers, arguments.bound, arguments.memory)
        measuring = Measuring(programs, peers, arguments)
        shares = []
        for action in chosen:
            measuring.action(action)
            if action.threads:
                shares.append(measuring.serial_part(action))
    peers.close()
    load = os.getloadavg()[0]
    return {"date": datetime.date.today().isoformat(), "machine": f"{processor()}, {os.cpu_count()} cores"
            + (f" (busy: {load:.1f} programs were running at the end)" if load > 1.7 else ""),
            "version": ", ".join(f"{name} {version}" for name, version in peers.versions.items() if version),
            "points": measuring.points, "left_out": measuring.left_out, "shares": shares}


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [action.name for action in ACTIONS]
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "release")
    parser.add_argument("--python", default=sys.executable, help="has torch and numpy, scikit-learn and laplace-torch")
    parser.add_argument("--quick", action="store_true", help="small sizes, one repetition, into build/growth")
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=names, default=names,
                        help=f"these actions alone: {', '.join(names)}")
    parser.add_argument("--out", type=Path, help="folder for docs/measurements/growth.json and resources/figures")
    parser.add_argument("--repetitions", type=int, default=2, help="the least of so many counts")
    parser.add_argument("--longest", type=float, default=13, help="seconds that a size may be expected to take")
    parser.add_argument("--bound", type=float, default=60, help="seconds of the processor at which a run is ended")
    parser.add_argument("--memory", type=float, default=6000, help="MB at which a run is ended")
    parser.add_argument("--render", action="store_true", help="measure nothing")
    parser.add_argument("--check", action="store_true", help="measure and write nothing")
    arguments = parser.parse_args()
    out = arguments.out or (ROOT / "build" / "growth" if arguments.quick else ROOT)
    if arguments.quick:
        arguments.repetitions = 1
    kept = report.kept(out if report.file_in(out).exists() else ROOT)
    data = report.data_of(kept)
    if arguments.check:
        if stale := report.differing(out, kept, data):
            sys.exit("\n".join(f"{path} does not follow from the points; run growth.py --render" for path in stale))
        return
    if not arguments.render:
        new = measured(arguments, [action for action in ACTIONS if action.name in arguments.only])
        data = report.rounded(report.merged(data, new, arguments.only, forget=arguments.quick))
    report.write(out, kept, data)
    if out == ROOT:
        measurements.Measurements().write()
    for line in report.summary(data):
        print(line)


if __name__ == "__main__":
    main()
