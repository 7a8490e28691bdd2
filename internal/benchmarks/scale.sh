#!/usr/bin/env bash
# Measures copse report and copse run on folders with 10^5, 10^6 and 10^7 results, on one core;
# writes scale.md into results/benchmarks. The results are invented, because only reading, collecting and
# reporting are measured. Not part of CI: it takes about ten minutes, 6 GB of memory and 10 GB of disk.
#
#   bash internal/benchmarks/scale.sh
#
# CORE  the core (the last one)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
core=${CORE:-$(($(nproc) - 1))}
out=results/benchmarks work=$out/work/scale
rm -rf "$work"
mkdir -p "$work/answers"
go build -o "$work/copse" .
go build -C internal/benchmarks -o "$PWD/$work/benchmarks" .
copse=$work/copse bench=$work/benchmarks

classifiers=(nb lda qda 5nn logistic rf svm slb lu boosting)
for results in 100000 1000000 10000000; do
  folder=$work/$results
  "$bench" scale $((results / ${#classifiers[@]})) "$folder" "${classifiers[@]}"
  run=("$copse" run "$folder/scale.yaml" --out "$folder/results")
  taskset -c "$core" "$bench" process "$results" 'copse run: collect and draw' "$work" 1 "${run[@]}"
  taskset -c "$core" "$bench" process "$results" 'copse run: nothing to do' "$work" 1 "${run[@]}"
  taskset -c "$core" "$bench" process "$results" 'copse report: read and draw' "$work" 1 "$copse" report "$folder/results"
  rm -rf "$folder"
done
{
  echo '| results | command | processor time (s) | elapsed time (s) | peak memory (MB) |'
  echo '|--:|---|--:|--:|--:|'
  awk -F, '{ printf "| %d | %s | %.1f | %.1f | %.0f |\n", $1, $2, $5, $6, $7 }' "$work/times.csv"
  echo
  echo 'A study of four cells and ten classifiers, one run of each command on one core. The machine:'
  echo
  bash "$here/machine.sh" | grep -v '^R ' | sed 's/^/    /'
} >"$out/scale.md"
cat "$out/scale.md"
