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
gcc -O3 -mavx2 -mfma -o "$work/peaks" "$here/peaks/main.c"
core=${CORE:-$(($(nproc) - 1))}
{
  echo "At most, on one core (internal/benchmarks/peaks/main.c):"
  taskset -c "$core" "$work/peaks"
  echo
  echo "copse's inner loops, on one core:"
  # The best of five runs, as in peaks.
  taskset -c "$core" go test -run '^$' -bench Roofline -benchtime 0.3s -count 5 ./stats/vecmath |
    awk '/^BenchmarkRoofline/ {
        name = $1; sub(".*/", "", name); gsub("_", " ", name)
        if (!(name in best)) names[++count] = name
        if ($5 > best[name]) { best[name] = $5; unit[name] = $6 }
      }
      END { for (k = 1; k <= count; k++) printf "%-42s %.2f %s\n", names[k], best[names[k]], unit[names[k]] }'
  echo
  bash "$here/machine.sh"
} | tee "$out/roofline.txt"
