# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the exported programs of the tests and what torch computes with them:
python make_fixtures.py tests/data/models/exported

The weights are random; every file is there for one trait of a program or of an archive. With torch 2.5
it writes the files torch_2_5*.pt2 and adds them to expected.json instead.
"""

import io
import json
import math
import os
import sys
import warnings
import zipfile

import torch
import torch.nn.functional as F
from torch import nn

warnings.filterwarnings("ignore")
ITEMS = 4
DYNAMIC = ({0: getattr(torch.export.Dim, "DYNAMIC", None) or torch.export.Dim("batch")},)


class Net(nn.Module):
    """Convolution, batch norm, channel dropout, two linear layers with dropout between."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(1, 3, 5), nn.BatchNorm2d(3), nn.Dropout2d(0.25), nn.ReLU())
        self.fc1 = nn.Linear(27, 8)
        self.drop = nn.Dropout(0.5)
        self.fc2 = nn.Linear(8, 5)

    def forward(self, x):
        x = F.max_pool2d(self.features(x), 2)
        return self.fc2(self.drop(F.relu(self.fc1(torch.flatten(x, 1)))))


class DropPath(Net):
    """Drops the branch of a residual block in its own code."""

    def forward(self, x):
        x = F.relu(self.fc1(torch.flatten(F.max_pool2d(self.features(x), 2), 1)))
        branch = torch.tanh(x)
        if self.training:
            branch = branch / 0.6 * (torch.rand(x.shape[0], 1) + 0.6).floor()
        return self.fc2(x + branch)


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(6)
        self.groups = nn.GroupNorm(2, 4)
        self.attention = nn.MultiheadAttention(6, 2, dropout=0.1, batch_first=True)
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(6, 5)

    def forward(self, x):
        x = self.norm(self.groups(x.reshape(x.shape[0], 4, 6)))
        return self.head(self.drop(x + self.attention(x, x, x, need_weights=False)[0]).mean(1))


class Sizes(nn.Module):
    """Computes with the sizes of its input."""

    def __init__(self):
        super().__init__()
        self.head = nn.Linear(12, 5)

    def forward(self, x):
        n, channels, height, width = x.shape
        half = height // 2
        rows = x.reshape(n * channels, height * width)[:, : half * width]
        rows = rows.reshape(n, channels, half, width) * (1.0 / math.sqrt(n * channels / n))
        middle = int(width / 2)
        return self.head(torch.cat([rows[..., :middle], rows[..., middle:] + (height % 5)], 3).flatten(1))


class Branches(nn.Module):
    """A branch on a value, a part without gradients, one without autocast."""

    def __init__(self):
        super().__init__()
        self.head = nn.Linear(6, 5)

    def forward(self, x):
        x = torch.cond(self.head.weight.sum() > 0, lambda a: a + 1.0, lambda a: a - 1.0, (x,))
        with torch.no_grad():
            y = x * 2.0
        with torch.autocast("cpu", enabled=False):
            y = torch.sin(y)
        return self.head(x + y)


class Dictionary(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(6, 5)
        self.aux = nn.Linear(6, 3)

    def forward(self, x):
        return {"aux": self.aux(x), "logits": self.head(x)}


class Shared(nn.Module):
    """Tied weights, a weight that is a view with strides and an offset."""

    def __init__(self):
        super().__init__()
        self.first = nn.Linear(6, 6)
        self.second = nn.Linear(6, 6)
        self.second.weight = self.first.weight
        self.register_buffer("rows", torch.randn(8, 7).t()[1:6, 2:8])

    def forward(self, x):
        return torch.tanh(self.second(torch.tanh(self.first(x)))) @ self.rows.t()


class Constants(nn.Module):
    """A tensor in the program, a list of tensors, an index, a buffer that is not saved."""

    def __init__(self):
        super().__init__()
        self.head = nn.Linear(6, 5)
        self.register_buffer("shift", torch.randn(6), persistent=False)

    def forward(self, x):
        a, b = torch.split(x + self.shift, 3, 1)
        x = torch.cat([b, a * torch.tensor([1.0, -2.0, 0.5])], 1)
        return self.head(x[:, [5, 3, 1, 0, 2, 4]])


class Gru(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(4, 6, num_layers=2, dropout=0.3, batch_first=True)
        self.head = nn.Linear(6, 5)

    def forward(self, x):
        return self.head(self.gru(x.squeeze(1))[0][:, -1])


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(6, 5)

    def forward(self, x, mask):
        return self.head(x * mask)


class Tokens(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(10, 6)
        self.head = nn.Linear(6, 5)

    def forward(self, tokens):
        return self.head(self.words(tokens).mean(1))


def items(*shape):
    """The same numbers as in the tests."""
    count = ITEMS * math.prod(shape)
    return torch.sin(0.7 * torch.arange(1, count + 1, dtype=torch.float64)).float().reshape(ITEMS, *shape)


def warm(net, x):
    net.train()
    for _ in range(5):
        net(x + torch.randn_like(x))
    return net.eval()


def export(net, x, training=False, decompose=False, fixed=0, **options):
    net.train(training)
    program = torch.export.export(net, (x[:fixed],) if fixed else (x,), **options, **({} if fixed else {"dynamic_shapes": DYNAMIC}))
    net.eval()
    return program.run_decompositions() if decompose else program


def save_old(program, path):
    """The archive that torch 2.5 to 2.7 wrote."""
    from torch._export.serde.serialize import serialize

    artifact = serialize(program)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("serialized_exported_program.json", artifact.exported_program)
        archive.writestr("serialized_state_dict.pt", artifact.state_dict)
        archive.writestr("serialized_constants.pt", artifact.constants)
        archive.writestr("serialized_example_inputs.pt", artifact.example_inputs)
        archive.writestr("version", "8.1")
        archive.writestr("extra_files/metadata.json", json.dumps({"name": "from 2.5"}))


def without_examples(path):
    """Leaves the example input out, which takes more room than the rest."""
    with zipfile.ZipFile(path) as archive:
        records = {name: archive.read(name) for name in archive.namelist() if "sample_inputs" not in name}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, data in records.items():
            archive.writestr(zipfile.ZipInfo(name), data)


def main_2_5(folder):
    torch.manual_seed(5)
    image = items(1, 10, 10)
    with open(os.path.join(folder, "expected.json")) as file:
        expected = json.load(file)
    nets = {
        "torch_2_5": (warm(Net(), image), image, False),
        "torch_2_5_training": (warm(Net(), image), image, True),
        "torch_2_5_attention": (Attention().eval(), items(24), False),
    }
    for name, (net, x, training) in nets.items():
        torch.export.save(export(net, x, training), os.path.join(folder, name + ".pt2"), extra_files={"metadata.json": json.dumps({"name": name})})
        with torch.no_grad():
            expected[name] = {"shape": list(x.shape[1:]), "rows": net.eval()(x).double().tolist()}
    with open(os.path.join(folder, "expected.json"), "w") as file:
        json.dump(expected, file)
        file.write("\n")


def main():
    folder = sys.argv[1]
    if torch.__version__.startswith("2.5"):
        return main_2_5(folder)
    os.makedirs(folder, exist_ok=True)
    torch.manual_seed(11)
    image, vector = items(1, 10, 10), items(6)
    square = items(1, 4, 6)
    net, path = warm(Net(), image), warm(DropPath(), image)
    attention, sizes = Attention().eval(), Sizes().eval()
    constants, gru = Constants().eval(), Gru().eval()
    half = Dictionary().eval()
    programs = {
        "plain": (net, image, export(net, image)),
        "fixed_batch": (net, image, export(net, image, fixed=3)),
        "training": (net, image, export(net, image, training=True)),
        "decomposed": (net, image, export(net, image, decompose=True)),
        "decomposed_training": (net, image, export(net, image, training=True, decompose=True)),
        "drop_path": (path, image, export(path, image)),
        "drop_path_training": (path, image, export(path, image, training=True)),
        "attention": (attention, items(24), export(attention, items(24))),
        "attention_decomposed": (attention, items(24), export(attention, items(24), decompose=True)),
        "sizes": (sizes, square, export(sizes, square)),
        "branches": (Branches().eval(), vector, None),
        "dictionary": (half, vector, export(half, vector)),
        "shared": (Shared().eval(), vector, None),
        "constants": (constants, vector, export(constants, vector)),
        "gru": (gru, items(1, 3, 4), export(gru, items(1, 3, 4))),
    }
    expected = {}
    for name, (module, x, program) in programs.items():
        program = program or export(module, x)
        file = os.path.join(folder, name + ".pt2")
        torch.export.save(program, file, extra_files={"metadata.json": json.dumps({"name": name})})
        without_examples(file)
        with torch.no_grad():
            out = module.eval()(x)
        out = out["logits"] if isinstance(out, dict) else out
        expected[name] = {"shape": list(x.shape[1:]), "rows": out.double().tolist()}
    for name, type in (("half", torch.float16), ("bfloat16", torch.bfloat16)):
        program = export(Constants().eval().to(type), vector.to(type))
        file = os.path.join(folder, name + ".pt2")
        torch.export.save(program, file)
        without_examples(file)
        module = program.module().float()
    torch.manual_seed(11)
    old = warm(Net(), image)
    save_old(export(old, image), os.path.join(folder, "three_pickles.pt2"))
    with torch.no_grad():
        expected["three_pickles"] = {"shape": list(image.shape[1:]), "rows": old.eval()(image).double().tolist()}
    for name, net, inputs in (("two_inputs", Two(), (vector, vector)), ("tokens", Tokens(), (torch.ones(2, 3, dtype=torch.long),))):
        file = os.path.join(folder, name + ".pt2")
        torch.export.save(torch.export.export(net.eval(), inputs), file)
        without_examples(file)
    with open(os.path.join(folder, "expected.json"), "w") as file:
        json.dump(expected, file)
        file.write("\n")


if __name__ == "__main__":
    main()
