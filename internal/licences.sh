#!/usr/bin/env bash
# Prints the licences of Go and of every module in the binaries of a release. They must be
# distributed together with the binaries.
#
#   internal/licences.sh >THIRD-PARTY.txt
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C
modules=$(for system in linux darwin windows; do
  GOOS=$system go list -deps -f '{{with .Module}}{{if not .Main}}{{.Path}}@{{.Version}} {{.Dir}}{{end}}{{end}}' .
done | sort -u)
while read -r module folder; do
  files=$(cd "$folder" && find . -maxdepth 2 -type f | grep -iE '^\./(un|third[^/]*)?(licen[cs]e|notice|copying)[^/]*(/|$)' | sort)
  [ -n "$files" ] || { echo "$module: no licence in $folder; add its name to the pattern of $0" >&2; exit 1; }
  for file in $files; do
    printf '==== %s: %s ====\n\n' "$module" "${file#./}"
    cat "$folder/$file"
    printf '\n\n'
  done
done <<<"$(go env GOVERSION GOROOT | paste -sd ' ')
$modules"
