package classifiers

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// An adapted rule answers for other rows, or for more classes, than those that
// its rule was fitted to.
type adapted struct {
	rule    Rule
	before  func(*mat.Dense) *mat.Dense // what happens to the rows first; nil: nothing
	kept    []int                       // the class of each class of the rule; nil: the same
	classes int                         // with kept
	warning string                      // beside the rule's own
}

// adapt returns an adapted rule that can do what the rule can: scores of classes
// that it does not know are -Inf, probabilities 0.
func adapt(rule Rule, before func(*mat.Dense) *mat.Dense, kept []int, classes int, warning string) Rule {
	a := adapted{rule, before, kept, classes, warning}
	switch rule.(type) {
	case Prober:
		return adaptedProber{adaptedScorer{a}}
	case Scorer:
		return adaptedScorer{a}
	}
	return a
}

func (a adapted) rows(x *mat.Dense) *mat.Dense {
	if a.before == nil {
		return x
	}
	return a.before(x)
}

// Predict implements Rule.
func (a adapted) Predict(x *mat.Dense) []int {
	labels := a.rule.Predict(a.rows(x))
	if a.kept == nil {
		return labels
	}
	all := make([]int, len(labels))
	for i, label := range labels {
		all[i] = a.kept[label]
	}
	return all
}

// Warnings implements Warner.
func (a adapted) Warnings() []string {
	var warnings []string
	if a.warning != "" {
		warnings = append(warnings, a.warning)
	}
	if w, ok := a.rule.(Warner); ok {
		warnings = append(warnings, w.Warnings()...)
	}
	return warnings
}

// widen puts the columns of the rule's classes among those of all classes.
func (a adapted) widen(m *mat.Dense, absent float64) *mat.Dense {
	if a.kept == nil {
		return m
	}
	n, _ := m.Dims()
	all := mat.NewDense(n, a.classes, nil)
	for i := range n {
		row := all.RawRowView(i)
		for c := range row {
			row[c] = absent
		}
		for k, c := range a.kept {
			row[c] = m.At(i, k)
		}
	}
	return all
}

type adaptedScorer struct{ adapted }

// Scores implements Scorer.
func (a adaptedScorer) Scores(x *mat.Dense) *mat.Dense {
	return a.widen(a.rule.(Scorer).Scores(a.rows(x)), math.Inf(-1))
}

func (a adaptedScorer) pairScores(x *mat.Dense) *mat.Dense {
	if a.kept != nil {
		return pairScores(struct{ Scorer }{a}, x)
	}
	return pairScores(a.rule.(Scorer), a.rows(x))
}

type adaptedProber struct{ adaptedScorer }

// Probabilities implements Prober.
func (a adaptedProber) Probabilities(x *mat.Dense) *mat.Dense {
	return a.widen(a.rule.(Prober).Probabilities(a.rows(x)), 0)
}
