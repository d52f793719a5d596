#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the test suites of the Python package onnx through the reader of ONNX files.

    python3 -m venv suites && suites/bin/pip install onnx==1.23.0 numpy
    cmake --build --preset release --target onnx_outputs
    suites/bin/python tests/onnx/run_onnx_suites.py

Prints for each suite how many models agree with their expected outputs (passed), how many the reader refuses
because of an operator that it does not support (no operator) or of the way one is used (refused), and how many
differ or fail (wrong), then the last three by name. The exit status is 1 if any is wrong.

    --program FILE   onnx_outputs (default build/release/bin/onnx_outputs)
    --work DIR       where the node tests are generated and outputs written (default build/onnx-suites)
    --suite NAME     only this suite; repeat for several
    --only TEXT      only models whose name contains TEXT
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import warnings

import numpy as np
import onnx
import onnx.backend.test.runner
from onnx import numpy_helper

SUITES = ("pytorch-operator", "pytorch-converted", "simple", "light", "node")
# Their expected outputs are random, or statistics that only training computes; the reader runs networks for inference.
NOT_FOR_INFERENCE = re.compile(
    "^test_(training_dropout_(default|default_mask|mask)?$|training_dropout(?!_zero_ratio)|batchnorm_.*training_mode|"
    "bernoulli|random)"
)
NEEDS_CONSTANTS = re.compile("while it runs|computes its padding from values|of unknown size")
NUMPY_TYPES = {"Float": "<f4", "Double": "<f8", "Half": "<f2", "Long": "<i8", "Int": "<i4", "Short": "<i2",
               "Char": "i1", "Byte": "u1", "Bool": "?"}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    root = pathlib.Path(__file__).resolve().parents[2]
    parser.add_argument("--program", default=root / "build/release/bin/onnx_outputs")
    parser.add_argument("--work", type=pathlib.Path, default=root / "build/onnx-suites")
    parser.add_argument("--suite", action="append", choices=SUITES)
    parser.add_argument("--only", default="")
    return parser.parse_args()


def generate_node_tests(folder):
    """The node tests are in the package as Python code; this writes them as files, like the other suites."""
    if folder.is_dir():
        return folder
    from onnx.backend.test.case import node

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cases = node.collect_testcases(None)
    for case in cases:
        (folder / case.name).mkdir(parents=True, exist_ok=True)
        (folder / case.name / "model.onnx").write_bytes(case.model.SerializeToString())
        for i, data_set in enumerate(case.data_sets):
            target = folder / case.name / f"test_data_set_{i}"
            target.mkdir(exist_ok=True)
            for kind, values in zip(("input", "output"), data_set):
                for j, value in enumerate(values):
                    # Sequences and optional values are no tensors; the reader refuses them before it needs data.
                    if isinstance(value, (np.ndarray, np.generic, onnx.TensorProto)):
                        tensor = value if isinstance(value, onnx.TensorProto) else numpy_helper.from_array(
                            np.asarray(value))
                        (target / f"{kind}_{j}.pb").write_bytes(tensor.SerializeToString())
    return folder


def light_data_set(path, folder):
    """The package has the outputs of these models for an input that it computes."""
    folder.mkdir(parents=True, exist_ok=True)
    graph = onnx.load(path).graph
    weights = {tensor.name for tensor in graph.initializer}
    for i, value in enumerate(value for value in graph.input if value.name not in weights):
        array = onnx.backend.test.runner.Runner.generate_dummy_data(value)
        (folder / f"input_{i}.pb").write_bytes(numpy_helper.from_array(array).SerializeToString())
    for output in path.parent.glob(path.stem + "_output_*.pb"):
        shutil.copy(output, folder / output.name[len(path.stem) + 1:])
    return folder


def test_models(suite, work):
    data = pathlib.Path(onnx.__file__).parent / "backend/test/data"
    folder = generate_node_tests(work / "node") if suite == "node" else data / suite
    if suite == "light":
        return [(path.stem, path, [light_data_set(path, work / "light" / path.stem)])
                for path in sorted(folder.glob("*.onnx"))]
    return [(path.parent.name, path, sorted(path.parent.glob("test_data_set_*")))
            for path in sorted(folder.glob("*/model.onnx"))]


def read_tensor(path):
    tensor = onnx.TensorProto()
    tensor.ParseFromString(path.read_bytes())
    return numpy_helper.to_array(tensor)


def read_output(path):
    header, elements = path.read_bytes().split(b"\n", 1)
    kind, *sizes = header.decode().split()
    if kind == "BFloat16":
        bits = np.frombuffer(elements, "<u2").astype("<u4") << 16
        return bits.view("<f4").reshape([int(size) for size in sizes])
    return np.frombuffer(elements, NUMPY_TYPES[kind]).reshape([int(size) for size in sizes])


def difference(expected, got):
    """Why the outputs differ; empty if they agree."""
    if list(expected.shape) != list(got.shape):
        return f"shape {list(got.shape)} instead of {list(expected.shape)}"
    wanted = expected.astype(np.float64) if expected.dtype != bool else expected
    values = got.astype(np.float64) if got.dtype != bool else got
    half = expected.dtype.itemsize == 2 and expected.dtype.kind not in "iu"
    tolerance = {"rtol": 1e-2, "atol": 1e-3} if half else {"rtol": 1e-3, "atol": 1e-5}
    if expected.dtype.kind in "iu" and expected.dtype.itemsize == 1:
        tolerance = {"rtol": 0, "atol": 1}  # quantised values round either way
    if np.allclose(values, wanted, equal_nan=True, **tolerance):
        return ""
    return f"differs by up to {np.nanmax(np.abs(values.astype(np.float64) - wanted.astype(np.float64))):.3g}"


class Program:
    """onnx_outputs, started again after a crash."""

    def __init__(self, path):
        self.path, self.process = path, None

    def run(self, model, inputs, outputs):
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, text=True)
        self.process.stdin.write(f"{model}\t{inputs}\t{outputs}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer:
            self.process.wait()
        return answer or f"failed: the program ended with {self.process.returncode}"


def with_constants(model, data_set, folder):
    """The model with all inputs but the first as constants: networks have weights, axes and sizes in the file."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    changed = onnx.load(model)
    graph = changed.graph
    weights = {tensor.name for tensor in graph.initializer}
    inputs = [value for value in graph.input if value.name not in weights]
    for i, value in enumerate(inputs[1:], 1):
        tensor = onnx.TensorProto()
        tensor.ParseFromString((data_set / f"input_{i}.pb").read_bytes())
        tensor.name = value.name
        graph.initializer.append(tensor)
        graph.input.remove(value)
    (folder / "model.onnx").write_bytes(changed.SerializeToString())
    for path in [data_set / "input_0.pb", *data_set.glob("output_*.pb")]:
        shutil.copy(path, folder / path.name)
    return folder / "model.onnx", [folder]


def judge(program, model, data_sets, outputs):
    """("passed" | "no operator" | "refused" | "wrong", why)"""
    verdict = judge_as_stored(program, model, data_sets, outputs)
    if verdict[0] == "refused" and NEEDS_CONSTANTS.search(verdict[1]) and len(data_sets) == 1:
        return judge_as_stored(program, *with_constants(model, data_sets[0], outputs / "constants"), outputs)
    return verdict


def judge_as_stored(program, model, data_sets, outputs):
    if not data_sets:
        return "refused", "no data"
    for data_set in data_sets:
        for old in outputs.glob("output_*.bin"):
            old.unlink()
        try:
            expected = [read_tensor(path) for path in sorted(
                data_set.glob("output_*.pb"), key=lambda path: int(path.stem.split("_")[1]))]
        except Exception:  # sequences and optional values are no tensors
            expected = None
        answer = program.run(model, data_set, outputs)
        if answer.startswith("refused: "):
            reason = answer[len("refused: "):]
            return ("no operator" if "uses the operator" in reason or "is a loop" in reason else "refused"), reason
        if answer != "ok":
            return "wrong", answer
        if expected is None:
            return "refused", "its outputs are no tensors"
        for i, wanted in enumerate(expected):
            why = difference(wanted, read_output(outputs / f"output_{i}.bin"))
            if why:
                return "wrong", f"output {i}: {why}"
    return "passed", ""


def main():
    arguments = parse_arguments()
    program = Program(arguments.program)
    outputs = arguments.work / "outputs"
    outputs.mkdir(parents=True, exist_ok=True)
    verdicts = ("passed", "no operator", "refused", "wrong", "not for inference")
    print(f"{'suite':20}" + "".join(f"{verdict:>19}" for verdict in verdicts))
    listed, wrong = [], 0
    for suite in arguments.suite or SUITES:
        counts = dict.fromkeys(verdicts, 0)
        for name, model, data_sets in test_models(suite, arguments.work):
            if arguments.only not in name:
                continue
            if NOT_FOR_INFERENCE.match(name):
                counts["not for inference"] += 1
                continue
            verdict, why = judge(program, model, data_sets, outputs)
            counts[verdict] += 1
            if verdict != "passed":
                listed.append((verdict, suite, name, why))
        wrong += counts["wrong"]
        print(f"{suite:20}" + "".join(f"{counts[verdict]:19}" for verdict in verdicts), flush=True)
    for verdict, suite, name, why in sorted(listed, key=lambda entry: verdicts.index(entry[0])):
        print(f"{verdict}: {suite}/{name}: {why[:300]}")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
