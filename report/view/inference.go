package view

import (
	"copse/stats"
)

// Inference is how the best classifiers of a cell are found.
type Inference struct {
	Test        string   `param:"test" doc:"paired over replicates" enum:"signed-rank"`
	Unit        string   `param:"unit" doc:"what counts as one result: a replicate, or with folds a task, the mean over its folds, which depend on one another" enum:"replicate,task"`
	Alternative string   `param:"alternative" doc:"of the best against each other classifier" enum:"two-sided"`
	Alpha       float64  `param:"alpha" doc:"family-wise level" range:"(0,1)"`
	Correction  string   `param:"correction" doc:"over the comparisons of one cell" enum:"bonferroni,holm"`
	Family      []string `param:"family" doc:"classifier ids compared; empty: all but the oracle"`
	Exact       bool     `param:"exact" doc:"exact p-values whatever the ties, rather than R's rule (exact below 50 pairs without ties or zeros)"`
	Policy      string   `param:"policy" doc:"replicates in which a fit failed" enum:"complete-pairs"`
}

// DefaultInference is Tenzer et al. (2020): two-sided signed-rank tests at
// 0.05/(k-1).
func DefaultInference() Inference {
	return Inference{Test: "signed-rank", Unit: "replicate", Alternative: "two-sided", Alpha: 0.05, Correction: "bonferroni", Policy: "complete-pairs"}
}

// Adjustment returns the option as stats knows it.
func (o *Inference) Adjustment() stats.Correction {
	if o.Correction == "holm" {
		return stats.Holm
	}
	return stats.Bonferroni
}
