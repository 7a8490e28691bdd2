// Package experiments contains only tests. They run toy studies, from the YAML file to the records, through
// all packages in subfolders. These packages are listed in docs/architecture.md.
package experiments
