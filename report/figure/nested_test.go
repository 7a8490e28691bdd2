package figure

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"copse/internal/texttest"
	"copse/report/internal/fixture"
	"copse/stats/records"
	"copse/stats/records/recordstest"
)

// If rows omit a factor, the caption states the number of results of a step or row and names the pooled
// factor.
func TestStepsAndRowsThatPool(t *testing.T) {
	study, rows := fixture.Sample(12)
	for kind, what := range map[string]string{"nested": "Each step", "heat": "Each row"} {
		caption := func(factors ...string) string {
			return captionOf(t, study, rows, func(o *Options) { o.Kind, o.Rows = kind, factors })
		}
		pooled := caption("n")
		texttest.Contains(t, pooled, "over R = 24 replicates",
			what+" pools 2 cells of the design, which differ in densities.")
		each := caption()
		texttest.Contains(t, each, "over R = 12 replicates")
		texttest.Lacks(t, each, "pools")
	}
}

// The caption names the levels of all panels.
func TestNestedLevelsOfAllPanels(t *testing.T) {
	study, rows := fixture.Sample(2)
	recordstest.Delete(rows, func(r records.Record) bool { // the first panel lacks a level
		return r.Levels.Of("cpd") == "gaussian" && r.Levels.Of("n") == "1000"
	})
	caption := captionOf(t, study, rows, func(o *Options) { o.Kind, o.Panel = "nested", []string{"cpd"} })
	texttest.Contains(t, caption, "Levels from left to right: n: 200, 400, 1000.")
}

// The caption and a remark explain a strip that has no room for a level.
func TestNestedLevelsWithoutRoom(t *testing.T) {
	const explanation = "Where a strip shows no level, it is too narrow for its label."
	for label, hasRoom := range map[string]bool{"few": true, "a label much longer than a third of a column": false} {
		study, rows := fixture.Sample(2)
		study.Factors[1].Levels = map[string]string{"200": label}
		p := figures(t, study, rows, func(o *Options) {
			o.Kind, o.Rows, o.Width = "nested", []string{"n"}, "column"
		})[0]
		advice := `a strip is too narrow for the level "` + label + `": shorten its label`
		isRemark := slices.ContainsFunc(p.Remarks, func(r string) bool { return strings.HasPrefix(r, advice) })
		isDrawn := bytes.Contains(fixture.Draws(t, p, "svg"), []byte(">"+label+"<"))
		if isExplained := strings.Contains(p.Caption, explanation); isExplained == hasRoom || isRemark == hasRoom ||
			isDrawn != hasRoom {
			t.Errorf("%s: drawn %v; remarks %q; caption %s", label, isDrawn, p.Remarks, p.Caption)
		}
	}
}

// A line and its band do not pass through a point without results, and the caption explains the interruption.
func TestMissingMeansInterruptLines(t *testing.T) {
	const want = "A line is interrupted where its classifier has no result."
	for kind, x := range map[string]string{"line": "n", "nested": ""} {
		study, rows := fixture.Sample(2)
		draw := func() (caption string, drawing []byte) {
			p := figures(t, study, rows, func(o *Options) {
				o.Kind, o.X, o.Panel, o.Columns = kind, x, []string{"cpd"}, []string{"slb", "nb"}
			})[0]
			return p.Caption, fixture.Draws(t, p, "svg")
		}
		whole, drawing := draw()
		texttest.Case(t, kind).Lacks(whole, want)
		recordstest.Delete(rows, func(r records.Record) bool {
			return r.Classifier == "nb" && r.Levels.Of("n") == "400"
		})
		broken, interrupted := draw()
		texttest.Case(t, kind).Contains(broken, want)
		const band = `fill-opacity="` // both panels lose the band of NB
		if kind == "line" && bytes.Count(interrupted, []byte(band)) != bytes.Count(drawing, []byte(band))-2 {
			t.Errorf("bands pass through the gaps: %s", interrupted)
		}
	}
}
