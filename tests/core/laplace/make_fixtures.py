# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes posteriors as earlier versions saved them: python make_fixtures.py tests/data/posteriors

Needs NumPy (the environment that holds LibTorch has it). The files are committed; what a released version wrote is never
written anew.
"""
import json
import pathlib
import sys

import numpy as np


def version_1():
    """The last layer alone, without the keys that tell so: version 1 knew no other."""
    meta = {
        "format": "dubito posterior", "version": 1, "structure": "kron",
        "layers": [{"name": "fc2", "outputs": 2, "inputs": 3, "has_bias": True, "squared_norm": 1.25}],
        "items": 40, "labelled_items": 40, "log_likelihood": -12.5,
        "network_hash": "00ff", "preprocessing": "grey 28 x 28, /255",
        "dataset_name": "train", "dataset_spec": "idx:train", "dataset_hash": "abcd", "notes": ["a note"],
    }
    half = np.sqrt(0.5)
    return {
        "layer0_input_basis": np.array([[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]]),
        "layer0_input_values": np.array([0.25, 0.5, 1.0]),
        "layer0_output_basis": np.array([[half, half], [half, -half]]),
        "layer0_output_values": np.array([0.0, 0.5]),
        "ids": np.array([3, 1, 2]),
        "meta": np.array(json.dumps(meta)),
    }


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(folder / "version1.npz", **version_1())
