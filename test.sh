#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and runs all tests.
#   ./test.sh [--torch DIR] [--preset NAME]... [--all] [--check-format] [--tidy] [--coverage]
# Without --preset: release, and the command line once more without Qt. Real data is taken from DUBITO_SHARED, or from
# ../shared.
#   --all           every preset: also debug, sanitizers, and the corpus of the fuzz targets
#   --check-format  clang-format finds nothing to change
#   --tidy          clang-tidy finds nothing in the sources of the preset dev (takes long)
#   --coverage      only the tests of core, and the share of its lines that they reach (at least 85 %)
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
      [ $# -gt 1 ] || die "--torch needs the folder of a LibTorch"
      take_torch "$2"
      shift 2
      ;;
    --preset)
      [ $# -gt 1 ] || die "--preset needs a name from CMakePresets.json"
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
  [ ${#presets[@]} -eq 0 ] || die "--coverage takes no other preset"
  presets=(coverage)
fi
without_qt=false
if [ ${#presets[@]} -eq 0 ]; then
  presets=(release)
  without_qt=true
fi

install_everything
if $tidy || $coverage || [[ " ${presets[*]} " == *" fuzz "* ]]; then
  install_packages $setup_dir/packages-checks.txt
fi

if $check_format; then
  say "Checking the format of the code"
  git ls-files '*.h' '*.cpp' '*.cu' | xargs clang-format --dry-run --Werror ||
    die "some files are not formatted; run: git ls-files '*.h' '*.cpp' '*.cu' | xargs clang-format -i"
fi

if $tidy; then
  # Files that include what the build generates have to wait for it. A fast build has no command for each source.
  build dev
  say "Reading the code with clang-tidy"
  # Files that this build leaves out have no command to be read with.
  git ls-files 'core/*.cpp' 'app/*.cpp' 'widgets/*.cpp' |
    while read -r file; do if grep -qF "/$file\"" build/dev/compile_commands.json; then echo "$file"; fi; done |
    xargs -P "$(nproc)" -n 4 clang-tidy -p build/dev --quiet --warnings-as-errors='*' 2> >(grep -v 'warnings generated' >&2) ||
    die "clang-tidy has remarks, see above"
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
if $without_qt; then
  # The sources of core and their commands are those of release, whose tests have run them: what remains to be seen is
  # that they build where there is no Qt. The compiler cache makes it cheap.
  say "Building the command line without Qt"
  build core-only dubito-cli
  for program in dubito-cli dubito-cli-networks; do
    ! ldd "build/core-only/bin/$program" | grep -q Qt || die "$program needs Qt; core and app/cli must not include it"
    "build/core-only/bin/$program" --version >/dev/null || die "$program does not start without Qt"
  done
fi
failed=()
for preset in "${presets[@]}"; do
  say "Testing $preset"
  ctest --preset "$preset" --parallel "$(nproc)" || failed+=("$preset")
done
if $coverage; then
  say "Counting the lines of core that the tests reach"
  gcovr --root . --filter 'core/' --object-directory build/coverage --exclude '.*_cuda.*' --exclude-throw-branches \
    --sort-percentage --fail-under-line 85 || failed+=("coverage: less than 85 % of core's lines")
fi
[ ${#failed[@]} -eq 0 ] || die "tests failed in: ${failed[*]}"
