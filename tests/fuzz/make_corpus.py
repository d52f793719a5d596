#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the seeds of the fuzz targets into corpus/: small good files of every kind that a reader knows.

Needs NumPy (the environment that holds LibTorch has it). The seeds are committed; run this again only to
add a kind.
"""
import gzip
import io
import json
import pathlib
import struct
import zipfile

import numpy as np

CORPUS = pathlib.Path(__file__).resolve().parent / "corpus"
RNG = np.random.default_rng(1)


def write(target, name, data):
    path = CORPUS / target / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())


def npy(array, **options):
    out = io.BytesIO()
    np.lib.format.write_array(out, np.asarray(array), **options)
    return out.getvalue()


def npz(arrays, compressed=False):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED) as archive:
        for name, array in arrays.items():
            archive.writestr(zipfile.ZipInfo(name + ".npy"), npy(array))
    return out.getvalue()


def idx():
    images = struct.pack(">HBB3I", 0, 8, 3, 2, 3, 4) + bytes(range(24))
    write("idx", "images", images)
    write("idx", "labels", struct.pack(">HBBI", 0, 8, 1, 5) + bytes([0, 1, 2, 1, 0]))
    write("idx", "images.gz", gzip.compress(images, mtime=0))
    for code, format_, size in ((0x09, "b", 1), (0x0B, ">h", 2), (0x0C, ">i", 4), (0x0D, ">f", 4), (0x0E, ">d", 8)):
        body = b"".join(struct.pack(format_, value) for value in range(6))
        write("idx", f"type{code:02x}", struct.pack(">HBB2I", 0, code, 2, 2, 3) + body)


def without_places(value):
    """Leaves out where in the source each node comes from, which is most of a program's text."""
    if isinstance(value, dict):
        return {key: without_places(inner) for key, inner in value.items() if key not in ("metadata", "kind", "strides", "requires_grad", "device")}
    return [without_places(inner) for inner in value] if isinstance(value, list) else value


def exported():
    fixtures = CORPUS.parents[1] / "data/models/exported"
    for name in ("plain", "training", "sizes", "branches", "dictionary", "shared", "constants", "decomposed"):
        with zipfile.ZipFile(fixtures / f"{name}.pt2") as archive:
            (record,) = [entry for entry in archive.namelist() if entry.endswith("models/model.json")]
            program = json.loads(archive.read(record))
        write("exported", name, json.dumps(without_places(program), separators=(",", ":")))


def arrays():
    kinds = {
        "f4": np.linspace(0, 1, 6, dtype="<f4").reshape(2, 3),
        "f8": np.linspace(0, 1, 4, dtype="<f8"),
        "f2": np.linspace(0, 1, 4, dtype="<f2"),
        "big": np.arange(4, dtype=">i4"),
        "fortran": np.asfortranarray(np.arange(6, dtype="<i8").reshape(2, 3)),
        "bool": np.array([True, False]),
        "u2": np.arange(3, dtype="<u2"),
        "text": np.array("some text"),
        "bytes": np.array(b"some bytes"),
        "empty": np.zeros((0, 3), dtype="<f4"),
    }
    for name, array in kinds.items():
        write("npy", name + ".npy", npy(array))
    write("npy", "version2.npy", npy(kinds["f4"], version=(2, 0)))
    write("npz", "stored.npz", npz(kinds))
    write("npz", "deflated.npz", npz({"f4": kinds["f4"], "text": kinds["text"]}, compressed=True))


def tables():
    write("csv", "columns.csv", "id,label,cat,dog\n1,cat,0.25,0.75\n2,dog,0.5,0.5\n")
    write("csv", "confidence.csv", "true_label,pred_label,confidence\n0,1,0.9\n1,1,0.8\n")
    write("csv", "quoted.csv", '\ufefflabel;"a ""x""";b\r\n0;0,1;0,9\r\n1;1;0\r\n')
    write("csv", "logits.csv", "label,logit_0,logit_1\n0,1e2,-3\n1,nan,2\n")


def runs():
    probs = np.array([[0.25, 0.75], [0.5, 0.5], [1.0, 0.0]], dtype="<f4")
    labels = np.array([1, 0, -1], dtype="<i8")
    meta = {"schema_version": 1, "task": "classification", "method": "map", "class_names": ["cat", "dog"], "seed": 1}
    full = {
        "probs": probs,
        "labels": labels,
        "ids": np.array([5, 6, 7], dtype="<i8"),
        "predictions": probs.argmax(1).astype("<i8"),
        "confidence": probs.max(1).astype("<f8"),
        "entropy": np.zeros(3),
        "logits": np.log(probs + 1e-3).astype("<f4"),
        "samples": np.stack([probs, probs[::-1]]).astype("<f4"),
        "meta": np.array(json.dumps(meta)),
    }
    write("run", "full.npz", npz(full))
    write("run", "usual_names.npz", npz({"predictions": probs, "ground_truth": labels[:2].repeat(2)[:3]}))
    write("run", "logits.npz", npz({"logits": full["logits"], "y": np.array([0, 1, 1])}))
    write("run", "binary.npz", npz({"pred_probs": probs[:, 1], "labels": np.array([0, 1, 1])}))


def metadata():
    full = {
        "name": "net",
        "classes": ["a", "b"],
        "input_size": [3, 28, 28],
        "channels": 3,
        "channel_order": "bgr",
        "scale": 0.00392156862745098,
        "mean": [0.5, 0.4, 0.3],
        "std": 0.25,
        "interpolation": "bicubic",
        "resize": "shorter-side",
        "resize_to": 32,
        "output": "logits",
    }
    write("metadata", "full.json", json.dumps(full))
    write("metadata", "short.json", '{"classes": ["0"], "input_size": 28, "output": "probabilities"}')


for make in (idx, exported, arrays, tables, runs, metadata):
    make()
