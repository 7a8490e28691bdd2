package page

import (
	"fmt"
	"html/template"
	"io"
	"math"
	"strconv"

	"copse/report/compare"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// An Entry is one study on an index page.
type Entry struct {
	Name, Title, Source string
	Link                string // to its report.html, relative to the index
	Cells, Replicates   int
	Fits, Failed        int
	Leader              string  // lowest average rank over the cells
	Distinct            bool    // Friedman's test rejects equal ranks at the study's level
	LeaderRank          float64 // NaN: no ranks
	Measure             string  // what is ranked
	Agree, Comparable   int     // published numbers
}

// Summarize returns the line of a study that was compared with published numbers;
// classifiers are ranked by the measure of its tables.
func Summarize(v *view.View, measure view.Measure, compared []*compare.Comparison) (Entry, error) {
	rows := v.Records
	e := Entry{Name: v.Name, Title: v.Title, Source: v.Source, Link: v.Name + "/report.html",
		Cells: len(v.Cells), Fits: len(rows.Rows), LeaderRank: math.NaN(), Measure: measure.Name}
	for _, c := range v.Trials {
		e.Replicates = max(e.Replicates, len(c.Replicates))
	}
	for i := range rows.Rows {
		if rows.Rows[i].Status != records.OK {
			e.Failed++
		}
	}
	family, _ := v.Ranked(v.Cells, v.Compared(&measure, rows.Classifiers))
	if blocks, _ := v.Blocks(v.Cells, &measure, family); measure.IsRate && len(blocks) > 0 && len(family) > 1 {
		result, err := stats.Friedman(blocks)
		if err != nil {
			return e, err
		}
		e.Distinct = result.P <= v.Alpha
		for k, rank := range result.MeanRanks {
			if !(rank >= e.LeaderRank) { // also the first, against NaN
				e.Leader, e.LeaderRank = v.Label(family[k]), rank
			}
		}
	}
	for _, c := range compared {
		all := c.TallyBy(func(*verdicts.Agreement) string { return "" })[0]
		e.Agree, e.Comparable = e.Agree+all.Agree, e.Comparable+all.Agree+all.Differ+all.Undecided
	}
	return e, nil
}

// Index writes a page that leads to the reports of several studies.
func Index(w io.Writer, entries []Entry) error {
	var rows []indexRow
	for _, e := range entries {
		row := indexRow{Entry: e, Leading: "–", Agreement: "–"}
		if !math.IsNaN(e.LeaderRank) {
			row.Leading, row.LeadingKey = fmt.Sprintf("%s (%s), %s", e.Leader, sheet.Fixed(e.LeaderRank, 2), e.Measure), e.Leader
			if !e.Distinct {
				row.Leading += "; ranks not shown to differ"
			}
		}
		if e.Comparable > 0 {
			row.Agreement = fmt.Sprintf("%d of %d", e.Agree, e.Comparable)
			row.AgreementKey = strconv.FormatFloat(float64(e.Agree)/float64(e.Comparable), 'g', -1, 64)
		}
		rows = append(rows, row)
	}
	return layouts.ExecuteTemplate(w, "index", struct {
		Style  template.CSS
		Script template.JS
		Rows   []indexRow
	}{template.CSS(file("style.css")), template.JS(file("page.js")), rows})
}

// indexRow is an entry as the template prints it.
type indexRow struct {
	Entry
	Leading, LeadingKey     string
	Agreement, AgreementKey string
}
