#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Fetches the full data sets that the tables of docs/measurements.md are made from, checks every file, and unpacks archives.
#   datasets/fetch.sh DESTINATION [--from DIR] [SET...]
# Sets: mnist fashion-mnist kmnist notmnist cifar-10 (default: all, 290 MB). Files that are there and right are kept.
# --from DIR takes the files from a folder instead of the network: DIR/SET/FILE, or DIR/FILE for a single set.
set -euo pipefail

die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# set | file | checksum | official address | mirror. An address that ends in a slash is followed by the file's name.
# md5 sums are those that the authors publish; sha256 sums were computed from files known to be right.
# MNIST's own page no longer hands out files; its two addresses here are copies that frameworks use.
catalogue() {
  local pytorch=https://ossci-datasets.s3.amazonaws.com/mnist/ cvdf=https://storage.googleapis.com/cvdf-datasets/mnist/
  local zalando=http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/
  local zalando_git=https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/
  local codh=http://codh.rois.ac.jp/kmnist/dataset/kmnist/ archive=https://web.archive.org/web/2023id_/
  local flanagan=https://raw.githubusercontent.com/davidflanagan/notMNIST-to-MNIST/master/
  local flanagan_cdn=https://cdn.jsdelivr.net/gh/davidflanagan/notMNIST-to-MNIST@master/
  local toronto=https://www.cs.toronto.edu/~kriz/
  cat <<END
mnist|train-images-idx3-ubyte.gz|sha256:440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609|$pytorch|$cvdf
mnist|train-labels-idx1-ubyte.gz|sha256:3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c|$pytorch|$cvdf
mnist|t10k-images-idx3-ubyte.gz|sha256:8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6|$pytorch|$cvdf
mnist|t10k-labels-idx1-ubyte.gz|sha256:f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6|$pytorch|$cvdf
fashion-mnist|train-images-idx3-ubyte.gz|md5:8d4fb7e6c68d591d4c3dfef9ec88bf0d|$zalando|$zalando_git
fashion-mnist|train-labels-idx1-ubyte.gz|md5:25c81989df183df01b3e8a0aad5dffbe|$zalando|$zalando_git
fashion-mnist|t10k-images-idx3-ubyte.gz|md5:bef4ecab320f06d8554ea6380940ec79|$zalando|$zalando_git
fashion-mnist|t10k-labels-idx1-ubyte.gz|md5:bb300cfdad3c16e7a12a480ee83cd310|$zalando|$zalando_git
kmnist|train-images-idx3-ubyte.gz|md5:bdb82020997e1d708af4cf47b453dcf7|$codh|$archive$codh
kmnist|train-labels-idx1-ubyte.gz|md5:e144d726b3acfaa3e44228e80efcd344|$codh|$archive$codh
kmnist|t10k-images-idx3-ubyte.gz|md5:5c965bf0a639b31b8f53240b1b52f4d7|$codh|$archive$codh
kmnist|t10k-labels-idx1-ubyte.gz|md5:7320c461ea6c1c855c0b718fb2a4b134|$codh|$archive$codh
notmnist|t10k-images-idx3-ubyte.gz|sha256:70ae9e06201f2827e5b0a3781a3169d735dd2efc69996b9eeaee7f10ed4044d7|$flanagan|$flanagan_cdn
notmnist|t10k-labels-idx1-ubyte.gz|sha256:1fa03836e01c862542f8eb83463bb951bebec6fcb3efa28dad748c6b38a9021b|$flanagan|$flanagan_cdn
cifar-10|cifar-10-binary.tar.gz|md5:c32a1d4ab5d03f1284b67883e8d87530|$toronto|$archive$toronto
END
}

usage='usage: datasets/fetch.sh DESTINATION [--from DIR] [SET...]'
destination=
from=
sets=()
while [ $# -gt 0 ]; do
  case $1 in
    --from)
      [ $# -gt 1 ] || die "--from needs a folder; $usage"
      [ -d "$2" ] || die "--from $2: there is no such folder; give the one that holds the files"
      from=$2
      shift 2
      ;;
    -*) die "unknown option $1; $usage" ;;
    *)
      if [ -z "$destination" ]; then destination=$1; else sets+=("$1"); fi
      shift
      ;;
  esac
done
[ -n "$destination" ] || die "$usage"
known=$(catalogue | cut -d '|' -f 1 | uniq | tr '\n' ' ')
for set in "${sets[@]}"; do
  [[ " $known" == *" $set "* ]] || die "$set: this set is not known; choose from: $known"
done
[ ${#sets[@]} -gt 0 ] || read -r -a sets <<<"$known"

# is_right FILE SUM
is_right() {
  [ -f "$1" ] && echo "${2#*:}  $1" | "${2%%:*}sum" --check --status -
}

# copy_from SET FILE TARGET
copy_from() {
  local candidate
  for candidate in "$from/$1/$2" "$from/$2"; do
    if [ -f "$candidate" ]; then
      cp "$candidate" "$3" || die "$3: it cannot be written; free some space or choose another destination"
      return
    fi
  done
  die "$from: it holds neither $1/$2 nor $2; fetch them elsewhere, or leave --from away"
}

# download FILE TARGET SUM ADDRESS...
download() {
  local file=$1 target=$2 sum=$3 address reasons=
  shift 3
  command -v curl >/dev/null || die "curl is missing; install it, or give the files with --from DIR"
  for address in "$@"; do
    if curl --fail --location --silent --show-error --connect-timeout 20 --retry 2 --output "$target" "$address$file" 2>"$target.log"; then
      if is_right "$target" "$sum"; then
        rm -f "$target.log"
        return
      fi
      reasons+=" $address$file: its checksum is wrong;"
    else
      reasons+=" $address$file: $(tail -n 1 "$target.log" | sed 's/^curl: //');"
    fi
  done
  rm -f "$target" "$target.log"
  die "$file: none of its addresses gave it:$reasons try later, or give the files with --from DIR"
}

catalogue | while IFS='|' read -r set file sum official mirror; do
  [[ " ${sets[*]} " == *" $set "* ]] || continue
  folder=$destination/$set
  mkdir -p "$folder" || die "$folder: the folder cannot be made; choose another destination"
  target=$folder/$file
  if is_right "$target" "$sum"; then
    printf '%s: already there\n' "$set/$file"
  else
    part=$target.part
    if [ -n "$from" ]; then
      copy_from "$set" "$file" "$part"
      is_right "$part" "$sum" || {
        rm -f "$part"
        die "$from: its $file is not the published file (the checksum differs); fetch it again"
      }
    else
      download "$file" "$part" "$sum" "$official" "$mirror"
    fi
    mv "$part" "$target"
    printf '%s: fetched\n' "$set/$file"
  fi
  if [[ $file == *.tar.gz ]]; then
    # The records and the class names lie side by side, as the data set is opened.
    tar -xzf "$target" -C "$folder" --strip-components=1 || die "$target: it cannot be unpacked; free some space and run again"
  fi
done
