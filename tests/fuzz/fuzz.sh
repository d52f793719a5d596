#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Fuzzes the readers: tests/fuzz/fuzz.sh SECONDS [TARGET...]   (default: every target, each for SECONDS)
# Prints the number of executions of each. New inputs go to build/fuzz/found/TARGET, what breaks a reader to
# build/fuzz/broken; the exit status is 1 where there is any. Fix it and keep the input in corpus/TARGET.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. resources/setup/setup.sh

[ $# -gt 0 ] || die "give the seconds for each target, such as: tests/fuzz/fuzz.sh 60"
seconds=$1
shift
targets=("$@")
if [ ${#targets[@]} -eq 0 ]; then
  for source in tests/fuzz/*_fuzz.cpp; do
    name=$(basename "$source" _fuzz.cpp)
    targets+=("$name")
  done
fi

install_everything
install_packages resources/setup/packages-checks.txt
build fuzz
mkdir -p build/fuzz/broken
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=0 UBSAN_OPTIONS=print_stacktrace=1
failed=0
for name in "${targets[@]}"; do
  found=build/fuzz/found/$name
  log=build/fuzz/$name.log
  mkdir -p "$found"
  # No input may take a second or 1 GB (of which sanitizers take a part).
  build/fuzz/bin/${name}_fuzz -max_total_time="$seconds" -timeout=1 -rss_limit_mb=1024 -malloc_limit_mb=256 -max_len=16384 \
    -print_final_stats=1 -artifact_prefix=build/fuzz/broken/$name- "$found" "tests/fuzz/corpus/$name" >"$log" 2>&1 || {
    failed=1
    grep -E 'ERROR|broken promise|runtime error|SUMMARY' "$log" >&2 || tail -n 3 "$log" >&2
  }
  printf '%-10s %12s executions, %5s inputs kept\n' "$name" \
    "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" "$(find "$found" -type f | wc -l)"
done
exit $failed
