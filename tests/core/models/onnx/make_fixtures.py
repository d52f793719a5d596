# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the small ONNX files of the tests: python make_fixtures.py tests/data/onnx

Needs torch, onnx, onnxscript, skl2onnx and scikit-learn. For NAME.onnx, NAME_expected.json has an input and the output that
PyTorch, or scikit-learn, computes for it. The weights are random; every file is there for one trait.
"""

import json
import os
import sys
import warnings

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import TensorProto, helper, numpy_helper
from torch import nn

warnings.filterwarnings("ignore")


class Net(nn.Module):
    """Convolutions with normalisation, dropout and a linear layer."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2))
        self.drop = nn.Dropout(0.3)
        self.fc = nn.Linear(4 * 16, 3)

    def forward(self, x):
        return self.fc(self.drop(torch.flatten(self.features(x), 1)))


class Attention(nn.Module):
    """A class token, one layer of attention and a normalisation: shapes that depend on the number of items."""

    def __init__(self):
        super().__init__()
        self.token = nn.Parameter(torch.randn(1, 1, 8))
        self.embed = nn.Conv2d(1, 8, 4, stride=4)
        self.qkv = nn.Linear(8, 24)
        self.norm = nn.LayerNorm(8)
        self.head = nn.Linear(8, 3)

    def forward(self, x):
        n = x.shape[0]
        x = self.embed(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(n, -1, -1), x], 1)
        q, k, v = self.qkv(self.norm(x)).reshape(n, -1, 3, 2, 4).permute(2, 0, 3, 1, 4).unbind(0)
        x = x + F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(n, -1, 8)
        return self.head(x[:, 0])


class Transformer(nn.Module):
    """Layers on vectors of three axes, whose weights exporters store, or transpose, in several ways; one of them twice."""

    def __init__(self):
        super().__init__()
        self.embed = nn.Conv2d(1, 8, 3, stride=3)
        self.norm = nn.LayerNorm(8)
        self.qkv = nn.Linear(8, 24)
        self.mlp = nn.Sequential(nn.Linear(8, 12), nn.GELU(), nn.Linear(12, 8, bias=False))
        self.tied = nn.Linear(8, 8)
        self.head = nn.Linear(8, 4)

    def forward(self, x):
        x = self.embed(x).flatten(2).transpose(1, 2)
        n, tokens = x.shape[0], x.shape[1]
        q, k, v = self.qkv(self.norm(x)).reshape(n, tokens, 3, 2, 4).permute(2, 0, 3, 1, 4).unbind(0)
        x = x + F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(n, tokens, 8)
        x = x + self.mlp(x)
        x = self.tied(torch.tanh(self.tied(x)))
        return self.head(x.mean(1))


class Recurrent(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.layer = kind(4, 5, batch_first=True, bidirectional=True)
        self.fc = nn.Linear(10, 3)

    def forward(self, x):
        return self.fc(self.layer(x.reshape(-1, 6, 4))[0][:, -1])


def write_json(folder, name, x, y):
    with open(os.path.join(folder, name + "_expected.json"), "w") as stream:
        json.dump({"shape": list(x.shape), "input": [round(float(v), 6) for v in x.reshape(-1)],
                   "output_shape": list(y.shape), "output": [float(f"{v:.7g}") for v in y.reshape(-1)]}, stream)


def export(folder, name, net, x, dynamo, free_batch=True, training=False):
    net.eval()
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.add_(0.1 * torch.randn_like(parameter))
        for module in net.modules():
            if isinstance(module, nn.BatchNorm2d):
                module.running_mean.normal_(0, 0.2)
                module.running_var.uniform_(0.5, 1.5)
        x = torch.from_numpy(np.round(x.numpy(), 6))
    path = os.path.join(folder, name + ".onnx")
    if dynamo:
        shapes = ({0: torch.export.Dim("batch")},) if free_batch else None
        if training:
            net.train()
        torch.onnx.export(net, (x,), path, dynamo=True, dynamic_shapes=shapes, external_data=False, verbose=False)
    else:
        mode = torch.onnx.TrainingMode.TRAINING if training else torch.onnx.TrainingMode.EVAL
        torch.onnx.export(net, (x,), path, dynamo=False, input_names=["x"], output_names=["scores"], training=mode,
                          do_constant_folding=not training,
                          dynamic_axes={"x": {0: "batch"}, "scores": {0: "batch"}} if free_batch else None)
    net.eval()  # after the export, which updates the statistics of a network in training mode
    with torch.no_grad():
        write_json(folder, name, x, net(x))


def from_torch(folder):
    images, vectors = torch.randn(2, 1, 8, 8), torch.randn(2, 24)
    export(folder, "cnn_old", Net(), images, dynamo=False)
    export(folder, "cnn_dynamo", Net(), images, dynamo=True)
    export(folder, "cnn_training", Net(), images, dynamo=False, training=True)
    export(folder, "cnn_training_dynamo", Net(), images, dynamo=True, training=True)
    export(folder, "attention_old", Attention(), images, dynamo=False)
    export(folder, "attention_dynamo", Attention(), images, dynamo=True)
    export(folder, "attention_fixed", Attention(), images, dynamo=True, free_batch=False)
    export(folder, "cnn_stated_batch", Net(), images, dynamo=True, free_batch=False)
    export(folder, "gru", Recurrent(nn.GRU), vectors, dynamo=False)
    export(folder, "lstm", Recurrent(nn.LSTM), vectors, dynamo=False)


def from_transformer(folder):
    """One network in several formats."""
    torch.manual_seed(3)
    net, x = Transformer().eval(), torch.randn(2, 1, 6, 6)
    torch.jit.script(net).save(os.path.join(folder, "transformer.pt"), _extra_files={"metadata.json": '{"input_size": [6, 6]}'})
    # Not optimised: it transposes its weights by nodes, as those that are too large to be folded.
    for name, optimises in [("transformer_dynamo", True), ("transformer_plain", False)]:
        torch.onnx.export(net, (x,), os.path.join(folder, name + ".onnx"), dynamo=True, optimize=optimises,
                          dynamic_shapes=({0: torch.export.Dim.DYNAMIC},), external_data=False, verbose=False)
    torch.onnx.export(net, (x,), os.path.join(folder, "transformer_old.onnx"), dynamo=False, input_names=["x"],
                      dynamic_axes={"x": {0: "batch"}})
    x = torch.from_numpy(np.round(x.numpy(), 6))
    for name in ["transformer_dynamo", "transformer_plain", "transformer_old"]:
        with torch.no_grad():
            write_json(folder, name, x, net(x))


def from_sklearn(folder):
    from skl2onnx import to_onnx
    from sklearn.linear_model import LogisticRegression
    from sklearn.neural_network import MLPClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    random = np.random.default_rng(0)
    x = random.normal(size=(60, 4)).astype(np.float32).round(6)
    y = (x[:, 0] + 0.5 * x[:, 1] > 0).astype(int) + (x[:, 2] > 0.7)
    for name, model in {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression()),
        "mlp": MLPClassifier((8,), max_iter=50, random_state=0),
        "tree": DecisionTreeClassifier(max_depth=2),
    }.items():
        model.fit(x, y)
        onnx.save(to_onnx(model, x[:1]), os.path.join(folder, name + ".onnx"))
        if name != "tree":
            write_json(folder, name, x[:2], model.predict_proba(x[:2]))


def save(folder, name, nodes, shape, weights, **options):
    kind = options.pop("type", TensorProto.FLOAT)
    graph = helper.make_graph(nodes, "graph", [helper.make_tensor_value_info("x", kind, shape)],
                              [helper.make_empty_tensor_value_info("y")],
                              [numpy_helper.from_array(value, key) for key, value in weights.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", options.pop("opset", 17))],
                              producer_name="fixture", ir_version=8)
    for key, value in options.pop("metadata", {}).items():
        model.metadata_props.add(key=key, value=value)
    onnx.save(model, os.path.join(folder, name + ".onnx"), **options)


def by_hand(folder):
    random = np.random.default_rng(1)
    weight = random.normal(size=(3, 12)).astype(np.float32)
    bias = random.normal(size=3).astype(np.float32)
    layer = [helper.make_node("Flatten", ["x"], ["flat"]),
             helper.make_node("Gemm", ["flat", "fc.weight", "fc.bias"], ["y"], transB=1)]
    x = random.normal(size=(2, 12)).astype(np.float32).round(6)
    plain = x @ weight.T + bias
    save(folder, "external", layer, ["batch", 12], {"fc.weight": weight, "fc.bias": bias}, save_as_external_data=True,
         location="external.bin", size_threshold=0)
    write_json(folder, "external", x, plain)
    # Keras: images [N, H, W, C].
    save(folder, "channels_last", layer, ["batch", 2, 2, 3], {"fc.weight": weight, "fc.bias": bias},
         metadata={"names": "{0: 'cat', 1: 'dog', 2: 'bird'}", "author": "nobody"})
    write_json(folder, "channels_last", x.reshape(2, 2, 2, 3).transpose(0, 3, 1, 2), plain)
    half = {"fc.weight": weight.astype(np.float16), "fc.bias": bias.astype(np.float16)}
    save(folder, "half", layer, ["batch", 12], half, type=TensorProto.FLOAT16)
    write_json(folder, "half", x, x @ half["fc.weight"].astype(np.float32).T + half["fc.bias"])
    # A product and an addition, with the weight the other way round.
    save(folder, "product", [helper.make_node("MatMul", ["x", "w"], ["p"], name="/head/MatMul"),
                             helper.make_node("Add", ["b", "p"], ["y"], name="/head/Add")],
         ["batch", 12], {"w": np.ascontiguousarray(weight.T), "b": bias})
    write_json(folder, "product", x, plain)
    scale = np.abs(weight).max(1) / 127
    stored = np.round(weight / scale[:, None]).astype(np.int8)
    save(folder, "quantised",
         [helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"]),
          helper.make_node("DequantizeLinear", ["q", "s", "z"], ["d"]),
          helper.make_node("DequantizeLinear", ["w", "ws", "wz"], ["weight"], axis=0),
          helper.make_node("Gemm", ["d", "weight", "fc.bias"], ["y"], transB=1)],
         ["batch", 12], {"w": stored, "ws": scale, "wz": np.zeros(3, np.int8), "fc.bias": bias,
                         "s": np.float32(0.03), "z": np.uint8(128)})
    rounded = (np.clip(np.round(x / np.float32(0.03)) + 128, 0, 255) - 128) * np.float32(0.03)
    write_json(folder, "quantised", x, rounded @ (stored * scale[:, None]).T + bias)
    yes = helper.make_graph([helper.make_node("Relu", ["p"], ["yes"])], "yes", [],
                            [helper.make_empty_tensor_value_info("yes")])
    no = helper.make_graph([helper.make_node("Neg", ["p"], ["no"])], "no", [],
                           [helper.make_empty_tensor_value_info("no")])
    save(folder, "branch", [helper.make_node("Gemm", ["x", "fc.weight", "fc.bias"], ["p"], transB=1),
                            helper.make_node("If", ["c"], ["y"], then_branch=yes, else_branch=no)],
         ["batch", 12], {"fc.weight": weight, "fc.bias": bias, "c": np.array(False)})
    write_json(folder, "branch", x, -plain)


if __name__ == "__main__":
    torch.manual_seed(0)
    target = sys.argv[1]
    os.makedirs(target, exist_ok=True)
    by_hand(target)
    from_torch(target)
    from_transformer(target)
    from_sklearn(target)
