package report

import (
	"regexp"
	"slices"
	"testing"

	"copse/internal/texttest"
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
		return fixture.Render(t, made.Documents[i].Render)
	}
	texttest.Contains(t, text("tables/table.md"), "8.33% failed")
	worst := text("tables/table-worst.md")
	texttest.Lacks(t, worst, "% failed")
	texttest.Contains(t, worst, "give a failed fit the score")
	page := text(pageName)
	if options := regexp.MustCompile(`data-measure="[^"]*failures worst"`); !options.MatchString(page) {
		t.Error("the choice of a measure does not name the treatment of failed fits")
	}
	texttest.Contains(t, page, "The same table with another treatment of failed fits: worst",
		"(worst) test 12 further hypotheses in 6 families.") // 6 rows of 3 classifiers
}
