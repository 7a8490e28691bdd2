#!/usr/bin/env bash
# Compares the time and memory of copse with other programs that users could choose, on the
# same data, alternating on one core. It writes table.md, table.csv and machine.txt
# into results/benchmarks. It needs Debian, Go, gcc and, to install missing programs, root. It is
# not part of CI, because it takes about half an hour.
#
#   bash internal/benchmarks/compare.sh
#
# ROUNDS     rounds, which alternate between copse and the reference (5)
# REPEATS    repeats of fast parts within a process (5)
# CORE       the core on which both programs run (the last one)
# LARGE      rounds of the fits to 100,000 rows (1)
# MILLION    rounds of the fits to a million rows (0)
# REPLICATES replicates of JMLR 2020's tables, out of 100 (5; 0 omits the tables)
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
rounds=${ROUNDS:-5} repeats=${REPEATS:-5} core=${CORE:-$(($(nproc) - 1))} large=${LARGE:-1} million=${MILLION:-0} replicates=${REPLICATES:-5}
out=results/benchmarks work=$out/work
rm -rf "$work"
mkdir -p "$work/data" "$work/answers"
data=$work/data answers=$work/answers
export GOAMD64=v1 OMP_NUM_THREADS=1

packages=(r-base-core r-cran-e1071 r-cran-ks r-cran-fnn r-cran-randomforest r-cran-ranger r-cran-mass r-cran-glasso r-cran-glmnet python3-sklearn python3-pandas python3-xgboost libsvm-tools liblinear-tools liblinear-dev)
missing=()
for p in "${packages[@]}"; do dpkg -s "$p" >/dev/null 2>&1 || missing+=("$p"); done
if [ ${#missing[@]} -gt 0 ]; then
  apt-get update -q
  apt-get install -y -q --no-install-recommends "${missing[@]}"
fi

go build -o "$work/copse" .
go build -C internal/benchmarks -o "$PWD/$work/benchmarks" .
gcc -O2 -o "$work/liblinear" "$here/liblinear/main.c" -llinear -lm
copse=$work/copse bench=$work/benchmarks

# The data, drawn once.
draw() { # file, generator, parameter, training rows, test rows
  "$copse" generate --generator "$2" --param "$3" --train "$4" --test "$5" --seed 1 --out "$work/draw" --force >/dev/null
  mv "$work/draw/train.csv" "$data/$1.csv"
  mv "$work/draw/test.csv" "$data/$1-test.csv"
}
draw train forest d=20 500,500 500,500
mv "$data/train-test.csv" "$data/test.csv"
draw rows250 forest d=20 250,250 500,500
draw wide forest d=100 500,500 10,10
draw large forest d=20 50000,50000 5000,5000
wrong() { # file: every tenth row gets the other class, 0 or 1
  awk -F, -v OFS=, 'NR == 1 { for (k = 1; k <= NF; k++) if ($k == "class") at = k }
    NR > 1 && NR % 10 == 1 { $at = 1 - $at } 1' "$data/large$1.csv" >"$data/overlap$1.csv"
}
wrong "" && wrong -test
[ "$million" -eq 0 ] || draw million forest d=20 500000,500000 50000,50000
draw binary chebyshev-toy k=20 2500,2500 2500,2500
"$bench" prepare "$work"

one() { GOMAXPROCS=1 taskset -c "$core" "$@"; }
ours() { one "$bench" fit "$1" "$work" "$2" "$3"; }
python() { one /usr/bin/python3 "$here/reference.py" "$1" "$work" "$2" "$3"; }
theirs() { one Rscript --vanilla "$here/reference.R" "$1" "$work" "$2" "$3"; }
process() { one "$bench" process "$1" "$2" "$work" "$3" "${@:4}"; } # part, side, round, commands

labels() { # part, reference's program; turns its labels 1 and -1 into the classes 0 and 1, as in copse's answers
  tail -n +2 "$answers/$1-copse-1.txt" | cut -d, -f1 >"$answers/$1-copse.csv"
  sed 's/^1$/0/; s/^-1$/1/' "$answers/$1-$2.predictions" >"$answers/$1-$2.csv"
}
svm() { # round
  process svm-process copse "$1" "$copse" classify --classifier svm --param tolerance=0.001 \
    --train "$data/train.csv" --test "$data/test.csv"
  process svm-process libsvm "$1" svm-train "$data/scaled-train.libsvm" "$answers/svm.model" -- \
    svm-predict "$data/scaled-test.libsvm" "$answers/svm.model" "$answers/svm-process-libsvm.predictions"
  labels svm-process libsvm
}
linear() { # round
  process linear-svm-process copse "$1" "$copse" classify --classifier svm --param kernel=linear --param standardise=false \
    --param tolerance=0.001 \
    --train "$data/features-train.csv" --test "$data/features-test.csv"
  process linear-svm-process liblinear "$1" liblinear-train -s 3 -B 1 "$data/features-train.libsvm" "$answers/linear-liblinear.model" -- \
    liblinear-predict "$data/features-test.libsvm" "$answers/linear-liblinear.model" "$answers/linear-svm-process-liblinear.predictions"
  labels linear-svm-process liblinear
  process linear-svm-process libsvm "$1" svm-train -t 0 "$data/features-train.libsvm" "$answers/linear-libsvm.model" -- \
    svm-predict "$data/features-test.libsvm" "$answers/linear-libsvm.model" "$answers/linear-svm-process-libsvm.predictions"
  labels linear-svm-process libsvm
}

for round in $(seq "$rounds"); do
  printf 'round %d:' "$round"
  for part in svm linear-svm logistic 5nn rf boosting nb glasso; do
    printf ' %s' "$part"
    ours "$part" "$round" "$repeats"
    if [ "$part" = boosting ]; then
      python "$part" "$round" "$repeats"
    else
      theirs "$part" "$round" "$repeats"
    fi
    [ "$part" != linear-svm ] || one "$work/liblinear" "$work" "$round" "$repeats"
  done
  for k in $(seq "$repeats"); do svm "$round"; linear "$round"; done
  for part in slb-plug-in slb-refit; do
    printf ' %s' "$part"
    ours "$part" "$round" "$repeats"
    [ "$round" -gt 3 ] || theirs "$part" "$round" 1
  done
  for part in khrf kbn kmrf dcc; do
    printf ' %s' "$part"
    ours "$part" "$round" 1
  done
  printf '\n'
done

# Two workers on two cores, one worker on one core, and two processes that share nothing.
# A few percent matter here, so there are three times as many rounds.
halves='out=$0; "$@" --shard 1/2 --out "$out-1" & "$@" --shard 2/2 --out "$out-2" && wait $!'
printf 'workers:'
quickstart=("$copse" run configs/quickstart.yaml --replicates 200)
for round in $(seq $((3 * rounds))); do
  printf ' %s' "$round"
  "$bench" process workers copse "$work" "$round" "${quickstart[@]}" -j 2 --out "$work/workers-2-$round"
  process workers one-worker "$round" "${quickstart[@]}" -j 1 --out "$work/workers-1-$round"
  GOMAXPROCS=1 "$bench" process workers "two halves" "$work" "$round" bash -c "$halves" "$work/halves-$round" "${quickstart[@]}" -j 1
  cmp "$work/workers-1-$round/records.csv" "$work/workers-2-$round/records.csv"
done
printf '\n'

for round in $(seq "$large"); do
  printf '100,000 rows, round %d:' "$round"
  for part in 5nn-large rf-large svm-large qda-large; do
    printf ' %s' "$part"
    ours "$part" "$round" 1
    theirs "$part" "$round" 1
    python "$part" "$round" 1
  done
  for part in 5nn-overlap rf-overlap boosting-overlap; do
    printf ' %s' "$part"
    ours "$part" "$round" 1
    python "$part" "$round" 1
  done
  printf '\n'
done

for round in $(seq "$million"); do
  printf 'a million rows, round %d:' "$round"
  for part in nb lda qda lu tan slb; do
    printf ' %s' "$part"
    ours "$part-million" "$round" 1
  done
  for part in 5nn rf boosting logistic; do
    printf ' %s' "$part"
    ours "$part-million" "$round" 1
    python "$part-million" "$round" 1
  done
  printf '\n'
done

bash "$here/machine.sh" "${packages[@]}" >"$out/machine.txt"
if [ "$replicates" -gt 0 ]; then
  bash "$here/tables.sh" "$work" "$replicates"
fi
"$bench" table "$work" "$out" "$replicates" "$(git rev-parse --short HEAD)"
cat "$out/table.md"
