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

// A Multiclass is a way to decide between many classes by a method for two; "": none.
type Multiclass string

const (
	// OneVsOne fits a rule to the rows of each pair of classes. Where these rules have
	// probabilities, the pairs are coupled (Wu, Lin and Weng 2004, second approach).
	// Without, each class scores the pairs that it wins, and the sum of its decision
	// values breaks ties as in scikit-learn's OneVsOneClassifier.
	OneVsOne Multiclass = "ovo"
	// OneVsRest fits a rule for each class against all others (Rifkin and Klautau 2004).
	// The classes' probabilities are divided by their sum (Zadrozny and Elkan 2002).
	// Without probabilities, each class scores its decision value.
	OneVsRest Multiclass = "ovr"
)

// multiclassRecipe fits a recipe to tasks of two classes and combines their rules. A
// training set of two classes is a single task. Random draws do not depend on the classes'
// codes: tasks are fitted in the order of the classes' first rows.
type multiclassRecipe struct {
	recipe Classifier
	way    Multiclass
}

func (m multiclassRecipe) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*Rule, error) {
	if train.C() <= 2 {
		return Fit(ctx, m.recipe, train, rng)
	}
	if spec, ok := Registry.EntryOf(m.recipe); ok {
		spec.MaxClasses = 0
		if err := spec.check(train); err != nil {
			return nil, fmt.Errorf("%s: %w", spec.Name, err)
		}
	}
	tasks := m.way.tasks(modelsel.ClassOrder(train.Y, train.C(), false), train.C())
	fitted := &taskRules{tasks: tasks, classes: train.C()}
	for _, t := range tasks {
		set := t.trainingSet(train)
		rule, err := Fit(ctx, m.recipe, set, rng)
		if err != nil {
			return nil, fmt.Errorf("class %s against %s: %w", set.Classes[0], set.Classes[1], err)
		}
		fitted.rules = append(fitted.rules, rule)
		for _, warning := range rule.Warnings {
			fitted.warnings = append(fitted.warnings,
				fmt.Sprintf("class %s against %s: %s", set.Classes[0], set.Classes[1], warning))
		}
	}
	return fitted.rule(m.way), nil
}

// memory returns what Memory counts: the rules of all tasks are kept.
func (m multiclassRecipe) memory(l Load) int64 {
	if l.Classes <= 2 {
		return Memory(m.recipe, l)
	}
	tasks, rows := l.Classes, l.Train
	if m.way == OneVsOne {
		tasks, rows = l.Classes*(l.Classes-1)/2, 2*l.Train/l.Classes
	}
	one := Memory(m.recipe, Load{Train: rows, Test: l.Test, D: l.D, Classes: 2})
	return leastMemory + int64(tasks)*(one-leastMemory)
}

// A task is a decision between two classes, or between one class and all others. Its
// place is the column of its decision values.
type task struct{ first, second, place int }

// allOthers is the second class of a task of one class against the rest.
const allOthers = -1

// tasks returns the tasks of the given classes in a fixed order of these. The places of
// pairs are those of method.PairsOf, the place of a class against the rest is its code.
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

// trainingSet returns the rows of the task's classes, whose codes become 0 and 1.
func (t task) trainingSet(train *dataset.Set) *dataset.Set {
	var rows, labels []int
	for i, class := range train.Y {
		switch {
		case class == t.first:
			rows, labels = append(rows, i), append(labels, 0)
		case class == t.second || t.second == allOthers:
			rows, labels = append(rows, i), append(labels, 1)
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

// taskRules are the rules of all tasks.
type taskRules struct {
	tasks    []task
	rules    []*Rule
	classes  int
	warnings []string
}

// rule returns the rule for all classes.
func (r *taskRules) rule(way Multiclass) *Rule {
	combined := &Rule{Warnings: r.warnings}
	if way == OneVsOne {
		combined.PairScores = r.decisions
	}
	probabilistic := !slices.ContainsFunc(r.rules, func(rule *Rule) bool { return rule.Probabilities == nil })
	switch {
	case probabilistic && way == OneVsOne:
		combined.Scores = func(x *mat.Dense) *mat.Dense { return coupled(r.firstShares(x), r.classes) }
	case probabilistic:
		combined.Scores = func(x *mat.Dense) *mat.Dense { return logsOf(r.firstShares(x)) }
	case way == OneVsOne:
		combined.Scores = func(x *mat.Dense) *mat.Dense { return confidentVotes(r.decisions(x), r.classes) }
	default:
		combined.Scores = r.decisions
	}
	if probabilistic {
		return combined.WithProbabilities(method.Posteriors)
	}
	return combined
}

// decisions returns the decision values of all tasks, n x tasks, above 0 for the first
// class of a task.
func (r *taskRules) decisions(x *mat.Dense) *mat.Dense {
	return r.collect(x, pairScores)
}

// firstShares returns the probabilities of the first class of each task, n x tasks.
func (r *taskRules) firstShares(x *mat.Dense) *mat.Dense {
	return r.collect(x, func(rule *Rule, x *mat.Dense) *mat.Dense { return rule.Probabilities(x) })
}

// collect returns the first column of what evaluate returns for each task's rule, at the
// place of the task.
func (r *taskRules) collect(x *mat.Dense, evaluate func(rule *Rule, x *mat.Dense) *mat.Dense) *mat.Dense {
	n, _ := x.Dims()
	all := mat.NewDense(n, len(r.tasks), nil)
	for k, t := range r.tasks {
		all.SetCol(t.place, mat.Col(nil, 0, evaluate(r.rules[k], x)))
	}
	return all
}

// coupled returns n x C logarithms of the probabilities that fit best those of the first
// classes of all pairs, n x pairs.
func coupled(firstShares *mat.Dense, classes int) *mat.Dense {
	n, _ := firstShares.Dims()
	logs := mat.NewDense(n, classes, nil)
	for i := range n {
		logs.SetRow(i, platt.Couple(classes, firstShares.RawRowView(i)))
	}
	return logsOf(logs)
}

// logsOf replaces the entries of m by their logarithms and returns m.
func logsOf(m *mat.Dense) *mat.Dense {
	m.Apply(func(_, _ int, p float64) float64 { return math.Log(p) }, m)
	return m
}

// confidentVotes returns n x C scores for the decision values of all pairs: the number of
// pairs that a class wins, plus less than 1/3 in the direction of the sum of its decision
// values. A value of 0 is half a vote for both classes.
func confidentVotes(decisions *mat.Dense, classes int) *mat.Dense {
	n, _ := decisions.Dims()
	votes, sums := mat.NewDense(n, classes, nil), make([]float64, classes)
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

// shareOfVote returns the first class's share of the vote of a pair.
func shareOfVote(decision float64) float64 {
	switch {
	case decision > 0:
		return 1
	case decision < 0:
		return 0
	}
	return 0.5
}

// bounded maps a sum of decision values to [-1, 1] in their order; 0 where infinite
// values of both signs make it NaN.
func bounded(sum float64) float64 {
	switch {
	case math.IsNaN(sum):
		return 0
	case math.IsInf(sum, 0):
		return math.Copysign(1, sum)
	}
	return sum / (math.Abs(sum) + 1)
}
