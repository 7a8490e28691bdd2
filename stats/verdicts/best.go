// Package verdicts says what the rows of a study show: sets of best
// classifiers, wins, agreement with published numbers.
package verdicts

import (
	"fmt"
	"math"
	"slices"

	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
)

// BestOptions says how the best classifiers of a cell are found.
type BestOptions struct {
	Metric      *metrics.Metric
	Family      []string // the classifiers compared; the oracle and extra columns stay outside
	Paired               // how
	Alternative stats.Alternative
	Champion    string           // whom the others are compared with; "": the best, which two-sided tests allow
	Alpha       float64          // family-wise level
	Correction  stats.Correction // over the comparisons with the best that the cell's classifiers make
	AllPairs    bool             // the correction counts all pairs of the family in their place
	Margin      float64          // losses closer than this are equivalent; 0: not asked
	Rope        float64          // the same for the Bayesian test; 0: not asked
	Untested    bool             // replicates are not such that differences could be tested
}

// DefaultBestOptions is how Tenzer et al. (2020) print their tables: two-sided
// signed-rank tests at 0.05/(k-1). It is for programs that import this package: copse
// takes a study's options from its file.
func DefaultBestOptions(family []string) BestOptions {
	return BestOptions{Metric: metrics.ErrorRate, Family: family, Alpha: 0.05, Correction: stats.Bonferroni,
		Paired: Paired{Test: stats.Tests[0], Design: stats.Independent}}
}

// A BestSet is the best classifier of a cell and those that the data do not
// distinguish from it: what a table prints in bold.
type BestSet struct {
	Best        string   // smallest mean; the first of the family on ties. Empty when nothing succeeded
	Tied        []string // all whose mean is that of Best
	Against     string   // whom the others are compared with: the champion, or the best
	Members     []string // that one and the compatible, in the family's order
	Comparisons []Comparison
	Family      []string // those of the family that ran in the cell, k of them
	Level       float64  // Alpha/(k-1): each comparison's Bonferroni level, and Holm's first; Alpha uncorrected
	Attainable  bool     // that many pairs can give a p-value as small as Level; otherwise nothing can ever be significant
}

// A Comparison is one test of the best classifier, or the champion, against another.
type Comparison struct {
	Other    string
	Pairs    int         // replicates that are compared: both succeeded
	P        float64     // of the test of BestSet.Against against Other
	Adjusted float64     // P adjusted for the family
	Worse    bool        // Other is shown to be worse than the best
	Better   bool        // Other is shown to be better, on the pairs, though its mean is none
	Effect   float64     // rank-biserial, negative where Against is better
	Shift    stats.Shift // the test's estimate, Against minus Other, confidence 1-Alpha

	Equivalence float64            // adjusted p-value of the two one-sided tests; NaN when not asked
	Posterior   *stats.BayesResult // of the best minus Other; nil when not asked
}

// comparisons is the number that the correction counts. The best is chosen on the same
// data, so that its comparisons are the k(k-1)/2 of all pairs, of which the k-1 are
// made that look most different: counting k-1, as the papers do, a family of equal
// classifiers has a significant difference oftener than alpha says.
func (o *BestOptions) comparisons(ran []string) int {
	k := max(len(ran), 2)
	if o.AllPairs {
		return k * (k - 1) / 2
	}
	return k - 1
}

// compares says whether the tests have what they compare with among those that ran.
func (o *BestOptions) compares(ran []string) bool {
	return !o.Untested && (o.Champion == "" || slices.Contains(ran, o.Champion))
}

// Ran are the classifiers of a family that have results in a cell, failed ones counted:
// what a study does not run there is compared with nothing.
func Ran(c *records.Cell, family []string) []string {
	there := map[string]bool{}
	for i := range c.Rows {
		there[c.Rows[i].Classifier] = true
	}
	return slices.DeleteFunc(slices.Clone(family), func(id string) bool { return !there[id] })
}

// Contains says whether a classifier is printed in bold.
func (b *BestSet) Contains(classifier string) bool { return slices.Contains(b.Members, classifier) }

// Best compares the classifier with the smallest mean, or the champion, with each
// other one of the family by paired tests on the replicates where both succeeded. The
// means are those of the table, over each classifier's own successes. Where the pairs show
// another to be better than the one with the smallest mean, both are members. The
// correction counts the comparisons of all that ran, even where some failed throughout. A
// classifier without any success is never in the set. Where the champion did not run
// nothing is compared.
func Best(c *records.Cell, o BestOptions) (BestSet, error) {
	if len(o.Family) < 2 {
		return BestSet{}, fmt.Errorf("best of a cell: the family needs at least two classifiers, it has %q", o.Family)
	}
	if !(o.Alpha > 0 && o.Alpha < 1) {
		return BestSet{}, fmt.Errorf("best of a cell: alpha is %v, must lie in (0,1)", o.Alpha)
	}
	for i, name := range o.Family {
		if !slices.Contains(c.Classifiers, name) {
			return BestSet{}, fmt.Errorf("best of a cell: no classifier %q; the records have %q", name, c.Classifiers)
		}
		if slices.Contains(o.Family[:i], name) {
			return BestSet{}, fmt.Errorf("best of a cell: the family names %q twice", name)
		}
	}
	if o.Champion == "" && o.Alternative != stats.TwoSided {
		return BestSet{}, fmt.Errorf("best of a cell: one-sided tests of what is best on the same data have no level: name a champion")
	}
	if o.Champion != "" && !slices.Contains(o.Family, o.Champion) {
		return BestSet{}, fmt.Errorf("best of a cell: the champion %q is not of the family %q", o.Champion, o.Family)
	}
	set := BestSet{Family: Ran(c, o.Family)}
	set.Level = o.Alpha / float64(o.comparisons(set.Family))
	if o.Correction == stats.Uncorrected {
		set.Level = o.Alpha
	}
	set.chooseBest(c, o)
	if set.Best == "" || !o.compares(set.Family) {
		return set, nil
	}
	if set.Against = o.Champion; set.Against == "" {
		set.Against = set.Best
	}
	if err := set.compare(c, o); err != nil {
		return set, err
	}
	for _, name := range o.Family {
		worse := slices.ContainsFunc(set.Comparisons, func(q Comparison) bool { return q.Other == name && q.Worse })
		if values, _ := c.Values(o.Metric, name); len(values) > 0 && !worse {
			set.Members = append(set.Members, name)
		}
	}
	return set, nil
}

// chooseBest sets Best and Tied.
func (b *BestSet) chooseBest(c *records.Cell, o BestOptions) {
	lowest := math.Inf(1)
	for _, name := range o.Family {
		switch mean := stats.Steps(c.Summary(o.Metric, name).Mean); {
		case mean < lowest:
			lowest, b.Best, b.Tied = mean, name, []string{name}
		case mean == lowest:
			b.Tied = append(b.Tied, name)
		}
	}
}

// compare tests the best against the rest of the family.
func (b *BestSet) compare(c *records.Cell, o BestOptions) error {
	var p, equivalence []float64
	least := 1.0
	for _, name := range o.Family {
		if values, _ := c.Values(o.Metric, name); name == b.Against || len(values) == 0 {
			continue
		}
		pairs, err := c.Pairs(o.Metric, b.Against, name)
		if err != nil {
			return err
		}
		q := Comparison{Other: name, Pairs: len(pairs.X), Effect: pairs.RankBiserial(), Equivalence: math.NaN()}
		if q.P, err = o.pValue(c.ID, &pairs, o.Alternative); err != nil {
			return err
		}
		q.Shift = o.Shift(c.ID, &pairs, 1-o.Alpha)
		if o.Margin > 0 {
			if q.Equivalence, err = o.equivalence(c.ID, &pairs, o.Margin); err != nil {
				return err
			}
			equivalence = append(equivalence, q.Equivalence)
		}
		if o.Rope > 0 {
			if q.Posterior, err = o.posterior(c.ID, &pairs, o.Rope); err != nil {
				return err
			}
		}
		least = min(least, o.Test.MinP(q.Pairs, o.Alternative))
		p = append(p, q.P)
		b.Comparisons = append(b.Comparisons, q)
	}
	adjusted := o.Correction.Adjust(p, o.comparisons(b.Family))
	for i := range b.Comparisons {
		b.Comparisons[i].Adjusted = adjusted[i]
		q := &b.Comparisons[i]
		shown, better := adjusted[i] <= o.Alpha, q.Shift.Estimate > 0
		q.Worse, q.Better = shown && !better, shown && better
	}
	for i, v := range o.Correction.Adjust(equivalence, o.comparisons(b.Family)) {
		b.Comparisons[i].Equivalence = v
	}
	b.Attainable = least <= b.Level
	return nil
}
