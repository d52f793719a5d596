#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times plain PyTorch on the work that the GPU check gives Dubito, on the same device.

    resources/gpu/make_networks.py DATA
    resources/gpu/plain_torch.py --device cuda:0 --data DATA --output plain.json [--predictions plain.npz] [--quick]

Each row does what a careful user would write: eager modules in float32 without TF32, items that lie normalised in
pinned host memory and are copied batch by batch while the device works, results copied back. MC dropout keeps all
draws and computes mean, entropy and expected entropy, as a run of Dubito does. Laplace uses the last layer, Kronecker
factors, the evidence and the centred bridge, Dubito's defaults, without the honesty gauge (`--gauge 0`). It is fitted
on the first half of the items and predicts the second.

map                  one pass in inference mode; map-bytes: pixels are copied as bytes and normalised on the GPU
mc-dropout           T full passes; with --quick, fewer of the large network are timed ("measured_draws") and scaled
mc-dropout-suffix    everything before the first dropout once, what follows T times
mc-dropout-joined    the same with all T draws in one pass
laplace-factors      forward passes and sums of the factors; laplace-fit: these, the decompositions and the prior
laplace-predict      Gaussians over logits, Dirichlets, their mean and entropies
ensemble             two networks, each once; their mean and entropies
train                one epoch as `dubito-cli train` has it, with the images shifted on the device
train-head           one epoch of a linear layer behind dropout on features in host memory (Adam)
train-head-optimum   a few iterations of the layer fitted to all features at once (L-BFGS in double precision)

Writes one JSON object: "card" (name, driver, rates of copies and products) and "rows" with "name", "batch", "items",
"items_per_s", "ms" (median of "rounds"), "peak_bytes" (null on the processor) and, for training, "steps_per_s" (of
L-BFGS, iterations). A row that fails has "error" instead. With --quick on the processor, only batches of --batch are
timed, and training sees at most 512 items. --predictions also writes the probabilities of map, mc-dropout-suffix,
ensemble and Laplace, and the variances of the logits and the prior precision.
"""
import argparse
import gc
import json
import math
import pathlib
import platform
import statistics
import subprocess
import time
import warnings

import numpy
import torch
from torch import nn

from make_networks import MEAN, STD, ResNet50, read_idx

RATE_ROUNDS = 20
GRID = 41  # values of the prior precision that are tried before the search
HEAD_ITERATIONS = 20
QUICK_HEAD_ITERATIONS = 5
QUICK_TRAINING_ITEMS = 512
QUICK_DRAWS = {"cuda": 5, "cpu": 1}  # full passes that are timed
HEAD_PENALTY = 1e-3
TOLERANCE = 1e-5
SHIFT = 2
TRAINING_BATCH = 128


class LeNet(nn.Module):
    """The network of `dubito-cli train lenet`."""

    def __init__(self, classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 20, 5)
        self.conv2 = nn.Conv2d(20, 50, 5)
        self.dropout1 = nn.Dropout(0.5)
        self.fc1 = nn.Linear(800, 400)
        self.dropout2 = nn.Dropout(0.5)
        self.fc2 = nn.Linear(400, classes)

    def prefix(self, x):
        x = nn.functional.max_pool2d(torch.relu(self.conv1(x)), 2)
        return nn.functional.max_pool2d(torch.relu(self.conv2(x)), 2).flatten(1)

    def suffix(self, x):
        return self.fc2(self.dropout2(torch.relu(self.fc1(self.dropout1(x)))))

    def features(self, x):
        """Inputs of the last layer, without dropout."""
        return torch.relu(self.fc1(self.prefix(x)))

    def head(self):
        return self.fc2

    def forward(self, x):
        return self.suffix(self.prefix(x))


class CutResNet50(ResNet50):
    def prefix(self, x):
        return self.features(x)

    def suffix(self, x):
        return self.fc(self.dropout(x))

    def head(self):
        return self.fc


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride, drop_rate=0.0):
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(outputs)
        self.dropout = nn.Dropout(drop_rate) if drop_rate > 0 else nn.Identity()
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(outputs)
        self.shortcut = nn.Identity()
        if stride != 1 or inputs != outputs:
            self.shortcut = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        y = torch.relu(self.norm1(self.conv1(x)))
        return torch.relu(self.norm2(self.conv2(self.dropout(y))) + self.shortcut(x))


class SmallResNet(nn.Module):
    """The network of `dubito-cli train resnet`."""

    def __init__(self, channels=1, classes=10):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(channels, 16, 3, 1, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU())
        self.blocks = nn.Sequential(Block(16, 16, 1), Block(16, 32, 2), Block(32, 64, 2, 0.2))
        self.dropout = nn.Dropout(0.2)
        self.fc = nn.Linear(64, classes)

    def forward(self, x):
        return self.fc(self.dropout(self.blocks(self.stem(x)).mean([2, 3])))


class Clock:
    """Times work on one device and collects the rows."""

    def __init__(self, device, seconds, max_rounds):
        self.device = device
        self.seconds = seconds
        self.max_rounds = max_rounds
        self.rows = []

    def synchronise(self):
        if self.device.type == "cuda":
            torch.cuda.synchronize(self.device)

    def once(self, work):
        self.synchronise()
        start = time.perf_counter()
        work()
        self.synchronise()
        return time.perf_counter() - start

    def median(self, work, rounds):
        """Of at most so many rounds; none begins after the allowed seconds."""
        times = []
        while not times or (len(times) < rounds and sum(times) < self.seconds):
            times.append(self.once(work))
        return statistics.median(times), len(times)

    def warm_up(self, batch):
        """How many items a pass needs in advance: libraries for GPUs choose their algorithms by size."""
        return batch if self.device.type == "cuda" else min(batch, 2)

    def fail(self, row, error):
        row["error"] = f"{type(error).__name__}: {error}".splitlines()[0]
        gc.collect()
        if self.device.type == "cuda":
            torch.cuda.empty_cache()

    def group(self, name, work):
        """Of rows; what fails outside them is a row of its own."""
        try:
            return work()
        except Exception as error:
            self.rows.append({"name": name})
            self.fail(self.rows[-1], error)
            print(f"{name:<28} {self.rows[-1]['error']}", flush=True)
            return None

    def row(self, name, work, prepare, items, batch, scale=1.0, steps=None, **more):
        row = {"name": name, "batch": batch, "items": items, **more}
        try:
            prepare()
            self.synchronise()
            if self.device.type == "cuda":
                torch.cuda.reset_peak_memory_stats(self.device)
            seconds, rounds = self.median(work, self.max_rounds)
            seconds *= scale
            row.update({"items_per_s": items / seconds, "ms": 1000 * seconds, "rounds": rounds, "peak_bytes": None})
            if steps:
                row["steps_per_s"] = steps / seconds
            if self.device.type == "cuda":
                row["peak_bytes"] = torch.cuda.max_memory_allocated(self.device)
        except Exception as error:  # the other rows are worth having
            self.fail(row, error)
        self.rows.append(row)
        print(f"{name:<28} batch {batch:>5}  " + (row.get("error") or
              f"{row['items_per_s']:12.1f} items/s  {row['ms']:10.2f} ms"), flush=True)


def batches(items, batch, device):
    for some in items.split(batch):
        yield some.to(device, non_blocking=True)


@torch.inference_mode()
def predict_map(network, items, batch, device, prepare=lambda x: x):
    return torch.cat([network(prepare(x)).softmax(1) for x in batches(items, batch, device)]).cpu()


def full_passes(network, x, draws):
    return torch.stack([network(x).softmax(1) for _ in range(draws)])


def suffix_passes(network, x, draws):
    features = network.prefix(x)
    return torch.stack([network.suffix(features).softmax(1) for _ in range(draws)])


def joined_passes(network, x, draws):
    features = network.prefix(x)
    return network.suffix(features.expand(draws, *features.shape)).softmax(-1)


def entropy(probs):
    return -torch.xlogy(probs, probs).sum(-1)


@torch.inference_mode()
def predict_draws(network, passes, items, batch, draws, device):
    """Draws [T, N, K], their mean, its entropy and the mean entropy of the draws."""
    results = []
    for x in batches(items, batch, device):
        drawn = passes(network, x, draws)
        mean = drawn.mean(0)
        results.append([values.cpu() for values in (drawn, mean, entropy(mean), entropy(drawn).mean(0))])
    drawn, *measures = zip(*results)
    return torch.cat(drawn, 1), *(torch.cat(parts) for parts in measures)


def with_dropout(network):
    network.eval()
    for layer in network.modules():
        if isinstance(layer, nn.Dropout):
            layer.train()
    return network


@torch.inference_mode()
def predict_ensemble(networks, items, batch, device):
    results = []
    for x in batches(items, batch, device):
        members = torch.stack([network(x).softmax(1) for network in networks])
        mean = members.mean(0)
        results.append([values.cpu() for values in (mean, entropy(mean), entropy(members).mean(0))])
    return [torch.cat(parts) for parts in zip(*results)]


class Laplace:
    """Kronecker-factored posterior of the last layer (docs/theory.md, section 5)."""

    def __init__(self, network, device):
        self.network = network
        self.device = device
        head = network.head()
        self.classes, self.inputs = head.out_features, head.in_features + 1
        self.squared_norm = float(head.weight.detach().square().sum() + head.bias.detach().square().sum())

    def outputs(self, x):
        features = self.network.features(x)
        logits = self.network.head()(features)
        return torch.cat([features, features.new_ones((len(features), 1))], 1), logits

    @torch.inference_mode()
    def sum_factors(self, items, labels, batch):
        in_double = {"dtype": torch.float64, "device": self.device}
        self.input_factor = torch.zeros((self.inputs, self.inputs), **in_double)
        self.output_factor = torch.zeros((self.classes, self.classes), **in_double)
        self.log_likelihood = torch.zeros((), **in_double)
        self.items = len(items)
        for x, y in zip(batches(items, batch, self.device), batches(labels, batch, self.device)):
            features, logits = self.outputs(x)
            log_probs = logits.log_softmax(1)
            probs = log_probs.exp()
            self.input_factor += features.t() @ features
            self.output_factor += torch.diag(probs.sum(0)) - probs.t() @ probs
            self.log_likelihood += log_probs.gather(1, y.unsqueeze(1)).sum()
        self.input_factor /= self.items
        self.output_factor /= self.items

    def evidence(self, log_tau):
        """Of priors with these precisions, [G] in double."""
        log_determinants = torch.stack([torch.log(self.curvature + tau).sum() for tau in log_tau.exp()])
        parameters = self.classes * self.inputs
        return (self.log_likelihood - 0.5 * log_tau.exp() * self.squared_norm + 0.5 * parameters * log_tau
                - 0.5 * log_determinants).tolist()

    @torch.inference_mode()
    def choose_prior(self):
        def of(*values):
            return self.evidence(torch.tensor(values, dtype=torch.float64, device=self.device))

        input_values, self.input_basis = torch.linalg.eigh(self.input_factor)
        output_values, self.output_basis = torch.linalg.eigh(self.output_factor)
        self.curvature = self.items * torch.outer(output_values.clamp(min=0), input_values.clamp(min=0))
        grid = torch.linspace(-8 * math.log(10), 12 * math.log(10), GRID, dtype=torch.float64, device=self.device)
        best = int(numpy.argmax(self.evidence(grid)))
        low, high = float(grid[max(best - 1, 0)]), float(grid[min(best + 1, GRID - 1)])
        golden = (math.sqrt(5) - 1) / 2
        left, right = high - golden * (high - low), low + golden * (high - low)
        at_left, at_right = of(left, right)
        while high - low > 1e-6:
            if at_left >= at_right:
                high, right, at_right = right, left, at_left
                left = high - golden * (high - low)
                at_left, = of(left)
            else:
                low, left, at_left = left, right, at_right
                right = low + golden * (high - low)
                at_right, = of(right)
        self.tau = math.exp(0.5 * (low + high))

    def fit(self, items, labels, batch):
        self.sum_factors(items, labels, batch)
        self.choose_prior()

    @torch.inference_mode()
    def predict(self, items, batch):
        """Mean and variance of the logits, parameters of the Dirichlet, its mean, entropy and expected entropy."""
        basis = self.input_basis.float()
        inverse = (self.curvature + self.tau).reciprocal().float().t()
        classes = self.classes
        of_logits = self.output_basis.square().float().t()
        of_centred = (self.output_basis - self.output_basis.mean(0)).square().float().t()
        results = []
        for x in batches(items, batch, self.device):
            features, logits = self.outputs(x)
            spread = (features @ basis).square() @ inverse
            variance = (spread @ of_centred).double()
            mean = logits.double() - logits.double().amin(1, keepdim=True)
            decayed = (-mean).exp()
            log_alpha = mean + torch.log((1 - 2 / classes) * decayed
                                         + decayed.sum(1, keepdim=True) / classes**2) - variance.log()
            probs, alpha = log_alpha.softmax(1), log_alpha.exp()
            expected = torch.digamma(alpha.sum(1) + 1) - (probs * torch.digamma(alpha + 1)).sum(1)
            results.append([values.cpu() for values in
                            (logits, spread @ of_logits, alpha, probs.float(), entropy(probs), expected)])
        return [torch.cat(parts) for parts in zip(*results)]


def shifted(images):
    """Each image by up to SHIFT pixels along each axis."""
    count, channels, height, width = images.shape
    device = images.device
    padded = nn.functional.pad(images, [SHIFT] * 4, mode="replicate")
    down, right = torch.randint(2 * SHIFT + 1, (2, count, 1), device=device)
    rows = (down + torch.arange(height, device=device)).view(count, 1, height, 1)
    columns = (right + torch.arange(width, device=device)).view(count, 1, 1, width)
    return padded[torch.arange(count, device=device).view(count, 1, 1, 1),
                  torch.arange(channels, device=device).view(1, channels, 1, 1), rows, columns]


def epoch(network, optimiser, schedule, items, labels, device, augment=lambda x: x):
    """The loss stays on the device until the end, so that no step waits for it."""
    network.train()
    total = torch.zeros((), device=device)
    for rows in torch.randperm(len(items)).split(TRAINING_BATCH):
        x, y = items[rows], labels[rows]
        if device.type == "cuda":
            x, y = x.pin_memory(), y.pin_memory()
        x, y = augment(x.to(device, non_blocking=True)), y.to(device, non_blocking=True)
        optimiser.zero_grad()
        loss = nn.functional.cross_entropy(network(x), y)
        loss.backward()
        optimiser.step()
        if schedule:
            schedule.step()
        total += loss.detach() * len(rows)
    return float(total) / len(items)


def fit_head(features, labels, classes, iterations, device):
    x, y = features.to(device).double(), labels.to(device)
    head = nn.Linear(x.shape[1], classes, device=device, dtype=torch.float64)
    for values in head.parameters():
        nn.init.zeros_(values)
    optimiser = torch.optim.LBFGS(head.parameters(), max_iter=iterations, history_size=10, tolerance_grad=0,
                                  tolerance_change=0, line_search_fn="strong_wolfe")

    def loss():
        optimiser.zero_grad()
        value = nn.functional.cross_entropy(head(x), y) + 0.5 * HEAD_PENALTY * sum(
            values.square().sum() for values in head.parameters())
        value.backward()
        return value

    optimiser.step(loss)


class Problem:
    """A network, its items and labels in host memory."""

    def __init__(self, name, network, file, images, labels, device):
        extra = {"metadata.json": ""}
        scripted = torch.jit.load(str(file), map_location=device, _extra_files=extra).eval()
        metadata = json.loads(extra["metadata.json"])
        network.load_state_dict(scripted.state_dict())
        self.name = name
        self.network = network.to(device).eval()
        self.mean = torch.tensor(metadata["mean"]).view(1, -1, 1, 1)
        self.deviation = torch.tensor(metadata["std"]).view(1, -1, 1, 1)
        self.device = device
        self.images = self.pinned(torch.from_numpy(images.copy()))
        self.labels = self.pinned(torch.from_numpy(labels.astype(numpy.int64)))
        self.items = self.pinned(self.normalise(self.images, self.mean, self.deviation))
        with torch.inference_mode():
            some = self.items[:4].to(device)
            expected = scripted(some)
            difference = float((self.network(some) - expected).abs().max() / expected.abs().max().clamp(min=1))
        if not difference <= TOLERANCE:
            raise ValueError(f"{file}: the module written here differs by a share of {difference:.3g} in a logit")

    def pinned(self, values):
        return values.contiguous().pin_memory() if self.device.type == "cuda" else values.contiguous()

    @staticmethod
    def normalise(images, mean, deviation):
        return (images.float() * (1 / 255) - mean) / deviation

    def halves(self):
        half = len(self.items) // 2
        return (self.items[:half], self.labels[:half]), self.items[half:]


def time_predictions(clock, problem, batch, arguments, kept):
    device, network, items = clock.device, problem.network, problem.items
    name, count, draws = problem.name, len(items), arguments.draws
    few = clock.warm_up(batch)
    keep = {}
    clock.row(f"map/{name}", lambda: keep.update(map=predict_map(network, items, batch, device)),
              lambda: predict_map(network, items[:few], batch, device), count, batch)
    if device.type == "cuda":
        mean, deviation = problem.mean.to(device), problem.deviation.to(device)

        def of_bytes(images):
            return predict_map(network, images, batch, device, lambda x: problem.normalise(x, mean, deviation))

        clock.row(f"map-bytes/{name}", lambda: of_bytes(problem.images), lambda: of_bytes(problem.images[:few]),
                  count, batch)
    for kind, passes in (("mc-dropout", full_passes), ("mc-dropout-suffix", suffix_passes),
                         ("mc-dropout-joined", joined_passes)):
        scaled = arguments.quick and passes is full_passes and (device.type == "cpu" or name == "resnet50")
        measured = min(draws, QUICK_DRAWS[device.type]) if scaled else draws

        def predict(some, times, passes=passes):
            return predict_draws(with_dropout(network), passes, some, batch, times, device)

        def work(kind=kind, predict=predict, measured=measured):
            keep[kind] = predict(items, measured)[1]

        before = draws if passes is joined_passes else 1
        clock.row(f"{kind}/{name}", work, lambda predict=predict, before=before: predict(items[:few], before),
                  count, batch, scale=draws / measured, draws=draws, measured_draws=measured)
    network.eval()
    kept.update({f"{kind}_{name}": keep[kind].numpy() for kind in ("map", "mc-dropout-suffix") if kind in keep})


def time_laplace(clock, problem, batch, kept):
    (items, labels), others = problem.halves()
    laplace = Laplace(problem.network, clock.device)
    few = clock.warm_up(batch)
    keep = {}
    clock.row(f"laplace-factors/{problem.name}", lambda: laplace.sum_factors(items, labels, batch),
              lambda: laplace.sum_factors(items[:few], labels[:few], batch), len(items), batch)
    clock.row(f"laplace-fit/{problem.name}", lambda: laplace.fit(items, labels, batch),
              (lambda: laplace.fit(items, labels, batch)) if clock.device.type == "cuda" else lambda: None,
              len(items), batch)
    clock.row(f"laplace-predict/{problem.name}", lambda: keep.update(out=laplace.predict(others, batch)),
              lambda: laplace.predict(others[:few], batch), len(others), batch)
    if "out" in keep:
        kept[f"laplace_{problem.name}"] = keep["out"][3].numpy()
        kept[f"laplace_variance_{problem.name}"] = keep["out"][1].numpy()
        kept[f"laplace_tau_{problem.name}"] = numpy.array(laplace.tau)


def time_training(clock, problem, quick):
    device = clock.device
    count = QUICK_TRAINING_ITEMS if quick and device.type == "cpu" else len(problem.items)
    items, labels = problem.items[:count], problem.labels[:count]
    steps = -(-len(items) // TRAINING_BATCH)
    for name, network in (("lenet", LeNet()), ("resnet", SmallResNet())):
        network.to(device)
        optimiser = torch.optim.SGD(network.parameters(), lr=0.05, momentum=0.9, nesterov=True, weight_decay=5e-4)
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, 1000 * steps)

        def run(x, y, network=network, optimiser=optimiser, schedule=schedule):
            epoch(network, optimiser, schedule, x, y, device, shifted)

        few = TRAINING_BATCH
        clock.row(f"train/{name}", lambda run=run: run(items, labels), lambda run=run: run(items[:few], labels[:few]),
                  len(items), TRAINING_BATCH, steps=steps)


def time_heads(clock, problem, batch, quick):
    device = clock.device
    with torch.inference_mode():
        features = torch.cat([problem.network.features(x).cpu() for x in batches(problem.items, batch, device)])
    features, labels = problem.pinned(features.clone()), problem.labels  # a copy that autograd may use
    classes = problem.network.head().out_features
    steps = -(-len(features) // TRAINING_BATCH)
    network = nn.Sequential(nn.Dropout(0.5), nn.Linear(features.shape[1], classes)).to(device)
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-3, weight_decay=5e-4)

    def run():
        epoch(network, optimiser, None, features, labels, device)

    clock.row(f"train-head/{problem.name}", run, run, len(features), TRAINING_BATCH, steps=steps)
    iterations = QUICK_HEAD_ITERATIONS if quick else HEAD_ITERATIONS
    clock.row(f"train-head-optimum/{problem.name}",
              lambda: fit_head(features, labels, classes, iterations, device),
              lambda: fit_head(features, labels, classes, 1, device), len(features), len(features), steps=iterations)


def time_ensemble(clock, problem, data, batch, kept):
    member = LeNet()
    member.load_state_dict(torch.jit.load(str(data / "lenet-member.pt")).state_dict())
    few = clock.warm_up(batch)
    networks = [problem.network, member.to(clock.device).eval()]
    keep = {}
    clock.row("ensemble/lenet", lambda: keep.update(out=predict_ensemble(networks, problem.items, batch, clock.device)),
              lambda: predict_ensemble(networks, problem.items[:few], batch, clock.device), len(problem.items), batch)
    if "out" in keep:
        kept["ensemble_lenet"] = keep["out"][0].numpy()


def time_problem(clock, problem, large, arguments, kept):
    count = len(problem.items)
    sizes = [arguments.batch] if arguments.quick and clock.device.type == "cpu" else [arguments.batch, large]
    for batch in dict.fromkeys(min(size, count) for size in sizes):
        clock.group("predictions", lambda batch=batch: time_predictions(clock, problem, batch, arguments, kept))
        clock.group("laplace", lambda batch=batch: time_laplace(clock, problem, batch, kept))
    clock.group("train-head", lambda: time_heads(clock, problem, min(arguments.batch, count), arguments.quick))


def image_problem(data, device):
    with numpy.load(data / "images.npz") as file:
        return Problem("resnet50", CutResNet50(), data / "resnet50.pt", file["images"].transpose(0, 3, 1, 2),
                       file["labels"], device)


def processor_name():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def driver_version():
    try:
        answer = subprocess.run(["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"],
                                capture_output=True, text=True, check=True, timeout=20)
        return answer.stdout.splitlines()[0].strip()
    except (OSError, subprocess.SubprocessError, IndexError):
        return None


def copy_rate(clock, source, target):
    """Bytes read and written by the device each second."""
    def copy():
        target.copy_(source, non_blocking=True)
    copy()
    seconds, _ = clock.median(copy, RATE_ROUNDS)
    return source.nbytes / seconds


def describe_card(clock):
    device, on_cuda = clock.device, clock.device.type == "cuda"
    card = {"device": str(device), "torch": torch.__version__, "cuda": torch.version.cuda if on_cuda else None,
            "driver": driver_version() if on_cuda else None, "threads": torch.get_num_threads()}
    if on_cuda:
        found = torch.cuda.get_device_properties(device)
        card.update(name=found.name, multiprocessors=found.multi_processor_count, memory_bytes=found.total_memory,
                    compute_capability=f"{found.major}.{found.minor}")
    else:
        card.update(name=processor_name(), multiprocessors=None, memory_bytes=None, compute_capability=None)
    size = 10**9 if on_cuda else 10**8
    side = 8192 if on_cuda else 1024
    source, target = (torch.zeros(size // 4, device=device) for _ in range(2))
    card["copy_bytes_per_s"] = 2 * copy_rate(clock, source, target)
    if on_cuda:
        host = torch.zeros(size // 4).pin_memory()
        card["to_device_bytes_per_s"] = copy_rate(clock, host, target)
        card["to_host_bytes_per_s"] = copy_rate(clock, source, host)
    a, b = (torch.randn((side, side), device=device) for _ in range(2))
    a @ b
    seconds, _ = clock.median(lambda: a @ b, RATE_ROUNDS)
    card["float32_flops"] = 2 * side**3 / seconds
    return card


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--device", default="cuda:0", help="cuda:0 or cpu")
    parser.add_argument("--data", type=pathlib.Path, required=True, help="folder that make_networks.py wrote")
    parser.add_argument("--output", type=pathlib.Path, required=True, help="JSON file to write")
    parser.add_argument("--predictions", type=pathlib.Path, help="npz file to write, with the probabilities")
    parser.add_argument("--batch", type=int, default=500, help="items per pass; 500 is the default of `predict`")
    parser.add_argument("--large-digits", type=int, default=10_000, help="a second number of digits per pass")
    parser.add_argument("--large-images", type=int, default=1000, help="a second number of images per pass")
    parser.add_argument("--draws", type=int, default=50)
    parser.add_argument("--threads", type=int, default=0, help="of the processor; 0: as many as torch takes by itself")
    parser.add_argument("--quick", action="store_true", help="fewer rounds, and few of the full passes")
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore", message=".*torch.jit.*")
    torch.manual_seed(1)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    device = torch.device(arguments.device)
    clock = Clock(device, seconds=0.5 if arguments.quick else 10.0, max_rounds=5 if arguments.quick else 11)
    card = clock.group("card", lambda: describe_card(clock)) or {}
    kept = {}
    digits = clock.group("lenet", lambda: Problem(
        "lenet", LeNet(), arguments.data / "lenet-mnist.pt",
        read_idx(arguments.data / "digits-images-idx3-ubyte.gz", 3)[:, None],
        read_idx(arguments.data / "digits-labels-idx1-ubyte.gz", 1), device))
    if digits:
        time_problem(clock, digits, arguments.large_digits, arguments, kept)
        clock.group("ensemble", lambda: time_ensemble(
            clock, digits, arguments.data, min(arguments.batch, len(digits.items)), kept))
        clock.group("train", lambda: time_training(clock, digits, arguments.quick))
    images = clock.group("resnet50", lambda: image_problem(arguments.data, device))
    if images:
        time_problem(clock, images, arguments.large_images, arguments, kept)
    arguments.output.write_text(json.dumps({"card": card, "rows": clock.rows}, indent=2) + "\n")
    if arguments.predictions:
        numpy.savez(arguments.predictions, **kept)


if __name__ == "__main__":
    main()
