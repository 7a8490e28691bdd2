// Package experiments tests the way of the data from a YAML file to records: its tests
// run toy studies through all packages below it. docs/architecture.md lists these packages.
package experiments
