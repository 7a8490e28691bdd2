#!/usr/bin/env bash
# Kills a running study at random instants, 500 times or as often as the first
# argument says, runs it to the end each time, and prints what the kills hit.
# Ends with an error if any run ends otherwise than one that was not killed.
set -euo pipefail
cd "$(dirname "$0")/.."
COPSE_KILLS=${1:-500} go test -count=1 -timeout 2h -run '^TestKilledRunsEndTheSame$' -v . |
  grep -v -e '^=== ' -e '--- PASS: .*/'
