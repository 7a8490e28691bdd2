package networks

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/columns"
	"copse/classifiers/internal/logdensity"
	"copse/classifiers/internal/modelsel"
	"copse/classifiers/method"
	"copse/stats/dataset"
	"copse/stats/kde"
)

// Rows on which a chain's errors are counted.
const (
	heldOut  = "held-out" // rows left out of the densities, fold by fold
	trainSet = "training" // the rows that the densities were estimated from
)

// MarkovChain is the classifier of Park, Spiegelman and Ahn (Chemom. Intell. Lab. Syst. 108:87,
// 2011) as Dorn et al. (2018), section 2, describe it. One order pi of the variables gives a
// Markov chain in every class,
//
//	log p_c(x) = log p_c(x_pi(1)) + sum_k [log p_c(x_pi(k-1), x_pi(k)) - log p_c(x_pi(k-1))],
//
// with kernel densities. Bayes' rule decides, and the order is the one with the fewest
// misclassified rows. An order and its reverse give the same chain. With up to exhaustive
// variables all d!/2 chains are tried. With more, a chain begins with the best pair and grows by
// the best variable at either end; variables outside the chain count as independent. Then parts of
// the chain are reversed as long as that helps, always by the first reversal that helps.
//
// The description does not state on which rows errors are counted; the parameter judge decides.
// Bandwidths come from the same rows as the densities. A class therefore needs three rows, or two
// with judge: training. Of chains with equally many errors, the one with the smaller log loss
// wins. The authors' other proposal, Fisher's discriminant of all log densities, is not this
// classifier.
//
// The densities take at most O(n^2 d^2) and a chain O(n C). A search tries d^2 chains, and d^2
// more for each round of reversals.
type MarkovChain struct {
	Judge      string  `param:"judge" doc:"rows on which the errors of a chain are counted: held out of the densities in folds, or the training rows themselves" enum:"held-out,training"`
	Folds      int     `param:"folds" doc:"number of folds for judge: held-out; leave-one-out if there are fewer rows than folds" range:"[2,inf)"`
	Exhaustive int     `param:"exhaustive" doc:"largest number of variables for which all chains are tried" range:"[1,9]"`
	Bandwidth  string  `param:"bandwidth" doc:"bandwidth rule of the densities" enum:"normal-reference,plug-in"`
	Floor      float64 `param:"floor" doc:"lower bound on each density before its logarithm is taken; densities are for columns divided by their standard deviations in the class. 0: no bound" range:"[0,inf)"`
	Priors     string  `param:"priors" doc:"prior probabilities of the classes: training proportions, or equal" enum:"training,equal"`
}

// NewMarkovChain returns five folds and the bandwidths of SLB.
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

// Fit finds the chain, then estimates its densities from all rows.
func (s *MarkovChain) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*method.Rule, error) {
	judge, err := s.judge(ctx, train, rng)
	if err != nil {
		return nil, fmt.Errorf("choosing the chain: %w", err)
	}
	find := judge.greedy
	if train.D() <= s.Exhaustive {
		find = judge.exhaustive
	}
	chain, err := find(ctx)
	if err != nil {
		return nil, fmt.Errorf("choosing the chain: %w", err)
	}
	how := estimates{bandwidth: kde.Rule(s.Bandwidth), floor: logdensity.Floor{Density: s.Floor}}
	parts, err := how.fit(ctx, train, chainTerms(train.C(), chain))
	if err != nil {
		return nil, err
	}
	return sumBayes(train, s.Priors, parts, false), nil
}

// chainTerms returns the terms of the chain in each class: its pairs, minus the variables that are
// in two pairs.
func chainTerms(classes int, chain []int) []term {
	var terms []term
	for c := range classes {
		if len(chain) == 1 {
			terms = append(terms, term{logdensity.Entry{Class: c}, 1})
		}
		for k := 1; k < len(chain); k++ {
			a, b := chain[k-1], chain[k]
			terms = append(terms, term{logdensity.Entry{Class: c, I: min(a, b), J: max(a, b)}, 1})
			if k > 1 {
				terms = append(terms, term{logdensity.Entry{Class: c, I: a, J: a}, -1})
			}
		}
	}
	return terms
}

// judge returns a chainJudge with the log densities that chains are compared by.
func (s *MarkovChain) judge(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*chainJudge, error) {
	judge := newChainJudge(train.Y, train.C(), train.D(), method.LogPriors(train, s.Priors))
	if s.Judge == trainSet {
		return judge, s.evaluate(ctx, judge, train, train, columns.Head(train.N()))
	}
	if err := modelsel.CheckTwoRows(train); err != nil {
		return nil, fmt.Errorf("held-out rows: %w", err)
	}
	fold, folds, err := modelsel.Deal(train.Y, train.C(), s.Folds, false, rng)
	if err != nil {
		return nil, err
	}
	for f := range folds {
		in, out := dataset.SplitFold(fold, f)
		if err := s.evaluate(ctx, judge, train.Subset(in), train.Subset(out), out); err != nil {
			return nil, fmt.Errorf("fold %d: %w", f+1, err)
		}
	}
	return judge, nil
}

// tileNumbers is the largest number of log densities of pairs in memory at a time: 64 MB.
const tileNumbers = 1 << 23

// evaluate estimates densities from the rows of in and passes their logarithms at the rows of out
// to the judge. rows are the numbers of the latter in the training set.
func (s *MarkovChain) evaluate(ctx context.Context, judge *chainJudge, in, out *dataset.Set, rows []int) error {
	variables, err := s.logs(ctx, in, out.X, logdensity.Univariate(in.C(), in.D()))
	if err != nil {
		return err
	}
	judge.addVariables(rows, variables)
	tile := max(1, tileNumbers/(out.N()*in.C()))
	for pairs := range slices.Chunk(method.PairsOf(in.D()), tile) {
		var entries []logdensity.Entry
		for c := range in.C() {
			for _, p := range pairs {
				entries = append(entries, logdensity.Entry{Class: c, I: p[0], J: p[1]})
			}
		}
		logs, err := s.logs(ctx, in, out.X, entries)
		if err != nil {
			return err
		}
		judge.setPairs(rows, pairs, variables, logs)
	}
	return nil
}

// logs returns the log densities of the entries, estimated from the rows of in, at x.
func (s *MarkovChain) logs(ctx context.Context, in *dataset.Set, x *mat.Dense, entries []logdensity.Entry) (
	*mat.Dense, error) {
	densities, err := logdensity.Fit(ctx, in, kde.Rule(s.Bandwidth), logdensity.Floor{Density: s.Floor}, entries)
	if err != nil {
		return nil, err
	}
	return densities.Features(ctx, x)
}
