package page

import (
	"fmt"
	"html/template"
	"io"
	"strings"

	"copse/report/compare"
	"copse/report/table"
	"copse/report/view"
)

// An Entry describes one study on an index page.
type Entry struct {
	Name, Title, Source string
	Link                string   // URL of its report.html, relative to the index
	Aims                []string // the author's questions
	Missing             string   // sentences on missing, outdated and unused results, or ""
	Found               []string // findings of the first table
	Method              string   // how the intervals in Found are computed, or ""
	Ran, Revision       string   // time of the last results, and the revision of copse that computed them
	Cells               int
	PerCell             view.Range // numbers of results per cell
	Unit                string     // plural noun for results, such as "folds"
	Fits, Failed        int
	Agree, Comparable   int // published numbers
}

// Summarize returns the entry of a study on an index page. The first table and compared may be nil.
func Summarize(v *view.View, first *table.Table, compared *compare.Comparison) Entry {
	fits, failed := fitsOf(v)
	e := Entry{Name: v.Name, Title: v.Title, Source: v.Source, Link: v.Name + "/report.html", Aims: v.Aims,
		Missing: strings.Join(v.GapSentences(), " "),
		Cells:   len(v.Cells), Fits: fits, Failed: len(failed),
		Ran: v.Version(view.LastRun), Revision: v.Version(view.Revision)}
	e.PerCell, e.Unit = repetitions(v)
	if first != nil {
		f := first.Findings()
		e.Found, e.Method = f.Found, f.IntervalMethod
	}
	if compared != nil {
		all := compared.TallyAll()
		e.Agree, e.Comparable = all.Agree, all.Agree+all.Differ+all.Undecided
	}
	return e
}

// AgreementKey returns the proportion of published numbers that agree, as a sort key.
func (e Entry) AgreementKey() string {
	if e.Comparable == 0 {
		return ""
	}
	return fmt.Sprint(float64(e.Agree) / float64(e.Comparable))
}

// Index writes a page with links to the reports of several studies.
func Index(w io.Writer, entries []Entry) error {
	return layouts.ExecuteTemplate(w, "index", struct {
		Style  template.CSS
		Script template.JS
		Rows   []Entry
	}{style, script, entries})
}
