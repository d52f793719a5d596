# SPDX-License-Identifier: GPL-3.0-or-later
"""The same networks in all formats, opened by dubito-cli and compared with torch.

    python tests/zoo/formats.py --cli build/release/bin/dubito-cli [--only NAME...] [--formats NAME...]

Builds networks of torchvision, timm and transformers with random weights, saves each in every
format, and compares the probabilities of `dubito-cli predict` with torch's, and mean and variance
of MC dropout with torch's passes in training mode (with normalisation in inference mode). Prints a
row for each network and format, then a table of the formats. Exits with 1 if a network that was
opened differs: by more than 1e-4, or by four standard errors.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import traceback
import warnings

import numpy as np
import torch
from torch import nn

import zoo

warnings.filterwarnings("ignore")
ITEMS = 4
LARGEST = 1e-4


class LogitsOf(nn.Module):
    """The logits of a network that returns an object."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        return self.net(x).logits


def torchvision(name, side, **options):
    def build():
        from torchvision import models

        net = getattr(models, name)(num_classes=5, weights=None, **options)
        return (zoo.Logits(net) if name in ("googlenet", "inception_v3") else net), (3, side, side)

    return build


def transformers(model, config, side=32, **options):
    def build():
        import transformers as hf

        settings = getattr(hf, config)(num_labels=5, **options)
        return LogitsOf(getattr(hf, model)(settings)), (3, side, side)

    return build


class Gru(nn.Module):
    """Rows of an image as a sequence."""

    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(32, 16, num_layers=2, dropout=0.3, batch_first=True)
        self.head = nn.Linear(16, 5)

    def forward(self, x):
        return self.head(self.gru(x.mean(1))[0][:, -1])


def networks():
    """Family and name: function that builds (network, shape of an item)."""
    small = dict(hidden_size=48, num_hidden_layers=2, num_attention_heads=3, intermediate_size=96)
    vit = dict(image_size=32, patch_size=8, **small)
    nets = {
        "torchvision resnet18": torchvision("resnet18", 32),
        "torchvision resnet50": torchvision("resnet50", 32),
        "torchvision resnext50": torchvision("resnext50_32x4d", 32),
        "torchvision wide_resnet50": torchvision("wide_resnet50_2", 32),
        "torchvision vgg16_bn": torchvision("vgg16_bn", 32),
        "torchvision inception_v3": torchvision("inception_v3", 96, aux_logits=True, init_weights=False),
        "torchvision mobilenet_v3_large": torchvision("mobilenet_v3_large", 32),
        "torchvision shufflenet_v2": torchvision("shufflenet_v2_x0_5", 32),
        "torchvision squeezenet1_0": torchvision("squeezenet1_0", 64),
        "torchvision regnet_y": torchvision("regnet_y_400mf", 32),
        "torchvision regnet_x": torchvision("regnet_x_400mf", 32),
        "torchvision efficientnet_v2_s": torchvision("efficientnet_v2_s", 32),
        "torchvision mnasnet1_0": torchvision("mnasnet1_0", 32),
        "torchvision densenet121": torchvision("densenet121", 32),
        "torchvision swin_v2_t": torchvision("swin_v2_t", 64),
        "torchvision vit_b_16": torchvision("vit_b_16", 32, image_size=32),
        "transformers vit": transformers("ViTForImageClassification", "ViTConfig", hidden_dropout_prob=0.2, **vit),
        "transformers deit": transformers("DeiTForImageClassification", "DeiTConfig", hidden_dropout_prob=0.2, **vit),
        "transformers beit": transformers("BeitForImageClassification", "BeitConfig", hidden_dropout_prob=0.2, drop_path_rate=0.2, **vit),
        "transformers dinov2": transformers("Dinov2ForImageClassification", "Dinov2Config", image_size=32, patch_size=8, hidden_size=48, num_hidden_layers=2, num_attention_heads=3, hidden_dropout_prob=0.2),
        "transformers vit_msn": transformers("ViTMSNForImageClassification", "ViTMSNConfig", **vit),
        "transformers swin": transformers("SwinForImageClassification", "SwinConfig", image_size=32, patch_size=2, window_size=4, embed_dim=24, depths=[1, 1], num_heads=[1, 2], hidden_dropout_prob=0.1, drop_path_rate=0.2),
        "transformers resnet": transformers("ResNetForImageClassification", "ResNetConfig", embedding_size=8, hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1]),
        "transformers regnet": transformers("RegNetForImageClassification", "RegNetConfig", embedding_size=8, hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1], groups_width=8),
        "transformers convnext": transformers("ConvNextForImageClassification", "ConvNextConfig", hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1], drop_path_rate=0.2),
        "transformers convnextv2": transformers("ConvNextV2ForImageClassification", "ConvNextV2Config", hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1], drop_path_rate=0.2),
        "transformers mobilenet_v1": transformers("MobileNetV1ForImageClassification", "MobileNetV1Config", side=64, image_size=64, depth_multiplier=0.25, classifier_dropout_prob=0.3),
        "transformers mobilenet_v2": transformers("MobileNetV2ForImageClassification", "MobileNetV2Config", side=64, image_size=64, depth_multiplier=0.35, classifier_dropout_prob=0.3),
        "transformers mobilevit": transformers("MobileViTForImageClassification", "MobileViTConfig", side=64, image_size=64, hidden_sizes=[16, 24, 32], neck_hidden_sizes=[8, 8, 16, 16, 24, 32, 64], classifier_dropout_prob=0.2),
        "transformers segformer": transformers("SegformerForImageClassification", "SegformerConfig", side=64, hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1], num_attention_heads=[1, 1, 2, 2], drop_path_rate=0.1),
        "transformers poolformer": transformers("PoolFormerForImageClassification", "PoolFormerConfig", side=64, hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1], drop_path_rate=0.1),
        "transformers bit": transformers("BitForImageClassification", "BitConfig", embedding_size=32, hidden_sizes=[32, 32, 64, 64], depths=[1, 1, 1, 1], drop_path_rate=0.1),
        "transformers efficientnet": transformers("EfficientNetForImageClassification", "EfficientNetConfig", side=64, image_size=64, width_coefficient=0.25, depth_coefficient=0.5, hidden_dim=320, dropout_rate=0.3),
        "transformers pvt_v2": transformers("PvtV2ForImageClassification", "PvtV2Config", side=64, image_size=64, hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1], num_attention_heads=[1, 2, 2, 4], hidden_dropout_prob=0.1),
        "transformers focalnet": transformers("FocalNetForImageClassification", "FocalNetConfig", image_size=32, patch_size=2, embed_dim=16, depths=[1, 1], focal_levels=[2, 2], focal_windows=[3, 3], hidden_dropout_prob=0.1),
        "own gru": lambda: (Gru(), (3, 32, 32)),
    }
    for name, build in zoo.zoo().items():
        if name.split()[0] in ("timm", "torchvision") and name not in nets:
            nets[name] = build
    return nets


def spread(net, x):
    """As zoo.spread, but within the last linear layer if there is one, so that it stays the head."""
    heads = [module for module in net.modules() if isinstance(module, nn.Linear) and module.out_features == 5]
    if len(heads) != 1:
        return zoo.spread(net, x).eval()
    scaled = zoo.spread(net, x)
    with torch.no_grad():
        bias = heads[0].bias if heads[0].bias is not None else torch.zeros(5)
        heads[0].bias = nn.Parameter((bias - scaled.shift.reshape(-1)) * scaled.factor)
        heads[0].weight.mul_(scaled.factor)
    return net.eval()


DYNAMIC = ({0: torch.export.Dim.DYNAMIC},)


def exported(net, x):
    return torch.export.export(net, (x,), dynamic_shapes=DYNAMIC)


def save_program(program, path):
    torch.export.save(program, path)


def save_onnx(net, x, path, dynamo):
    if dynamo:
        torch.onnx.export(net, (x,), path, dynamo=True, dynamic_shapes=DYNAMIC, external_data=False, verbose=False)
    else:
        axes = {"x": {0: "batch"}}
        torch.onnx.export(net, (x,), path, dynamo=False, input_names=["x"], dynamic_axes=axes)


# Name: ending, function that saves (network in inference mode, example, path), whether MC dropout
# has everything that training mode draws.
FORMATS = {
    "scripted": (".pt", lambda net, x, path: torch.jit.script(net).save(path), True),
    "traced": (".pt", lambda net, x, path: torch.jit.trace(zoo.training_mode(net), x, check_trace=False).save(path), True),
    "pt2": (".pt2", lambda net, x, path: save_program(exported(net, x), path), False),
    "pt2, one item": (".pt2", lambda net, x, path: save_program(torch.export.export(net, (x[:1],)), path), False),
    "pt2, training": (".pt2", lambda net, x, path: save_program(exported(net.train(), x), path), True),
    "pt2, decomposed": (".pt2", lambda net, x, path: save_program(exported(net, x).run_decompositions(), path), False),
    "onnx": (".onnx", lambda net, x, path: save_onnx(net, x, path, True), False),
    "onnx, traced": (".onnx", lambda net, x, path: save_onnx(net, x, path, False), False),
}


def metadata(shape):
    keys = {"input_size": list(shape) if len(shape) == 1 else list(shape[1:]), "output": "logits"}
    if len(shape) == 3:
        keys.update(channels=shape[0], scale=1.0, mean=[0.0] * shape[0], std=[1.0] * shape[0])
    return keys


def predict(cli, model, data, out, *options):
    command = [cli, "predict", model, "npz:" + data, "--seed", "3", "-o", out, *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return None, ((done.stderr or done.stdout).strip() or "no message").splitlines()[-1]
    with np.load(out) as run:
        return {name: run[name] for name in run.files}, ""


def examine(name, build, kind, arguments, folder):
    """A row: network, format, opened, difference, head, sites, MC dropout, verdict."""
    ending, save, draws_everything = FORMATS[kind]
    torch.manual_seed(1)
    net, shape = build()
    x = torch.rand(ITEMS, *shape)
    net = spread(net, x)
    with torch.no_grad():
        expected = torch.softmax(net(x).double(), 1).numpy()
    path = os.path.join(folder, "network" + ending)
    try:
        save(net, x, path)
    except Exception as error:
        first = str(error).splitlines()[0][:100] if str(error) else ""
        return [name, kind, "", "", "", "", "", f"not exported: {type(error).__name__}: {first}"]
    with open(path + ".json", "w") as file:
        json.dump(metadata(shape), file)
    data = os.path.join(folder, "items.npz")
    np.savez(data, images=x.permute(0, 2, 3, 1).numpy() if len(shape) == 3 else x.numpy())
    begin = time.time()
    inspected = json.loads(subprocess.run([arguments.cli, "inspect", path, "--json"], capture_output=True, text=True).stdout or "{}")
    seconds = time.time() - begin
    out = os.path.join(folder, "run.npz")
    run, said = predict(arguments.cli, path, data, out)
    if run is None:
        return [name, kind, "no", "", "", "", "", "refused: " + said.replace(path, "FILE")[:220]]
    difference = float(np.abs(run["probs"] - expected).max())
    sites = inspected.get("dropout_sites", [])
    usable = sum(1 for site in sites if "refused" not in site)
    head = "yes" if inspected.get("head", {}).get("found") else "no"
    verdict = "ok" if difference <= LARGEST else "DIFFERS"
    mc = ""
    if draws_everything and arguments.passes and kind != "scripted" and kind != "traced":
        sampled, said = predict(arguments.cli, path, data, out, "--method", "mc-dropout", "--draws", str(arguments.passes), "--insert", "never", "--keep-samples-mb", "500")
        if sampled is None:
            mc = "refused: " + said.replace(path, "FILE")[:120]
        else:
            torch.manual_seed(2)
            mean, ratio, _, variance = zoo.compare(sampled["samples"].astype(np.float64), zoo.passes(zoo.training_mode(net), x, arguments.passes))
            mc = f"{mean:.2f}, {variance:.2f}, {ratio:.2f}"
            if not (mean < 4.0 and variance < 4.0):
                verdict = "DIFFERS in draws"
    return [name, kind, f"{seconds:.1f} s", f"{difference:.1e}", head, f"{usable}/{len(sites)}", mc, verdict]


def table(rows):
    print("| format | networks exported | opened | largest difference | head found | wrong |")
    print("| --- | --- | --- | --- | --- | --- |")
    for kind in dict.fromkeys(row[1] for row in rows):
        of_kind = [row for row in rows if row[1] == kind and not row[-1].startswith(("not exported", "NOT"))]
        opened = [row for row in of_kind if row[2] != "no"]
        largest = max((float(row[3]) for row in opened if row[3]), default=0.0)
        print(f"| {kind} | {len(of_kind)} | {len(opened)} | {largest:.1e} | {sum(row[4] == 'yes' for row in opened)} | {sum('DIFFERS' in row[-1] for row in opened)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True, help="path of dubito-cli")
    parser.add_argument("--passes", type=int, default=1000, help="of MC dropout; 0: not compared")
    parser.add_argument("--only", nargs="*", help="names, or parts of them")
    parser.add_argument("--formats", nargs="*", default=list(FORMATS), choices=list(FORMATS))
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    nets = {name: build for name, build in networks().items() if not arguments.only or any(part in name for part in arguments.only)}
    print(f"{len(nets)} networks")
    print("| network | format | opened in | largest difference | head | sites usable | MC dropout: mean and variance in SE, ratio | verdict |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
    rows = []
    for name, build in nets.items():
        for kind in arguments.formats:
            with tempfile.TemporaryDirectory() as folder:
                try:
                    row = examine(name, build, kind, arguments, folder)
                except Exception as error:
                    traceback.print_exc(file=sys.stderr)
                    row = [name, kind, "", "", "", "", "", f"NOT BUILT: {type(error).__name__}: {str(error).splitlines()[0][:120] if str(error) else ''}"]
            rows.append(row)
            print("| " + " | ".join(row) + " |", flush=True)
    print()
    table(rows)
    wrong = sum("DIFFERS" in row[-1] for row in rows)
    print(f"{wrong} networks differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
