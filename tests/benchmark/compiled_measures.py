#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times the tensor expressions of the group summary of dubito_benchmarks, compiled by torch.compile.

    python3 -m venv DIR && DIR/bin/pip install torch==2.11.0       (and g++, which torch.compile calls)
    DIR/bin/python tests/benchmark/compiled_measures.py [--repetitions N]

Logits [20, 10 000, 10] in float, one thread, after the compilation: mean, H, E[H], MI, confidence. Prints one JSON object:
the least milliseconds of the repetitions, eager and compiled, and the largest difference between their mutual informations.

Machines differ, and a busy one differs from itself: only ratios of figures taken in turns count. `run_benchmarks.py
--torch-compile DIR/bin/python` takes them in turns with Dubito's.
"""
import argparse
import json
import time

import torch

DRAWS, ITEMS, CLASSES = 20, 10_000, 10


def entropy_of(probs):
    return -(probs * torch.log(probs + 1e-12)).sum(-1)


def measures(logits):
    probs = torch.softmax(logits, -1)
    mean = probs.mean(0)
    entropy = entropy_of(mean)
    expected_entropy = entropy_of(probs).mean(0)
    return mean, entropy, expected_entropy, entropy - expected_entropy, mean.amax(-1)


def least_milliseconds(function, logits, repetitions):
    best = float("inf")
    for _ in range(repetitions):
        begin = time.perf_counter()
        function(logits)
        best = min(best, 1e3 * (time.perf_counter() - begin))
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=100)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    logits = 4.0 * torch.randn((DRAWS, ITEMS, CLASSES), generator=torch.Generator().manual_seed(0))
    with torch.inference_mode():
        compiled = torch.compile(measures)
        difference = (measures(logits)[3] - compiled(logits)[3]).abs().max().item()
        milliseconds = {"eager": least_milliseconds(measures, logits, arguments.repetitions),
                        "compiled": least_milliseconds(compiled, logits, arguments.repetitions)}
    print(json.dumps({"torch": torch.__version__, "difference": difference, "milliseconds": milliseconds}))


if __name__ == "__main__":
    main()
