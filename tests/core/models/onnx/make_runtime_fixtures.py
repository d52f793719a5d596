# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the ONNX files of the tests that other programs than PyTorch's exporters write:
python make_runtime_fixtures.py tests/data/onnx

Needs onnx and onnxruntime, which computes the expected outputs (NAME_expected.json). Networks that onnxruntime quantises are
written by its own tools; fused operators and those of Keras by hand, in the form that these tools give them.
"""

import json
import os
import sys
import tempfile

import numpy as np
import onnx
import onnx.reference
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime import quantization

RANDOM = np.random.default_rng(7)
MICROSOFT = "com.microsoft"


def weights(**shapes):
    """Random float32 weights by name."""
    return {name: RANDOM.normal(size=shape, scale=1 / np.sqrt(max(np.prod(shape[1:]), 1))).astype(np.float32)
            for name, shape in shapes.items()}


def make(nodes, shape, constants, opset, output="y"):
    graph = helper.make_graph(nodes, "graph", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                              [helper.make_tensor_value_info(output, TensorProto.FLOAT, None)],
                              [numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items()])
    domains = {node.domain for node in nodes if node.domain}
    imports = [helper.make_opsetid("", opset)] + [helper.make_opsetid(domain, 1) for domain in sorted(domains)]
    return helper.make_model(graph, opset_imports=imports, producer_name="fixture", ir_version=8)


def scores(model, x):
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return session.run(None, {"x": x})[0]


def write(folder, name, model, x, y=None):
    """The file, an input, and what onnxruntime computes for it. Inputs of images are [N, C, H, W] in the JSON."""
    onnx.save(model, os.path.join(folder, name + ".onnx"))
    y = scores(model, x) if y is None else y
    shape = [size.dim_value for size in model.graph.input[0].type.tensor_type.shape.dim]
    if len(shape) == 4 and shape[3] in (1, 3) and shape[1] not in (1, 3):
        x = x.transpose(0, 3, 1, 2)
    with open(os.path.join(folder, name + "_expected.json"), "w") as stream:
        json.dump({"shape": list(x.shape), "input": [round(float(v), 6) for v in x.reshape(-1)],
                   "output_shape": list(y.shape), "output": [float(f"{v:.7g}") for v in y.reshape(-1)]}, stream)


def images(*shape):
    return RANDOM.normal(size=shape).astype(np.float32).round(6)


class Calibration(quantization.CalibrationDataReader):
    def __init__(self, *shape):
        self.items = iter([{"x": images(*shape)} for _ in range(8)])

    def get_next(self):
        return next(self.items, None)


def residual_network():
    """Convolutions, one of them grouped, a residual connection, a gate, two kinds of pooling and a linear layer."""
    nodes = [
        helper.make_node("Conv", ["x", "c1.w", "c1.b"], ["c1"], pads=[1, 1, 1, 1]),
        helper.make_node("Relu", ["c1"], ["r1"]),
        helper.make_node("MaxPool", ["r1"], ["p1"], kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Conv", ["p1", "c2.w", "c2.b"], ["c2"], auto_pad="SAME_UPPER", group=2, kernel_shape=[3, 3]),
        helper.make_node("Add", ["c2", "p1"], ["sum"]),
        helper.make_node("LeakyRelu", ["sum"], ["leaky"], alpha=0.2),
        helper.make_node("Sigmoid", ["leaky"], ["gate"]),
        helper.make_node("Mul", ["gate", "sum"], ["gated"]),
        helper.make_node("Concat", ["gated", "p1"], ["both"], axis=1),
        helper.make_node("AveragePool", ["both"], ["p2"], kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("GlobalAveragePool", ["p2"], ["mean"]),
        helper.make_node("Flatten", ["mean"], ["flat"]),
        helper.make_node("Gemm", ["flat", "fc.w", "fc.b"], ["scores"], transB=1),
        helper.make_node("Softmax", ["scores"], ["y"], axis=-1),
    ]
    values = weights(**{"c1.w": (4, 1, 3, 3), "c1.b": (4,), "c2.w": (4, 2, 3, 3), "c2.b": (4,), "fc.w": (3, 8),
                        "fc.b": (3,)})
    return make(nodes, ["batch", 1, 8, 8], values, 17)


def product_network():
    nodes = [
        helper.make_node("Flatten", ["x"], ["flat"]),
        helper.make_node("MatMul", ["flat", "a.w"], ["a"]),
        helper.make_node("Relu", ["a"], ["r"]),
        helper.make_node("MatMul", ["r", "b.w"], ["y"]),
    ]
    return make(nodes, ["batch", 1, 4, 4], weights(**{"a.w": (16, 10), "b.w": (10, 3)}), 17)


def quantised(folder):
    with tempfile.TemporaryDirectory() as scratch:
        plain, result = os.path.join(scratch, "plain.onnx"), os.path.join(scratch, "result.onnx")

        def static(name, model, shape, **options):
            onnx.save(model, plain)
            quantization.quantize_static(plain, result, Calibration(*shape), **options,
                                         quant_format=quantization.QuantFormat.QOperator)
            write(folder, name, onnx.load(result), images(2, *shape[1:]))

        static("quantised_operators", residual_network(), (1, 1, 8, 8), per_channel=True,
               activation_type=quantization.QuantType.QUInt8, weight_type=quantization.QuantType.QInt8)
        static("quantised_operators_int8", residual_network(), (1, 1, 8, 8),
               activation_type=quantization.QuantType.QInt8, weight_type=quantization.QuantType.QInt8)
        static("quantised_products", product_network(), (1, 1, 4, 4),
               activation_type=quantization.QuantType.QUInt8, weight_type=quantization.QuantType.QUInt8)
        for name, model in {"quantised_dynamic": residual_network(), "quantised_dynamic_product": product_network()}.items():
            onnx.save(model, plain)
            quantization.quantize_dynamic(plain, result, op_types_to_quantize=["Conv", "MatMul", "Gemm"],
                                          weight_type=quantization.QuantType.QUInt8, per_channel="product" in name)
            shape = [size.dim_value for size in model.graph.input[0].type.tensor_type.shape.dim]
            write(folder, name, onnx.load(result), images(1, *shape[1:]))


def fused(folder):
    """A small vision transformer with the operators that onnxruntime's optimisation writes."""

    def node(op, inputs, output, **attributes):
        return helper.make_node(op, inputs, [output] if isinstance(output, str) else output,
                                domain=attributes.pop("domain", MICROSOFT), **attributes)

    nodes = [
        node("FusedConv", ["x", "embed.w", "embed.b"], "patches", strides=[4, 4], activation="LeakyRelu",
             activation_params=[0.3]),
        node("FusedConv", ["patches", "point.w", "point.b", "patches"], "more", activation="Relu"),
        node("Reshape", ["more", "three_axes"], "rows", domain=""),
        node("Transpose", ["rows"], "tokens", domain="", perm=[0, 2, 1]),
        node("Attention", ["tokens", "qkv.w", "qkv.b"], "attended", num_heads=2),
        node("SkipLayerNormalization", ["attended", "tokens", "norm.w", "norm.b", "skip.b"], ["n1", "", "", "sum"],
             epsilon=1e-5),
        node("MatMul", ["n1", "up.w"], "up", domain=""),
        node("BiasGelu", ["up", "up.b"], "g1"),
        node("FastGelu", ["g1", "up.b"], "g2"),
        node("QuickGelu", ["g2"], "g3", alpha=1.5),
        node("Gelu", ["g3"], "g4"),
        node("FusedMatMul", ["g4", "down.w"], "down", transB=1, alpha=0.5),
        node("SkipSimplifiedLayerNormalization", ["down", "sum", "norm.w"], "n2"),
        node("SimplifiedLayerNormalization", ["n2", "norm.w"], "n3", domain="", axis=-1, epsilon=1e-6),
        node("MultiHeadAttention", ["n3", "n2", "n1", "mha.b"], "cross", num_heads=2, unidirectional=1),
        node("ReduceMean", ["cross"], "mean", domain="", axes=[1], keepdims=0),
        node("FusedGemm", ["mean", "fc.w", "fc.b"], "y", transB=1, activation="HardSigmoid", activation_alpha=0.3,
             activation_beta=0.4),
    ]
    values = weights(**{"embed.w": (8, 1, 4, 4), "embed.b": (8,), "point.w": (8, 8, 1, 1), "point.b": (8,),
                        "qkv.w": (8, 24), "qkv.b": (24,), "norm.w": (8,), "norm.b": (8,), "skip.b": (8,),
                        "up.w": (8, 16), "up.b": (16,), "down.w": (8, 16), "mha.b": (24,), "fc.w": (3, 8), "fc.b": (3,)})
    values["three_axes"] = np.array([0, 8, -1], np.int64)
    write(folder, "fused_operators", make(nodes, ["batch", 1, 8, 8], values, 17), images(2, 1, 8, 8))


def spatial(folder):
    """A spatial transformer: an affine transform that a layer computes from the image moves it."""
    nodes = [
        helper.make_node("Flatten", ["x"], ["flat"]),
        helper.make_node("Gemm", ["flat", "loc.w", "loc.b"], ["theta6"]),
        helper.make_node("Reshape", ["theta6", "matrix"], ["theta"]),
        helper.make_node("Shape", ["x"], ["size"]),
        helper.make_node("AffineGrid", ["theta", "size"], ["grid"], align_corners=0),
        helper.make_node("GridSample", ["x", "grid"], ["moved"], mode="linear", padding_mode="reflection"),
        helper.make_node("CenterCropPad", ["moved", "crop"], ["middle"], axes=[2, 3]),
        helper.make_node("Flatten", ["middle"], ["flat2"]),
        helper.make_node("Gemm", ["flat2", "fc.w", "fc.b"], ["y"]),
    ]
    values = weights(**{"loc.w": (36, 6), "fc.w": (20, 3), "fc.b": (3,)})
    values |= {"loc.b": np.array([1, 0, 0, 0, 1, 0], np.float32), "matrix": np.array([-1, 2, 3]),
               "crop": np.array([4, 5])}
    write(folder, "spatial_transformer", make(nodes, ["batch", 1, 6, 6], values, 20), images(2, 1, 6, 6))


def sequences(folder):
    """What old exporters write for split, chunk, lists and stack."""
    nodes = [
        helper.make_node("SplitToSequence", ["x", "four"], ["chunks"], axis=1),
        helper.make_node("SequenceAt", ["chunks", "zero"], ["a"]),
        helper.make_node("SequenceAt", ["chunks", "last"], ["b"]),
        helper.make_node("SplitToSequence", ["x", "sizes"], ["parts"], axis=-1),
        helper.make_node("SequenceAt", ["parts", "one"], ["c"]),
        helper.make_node("SequenceConstruct", ["b", "c"], ["list"]),
        helper.make_node("SequenceInsert", ["list", "a", "zero"], ["longer"]),
        helper.make_node("SequenceErase", ["longer"], ["shorter"]),
        helper.make_node("ConcatFromSequence", ["shorter"], ["joined"], axis=1),
        helper.make_node("ConcatFromSequence", ["longer"], ["stacked"], axis=-1, new_axis=1),
        helper.make_node("SequenceLength", ["longer"], ["count"]),
        helper.make_node("Cast", ["count"], ["number"], to=TensorProto.FLOAT),
        helper.make_node("ReduceSum", ["stacked", "axis"], ["sums"], keepdims=0),
        helper.make_node("Mul", ["sums", "number"], ["more"]),
        helper.make_node("Concat", ["joined", "more"], ["all"], axis=1),
        helper.make_node("Gemm", ["all", "fc.w"], ["y"]),
    ]
    values = weights(**{"fc.w": (12, 3)})
    values |= {"four": np.array(4), "zero": np.array(0), "last": np.array(-1), "one": np.array(1),
               "sizes": np.array([8, 4]), "axis": np.array([2])}
    write(folder, "sequences", make(nodes, ["batch", 12], values, 13), images(2, 12))


def keras(folder):
    """A network of Keras as tf2onnx writes it: channels last, moved to the front, padding as in TensorFlow."""
    conv, depth, dense = (f"model/{name}/ReadVariableOp:0" for name in ("conv1/Conv2D", "depthwise/depthwise", "dense/MatMul"))
    depth_bias, dense_bias = (f"model/{name}/BiasAdd/ReadVariableOp:0" for name in ("depthwise", "dense"))
    for opset in (13, 17):
        axes = {"axes": [2, 3]}  # an attribute up to opset 17
        nodes = [
            helper.make_node("Transpose", ["x"], ["front"], name="model/conv1/Conv2D__6", perm=[0, 3, 1, 2]),
            helper.make_node("Pad", ["front", "pads"], ["padded"], name="model/pad/Pad"),
            helper.make_node("Conv", ["padded", conv], ["c1"], name="model/conv1/Conv2D", strides=[2, 2],
                             kernel_shape=[3, 3], auto_pad="VALID"),
            helper.make_node("BatchNormalization", ["c1", "gamma", "beta", "mean", "variance"], ["b1"],
                             name="model/bn1/FusedBatchNormV3", epsilon=1e-3),
            helper.make_node("Clip", ["b1", "low", "six"], ["r1"], name="model/relu6/Relu6"),
            helper.make_node("Conv", ["r1", depth, depth_bias], ["c2"], name="model/depthwise/depthwise", group=4,
                             auto_pad="SAME_UPPER", kernel_shape=[3, 3], strides=[2, 2]),
            helper.make_node("Relu", ["c2"], ["r2"], name="model/relu/Relu"),
            helper.make_node("MaxPool", ["r2"], ["p"], name="model/pool/MaxPool", kernel_shape=[2, 2], strides=[1, 1],
                             auto_pad="SAME_UPPER"),
            helper.make_node("ReduceMean", ["p"], ["mean4"], name="model/gap/Mean", keepdims=0, **axes),
            helper.make_node("MatMul", ["mean4", dense], ["product"], name="model/dense/MatMul"),
            helper.make_node("Add", ["product", dense_bias], ["scores"], name="model/dense/BiasAdd"),
            helper.make_node("Softmax", ["scores"], ["y"], name="model/dense/Softmax", axis=-1),
        ]
        values = weights(**{conv: (4, 3, 3, 3), "beta": (4,), "mean": (4,), depth: (4, 1, 3, 3), depth_bias: (4,),
                            dense: (4, 5), dense_bias: (5,)})
        values |= {"pads": np.array([0, 0, 0, 0, 0, 0, 1, 1]), "low": np.float32(0), "six": np.float32(6),
                   "gamma": RANDOM.uniform(0.5, 1.5, 4).astype(np.float32),
                   "variance": RANDOM.uniform(0.5, 1.5, 4).astype(np.float32)}
        write(folder, f"keras_{opset}", make(nodes, ["unk__12", 9, 9, 3], values, opset), images(2, 9, 9, 3))


def attention(folder):
    """Attention of opset 23 on rotated queries and keys, causal, with half as many heads of keys."""
    nodes = [
        helper.make_node("Reshape", ["x", "rows"], ["tokens"]),
        helper.make_node("MatMul", ["tokens", "q.w"], ["q"]),
        helper.make_node("MatMul", ["tokens", "k.w"], ["k"]),
        helper.make_node("RotaryEmbedding", ["q", "cos", "sin", "positions"], ["q2"], num_heads=4),
        helper.make_node("RotaryEmbedding", ["k", "cos", "sin", "positions"], ["k2"], num_heads=2, interleaved=1),
        helper.make_node("Attention", ["q2", "k2", "k", "mask"], ["attended"], q_num_heads=4, kv_num_heads=2,
                         is_causal=1, softcap=2.0),
        helper.make_node("ReduceMean", ["attended", "axis"], ["mean"], keepdims=0),
        helper.make_node("Gemm", ["mean", "fc.w"], ["y"]),
    ]
    angles = np.outer(np.arange(5), [1.0, 0.3]).astype(np.float32)
    values = weights(**{"q.w": (6, 16), "k.w": (6, 8), "fc.w": (16, 3)})
    values |= {"rows": np.array([-1, 5, 6]), "cos": np.cos(angles), "sin": np.sin(angles), "axis": np.array([1]),
               "positions": np.arange(5).reshape(1, 5), "mask": np.arange(25).reshape(5, 5) % 7 != 3}
    model = make(nodes, ["batch", 30], values, 23)
    x = images(1, 30)
    write(folder, "attention_23", model, x, onnx.reference.ReferenceEvaluator(model).run(None, {"x": x})[0])


if __name__ == "__main__":
    target = sys.argv[1]
    os.makedirs(target, exist_ok=True)
    for fixtures in (quantised, fused, spatial, sequences, keras, attention):
        fixtures(target)
