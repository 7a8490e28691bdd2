package sheet

import (
	"regexp"
)

var unsafeInNames = regexp.MustCompile(`[^A-Za-z0-9._=+-]+`)

// SafeName returns a file name: "_" replaces characters that some file system does not allow.
func SafeName(name string) string { return unsafeInNames.ReplaceAllString(name, "_") }
