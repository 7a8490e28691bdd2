package method

import (
	"gonum.org/v1/gonum/mat"

	"copse/stats"
)

// Votes returns a rule whose class scores are the votes of PairVotes. The function decisions
// returns a decision value for each row of x and each pair of classes.
func Votes(decisions func(x *mat.Dense) *mat.Dense, classes int, warnings []string) *Rule {
	scores := func(x *mat.Dense) *mat.Dense { return PairVotes(decisions(x), classes) }
	return &Rule{Scores: scores, PairScores: decisions, Warnings: warnings}
}

// PairVotes returns the n x C matrix of votes for each class. With two classes, it returns the
// decision value and its negative instead of votes.
//
// The matrix decisions has a column for each pair in stats.Pairs. A positive decision is a vote for
// the first class of the pair.
func PairVotes(decisions *mat.Dense, classes int) *mat.Dense {
	n, _ := decisions.Dims()
	pairs := stats.Pairs(classes)
	scores := mat.NewDense(n, classes, nil)
	for i := range n {
		row, values := scores.RawRowView(i), decisions.RawRowView(i)
		if classes == 2 {
			row[0], row[1] = values[0], -values[0]
			continue
		}
		Vote(pairs, values, row) // adds one vote for each pair
	}
	return scores
}

// Vote adds 1 to votes[c] for each pair that class c wins. The first class of pairs[k] wins if
// values[k] is positive. Otherwise the second class wins.
func Vote(pairs []stats.Pair, values, votes []float64) {
	for k, pair := range pairs {
		winner := pair.J
		if values[k] > 0 {
			winner = pair.I
		}
		votes[winner]++
	}
}
