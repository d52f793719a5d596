#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks whether two builds of dubito-cli compute the same numbers, bit by bit.

    tests/compare_programs.py OLD NEW

Runs the same commands with both programs, each in a folder of its own, and compares what they write: every array
of a run or posterior that both have, byte by byte, every number of JSON and CSV that both have, as text. What one
of them has alone is listed and is no difference; times, versions and paths do not count. The exit status is 1 where
a number differs or a command fails with one program alone.
"""
import argparse
import csv
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
SAMPLES = ROOT / "datasets" / "samples"
MNIST = f"idx:{SAMPLES}/mnist-2000-images-idx3-ubyte.gz"
FASHION = f"idx:{SAMPLES}/fashion-mnist-1000-images-idx3-ubyte.gz"
MODEL = f"{SAMPLES}/lenet-mnist.pt"

# What to run and what it writes, if anything; "-" stands for standard output as JSON.
COMMANDS = [
    (f"predict {MODEL} {MNIST}?items=0:1000 --method map -o map.npz", "map.npz"),
    (f"predict {MODEL} {MNIST}?items=1000:2000 --method map -o calibration.npz", "calibration.npz"),
    (f"predict {MODEL} {FASHION} --method map -o fashion.npz", "fashion.npz"),
    (f"predict {MODEL} {MNIST}?items=0:300 --method mc-dropout --draws 11 --seed 3 -o mc.npz", "mc.npz"),
    (f"predict {MODEL} {MNIST}?items=0:200 --method mc-dropout --draws 5 --masks shared -o shared.npz",
     "shared.npz"),
    (f"predict {MODEL} {MNIST}?items=0:300 --method temperature --temperature 1.7 -o t.npz", "t.npz"),
    (f"laplace {MODEL} --fit {MNIST}?items=1000:2000&role=train --posterior posterior.npz", "posterior.npz"),
    (f"predict {MODEL} {MNIST}?items=0:300 --method laplace --posterior posterior.npz -o la.npz",
     "la.npz"),
    (f"predict {MODEL} {MNIST}?items=0:200 --method laplace --fit {MNIST}?items=1000:1500&role=train "
     "--link mc --samples 20 -o la-mc.npz", "la-mc.npz"),
    (f"predict {MODEL} {MNIST}?items=0:100 --method laplace --fit {MNIST}?items=1000:1300&role=train "
     "--layers all --structure diag -o la-all.npz", "la-all.npz"),
    ("evaluate map.npz --ood fashion=fashion.npz --json", "-"),
    ("evaluate mc.npz --json", "-"),
    ("evaluate la.npz --items-csv items.csv", "items.csv"),
    ("evaluate map.npz --ood fashion=fashion.npz --csv tables", "tables/metrics.csv"),
    ("conformal map.npz --calibration calibration.npz --json", "-"),
    ("select map.npz --calibration calibration.npz --json", "-"),
    ("dirichlet la.npz --json", "-"),
    ("tune mc.npz --draws 5 -o fewer.npz", "fewer.npz"),
    ("tune map.npz --temperature 2 -o warm.npz", "warm.npz"),
    ("tune la.npz --link probit -o probit.npz", "probit.npz"),
    (f"inspect {MODEL} --json", "-"),
    ("convert items.csv -o converted.npz", "converted.npz"),
    ("lab sampler --transitions 200 --json", "-"),
    ("lab simplex --json", "-"),
    ("lab samples --max-samples 200 --replicates 3 --truth 5000 --json", "-"),
    ("lab dropout-rate --steps 200 --starts 3 --json", "-"),
    ("lab bandit --steps 100 --seeds 2 --json", "-"),
] + [
    (f"lab {kind} --method {method} --json --points 40 {size} {short}", "-")
    for kind, size, methods in (
        ("regression", "--grid 40", {
            "gp blr": "", "mle ensemble mc-dropout concrete heteroscedastic laplace swag": "--epochs 30",
            "hmc mh": "--warm-up 20 --kept 20", "sgld": "--kept 20", "bbb graves": "--steps 100"}),
        ("classification", "--grid 12", {
            "map ensemble mc-dropout laplace-diag laplace-kron laplace-full laplace-all": "--epochs 30",
            "bbb": "--steps 100", "hmc": "--warm-up 20 --kept 20", "gp": ""}))
    for names, short in methods.items()
    for method in names.split()
]
NOT_COMPARED = {"meta", "times", "timings", "versions", "seconds", "path", "dubito", "file"}


def flat(value, place=""):
    """The leaves of JSON by place."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in NOT_COMPARED:
                yield from flat(inner, f"{place}/{key}")
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from flat(inner, f"{place}/{i}")
    else:
        yield place, value


def numbers_of_csv(text):
    rows = list(csv.reader(io.StringIO(text)))
    return {f"{i}/{name}": row[k] for i, row in enumerate(rows[1:]) for k, name in enumerate(rows[0]) if k < len(row)}


def content(folder, output, printed):
    """What a command wrote, by name."""
    if output == "-":
        return dict(flat(json.loads(printed)))
    path = folder / output
    if path.suffix == ".csv":
        return numbers_of_csv(path.read_text())
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist() if not name.startswith("meta")}


def run(program, folder, command):
    done = subprocess.run([program, *command.split()], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr.strip().splitlines()[-1:] if done.returncode else []


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    arguments = parser.parse_args()
    differing = compared = 0
    with tempfile.TemporaryDirectory() as parent:
        folders = [pathlib.Path(parent) / name for name in ("old", "new")]
        for folder in folders:
            folder.mkdir()
        for command, output in COMMANDS:
            results = [run(program.resolve(), folder, command)
                       for program, folder in zip((arguments.old, arguments.new), folders)]
            if any(code for code, _, _ in results):
                same_failure = all(code for code, _, _ in results)
                differing += 0 if same_failure else 1
                print(f"{'FAILS  ' if same_failure else 'DIFFERS'} {command}: {results[0][2]} {results[1][2]}")
                continue
            old, new = (content(folder, output, printed) for folder, (_, printed, _) in zip(folders, results))
            both = old.keys() & new.keys()
            unequal = sorted(key for key in both if old[key] != new[key])
            compared += len(both)
            differing += len(unequal)
            alone = [f"{len(some)} only in the {which}" for which, some in
                     (("old", old.keys() - new.keys()), ("new", new.keys() - old.keys())) if some]
            print(f"{'DIFFERS' if unequal else 'same   '} {command[:90]}: {len(both)} compared"
                  + "".join(f", {text}" for text in alone) + (f"; first: {unequal[:3]}" if unequal else ""))
    print(f"{differing} of {compared} differ")
    sys.exit(1 if differing or not compared else 0)


if __name__ == "__main__":
    main()
