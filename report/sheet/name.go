package sheet

import (
	"regexp"
)

var unsafeInNames = regexp.MustCompile(`[^A-Za-z0-9._=+-]+`)

// SafeName keeps what every file system takes.
func SafeName(name string) string { return unsafeInNames.ReplaceAllString(name, "_") }
