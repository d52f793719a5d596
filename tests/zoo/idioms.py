# SPDX-License-Identifier: GPL-3.0-or-later
"""Small networks with the ways in which programs draw random numbers in training, old and new."""

import torch
import torch.nn.functional as F
from torch import nn


class DropPathFloor(nn.Module):
    """Stochastic depth as many old copies of timm have it."""

    def forward(self, x):
        if not self.training:
            return x
        keep_prob = 0.7
        shape = (x.shape[0],) + (1,) * (x.ndim - 1)
        random_tensor = keep_prob + torch.rand(shape, dtype=x.dtype, device=x.device)
        random_tensor.floor_()
        return x.div(keep_prob) * random_tensor


class DropPathCompared(nn.Module):
    def forward(self, x):
        if self.training:
            keep = torch.rand([x.shape[0], 1], device=x.device) < 0.7
            x = torch.where(keep, x / 0.7, torch.zeros_like(x))
        return x


class DropPathUnscaled(nn.Module):
    def forward(self, x):
        if self.training:
            x = x * torch.empty([x.shape[0], 1], device=x.device).bernoulli_(0.7)
        return x


class OwnMask(nn.Module):
    def forward(self, x):
        if self.training:
            x = x * torch.bernoulli(torch.full_like(x, 0.6)) / 0.6
        return x


class MaskOutsideTheBranch(nn.Module):
    def forward(self, x):
        mask = (torch.rand_like(x) > 0.4).to(x.dtype)
        if self.training:
            x = x * mask / 0.6
        return x


class ClassicDropout(nn.Module):
    """Masks in training, the keep rate in inference (Srivastava et al. 2014)."""

    def forward(self, x):
        if self.training:
            return x * torch.bernoulli(torch.full_like(x, 0.6))
        return x * 0.6


class GaussianNoise(nn.Module):
    def __init__(self, sigma=0.5):
        super().__init__()
        self.sigma = sigma

    def forward(self, x):
        if self.training and self.sigma != 0:
            x = x + torch.randn_like(x) * self.sigma
        return x


class GaussianDropout(nn.Module):
    def forward(self, x):
        if self.training:
            x = x * (1 + 0.6 * torch.randn_like(x))
        return x


class SigmaOfTheMode(nn.Module):
    def forward(self, x):
        sigma = 0.5 if self.training else 0.0
        return x + sigma * torch.randn_like(x)


class UniformNoise(nn.Module):
    def forward(self, x):
        if self.training:
            x = x * torch.empty_like(x).uniform_(0.4, 1.6)
        return x


class GumbelGate(nn.Module):
    def forward(self, x):
        if self.training:
            x = x * F.gumbel_softmax(x, 1.0, False, dim=1) * 4.0
        return x


class ShakeShake(nn.Module):
    def forward(self, x):
        if self.training:
            alpha = torch.rand([x.size(0), 1], device=x.device)
        else:
            alpha = torch.full([x.size(0), 1], 0.5, device=x.device)
        return alpha * torch.tanh(x) + (1 - alpha) * torch.relu(x)


class ChosenUnits(nn.Module):
    def forward(self, x):
        if self.training:
            kept = torch.argsort(torch.rand_like(x), 1)[:, :10]
            x = x * torch.zeros_like(x).scatter(1, kept, 1.6)
        return x


class ReparametrisedLatent(nn.Module):
    """The latent of a variational network: its mean in inference."""

    def __init__(self):
        super().__init__()
        self.mean = nn.Linear(16, 16)
        self.log_variance = nn.Linear(16, 16)

    def forward(self, x):
        mean = self.mean(x)
        if self.training:
            return mean + torch.exp(0.5 * self.log_variance(x)) * torch.randn_like(mean)
        return mean


class ComputedRate(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = 3
        self.layers = 5
        self.rate = 0.5

    def forward(self, x):
        p = self.rate * float(self.layer) / float(self.layers)
        return F.dropout(x, p, self.training)


class Shuffled(nn.Module):
    """The same order for the whole batch: no key of an item gives that."""

    def forward(self, x):
        if self.training:
            x = x[:, torch.randperm(16)]
        return x


class NoisyWeights(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(0.3 * torch.randn(16, 16))

    def forward(self, x):
        weight = self.weight
        if self.training:
            weight = weight + 0.3 * torch.randn_like(weight)
        return F.linear(x, weight)


class TwoOfThem(nn.Module):
    def __init__(self, first, second):
        super().__init__()
        self.first = first
        self.second = second

    def forward(self, x):
        return self.second(self.first(x))


class Residual(nn.Module):
    def __init__(self, *parts):
        super().__init__()
        self.block = nn.Sequential(nn.Linear(16, 16), nn.Tanh(), *parts)

    def forward(self, x):
        return x + self.block(x)


class Mlp(nn.Module):
    def __init__(self, part, dropout=0.0):
        super().__init__()
        self.fc1 = nn.Linear(8, 16)
        self.part = part
        self.drop = nn.Dropout(dropout) if dropout > 0.0 else nn.Identity()
        self.fc2 = nn.Linear(16, 5)

    def forward(self, x):
        return self.fc2(self.drop(self.part(torch.relu(self.fc1(x)))))


class DropBlock2d(nn.Module):
    """Ghiasi et al. 2018, as in timm without its normalisation over the batch."""

    def forward(self, x):
        if not self.training:
            return x
        seeds = (torch.rand_like(x) < 0.05).to(x.dtype)
        blocks = F.max_pool2d(seeds, 3, 1, 1)
        return x * (1 - blocks) * 1.5


class Cnn(nn.Module):
    def __init__(self, part):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 3, padding=1)
        self.norm = nn.BatchNorm2d(8)
        self.part = part
        self.conv2 = nn.Conv2d(8, 8, 3, padding=1, stride=2)
        self.fc = nn.Linear(8, 5)

    def forward(self, x):
        x = torch.relu(self.norm(self.conv1(x)))
        return self.fc(torch.relu(self.conv2(self.part(x))).mean([2, 3]))


class Signal(nn.Module):
    """Dropout1d over the channels of a signal."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 8, 3)
        self.drop = nn.Dropout1d(0.3)
        self.fc = nn.Linear(8 * 6, 5)

    def forward(self, x):
        return self.fc(self.drop(torch.relu(self.conv(x.unsqueeze(1)))).flatten(1))


class Volume(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv3d(1, 6, 3)
        self.drop = nn.Dropout3d(0.3)
        self.fc = nn.Linear(6, 5)

    def forward(self, x):
        return self.fc(self.drop(torch.relu(self.conv(x.unsqueeze(1)))).mean([2, 3, 4]))


class Selu(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(8, 16)
        self.drop = nn.AlphaDropout(0.2)
        self.fc2 = nn.Linear(16, 5)

    def forward(self, x):
        return self.fc2(self.drop(F.selu(self.fc1(x))))


class Recurrent(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.rnn = kind(4, 12, num_layers=2, batch_first=True, dropout=0.4)
        self.fc = nn.Linear(12, 5)

    def forward(self, x):
        return self.fc(self.rnn(x.view(-1, 2, 4))[0][:, -1])


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, dropout=0.3, batch_first=True)
        self.embed = nn.Linear(2, 8)
        self.fc = nn.Linear(8, 5)

    def forward(self, x):
        tokens = self.embed(x.view(-1, 4, 2))
        return self.fc(self.attention(tokens, tokens, tokens, need_weights=False)[0].mean(1))


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Linear(2, 8)
        layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.2, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.fc = nn.Linear(8, 5)

    def forward(self, x):
        return self.fc(self.encoder(self.embed(x.view(-1, 4, 2))).mean(1))


def depth(mode):
    from torchvision.ops import StochasticDepth

    return StochasticDepth(0.3, mode)


def block():
    from torchvision.ops import DropBlock2d as Torchvisions

    return Torchvisions(0.2, 3)


def drop_path(**keys):
    from timm.layers import DropPath

    return DropPath(0.3, **keys)


def vector(make):
    return lambda: (make(), (8,))


def image(make):
    return lambda: (make(), (3, 16, 16))


NETWORKS = {
    "drop path by floor": vector(lambda: Mlp(DropPathFloor())),
    "drop path by floor, beside dropout": vector(lambda: Mlp(Residual(DropPathFloor()), 0.2)),
    "drop path by comparison": vector(lambda: Mlp(DropPathCompared())),
    "drop path unscaled": vector(lambda: Mlp(DropPathUnscaled(), 0.1)),
    "drop path (timm) of dropout": vector(lambda: Mlp(Residual(nn.Dropout(0.2), drop_path()))),
    "drop path (timm) of dropout of drop path": vector(lambda: Mlp(Residual(drop_path(), nn.Dropout(0.2), drop_path()))),
    "drop path (timm) unscaled": vector(lambda: Mlp(Residual(drop_path(scale_by_keep=False)))),
    "stochastic depth, row": vector(lambda: Mlp(Residual(depth("row")))),
    "stochastic depth of dropout": vector(lambda: Mlp(Residual(nn.Dropout(0.2), depth("row")))),
    "stochastic depth of dropout at rate 0": vector(lambda: Mlp(Residual(nn.Dropout(0.0), depth("row")))),
    "own mask": vector(lambda: Mlp(OwnMask())),
    "mask outside the branch": vector(lambda: Mlp(MaskOutsideTheBranch())),
    "classic dropout": vector(lambda: Mlp(ClassicDropout())),
    "gaussian noise": vector(lambda: Mlp(GaussianNoise(), 0.2)),
    "gaussian dropout": vector(lambda: Mlp(GaussianDropout())),
    "sigma of the mode": vector(lambda: Mlp(SigmaOfTheMode())),
    "uniform noise": vector(lambda: Mlp(UniformNoise())),
    "gumbel gate": vector(lambda: Mlp(GumbelGate())),
    "shake-shake": vector(lambda: Mlp(ShakeShake())),
    "units chosen at random": vector(lambda: Mlp(ChosenUnits())),
    "reparametrised latent": vector(lambda: Mlp(ReparametrisedLatent())),
    "rate computed": vector(lambda: Mlp(ComputedRate())),
    "random slopes (RReLU)": vector(lambda: Mlp(TwoOfThem(nn.Linear(16, 16), nn.RReLU(0.1, 0.9)))),
    "noise of noise": vector(lambda: Mlp(TwoOfThem(GaussianNoise(0.3), OwnMask()), 0.1)),
    "shuffled units": vector(lambda: Mlp(Shuffled(), 0.2)),
    "noisy weights": vector(lambda: Mlp(NoisyWeights(), 0.2)),
    "drop block": image(lambda: Cnn(DropBlock2d())),
    "drop block of torchvision": image(lambda: Cnn(block())),
    "Dropout2d": image(lambda: Cnn(nn.Dropout2d(0.3))),
    "stochastic depth of channels": image(lambda: Cnn(TwoOfThem(nn.Dropout2d(0.2), depth("row")))),
    "Dropout1d": vector(Signal),
    "Dropout3d": image(Volume),
    "AlphaDropout": vector(Selu),
    "FeatureAlphaDropout": image(lambda: Cnn(nn.FeatureAlphaDropout(0.2))),
    "LSTM": vector(lambda: Recurrent(nn.LSTM)),
    "GRU": vector(lambda: Recurrent(nn.GRU)),
    "MultiheadAttention": vector(Attention),
    "TransformerEncoder": vector(Encoder),
}
