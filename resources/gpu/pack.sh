#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Collects everything that check.sh needs on a GPU machine without Qt, OpenCV, compilers and network into build/gpu-pack,
# and the same as one file, build/gpu-pack.tar.gz. That machine needs a driver and a Python with torch 2.11 for CUDA 13.
#   resources/gpu/pack.sh [--torch DIR] [--built] [-o DIR]
#   --built  the preset compute-only is built already; only collect
#   -o DIR   the folder to make (default build/gpu-pack)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. resources/setup/setup.sh

max_packed_megabytes=60  # the archive travels to the other machine
programs=(device_batches_test dubito_device_benchmark dubito_kernel_benchmark dubito-cli-networks kernels_test
  laplace_test models_test predict_test train_test)
data=(tests/data tests/vectors datasets/samples)
# Of the C library; those of LibTorch and CUDA are the other machine's, too. So is the C++ library, because torch's Python
# may need a newer one.
left_out='^(ld-linux.*|libc|libm|libdl|librt|libpthread|libresolv|libutil|libstdc\+\+|libgcc_s)\.so'

pack=build/gpu-pack
built=false
while [ $# -gt 0 ]; do
  case $1 in
    --torch)
      [ $# -gt 1 ] || die "--torch requires a LibTorch folder"
      take_torch "$2"
      shift 2
      ;;
    --built)
      built=true
      shift
      ;;
    -o)
      [ $# -gt 1 ] || die "-o requires a folder"
      pack=$2
      shift 2
      ;;
    *) die "unknown argument $1; use --torch DIR, --built or -o DIR" ;;
  esac
done

if ! $built; then
  install_everything
  build compute-only gpu_pack_programs >&2
fi
bin=build/compute-only/bin
for file in "${programs[@]}" libdubito_cuda.so; do
  [ -f "$bin/$file" ] || die "$bin/$file is missing; run without --built (CUDA kernels need nvcc)"
done

rm -rf "$pack" "$pack.tar.gz"
mkdir -p "$pack/bin" "$pack/lib"
cp "${programs[@]/#/$bin/}" "$bin/libdubito_cuda.so" "$pack/bin/"
# ldd names what is missing as "not found", without a path.
missing=$(ldd "$pack"/bin/* | sed -n 's/^\t\([^ ]*\) => not found$/\1/p' | sort -u)
[ -z "$missing" ] || die "these libraries were not found: $missing"
ldd "$pack"/bin/* | sed -n 's/^\t[^ ]* => \(\/[^ ]*\) .*/\1/p' | sort -u >"$pack/libraries"
torch_site=$(dirname "$(dirname "$(ldd "$pack/bin/dubito-cli-networks" | sed -n 's/^\tlibtorch_cpu\.so => \(\/[^ ]*\) .*/\1/p')")")
others=()
while read -r library; do
  name=$(basename "$library")
  if [[ $library == "$(dirname "$torch_site")"/* ]] || grep -Eq "$left_out" <<<"$name"; then
    others+=("$name")
  else
    cp -L "$library" "$pack/lib/$name"
  fi
done <"$pack/libraries"
rm "$pack/libraries"

find "$pack/bin" "$pack/lib" -type f -exec strip --strip-unneeded {} +
for file in "$pack"/bin/* "$pack"/lib/*; do
  case $file in
    */bin/*) patchelf --set-rpath '$ORIGIN/../lib:$ORIGIN' "$file" ;;
    *) patchelf --set-rpath '$ORIGIN' "$file" ;;
  esac
done

for folder in "${data[@]}"; do
  mkdir -p "$pack/$folder"
  cp -r "$folder/." "$pack/$folder/"
done
cp resources/gpu/check.sh resources/gpu/*.py LICENSE "$pack/"

tar -C "$(dirname "$pack")" -czf "$pack.tar.gz" "$(basename "$pack")"
packed_megabytes=$(($(du -sb "$pack.tar.gz" | cut -f 1) / 1000000))
printf '%s: %s MB (%s files), packed %s MB\n' "$pack" "$(($(du -sb "$pack" | cut -f 1) / 1000000))" \
  "$(find "$pack" -type f | wc -l)" "$packed_megabytes"
printf '  programs: %s\n' "${programs[*]}"
printf '  libraries: %s\n' "$(cd "$pack/lib" && echo *)"
printf '  left to the other machine: %s\n' "${others[*]}"
[ "$packed_megabytes" -lt $max_packed_megabytes ] ||
  die "the packed archive has $packed_megabytes MB; it must stay below $max_packed_megabytes MB"
