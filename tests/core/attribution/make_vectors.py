# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the reference numbers of attributions: python make_vectors.py tests/vectors/attribution.json

The formulas are those of captum (InputXGradient, IntegratedGradients with riemann_middle, Occlusion), in plain torch
and in double. Needs torch.
"""
import json
import math
import sys

import torch

SIDE, CLASSES, STEPS = 8, 3, 32


def spread(shape, phase):
    count = math.prod(shape)
    numbers = torch.sin(torch.arange(count, dtype=torch.double) * 12.9898 + phase)
    return numbers.reshape(shape).to(torch.float).to(torch.double)


PARAMETERS = {"cw": spread((3, 1, 3, 3), 0.0), "cb": spread((3,), 1.0),
              "w": spread((CLASSES, 108), 2.0) / 4, "b": spread((CLASSES,), 3.0)}


def logits(x):
    p = PARAMETERS
    return torch.tanh(torch.conv2d(x, p["cw"], p["cb"])).flatten(1) @ p["w"].T + p["b"]


def target(x, k):
    z = logits(x)
    return (z - z.mean(1, keepdim=True))[:, k]


def gradients(x, k):
    x = x.detach().requires_grad_()
    return torch.autograd.grad(target(x, k).sum(), x)[0]


def input_x_gradient(x, baseline, k):
    return (x - baseline) * gradients(x, k)


def integrated_gradients(x, baseline, k):
    alphas = (torch.arange(STEPS, dtype=torch.double) + 0.5) / STEPS
    path = baseline + alphas.view(-1, 1, 1, 1) * (x - baseline)
    return (x - baseline) * gradients(path, k).mean(0, keepdim=True)


def occlusion(x, baseline, k, window, stride):
    steps = range(math.ceil((SIDE - window) / stride) + 1)
    total, weights = torch.zeros_like(x), torch.zeros_like(x)
    for row in steps:
        for column in steps:
            mask = torch.zeros_like(x)
            mask[..., row * stride:row * stride + window, column * stride:column * stride + window] = 1
            total += (target(x, k) - target(x * (1 - mask) + baseline * mask, k)) * mask
            weights += mask
    return total / weights


def main(path):
    pixels = [(37 * i * i + 11 * i) % 256 for i in range(SIDE * SIDE)]
    x = torch.tensor(pixels, dtype=torch.double).view(1, 1, SIDE, SIDE) / 255
    baselines = {"zero": torch.zeros_like(x), "image-mean": torch.full_like(x, x.mean().item())}
    cases = []
    for name, baseline in baselines.items():
        for k in range(CLASSES):
            maps = {"gradient-input": input_x_gradient(x, baseline, k),
                    "integrated-gradients": integrated_gradients(x, baseline, k),
                    "occlusion": occlusion(x, baseline, k, window=3, stride=2)}
            difference = (target(x, k) - target(baseline, k)).item()
            cases += [{"baseline": name, "class": k, "method": method, "value": target(x, k).item(),
                       "difference": difference, "map": values.sum(1).flatten().tolist()}
                      for method, values in maps.items()]
    content = {
        "note": "Formulas of captum in double: InputXGradient times input - baseline, IntegratedGradients with "
                "riemann_middle and 32 steps, Occlusion with windows of 3 x 3 and strides of 2, of the centred logit; "
                "written by tests/core/attribution/make_vectors.py",
        "side": SIDE, "pixels": pixels,
        "parameters": {name: {"shape": list(values.shape), "values": values.flatten().tolist()}
                       for name, values in PARAMETERS.items()},
        "cases": cases}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(content, file)
        file.write("\n")


if __name__ == "__main__":
    main(sys.argv[1])
