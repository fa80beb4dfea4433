#!/usr/bin/env bash
# Proves that a bare Debian 12 with nothing but git is enough: makes a minimal system in a folder, clones this
# repository into it and runs ./dev there on two cores, as root, timing it.
#
#   tools/bare_machine.sh FOLDER [./dev arguments]      default arguments: demo
#
# Wants root and debootstrap. The minimal system is kept as FOLDER/base; each call works on a fresh copy of it in
# FOLDER/machine. Package sources, for apt and npm, and the certificates to reach them are the
# host's, so that it works wherever the host does.
# Commit first: the clone holds what is committed.
set -euo pipefail

(($#)) || { sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 2; }
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
(($#)) || set -- demo
base=$folder/base machine=$folder/machine
((EUID == 0)) || { echo "bare_machine: wants root (chroot)" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "bare_machine: apt-get install debootstrap" >&2; exit 1; }

mounts=(proc sys dev dev/pts dev/shm)
unmount_all() {
  local i
  for ((i = ${#mounts[@]} - 1; i >= 0; --i)); do
    if mountpoint -q "$machine/${mounts[i]}"; then umount "$machine/${mounts[i]}"; fi
  done
}
remove_machine() {
  unmount_all
  rm -rf --one-file-system "$machine"
}
trap unmount_all EXIT

# The minimal system, with the host's package sources, plus git.
make_base() {
  local mirror
  mirror=$(sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\?\([^ ]*\) bookworm .*/\2/p' \
    /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null | grep -v security | head -n 1 || true)
  [[ $mirror ]] || { echo "bare_machine: no package source for bookworm in the host's apt settings" >&2; exit 1; }
  rm -rf "$base.part"
  debootstrap --variant=minbase bookworm "$base.part" "$mirror" >"$folder/debootstrap.log"
  rm -rf "$base.part/etc/apt"
  cp -a /etc/apt "$base.part/etc/apt"
  rm -rf "$base.part"/etc/apt/preferences.d/*
  cp /etc/resolv.conf /etc/hosts "$base.part/etc/"
  if [[ -d /usr/local/share/ca-certificates ]]; then
    mkdir -p "$base.part/usr/local/share/ca-certificates"
    cp -a /usr/local/share/ca-certificates/. "$base.part/usr/local/share/ca-certificates/"
  fi
  # git asks for certificates only; nothing else is put on the machine.
  chroot "$base.part" env DEBIAN_FRONTEND=noninteractive sh -c \
    'apt-get update -qq && apt-get install -y -qq --no-install-recommends git ca-certificates' >>"$folder/debootstrap.log" 2>&1
  rm -rf "$base.part"/var/lib/apt/lists/* "$base.part"/var/cache/apt/*
  mv "$base.part" "$base"
}

if [[ ! -d $base ]]; then
  echo "Making the minimal system in $base"
  make_base
fi
remove_machine
cp -a "$base" "$machine"
mount -t proc proc "$machine/proc"
mount -t sysfs -o ro sysfs "$machine/sys"
mount --bind /dev "$machine/dev"
mount --bind /dev/pts "$machine/dev/pts"
mount --bind /dev/shm "$machine/dev/shm"
git clone -q --no-hardlinks "$repository" "$machine/marrow"

echo "Bare machine: $(chroot "$machine" dpkg-query -W | wc -l) packages, $(du -sm "$base" | cut -f1) MB; now ./dev $*"
start=$SECONDS status=0
registry=$(npm config get registry 2>/dev/null || true)
# A login of root on two cores, with none of the host's settings.
taskset -c 0,1 chroot "$machine" env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  TERM="${TERM:-dumb}" ${CI:+CI="$CI"} ${registry:+npm_config_registry="$registry"} \
  NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt \
  bash -c 'cd /marrow && exec ./dev "$@"' dev "$@" || status=$?
echo "Bare machine: ./dev $* ended with $status after $((SECONDS - start)) s," \
  "$(du -sm --one-file-system "$machine" | cut -f1) MB on disk"
exit "$status"
