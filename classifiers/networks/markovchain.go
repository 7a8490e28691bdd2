package networks

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/crossval"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/method"
	"copse/stats"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// Values of MarkovChain.Judge.
const (
	heldOut  = "held-out" // rows of a fold, with densities estimated from the other folds
	trainSet = "training" // the rows from which the densities are estimated
)

// MarkovChain is the classifier of Park, Spiegelman and Ahn (Chemom. Intell. Lab. Syst. 108:87,
// 2011) as Dorn et al. (2018), section 2, describe it. The variables form a Markov chain in each
// class, in an order that all classes share. x_pi(k) is the k-th of the d variables in this order.
// In class c, the chain has the density p_c:
//
//	log p_c(x) = log p_c(x_pi(1)) + sum_{k=2}^d [log p_c(x_pi(k-1), x_pi(k)) - log p_c(x_pi(k-1))].
//
// An order and its reverse give the same density.
//
// The densities are kernel estimates, and the classifier applies Bayes' rule. The fit chooses the
// order of the variables with the fewest misclassified rows. If several orders have the fewest
// errors, the one with the smallest log loss wins.
//
// If d is at most the parameter exhaustive, the fit tries all d!/2 orders. Otherwise, a greedy
// search has three steps:
//
//  1. It starts with the best pair of variables as a chain. All other variables count as
//     independent.
//  2. It adds the best variable at one end of the chain, until the chain contains all variables.
//  3. It reverses parts of the chain if this lowers the number of errors, or lowers the log loss
//     with the same number of errors.
//
// Dorn et al. do not state on which rows the errors of a chain are counted. The parameter judge
// selects the held-out rows of each fold, or the training rows. They also propose Fisher's
// discriminant of all log densities, which is not implemented.
//
// A class needs at least two rows, because its bandwidths are estimated from them. With judge:
// held-out, it needs at least three, because a fold can contain one of them.
//
// With n rows, d variables and C classes, the densities take at most O(n^2 d^2) operations. For
// each pair of variables, the fit stores the log density of the pair minus the log densities of
// both variables.
//
// Each chain that the fit tries is similar to an earlier one. The fit adds the stored values of new
// neighbours to the scores of the earlier chain. It subtracts the values of pairs that are no
// longer neighbours. This takes O(n C) operations.
//
// The greedy search tries about d^2 chains in steps 1 and 2. Step 3 tries to reverse each of about
// d^2/2 parts of the chain. It is repeated up to 20 times, until no reversal is an improvement.
type MarkovChain struct {
	// rows on which the errors of a chain are counted. `held-out`: the rows of each fold in turn,
	// with densities estimated from the other folds. `training`: the rows from which the densities
	// are estimated
	Judge string `param:"judge" enum:"held-out,training"`
	// number of folds if `judge` is `held-out`; leave-one-out if there are fewer rows than folds
	Folds int `param:"folds" range:"[2,inf)"`
	// largest number of variables for which all chains are tried
	Exhaustive int `param:"exhaustive" range:"[1,9]"`
	// rule for choosing the bandwidths of the densities
	Bandwidth string `param:"bandwidth" enum:"normal-reference,plug-in"`
	// lower bound on each density before its logarithm is taken. Columns are first divided by their
	// standard deviations in the class. 0 means no bound
	Floor float64 `param:"floor" range:"[0,inf)"`
	// prior probabilities of the classes: their proportions in the training set, or all equal
	Priors string `param:"priors" enum:"training,equal"`
}

// NewMarkovChain returns a MarkovChain with the bandwidths and folds of slb.
func NewMarkovChain() *MarkovChain {
	return &MarkovChain{
		Judge:      heldOut,
		Folds:      5,
		Exhaustive: 7,
		Bandwidth:  string(kde.NormalReference),
		Floor:      0,
		Priors:     method.TrainingPriors,
	}
}

// Fit chooses the chain of variables with the fewest errors and returns Bayes' rule for it. It uses
// rng to draw the folds.
func (s *MarkovChain) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	scorer, err := s.scorer(ctx, train, rng)
	if err != nil {
		return nil, fmt.Errorf("choosing the chain: %w", err)
	}
	search := scorer.greedy
	if train.D() <= s.Exhaustive {
		search = scorer.exhaustive
	}
	chain, err := search(ctx)
	if err != nil {
		return nil, fmt.Errorf("choosing the chain: %w", err)
	}
	parts, err := densityEstimator{Options: s.options()}.fit(ctx, train, chainTerms(train.C(), chain))
	if err != nil {
		return nil, err
	}
	return sumBayes(train, s.Priors, parts, columns.NoMissing), nil
}

func (s *MarkovChain) options() logdensity.Options {
	return logdensity.Options{Rule: kde.Rule(s.Bandwidth), Floor: s.Floor}
}

// chainTerms returns the terms of the log density of a chain in each class: the pairs of neighbours
// with weight 1, and the variables that are in two pairs with weight -1.
func chainTerms(classes int, chain []int) []term {
	var terms []term
	for c := range classes {
		if len(chain) == 1 { // no pairs: the term is the log density of variable 0
			terms = append(terms, term{logdensity.Entry{Class: c, I: 0, J: 0}, 1})
		}
		for k := 1; k < len(chain); k++ {
			a, b := chain[k-1], chain[k]
			terms = append(terms, term{logdensity.Entry{Class: c, I: min(a, b), J: max(a, b)}, 1})
			if k > 1 { // a also belongs to the previous pair
				terms = append(terms, term{logdensity.Entry{Class: c, I: a, J: a}, -1})
			}
		}
	}
	return terms
}

// scorer returns a chainScorer that counts the errors of chains on the rows of train.
func (s *MarkovChain) scorer(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*chainScorer, error) {
	scorer := newChainScorer(train.Y, train.C(), train.D(), method.LogPriors(train, s.Priors))
	if s.Judge == trainSet {
		allRows := stats.Indices(train.N())
		return scorer, s.addDensities(ctx, scorer, train, train, allRows)
	}
	if err := crossval.CheckTwoRows(train); err != nil {
		return nil, fmt.Errorf("held-out rows: %w", err)
	}
	fold, folds, err := crossval.Folds(train, s.Folds, crossval.ClassesByFirstRow, rng)
	if err != nil {
		return nil, err
	}
	for f := range folds {
		trainRows, testRows := dataset.SplitFold(fold, f)
		if err := s.addDensities(ctx, scorer, train.Subset(trainRows), train.Subset(testRows), testRows); err != nil {
			return nil, fmt.Errorf("fold %d: %w", f+1, err)
		}
	}
	return scorer, nil
}

// batchNumbers is the largest number of bivariate log densities to keep in memory (64 MB).
const batchNumbers = 1 << 23

// addDensities estimates all densities from train and passes their logarithms at the rows of test to
// the scorer. Row i of test is row rows[i] of the scorer. The gain of a pair of variables is the change
// in the scores if the variables become neighbours in the chain.
func (s *MarkovChain) addDensities(
	ctx context.Context, scorer *chainScorer, train, test *dataset.Set, rows []int,
) error {
	variables, err := s.logDensities(ctx, train, test.X, logdensity.Univariate(train.C(), train.D()))
	if err != nil {
		return err
	}
	scorer.addVariables(rows, variables)
	numbersPerPair := test.N() * train.C()
	pairsPerBatch := max(1, batchNumbers/numbersPerPair)
	for pairs := range slices.Chunk(stats.Pairs(train.D()), pairsPerBatch) {
		var entries []logdensity.Entry // class by class
		for c := range train.C() {
			for _, p := range pairs {
				entries = append(entries, logdensity.Entry{Class: c, I: p.I, J: p.J})
			}
		}
		joint, err := s.logDensities(ctx, train, test.X, entries)
		if err != nil {
			return err
		}
		scorer.setPairGains(rows, pairs, variables, joint)
	}
	return nil
}

// logDensities estimates the density of each entry from train. The result contains the log
// densities at the rows of x, with one column per entry.
func (s *MarkovChain) logDensities(
	ctx context.Context, train *dataset.Set, x *mat.Dense, entries []logdensity.Entry,
) (*mat.Dense, error) {
	densities, err := logdensity.Fit(ctx, train, s.options(), entries)
	if err != nil {
		return nil, err
	}
	return densities.FeaturesIn(ctx, nil, x)
}
