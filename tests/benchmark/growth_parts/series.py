# SPDX-License-Identifier: GPL-3.0-or-later
"""What growth.py measures: actions, the sizes of their variables, and what theory says about each."""
from dataclasses import dataclass, field

N, K = "N", "K"
MANY = [1_000, 10_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000]
CLASSES = [2, 10, 100, 300, 1_000, 3_000, 10_000]


@dataclass
class Series:
    """One variable of an action: its sizes, the others, and the least and largest exponents by theory."""

    variable: str
    sizes: list
    others: dict
    theory: str
    time: tuple
    memory: tuple


@dataclass
class Action:
    name: str
    title: str
    figure: str
    do: str
    series: list
    settings: dict = field(default_factory=dict)
    peer: str | None = None
    threads: bool = False  # takes --threads


SORTS = "N log N"
PROBABILITIES = [Series(N, MANY, {"K": 10}, SORTS, (1, 1.1), (1, 1)), Series(K, CLASSES, {"N": 10_000}, "K", (1, 1), (1, 1))]

ACTIONS = [
    Action("predict", "predict, MC dropout", "predict", "predict", [
        Series(N, MANY, {"K": 10, "T": 10, "D": 64}, "N", (1, 1), (1, 1)),
        Series(K, CLASSES, {"N": 1_000, "T": 10, "D": 64}, "K", (1, 1), (1, 1)),
        Series("T", [1, 10, 30, 100, 300, 1_000], {"N": 3_000, "K": 10, "D": 64}, "T", (1, 1), (1, 1)),
        Series("D", [16, 64, 256, 1_024, 4_096, 16_384], {"N": 3_000, "K": 10, "T": 10}, "D", (1, 1), (1, 1)),
    ], peer="torch", threads=True),
    Action("evaluate", "evaluate", "evaluate", "evaluate", PROBABILITIES, peer="scikit-learn", threads=True),
    Action("fit-kron", "Laplace fit, Kronecker", "laplace-fit", "laplace-fit", [
        Series(N, MANY[:6], {"K": 10, "D": 64}, "N", (1, 1), (1, 1)),
        Series(K, [2, 10, 30, 100, 500, 1_000, 1_500, 2_000], {"N": 1_000, "D": 64}, "K² to K³", (2, 3), (2, 2)),
        Series("D", [16, 64, 256, 512, 1_024, 2_048], {"N": 1_000, "K": 10}, "D² to D³", (2, 3), (2, 2)),
    ], {"structure": "kron"}, peer="laplace-torch", threads=True),
    Action("fit-full", "Laplace fit, full", "laplace-fit", "laplace-fit", [
        Series(K, [2, 4, 8, 16, 32, 64], {"N": 1_000, "D": 32}, "K² to K³", (2, 3), (2, 2)),
        Series("D", [8, 16, 32, 64, 128, 256, 512], {"N": 1_000, "K": 4}, "D² to D³", (2, 3), (2, 2)),
    ], {"structure": "full"}, peer="laplace-torch"),
    Action("predict-kron", "Laplace predict, Kronecker, probit", "laplace-predict", "laplace-predict", [
        Series(N, MANY[:6], {"K": 10, "D": 64}, "N", (1, 1), (1, 1)),
        Series(K, [2, 10, 30, 100, 500, 1_000, 1_500, 2_000], {"N": 2_000, "D": 64}, "K to K²", (1, 2), (1, 2)),
        Series("D", [16, 64, 256, 512, 1_024, 2_048], {"N": 4_000, "K": 10}, "D to D²", (1, 2), (1, 2)),
    ], {"structure": "kron", "link": "probit"}, peer="laplace-torch", threads=True),
    Action("predict-full", "Laplace predict, full, probit", "laplace-predict", "laplace-predict", [
        Series("D", [8, 16, 32, 64, 128, 256, 512], {"N": 4_000, "K": 4}, "D to D²", (1, 2), (1, 2)),
    ], {"structure": "full", "link": "probit"}, peer="laplace-torch"),
    Action("predict-mc", "Laplace predict, Kronecker, draws", "laplace-predict", "laplace-predict", [
        Series("T", [1, 10, 100, 300, 1_000], {"N": 40_000, "K": 10, "D": 64}, "T", (1, 1), (1, 1)),
    ], {"structure": "kron", "link": "mc"}, peer="laplace-torch"),
    Action("queue-entropy", "queue by entropy", "review", "queue-entropy", PROBABILITIES, peer="torch"),
    Action("queue-label-errors", "queue of label errors", "review", "queue-label-errors", PROBABILITIES, peer="NumPy"),
    Action("open", "open a run", "window", "window", [
        Series(N, [10_000, 100_000, 1_000_000, 2_000_000, 3_000_000], {"K": 10}, SORTS, (1, 1.1), (1, 1)),
        Series(K, [10, 100, 1_000, 4_000], {"N": 10_000}, "K", (1, 1), (1, 1)),
    ], {"step": "open the run to the last plot"}),
    Action("brush", "brush a histogram", "window", "window", [
        Series(N, [10_000, 100_000, 1_000_000, 2_000_000, 3_000_000], {"K": 10}, "N", (1, 1), (1, 1)),
        Series(K, [10, 100, 1_000, 4_000], {"N": 10_000}, "K", (1, 1), (1, 1)),
    ], {"step": "brush a histogram, mouse down: event to the last of six plots"}),
]

FIGURES = {"predict": "Predicting with MC dropout", "evaluate": "Evaluating a file of predictions",
           "laplace-fit": "Fitting a last-layer Laplace posterior", "laplace-predict": "Predicting from it",
           "review": "Review queues", "window": "The window"}
