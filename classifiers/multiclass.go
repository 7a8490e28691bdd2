package classifiers

import (
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/crossval"
	"copse/classifiers/internal/platt"
	"copse/classifiers/method"
	"copse/stats"
	"copse/stats/dataset"
)

// A Multiclass is a method for extending a two-class classifier to more classes; "" means none.
type Multiclass string

const (
	// OneVsOne fits a rule to each pair of classes. If the rules have probabilities, it combines
	// them (Wu, Lin and Weng 2004, second approach). Otherwise, it counts the pairs that each class
	// wins. The sums of decision values break ties, as in scikit-learn.
	OneVsOne Multiclass = "ovo"
	// OneVsRest fits a rule for each class against all others (Rifkin and Klautau 2004). If the
	// rules have probabilities, it divides them by their sum (Zadrozny and Elkan 2002). Otherwise,
	// the decision values of the rules are the scores.
	OneVsRest Multiclass = "ovr"
)

// A multiclassRecipe extends a two-class recipe to more classes by fitting it to several tasks.
//
// The tasks are in the order in which their classes first occur in the rows. So their random
// numbers do not depend on the codes of the classes.
type multiclassRecipe struct {
	recipe Classifier
	way    Multiclass
}

// Fit implements Classifier. With only two classes, it fits the recipe directly.
func (m multiclassRecipe) Fit(
	ctx context.Context, train *dataset.Set, rng *rand.Rand,
) (*Rule, error) {
	if train.C() <= 2 {
		return Fit(ctx, m.recipe, train, rng)
	}
	if spec, ok := Registry.EntryOf(m.recipe); ok {
		spec.MaxClasses = 0 // each task has two classes
		if err := spec.check(train); err != nil {
			return nil, fmt.Errorf("%s: %w", spec.Name, err)
		}
	}
	order := crossval.ClassOrder(train.Y, train.C(), crossval.ClassesByFirstRow)
	tasks := m.way.tasks(order, train.C())
	fitted := &taskRules{tasks: tasks, classes: train.C()}
	for _, t := range tasks {
		set := t.trainingSet(train)
		rule, err := Fit(ctx, m.recipe, set, rng)
		name := fmt.Sprintf("class %s against %s", set.Classes[0], set.Classes[1])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		fitted.rules = append(fitted.rules, rule)
		for _, warning := range rule.Warnings {
			fitted.warnings = append(fitted.warnings, name+": "+warning)
		}
	}
	return fitted.combined(m.way), nil
}

// memory returns the memory for all tasks, whose rules are in memory at the same time.
func (m multiclassRecipe) memory(l Load) int64 {
	if l.Classes <= 2 {
		return Memory(m.recipe, l)
	}
	tasks, rows := l.Classes, l.Train
	if m.way == OneVsOne {
		tasks, rows = l.Classes*(l.Classes-1)/2, 2*l.Train/l.Classes
	}
	perTask := Memory(m.recipe, Load{Train: rows, Test: l.Test, D: l.D, Classes: 2})
	return leastMemory + int64(tasks)*(perTask-leastMemory)
}

// A task is a decision between two classes, or between a class and all others. The field column is
// the index of the task's column in the matrix of decision values.
type task struct{ first, second, column int }

// allOthers is task.second for OneVsRest.
const allOthers = -1

// tasks returns all tasks, in the order in which classOrder lists the class codes. In the matrix of
// decision values, the column of a task is its class code, or the index of its pair in stats.Pairs.
func (m Multiclass) tasks(classOrder []int, classes int) []task {
	var tasks []task
	if m == OneVsRest {
		for _, c := range classOrder {
			tasks = append(tasks, task{first: c, second: allOthers, column: c})
		}
		return tasks
	}
	pairs := stats.Pairs(classes)
	for i, a := range classOrder {
		for _, b := range classOrder[i+1:] {
			pair := stats.Pair{I: min(a, b), J: max(a, b)}
			tasks = append(tasks, task{first: pair.I, second: pair.J, column: slices.Index(pairs, pair)})
		}
	}
	return tasks
}

// trainingSet returns the rows of the task, with code 0 for class t.first and 1 for all others.
func (t task) trainingSet(train *dataset.Set) *dataset.Set {
	var rows, labels []int
	for i, class := range train.Y {
		switch {
		case class == t.first:
			rows = append(rows, i)
			labels = append(labels, 0)
		case class == t.second || t.second == allOthers:
			rows = append(rows, i)
			labels = append(labels, 1)
		}
	}
	set := train.Subset(rows)
	set.Y = labels
	second := "the others"
	if t.second != allOthers {
		second = train.Classes[t.second]
	}
	set.Classes = []string{train.Classes[t.first], second}
	return set
}

// taskRules contains the fitted rule of each task; rules[k] belongs to tasks[k].
type taskRules struct {
	tasks    []task
	rules    []*Rule
	classes  int
	warnings []string
}

// combined combines the two-class rules of all tasks into a rule for all classes.
//
// If all two-class rules have probabilities, the scores of the result are log probabilities of the
// classes, up to a constant for each row. Otherwise, they are the decision values of the two-class
// rules for OneVsRest, and confidentVotes for OneVsOne. For OneVsOne, PairScores contains the decision
// values, which Platt scaling needs.
func (r *taskRules) combined(way Multiclass) *Rule {
	combined := &Rule{Warnings: r.warnings, Scores: r.decisions}
	if way == OneVsOne {
		combined.PairScores = r.decisions
		combined.Scores = func(x *mat.Dense) *mat.Dense { return confidentVotes(r.decisions(x), r.classes) }
	}
	lacksProbabilities := func(rule *Rule) bool { return rule.Probabilities == nil }
	if slices.ContainsFunc(r.rules, lacksProbabilities) {
		return combined
	}
	combined.Scores = func(x *mat.Dense) *mat.Dense { return r.logProbabilities(x, way) }
	// Posteriors divides the exponentials of the scores by their sum. For OneVsRest, this sum need
	// not be 1, because each probability comes from a different rule.
	return combined.WithProbabilities(method.Posteriors)
}

// logProbabilities returns the n x classes matrix of log probabilities of the classes, up to a
// constant for each row.
func (r *taskRules) logProbabilities(x *mat.Dense, way Multiclass) *mat.Dense {
	// collect returns the probability of each task's first class. For OneVsRest, these are the
	// probabilities of all classes.
	p := r.collect(x, func(rule *Rule, x *mat.Dense) *mat.Dense { return rule.Probabilities(x) })
	if way == OneVsOne {
		p = coupled(p, r.classes) // n x classes, computed from the probabilities of the pairs
	}
	p.Apply(func(_, _ int, v float64) float64 { return math.Log(v) }, p)
	return p
}

// decisions returns the n x tasks matrix of decision values. Positive values favour the first class
// of the task.
func (r *taskRules) decisions(x *mat.Dense) *mat.Dense { return r.collect(x, pairScores) }

// collect returns an n x tasks matrix for the n rows of x. For each task t, column t.column is the
// first column of the matrix that evaluate returns for its rule.
func (r *taskRules) collect(
	x *mat.Dense, evaluate func(rule *Rule, x *mat.Dense) *mat.Dense,
) *mat.Dense {
	n, _ := x.Dims()
	all := mat.NewDense(n, len(r.tasks), nil)
	for k, t := range r.tasks { // r.rules[k] is the rule of task t
		all.SetCol(t.column, mat.Col(nil, 0, evaluate(r.rules[k], x)))
	}
	return all
}

func coupled(firstProbabilities *mat.Dense, classes int) *mat.Dense {
	n, _ := firstProbabilities.Dims()
	probabilities := mat.NewDense(n, classes, nil)
	for i := range n {
		probabilities.SetRow(i, platt.Couple(classes, firstProbabilities.RawRowView(i)))
	}
	return probabilities
}

// confidentVotes returns the n x C matrix of class scores. decisions has a column for each pair in
// stats.Pairs. The score of class c, which wins v_c pairs, is
//
//	v_c + bounded(s_c) / 3,  s_c = sum of the decision values in favour of c.
//
// bounded(s) = s / (|s| + 1) only breaks ties. A pair with the value 0 counts half for each class.
func confidentVotes(decisions *mat.Dense, classes int) *mat.Dense {
	n, _ := decisions.Dims()
	votes := mat.NewDense(n, classes, nil)
	sums := make([]float64, classes) // s_c
	for i := range n {
		clear(sums)
		row := votes.RawRowView(i)
		for k, pair := range stats.Pairs(classes) {
			value := decisions.At(i, k)
			first := shareOfVote(value)
			row[pair.I] += first
			row[pair.J] += 1 - first
			sums[pair.I] += value
			sums[pair.J] -= value
		}
		for c, sum := range sums {
			row[c] += bounded(sum) / 3
		}
	}
	return votes
}

func shareOfVote(decision float64) float64 {
	switch {
	case decision > 0:
		return 1
	case decision < 0:
		return 0
	}
	return 0.5
}

// bounded maps s to [-1, 1] by s / (|s| + 1). It maps NaN, the sum of infinite values with
// different signs, to 0.
func bounded(sum float64) float64 {
	switch {
	case math.IsNaN(sum):
		return 0
	case math.IsInf(sum, 0):
		return math.Copysign(1, sum)
	}
	return sum / (math.Abs(sum) + 1)
}
