package report

import "regexp"

var unsafeInNames = regexp.MustCompile(`[^A-Za-z0-9._=+-]+`)

// safeName keeps what every file system takes.
func safeName(name string) string { return unsafeInNames.ReplaceAllString(name, "_") }
