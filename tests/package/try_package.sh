#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the Debian package, installs it into a bare Debian 12 and tries what it installs. Needs root, debootstrap, and the
# mirror that this machine's apt uses; takes some minutes.
#   DUBITO_TRY_PACKAGE=1 tests/package/try_package.sh BUILD
set -euo pipefail

die() {
  printf 'try_package.sh: %s\n' "$*" >&2
  exit 1
}

if [ "${1:-}" != --inside ]; then
  if [ "${DUBITO_TRY_PACKAGE:-}" != 1 ]; then
    echo "skipped: set DUBITO_TRY_PACKAGE=1"
    exit 77
  fi
  [ "$(id -u)" = 0 ] || die "installing a Debian needs root"
  command -v debootstrap >/dev/null || die "debootstrap is missing: apt install debootstrap"
  build=$(cd "${1:?name the folder of the build}" && pwd)
  work=$(mktemp -d /var/tmp/dubito-package.XXXXXX)
  trap 'rm -rf "$work"' EXIT
  # Mounts exist inside only, so that removing the folder cannot reach what they show.
  unshare --mount --propagation private "$(readlink -f "$0")" --inside "$build" "$work"
  exit
fi

build=$2 work=$3 root=$3/root
torch=$(sed -n 's/^DUBITO_TORCH_ROOT:PATH=//p' "$build/CMakeCache.txt")
mirror=$(apt-get indextargets --format '$(SITE)' 'Origin: Debian' 'Codename: bookworm' 'Created-By: Packages' | head -n 1)
[ -n "$mirror" ] || die "apt knows no mirror of Debian 12 (bookworm) here"
failures=0

say() { printf '\n== %s\n' "$*"; }

# check WHAT COMMAND...: its output is shown if it fails
check() {
  local what=$1
  shift
  if "$@" >"$work/log" 2>&1; then
    echo "ok    $what"
  else
    echo "FAIL  $what"
    sed 's/^/      /' "$work/log"
    failures=$((failures + 1))
  fi
}

# in_root USER COMMAND, as a line of shell
in_root() {
  local home=/root
  [ "$1" = root ] || home=/home/$1
  chroot --userspec="$1:$1" "$root" /usr/bin/env -i HOME="$home" LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    OMP_WAIT_POLICY=PASSIVE bash -euo pipefail -c "cd; $2"
}

install() {
  in_root root "DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $*"
}

# ends STATUS PATTERN USER COMMAND: with this status and with PATTERN in what it printed
ends() {
  in_root "$3" "status=0; output=\$($4 2>&1) || status=\$?; echo \"\$output\"; [ \$status = $1 ] && grep -q -e '$2' <<<\"\$output\""
}
prints() { ends 0 "$@"; }
refuses() { ends 1 "$@"; }

say "Package"
cmake -E chdir "$build" cpack -G DEB -B "$work/package" >"$work/log" || {
  cat "$work/log"
  die "cpack failed"
}
deb=$(ls "$work"/package/*.deb)
name=$(basename "$deb")
dpkg-deb --info "$deb" | sed -n '/^ Package/,$p'
dpkg-deb --contents "$deb" | awk '{print $1, $3, $6, $7, $8}'
echo "$name: $(stat -c %s "$deb") bytes"

say "Bare Debian 12"
debootstrap --variant=minbase bookworm "$root" "$mirror" >"$work/log" || {
  tail "$work/log"
  die "debootstrap failed"
}
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" # starts no services
chmod +x "$root/usr/sbin/policy-rc.d"
mount -t proc proc "$root/proc"
mkdir -p "$root/opt/site-packages"
# LibTorch's wheel finds its CUDA libraries next to it.
mount --bind "$(dirname "$torch")" "$root/opt/site-packages"
mount -o remount,ro,bind "$root/opt/site-packages"
torch_inside=/opt/site-packages/$(basename "$torch")
cp "$deb" "$root/root/"
in_root root "apt-get update -q" >"$work/log"
in_root root "useradd --create-home someone"

printf 'cat,dog,label\n0.9,0.1,cat\n0.2,0.8,dog\n0.6,0.4,dog\n0.7,0.3,cat\n' >"$root/home/someone/predictions.csv"
evaluate=(prints "accuracy *75" someone "dubito-cli evaluate predictions.csv")

say "Checks"
check "apt installs it with all that it depends on" install "/root/$name"
for program in dubito dubito-cli; do
  check "without LibTorch $program says how to get it" refuses "^$program: LibTorch .* is missing" someone "$program predict x y -o z"
done
check "dubito-cli evaluate needs no LibTorch" "${evaluate[@]}"
check "dubito-setup names what a download needs" refuses "apt install python3-venv" root dubito-setup
check "dubito-setup --torch takes a LibTorch for all users" in_root root "dubito-setup --torch $torch_inside"
check "every library that is needed is there" in_root root \
  '! for file in /usr/lib/dubito/*; do [ -d "$file" ] || ldd "$file" 2>/dev/null || true; done | grep "not found"'
check "dubito-cli --help" prints "evaluate" someone "dubito-cli --help"
check "dubito --version" prints "dubito [0-9]" someone "dubito --version"
check "dubito-cli evaluate of a table: 3 of 4 are right" "${evaluate[@]}"
samples=/usr/share/dubito/samples
check "dubito-cli predict of the samples" prints . someone "dubito-cli --progress none predict $samples/lenet-mnist.pt \
  'idx:$samples/mnist-2000-images-idx3-ubyte.gz?items=0:100' --method mc-dropout --draws 5 -o draws.npz"
check "dubito --report of the demo" in_root someone "dubito --report report && test -s report/report.html"
in_root someone 'cd report; find . -type f | wc -l; du -sh .' | paste -sd ' ' | sed 's/^/      files and size of the report: /'

install man-db bash-completion desktop-file-utils shared-mime-info openmpi-bin xvfb xauth >"$work/log" 2>&1 || die "$(tail "$work/log")"
check "two processes under mpirun give the same run" in_root someone "mpirun -n 2 --oversubscribe dubito-cli --progress none predict \
  $samples/lenet-mnist.pt 'idx:$samples/mnist-2000-images-idx3-ubyte.gz?items=0:100' --method mc-dropout --draws 5 -o both.npz
  dubito-cli evaluate draws.npz >one; dubito-cli evaluate both.npz >two; diff <(grep -E 'accuracy|NLL' one) <(grep -E 'accuracy|NLL' two)"
check "the window opens under X11" ends 124 "first paint" someone \
  "timeout 60 xvfb-run -a -s '-screen 0 1280x800x24' dubito --theme light --print-startup-time"
for program in dubito dubito-cli dubito-setup; do
  check "man $program" prints "$program" someone "man $program"
done
check "man dubito-cli names every command" in_root someone \
  'man dubito-cli >page; for name in $(dubito-cli --help | sed -n "/^Subcommands/,\$s/^  \([a-z]*\) .*/\1/p"); do grep -q "^   $name" page; done'
check "completion of a command" prints "^--method$" someone 'source /usr/share/bash-completion/bash_completion
  _completion_loader dubito-cli || true; COMP_WORDS=(dubito-cli predict --meth); COMP_CWORD=2; _dubito_cli; echo "${COMPREPLY[@]}"'
check "completion of dubito" prints "light dark" someone 'source /usr/share/bash-completion/bash_completion
  _completion_loader dubito || true; COMP_WORDS=(dubito --theme ""); COMP_CWORD=2; _dubito; echo "${COMPREPLY[@]}"'
check "desktop-file-validate" in_root root "desktop-file-validate /usr/share/applications/dubito.desktop"
check "file types of workspaces, models and runs" in_root root \
  'for ending in dubito pt npz npy; do grep "\*\.$ending\$" /usr/share/mime/globs2; done'
check "icons" in_root root "test -s /usr/share/icons/hicolor/scalable/apps/dubito.svg -a -s /usr/share/icons/hicolor/128x128/apps/dubito.png"
check "copyright and changelog" in_root root \
  "grep -q GPL-3.0-or-later /usr/share/doc/dubito/copyright && gzip -t /usr/share/doc/dubito/changelog.gz"

in_root root 'rm -r /usr/lib/dubito/torch-*'
check "dubito-setup --torch takes a LibTorch for one user" in_root someone "dubito-setup --torch $torch_inside && ls .local/share/dubito"
check "that user's dubito finds it" prints "dubito [0-9]" someone "dubito --version"
check "and their dubito-cli" prints "cpu" someone "dubito-cli devices"
check "other users do not have it" refuses "is missing" root "dubito --version"
in_root root "dubito-setup --torch $torch_inside" >/dev/null
check "apt removes it" in_root root "DEBIAN_FRONTEND=noninteractive apt-get remove -q -y dubito"
check "nothing of it stays, and the LibTorch that it was linked to does" in_root root \
  "! ls -d /usr/lib/dubito /usr/share/dubito /usr/bin/dubito* 2>/dev/null && test -e $torch_inside/lib/libtorch_cpu.so"

say "$failures failed"
[ $failures = 0 ]
