#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and runs all tests.
#   ./test.sh [--torch DIR] [--preset NAME]... [--all] [--check-format] [--tidy] [--coverage]
# Without --preset: release, and the command line built again without Qt and OpenCV, with which the check for GPU machines
# is packed and tried. Real data comes from DUBITO_SHARED or ../shared.
#   --all           all presets, including debug, sanitizers and the fuzz corpus
#   --check-format  fail if clang-format would change a file
#   --tidy          fail on clang-tidy warnings in the sources of the preset dev (slow)
#   --coverage      only the tests of core; fail if they cover less than 85 % of its lines
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. resources/setup/setup.sh

presets=()
check_format=false
tidy=false
coverage=false
while [ $# -gt 0 ]; do
  case $1 in
    --torch)
      [ $# -gt 1 ] || die "--torch requires a LibTorch folder"
      take_torch "$2"
      shift 2
      ;;
    --preset)
      [ $# -gt 1 ] || die "--preset requires a name from CMakePresets.json"
      presets+=("$2")
      shift 2
      ;;
    --all)
      presets=(release core-only compute-only dev asan tsan fuzz)
      shift
      ;;
    --check-format)
      check_format=true
      shift
      ;;
    --tidy)
      tidy=true
      shift
      ;;
    --coverage)
      coverage=true
      shift
      ;;
    *) die "unknown argument $1; use --torch DIR, --preset NAME, --all, --check-format, --tidy or --coverage" ;;
  esac
done
if $coverage; then
  [ ${#presets[@]} -eq 0 ] || die "--coverage cannot be combined with --preset or --all"
  presets=(coverage)
fi
without_window=false
if [ ${#presets[@]} -eq 0 ]; then
  presets=(release)
  without_window=true
fi

install_everything
if $tidy || $coverage || [[ " ${presets[*]} " == *" fuzz "* ]]; then
  install_packages $setup_dir/packages-checks.txt
fi

if $check_format; then
  say "Checking the code format"
  git ls-files '*.h' '*.cpp' '*.cu' | xargs clang-format --dry-run --Werror ||
    die "some files are not formatted; run: git ls-files '*.h' '*.cpp' '*.cu' | xargs clang-format -i"
fi

if $tidy; then
  # Some sources include generated files, so build first. Unity builds have no compile command per source; dev has.
  build dev
  say "Running clang-tidy"
  # Sources that this build leaves out have no compile command and are skipped.
  git ls-files 'core/*.cpp' 'app/*.cpp' 'widgets/*.cpp' |
    while read -r file; do if grep -qF "/$file\"" build/dev/compile_commands.json; then echo "$file"; fi; done |
    xargs -P "$(nproc)" -n 4 clang-tidy -p build/dev --quiet --warnings-as-errors='*' 2> >(grep -v 'warnings generated' >&2) ||
    die "clang-tidy reported warnings, see above"
fi

if [ -z "${DUBITO_SHARED:-}" ] && [ -d ../shared/datasets ]; then
  DUBITO_SHARED=$(cd ../shared && pwd)
fi
export DUBITO_SHARED=${DUBITO_SHARED:-}
export QT_QPA_PLATFORM=${QT_QPA_PLATFORM:-offscreen}

for preset in "${presets[@]}"; do
  say "Building $preset"
  build "$preset"
done
failed=()
if $without_window; then
  # Checks that core and the command line build without Qt and OpenCV; their tests run in release. The compiler cache
  # makes it cheap.
  say "Building the command line without Qt and OpenCV"
  build compute-only dubito-cli gpu_pack_programs
  for program in dubito-cli dubito-cli-networks; do
    ! ldd "build/compute-only/bin/$program" | grep -qE 'Qt|opencv' ||
      die "$program links to Qt or OpenCV; it must not in this preset"
    "build/compute-only/bin/$program" --version >/dev/null || die "$program does not start without Qt and OpenCV"
  done
  say "Trying the check for GPU machines on the processor"
  ctest --preset compute-only --tests-regex '^gpu/' || failed+=("the check for GPU machines")
fi
for preset in "${presets[@]}"; do
  say "Testing $preset"
  ctest --preset "$preset" --parallel "$(nproc)" || failed+=("$preset")
done
if $coverage; then
  say "Measuring the line coverage of core"
  gcovr --root . --filter 'core/' --object-directory build/coverage --exclude '.*_cuda.*' --exclude-throw-branches \
    --sort-percentage --fail-under-line 85 || failed+=("coverage: below 85 % of core's lines")
fi
[ ${#failed[@]} -eq 0 ] || die "tests failed in: ${failed[*]}"
