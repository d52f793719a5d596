#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times NumPy with scikit-learn, and torchmetrics, on metrics that `dubito-cli evaluate` computes of a file of predictions.

    python3 -m venv DIR && DIR/bin/pip install torch==2.11.0 scikit-learn torchmetrics
    DIR/bin/python tests/benchmark/evaluate_peers.py PREDICTIONS [--threads N] [--repetitions N]
    DIR/bin/python tests/benchmark/evaluate_peers.py PREDICTIONS --make ITEMS CLASSES

Accuracy, NLL, Brier, ECE with 15 bins, and by confidence and by entropy how well right and wrong items are told apart: AUROC
and AP, with scikit-learn also AURC and FPR95; torchmetrics computes ranks exactly (thresholds=None). The clock starts after
the imports and includes reading the file, which --make writes: probabilities [ITEMS, CLASSES] in float32 of every certainty,
labels drawn from them. Prints one JSON object: for each peer the least milliseconds of the repetitions and the values.

Machines differ, and a busy one differs from itself: only ratios of figures taken in turns count. `run_benchmarks.py
--evaluate-peers DIR/bin/python` takes them in turns with Dubito's, and compares the values.
"""
import argparse
import json
import time

import numpy as np
import sklearn.metrics
import torch
import torchmetrics.functional.classification as torchmetrics

BINS = 15


def make(path, items, classes):
    random = np.random.default_rng(0)
    logits = (1.0 + 5.0 * random.random((items, 1))) * random.standard_normal((items, classes))
    probs = np.exp(logits - logits.max(axis=1, keepdims=True))
    probs /= probs.sum(axis=1, keepdims=True)
    labels = (probs.cumsum(axis=1) < random.random((items, 1))).sum(axis=1).clip(0, classes - 1)
    np.savez(path, probs=probs.astype(np.float32), labels=labels)


def by_scikit_learn(path):
    data = np.load(path)
    probs, labels = data["probs"], data["labels"]
    confidence, predicted = probs.max(axis=1), probs.argmax(axis=1)
    right = predicted == labels
    of_label = probs[np.arange(len(labels)), labels].astype(np.float64)
    bins = np.minimum((confidence * BINS).astype(int), BINS - 1)
    sure = np.bincount(bins, weights=confidence, minlength=BINS)
    hits = np.bincount(bins, weights=right, minlength=BINS)
    found = {"accuracy": right.mean(), "nll": -np.log(of_label).mean(), "ece": np.abs(sure - hits).sum() / len(labels),
             "brier": ((probs.astype(np.float64) ** 2).sum(axis=1) - 2 * of_label + 1).mean()}
    negative_entropy = (probs * np.log(np.maximum(probs, 1e-30))).sum(axis=1)
    for name, score in (("confidence", confidence), ("entropy", negative_entropy)):
        order = np.argsort(-score)
        false_rate, true_rate, _ = sklearn.metrics.roc_curve(right, score)
        found |= {f"auroc by {name}": sklearn.metrics.roc_auc_score(right, score),
                  f"ap by {name}": sklearn.metrics.average_precision_score(right, score),
                  f"aurc by {name}": (np.cumsum(~right[order]) / np.arange(1, len(order) + 1)).mean(),
                  f"fpr95 by {name}": false_rate[np.argmax(true_rate >= 0.95)]}
    return found


def by_torchmetrics(path):
    data = np.load(path)
    probs, labels = torch.from_numpy(data["probs"]), torch.from_numpy(data["labels"])
    classes = probs.shape[1]
    right = (probs.argmax(dim=1) == labels).long()
    found = {"accuracy": torchmetrics.multiclass_accuracy(probs, labels, classes, average="micro"),
             "nll": torch.nn.functional.nll_loss(probs.log(), labels),
             "ece": torchmetrics.multiclass_calibration_error(probs, labels, classes, n_bins=BINS, norm="l1"),
             "brier": (probs - torch.nn.functional.one_hot(labels, classes)).square().sum(dim=1).mean()}
    # Scores outside [0, 1] would be taken for logits.
    certainty = 1.0 + torch.xlogy(probs, probs).sum(dim=1) / float(np.log(classes))
    for name, score in (("confidence", probs.amax(dim=1)), ("entropy", certainty.clamp(0, 1))):
        found |= {f"auroc by {name}": torchmetrics.binary_auroc(score, right),
                  f"ap by {name}": torchmetrics.binary_average_precision(score, right)}
    return found


PEERS = {"NumPy with scikit-learn": by_scikit_learn, "torchmetrics": by_torchmetrics}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("predictions", help="an .npz file")
    parser.add_argument("--make", nargs=2, type=int, metavar=("ITEMS", "CLASSES"), help="write the file, and end")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repetitions", type=int, default=3)
    arguments = parser.parse_args()
    if arguments.make:
        make(arguments.predictions, *arguments.make)
        return
    torch.set_num_threads(arguments.threads)
    answer = {}
    for name, peer in PEERS.items():
        milliseconds = []
        for _ in range(arguments.repetitions):
            begin = time.perf_counter()
            values = peer(arguments.predictions)
            milliseconds.append(1e3 * (time.perf_counter() - begin))
        answer[name] = {"milliseconds": min(milliseconds), "values": {key: float(value) for key, value in values.items()}}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
