#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs a build into a temporary folder and checks that the launchers find LibTorch for all users and for one, and that
# they and dubito-setup report what to do if it is missing or of the wrong version.
#   tests/package/try_launchers.sh BUILD TORCH
set -euo pipefail
build=$1 torch=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work/home XDG_DATA_HOME=
unset DISPLAY WAYLAND_DISPLAY LD_LIBRARY_PATH
cmake --install "$build" --prefix "$work/usr" >"$work/log" || {
  cat "$work/log"
  exit 1
}
bin=$work/usr/bin home=$work/usr/lib/dubito
version=$(sed -n 's/^version=//p' "$bin/dubito-setup")
failures=0

# expect STATUS PATTERN COMMAND...
expect() {
  local wanted=$1 pattern=$2 status=0 output
  shift 2
  output=$("$@" 2>&1) || status=$?
  if [ $status != "$wanted" ] || ! grep -q -e "$pattern" <<<"$output"; then
    printf '%s: status %s, wanted %s and "%s":\n%s\n' "$*" $status "$wanted" "$pattern" "$output"
    failures=$((failures + 1))
  fi
}

expect 1 "^dubito-cli: LibTorch $version is missing" "$bin/dubito-cli" predict --help
expect 1 "dubito-setup --torch DIR" "$bin/dubito-cli" predict --help
if [ -e "$bin/dubito" ]; then
  expect 1 "^dubito: LibTorch $version is missing" "$bin/dubito" --version
  # Started by a desktop, it shows the message in a dialog.
  mkdir "$work/tools"
  printf '#!/bin/sh\necho "$@" >"%s"\n' "$work/dialog" >"$work/tools/zenity"
  chmod +x "$work/tools/zenity"
  expect 1 "is missing" env DISPLAY=:99 PATH="$work/tools:$PATH" "$bin/dubito"
  expect 0 "dubito-setup" cat "$work/dialog"
fi
expect 0 "--torch DIR" "$bin/dubito-setup" --help
expect 2 "unknown argument --wrong" "$bin/dubito-setup" --wrong
expect 1 "no lib/libtorch_cpu.so there" "$bin/dubito-setup" --torch "$work"
mkdir -p "$work/other/lib"
touch "$work/other/lib/libtorch_cpu.so"
echo 0.1.0+cpu >"$work/other/build-version"
expect 1 "this is LibTorch 0.1.0+cpu; $version is needed" "$bin/dubito-setup" --torch "$work/other"
echo "$version+cpu" >"$work/other/build-version"
expect 1 "cannot load the LibTorch" "$bin/dubito-setup" --torch "$work/other"

# A user's own, then one for all.
mkdir -p "$HOME/.local/share/dubito/torch-$version"
ln -s "$torch" "$HOME/.local/share/dubito/torch-$version/torch"
expect 0 "dropout" "$bin/dubito-cli" predict --help
rm -r "$HOME"
mkdir "$home/torch-0.1.0"
expect 0 "^LibTorch $version: $(readlink -f "$torch")" "$bin/dubito-setup" --torch "$torch"
expect 0 "dropout" "$bin/dubito-cli" predict --help
if [ -e "$bin/dubito" ]; then
  expect 0 "dubito [0-9]" "$bin/dubito" --version
fi
if [ -e "$home/torch-0.1.0" ]; then
  echo "dubito-setup left the LibTorch of another version"
  failures=$((failures + 1))
fi
[ $failures = 0 ]
