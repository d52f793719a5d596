#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the networks and items that the GPU check runs on.

    python3 -m venv DIR && DIR/bin/pip install torch==2.11.0 numpy
    DIR/bin/python resources/gpu/make_networks.py OUT [--resnet-images N] [--digits N] [--samples DIR] [--small]

resnet50.pt          a network of ResNet-50's size (25.6 million parameters) with random weights and a dropout before
                     its last layer
images.npz           N smooth random images of 224 x 224 pixels in 1 000 classes
digits-*-ubyte.gz    the MNIST digits of the samples and their labels, repeated until there are N
lenet-mnist.pt,
lenet-member.pt      the network of the samples, and the same with other weights: members of an ensemble

Every repetition of the digits is shifted by other pixels, so that no two items are equal: items that Laplace is fitted
on must not be evaluated. Seeds are fixed: the same machine writes the same numbers again.
"""
import argparse
import gzip
import json
import pathlib
import shutil
import struct
import warnings

import numpy
import torch
from torch import nn

CLASSES = 1000
SIDE = 224
DROP_RATE = 0.2
MEAN = [0.485, 0.456, 0.406]
STD = [0.229, 0.224, 0.225]
STATISTICS_IMAGES = 32  # behind the statistics of the normalisation layers and the last layer
IMAGES_TOGETHER = 8
LOGIT_DEVIATION = 6.0  # between images
DIRECTIONS = 6  # of the features that the logits depend on
MEMBER_NOISE = 0.05  # of a weight, as a share of the deviation of its layer
CONTRAST = 50  # of the smooth part of an image
GRAIN = 10  # of its pixels
CLASS_SHARE = 0.6  # of an image, that all images of its class have
SEED = 1


class Bottleneck(nn.Module):
    """1 x 1, 3 x 3 and 1 x 1 filters; the last have four times as many maps."""

    def __init__(self, inputs: int, maps: int, stride: int):
        super().__init__()
        outputs = 4 * maps
        self.conv1 = nn.Conv2d(inputs, maps, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(maps)
        self.conv2 = nn.Conv2d(maps, maps, 3, stride, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(maps)
        self.conv3 = nn.Conv2d(maps, outputs, 1, bias=False)
        self.norm3 = nn.BatchNorm2d(outputs)
        self.shortcut: nn.Module = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.shortcut = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        y = torch.relu(self.norm1(self.conv1(x)))
        y = torch.relu(self.norm2(self.conv2(y)))
        return torch.relu(self.norm3(self.conv3(y)) + self.shortcut(x))


class ResNet50(nn.Module):
    def __init__(self, classes: int = CLASSES):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(),
                                  nn.MaxPool2d(3, 2, 1))
        blocks, inputs = [], 64
        for stage, (maps, count) in enumerate([(64, 3), (128, 4), (256, 6), (512, 3)]):
            for number in range(count):
                blocks.append(Bottleneck(inputs, maps, 2 if number == 0 and stage > 0 else 1))
                inputs = 4 * maps
        self.blocks = nn.Sequential(*blocks)
        self.dropout = nn.Dropout(DROP_RATE)
        self.fc = nn.Linear(inputs, classes)

    def features(self, x):
        return self.blocks(self.stem(x)).mean([2, 3])

    def forward(self, x):
        return self.fc(self.dropout(self.features(x)))


def smooth_noise(count, side, random):
    """[count, 3, SIDE, SIDE], of deviation 1, without detail below SIDE / side pixels."""
    coarse = torch.randn((count, 3, side, side), generator=random)
    fine = nn.functional.interpolate(coarse, size=(SIDE, SIDE), mode="bilinear", align_corners=False)
    return fine / fine.std()


def make_images(count):
    """uint8 [N, SIDE, SIDE, 3] and int64 [N]: images of one class are alike."""
    random = torch.Generator().manual_seed(SEED)
    labels = torch.randint(CLASSES, (count,), generator=random)
    images = torch.empty((count, SIDE, SIDE, 3), dtype=torch.uint8)
    for begin in range(0, count, 64):
        some = labels[begin:begin + 64]
        of_class = torch.cat([smooth_noise(1, 4, torch.Generator().manual_seed(SEED + 1 + int(k))) for k in some])
        of_item = smooth_noise(len(some), 16, random)
        values = 128 + CONTRAST * (CLASS_SHARE * of_class + (1 - CLASS_SHARE) * of_item)
        values += GRAIN * torch.randn(values.shape, generator=random)
        images[begin:begin + 64] = values.clamp(0, 255).to(torch.uint8).permute(0, 2, 3, 1)
    return images.numpy(), labels.numpy()


def normalised(images):
    values = torch.from_numpy(images).permute(0, 3, 1, 2).float() / 255
    return (values - torch.tensor(MEAN).view(3, 1, 1)) / torch.tensor(STD).view(3, 1, 1)


@torch.no_grad()
def make_resnet(images):
    """Random weights whose activations and logits are neither lost nor infinite, and differ between images."""
    torch.manual_seed(SEED)
    network = ResNet50()
    for layer in network.modules():
        if isinstance(layer, nn.Conv2d):
            nn.init.kaiming_normal_(layer.weight, mode="fan_out", nonlinearity="relu")
        elif isinstance(layer, nn.BatchNorm2d):
            layer.momentum = None  # the plain average over all batches
    batches = normalised(images).split(IMAGES_TOGETHER)
    network.train()
    for batch in batches:
        network.features(batch)
    network.eval()
    features = torch.cat([network.features(batch) for batch in batches])
    # Along differences between images: other directions would give large sums that cancel, and dropout would hide the
    # differences.
    differences = features - features.mean(0)
    _, deviations, directions = torch.linalg.svd(differences, full_matrices=False)
    scaled = directions[:DIRECTIONS] / deviations[:DIRECTIONS].sqrt().unsqueeze(1)
    weight = torch.randn((CLASSES, DIRECTIONS)) @ scaled
    weight *= LOGIT_DEVIATION / (differences @ weight.t()).std()
    network.fc.weight.copy_(weight)
    network.fc.bias.copy_(-(weight @ features.mean(0)))
    return network


def save(network, metadata, path):
    torch.jit.save(network, str(path), _extra_files={"metadata.json": json.dumps(metadata)})


def write_resnet(path):
    images, _ = make_images(STATISTICS_IMAGES)
    network = make_resnet(images)
    save(torch.jit.script(network), {
        "name": "resnet50", "classes": [str(k) for k in range(CLASSES)], "channels": 3, "input_size": [SIDE, SIDE],
        "channel_order": "rgb", "scale": 1 / 255, "mean": MEAN, "std": STD, "output": "logits"}, path)


@torch.no_grad()
def write_member(source, path):
    extra = {"metadata.json": ""}
    network = torch.jit.load(str(source), _extra_files=extra)
    random = torch.Generator().manual_seed(SEED)
    for values in network.parameters():
        values += MEMBER_NOISE * values.std() * torch.randn(values.shape, generator=random)
    metadata = json.loads(extra["metadata.json"])
    metadata["name"] = path.stem
    metadata.pop("training", None)  # of the other network
    save(network, metadata, path)


def read_idx(path, rank):
    data = gzip.decompress(path.read_bytes())
    shape = struct.unpack_from(f">{rank}I", data, 4)
    return numpy.frombuffer(data, numpy.uint8, offset=4 * (1 + rank)).reshape(shape)


def write_idx(path, values):
    header = struct.pack(f">HBB{values.ndim}I", 0, 8, values.ndim, *values.shape)
    # No name and no time in the header: the same input gives the same bytes.
    path.write_bytes(gzip.compress(header + values.tobytes(), compresslevel=1, mtime=0))


def shifts(count):
    """Pairs of pixels, the shortest first."""
    reach = range(-count, count + 1) if count < 8 else range(-8, 9)
    pairs = sorted(((y, x) for y in reach for x in reach), key=lambda pair: (pair[0]**2 + pair[1]**2, pair))
    if count > len(pairs):
        raise SystemExit(f"--digits: at most {len(pairs)} repetitions of the samples differ")
    return pairs[:count]


def write_digits(samples, count, output):
    images = read_idx(samples / "mnist-2000-images-idx3-ubyte.gz", 3)
    labels = read_idx(samples / "mnist-2000-labels-idx1-ubyte.gz", 1)
    repetitions = -(-count // len(images))
    moved = [numpy.roll(images, by, axis=(1, 2)) for by in shifts(repetitions)]
    write_idx(output / "digits-images-idx3-ubyte.gz", numpy.concatenate(moved)[:count])
    write_idx(output / "digits-labels-idx1-ubyte.gz", numpy.tile(labels, repetitions)[:count])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=pathlib.Path, metavar="OUT", help="folder to write to")
    parser.add_argument("--resnet-images", type=int, metavar="N", help="by default 1 000; with --small 8")
    parser.add_argument("--digits", type=int, metavar="N", help="by default 10 000; with --small 1 000")
    parser.add_argument("--samples", type=pathlib.Path, metavar="DIR",
                        default=pathlib.Path(__file__).resolve().parents[2] / "datasets" / "samples",
                        help="folder with the MNIST samples and lenet-mnist.pt")
    parser.add_argument("--small", action="store_true", help="sizes for two processor cores")
    arguments = parser.parse_args()
    # TorchScript is what Dubito reads.
    warnings.filterwarnings("ignore", message=".*torch.jit.*")
    output = arguments.output
    output.mkdir(parents=True, exist_ok=True)
    write_resnet(output / "resnet50.pt")
    images, labels = make_images(arguments.resnet_images or (8 if arguments.small else 1000))
    numpy.savez(output / "images.npz", images=images, labels=labels)
    write_digits(arguments.samples, arguments.digits or (1000 if arguments.small else 10_000), output)
    shutil.copyfile(arguments.samples / "lenet-mnist.pt", output / "lenet-mnist.pt")
    write_member(arguments.samples / "lenet-mnist.pt", output / "lenet-member.pt")
    for path in sorted(output.iterdir()):
        print(f"{path.name:<30} {path.stat().st_size / 1e6:8.1f} MB")


if __name__ == "__main__":
    main()
