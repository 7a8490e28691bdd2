package classifiers

import (
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/internal/modelsel"
	"copse/classifiers/internal/platt"
	"copse/classifiers/method"
	"copse/stats/dataset"
)

// A Multiclass is a way to extend a two-class method to more classes; "": none.
type Multiclass string

const (
	// OneVsOne fits a rule to the rows of each pair of classes. If these rules have
	// probabilities, it couples them (Wu, Lin and Weng 2004, second approach). Otherwise the
	// score of a class is the number of pairs that it wins, and the sum of its decision values
	// breaks ties, as in scikit-learn's OneVsOneClassifier.
	OneVsOne Multiclass = "ovo"
	// OneVsRest fits a rule for each class against all others (Rifkin and Klautau 2004).
	// It divides the classes' probabilities by their sum (Zadrozny and Elkan 2002). Without
	// probabilities, the score of a class is its decision value.
	OneVsRest Multiclass = "ovr"
)

// A multiclassRecipe fits a recipe to two-class tasks and combines their rules. With two
// classes it fits the recipe itself. It fits tasks in the order of the classes' first rows, so
// that random draws do not depend on the codes of classes.
type multiclassRecipe struct {
	recipe Classifier
	way    Multiclass
}

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
	tasks := m.way.tasks(modelsel.ClassOrder(train.Y, train.C(), false), train.C())
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
	return fitted.rule(m.way), nil
}

// memory returns the estimate of Memory: the sum over all tasks, since the rule keeps all their rules.
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

// A task is a decision between two classes, or between one class and all others. Its decision
// values fill column of the matrix of all decision values.
type task struct{ first, second, column int }

// allOthers is the second class of a task of OneVsRest.
const allOthers = -1

// tasks returns the tasks of all classes, arranged by the given order of their codes. Pairs
// have columns in the order of method.PairsOf; for OneVsRest the column is the class's code.
func (m Multiclass) tasks(order []int, classes int) []task {
	var tasks []task
	pairs := method.PairsOf(classes)
	for i, a := range order {
		if m == OneVsRest {
			tasks = append(tasks, task{a, allOthers, a})
			continue
		}
		for _, b := range order[i+1:] {
			pair := [2]int{min(a, b), max(a, b)}
			tasks = append(tasks, task{pair[0], pair[1], slices.Index(pairs, pair)})
		}
	}
	return tasks
}

// trainingSet returns the rows of the task's classes. The first class gets code 0, the second 1.
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
	set.Classes = []string{train.Classes[t.first], "the others"}
	if t.second != allOthers {
		set.Classes[1] = train.Classes[t.second]
	}
	return set
}

// taskRules holds the fitted rules of all tasks.
type taskRules struct {
	tasks    []task
	rules    []*Rule
	classes  int
	warnings []string
}

// rule combines the rules of the tasks into one for all classes. If every task's rule has
// probabilities, so has the combination, and its scores are log probabilities.
func (r *taskRules) rule(way Multiclass) *Rule {
	combined := &Rule{Warnings: r.warnings}
	if way == OneVsOne {
		combined.PairScores = r.decisions
	}
	lacksProbabilities := func(rule *Rule) bool { return rule.Probabilities == nil }
	if slices.ContainsFunc(r.rules, lacksProbabilities) {
		combined.Scores = func(x *mat.Dense) *mat.Dense {
			if way == OneVsOne {
				return confidentVotes(r.decisions(x), r.classes)
			}
			return r.decisions(x)
		}
		return combined
	}
	combined.Scores = func(x *mat.Dense) *mat.Dense {
		if way == OneVsOne {
			return coupled(r.firstShares(x), r.classes)
		}
		return logsOf(r.firstShares(x))
	}
	return combined.WithProbabilities(method.Posteriors)
}

// decisions returns the decision values of all tasks, n x tasks. A positive value favours the
// first class of the task.
func (r *taskRules) decisions(x *mat.Dense) *mat.Dense {
	return r.collect(x, pairScores)
}

// firstShares returns the probabilities of the first class of each task, n x tasks.
func (r *taskRules) firstShares(x *mat.Dense) *mat.Dense {
	return r.collect(x, func(rule *Rule, x *mat.Dense) *mat.Dense { return rule.Probabilities(x) })
}

// collect evaluates each task's rule on x, and writes the first column of the result to the
// task's column.
func (r *taskRules) collect(
	x *mat.Dense, evaluate func(rule *Rule, x *mat.Dense) *mat.Dense,
) *mat.Dense {
	n, _ := x.Dims()
	all := mat.NewDense(n, len(r.tasks), nil)
	for k, t := range r.tasks {
		all.SetCol(t.column, mat.Col(nil, 0, evaluate(r.rules[k], x)))
	}
	return all
}

// coupled returns log class probabilities, n x C, coupled from the pairwise probabilities of
// the first classes, n x pairs.
func coupled(firstShares *mat.Dense, classes int) *mat.Dense {
	n, _ := firstShares.Dims()
	probabilities := mat.NewDense(n, classes, nil)
	for i := range n {
		probabilities.SetRow(i, platt.Couple(classes, firstShares.RawRowView(i)))
	}
	return logsOf(probabilities)
}

// logsOf replaces the entries of m by their logarithms and returns m.
func logsOf(m *mat.Dense) *mat.Dense {
	m.Apply(func(_, _ int, p float64) float64 { return math.Log(p) }, m)
	return m
}

// confidentVotes returns class scores, n x C, from the decision values of all pairs, n x pairs.
// A score is the number of pairs that the class wins, plus at most 1/3 in magnitude that
// increases with the sum of its decision values. A value of 0 gives both classes half a vote.
func confidentVotes(decisions *mat.Dense, classes int) *mat.Dense {
	n, _ := decisions.Dims()
	votes := mat.NewDense(n, classes, nil)
	sums := make([]float64, classes) // of the decision values for each class
	for i := range n {
		clear(sums)
		row := votes.RawRowView(i)
		for k, pair := range method.PairsOf(classes) {
			value := decisions.At(i, k)
			first := shareOfVote(value)
			row[pair[0]] += first
			row[pair[1]] += 1 - first
			sums[pair[0]] += value
			sums[pair[1]] -= value
		}
		for c, sum := range sums {
			row[c] += bounded(sum) / 3
		}
	}
	return votes
}

// shareOfVote returns the share of a pair's vote that goes to its first class.
func shareOfVote(decision float64) float64 {
	switch {
	case decision > 0:
		return 1
	case decision < 0:
		return 0
	}
	return 0.5
}

// bounded maps a sum of decision values to [-1, 1] monotonically. It returns 0 for NaN, the sum
// of infinite values of both signs.
func bounded(sum float64) float64 {
	switch {
	case math.IsNaN(sum):
		return 0
	case math.IsInf(sum, 0):
		return math.Copysign(1, sum)
	}
	return sum / (math.Abs(sum) + 1)
}
