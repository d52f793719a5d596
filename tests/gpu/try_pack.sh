#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Packs what is built and runs the check on the processor: try_pack.sh PYTHON
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
python=$1
# The pack must not need the build it came from; a folder outside it shows that.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
resources/gpu/pack.sh --built -o "$folder/gpu-pack"
tar -C "$folder" -xzf "$folder/gpu-pack.tar.gz"
PYTHON=$python "$folder/gpu-pack/check.sh" --quick --device cpu -o "$folder/check" || {
  tail -n 100 "$folder/check/log"
  exit 1
}
"$python" - "$folder/check/gpu.json" <<'END'
import json, sys

found = json.load(open(sys.argv[1], encoding="utf-8"))
failed = [step for step in found["steps"] if "failed" in step]
assert not failed, failed
kernels = found["kernels"]["kernels"]
assert {row["kernel"] for row in kernels} >= {"dropout", "dropout channels", "summary of draws", "bridge-centred",
                                              "keyed draws, diagonal"}, kernels
assert all(row["host_ms"] > 0 for row in kernels), kernels
for network in ("lenet", "resnet50"):
    rows = {row["name"]: row for row in found["predict"][network]["rows"]}
    assert rows.keys() >= {"map", "mc-dropout", "laplace fit", "laplace"}, rows.keys()
    for name in ("map", "mc-dropout", "laplace"):
        assert rows[name]["again"]["same_bits"], (network, name)
        assert rows[name]["other_batch"]["largest_difference"] < 1e-5, (network, name, rows[name]["other_batch"])
    assert rows["mc-dropout"]["other_batch"]["same_masks"] and rows["mc-dropout"]["processor"]["same_masks"], network
assert not [row for row in found["plain torch"]["rows"] if "error" in row], found["plain torch"]
assert sum(row["passed"] for row in found["tests"]) > 50, found["tests"]
assert {row["name"] for row in found["training"]} == {"lenet", "resnet", "head"}, found["training"]
END
