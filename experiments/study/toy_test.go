package study_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"copse/experiments/study"
	"copse/internal/filetest"
	"copse/internal/toys"
)

// parse reads a study from its text, as if it came from the file s.yaml, with the assignments of --set.
func parse(text string, assignments ...string) (*study.Study, error) {
	return study.Parse("s.yaml", []byte(text), assignments, nil)
}

func TestMain(m *testing.M) { toys.Main(m) }

// rowsText is a study on a file with 60 rows: the row number, the site (12 sites with 5 rows each), the
// official part, an attribute with missing values, and the class. Another file has the same rows.
func rowsText(t *testing.T, data string, more ...string) string {
	t.Helper()
	t.Setenv("COPSE_DATA", "")
	dir := t.TempDir()
	var text strings.Builder
	text.WriteString("row,site,part,colour,class\n")
	for i := range 60 {
		part, colour := []string{"train", "Train", "test"}[i%3], []string{"red", "blue", "?"}[i%7%3]
		fmt.Fprintf(&text, "%d,s%d,%s,%s,%d\n", i, i%12, part, colour, i%4)
	}
	for name, file := range map[string]string{"FILE": "rows.csv", "OTHER": "other.csv"} {
		path := filepath.Join(dir, file)
		filetest.Write(t, path, text.String())
		data = strings.ReplaceAll(data, name, path)
	}
	if len(more) == 0 {
		more = []string{"centroid"}
	}
	return fmt.Sprintf(
		"study: s\nseed: 7\nreplicates: 15\ndata: {%s}\nclassifiers:\n  - %s\n",
		data,
		strings.Join(more, "\n  - "),
	)
}
