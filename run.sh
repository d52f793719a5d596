#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and opens the window; without a display, renders the demo's report.
#   ./run.sh [--torch DIR] [FILES and options of dubito...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
started_in=$OLDPWD
. resources/setup/setup.sh

arguments=()
while [ $# -gt 0 ]; do
  case $1 in
    --torch)
      [ $# -gt 1 ] || die "--torch requires a LibTorch folder"
      take_torch "$2"
      shift 2
      ;;
    *)
      arguments+=("$1")
      shift
      ;;
  esac
done

install_everything
build release dubito dubito-cli >&2

program=$PWD/build/release/bin/dubito
if [ -z "${DISPLAY:-}" ] && [ -z "${WAYLAND_DISPLAY:-}" ] && [ ${#arguments[@]} -eq 0 ]; then
  say "No display: rendering the demo's report into $PWD/build/report"
  exec "$program" --report "$PWD/build/report"
fi
cd "$started_in"
exec "$program" "${arguments[@]}"
