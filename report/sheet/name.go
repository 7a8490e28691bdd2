package sheet

import (
	"fmt"
	"regexp"
	"strings"
)

var unsafeInNames = regexp.MustCompile(`[^A-Za-z0-9._=+-]+`)

// SafeName converts a name to a file name. The character "_" replaces each run of characters that some file
// systems do not allow.
func SafeName(name string) string { return unsafeInNames.ReplaceAllString(name, "_") }

// maxGivenName is the maximum length of the name of a table or figure in bytes. Factor levels may follow it in a
// file name.
const maxGivenName = 100

// CheckName returns an error if the name of a table or figure is too long for a file name.
func CheckName(name string) error {
	if len(name) > maxGivenName {
		return fmt.Errorf("the name %.20q... has %d bytes; it may have at most %d", name, len(name), maxGivenName)
	}
	return nil
}

// longestName is the maximum length of a file name without its extension, in bytes. File systems allow 255
// bytes.
const longestName = 200

// FileName joins parts into a file name, and adds it in lower case to the set of used names. If the set already
// contains the name, FileName appends a suffix such as -2.
func FileName(parts []string, used map[string]bool) string {
	name := SafeName(strings.Join(parts, "-"))
	name = name[:min(len(name), longestName)]
	distinct := name
	for k := 2; used[strings.ToLower(distinct)]; k++ {
		distinct = fmt.Sprintf("%s-%d", name, k)
	}
	used[strings.ToLower(distinct)] = true
	return distinct
}
