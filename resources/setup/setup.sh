# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by run.sh and test.sh from the repository root: installs what is missing and configures builds.
# If everything is in place, this takes well under a second.

setup_dir=resources/setup
cache_dir=${XDG_CACHE_HOME:-$HOME/.cache}/dubito
torch_venv=$cache_dir/torch-2.11.0
user_torch=

# Idle OpenMP threads sleep; spinning threads slow down a busy machine several times.
export OMP_WAIT_POLICY=${OMP_WAIT_POLICY:-PASSIVE}
# Share the compiler cache between checkouts.
export CCACHE_BASEDIR=${CCACHE_BASEDIR:-$PWD} CCACHE_NOHASHDIR=1
# Compare precompiled headers by content, not by time, because every checkout builds its own.
export CCACHE_SLOPPINESS=${CCACHE_SLOPPINESS:-pch_defines,time_macros,include_file_mtime,include_file_ctime}

say() { printf '\033[1m==> %s\033[0m\n' "$*" >&2; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "installing packages requires root; run as root, install sudo, or install them yourself: $missing_packages"
  fi
}

# install_packages [LIST]
install_packages() {
  local list=${1:-$setup_dir/packages.txt} wanted
  wanted=$(grep -v '^#' "$list")
  if ! command -v dpkg-query >/dev/null; then
    say "No Debian package manager found: make sure that the packages in $list are installed"
    return
  fi
  # shellcheck disable=SC2086
  missing_packages=$(comm -23 <(echo $wanted | tr ' ' '\n' | sort) \
    <(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' $wanted 2>/dev/null | sed -n 's/^ii *//p' | sort) | tr '\n' ' ')
  [ -n "$missing_packages" ] || return 0
  say "Installing packages: $missing_packages"
  as_root apt-get update -q || die "apt-get update failed; check the network connection"
  # shellcheck disable=SC2086
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing_packages ||
    die "apt-get could not install: $missing_packages"
}

find_python() {
  local candidate
  for candidate in python3 /usr/bin/python3 python3.13 python3.12 python3.11 python3.10; do
    if "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
      command -v "$candidate"
      return
    fi
  done
  die "no Python >= 3.10 with venv found; install python3-venv"
}

install_torch() {
  local stamp=$torch_venv/complete wanted
  wanted=$(sha256sum $setup_dir/requirements.txt | cut -d ' ' -f 1)
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then
    return
  fi
  mkdir -p "$cache_dir"
  (
    flock 9 # a second run.sh waits here until the first has finished
    if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$wanted" ]; then
      exit 0
    fi
    free_kb=$(df -Pk "$cache_dir" | awk 'NR == 2 {print $4}')
    [ "$free_kb" -gt 9000000 ] || die "LibTorch needs 9 GB in $cache_dir; free some space or set XDG_CACHE_HOME"
    say "Installing LibTorch 2.11 into $torch_venv (about 2 GB to download, once)"
    "$(find_python)" -m venv "$torch_venv" || die "cannot create a Python environment in $torch_venv; check python3-venv and the free space"
    "$torch_venv/bin/python" -m pip install --no-compile --disable-pip-version-check -r $setup_dir/requirements.txt ||
      die "LibTorch could not be installed; run again to continue, or use an existing one with --torch DIR"
    # nvcc looks for its libraries in lib64
    for toolkit in "$torch_venv"/lib/python3*/site-packages/nvidia/cu13; do
      ln -sfn lib "$toolkit/lib64"
    done
    echo "$wanted" >"$stamp"
  ) 9>"$cache_dir/lock" || exit 1
}

install_everything() {
  install_packages
  [ -n "$user_torch" ] || install_torch
}

# configure PRESET: only if there is no build yet or the LibTorch differs; ninja reconfigures when files change.
configure() {
  local cache=build/$1/CMakeCache.txt torch_dir=$user_torch
  local werror=${DUBITO_WERROR:-OFF}
  if [ -f "$cache" ] && [ -f "build/$1/build.ninja" ] && grep -qx "DUBITO_TORCH_DIR:PATH=$torch_dir" "$cache" &&
    grep -q "^DUBITO_WERROR:[A-Z]*=$werror$" "$cache"; then
    return
  fi
  say "Configuring $1"
  cmake --preset "$1" -U DUBITO_TORCH_ROOT -DDUBITO_TORCH_DIR="$torch_dir" -DDUBITO_WERROR="$werror"
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  configure "$preset" || die "configuring failed; see the messages above for what is missing"
  cmake --build --preset "$preset" ${1:+--target "$@"} || die "the build failed; see the compiler messages above"
}

# take_torch DIR: the value of --torch
take_torch() {
  [ -f "$1/include/torch/script.h" ] || die "--torch $1: include/torch/script.h not found; give the folder that contains include/ and lib/"
  user_torch=$(cd "$1" && pwd)
}
