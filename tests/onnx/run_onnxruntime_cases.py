#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the reader of ONNX files with onnxruntime: single operators that onnxruntime's tools for quantisation and
optimisation write, with random values, and small networks that these tools converted.

    python3 -m venv suites && suites/bin/pip install onnx==1.23.0 onnxruntime==1.32.0 numpy torch transformers
    cmake --build --preset release --target onnx_outputs
    suites/bin/python tests/onnx/run_onnxruntime_cases.py

Prints for each operator and network the number of cases and the largest difference. The exit status is 1 if integers differ,
or real numbers by more than 1e-5 of the largest one (5e-2 in networks with QLinearSoftmax, see below).

    --program FILE   onnx_outputs (default build/release/bin/onnx_outputs)
    --work DIR       for models and outputs (default build/onnxruntime-cases)
    --seed N         of the random values (default 0)
    --repeat N       cases of each kind (default 10)
    --operators      only single operators, without torch and transformers
"""
import argparse
import collections
import pathlib
import sys
import warnings

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime import quantization
from run_onnx_suites import Program, read_output

TOLERANCE = 1e-5
# onnxruntime computes QLinearSoftmax with a table of integers, which is off by a step for small scales: the reader rounds
# the exact value. A network passes the step on.
TOLERANCE_WITH_SOFTMAX = 0.05
TYPES = {"float32": TensorProto.FLOAT, "uint8": TensorProto.UINT8, "int8": TensorProto.INT8,
         "int32": TensorProto.INT32}
ACTIVATIONS = {"Relu": [], "Tanh": [], "Sigmoid": [], "LeakyRelu": [0.3], "Clip": [-0.1, 0.5], "HardSigmoid": [0.3, 0.4]}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    root = pathlib.Path(__file__).resolve().parents[2]
    parser.add_argument("--program", default=root / "build/release/bin/onnx_outputs")
    parser.add_argument("--work", type=pathlib.Path, default=root / "build/onnxruntime-cases")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--repeat", type=int, default=10)
    parser.add_argument("--operators", action="store_true")
    return parser.parse_args()


def session(model, level="ORT_DISABLE_ALL", saved=None):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, level)
    options.log_severity_level = 4
    if saved is not None:
        options.optimized_model_filepath = str(saved)
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


class Comparison:
    """Runs models in both programs and collects the differences by name."""

    def __init__(self, program, work):
        self.program, self.work = Program(program), work
        self.differences, self.tolerances = collections.defaultdict(list), {}
        self.failures = []

    def run(self, name, model, feed):
        approximates = len(model.graph.node) > 1 and any(node.op_type == "QLinearSoftmax" for node in model.graph.node)
        self.tolerances[name] = TOLERANCE_WITH_SOFTMAX if approximates else TOLERANCE
        expected = session(model).run(None, feed)
        onnx.save(model, self.work / "model.onnx")
        for i, value in enumerate(feed.values()):
            (self.work / f"input_{i}.pb").write_bytes(numpy_helper.from_array(value).SerializeToString())
        answer = self.program.run(self.work / "model.onnx", self.work, self.work / "outputs")
        if answer != "ok":
            self.failures.append(f"{name}: {answer}")
            return
        for i, wanted in enumerate(expected):
            got = read_output(self.work / "outputs" / f"output_{i}.bin")
            if got.shape != wanted.shape:
                self.failures.append(f"{name}: shape {got.shape} instead of {wanted.shape}")
                return
            difference = np.abs(got.astype(np.float64) - wanted.astype(np.float64)).max()
            scale = 1 if wanted.dtype.kind in "iu" else max(np.abs(wanted).max(), 1)
            self.differences[name].append(difference / scale)

    def report(self):
        for name, differences in self.differences.items():
            print(f"{name:40}{len(differences):6} cases, largest difference {max(differences):.2g}")
            if max(differences) > self.tolerances[name]:
                self.failures.append(f"{name}: differs by {max(differences):.2g}")
        for failure in self.failures:
            print(f"wrong: {failure}")
        return bool(self.failures)


class Operators:
    """Cases of single operators; inputs from position `constants_from` on are constants of the file."""

    def __init__(self, comparison, seed):
        self.comparison, self.random = comparison, np.random.default_rng(seed)

    def case(self, op, inputs, constants_from=1, domain="com.microsoft", name=None, **attributes):
        names, feed, graph_inputs, constants = [], {}, [], []
        for i, value in enumerate(inputs):
            names.append("" if value is None else f"i{i}")
            if value is None:
                continue
            value = np.asarray(value)
            if i >= constants_from:
                constants.append(numpy_helper.from_array(value, names[-1]))
            else:
                feed[names[-1]] = value
                graph_inputs.append(helper.make_tensor_value_info(names[-1], TYPES[value.dtype.name], value.shape))
        graph = helper.make_graph([helper.make_node(op, names, ["y"], domain=domain, **attributes)], "graph", graph_inputs,
                                  [helper.make_empty_tensor_value_info("y")], constants)
        model = helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17),
                                                                      helper.make_opsetid("com.microsoft", 1)])
        self.comparison.run(name or op, model, feed)

    def real(self, *shape):
        return self.random.normal(size=shape).astype(np.float32)

    def integers(self, kind, *shape):
        limits = np.iinfo(kind)
        return self.random.integers(limits.min, limits.max + 1, shape).astype(kind)

    def scale(self, *shape):
        return self.random.uniform(0.005, 0.1, shape).astype(np.float32)

    def zero(self, kind, *shape):
        middle = 0 if kind == np.int8 else 128
        return (middle + self.random.integers(-20, 20, shape)).astype(kind)

    def quantised(self, kind):
        """Operators on values of one kind."""
        x, y, scale, zero = self.integers(kind, 2, 3, 5, 4), self.integers(kind, 3, 1, 4), self.scale, self.zero
        unit = [np.float32(1 / 256), np.array(np.iinfo(kind).min, kind)]
        own = [scale(), zero(kind)]
        for op in ("QLinearAdd", "QLinearMul"):
            self.case(op, [x, *own, y, scale(), zero(kind), np.float32(0.2), zero(kind)])
        self.case("QLinearSigmoid", [x, *own, *unit])
        self.case("QLinearLeakyRelu", [x, *own, scale(), zero(kind)], alpha=0.1)
        for last in (0, 1):
            self.case("QLinearGlobalAveragePool", [x, *own, scale(), zero(kind)], channels_last=last)
        for count_include_pad in (0, 1):
            for window in ({"strides": [2, 1], "pads": [1, 0, 1, 1]}, {"auto_pad": "SAME_UPPER"}):
                self.case("QLinearAveragePool", [x, *own, scale(), zero(kind)], kernel_shape=[3, 2],
                          count_include_pad=count_include_pad, **window)
        logits = self.integers(kind, 4, 5, 2)
        for opset, axis in ((11, 1), (13, -1)):
            self.case("QLinearSoftmax", [logits, np.float32(0.1), zero(kind), *unit], opset=opset, axis=axis)
        for channels in ((), (6,)):
            kernels, bias = self.integers(np.int8, 6, 2, 3, 3), self.random.integers(-3000, 3000, 6).astype(np.int32)
            for window in ({"pads": [1, 0, 2, 1], "strides": [2, 1]}, {"auto_pad": "SAME_LOWER", "strides": [2, 2]},
                           {"dilations": [2, 2]}):
                image = self.integers(kind, 2, 4, 7, 6)
                self.case("QLinearConv", [image, *own, kernels, scale(*channels), np.zeros(channels, np.int8),
                                          np.float32(0.5), zero(kind), bias], domain="", group=2, **window)
                self.case("ConvInteger", [image, self.integers(kind, 6, 2, 3, 3), zero(kind)], domain="", group=2, **window)
        for columns in ((), (5,)):
            rows, matrix = self.integers(kind, 2, 4, 6), self.integers(np.int8, 6, 5)
            second = [matrix, scale(*columns), self.random.integers(-5, 5, columns).astype(np.int8)]
            result = [np.float32(0.4), zero(kind)]
            for constants_from in (1, 8):
                self.case("QLinearMatMul", [rows, *own, *second, *result], constants_from, domain="")
            self.products(rows[0], own, second, result)
            if kind == np.uint8:
                self.case("MatMulInteger", [rows, matrix, own[1], second[2]], domain="")
                self.case("MatMulIntegerToFloat", [rows, matrix, own[0], second[1], own[1], second[2], self.real(5)])
                self.case("DynamicQuantizeMatMul", [self.real(2, 4, 6), *second, self.real(5)])

    def products(self, a, own, second, result):
        bias = self.random.integers(-3000, 3000, 5).astype(np.int32)
        for transposes_a in (0, 1):
            for transposes_b in (0, 1):
                inputs = [a.T.copy() if transposes_a else a, *own, second[0].T.copy() if transposes_b else second[0],
                          *second[1:], bias]
                self.case("QGemm", [*inputs, *result], transA=transposes_a, transB=transposes_b, alpha=0.7)
                self.case("QGemm", inputs, transA=transposes_a, transB=transposes_b, alpha=0.7, name="QGemm of real numbers")

    def fused(self):
        x, real = self.real(2, 5, 8), self.real
        for op in ("Gelu", "FastGelu", "QuickGelu"):
            self.case(op, [x])
        for op in ("BiasGelu", "FastGelu"):
            self.case(op, [x, real(8)])
        for a in (0, 1):
            for b in (0, 1):
                left = real(2, 6, 4) if a else real(2, 4, 6)
                self.case("FusedMatMul", [left, real(2, 5, 6) if b else real(2, 6, 5)], 2, transA=a, transB=b, alpha=0.3)
                self.case("FusedMatMul", [left, real(5, 6) if b else real(6, 5)], transA=a, transB=b)
        for activation, numbers in ACTIVATIONS.items():
            more = {"activation_params": numbers} if numbers else {}
            layer = [real(2, 3, 5, 5), real(4, 3, 3, 3), real(4)]
            for inputs in (layer, [*layer, real(2, 4, 5, 5)]):
                self.case("FusedConv", inputs, activation=activation, pads=[1, 1, 1, 1], **more)
            more = dict(zip(("activation_alpha", "activation_beta"), numbers))
            if activation != "Clip":  # which onnxruntime does not fuse into this one
                self.case("FusedGemm", [real(4, 6), real(6, 5), real(5)], activation=activation, alpha=0.5, beta=2.0, **more)
        self.case("SkipLayerNormalization", [x, real(2, 5, 8), real(8), real(8), real(8)], 2)
        self.case("SkipLayerNormalization", [x, real(2, 5, 8), real(8)], 2, epsilon=1e-3)
        self.case("SkipSimplifiedLayerNormalization", [x, real(2, 5, 8), real(8), real(8)], 2)
        self.case("SimplifiedLayerNormalization", [x, real(8)], domain="", axis=-1, epsilon=1e-3)
        self.attention(x)

    def attention(self, x):
        real = self.real
        for causal in (0, 1):
            self.case("Attention", [x, real(8, 24), real(24)], num_heads=2, unidirectional=causal)
            self.case("Attention", [x, real(8, 24), real(24)], num_heads=4, unidirectional=causal, scale=0.7)
            self.case("MultiHeadAttention", [x, real(2, 5, 8), real(2, 5, 12), None, None, real(1, 2, 5, 5)], 6, num_heads=2,
                      unidirectional=causal, scale=0.3)
        self.case("Attention", [x, real(8, 28), real(28)], num_heads=2, qkv_hidden_sizes=[8, 8, 12])
        self.case("Attention", [x, real(8, 24), real(24), None, None, real(2, 2, 5, 5)], num_heads=2)
        self.case("MultiHeadAttention", [x, real(2, 7, 8), real(2, 7, 8), real(24)], 3, num_heads=2)

    def concatenation(self, kind):
        parts = [value for channels in (3, 2)
                 for value in (self.integers(kind, 2, channels, 4), self.scale(), self.zero(kind))]
        self.case("QLinearConcat", [self.scale(), self.zero(kind), *parts], 8, axis=1)


class Calibration(quantization.CalibrationDataReader):
    def __init__(self):
        random = np.random.default_rng(1)
        self.items = iter([{"x": random.normal(size=(1, 3, 32, 32)).astype(np.float32)} for _ in range(6)])

    def get_next(self):
        return next(self.items, None)


def exported_networks(work):
    """A vision transformer and two convolutional networks with random weights, as PyTorch exports them."""
    import torch
    import transformers as tf

    class Scores(torch.nn.Module):
        def __init__(self, network):
            super().__init__()
            self.network = network

        def forward(self, x):
            return self.network(x).logits

    torch.manual_seed(0)
    networks = {
        "vit": tf.ViTForImageClassification(tf.ViTConfig(
            hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, image_size=32, patch_size=8,
            num_labels=5, attn_implementation="eager")),
        "resnet": tf.ResNetForImageClassification(tf.ResNetConfig(
            embedding_size=8, hidden_sizes=[16, 32], depths=[1, 1], num_labels=5)),
        "mobilenet": tf.MobileNetV2ForImageClassification(tf.MobileNetV2Config(
            image_size=32, depth_multiplier=0.35, num_labels=5)),
    }
    for name, network in networks.items():
        for module in network.modules():
            if isinstance(module, torch.nn.BatchNorm2d):
                module.running_mean.normal_(0, 0.1)
                module.running_var.uniform_(0.5, 1.5)
        path = work / f"{name}.onnx"
        torch.onnx.export(Scores(network).eval(), (torch.zeros(2, 3, 32, 32),), path, dynamo=False, opset_version=17,
                          input_names=["x"], output_names=["y"], dynamic_axes={"x": {0: "n"}, "y": {0: "n"}})
        yield name, path


def optimised(model, work):
    session(model, "ORT_ENABLE_EXTENDED", work / "optimised.onnx")
    return onnx.load(work / "optimised.onnx")


def compare_networks(comparison, work):
    from onnxruntime.quantization.shape_inference import quant_pre_process
    from onnxruntime.transformers.optimizer import optimize_model

    x = np.random.default_rng(0).normal(size=(2, 3, 32, 32)).astype(np.float32)
    prepared, result = work / "prepared.onnx", work / "result.onnx"
    for name, path in exported_networks(work):
        plain = onnx.load(path)
        variants = {"exported": plain, "optimised": optimised(plain, work)}
        if name == "vit":
            variants["fused"] = optimize_model(str(path), "vit", num_heads=4, hidden_size=32, opt_level=0).model
        quant_pre_process(path, prepared, skip_symbolic_shape=True)
        # onnxruntime refuses what its tool writes for the additions of a vision transformer as operators.
        for form in ("QDQ",) if name == "vit" else ("QDQ", "QOperator"):
            quantization.quantize_static(prepared, result, Calibration(), per_channel=True,
                                         quant_format=quantization.QuantFormat[form])
            variants[form] = onnx.load(result)
        quantization.quantize_dynamic(prepared, result, weight_type=quantization.QuantType.QUInt8)
        variants["dynamic"] = onnx.load(result)
        for form in ("QDQ", "dynamic"):
            variants[f"{form}, optimised"] = optimised(variants[form], work)
        for variant, model in variants.items():
            comparison.run(f"{name} ({variant})", model, {"x": x})


def main():
    arguments = parse_arguments()
    warnings.simplefilter("ignore")
    arguments.work.mkdir(parents=True, exist_ok=True)
    comparison = Comparison(arguments.program, arguments.work)
    operators = Operators(comparison, arguments.seed)
    for _ in range(arguments.repeat):
        for kind in (np.uint8, np.int8):
            operators.quantised(kind)
            operators.concatenation(kind)
        operators.fused()
    if not arguments.operators:
        compare_networks(comparison, arguments.work)
    sys.exit(comparison.report())


if __name__ == "__main__":
    main()
