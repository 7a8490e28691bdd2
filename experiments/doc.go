// Package experiments contains only tests. They run toy studies end to end, from the YAML file to the records,
// and use all packages in the subfolders. These packages are listed in docs/architecture.md.
package experiments
