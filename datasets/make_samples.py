#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Cuts the committed samples out of the full test sets.

    datasets/make_samples.py DATASETS [OUTPUT]

DATASETS holds the folders mnist, fashion-mnist and kmnist with the published files
t10k-images-idx3-ubyte.gz and t10k-labels-idx1-ubyte.gz; OUTPUT is datasets/samples where it is not
given. The first items are taken, in order. Output bytes do not depend on time or place.
"""

import gzip
import pathlib
import struct
import sys

SAMPLES = {"mnist": 2000, "fashion-mnist": 1000, "kmnist": 1000}
IMAGES_MAGIC = 2051
LABELS_MAGIC = 2049


def read_idx(path, magic, rank):
    data = gzip.decompress(path.read_bytes())
    header = struct.unpack_from(f">{1 + rank}I", data)
    if header[0] != magic:
        sys.exit(f"{path}: the magic number is {header[0]}, not {magic}; give the published file")
    return list(header[1:]), data[4 * (1 + rank):]


def write_idx(path, magic, shape, data):
    content = struct.pack(f">{1 + len(shape)}I", magic, *shape) + data
    # No name and no time in the header: the same input gives the same bytes.
    path.write_bytes(gzip.compress(content, compresslevel=9, mtime=0))


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    source = pathlib.Path(sys.argv[1])
    output = pathlib.Path(sys.argv[2]) if len(sys.argv) == 3 else (
        pathlib.Path(__file__).resolve().parent / "samples")
    output.mkdir(parents=True, exist_ok=True)
    for name, count in SAMPLES.items():
        for kind, magic, rank in (("images-idx3", IMAGES_MAGIC, 3), ("labels-idx1", LABELS_MAGIC, 1)):
            shape, data = read_idx(source / name / f"t10k-{kind}-ubyte.gz", magic, rank)
            item = len(data) // shape[0]
            shape[0] = count
            write_idx(output / f"{name}-{count}-{kind}-ubyte.gz", magic, shape, data[:count * item])


if __name__ == "__main__":
    main()
