#!/usr/bin/env bash
# Changes the path of the module and of the modules below it, in go.mod and in all imports.
#
#   internal/rename.sh example.org/copse
set -euo pipefail
cd "$(dirname "$0")/.."
new=${1:?the new path, such as example.org/copse}
old=$(go list -m)
go mod edit -module "$new"
(cd internal/benchmarks &&
  go mod edit -module "$new/internal/benchmarks" -droprequire "$old" -dropreplace "$old" \
    -require "$new@v0.0.0" -replace "$new=../..")
find . -name '*.go' -print0 | xargs -0 sed -i -E "s#^((import )?[[:space:]]*[A-Za-z0-9_.]*[[:space:]]*\")$old/([^\"]*\"( //.*)?)\$#\1$new/\3#"
sed -i "s#-X $old/#-X $new/#" Dockerfile experiments/results/platform.go
gofmt -w .
