package classifiers

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Probabilities are Bayes' rule itself, for priors P_c and densities p_c:
//
//	P(c | x) = P_c p_c(x) / sum_b P_b p_b(x).
func (b *bayes) Probabilities(x *mat.Dense) *mat.Dense { return posteriors(b.Scores(x)) }

// Probabilities are the posterior probabilities of LDA's normal model, whose
// log densities the scores are but for what all classes share.
func (r *linearRule) Probabilities(x *mat.Dense) *mat.Dense { return posteriors(r.Scores(x)) }

// A voteRule is a rule whose scores are votes.
type voteRule struct{ *scoreRule }

// Probabilities are the classes' shares of the votes: of a forest's trees, of the
// nearest neighbours.
func (r voteRule) Probabilities(x *mat.Dense) *mat.Dense { return voteShares(r.Scores(x)) }

// posteriors turns each row of log weights into the weights' shares. Where no
// class has any weight all are equal: Predict takes the first of them.
func posteriors(logs *mat.Dense) *mat.Dense {
	n, _ := logs.Dims()
	for i := range n {
		row := logs.RawRowView(i)
		if largest := slices.Max(row); math.IsInf(largest, 0) {
			for c, v := range row {
				row[c] = 0
				if v == largest {
					row[c] = 1
				}
			}
		} else {
			for c, v := range row {
				row[c] = math.Exp(v - largest)
			}
		}
		floats.Scale(1/floats.Sum(row), row)
	}
	return logs
}

// voteShares turns each row of votes, to which less than one is added where that
// breaks a tie, into shares.
func voteShares(votes *mat.Dense) *mat.Dense {
	n, _ := votes.Dims()
	for i := range n {
		row := votes.RawRowView(i)
		for c, v := range row {
			row[c] = math.Floor(v)
		}
		floats.Scale(1/floats.Sum(row), row)
	}
	return votes
}

// pseudoLikelihood hides the probabilities of Bayes' rule for pseudo-likelihoods:
// p* is no density, and what would norm it differs from class to class.
func pseudoLikelihood(rule Rule, err error) (Rule, error) {
	if err != nil {
		return nil, err
	}
	return struct{ Scorer }{rule.(Scorer)}, nil
}
