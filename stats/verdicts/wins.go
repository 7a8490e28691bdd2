package verdicts

import (
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
)

// WinOptions control when a classifier wins a cell.
type WinOptions struct {
	Metric *metrics.Metric
	Alpha  float64 // level for all cells of one competitor; with 64 cells, each test has level Alpha/64
	// Paired returns the paired test to use for a cell, which may depend on the design of the cell.
	Paired func(c *records.Cell) (Paired, error)
}

// Wins contains one test per cell. Each test decides whether a classifier has a smaller loss than a
// competitor.
type Wins struct {
	Competitor string
	Level      float64 // level of each test; infinite without tests
	Tests      []Win   // one for each cell in which both have a loss
}

// A Win is the result of a one-sided test in one cell: whether the classifier has a smaller loss than the
// competitor.
type Win struct {
	Cell       string  // id
	P          float64 // alternative: the classifier has the smaller loss
	Pairs      int     // compared replicates
	Won        bool
	Attainable bool // whether the smallest possible p-value is at most the level

	leastP float64 // smallest possible p-value of so many pairs; 1 if a t test cannot be computed
}

// CountWins compares a classifier with each competitor, as in Figure 5 of Dorn (2018). In each
// cell, it tests whether the competitor has the larger loss.
//
// The level of each test is o.Alpha divided by the number of cells in which both have a loss.
func CountWins(cells []records.Cell, classifier string, competitors []string, o WinOptions) ([]Wins, error) {
	table := make([]Wins, len(competitors))
	for k, competitor := range competitors {
		w := Wins{Competitor: competitor}
		for i := range cells {
			win, err := o.test(&cells[i], classifier, competitor)
			if err != nil {
				return nil, err
			}
			if win.Pairs > 0 {
				w.Tests = append(w.Tests, win)
			}
		}
		w.Level = o.Alpha / float64(len(w.Tests))
		for i := range w.Tests {
			test := &w.Tests[i]
			test.Won, test.Attainable = test.P <= w.Level, test.leastP <= w.Level
		}
		table[k] = w
	}
	return table, nil
}

// Count returns how many of the given cells the classifier won, and in how many it was compared with the competitor.
func (w *Wins) Count(cells []records.Cell) (won, compared int) {
	for _, c := range cells {
		for _, test := range w.Tests {
			if test.Cell != c.ID {
				continue
			}
			compared++
			if test.Won {
				won++
			}
		}
	}
	return won, compared
}

// test tests one cell. The caller sets Won and Attainable, which depend on the number of tests.
func (o *WinOptions) test(c *records.Cell, classifier, competitor string) (Win, error) {
	pairs, err := c.Pairs(o.Metric, classifier, competitor)
	if err != nil {
		return Win{}, err
	}
	paired, err := o.Paired(c)
	if err != nil {
		return Win{}, err
	}
	p, err := paired.pValue(c.ID, &pairs, stats.Less)
	w := Win{Cell: c.ID, P: p, Pairs: len(pairs.X), leastP: 1}
	if !paired.Test.LacksVariation(stats.Summarize(pairs.Differences())) {
		w.leastP = paired.Test.MinP(w.Pairs, stats.Less)
	}
	return w, err
}
