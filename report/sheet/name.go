package sheet

import (
	"regexp"
)

var unsafeInNames = regexp.MustCompile(`[^A-Za-z0-9._=+-]+`)

// SafeName returns a name for files: characters that some file system refuses become "_".
func SafeName(name string) string { return unsafeInNames.ReplaceAllString(name, "_") }
