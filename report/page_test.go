package report

import (
	"bytes"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// element is one start tag of a page.
type element struct {
	name string
	attr map[string]string
}

// parsePage reads a page as XML, script and style left out, and returns its
// elements and its words.
func parsePage(t *testing.T, text string) (elements []element, words string) {
	t.Helper()
	_, body, _ := strings.Cut(text, "<!DOCTYPE html>")
	for _, raw := range []string{"script", "style"} {
		from, to := strings.Index(body, "<"+raw+">"), strings.Index(body, "</"+raw+">")
		body = body[:from] + body[to+len(raw)+3:]
	}
	decoder := xml.NewDecoder(strings.NewReader(body))
	decoder.Entity = xml.HTMLEntity
	var b strings.Builder
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return elements, b.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{token.Name.Local, map[string]string{}}
			for _, a := range token.Attr {
				e.attr[a.Name.Local] = a.Value
			}
			elements = append(elements, e)
		case xml.CharData:
			b.Write(token)
		}
	}
}

func writePage(t *testing.T, study Study, change func(*Layout)) (dir string, text string) {
	t.Helper()
	_, records := sample(12)
	fail(records, "c01", "nb", 3, "no <pivot> & more")
	layout := everything()
	if change != nil {
		change(&layout)
	}
	dir = t.TempDir()
	if _, err := write(dir, study, records, layout); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	return dir, string(b)
}

func TestPage(t *testing.T) {
	study, _ := sample(1)
	study.Title = awkward
	dir, text := writePage(t, study, nil)
	elements, words := parsePage(t, text)
	for _, want := range []string{awkward, "no <pivot> & more", "copse repro results/sample c01/3/nb", "densities: gaussian, n = 400",
		"copse run configs/sample.yaml", "two cores", "Data-generating mechanisms", "Performance measures", "random forests",
		"Hodges-Lehmann", "Monte-Carlo standard error", "1 of 288 fits failed"} {
		if !strings.Contains(words, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	ids := make(map[string]bool)
	count := make(map[string]int)
	for _, e := range elements {
		count[e.name]++
		if id := e.attr["id"]; id != "" {
			if ids[id] {
				t.Errorf("id %s occurs twice", id)
			}
			ids[id] = true
		}
	}
	if count["svg"] != 5 || count["h1"] != 1 || count["main"] != 1 {
		t.Errorf("%d drawings, %d h1, %d main", count["svg"], count["h1"], count["main"])
	}
	for _, e := range elements {
		checkLink(t, e, ids, dir)
	}
}

// checkLink: a page needs nothing but itself; its links lead somewhere.
func checkLink(t *testing.T, e element, ids map[string]bool, dir string) {
	t.Helper()
	if e.name == "script" || e.name == "img" || e.attr["src"] != "" {
		t.Errorf("<%s %v> loads something", e.name, e.attr)
	}
	link := e.attr["href"]
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

// Without a critical-difference diagram in the layout the page draws its own.
func TestPageAddsRanks(t *testing.T) {
	study, _ := sample(1)
	_, text := writePage(t, study, func(l *Layout) { l.Figures = nil })
	elements, _ := parsePage(t, text)
	found := false
	for _, e := range elements {
		found = found || e.attr["id"] == "figure-ranks"
	}
	if !found {
		t.Error("no diagram of ranks")
	}
}

func TestPageWithoutFailures(t *testing.T) {
	study, records := sample(3)
	var b bytes.Buffer
	s := newSource(study, records, DefaultInference())
	if err := s.report(&b, &page{}); err != nil {
		t.Fatal(err)
	}
	if _, words := parsePage(t, b.String()); !strings.Contains(words, "None: every fit of every trial ended with a rule.") {
		t.Error("the page does not say that nothing failed")
	}
}

func TestFailuresShownAreBounded(t *testing.T) {
	study, records := sample(60)
	for i := range records.Rows {
		r := &records.Rows[i]
		fail(records, r.Cell, "nb", r.Replicate, "no")
	}
	var p view
	newSource(study, records, DefaultInference()).failures(&p)
	if len(p.Failures) != failuresShown || !strings.Contains(p.FailureWords, "360 of 1440 fits failed. The first 200 are listed") {
		t.Errorf("%d listed; %s", len(p.Failures), p.FailureWords)
	}
}
