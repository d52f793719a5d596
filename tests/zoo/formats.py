# SPDX-License-Identifier: GPL-3.0-or-later
"""The same networks in all formats, opened by dubito-cli and compared with torch.

    python tests/zoo/formats.py --cli build/release/bin/dubito-cli [--only NAME...] [--formats NAME...]
        [--keep RESULTS.json]

Builds networks of torchvision, timm and transformers with random weights, saves each in every
format, and compares with torch: the probabilities of `dubito-cli predict`, and mean and variance of
MC dropout with torch's passes in training mode (with normalisation in inference mode) wherever the
file contains all that training draws. Fits a Laplace posterior of the last layer and of all layers.
Prints a row for each network and format, then a table of the formats and one of the families. With
--keep, rows that the file contains are not computed again, and --tables prints its tables alone.
Exits with 1 if a network that was opened differs: by more than 1e-4, by four standard errors, or in
the evidence of a posterior.
"""
import argparse
import contextlib
import copy
import io
import json
import math
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
from torch.utils._python_dispatch import TorchDispatchMode

import unusual
import zoo

warnings.filterwarnings("ignore")
ITEMS = 4
CLASSES = 5
FITTED = 3 * CLASSES  # items of the Laplace fits
LARGEST = 1e-4
LARGEST_EVIDENCE = 1e-3  # relative, between the formats of a network


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
    full_size = {
        "torchvision resnet18": torchvision("resnet18", 32),
        "torchvision resnet50": torchvision("resnet50", 32),
        "torchvision resnext50": torchvision("resnext50_32x4d", 32),
        "torchvision wide_resnet50": torchvision("wide_resnet50_2", 32),
        "torchvision vgg16_bn": torchvision("vgg16_bn", 32),
        "torchvision inception_v3": torchvision("inception_v3", 80, aux_logits=False, init_weights=False),
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
    }
    nets = {
        "own gru": lambda: (Gru(), (3, 32, 32)),
        "transformers vit": transformers("ViTForImageClassification", "ViTConfig", hidden_dropout_prob=0.2, **vit),
        "transformers deit": transformers("DeiTForImageClassification", "DeiTConfig", hidden_dropout_prob=0.2, **vit),
        "transformers beit": transformers("BeitForImageClassification", "BeitConfig", hidden_dropout_prob=0.2, drop_path_rate=0.2, **vit),
        "transformers dinov2": transformers("Dinov2ForImageClassification", "Dinov2Config", image_size=32, patch_size=8, hidden_size=48, num_hidden_layers=2, num_attention_heads=3, hidden_dropout_prob=0.2),
        "transformers vit_msn": transformers("ViTMSNForImageClassification", "ViTMSNConfig", **vit),
        "transformers swin": transformers("SwinForImageClassification", "SwinConfig", image_size=32, patch_size=2, window_size=4, embed_dim=24, depths=[1, 1], num_heads=[1, 2], hidden_dropout_prob=0.1, drop_path_rate=0.2),
        "transformers resnet": transformers("ResNetForImageClassification", "ResNetConfig", embedding_size=8, hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1]),
        "transformers regnet": transformers("RegNetForImageClassification", "RegNetConfig", embedding_size=8, hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1], groups_width=8),
        "transformers convnext": transformers("ConvNextForImageClassification", "ConvNextConfig", layer_scale_init_value=0.5, hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1], drop_path_rate=0.2),
        "transformers convnextv2": transformers("ConvNextV2ForImageClassification", "ConvNextV2Config", hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1], drop_path_rate=0.2),
        "transformers mobilenet_v1": transformers("MobileNetV1ForImageClassification", "MobileNetV1Config", side=64, image_size=64, depth_multiplier=0.25, classifier_dropout_prob=0.3),
        "transformers mobilenet_v2": transformers("MobileNetV2ForImageClassification", "MobileNetV2Config", side=64, image_size=64, depth_multiplier=0.35, classifier_dropout_prob=0.3),
        "transformers mobilevit": transformers("MobileViTForImageClassification", "MobileViTConfig", side=64, image_size=64, hidden_sizes=[16, 24, 32], neck_hidden_sizes=[8, 8, 16, 16, 24, 32, 64], classifier_dropout_prob=0.2),
        "transformers segformer": transformers("SegformerForImageClassification", "SegformerConfig", side=64, hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1], num_attention_heads=[1, 1, 2, 2], drop_path_rate=0.1),
        "transformers poolformer": transformers("PoolFormerForImageClassification", "PoolFormerConfig", layer_scale_init_value=0.5, side=64, hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1], drop_path_rate=0.1),
        "transformers bit": transformers("BitForImageClassification", "BitConfig", embedding_size=32, hidden_sizes=[32, 32, 64, 64], depths=[1, 1, 1, 1], num_groups=8, drop_path_rate=0.1),
        "transformers efficientnet": transformers("EfficientNetForImageClassification", "EfficientNetConfig", side=64, image_size=64, width_coefficient=0.25, depth_coefficient=0.5, hidden_dim=320, dropout_rate=0.3),
        "transformers pvt_v2": transformers("PvtV2ForImageClassification", "PvtV2Config", side=64, image_size=64, hidden_sizes=[8, 16, 24, 32], depths=[1, 1, 1, 1], num_attention_heads=[1, 2, 2, 4], hidden_dropout_prob=0.1),
        "transformers focalnet": transformers("FocalNetForImageClassification", "FocalNetConfig", image_size=32, patch_size=2, embed_dim=16, depths=[1, 1], focal_levels=[2, 2], focal_windows=[3, 3], hidden_dropout_prob=0.1),
    }
    for name, build in zoo.zoo().items():
        if name.split()[0] in ("timm", "torchvision") and name not in full_size:
            nets[name] = build
    return unusual.unusual() | nets | full_size  # the small ones first


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


class Draws(TorchDispatchMode):
    """Counts the calls that draw random numbers."""

    OPERATORS = ("bernoulli", "bernoulli_", "native_dropout", "rand", "rand_like", "randn", "randn_like", "uniform_", "normal_", "randint", "randperm", "multinomial")

    def __init__(self):
        super().__init__()
        self.count = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.count += function.overloadpacket.__name__ in self.OPERATORS
        return function(*args, **(kwargs or {}))


DYNAMIC = ({0: torch.export.Dim.DYNAMIC},)


def exported(net, x):
    return torch.export.export(net, (x,), dynamic_shapes=DYNAMIC)


def save_program(program, path):
    torch.export.save(program, path)


def save_onnx(net, x, path):
    torch.onnx.export(net, (x,), path, dynamo=True, dynamic_shapes=DYNAMIC, external_data=False, verbose=False)


def save_traced_onnx(net, x, path, **options):
    torch.onnx.export(net, (x,), path, dynamo=False, input_names=["x"], dynamic_axes={"x": {0: "batch"}}, **options)


PRESERVED = dict(training=torch.onnx.TrainingMode.PRESERVE, do_constant_folding=False)

# Name: ending, function that saves (network in inference mode, example, path), whether the file
# contains everything that training mode draws.
FORMATS = {
    "TorchScript, scripted": (".pt", lambda net, x, path: torch.jit.script(net).save(path), True),
    "TorchScript, traced": (".pt", lambda net, x, path: torch.jit.trace(zoo.training_mode(net), x, check_trace=False).save(path), True),
    "exported program, inference": (".pt2", lambda net, x, path: save_program(exported(net, x), path), False),
    "exported program, training": (".pt2", lambda net, x, path: save_program(exported(net.train(), x), path), True),
    "ONNX, dynamo": (".onnx", save_onnx, False),
    "ONNX, dynamo, training": (".onnx", lambda net, x, path: save_onnx(zoo.training_mode(net), x, path), True),
    "ONNX, traced": (".onnx", save_traced_onnx, False),
    "ONNX, traced, training": (".onnx", lambda net, x, path: save_traced_onnx(zoo.training_mode(net), x, path, **PRESERVED), True),
}
FURTHER = {
    "exported program, one item": (".pt2", lambda net, x, path: save_program(torch.export.export(net, (x[:1],)), path), False),
    "exported program, decomposed": (".pt2", lambda net, x, path: save_program(exported(net, x).run_decompositions(), path), False),
}

# Family: words of which one is in the names of its networks; the first that fits counts.
FAMILIES = {
    "written in unusual ways": ("unusual",),
    "ResNet, ResNeXt, RegNet, BiT": ("resnet", "resnext", "regnet", " bit"),
    "DenseNet, Inception": ("densenet", "inception", "googlenet"),
    "MobileNet, EfficientNet, MNASNet, ShuffleNet": ("mobilenet", "efficientnet", "mnasnet", "shufflenet"),
    "VGG, AlexNet, SqueezeNet": ("vgg", "alexnet", "squeezenet"),
    "ConvNeXt": ("convnext",),
    "Swin, FocalNet": ("swin", "focalnet"),
    "MLP mixers": ("mixer", "resmlp", "gmlp"),
    "PVT, Twins, LeViT, MaxViT, MobileViT, EdgeNeXt, PoolFormer, SegFormer": ("pvt", "twins", "levit", "maxvit", "mobilevit", "edgenext", "poolformer", "segformer"),
    "ViT, DeiT, BEiT, DINOv2, EVA, CaiT, XCiT": ("vit", "deit", "beit", "dino", "eva", "cait", "xcit"),
    "recurrent": ("gru",),
}


def family(name):
    return next(family for family, words in FAMILIES.items() if any(word in name for word in words))


def metadata(shape):
    keys = {"input_size": list(shape) if len(shape) == 1 else list(shape[1:]), "output": "logits"}
    if len(shape) == 3:
        keys.update(channels=shape[0], scale=1.0, mean=[0.0] * shape[0], std=[1.0] * shape[0])
    return keys


def last_line(done):
    return ((done.stderr or done.stdout).strip() or "no message").splitlines()[-1]


def predict(cli, model, data, out, *options):
    command = [cli, "predict", model, "npz:" + data, "--seed", "3", "-o", out, *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return None, last_line(done)
    with np.load(out) as run:
        return {name: run[name] for name in run.files}, ""


def laplace(cli, model, data, *options):
    """The report of a fit, or why there is none."""
    command = [cli, "laplace", model, "--fit", "npz:" + data, "--tau", "1", "--json", *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        return None, last_line(done)
    return json.loads(done.stdout), ""


class Network:
    """A network, its items, and what torch computes for them."""

    def __init__(self, name, build, folder, passes):
        self.name = name
        torch.manual_seed(1)
        net, self.shape = build()
        x = torch.rand(ITEMS, *self.shape)
        self.net = spread(net, x)
        self.x = x
        with torch.no_grad():
            self.expected = torch.softmax(self.net(x).double(), 1).numpy()
            training = zoo.training_mode(copy.deepcopy(self.net))
            with Draws() as draws:
                training(x)
        self.draws = draws.count
        self.items = self.save_items(x, os.path.join(folder, "items.npz"))
        self.fitted = self.save_items(torch.rand(FITTED, *self.shape), os.path.join(folder, "fitted.npz"))
        self.count = passes
        self.computed = None

    def save_items(self, x, path):
        images = x.permute(0, 2, 3, 1).numpy() if len(self.shape) == 3 else x.numpy()
        np.savez(path, images=images, labels=np.arange(len(x)) % CLASSES)
        return path

    def passes(self):
        if self.computed is None:
            torch.manual_seed(2)
            self.computed = zoo.passes(zoo.training_mode(copy.deepcopy(self.net)), self.x, self.count)
        return self.computed


def of_onnxruntime(path, x):
    """Probabilities; of files in which the exporter has drawn a mask and multiplied it into a weight, for example."""
    import onnxruntime

    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    scores = session.run(None, {session.get_inputs()[0].name: x.numpy()})[0]
    return torch.softmax(torch.from_numpy(scores).double(), 1).numpy()


def drawn_by_default(site):
    return "refused" not in site and "off" not in site and (site.get("random_numbers", False) or site["drop_rate"] > 0.0)


def compared_draws(network, path, cli, folder):
    """Deviations of mean and variance in standard errors, ratio of the variances; or why none."""
    options = ("--method", "mc-dropout", "--draws", str(network.count), "--insert", "never", "--keep-samples-mb", "500")
    sampled, said = predict(cli, path, network.items, os.path.join(folder, "draws.npz"), *options)
    if sampled is None:
        return {"refused": said.replace(path, "FILE")[:120]}
    mean, ratio, _, variance = zoo.compare(sampled["samples"].astype(np.float64), network.passes())
    return {"mean": mean, "variance": variance, "ratio": ratio}


def examine(network, kind, cli, folder):
    """What was found about a network in a format."""
    ending, save, contains_draws = {**FORMATS, **FURTHER}[kind]
    row = {"network": network.name, "format": kind, "exist": network.draws}
    path = os.path.join(folder, "network" + ending)
    try:
        with contextlib.redirect_stdout(io.StringIO()):  # exporters print graphs that they cannot save
            save(copy.deepcopy(network.net), network.x, path)
    except Exception as error:
        first = str(error).splitlines()[0][:100] if str(error) else ""
        return {**row, "verdict": f"not exported: {type(error).__name__}: {first}"}
    with open(path + ".json", "w") as file:
        json.dump(metadata(network.shape), file)
    begin = time.time()
    inspected = subprocess.run([cli, "inspect", path, "--json"], capture_output=True, text=True)
    row["seconds"] = time.time() - begin
    if inspected.returncode != 0:
        return {**row, "verdict": "refused: " + last_line(inspected).replace(path, "FILE")[:220]}
    report = json.loads(inspected.stdout)
    row["found"] = sum(drawn_by_default(site) for site in report["dropout_sites"])
    row["head"] = report["head"]["found"]
    run, said = predict(cli, path, network.items, os.path.join(folder, "run.npz"))
    if run is None:
        return {**row, "verdict": "refused: " + said.replace(path, "FILE")[:220]}
    row["difference"] = float(np.abs(run["probs"] - network.expected).max())
    row["says_random"] = report["unrepeatable"] != ""
    verdict = "ok" if row["difference"] <= LARGEST else "says that passes differ" if row["says_random"] else "DIFFERS"
    if verdict == "DIFFERS" and ending == ".onnx" and float(np.abs(run["probs"] - of_onnxruntime(path, network.x)).max()) <= LARGEST:
        return {**row, "difference": 0.0, "verdict": "written as another network, as ONNX Runtime agrees"}
    if network.count and network.draws and (contains_draws or row["found"] == network.draws):
        row["draws"] = compared_draws(network, path, cli, folder)
        if verdict == "ok" and not max(row["draws"].get("mean", 0.0), row["draws"].get("variance", 0.0)) < 4.0:
            verdict = "DIFFERS in draws"
    for layers, options in (("last", ()), ("all", ("--layers", "all", "--structure", "diag"))):
        fit, said = laplace(cli, path, network.fitted, *options)
        row["laplace " + layers] = said.replace(path, "FILE")[:160] if fit is None else {"evidence": fit["log_evidence"], "parameters": fit["parameters"], "certain": sum(note.count("(normalisation)") for note in fit["notes"])}
    return {**row, "verdict": verdict}


def compare_evidence(rows):
    """Marks the rows of a network whose posterior is unlike that of most formats with as many parameters.

    Exporters of ONNX multiply normalisation into other weights, of which the evidence depends.
    """
    for layers in ("laplace last", "laplace all"):
        fitted = [row for row in rows if isinstance(row.get(layers), dict) and not row["says_random"]]
        kind = lambda row: (row[layers]["parameters"], str(row[layers].get("certain", "")))
        for wanted in {kind(row) for row in fitted}:
            alike = [row for row in fitted if kind(row) == wanted]
            middle = float(np.median([row[layers]["evidence"] for row in alike]))
            for row in alike:
                off = abs(row[layers]["evidence"] - middle) / max(1.0, abs(middle))
                if row["verdict"] == "ok" and not off <= LARGEST_EVIDENCE:
                    row["verdict"] = f"DIFFERS in evidence ({layers}) by {off:.1e}"


def is_opened(row):
    return "difference" in row


def is_made(row):
    return not row["verdict"].startswith(("not exported", "NOT BUILT"))


def cells(row):
    def number(key, form):
        return format(row[key], form) if key in row else ""

    def fit(layers):
        found = row.get("laplace " + layers, "")
        return f"{found['parameters']}" if isinstance(found, dict) else found

    draws = row.get("draws", {})
    compared = draws.get("refused", "") or ", ".join(f"{draws[key]:.2f}" for key in ("mean", "variance", "ratio") if key in draws)
    head = {True: "yes", False: "no"}.get(row.get("head"), "")
    sites = f"{row['found']}/{row['exist']}" if "found" in row else ""
    return [row["network"], row["format"], number("seconds", ".1f"), number("difference", ".1e"), head, sites, compared, fit("last"), fit("all"), row["verdict"]]


def table(rows):
    print("| format | networks | opened | largest difference | head found | sites found of those that exist | MC dropout compared | largest deviation in SE: mean, variance | Laplace of last layer | of all layers | wrong |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for kind in dict.fromkeys(row["format"] for row in rows):
        made = [row for row in rows if row["format"] == kind and is_made(row)]
        opened = [row for row in made if is_opened(row)]
        compared = [row["draws"] for row in opened if "mean" in row.get("draws", {}) and not row["says_random"]]
        largest = max((row["difference"] for row in opened if not row["says_random"]), default=math.nan)
        deviations = ", ".join(f"{max(draws[key] for draws in compared):.1f}" for key in ("mean", "variance")) if compared else ""
        fits = [sum(isinstance(row.get("laplace " + layers), dict) for row in opened) for layers in ("last", "all")]
        print(f"| {kind} | {len(made)} | {len(opened)} | {largest:.1e} | {sum(row['head'] for row in opened)} | {sum(row['found'] for row in opened)} of {sum(row['exist'] for row in opened)} | {len(compared)} | {deviations} | {fits[0]} | {fits[1]} | {sum('DIFFERS' in row['verdict'] for row in opened)} |")


def table_of_families(rows):
    kinds = list(dict.fromkeys(row["format"] for row in rows))
    print("| family | networks | " + " | ".join(kinds) + " |")
    print("| --- | --- |" + " --- |" * len(kinds))
    for wanted in FAMILIES:
        of_family = [row for row in rows if family(row["network"]) == wanted]
        if not of_family:
            continue
        texts = []
        for kind in kinds:
            made = [row for row in of_family if row["format"] == kind and is_made(row)]
            right = sum(is_opened(row) and "DIFFERS" not in row["verdict"] for row in made)
            texts.append(f"{right} of {len(made)}")
        print(f"| {wanted} | {len(set(row['network'] for row in of_family))} | " + " | ".join(texts) + " |")


def print_tables(rows):
    print()
    table(rows)
    print()
    table_of_families(rows)
    wrong = sum("DIFFERS" in row["verdict"] for row in rows)
    print(f"{wrong} of {len(rows)} files differ")
    return 1 if wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True, help="path of dubito-cli")
    parser.add_argument("--passes", type=int, default=1000, help="of MC dropout; 0: not compared")
    parser.add_argument("--only", nargs="*", help="names, or parts of them")
    parser.add_argument("--formats", nargs="*", default=list(FORMATS), choices=[*FORMATS, *FURTHER])
    parser.add_argument("--keep", help="JSON file to which each row is added; rows in it are not computed again")
    parser.add_argument("--tables", action="store_true", help="only print the tables of the rows in --keep")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    kept = {}
    if arguments.keep and os.path.exists(arguments.keep):
        with open(arguments.keep) as file:
            kept = {(row["network"], row["format"]): row for row in json.load(file)}
    if arguments.tables:
        for name in {name for name, _ in kept}:
            compare_evidence([row for (of, _), row in kept.items() if of == name])
        return print_tables(list(kept.values()))
    nets = {name: build for name, build in networks().items() if not arguments.only or any(part in name for part in arguments.only)}
    print(f"{len(nets)} networks")
    print("| network | format | opened in, s | largest difference | head | sites found/exist | MC dropout: mean and variance in SE, ratio | parameters with a posterior: last layer | all layers | verdict |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |", flush=True)
    for name, build in nets.items():
        with tempfile.TemporaryDirectory() as folder:
            network = None
            for kind in arguments.formats:
                if (name, kind) in kept:
                    continue
                try:
                    network = network or Network(name, build, folder, arguments.passes)
                    row = examine(network, kind, arguments.cli, folder)
                except Exception as error:
                    traceback.print_exc(file=sys.stderr)
                    row = {"network": name, "format": kind, "verdict": f"NOT BUILT: {type(error).__name__}: {str(error).splitlines()[0][:120] if str(error) else ''}"}
                kept[name, kind] = row
                print("| " + " | ".join(cells(row)) + " |", flush=True)
            compare_evidence([row for (of, _), row in kept.items() if of == name])
        if arguments.keep:
            with open(arguments.keep + ".part", "w") as file:
                json.dump(list(kept.values()), file, indent=1)
            os.replace(arguments.keep + ".part", arguments.keep)
    return print_tables([row for (name, kind), row in kept.items() if name in nets and kind in arguments.formats])


if __name__ == "__main__":
    sys.exit(main())
