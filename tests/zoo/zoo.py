# SPDX-License-Identifier: GPL-3.0-or-later
"""MC dropout of many networks against torch: mean and variance of passes in training mode.

    python tests/zoo/zoo.py --cli build/release/bin/dubito-cli [--only NAME...] [--passes 1000]

Builds networks of timm and torchvision with every rate on, and small ones with the ways in which
programs draw random numbers; saves each as TorchScript (scripted, else traced in training mode),
computes mean and variance of the class probabilities of its own passes in training mode (with
normalisation in inference mode), runs `dubito-cli predict --method mc-dropout`, and prints a table.
Exits with 1 if a network that is accepted deviates by more than four standard errors.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import traceback

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

import idioms

ITEMS = 4
TRACED = ", traced"
NORMS = (nn.modules.batchnorm._BatchNorm, nn.modules.instancenorm._InstanceNorm)


def training_mode(model):
    """Everything draws; normalisation layers use their stored statistics."""
    model.train()
    for module in model.modules():
        if isinstance(module, NORMS) or "BatchNorm" in type(module).__name__:
            module.eval()
    return model


class Logits(nn.Module):
    """The logits of a network that returns more in training."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        out = self.net(x)
        return out[0] if isinstance(out, tuple) else out


def vision(name, side, **rates):
    def build():
        import timm

        return timm.create_model(name, num_classes=5, **rates), (3, side, side)

    return build


def torchvision(name, side, **rates):
    def build():
        from torchvision import models

        net = getattr(models, name)(num_classes=5, weights=None, **rates)
        return (Logits(net) if name == "googlenet" else net), (3, side, side)

    return build


def narrow_vit(name, **rates):
    small = dict(img_size=32, patch_size=8, embed_dim=48, depth=3, num_heads=3)
    return vision(name, 32, **{**small, **rates})


def zoo():
    """Name, function that builds (network, shape of an item)."""
    all_rates = dict(drop_rate=0.2, proj_drop_rate=0.1, attn_drop_rate=0.1, drop_path_rate=0.2)
    nets = {
        "timm vit": narrow_vit("vit_tiny_patch16_224", pos_drop_rate=0.1, **all_rates),
        "timm vit, drop path alone": narrow_vit("vit_tiny_patch16_224", drop_path_rate=0.3),
        "timm vit, dropped patches": narrow_vit("vit_tiny_patch16_224", patch_drop_rate=0.25),
        "timm deit": narrow_vit("deit_tiny_patch16_224", **all_rates),
        "timm deit3": narrow_vit("deit3_small_patch16_224", init_values=0.5, drop_path_rate=0.2),
        "timm beit": narrow_vit("beit_base_patch16_224", **all_rates),
        "timm eva02": narrow_vit("eva02_tiny_patch14_224", **all_rates),
        "timm cait": vision("cait_xxs24_224", 32, init_values=0.5, img_size=32, patch_size=8, embed_dim=48, depth=2, num_heads=3, drop_rate=0.1, drop_path_rate=0.2),
        "timm swin": vision("swin_tiny_patch4_window7_224", 32, img_size=32, patch_size=2, window_size=4, embed_dim=24, depths=(1, 1, 1, 1), num_heads=(1, 2, 2, 2), **all_rates),
        "timm swinv2": vision("swinv2_tiny_window8_256", 32, img_size=32, patch_size=2, window_size=4, embed_dim=24, depths=(1, 1, 1, 1), num_heads=(1, 2, 2, 2), **all_rates),
        "timm mixer": mixer(0),
        "timm resmlp": mixer(1),
        "timm gmlp": mixer(2),
        "timm convnext": vision("convnext_tiny", 32, ls_init_value=0.5, depths=(1, 1, 1, 1), dims=(8, 16, 24, 32), drop_rate=0.2, drop_path_rate=0.3),
        "timm convnextv2": vision("convnextv2_tiny", 32, depths=(1, 1, 1, 1), dims=(8, 16, 24, 32), drop_rate=0.2, drop_path_rate=0.3),
        "timm resnet": vision("resnet18", 32, layers=(1, 1, 1, 1), channels=(8, 16, 16, 32), drop_rate=0.2, drop_path_rate=0.2),
        "timm resnet, drop block": vision("resnet18", 64, layers=(1, 1, 1, 1), channels=(8, 16, 16, 32), drop_block_rate=0.2),
        "timm efficientnet": vision("efficientnet_b0", 32, drop_rate=0.2, drop_path_rate=0.3),
        "timm mobilenetv3": vision("mobilenetv3_small_050", 32, drop_rate=0.2, drop_path_rate=0.2),
        "timm regnet": vision("regnetx_002", 32, drop_rate=0.2, drop_path_rate=0.2),
        "timm densenet": vision("densenet121", 32, growth_rate=4, block_config=(2, 2, 2, 2), drop_rate=0.2),
        "timm poolformer": vision("poolformer_s12", 32, drop_rate=0.1, drop_path_rate=0.2),
        "timm pvt": vision("pvt_v2_b0", 32, depths=(1, 1, 1, 1), embed_dims=(8, 16, 24, 32), num_heads=(1, 2, 2, 4), drop_rate=0.1, drop_path_rate=0.2),
        "timm levit": vision("levit_128s", 64, embed_dim=(32, 48, 64), key_dim=8, depth=(1, 1, 1), num_heads=(2, 2, 2), img_size=64, drop_path_rate=0.2, drop_rate=0.1),
        "timm twins": vision("twins_pcpvt_small", 32, img_size=32, depths=(1, 1, 1, 1), embed_dims=(8, 16, 24, 32), num_heads=(1, 2, 2, 4), drop_rate=0.1, drop_path_rate=0.2),
        "timm xcit": vision("xcit_nano_12_p16_224", 32, img_size=32, patch_size=8, embed_dim=48, depth=2, num_heads=3, drop_rate=0.1, drop_path_rate=0.2),
        "timm maxvit": vision("maxvit_rmlp_pico_rw_256", 64, img_size=64, drop_rate=0.1, drop_path_rate=0.2),
        "timm edgenext": vision("edgenext_xx_small", 64, drop_rate=0.1, drop_path_rate=0.2),
        "torchvision alexnet": torchvision("alexnet", 64),
        "torchvision vgg11": torchvision("vgg11", 32),
        "torchvision squeezenet": torchvision("squeezenet1_1", 64),
        "torchvision googlenet": torchvision("googlenet", 64, aux_logits=True, init_weights=False),
        "torchvision mobilenet_v2": torchvision("mobilenet_v2", 32, width_mult=0.25),
        "torchvision mobilenet_v3": torchvision("mobilenet_v3_small", 32),
        "torchvision efficientnet_b0": torchvision("efficientnet_b0", 32, stochastic_depth_prob=0.3),
        "torchvision mnasnet": torchvision("mnasnet0_5", 32),
        "torchvision densenet": densenet,
        "torchvision convnext": torchvision("convnext_tiny", 32, layer_scale=0.5, stochastic_depth_prob=0.4),
        "torchvision swin": swin,
        "torchvision maxvit": maxvit,
        "torchvision vit": vit,
    }
    for name, make in idioms.NETWORKS.items():
        nets[name] = make
        nets[name + TRACED] = make
    return nets


def mixer(kind):
    """An MLP mixer, a ResMLP or a gMLP."""

    def build():
        from timm.layers import GatedMlp
        from timm.models import mlp_mixer as timm

        parts = [{}, dict(block_layer=timm.ResBlock, norm_layer=timm.Affine, mlp_ratio=4), dict(block_layer=timm.SpatialGatingBlock, mlp_ratio=6, mlp_layer=GatedMlp)]
        return timm.MlpMixer(num_classes=5, img_size=32, patch_size=8, num_blocks=2, embed_dim=48, drop_rate=0.1, proj_drop_rate=0.1, drop_path_rate=0.2, **parts[kind]), (3, 32, 32)

    return build


def densenet():
    from torchvision.models import DenseNet

    return DenseNet(growth_rate=4, block_config=(2, 2, 2, 2), num_init_features=16, drop_rate=0.2, num_classes=5), (3, 32, 32)


def swin():
    from torchvision.models import SwinTransformer

    return SwinTransformer([4, 4], 24, [1, 1], [1, 2], [4, 4], dropout=0.1, attention_dropout=0.1, stochastic_depth_prob=0.3, num_classes=5), (3, 32, 32)


def vit():
    from torchvision.models import VisionTransformer

    return VisionTransformer(image_size=32, patch_size=8, num_layers=2, num_heads=3, hidden_dim=48, mlp_dim=96, dropout=0.1, attention_dropout=0.1, num_classes=5), (3, 32, 32)


def maxvit():
    from torchvision.models import MaxVit

    return MaxVit(input_size=(64, 64), stem_channels=16, partition_size=2, block_channels=[16, 32], block_layers=[1, 1], head_dim=8, stochastic_depth_prob=0.3, attention_dropout=0.1, mlp_dropout=0.1, num_classes=5), (3, 64, 64)


def warm(net, shape):
    """Gives normalisation layers the statistics of some batches, without which signals die out."""
    net.train()
    for module in net.modules():
        if isinstance(module, NORMS):
            module.momentum = 0.5
    for _ in range(6):
        net(torch.rand(16, *shape))


def spread(net, x):
    """Networks with random weights hardly answer: scales the logits to a spread of about 1.5."""

    class Scaled(nn.Module):
        def __init__(self, inner, shift, factor):
            super().__init__()
            self.inner = inner
            self.register_buffer("shift", shift)
            self.factor = factor

        def forward(self, x):
            return (self.inner(x) - self.shift) * self.factor

    with torch.no_grad():
        for name, parameter in net.named_parameters():
            if name.endswith("weight") and not parameter.any():  # heads and last norms that start at 0
                parameter.normal_(0.0, 0.05) if parameter.dim() > 1 else parameter.fill_(0.5)
        warm(net, x.shape[1:])
        net.eval()
        shift = net(x).mean(0, keepdim=True)
        training_mode(net)
        draws = torch.stack([net(x) for _ in range(20)])
    factor = 1.5 / max(1e-12, float((draws - shift).std()))
    return Scaled(net, shift, factor).eval()


def moments(samples):
    """Mean and variance over draws [T, N, K], and their standard errors."""
    count = samples.shape[0]
    mean = samples.mean(0)
    squares = (samples - mean) ** 2
    variance = squares.mean(0)
    return mean, np.sqrt(variance / count), variance, squares.std(0) / math.sqrt(count)


def compare(ours, theirs):
    """Largest deviation of the mean in standard errors; ratio of variances, its error, largest
    deviation of a variance in standard errors."""
    tiny = 1e-9
    mean_a, error_a, variance_a, spread_a = moments(ours)
    mean_b, error_b, variance_b, spread_b = moments(theirs)
    mean_z = np.abs(mean_a - mean_b) / np.sqrt(error_a**2 + error_b**2 + tiny)
    total_a, total_b = variance_a.sum(), variance_b.sum()
    ratio = total_a / total_b
    # Variance of an item, summed over classes: errors of its classes are not independent.
    def of_item(samples):
        squares = ((samples - samples.mean(0)) ** 2).sum(-1)
        return squares.mean(0), squares.std(0) / math.sqrt(samples.shape[0])

    item_a, item_error_a = of_item(ours)
    item_b, item_error_b = of_item(theirs)
    variance_z = np.abs(item_a - item_b) / np.sqrt(item_error_a**2 + item_error_b**2 + tiny**2)
    ratio_error = ratio * math.sqrt((np.sqrt((item_error_a**2).sum()) / item_a.sum()) ** 2 + (np.sqrt((item_error_b**2).sum()) / item_b.sum()) ** 2)
    return float(mean_z.max()), float(ratio), float(ratio_error), float(variance_z.max())


def passes(model, x, count):
    """Probabilities of passes in training mode [count, N, K]."""
    rows = []
    with torch.no_grad():
        for _ in range(count):
            rows.append(torch.softmax(model(x).double(), 1).numpy())
    return np.stack(rows)


def run(cli, folder, model, data, draws):
    out = os.path.join(folder, "run.npz")
    command = [cli, "predict", model, "npz:" + data, "--method", "mc-dropout", "--draws", str(draws), "--seed", "3", "--insert", "never", "--keep-samples-mb", "500", "-o", out]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return None, ((done.stderr or done.stdout).strip() or "no message").splitlines()[-1]
    with np.load(out) as run:
        return run["samples"].astype(np.float64), json.loads(str(run["meta"].tobytes().decode() if run["meta"].dtype != object and run["meta"].dtype.kind == "u" else run["meta"]))


def export(net, x, traced=False):
    """Scripted, else traced in training mode."""
    if not traced:
        try:
            return torch.jit.script(net.eval()), "scripted"
        except Exception as error:
            print(f"not scripted: {type(error).__name__}", file=sys.stderr)
    return torch.jit.trace(training_mode(net), x, check_trace=False), "traced"


def examine(name, make, arguments, folder):
    torch.manual_seed(1)
    net, shape = make()
    x = torch.rand(ITEMS, *shape)
    net = spread(net, x)
    exported, how = export(net, x, name.endswith(TRACED))
    path = os.path.join(folder, "network.pt")
    keys = {"input_size": list(shape) if len(shape) == 1 else list(shape[1:]), "output": "logits"}
    if len(shape) == 3:
        keys.update(channels=shape[0], scale=1.0, mean=[0.0] * shape[0], std=[1.0] * shape[0])
    exported.save(path, _extra_files={"metadata.json": json.dumps(keys)})
    data = os.path.join(folder, "items.npz")
    images = x.permute(0, 2, 3, 1).numpy() if len(shape) == 3 else x.numpy()
    np.savez(data, images=images)
    inspected = json.loads(subprocess.run([arguments.cli, "inspect", path, "--json"], capture_output=True, text=True).stdout or "{}")
    sites = inspected.get("dropout_sites", [])
    usable = sum(1 for site in sites if "refused" not in site)
    ours, said = run(arguments.cli, folder, path, data, arguments.passes)
    if ours is None:
        return [name, how, f"{usable}/{len(sites)}", "", "", "", "refused: " + said[:150]]
    torch.manual_seed(2)
    reference = training_mode(net)
    mean_z, ratio, error, variance_z = compare(ours, passes(reference, x, arguments.passes))
    verdict = "ok" if mean_z < 4.0 and variance_z < 4.0 else "DIFFERS"
    return [name, how, f"{usable}/{len(sites)}", f"{mean_z:.2f}", f"{ratio:.3f} +- {error:.3f}", f"{variance_z:.2f}", verdict]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True, help="path of dubito-cli")
    parser.add_argument("--passes", type=int, default=1000)
    parser.add_argument("--only", nargs="*", help="names, or parts of them")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    nets = {name: make for name, make in zoo().items() if not arguments.only or any(part in name for part in arguments.only)}
    print(f"{len(nets)} networks, {arguments.passes} passes each")
    print("| network | export | sites usable | mean, largest deviation in SE | variance, ratio | variance, largest deviation in SE | verdict |")
    print("| --- | --- | --- | --- | --- | --- | --- |", flush=True)
    wrong = 0
    for name, make in nets.items():
        with tempfile.TemporaryDirectory() as folder:
            try:
                row = examine(name, make, arguments, folder)
            except Exception as error:
                traceback.print_exc(file=sys.stderr)
                row = [name, "", "", "", "", "", f"NOT BUILT: {type(error).__name__}: {str(error).splitlines()[0][:120] if str(error) else ''}"]
        wrong += row[-1] == "DIFFERS"
        print("| " + " | ".join(row) + " |", flush=True)
    print(f"{wrong} accepted networks deviate by four standard errors or more")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
