// Package experiments contains only tests, which run toy studies through all packages below it: from a
// YAML file to records. docs/architecture.md lists these packages.
package experiments
