#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The study of docs/measurements.md: the demo network on the full MNIST test set against three sets it has never seen, with map and
# mc-dropout, and with laplace on the last layer by three links. Prints the table of each method.
#   datasets/mnist_study.sh DATA [OUT]     DATA holds mnist/, fashion-mnist/, kmnist/ and notmnist/ as idx.gz; OUT gets the runs
set -euo pipefail
[ $# -ge 1 ] || {
  echo "usage: $0 DATA [OUT]" >&2
  exit 2
}
data=$1
out=${2:-build/mnist-study}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cli=${DUBITO_CLI:-$root/build/release/bin/dubito-cli}
model=${DUBITO_MODEL:-$root/datasets/samples/lenet-mnist.pt}
mkdir -p "$out"

# idx SET ROLE [FILES]: the t10k files, or the train files
idx() { echo "idx:$data/$1/${3:-t10k}-images-idx3-ubyte.gz,$data/$1/${3:-t10k}-labels-idx1-ubyte.gz?role=$2"; }

keep="--posterior $out/posterior.npz"
"$cli" laplace "$model" --fit "$(idx mnist train train)" $keep
for method in "map" "mc-dropout --draws 100 --seed 1" "laplace --link probit $keep" \
  "laplace --link bridge-centred $keep" "laplace --link mc --seed 1 $keep"; do
  name=${method%% *}
  [ "$name" != laplace ] || name=$(cut -d" " -f 1,3 <<<"$method" | tr " " "-")
  "$cli" predict "$model" "$(idx mnist test)" --method $method -o "$out/$name-mnist.npz"
  ood=()
  for set in fashion-mnist kmnist notmnist; do
    "$cli" predict "$model" "$(idx $set ood)" --method $method -o "$out/$name-$set.npz"
    ood+=(--ood "$set=$out/$name-$set.npz")
  done
  "$cli" evaluate "$out/$name-mnist.npz" "${ood[@]}" --json "$out/$name.json"
  echo
done
