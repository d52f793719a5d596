#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests and times the program on a GPU, inside a pack of pack.sh: on any machine with a driver and a Python that has torch.
#   ./check.sh [--quick] [--device cuda|cpu] [-o DIR]
#   --quick   at most 3 minutes on a card instead of 5
#   --device  cpu: everything that needs no card, to try the pack out
#   -o DIR    where gpu.json, gpu.md and log go (default $OUT, else ./gpu-check)
# PYTHON chooses the Python (default python3, else the one that run.sh installed).
set -euo pipefail
pack=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=${PYTHON:-python3}
installed=${XDG_CACHE_HOME:-$HOME/.cache}/dubito/torch-2.11.0/bin/python
if [ -z "${PYTHON:-}" ] && [ -x "$installed" ] && ! "$python" -c 'import torch' 2>/dev/null; then
  python=$installed
fi
if [ ! -d "$pack/bin" ]; then
  echo "error: $pack has no programs; run resources/gpu/pack.sh and start the check.sh in build/gpu-pack" >&2
  exit 1
fi
"$python" -c 'import torch' 2>/dev/null || {
  echo "error: $python has no torch; install torch 2.11 for CUDA 13, or set PYTHON to a Python that has it" >&2
  exit 1
}
# Torch's libraries come from its wheel, and so do those of CUDA, in folders next to it.
export LD_LIBRARY_PATH
LD_LIBRARY_PATH=$("$python" - <<'END'
import pathlib, torch
site = pathlib.Path(torch.__file__).parents[1]
print(":".join(str(folder) for folder in [site / "torch" / "lib", *sorted(site.glob("nvidia/*/lib"))]))
END
)${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export DUBITO_SOURCE_DIR=$pack DUBITO_SAMPLES=$pack/datasets/samples OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-PASSIVE}
exec "$python" "$pack/check.py" "$@"
