package verdicts

import (
	"fmt"

	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
)

// WinOptions says when a classifier wins a cell.
type WinOptions struct {
	Metric *metrics.Metric
	Alpha  float64 // of the tests of one competitor, Bonferroni: alpha/64 each in 64 cells
	Paired func(c *records.Cell) (Paired, error)
}

// Wins counts the cells in which one classifier is significantly better than a
// competitor.
type Wins struct {
	Competitor string
	Level      float64 // of each test
	Tests      []Win   // one per cell
	Won        int
}

// A Win is the test of one cell.
type Win struct {
	P     float64 // alternative Less: the classifier errs less than the competitor
	Pairs int     // replicates compared
	Won   bool
}

// Shared is the number of cells in which two classifiers ran.
func Shared(cells []records.Cell, a, b string) (n int) {
	for i := range cells {
		if len(Ran(&cells[i], []string{a, b})) == 2 {
			n++
		}
	}
	return n
}

// CountWins tests in every cell, one-sided, whether the classifier errs less
// than each competitor, as Dorn (2018) does for her Figure 5.
func CountWins(cells []records.Cell, classifier string, competitors []string, o WinOptions) ([]Wins, error) {
	if !(o.Alpha > 0 && o.Alpha < 1) {
		return nil, fmt.Errorf("count wins: alpha is %v, must lie in (0,1)", o.Alpha)
	}
	table := make([]Wins, len(competitors))
	for k, competitor := range competitors {
		tests := max(Shared(cells, classifier, competitor), 1)
		w := Wins{Competitor: competitor, Level: o.Alpha / float64(tests)}
		for i := range cells {
			pairs, err := cells[i].Pairs(o.Metric, classifier, competitor)
			if err != nil {
				return nil, err
			}
			paired, err := o.Paired(&cells[i])
			if err != nil {
				return nil, err
			}
			p, err := paired.pValue(cells[i].ID, &pairs, stats.Less)
			if err != nil {
				return nil, err
			}
			win := Win{P: p, Pairs: len(pairs.X), Won: p <= w.Level}
			if win.Won {
				w.Won++
			}
			w.Tests = append(w.Tests, win)
		}
		table[k] = w
	}
	return table, nil
}
