# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the small TorchScript files of the tests: python make_fixtures.py tests/data/models

The weights are random; every file is there for one trait of a network or of the way it was saved.
"""

import json
import os
import sys
import zipfile
from typing import Dict, List, NamedTuple, Optional

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


class AnySize(nn.Module):
    """Takes colour images of any size."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        self.head = nn.Linear(4, 3)

    def forward(self, x):
        return self.head(F.relu(self.conv(x)).mean([2, 3]))


class UnitRates(nn.Module):
    """Channels and units that are dropped at rates of their own."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 3, 3)
        self.conv2 = nn.Conv2d(3, 2, 3)
        self.fc = nn.Linear(32, 10)
        self.register_buffer("channel_rates", torch.tensor([0.0, 0.25, 0.5]))
        self.register_buffer("drop_rates", torch.linspace(0.0, 0.9, 32))

    def forward(self, x):
        x = F.relu(self.conv(x))
        if self.training:
            keep = 1 - self.channel_rates
            kept = torch.bernoulli(keep.expand([x.size(0), x.size(1)]))
            x = (kept / keep).unsqueeze(-1).unsqueeze(-1) * x
        x = F.relu(self.conv2(x)).flatten(1)
        if self.training:
            keep = 1.0 - self.drop_rates
            x = x * (torch.bernoulli(keep.expand_as(x)) / keep)
        return self.fc(x)


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


class Tokens(nn.Module):
    """Rows of an 8 x 8 image as tokens, batch first; the mean over tokens goes to the head."""

    def __init__(self, width=8):
        super().__init__()
        self.fc = nn.Linear(width, 4)

    def head(self, h):
        return self.fc(h.mean(1))


class Transformer(Tokens):
    def __init__(self, batch_first):
        super().__init__()
        self.batch_first = batch_first
        layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.2, batch_first=batch_first)
        self.encoder = nn.TransformerEncoder(layer, 1, enable_nested_tensor=False)

    def forward(self, x):
        t = x.flatten(1, 2)
        if self.batch_first:
            return self.head(self.encoder(t))
        return self.head(self.encoder(t.transpose(0, 1)).transpose(0, 1))


class SelfAttention(Tokens):
    def __init__(self, need_weights):
        super().__init__()
        self.need_weights = need_weights
        self.attention = nn.MultiheadAttention(8, 2, dropout=0.25, batch_first=True)

    def forward(self, x):
        t = x.flatten(1, 2)
        h, _ = self.attention(t, t, t, need_weights=self.need_weights)
        return self.head(h)


class AttentionOptions(Tokens):
    """Grouped queries, a mask, a scale and a causal call; linear from the weights to the output."""

    def forward(self, x):
        t = x.flatten(1, 2)
        q = t.reshape(-1, 8, 4, 2).transpose(1, 2)
        k = t[:, :, :4].reshape(-1, 8, 2, 2).transpose(1, 2)
        mask = torch.ones(8, 8, dtype=torch.bool).tril(2)
        a = F.scaled_dot_product_attention(q, k, k, mask, dropout_p=0.2, scale=0.6, enable_gqa=True)
        b = F.scaled_dot_product_attention(q, q, q, dropout_p=0.3, is_causal=True)
        return self.head((a + b).transpose(1, 2).flatten(2))


class Recurrent(nn.Module):
    def __init__(self, kind, **keys):
        super().__init__()
        self.batch_first = keys.get("batch_first", False)
        self.rnn = kind(8, 6, **keys)
        self.fc = nn.Linear(12 if keys.get("bidirectional") else 6, 4)

    def forward(self, x):
        t = x.flatten(1, 2)
        if not self.batch_first:
            t = t.transpose(0, 1)
        h, _ = self.rnn(t)
        return self.fc(h.mean(1 if self.batch_first else 0))


class Packed(Recurrent):
    def forward(self, x):
        lengths = torch.full([x.size(0)], 8, dtype=torch.long)
        packed = nn.utils.rnn.pack_padded_sequence(x.flatten(1, 2), lengths, batch_first=True)
        _, h = self.rnn(packed)
        return self.fc(h[-1])


class Selu(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 6, 3)
        self.drop_channels = nn.FeatureAlphaDropout(0.1)
        self.fc1 = nn.Linear(216, 16)
        self.drop = nn.AlphaDropout(0.2)
        self.fc2 = nn.Linear(16, 4)

    def forward(self, x):
        h = self.drop_channels(F.selu(self.conv(x)))
        return self.fc2(self.drop(F.selu(self.fc1(h.flatten(1)))))


class ListLoop(nn.Module):
    """A loop over modules, which scripting unrolls."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(64, 64), nn.Linear(64, 64)])
        self.drops = nn.ModuleList([nn.Dropout(0.1), nn.Dropout1d(0.2)])
        self.head = nn.Linear(64, 4)

    def forward(self, x):
        h = x.flatten(1)
        for layer, drop in zip(self.layers, self.drops):
            h = drop(torch.relu(layer(h)).reshape(-1, 16, 4)).flatten(1)
        return self.head(h)


class NestedLoops(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.depth = depth
        self.fc = nn.Linear(64, 64)
        self.head = nn.Linear(64, 4)

    def step(self, h):
        return F.dropout(torch.relu(self.fc(h)), 0.2, self.training)

    def forward(self, x):
        h = x.flatten(1)
        zero = int(x.sum().item() * 0)
        for i in range(zero + 2):
            j = 0
            while j <= i:
                h = self.step(h)
                for _ in range(zero + self.depth):
                    h = self.step(h)
                j += 1
        return self.head(h)


class TwoLoops(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(64, 64)
        self.head = nn.Linear(64, 4)

    def forward(self, x):
        h = x.flatten(1)
        zero = int(x.sum().item() * 0)
        for i in range(zero + 2):
            for _ in range(zero + i + 1):
                h = F.dropout(torch.relu(self.fc(h)), 0.2, self.training)
        return self.head(h)


class Branches(nn.Module):
    """Dropout in branches of training, of the input, and of a rate; rates by attribute and term."""

    def __init__(self):
        super().__init__()
        self.rate = 0.4
        self.fc1 = nn.Linear(64, 16)
        self.fc2 = nn.Linear(16, 16)
        self.fc3 = nn.Linear(16, 4)

    def forward(self, x):
        h = torch.relu(self.fc1(x.flatten(1)))
        if x.dim() == 4:
            h = F.dropout(h, self.rate * 0.5, self.training)
        else:
            h = h + 1
        rate = self.rate
        if not self.training:
            rate = 0.0
        if rate > 0.0:
            h = F.dropout(h, rate)
        h = torch.relu(self.fc2(h))
        if self.training:
            h = F.dropout(h, 0.3, True)
        return self.fc3(h)


class ItemsLast(Tokens):
    """The dropout sees [positions, features, items]: nowhere could a mask belong to an item."""

    def forward(self, x):
        t = x.flatten(1, 2).permute(1, 2, 0)
        return self.head(F.dropout(t, 0.3, self.training).permute(2, 0, 1))


class TrainingOnly(nn.Module):
    """What training does besides dropout must not be done in inference."""

    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(64, 8)
        self.fc2 = nn.Linear(8, 4)

    def forward(self, x):
        h = torch.relu(self.fc1(x.flatten(1)))
        if self.training:
            h = F.dropout(h, 0.5, True) * 2
        return self.fc2(h)


class Constants(nn.Module):
    """Dropout that is always on, one whose rate follows from the input, and one into a view."""

    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(64, 16)
        self.fc2 = nn.Linear(16, 4)

    def forward(self, x):
        h = F.dropout(torch.relu(self.fc1(x.flatten(1))), 0.3, training=True)
        h = F.dropout(h, float(x.abs().mean().item()) * 0.01, training=True)
        if x.dim() == 4:
            F.dropout(h, 0.2, training=True, inplace=True)
        return self.fc2(h)


class Pair(Plain):
    def forward(self, x):
        y = super().forward(x)
        return y, y


class NotANumber(Plain):
    """Divides by zero where an item is all zeros."""

    def forward(self, x):
        return super().forward(x) / x.flatten(1).sum(1, keepdim=True)


class Vectors(nn.Module):
    """Ten numbers in; dropout, so that every method has something to do."""

    def __init__(self, classes=3):
        super().__init__()
        self.fc1 = nn.Linear(10, 16)
        self.drop = nn.Dropout(0.3)
        self.fc2 = nn.Linear(16, classes)

    def forward(self, x):
        return self.fc2(self.drop(F.relu(self.fc1(x))))


class Several(nn.Module):
    """Features and class scores in one dictionary; the auxiliary scores have a dropout of their own."""

    def __init__(self, auxiliary):
        super().__init__()
        self.auxiliary = auxiliary
        self.fc1 = nn.Linear(64, 16)
        self.drop = nn.Dropout(0.3)
        self.fc2 = nn.Linear(16, 4)
        self.drop_auxiliary = nn.Dropout(0.2)
        self.fc3 = nn.Linear(16, 4)

    def forward(self, x: torch.Tensor) -> Dict[str, torch.Tensor]:
        h = F.relu(self.fc1(x.flatten(1)))
        result = {"map": h.reshape(-1, 4, 2, 2)}
        result["logits"] = self.fc2(self.drop(h))
        if self.auxiliary:
            result["auxiliary"] = self.fc3(self.drop_auxiliary(h))
        return result


class Scores(NamedTuple):
    logits: torch.Tensor
    auxiliary: Optional[torch.Tensor]
    boxes: List[torch.Tensor]


class Fields(Several):
    """A named tuple whose optional field is absent, with a list inside."""

    def forward(self, x: torch.Tensor) -> Scores:
        h = F.relu(self.fc1(x.flatten(1)))
        return Scores(self.fc2(self.drop(h)), None, [h.reshape(-1, 4, 4), h.reshape(-1, 2, 8)])


class ScaledBias(nn.Module):
    """A bias that is computed: no stored vector."""

    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(64, 16)
        self.fc2 = nn.Linear(16, 10)

    def forward(self, x):
        return F.linear(torch.tanh(self.fc1(x.flatten(1))), self.fc2.weight, self.fc2.bias * 3.0)


class WideAndDeep(nn.Module):
    """The outputs of another layer are added to a product."""

    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(64, 16)
        self.wide = nn.Linear(64, 10)
        self.mix = nn.Parameter(torch.randn(16, 10))

    def forward(self, x):
        x = x.flatten(1)
        return torch.tanh(self.fc1(x)) @ self.mix + self.wide(x)


class Gated(nn.Module):
    """The network returns a product of two layers: neither is its head."""

    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(64, 16)
        self.gate = nn.Linear(16, 10)
        self.out = nn.Linear(16, 10)

    def forward(self, x):
        h = torch.tanh(self.fc1(x.flatten(1)))
        return torch.sigmoid(self.gate(h)) * self.out(h)


class Around(nn.Module):
    """A network with something behind it."""

    def __init__(self):
        super().__init__()
        self.net = Plain(64)


class Tempered(Around):
    def forward(self, x):
        return self.net(x) / 2.5


class Noisy(Around):
    """Adds random numbers; `always` or only in training."""

    def __init__(self, always: bool):
        super().__init__()
        self.always = always

    def forward(self, x):
        z = self.net(x)
        if self.always or self.training:
            z = z + torch.empty_like(z).geometric_(0.5)
        return z


class NoisyTraced(Around):
    def forward(self, x):
        return self.net(x) + torch.randn(x.shape[0], 10)


class Counting(Around):
    """Counts its calls in a buffer."""

    def __init__(self, matters: bool):
        super().__init__()
        self.matters = matters
        self.register_buffer("calls", torch.zeros(1))

    def forward(self, x):
        self.calls += 1
        z = self.net(x)
        if self.matters:
            z = z * self.calls
        return z


class CountingNumber(Around):
    """Counts its calls in an attribute."""

    calls: int

    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls = self.calls + 1
        return self.net(x) * float(self.calls)


def stochastic_depth(input: torch.Tensor, p: float, mode: str, training: bool = True, scale: bool = True) -> torch.Tensor:
    """As torchvision.ops.stochastic_depth, with timm's choice not to scale."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"drop probability has to be between 0 and 1, but got {p}")
    if mode not in ["batch", "row"]:
        raise ValueError(f"mode has to be either 'batch' or 'row', but got {mode}")
    if not training or p == 0.0:
        return input
    survival_rate = 1.0 - p
    if mode == "row":
        size = [input.shape[0]] + [1] * (input.ndim - 1)
    else:
        size = [1] * input.ndim
    noise = torch.empty(size, dtype=input.dtype, device=input.device)
    noise = noise.bernoulli_(survival_rate)
    if survival_rate > 0.0 and scale:
        noise.div_(survival_rate)
    return input * noise


class StochasticDepth(nn.Module):
    def __init__(self, p, mode, scale=True):
        super().__init__()
        self.p = p
        self.mode = mode
        self.scale = scale

    def forward(self, x):
        return stochastic_depth(x, self.p, self.mode, self.training, self.scale)


class Deep(nn.Module):
    """A residual block that may be left out."""

    def __init__(self, mode, scale=True):
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3, padding=1)
        self.block = nn.Conv2d(4, 4, 3, padding=1)
        self.depth = StochasticDepth(0.2, mode, scale)
        self.fc = nn.Linear(256, 4)

    def forward(self, x):
        x = self.conv(x)
        return self.fc(F.relu(x + self.depth(torch.tanh(self.block(x)))).flatten(1))


class DropPath(nn.Module):
    """As timm.layers.drop_path."""

    def forward(self, x):
        keep_prob = 0.7
        shape = (x.shape[0],) + (1,) * (x.ndim - 1)
        random_tensor = x.new_empty(shape).bernoulli_(keep_prob)
        random_tensor.div_(keep_prob)
        return x * random_tensor


class DropPathNet(Deep):
    def __init__(self):
        super().__init__("row")
        self.depth = DropPath()


class DropPathByFloor(nn.Module):
    """As in transformers."""

    def forward(self, x):
        keep_prob = 0.7
        shape = (x.shape[0],) + (1,) * (x.ndim - 1)
        random_tensor = keep_prob + torch.rand(shape, dtype=x.dtype, device=x.device)
        random_tensor.floor_()
        return x.div(keep_prob) * random_tensor


class DropPathByFloorNet(Deep):
    def __init__(self):
        super().__init__("row")
        self.depth = DropPathByFloor()


class DropPathByComparison(nn.Module):
    """As ONNX files write bernoulli(keep), or by the rate of what is dropped."""

    def __init__(self, by_drop_rate):
        super().__init__()
        self.by_drop_rate = by_drop_rate

    def forward(self, x):
        uniform = torch.rand((x.shape[0],) + (1,) * (x.ndim - 1))
        if self.by_drop_rate:
            return x * (0.3 < uniform) / 0.7
        return x * ((uniform < 0.7).to(x.dtype) / 0.7)


class DropPathByComparisonNet(Deep):
    def __init__(self, by_drop_rate):
        super().__init__("row")
        self.depth = DropPathByComparison(by_drop_rate)


class HandMask(nn.Module):
    """Dropout by masks that programs compute themselves."""

    def __init__(self, form):
        super().__init__()
        self.form = form

    def forward(self, x):
        if self.form == "elements":
            return x * ((torch.rand_like(x) > 0.3).to(x.dtype) / 0.7)
        if self.form == "channels":
            return x / 0.7 * torch.bernoulli(torch.full_like(x[:, :, :1, :1], 0.7))
        if self.form == "where":
            return torch.where(torch.rand(x.shape) < 0.3, torch.zeros_like(x), x / 0.7)
        return x.masked_fill(torch.rand_like(x) < 0.3, 0.0) / 0.7


class HandMaskNet(Deep):
    def __init__(self, form):
        super().__init__("row")
        self.depth = HandMask(form)


class HandMaskInTraining(nn.Module):
    """A mask in a branch that only training takes."""

    def forward(self, x):
        if self.training:
            return x * x.new_empty(x.shape).bernoulli_(0.7).div_(0.7)
        return x


class HandMaskScripted(Deep):
    def __init__(self):
        super().__init__("row")
        self.depth = HandMaskInTraining()


class MaskedWeights(nn.Module):
    """The mask drops weights, the same for all items."""

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(64, 4)

    def forward(self, x):
        weight = self.fc.weight * (torch.rand_like(self.fc.weight) < 0.7) / 0.7
        return F.linear(x.flatten(1), weight, self.fc.bias)


class DropBlock(nn.Module):
    """Masks of whole squares, made without gradients as in timm.layers.DropBlock2d."""

    def forward(self, x):
        if self.training:
            with torch.no_grad():
                blocks = torch.empty_like(x).bernoulli_(0.05)
                keep = 1.0 - F.max_pool2d(blocks, 3, 1, 1)
            x = x * keep
        return x


class DropBlockNet(Deep):
    def __init__(self):
        super().__init__("row")
        self.depth = DropBlock()


class SwitchedOff(nn.Module):
    """One of its dropouts is off by decision, and not because it was traced."""

    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(64, 16)
        self.drop = nn.Dropout(0.3)
        self.fc2 = nn.Linear(16, 4)

    def forward(self, x):
        h = F.dropout(torch.relu(self.fc1(x.flatten(1))), 0.9, False)
        return self.fc2(self.drop(h))


class InPlaceView(nn.Module):
    """The dropout writes into a view of what goes on."""

    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(64, 16)
        self.fc2 = nn.Linear(16, 4)

    def forward(self, x):
        h = torch.tanh(self.fc1(x.flatten(1)))
        F.dropout(h[:, :8], 0.5, self.training, True)
        return self.fc2(h)


class Raises(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(64, 4)

    def forward(self, x):
        if x.shape[1] != 3:
            raise ValueError(f"three channels are needed, not {x.shape[1]}")
        return self.fc(x.flatten(1))


class InstanceNorms(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 3, 3)
        self.plain = nn.InstanceNorm2d(3)
        self.affine = nn.InstanceNorm2d(3, affine=True)
        self.tracked = nn.InstanceNorm2d(3, affine=True, track_running_stats=True)
        self.fc = nn.Linear(108, 4)

    def forward(self, x):
        return self.fc(self.tracked(self.affine(self.plain(self.conv(x)))).flatten(1))


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


def save_hidden_dropout(save, x, tiny):
    """Networks whose dropout sits in attention, recurrent operators, loops and branches."""
    lstm = dict(num_layers=3, dropout=0.5)
    for module, name in [
        (Transformer(False), "transformer"),
        (Transformer(True), "transformer_batch_first"),
        (SelfAttention(False), "self_attention"),
        (SelfAttention(True), "self_attention_weights"),
        (AttentionOptions(), "attention_options"),
        (Recurrent(nn.LSTM, bidirectional=True, **lstm), "lstm_bidirectional"),
        (Recurrent(nn.LSTM, batch_first=True, **lstm), "lstm_batch_first"),
        (Recurrent(nn.GRU, num_layers=2, dropout=0.3), "gru"),
        (Recurrent(nn.RNN, num_layers=2, dropout=0.3, batch_first=True), "rnn_tanh"),
        (Recurrent(nn.RNN, num_layers=2, dropout=0.3, nonlinearity="relu"), "rnn_relu"),
        (Selu(), "selu"),
        (ListLoop(), "list_loop"),
    ]:
        save(torch.jit.script(module.eval()), f"{name}_scripted.pt", **tiny)
        save(torch.jit.trace(module.train(), x[:4], check_trace=False), f"{name}_traced.pt", **tiny)
    fused = torch.jit.trace(Transformer(True).eval(), x[:4], check_trace=False)
    save(fused, "transformer_traced_eval.pt", **tiny)
    for module, name in [
        (NestedLoops(2), "nested_loops"),
        (TwoLoops(), "two_loops"),
        (Branches(), "branches"),
        (Constants(), "constants"),
        (ItemsLast(), "items_last"),
        (TrainingOnly(), "training_only"),
        (Packed(nn.GRU, num_layers=2, dropout=0.3, batch_first=True), "packed"),
    ]:
        save(torch.jit.script(module.eval()), f"{name}.pt", **tiny)
    quantised = torch.ao.quantization.quantize_dynamic(Lstm().eval(), {nn.LSTM}, dtype=torch.qint8)
    save(torch.jit.trace(quantised, x[:4], check_trace=False), "lstm_quantised.pt", **tiny)


def save_outputs(folder):
    """What networks take and return: number types, packed weights, several tensors."""
    torch.manual_seed(1)
    x = torch.randn(4, 10)
    small = torch.randn(4, 1, 8, 8)
    size = metadata(input_size=[10])
    for dtype, name in [(torch.float64, "double"), (torch.float16, "half"), (torch.bfloat16, "bfloat16")]:
        net = Vectors().eval().to(dtype)
        torch.jit.script(net).save(os.path.join(folder, f"{name}_scripted.pt"), _extra_files=size)
        torch.jit.trace(net.train(), x.to(dtype), check_trace=False).save(
            os.path.join(folder, f"{name}_traced.pt"), _extra_files=size
        )
    frozen = torch.jit.freeze(torch.jit.script(Vectors().eval().to(torch.float16)))
    frozen.save(os.path.join(folder, "half_frozen.pt"), _extra_files=size)
    packed = torch.ao.quantization.quantize_dynamic(Vectors().eval(), {nn.Linear}, dtype=torch.qint8)
    torch.jit.script(packed).save(os.path.join(folder, "quantised_vector_scripted.pt"))
    torch.jit.trace(packed, x).save(os.path.join(folder, "quantised_vector_traced.pt"))
    tiny = metadata(input_size=[8, 8], channels=1)
    torch.jit.script(Several(False).eval()).save(os.path.join(folder, "dictionary_scripted.pt"), _extra_files=tiny)
    torch.jit.trace(Several(False).train(), small, check_trace=False, strict=False).save(
        os.path.join(folder, "dictionary_traced.pt"), _extra_files=tiny
    )
    torch.jit.script(Several(True).eval()).save(os.path.join(folder, "two_scores.pt"), _extra_files=tiny)
    torch.jit.script(Fields(False).eval()).save(os.path.join(folder, "fields.pt"), _extra_files=tiny)


def save_unit_rates(save, x, tiny):
    save(torch.jit.script(UnitRates().eval()), "unit_rates_scripted.pt", **tiny)
    save(torch.jit.trace(UnitRates().train(), x[:4], check_trace=False), "unit_rates_traced.pt", **tiny)
    broken = UnitRates().eval()
    broken.drop_rates[3] = 1.0
    save(torch.jit.script(broken), "unit_rates_broken.pt", **tiny)


def save_twins(save, x, tiny):
    """Networks of one program with other weights, where these are no parameters."""
    for name in ["a", "b"]:
        net = Plain(64).eval()
        save(torch.jit.freeze(torch.jit.script(net)), f"frozen_twin_{name}.pt", **tiny)
        quantised = torch.ao.quantization.quantize_dynamic(net, {nn.Linear}, dtype=torch.qint8)
        traced = torch.jit.trace(quantised, x[:4])
        save(traced, f"quantised_twin_{name}.pt", **tiny)
        save(torch.jit.freeze(traced.eval()), f"quantised_frozen_twin_{name}.pt", **tiny)


def save_hard_to_judge(save, x, tiny):
    """Networks about which a wrong thing is easily said."""
    for module, name in [
        (ScaledBias(), "scaled_bias"),
        (WideAndDeep(), "wide_and_deep"),
        (Gated(), "gated"),
        (Tempered(), "tempered"),
        (Noisy(True), "noisy"),
        (Noisy(False), "noisy_in_training"),
        (Counting(True), "counting"),
        (Counting(False), "counting_aside"),
        (CountingNumber(), "counting_number"),
        (HandMaskScripted(), "mask_in_training_scripted"),
        (Deep("row"), "stochastic_depth_scripted"),
        (Deep("batch"), "stochastic_depth_batch"),
        (Deep("row", scale=False), "stochastic_depth_unscaled"),
        (InPlaceView(), "in_place_view"),
        (Raises(), "raises"),
        (InstanceNorms(), "instance_norms"),
    ]:
        save(torch.jit.script(module.eval()), f"{name}.pt", **tiny)
    for module, name in [
        (Deep("row").train(), "stochastic_depth_traced"),
        (DropPathNet().train(), "drop_path_traced"),
        (DropPathByFloorNet().train(), "drop_path_by_floor_traced"),
        (DropPathByComparisonNet(False).train(), "drop_path_by_comparison_traced"),
        (DropPathByComparisonNet(True).train(), "drop_path_by_drop_rate_traced"),
        (NoisyTraced().eval(), "noisy_traced"),
        (HandMaskNet("elements").train(), "mask_of_elements_traced"),
        (HandMaskNet("channels").train(), "mask_of_channels_traced"),
        (HandMaskNet("where").train(), "mask_by_where_traced"),
        (HandMaskNet("fill").train(), "mask_by_fill_traced"),
        (MaskedWeights().train(), "mask_of_weights_traced"),
    ]:
        save(torch.jit.trace(module, x[:4], check_trace=False), f"{name}.pt", **tiny)


class Autocast(nn.Module):
    """A block in bfloat16, which scripting writes as objects that the program enters and leaves."""

    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(6, 16)
        self.drop = nn.Dropout(0.3)
        self.fc2 = nn.Linear(16, 5)

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            h = self.fc2(self.drop(F.relu(self.fc1(x))))
        return h.float() * 4.0


def save_autocast(folder):
    """The network, and its rows for the items of lower_precision_test.cpp."""
    torch.manual_seed(1)
    scripted = torch.jit.script(Autocast().eval())
    scripted.save(
        os.path.join(folder, "autocast_scripted.pt"), _extra_files=metadata(input_size=[6], output="logits")
    )
    items = torch.sin(2.1 * torch.arange(1, 61, dtype=torch.float64)).float().view(10, 6)
    with torch.no_grad(), open(os.path.join(folder, "autocast.json"), "w") as file:
        json.dump(scripted(items).flatten().tolist(), file)


def save_training_randomness(save, x, tiny):
    save(torch.jit.script(DropBlockNet().eval()), "drop_block.pt", **tiny)
    save(torch.jit.script(SwitchedOff().eval()), "switched_off_scripted.pt", **tiny)
    save(torch.jit.trace(SwitchedOff().eval(), x[:4]), "switched_off_traced.pt", **tiny)


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
    save(torch.jit.script(AnySize().eval()), "any_size.pt")

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

    save_hidden_dropout(save, small, tiny)
    save_unit_rates(save, small, tiny)

    state = nn.Linear(4, 3).state_dict()
    torch.save(state, os.path.join(folder, "state_dict.pt"))
    torch.save(state, os.path.join(folder, "state_dict_old_format.pt"), _use_new_zipfile_serialization=False)
    torch.save(nn.Sequential(nn.Linear(4, 3)), os.path.join(folder, "pickled_module.pt"))
    without_code(os.path.join(folder, "vector.pt"), os.path.join(folder, "bytecode_only.ptl"))
    save_outputs(folder)


    save_twins(save, small, tiny)
    save_hard_to_judge(save, small, tiny)
    save_autocast(folder)
    save_training_randomness(save, small, tiny)


if __name__ == "__main__":
    main(sys.argv[1])
