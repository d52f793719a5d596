#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what `predict --estimate` says with what the runs take: time and peak memory.

    tests/benchmark/estimate_accuracy.py --mnist DIR [--model NAME=FILE]... [--build DIR] [--limit N]

DIR holds the four idx.gz files of MNIST. Every line is one run: estimated and real seconds, their ratio, whether the
time lies in the range that was shown, estimated and real peak memory. Last the median and the worst ratio.
"""
import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def run(command):
    """Output, seconds and peak bytes of a process."""
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    output, errors = process.stdout.read(), process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{' '.join(command)}\n{errors}")
    return output, time.monotonic() - start, usage.ru_maxrss * 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mnist", required=True, type=Path)
    parser.add_argument("--model", action="append", default=[], metavar="NAME=FILE", help="another model for MNIST, method map")
    parser.add_argument("--build", default=ROOT / "build" / "release", type=Path)
    parser.add_argument("--limit", type=int, default=None, help="only the first N runs")
    arguments = parser.parse_args()
    program = str(arguments.build / "bin" / "dubito-cli")
    test = f"idx:{arguments.mnist}/t10k-images-idx3-ubyte.gz"
    train = f"idx:{arguments.mnist}/train-images-idx3-ubyte.gz"
    lenet = str(ROOT / "datasets" / "samples" / "lenet-mnist.pt")

    def fit(items):
        return ["--fit", f"{train}?items=0:{items}&role=train"]

    cases = []
    for items in (1000, 5000, 10000):
        cases.append(("lenet map", lenet, items, ["--method", "map"]))
        cases.append(("lenet mc-dropout 50", lenet, items, ["--method", "mc-dropout"]))
        cases.append(("lenet laplace last, mc", lenet, items, ["--method", "laplace", "--link", "mc", *fit(10000)]))
    for items, fitted in ((500, 1000), (2000, 4000), (5000, 10000)):
        cases.append((f"lenet laplace all, fit {fitted}", lenet, items,
                      ["--method", "laplace", "--layers", "all", *fit(fitted)]))
    cases.append(("lenet laplace sampled", lenet, 5000,
                  ["--method", "laplace", "--layers", "all", "--predictive", "sampled", *fit(2000)]))
    cases.append(("lenet mc-dropout 500", lenet, 5000, ["--method", "mc-dropout", "--draws", "500"]))
    cases.append(("lenet laplace last, bridge", lenet, 10000, ["--method", "laplace", *fit(60000)]))
    cases.append(("lenet laplace last, auto-nll", lenet, 5000,
                  ["--method", "laplace", "--prior", "auto-nll", "--calibration",
                   f"{train}?items=50000:52000&role=calibration", *fit(5000)]))
    for name, path in (model.split("=", 1) for model in arguments.model):
        for items in (200, 1000, 5000, 10000):
            cases.append((f"{name} map", path, items, ["--method", "map"]))

    ratios = []
    print(f"{'run':<30}{'items':>7}{'estimate':>10}{'real':>9}{'ratio':>7}  range          {'memory':>9}{'real':>9}{'ratio':>7}"
          "  estimating")
    for name, model, items, method in cases[:arguments.limit]:
        with tempfile.TemporaryDirectory() as folder:
            command = [program, "predict", model, f"{test}?items=0:{items}", "-o", f"{folder}/run.npz",
                       "--progress", "none", "--json", *method]
            output, estimating, _ = run([*command, "--estimate"])
            estimate = json.loads(output)
            _, seconds, peak = run(command)
            memory = f"{estimate['peak_bytes'] / 1e6:>7.0f}MB{peak / 1e6:>7.0f}MB{estimate['peak_bytes'] / peak:>7.2f}"
            if estimate["seconds"] is None:
                print(f"{name:<30}{items:>7}    cannot tell{seconds:>8.2f}s{'':<24}{memory}", flush=True)
                continue
            ratio = estimate["seconds"] / seconds
            ratios.append(ratio)
            inside = estimate["seconds_low"] <= seconds <= estimate["seconds_high"]
            shown = f"{estimate['seconds_low']:.1f}-{estimate['seconds_high']:.1f} {'' if inside else 'missed'}"
            print(f"{name:<30}{items:>7}{estimate['seconds']:>9.2f}s{seconds:>8.2f}s{ratio:>7.2f}  {shown:<15}{memory}"
                  f"{estimating:>10.1f}s", flush=True)
    worst = max(ratios, key=lambda ratio: max(ratio, 1 / ratio))
    within = sum(0.5 <= ratio <= 2 for ratio in ratios)
    print(f"{len(ratios)} runs: median ratio {statistics.median(ratios):.2f}, worst {worst:.2f}, "
          f"{within} within a factor of two")


if __name__ == "__main__":
    main()
