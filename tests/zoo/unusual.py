# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks written in ways that the zoo's families are not, for formats.py."""

import math

import torch
import torch.nn.functional as F
from torch import nn

WIDTH = 16


class Stem(nn.Module):
    def __init__(self, channels=WIDTH):
        super().__init__()
        self.conv = nn.Conv2d(3, channels, 3, stride=2, padding=1)

    def forward(self, x):
        return F.relu(self.conv(x))


class SqueezeByClamp(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = Stem()
        self.down = nn.Conv2d(WIDTH, 4, 1)
        self.up = nn.Conv2d(4, WIDTH, 1)
        self.drop = nn.Dropout2d(0.3)
        self.head = nn.Linear(WIDTH, 5)

    def forward(self, x):
        x = self.stem(x)
        gate = self.up(F.relu(self.down(x.mean((2, 3), keepdim=True))))
        x = self.drop(x * ((gate + 3).clamp(0, 6) / 6))
        return self.head(x.amax(dim=(-2, -1)))


class EinsumAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.patch = nn.Conv2d(3, 24, 4, 4)
        self.qkv = nn.Linear(24, 72, bias=False)
        self.head = nn.Linear(24, 5)
        self.p = 0.2

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        q, k, v = self.qkv(x).view(x.size(0), -1, 3, 4, 6).permute(2, 0, 3, 1, 4).unbind(0)
        scores = torch.einsum("bhid,bhjd->bhij", q, k) / math.sqrt(6)
        weights = F.dropout(scores.softmax(-1), self.p, self.training)
        mixed = torch.einsum("bhij,bhjd->bhid", weights, v).transpose(1, 2).flatten(2)
        return self.head((x + mixed).mean(1))


class NormedWeights(nn.Module):
    def __init__(self):
        super().__init__()
        from torch.nn.utils.parametrizations import spectral_norm, weight_norm

        self.conv = weight_norm(nn.Conv2d(3, WIDTH, 3, 2))
        self.hidden = spectral_norm(nn.Linear(WIDTH, 24))
        self.drop = nn.Dropout(0.4)
        self.head = nn.Linear(24, 5)

    def forward(self, x):
        x = F.elu(self.conv(x)).mean((2, 3))
        return self.head(self.drop(torch.tanh(self.hidden(x))))


class BothWays(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(48, 12, num_layers=2, bidirectional=True, batch_first=True, dropout=0.25)
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(24, 5)

    def forward(self, x):
        _, (h, _) = self.lstm(x.transpose(1, 2).flatten(2))
        return self.head(self.drop(torch.cat((h[-2], h[-1]), dim=1)))


class ManyScales(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = Stem()
        self.norm = nn.GroupNorm(4, WIDTH)
        self.fine = nn.Conv2d(WIDTH, WIDTH, 3, padding=1)
        self.coarse = nn.Conv2d(WIDTH, WIDTH, 3, padding=1)
        self.drop = nn.Dropout(0.3)
        self.head = nn.Linear(2 * WIDTH, 5)

    def forward(self, x):
        x = F.silu(self.norm(self.stem(x)))
        fine = self.fine(x)
        coarse = F.interpolate(self.coarse(F.avg_pool2d(x, 2)), size=fine.shape[-2:], mode="bilinear", align_corners=False)
        x = torch.cat([fine, coarse], 1)
        return self.head(self.drop(F.adaptive_avg_pool2d(x, 1).flatten(1)))


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.patch = nn.Conv2d(3, 24, 4, 4)
        self.token = nn.Parameter(torch.randn(1, 1, 24) * 0.1)
        self.place = nn.Parameter(torch.randn(1, 17, 24) * 0.1)
        layer = nn.TransformerEncoderLayer(24, 3, 48, dropout=0.2, batch_first=True, norm_first=True, activation="gelu")
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(24, 5)

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1) + self.place
        return self.head(self.encoder(x)[:, 0])


class Experts(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = Stem()
        self.gate = nn.Linear(WIDTH, 3)
        self.experts = nn.ModuleList(nn.Sequential(nn.Linear(WIDTH, 20), nn.GELU(), nn.Dropout(0.2), nn.Linear(20, 12)) for _ in range(3))
        self.head = nn.Linear(12, 5)

    def forward(self, x):
        x = self.stem(x).mean([2, 3])
        outs = torch.stack([expert(x) for expert in self.experts], dim=1)
        return self.head((self.gate(x).softmax(1).unsqueeze(-1) * outs).sum(1))


class MultiHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.patch = nn.Conv2d(3, 24, 4, 4)
        self.query = nn.Parameter(torch.randn(1, 2, 24))
        self.attention = nn.MultiheadAttention(24, 4, dropout=0.2, batch_first=True)
        self.norm = nn.LayerNorm(24)
        self.head = nn.Linear(48, 5)

    def forward(self, x):
        x = self.patch(x).flatten(2).transpose(1, 2)
        pooled, _ = self.attention(self.query.expand(x.size(0), -1, -1), x, x, need_weights=False)
        return self.head(self.norm(pooled).flatten(1))


class Quantised(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(16, 6)
        self.drop = nn.Dropout(0.3)
        self.hidden = nn.Linear(18, 24)
        self.head = nn.Linear(24, 5)

    def forward(self, x):
        levels = (x * 15).round().clamp(0, 15).long()
        codes = self.table(levels)  # [N, 3, H, W, 6]
        x = codes.mean(dim=(2, 3)).reshape(-1, 18)
        return self.head(self.drop(F.leaky_relu(self.hidden(x), 0.1)))


class Pooled(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = Stem()
        self.drop = nn.Dropout1d(0.3)
        self.head = nn.Linear(3 * WIDTH, 5)

    def forward(self, x):
        x = self.drop(self.stem(x).flatten(2))
        top = x.topk(4, dim=-1).values.mean(-1)
        return self.head(torch.cat([top, x.logsumexp(-1), x.std(-1)], -1))


class Concrete(nn.Module):
    """Dropout with learned rates, as Gal's: a soft mask of logistic noise."""

    def __init__(self):
        super().__init__()
        self.stem = Stem()
        self.p_logit = nn.Parameter(torch.tensor(-1.0))
        self.head = nn.Linear(WIDTH, 5)

    def forward(self, x):
        x = self.stem(x).mean((2, 3))
        if self.training:
            p = torch.sigmoid(self.p_logit)
            u = torch.rand_like(x)
            z = torch.sigmoid((torch.log(p + 1e-7) - torch.log(1 - p + 1e-7) + torch.log(u + 1e-7) - torch.log(1 - u + 1e-7)) / 0.1)
            x = x * (1 - z) / (1 - p)
        return self.head(x)


class GaussianDropout(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = Stem()
        self.head = nn.Linear(WIDTH, 5)

    def forward(self, x):
        x = self.stem(x).mean((2, 3))
        if self.training:
            x = x * (1 + 0.5 * torch.randn_like(x))
        return self.head(x)


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(12, 2 * WIDTH, 3, padding=1)
        self.drop = nn.FeatureAlphaDropout(0.1)
        self.alpha = nn.AlphaDropout(0.2)
        self.head = nn.Linear(WIDTH, 5)

    def forward(self, x):
        x = F.glu(self.conv(F.pixel_unshuffle(x, 2)), dim=1)
        return self.head(self.alpha(F.selu(self.drop(x).mean((2, 3)))))


class Rotary(nn.Module):
    def __init__(self):
        super().__init__()
        self.patch = nn.Linear(48, 24)
        self.scale = nn.Parameter(torch.ones(24))
        self.qkv = nn.Linear(24, 72)
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(24, 5)
        angles = torch.outer(torch.arange(16).float(), 1.0 / 100 ** (torch.arange(12) / 12))
        self.register_buffer("cos", angles.cos(), persistent=False)
        self.register_buffer("sin", angles.sin(), persistent=False)

    def turned(self, x):
        a, b = x[..., ::2], x[..., 1::2]
        return torch.stack((a * self.cos - b * self.sin, a * self.sin + b * self.cos), -1).flatten(-2)

    def forward(self, x):
        x = F.unfold(x, 4, stride=4).transpose(1, 2)
        x = self.patch(x)
        x = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.scale
        q, k, v = self.qkv(x).chunk(3, -1)
        x = x + F.scaled_dot_product_attention(self.turned(q), self.turned(k), v)
        return self.head(self.drop(x.mean(1)))


class SharedDepth(nn.Module):
    """Stochastic depth that draws one number for the whole batch."""

    def __init__(self):
        super().__init__()
        from torchvision.ops import StochasticDepth

        self.stem = Stem()
        self.block = nn.Sequential(nn.Conv2d(WIDTH, WIDTH, 3, padding=1), nn.BatchNorm2d(WIDTH), nn.ReLU())
        self.depth = StochasticDepth(0.3, "batch")
        self.head = nn.Linear(WIDTH, 5)

    def forward(self, x):
        x = self.stem(x)
        return self.head((x + self.depth(self.block(x))).mean((2, 3)))


class BatchStatistics(nn.Module):
    """Normalises by the batch in inference mode, too."""

    def __init__(self):
        super().__init__()
        self.stem = Stem()
        self.norm = nn.BatchNorm2d(WIDTH, track_running_stats=False)
        self.head = nn.Linear(WIDTH, 5)

    def forward(self, x):
        return self.head(F.relu(self.norm(self.stem(x))).mean((2, 3)))


class OtherNorms(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = Stem()
        self.instance = nn.InstanceNorm2d(WIDTH, affine=True)
        self.response = nn.LocalResponseNorm(3)
        self.norm = nn.LayerNorm(WIDTH)
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(WIDTH, 5)

    def forward(self, x):
        x = self.response(self.instance(self.stem(x)))
        x = self.norm(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
        return self.head(self.drop(F.lp_pool2d(F.softplus(x), 2.0, 8).flatten(1)))


class Cosine(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = Stem()
        self.drop = nn.Dropout(0.3)
        self.weight = nn.Parameter(torch.randn(5, WIDTH))
        self.scale = nn.Parameter(torch.tensor(8.0))

    def forward(self, x):
        x = self.drop(self.stem(x).mean((2, 3)))
        return self.scale * F.linear(F.normalize(x, dim=-1), F.normalize(self.weight, dim=-1))


class TwoExits(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = Stem()
        self.early = nn.Linear(WIDTH, 5)
        self.block = nn.Sequential(nn.Conv2d(WIDTH, WIDTH, 3), nn.PReLU(), nn.Dropout2d(0.2, inplace=True))
        self.late = nn.Linear(WIDTH, 5)

    def forward(self, x):
        x = self.stem(x)
        early = self.early(x.mean((2, 3)))
        return (early + self.late(self.block(x).mean((2, 3)))) / 2


class Bayesian(nn.Module):
    """Weights drawn in training by the reparametrisation."""

    def __init__(self):
        super().__init__()
        self.stem = Stem()
        self.mean = nn.Parameter(torch.randn(5, WIDTH) * 0.5)
        self.rho = nn.Parameter(torch.full((5, WIDTH), -1.0))
        self.bias = nn.Parameter(torch.zeros(5))

    def forward(self, x):
        x = self.stem(x).mean((2, 3))
        weight = self.mean
        if self.training:
            weight = weight + F.softplus(self.rho) * torch.randn_like(self.mean)
        return F.linear(x, weight, self.bias)


class Fourier(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = Stem(8)
        self.drop = nn.Dropout(0.2)
        self.head = nn.Linear(8, 5)

    def forward(self, x):
        x = self.stem(x)
        x = torch.fft.fft2(x, norm="ortho").real
        return self.head(self.drop(x.abs().mean((2, 3))))


class DropConnect(nn.Module):
    """Drops weights, not activations."""

    def __init__(self):
        super().__init__()
        self.stem = Stem()
        self.hidden = nn.Linear(WIDTH, 24)
        self.head = nn.Linear(24, 5)

    def forward(self, x):
        x = self.stem(x).mean((2, 3))
        x = F.relu(F.linear(x, F.dropout(self.hidden.weight, 0.3, self.training), self.hidden.bias))
        return self.head(x)


class TimeDistributed(nn.Module):
    """One mask for all steps of a sequence, as Gal's recurrent dropout."""

    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(48, 16)
        self.head = nn.Linear(16, 5)

    def forward(self, x):
        x = x.transpose(1, 2).flatten(2)
        h = torch.zeros(x.shape[0], 16, dtype=x.dtype, device=x.device)
        mask = F.dropout(torch.ones_like(h), 0.25, self.training)
        for t in range(4):
            h = self.cell(x[:, 4 * t], h * mask)
        return self.head(h)


class Shaken(nn.Module):
    """Shake-shake: a random mix of two branches, one number an item."""

    def __init__(self):
        super().__init__()
        self.stem = Stem()
        self.a = nn.Conv2d(WIDTH, WIDTH, 3, padding=1)
        self.b = nn.Conv2d(WIDTH, WIDTH, 3, padding=1)
        self.head = nn.Linear(WIDTH, 5)

    def forward(self, x):
        x = self.stem(x)
        share = torch.rand(x.size(0), 1, 1, 1, device=x.device) if self.training else torch.full((1, 1, 1, 1), 0.5, device=x.device)
        x = F.relu(share * self.a(x) + (1 - share) * self.b(x))
        return self.head(x.mean((2, 3)))


def unusual():
    """Name: function that builds (network, shape of an item)."""
    kinds = (SqueezeByClamp, EinsumAttention, NormedWeights, BothWays, ManyScales, Encoder, Experts, MultiHead, Quantised, Pooled, Concrete, GaussianDropout, Gated, Rotary, SharedDepth, BatchStatistics, OtherNorms, Cosine, TwoExits, Bayesian, Fourier, DropConnect, TimeDistributed, Shaken)
    return {f"unusual {kind.__name__}": lambda kind=kind: (kind(), (3, 16, 16)) for kind in kinds}
