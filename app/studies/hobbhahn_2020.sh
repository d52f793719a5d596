#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Repeats three experiments of M. Hobbhahn's thesis on the Laplace Bridge (2020): Table 5.1 (MNIST rows), Figure 5.1 and
# Figure 5.3. Prints the table with the published numbers; CSV files go to OUT.
#   app/studies/hobbhahn_2020.sh DATA [OUT]     DATA holds mnist/, fashion-mnist/, kmnist/ and notmnist/ as idx.gz
# Training five networks takes most of the time; networks already in OUT are reused.
set -euo pipefail
[ $# -ge 1 ] || {
  echo "usage: $0 DATA [OUT]" >&2
  exit 2
}
data=$1
out=${2:-build/hobbhahn-2020}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
bin=${DUBITO_BIN:-$root/build/release/bin}
mkdir -p "$out"

# idx SET ROLE [FILES]: the t10k files, or the train files
idx() { echo "idx:$data/$1/${3:-t10k}-images-idx3-ubyte.gz,$data/$1/${3:-t10k}-labels-idx1-ubyte.gz?role=$2"; }

# train NAME SEED DATASET
train() {
  [ -e "$out/$1.pt" ] || "$bin/dubito-cli" train lenet "$3" -o "$out/$1.pt" --seed "$2" --epochs 5
}

echo "Figure 5.3: KL divergence from the distribution of softmax(z)"
"$bin/dubito_studies" sample-divergence --csv "$out/sample-divergence.csv"

echo "Figure 5.1: a network trained on the digits 0, 1 and 2 only"
# items= applies before classes=, so about three items in ten remain.
train three-digits 1 "$(idx mnist train train)&items=:50000&classes=0,1,2"
"$bin/dubito_studies" class-variance "$out/three-digits.pt" "$(idx mnist test)" \
  --fit "$(idx mnist train train)&items=:15000&classes=0,1,2" --n 15500 \
  --calibration "$(idx mnist calibration train)&items=50000:&classes=0,1,2" --csv "$out/class-variance.csv"
cat "$out/class-variance.csv"

echo "Table 5.1"
networks=()
for seed in 1 2 3 4 5; do
  train "lenet-$seed" "$seed" "$(idx mnist train train)&items=:50000"
  networks+=("$out/lenet-$seed.pt")
done
"$bin/dubito_studies" ood-table "${networks[@]}" \
  --fit "$(idx mnist train train)&items=:5000" --n 50000 --calibration "$(idx mnist calibration train)&items=50000:60000" \
  --test "$(idx mnist test)" --ood "fashion-mnist=$(idx fashion-mnist ood)" --ood "notmnist=$(idx notmnist ood)" \
  --ood "kmnist=$(idx kmnist ood)" --csv "$out/ood-table.csv"
