#!/usr/bin/env bash
# Measures how long Tables 1 to 3 of JMLR 2020 take with two workers: first the cells of the
# literal reading, then the remaining cells. compare.sh runs it before it writes the table.
#
#   tables.sh WORK REPLICATES
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
work=$1 replicates=$2

tables() { # part, folder, replicates, arguments
  local runs=() k
  for k in 1 2 3; do
    runs+=(-- "$work/copse" run "configs/jmlr2020-table$k.yaml" --replicates "$3" -j 2 --out "$work/$2$k" "${@:4}")
  done
  "$work/benchmarks" process "$1" copse "$work" 1 "${runs[@]:1}"
}
if [ "$replicates" -lt 100 ]; then
  tables tables-text-one one 1 --set design.reading=literal
  tables tables-rest-one one 1
fi
tables tables-text table "$replicates" --set design.reading=literal
tables tables-rest table "$replicates"
