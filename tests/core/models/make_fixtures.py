# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the small TorchScript files of the tests: python make_fixtures.py tests/data/models

The weights are random; every file is there for one trait of a network or of the way it was saved.
"""

import json
import os
import sys
import zipfile

import torch
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    """Convolution, batch norm, channel dropout, two linear layers with dropout between."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 3, 5)
        self.norm = nn.BatchNorm2d(3)
        self.drop_channels = nn.Dropout2d(0.25)
        self.fc1 = nn.Linear(108, 16)
        self.drop = nn.Dropout(0.5)
        self.fc2 = nn.Linear(16, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.drop_channels(self.norm(self.conv(x)))), 4)
        x = self.drop(F.relu(self.fc1(torch.flatten(x, 1))))
        return self.fc2(x)


class NetFunctional(Net):
    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm(self.conv(x))), 4)
        x = F.dropout(F.relu(self.fc1(torch.flatten(x, 1))), 0.4, self.training)
        return self.fc2(x)


class NetInPlace(Net):
    """The masked values reach the head only because the dropout writes into its input."""

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm(self.conv(x))), 4)
        x = F.relu(self.fc1(torch.flatten(x, 1)))
        F.dropout(x, 0.5, self.training, True)
        return self.fc2(x)


class Plain(nn.Module):
    def __init__(self, features=784, classes=10):
        super().__init__()
        self.fc1 = nn.Linear(features, 16)
        self.fc2 = nn.Linear(16, classes)

    def forward(self, x):
        return self.fc2(F.relu(self.fc1(x.flatten(1))))


class Softmax(Plain):
    def forward(self, x):
        return F.softmax(super().forward(x), dim=1)


class LogSoftmax(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Plain(64)

    def forward(self, x):
        return F.log_softmax(self.net(x), dim=1)


class SoftmaxModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = Net()

    def forward(self, x):
        return F.softmax(self.net(x), dim=1)


class OneRow(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(64, 10)

    def forward(self, x):
        return self.fc(x.flatten(1)).mean(0, keepdim=True)


class BatchMates(nn.Module):
    """Centres its features by the mean of the batch."""

    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(64, 8)
        self.norm = nn.BatchNorm1d(8, track_running_stats=False)
        self.fc2 = nn.Linear(8, 10)

    def forward(self, x):
        return self.fc2(self.norm(self.fc1(x.flatten(1))))


class Lstm(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(8, 6, num_layers=2, dropout=0.3, batch_first=True)
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(6, 4)

    def forward(self, x):
        h, _ = self.lstm(x.flatten(1, 2))
        return self.fc(self.drop(h[:, -1]))


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)

    def forward(self, x):
        t = x.flatten(1, 2)
        h = F.scaled_dot_product_attention(t, t, t, dropout_p=0.1)
        return self.fc(h.mean(1))


class Alpha(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(64, 16)
        self.drop = nn.AlphaDropout(0.2)
        self.fc2 = nn.Linear(16, 4, bias=False)

    def forward(self, x):
        return self.fc2(self.drop(F.selu(self.fc1(x.flatten(1)))))


class SequenceFirst(nn.Module):
    """The dropout sees [positions, items, features]: its rows are not items."""

    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.3)
        self.fc = nn.Linear(8, 4)

    def forward(self, x):
        t = x.flatten(1, 2).transpose(0, 1)
        return self.fc(self.drop(t)).mean(0)


class Looped(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(64, 64)
        self.head = nn.Linear(64, 4)
        self.steps = 3

    def forward(self, x):
        h = x.flatten(1)
        for _ in range(int(x.sum().item() * 0) + self.steps):
            h = F.dropout(torch.relu(self.fc(h)), 0.2, self.training)
        return self.head(h)


class TrainingBranch(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(64, 8)
        self.fc2 = nn.Linear(8, 4)

    def forward(self, x):
        h = torch.relu(self.fc1(x.flatten(1)))
        if self.training:
            h = F.dropout(h, 0.5, True)
        return self.fc2(h)


class Windows(nn.Module):
    """Dropout over windows: each item has four rows, item by item; sizes are read on the way."""

    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.3)
        self.fc1 = nn.Linear(16, 8)
        self.fc2 = nn.Linear(32, 4)

    def forward(self, x):
        n = x.shape[0]
        w = torch.relu(self.fc1(x.reshape(n * 4, 16)))
        w = self.drop(w)
        return self.fc2(w.reshape(n, 32))


class Pair(Plain):
    def forward(self, x):
        y = super().forward(x)
        return y, y


class NotANumber(Plain):
    """Divides by zero where an item is all zeros."""

    def forward(self, x):
        return super().forward(x) / x.flatten(1).sum(1, keepdim=True)


def metadata(**keys):
    return {"metadata.json": json.dumps(keys)}


def warmed(net, x):
    net.train()
    for _ in range(3):
        net(x * 2 + 1)
    return net.eval()


def without_code(source, target):
    """What is left when only the part for phones is shipped."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            if "/code/" not in name and "/constants" not in name:
                new.writestr(name, old.read(name))
        prefix = old.namelist()[0].split("/")[0]
        new.writestr(f"{prefix}/bytecode.pkl", b"\x80\x02)}.")


def main(folder):
    torch.manual_seed(0)
    image = torch.randn(16, 1, 28, 28)
    small = torch.randn(16, 1, 8, 8)
    mnist = dict(
        name="small net",
        classes=[str(digit) for digit in range(10)],
        input_size=[28, 28],
        channels=1,
        mean=[0.1307],
        std=[0.3081],
    )
    tiny = dict(input_size=[8, 8], channels=1)

    def save(module, file_name, **keys):
        module.save(os.path.join(folder, file_name), _extra_files=metadata(**keys) if keys else {})

    net = warmed(Net(), image)
    save(torch.jit.trace(net, image[:4]), "traced_eval.pt", **mnist)
    save(torch.jit.script(net), "scripted.pt", **mnist)
    save(torch.jit.freeze(torch.jit.script(net)), "frozen.pt")
    save(torch.jit.optimize_for_inference(torch.jit.script(net)), "optimised.pt")
    net.train()
    save(torch.jit.trace(net, image[:4], check_trace=False), "traced_train.pt", **mnist)
    save(torch.jit.script(warmed(NetFunctional(), image)), "scripted_functional.pt")
    save(torch.jit.script(warmed(NetInPlace(), image)), "scripted_in_place.pt")
    save(torch.jit.script(warmed(SoftmaxModule(), image)), "softmax.pt")

    for module, name, x in [
        (LogSoftmax(), "log_softmax.pt", small),
        (OneRow(), "one_row.pt", small),
        (BatchMates(), "batch_mates.pt", small),
        (Lstm(), "lstm.pt", small),
        (Alpha(), "alpha.pt", small),
        (SequenceFirst(), "sequence_first.pt", small),
        (Windows(), "windows.pt", small),
        (NotANumber(64), "not_a_number.pt", small),
        (Pair(64), "pair.pt", small),
    ]:
        save(torch.jit.trace(module.eval(), x[:4]), name, **tiny)
    save(torch.jit.trace(Attention(), small[:4], check_trace=False), "attention.pt", **tiny)
    save(torch.jit.script(Looped().eval()), "looped.pt", **tiny)
    save(torch.jit.script(TrainingBranch().eval()), "training_branch.pt", **tiny)
    save(torch.jit.script(nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Dropout(0.3), nn.Linear(16, 4)).eval()), "vector.pt")
    quantised = torch.ao.quantization.quantize_dynamic(Plain(64).eval(), {nn.Linear}, dtype=torch.qint8)
    save(torch.jit.trace(quantised, small[:4]), "quantised.pt", **tiny)

    state = nn.Linear(4, 3).state_dict()
    torch.save(state, os.path.join(folder, "state_dict.pt"))
    torch.save(state, os.path.join(folder, "state_dict_old_format.pt"), _use_new_zipfile_serialization=False)
    torch.save(nn.Sequential(nn.Linear(4, 3)), os.path.join(folder, "pickled_module.pt"))
    without_code(os.path.join(folder, "vector.pt"), os.path.join(folder, "bytecode_only.ptl"))


if __name__ == "__main__":
    main(sys.argv[1])
