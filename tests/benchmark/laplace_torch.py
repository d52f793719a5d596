#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times laplace-torch on what the groups laplace_fit, laplace_predict and laplace_all_fit of dubito_benchmarks time.

    python3 -m venv DIR && DIR/bin/pip install torch==2.11.0 torchvision==0.26.0 laplace-torch==0.3
    DIR/bin/python tests/benchmark/laplace_torch.py [--repetitions N] [--only GROUP...] [--backend CLASS...]

The same network (a LeNet with 20 and 50 filters and 500 units, weights drawn at random), as many random images in batches
of the same size, the same number of threads. The batches lie in memory before the clock starts, where Dubito's are
normalised, joined and moved while it runs. The all-layer fit takes the exact expectation over the classes (Fisher type
2), as Dubito does. Prints one JSON object: by group and backend the least milliseconds of the
repetitions, and the least of the processor's (of all threads together), which a busy machine disturbs less.

Machines differ, and a busy one differs from itself: only ratios of figures taken in turns count. `run_benchmarks.py
--laplace-torch DIR/bin/python` takes them in turns with Dubito's.
"""
import argparse
import json
import time

import torch
from laplace import Laplace
from laplace import curvature

BATCH = 500
CLASSES = 10
GROUPS = ["forward", "laplace_fit", "laplace_predict", "laplace_all_fit"]
BACKENDS = ["CurvlinopsGGN", "BackPackGGN", "AsdlGGN"]


class Batches:
    """Batches in memory; laplace-torch asks a loader for its dataset to know how many items there are."""

    def __init__(self, items, seed):
        random = torch.Generator().manual_seed(seed)
        images = torch.rand((items, 1, 28, 28), generator=random)
        labels = torch.randint(CLASSES, (items,), generator=random)
        self.dataset = range(items)
        self.batches = list(zip(images.split(BATCH), labels.split(BATCH)))

    def __iter__(self):
        return iter(self.batches)

    def __len__(self):
        return len(self.batches)


def lenet():
    nn = torch.nn
    network = nn.Sequential(
        nn.Conv2d(1, 20, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(20, 50, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(800, 500), nn.ReLU(), nn.Dropout(0.5), nn.Linear(500, CLASSES))
    return network.eval()


def fitted(network, subset, batches, backend):
    posterior = Laplace(network, "classification", subset_of_weights=subset, hessian_structure="kron",
                        prior_precision=1.0, backend=getattr(curvature, backend))
    posterior.fit(batches)
    return posterior


def timed(work):
    """Wall and processor milliseconds."""
    wall, busy = time.perf_counter(), time.process_time()
    work()
    return 1000 * (time.perf_counter() - wall), 1000 * (time.process_time() - busy)


def forward(network, batches):
    with torch.no_grad():
        for images, _ in batches:
            network(images)


def predict(posterior, batches):
    for images, _ in batches:
        posterior(images, pred_type="glm", link_approx="probit")


def milliseconds(group, backend, items):
    network = lenet()
    training = Batches(items, 1)
    if group == "forward":
        return timed(lambda: forward(network, training))
    if group == "laplace_fit":
        return timed(lambda: fitted(network, "last_layer", training, backend))
    if group == "laplace_all_fit":
        return timed(lambda: fitted(network, "all", training, backend))
    posterior = fitted(network, "last_layer", training, backend)
    return timed(lambda: predict(posterior, Batches(items, 2)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=1, help="the least time of so many counts")
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", nargs="+", choices=GROUPS, default=GROUPS, help="these groups alone")
    parser.add_argument("--backend", nargs="+", choices=BACKENDS, default=[BACKENDS[0], BACKENDS[2]],
                        help="what computes the curvature; laplace-torch takes CurvlinopsGGN by itself, AsdlGGN is faster")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(1)
    wall, busy = {}, {}
    forward(lenet(), [(torch.rand(BATCH, 1, 28, 28), None)])  # libraries choose their ways in the first pass
    for group in arguments.only:
        for backend in arguments.backend if group != "forward" else [None]:
            key = f"{group}/{backend}" if backend else group
            times = [milliseconds(group, backend, arguments.items) for _ in range(arguments.repetitions)]
            wall[key], busy[key] = (min(of) for of in zip(*times))
    print(json.dumps({"threads": arguments.threads, "items": arguments.items, "torch": torch.__version__,
                      "milliseconds": wall, "processor_milliseconds": busy}, indent=2))


if __name__ == "__main__":
    main()
