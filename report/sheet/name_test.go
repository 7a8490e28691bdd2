package sheet

import (
	"slices"
	"strings"
	"testing"
)

// Every page has its own file, whatever its levels.
func TestFileNames(t *testing.T) {
	taken := map[string]bool{}
	long := strings.Repeat("long ", 60)
	var names []string
	for _, level := range []string{"a|b", "a/b", "A b", "ü", long + "1", long + "2"} {
		name := FileName([]string{"errors", level}, taken)
		if len(name) > longestName+2 || slices.Contains(names, name) {
			t.Errorf("%q next to %q", name, names)
		}
		names = append(names, name)
	}
	if want := []string{"errors-a_b", "errors-a_b-2", "errors-A_b-3", "errors-_"}; !slices.Equal(names[:4], want) {
		t.Errorf("%q, want %q", names, want)
	}
}
