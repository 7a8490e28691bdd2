// Copse runs simulation studies that compare classifiers. README.md describes how to use it.
package main

//go:generate go test ./internal/fielddocs -run DocsAreCurrent -write
//go:generate sh -c "go run . explain --format markdown >docs/reference/study.md"
//go:generate sh -c "go run . explain --format schema >docs/reference/study.schema.json"
//go:generate go test ./internal/cli -run SchemaOfLines -write
//go:generate go run ./internal/pages docs/methods

import (
	"os"

	"copse/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
