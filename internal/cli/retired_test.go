package cli

import (
	"strings"
	"testing"
)

// Command lines of the last release end with the command that replaces them.
func TestRetired(t *testing.T) {
	for _, r := range retired {
		args := append(strings.Fields(r.old), "results/small")
		if code, _, errOut := copse(args...); code != exitUsage || !strings.Contains(errOut, r.instead) {
			t.Errorf("%s: exit %d, %s", r.old, code, errOut)
		}
	}
	for _, current := range []string{"status compare", "data list info", "explain --format=schema", "try version",
		"check --externals", "list"} {
		if hint := replacement(strings.Fields(current)); hint != "" {
			t.Errorf("%s: %s", current, hint)
		}
	}
}
