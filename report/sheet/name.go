package sheet

import (
	"regexp"
)

var unsafeInNames = regexp.MustCompile(`[^A-Za-z0-9._=+-]+`)

// SafeName converts a name to a file name. It replaces characters that some file systems do not allow with
// "_".
func SafeName(name string) string { return unsafeInNames.ReplaceAllString(name, "_") }
