#!/usr/bin/env bash
# Prints the machine and the versions of a measurement. The arguments are Debian packages.
set -euo pipefail
cpu() { lscpu | sed -n "s/^$1: *//p"; }
echo "processor  $(cpu 'Model name'), $(nproc --all) cores, caches $(cpu 'L1d cache') L1d, $(cpu 'L2 cache') L2, $(cpu 'L3 cache') L3"
echo "memory     $(awk '/MemTotal/ {printf "%.0f GB", $2 / 1e6}' /proc/meminfo)"
echo "system     $(. /etc/os-release && echo "$PRETTY_NAME"), Linux $(uname -r | cut -d. -f1-2), virtual: $(lscpu | sed -n 's/^Hypervisor vendor: *//p')"
echo "load       $(cut -d' ' -f1-3 /proc/loadavg) when this was written"
echo "copse      $(git rev-parse --short=12 HEAD)$(git diff --quiet HEAD -- '*.go' || echo ' with changes'), $(go version | cut -d' ' -f3-), GOAMD64=${GOAMD64:-v1}"
if command -v Rscript >/dev/null; then
  echo "R          BLAS $(Rscript --vanilla -e 'cat(extSoftVersion()["BLAS"])')"
fi
for p in "$@"; do
  printf '%-24s %s\n' "$p" "$(dpkg-query -W -f '${Version}' "$p")"
done
