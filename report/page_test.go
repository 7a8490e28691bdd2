package report

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/internal/filetest"
	"copse/internal/texttest"
	"copse/report/internal/fixture"
	"copse/report/view"
)

func writePage(t *testing.T, study view.Study, change func(*Layout)) (dir string, text string) {
	t.Helper()
	_, records := fixture.Sample(12)
	fixture.Fail(records, "c01", "nb", 3, "no <pivot> & more")
	layout := everything()
	if change != nil {
		change(&layout)
	}
	dir = t.TempDir()
	if _, err := write(dir, study, records, layout); err != nil {
		t.Fatal(err)
	}
	return dir, filetest.Read(t, filepath.Join(dir, "report.html"))
}

func TestPage(t *testing.T) {
	study, _ := fixture.Sample(1)
	study.Title = fixture.Awkward
	dir, text := writePage(t, study, nil)
	elements, words := fixture.ParsePage(t, text)
	texttest.Contains(t, words, fixture.Awkward, "no <pivot> & more", "copse repro results/sample c01/3/nb",
		"gaussian, n = 400", "copse run configs/sample.yaml", "two cores", "Data-generating mechanisms",
		"Performance measures", "random "+
			"forests", "Hodges-Lehmann", "Monte-Carlo standard error", "1 of 288 fits failed")
	ids := make(map[string]bool)
	count := make(map[string]int)
	for _, e := range elements {
		count[e.Name]++
		if id := e.Attr["id"]; id != "" {
			if ids[id] {
				t.Errorf("id %s occurs twice", id)
			}
			ids[id] = true
		}
	}
	if count["svg"] != 5 || count["h1"] != 1 || count["main"] != 1 {
		t.Errorf("%d drawings, %d h1, %d main", count["svg"], count["h1"], count["main"])
	}
	texttest.Contains(t, text, `href="tables/table.csv"`)
	for _, e := range elements {
		checkLink(t, e, ids, dir)
		checkName(t, e)
	}
}

// checkName: elements at which a screen reader stops have names. Drawings and tables are not landmarks.
func checkName(t *testing.T, e fixture.Element) {
	t.Helper()
	named := e.Attr["aria-label"] != ""
	switch {
	case e.Name == "table" && !named, e.Attr["tabindex"] != "" && (!named || e.Attr["role"] != "group"):
		t.Errorf("%s %v has no name", e.Name, e.Attr)
	case e.Name == "img" && e.Attr["alt"] == "", e.Name == "svg" && e.Attr["role"] != "img":
		t.Errorf("%s %v is not an image with a text", e.Name, e.Attr)
	case e.Name == "th" && e.Attr["scope"] == "":
		t.Errorf("a head without a scope: %v", e.Attr)
	case e.Attr["role"] == "region":
		t.Errorf("%s %v is a landmark", e.Name, e.Attr)
	}
}

// checkLink: a page needs no other files, and its links have targets.
func checkLink(t *testing.T, e fixture.Element, ids map[string]bool, dir string) {
	t.Helper()
	if e.Name == "script" || e.Name == "img" || e.Attr["src"] != "" {
		t.Errorf("<%s %v> loads something", e.Name, e.Attr)
	}
	link := e.Attr["href"]
	switch target, here := strings.CutPrefix(link, "#"); {
	case link == "" || link == "data:,":
	case here:
		if !ids[target] {
			t.Errorf("link to %s, which is not there", link)
		}
	default:
		if _, err := os.Stat(filepath.Join(dir, link)); err != nil {
			t.Errorf("link to %s: %v", link, err)
		}
	}
}

// Without a critical-difference diagram in the layout the page draws its own, if its tests
// can reject with so many blocks.
func TestPageAddsRanks(t *testing.T) {
	study, _ := fixture.Sample(1)
	for alpha, want := range map[float64]bool{0.1: false, 0.2: true} { // five blocks: p is 1/16 at least, three pairs
		_, text := writePage(t, study, func(l *Layout) { l.Figures, l.Inference.Alpha = nil, alpha })
		elements, _ := fixture.ParsePage(t, text)
		found := slices.ContainsFunc(elements, func(e fixture.Element) bool { return e.Attr["id"] == "figure-ranks" })
		if found != want {
			t.Errorf("alpha %v: a diagram of ranks: %v", alpha, found)
		}
	}
}
