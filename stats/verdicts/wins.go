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
	// Paired returns the test to use for a cell.
	Paired func(c *records.Cell) (Paired, error)
}

// Wins counts the cells in which a classifier is significantly better than a competitor.
type Wins struct {
	Competitor string
	Level      float64 // level of each test
	Tests      []Win   // one per cell
	Won        int     // cells that the classifier wins
}

// A Win is the one-sided test of one cell.
type Win struct {
	P          float64 // for a smaller loss of the classifier
	Pairs      int     // compared replicates
	Won        bool
	Attainable bool // false if the smallest possible p-value of so many pairs exceeds the level
}

// Shared returns the number of cells in which both classifiers ran.
func Shared(cells []records.Cell, a, b string) (n int) {
	for i := range cells {
		if len(Ran(&cells[i], []string{a, b})) == 2 {
			n++
		}
	}
	return n
}

// CountWins tests, for each competitor and cell, whether the classifier has a smaller loss than the
// competitor, as in Figure 5 of Dorn (2018). Each test against a competitor has level o.Alpha divided by
// the number of cells in which both ran.
func CountWins(cells []records.Cell, classifier string, competitors []string, o WinOptions) ([]Wins, error) {
	table := make([]Wins, len(competitors))
	for k, competitor := range competitors {
		tests := max(Shared(cells, classifier, competitor), 1)
		w := Wins{Competitor: competitor, Level: o.Alpha / float64(tests)}
		for i := range cells {
			win, err := o.test(&cells[i], classifier, competitor, w.Level)
			if err != nil {
				return nil, err
			}
			if win.Won {
				w.Won++
			}
			w.Tests = append(w.Tests, win)
		}
		table[k] = w
	}
	return table, nil
}

func (o *WinOptions) test(c *records.Cell, classifier, competitor string, level float64) (Win, error) {
	pairs, err := c.Pairs(o.Metric, classifier, competitor)
	if err != nil {
		return Win{}, err
	}
	paired, err := o.Paired(c)
	if err != nil {
		return Win{}, err
	}
	p, err := paired.pValue(c.ID, &pairs, stats.Less)
	n := len(pairs.X)
	return Win{P: p, Pairs: n, Won: p <= level, Attainable: paired.Test.MinP(n, stats.Less) <= level}, err
}
