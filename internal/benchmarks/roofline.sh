#!/usr/bin/env bash
# Measures the peak rates of one core, and the rates of copse's inner loops. It writes
# results/benchmarks/roofline.txt. It needs Go and gcc, and takes half a minute.
#
#   bash internal/benchmarks/roofline.sh
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
out=results/benchmarks work=$out/work
mkdir -p "$work"
export GOAMD64=v1 GOMAXPROCS=1
go build -C internal/benchmarks -o "$PWD/$work/benchmarks" .
gcc -O3 -mavx2 -mfma -o "$work/peaks" "$here/peaks/main.c"
core=${CORE:-$(($(nproc) - 1))}
{
  echo "At most, on one core (internal/benchmarks/peaks/main.c):"
  taskset -c "$core" "$work/peaks"
  echo
  echo "copse's inner loops, on one core:"
  taskset -c "$core" "$work/benchmarks" kernels
  echo
  bash "$here/machine.sh"
} | tee "$out/roofline.txt"
