// Copse runs simulation studies that compare classifiers: see README.md.
package main

import (
	"os"

	"copse/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
