# SPDX-License-Identifier: GPL-3.0-or-later
"""Opening and predicting with the same network in each format, in turns.

    python tests/zoo/format_speed.py --cli build/release/bin/dubito-cli [--rounds 3] [--only resnet50]

Saves ResNet-50 and ViT-B/16 of torchvision with random weights as TorchScript, exported program and
ONNX, and prints a table: seconds until the file is read, until it is also audited; the largest
memory until then, without that of the program with a tiny network, per megabyte of weights; and the
processor seconds of `predict` (map, and 50 passes of mc-dropout) next to those with TorchScript. The
least of all rounds counts.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time
import warnings

import numpy as np
import torch

warnings.filterwarnings("ignore")
FORMATS = ("pt", "pt2", "onnx")


def save(name, folder):
    """The paths by format, and megabytes of the weights."""
    from torchvision import models

    torch.manual_seed(0)
    net = getattr(models, name)(weights=None).eval()
    # The head of ViT begins with zeros, after which nothing depends on dropout.
    head = [module for module in net.modules() if isinstance(module, torch.nn.Linear)][-1]
    torch.nn.init.normal_(head.weight, std=0.05)
    x = torch.rand(2, 3, 224, 224)
    paths = {ending: os.path.join(folder, f"{name}.{ending}") for ending in FORMATS}
    metadata = json.dumps({"input_size": [3, 224, 224]})
    torch.jit.save(torch.jit.script(net), paths["pt"], _extra_files={"metadata.json": metadata})
    dynamic = ({0: torch.export.Dim.DYNAMIC},)
    program = torch.export.export(net, (x,), dynamic_shapes=dynamic)
    torch.export.save(program, paths["pt2"], extra_files={"metadata.json": metadata})
    torch.onnx.export(net, (x,), paths["onnx"], dynamo=True, dynamic_shapes=dynamic, verbose=False)
    with open(paths["onnx"] + ".json", "w") as file:
        file.write(metadata)
    return paths, sum(weight.numel() for weight in net.parameters()) * 4 / 1e6


def opening(cli, path):
    """Seconds until read and until audited, and the largest resident megabytes until then."""
    start = time.monotonic()
    program = subprocess.Popen([cli, "inspect", path, "--progress=json"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    read = []
    memory = {"read": 0.0, "audited": 0.0}

    def watch():
        for line in program.stderr:
            if not read and '"auditing"' in line:
                read.append(time.monotonic() - start)

    watching = threading.Thread(target=watch)
    watching.start()
    # Not ru_maxrss: that of this process counts, too.
    while program.poll() is None:
        try:
            with open(f"/proc/{program.pid}/status") as status:
                peak = re.search(r"VmHWM:\s+(\d+)", status.read())
            most = int(peak.group(1)) / 1e3 if peak else 0.0
            memory["audited"] = max(memory["audited"], most)
            if not read:
                memory["read"] = memory["audited"]
        except OSError:
            pass
        time.sleep(0.01)
    watching.join()
    if program.returncode != 0:
        sys.exit(f"{path}: inspect failed")
    return read[0], time.monotonic() - start, memory["read"], memory["audited"]


def predicting(cli, path, data, method, folder):
    """Processor seconds of predict without those of opening."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    command = [cli, "predict", path, data, "-o", os.path.join(folder, "run.npz"), "--method", *method, "--threads", "1"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{path}: {done.stderr}")
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--cli", required=True)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--items", type=int, default=16)
    arguments.add_argument("--only", nargs="*", default=["resnet50", "vit_b_16"])
    options = arguments.parse_args()
    tiny = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/models/exported/plain.pt2")
    base = opening(options.cli, tiny)[2:]
    print("| network | format | read, s | audited, s | x weights, read | audited | predict map, s | x TorchScript | mc-dropout T = 50, s | x TorchScript |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for name in options.only:
        with tempfile.TemporaryDirectory() as folder:
            paths, weights = save(name, folder)
            data = os.path.join(folder, "items.npz")
            images = np.random.default_rng(0).integers(0, 256, (options.items, 224, 224, 3), dtype=np.uint8)
            np.savez(data, images=images, labels=np.zeros(options.items, dtype=np.int64))
            # A transformer drops in every block, but an ONNX file exported in inference mode has no dropout.
            dropout = ["mc-dropout", "--draws", "50"] + (["--drop-rate", "0.1"] if name.startswith("vit") else [])
            measured = {ending: [] for ending in FORMATS}
            for _ in range(options.rounds):
                for ending, path in paths.items():
                    row = [*opening(options.cli, path)]
                    row.append(predicting(options.cli, path, data, ["map"], folder))
                    drops = not (name.startswith("vit") and ending == "onnx")
                    row.append(predicting(options.cli, path, data, dropout, folder) if drops else np.nan)
                    measured[ending].append(row)
            least = {ending: np.min(rows, axis=0) for ending, rows in measured.items()}
            for ending, (read, audited, at_reading, at_audit, plain, drawn) in least.items():
                print(
                    f"| {name} | .{ending} | {read:.2f} | {audited:.2f} | {(at_reading - base[0]) / weights:.2f} | {(at_audit - base[1]) / weights:.2f} | {plain:.2f} | "
                    f"{least['pt'][4] / plain:.2f} | {drawn:.2f} | {least['pt'][5] / drawn:.2f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
