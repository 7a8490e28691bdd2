#!/usr/bin/env bash
# Measures how time and memory of every classifier grow with the rows n (d = 20)
# and the columns d (n = 1000) on one core. It writes growth.csv, growth.md and the figures
# growth-time and growth-memory into results/benchmarks. It is not part of CI, because it takes
# about an hour.
#
#   bash internal/benchmarks/growth.sh [CLASSIFIER...]
#
# LIMIT  processor seconds that one fit may take (60); larger sizes are then skipped
# CORE   the core (the last one)
#
# If classifiers are named, only these are measured; the other rows do not change.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
limit=${LIMIT:-60} core=${CORE:-$(($(nproc) - 1))}
out=results/benchmarks work=$out/work
mkdir -p "$work"
export GOAMD64=v1
go build -C internal/benchmarks -o "$PWD/$work/benchmarks" .

mapfile -t all < <("$work/benchmarks" subjects)
chosen=("${@:-${all[@]}}")
csv=$work/growth.csv
echo classifier,factor,n,d,outcome,fit_seconds,predict_seconds,megabytes >"$csv"
if [ $# -gt 0 ] && [ -e "$out/growth.csv" ]; then
  awk -F, -v named="$*" 'BEGIN {split(named, a, " "); for (k in a) again[a[k]] = 1} NR > 1 && !($1 in again)' "$out/growth.csv" >>"$csv"
fi

point() { # classifier, factor, n, d; false when there is no use in larger sizes
  local line
  if ! GOMAXPROCS=1 timeout $((limit * 20)) taskset -c "$core" "$work/benchmarks" point "$1" "$2" "$3" "$4" "$limit" "$csv"; then
    echo "$1,$2,$3,$4,capped,0,0,0" >>"$csv"
  fi
  line=$(tail -n 1 "$csv")
  echo "$line"
  [[ $line == *,measured,* ]]
}
sizes() { # classifier, factor, sizes
  local size going=1
  for size in "${@:3}"; do
    local n=1000 d=20
    if [ "$2" = n ]; then n=$size; else d=$size; fi
    if [ $going = 1 ]; then
      point "$1" "$2" "$n" "$d" || going=0
    else
      echo "$1,$2,$n,$d,skipped,0,0,0" >>"$csv"
    fi
  done
}
for c in "${chosen[@]}"; do
  sizes "$c" n 200 500 1000 2000 5000 10000 20000 50000 100000
  sizes "$c" d 10 20 50 100 200 500
done
cp "$csv" "$out/growth.csv"
"$work/benchmarks" growth "$out/growth.csv" "$out"
cat "$out/growth.md"
