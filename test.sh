#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and runs all tests.
#   ./test.sh [--torch DIR] [--preset NAME]... [--check-format]
# Without --preset: release and core-only (the same without Qt). Real data is taken from DUBITO_SHARED, or from ../shared.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. resources/setup/setup.sh

presets=()
check_format=false
while [ $# -gt 0 ]; do
  case $1 in
    --torch)
      [ $# -gt 1 ] || die "--torch needs the folder of a LibTorch"
      take_torch "$2"
      shift 2
      ;;
    --preset)
      [ $# -gt 1 ] || die "--preset needs a name from CMakePresets.json"
      presets+=("$2")
      shift 2
      ;;
    --check-format)
      check_format=true
      shift
      ;;
    *) die "unknown argument $1; use --torch DIR, --preset NAME or --check-format" ;;
  esac
done
[ ${#presets[@]} -gt 0 ] || presets=(release core-only)

install_everything

if $check_format; then
  say "Checking the format of the code"
  git ls-files '*.h' '*.cpp' '*.cu' | xargs clang-format --dry-run --Werror ||
    die "some files are not formatted; run: git ls-files '*.h' '*.cpp' '*.cu' | xargs clang-format -i"
fi

if [ -z "${DUBITO_SHARED:-}" ] && [ -d ../shared/datasets ]; then
  DUBITO_SHARED=$(cd ../shared && pwd)
fi
export DUBITO_SHARED=${DUBITO_SHARED:-}
export QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen}

# core-only repeats the compilation of core without Qt: ccache makes it cheap.
for preset in "${presets[@]}"; do
  say "Building $preset"
  build "$preset"
done
failed=()
for preset in "${presets[@]}"; do
  say "Testing $preset"
  ctest --preset "$preset" --parallel "$(nproc)" || failed+=("$preset")
done
[ ${#failed[@]} -eq 0 ] || die "tests failed in: ${failed[*]}"
