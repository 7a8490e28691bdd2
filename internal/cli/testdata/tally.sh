#!/usr/bin/env bash
# Attacks every door, 20 times each or as often as the first argument says, and prints
# what came of it: edits of every file of a results folder against verify; study files,
# data and journals with random damage; pathological data for every classifier. Ends
# with an error if an edit is not found, something panics, or a law is broken.
set -euo pipefail
cd "$(dirname "$0")/../../.."
COPSE_ATTACKS=${1:-20} go test -count=1 -timeout 2h -run '^TestTallyOf' -v ./internal/cli | sed -n 's/^ *tally_test.go:[0-9]*: //p'
laws='(degenerate|impossible)_training_sets'
log=$(mktemp)
trap 'rm -f "$log"' EXIT
go test -count=1 -timeout 2h -run "^TestConformance/.*/($laws)" -v ./classifiers >"$log" || { grep -v -e '^=== ' -e '--- PASS' "$log"; exit 1; }
printf 'pathological data: %d sets for %d classifiers, none panics or gives NaN\n' \
  "$(grep -c -E '^ {12}--- PASS' "$log")" "$(grep -c -E '^ {4}--- PASS' "$log")"
