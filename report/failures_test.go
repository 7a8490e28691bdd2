package report

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"copse/report/internal/fixture"
	"copse/report/view"
)

// Each further treatment of failed fits has its own table in addition to the first one.
func TestFurtherTreatmentsHaveTables(t *testing.T) {
	study, rows := fixture.Sample(12)
	fixture.Fail(rows, "c01", "nb", 3, "no")
	layout := DefaultLayout()
	layout.Inference = view.PapersInference()
	layout.Inference.Failures = []string{view.Common, view.Worst}
	made, err := Make(study, rows, layout, nil)
	if err != nil || len(made.Missing) > 0 {
		t.Fatal(err, made)
	}
	text := func(name string) string {
		i := slices.IndexFunc(made.Documents, func(d Document) bool { return d.Name == name })
		if i < 0 {
			t.Fatalf("no %s", name)
		}
		var b bytes.Buffer
		if err := made.Documents[i].Render(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if common := text("tables/table.md"); !strings.Contains(common, "8.33% failed") {
		t.Error(common)
	}
	if worst := text("tables/table-worst.md"); strings.Contains(worst, "% failed") || !strings.Contains(worst,
		"give a failed fit the score") {
		t.Error(worst)
	}
	page := text(pageName)
	if options := regexp.MustCompile(`data-measure="[^"]*failures worst"`); !options.MatchString(page) {
		t.Error("the choice of a measure does not name the treatment of failed fits")
	}
	if !strings.Contains(page, "The same table with another treatment of failed fits: worst") {
		t.Error("the page lacks the other treatment")
	}
}
