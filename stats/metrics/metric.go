// Package metrics holds the numbers that classifiers are judged by, each with its
// direction, range, unit and source.
package metrics

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"copse/stats/spelling"
)

// A Need is what a metric is computed from.
type Need string

const (
	Counts        Need = "confusion matrix"
	Probabilities Need = "class probabilities"
	Scores        Need = "scores"
	Clock         Need = "clock"
	Process       Need = "memory of a process of its own"
)

// Share is the unit of shares of test rows.
const Share = "share"

// A Metric is one entry of the registry.
type Metric struct {
	Name      string // as studies write it
	Label     string // as captions and axes write it
	Unit      string // empty: none; Share: may be shown in percent
	Higher    bool   // larger is better, and 1 the best value; else smaller, and 0 the best
	Low, High float64
	Needs     Need
	Source    string
	PerClass  bool // its name takes a class: sensitivity:malignant

	class  int    // code, -1 before InClasses
	named  string // the class as it was given
	counts func(c Confusion, class int) float64
	rows   func(p *Predictions, class int) float64
}

// Predictions are a rule's answers for n test rows of C classes.
type Predictions struct {
	Truth, Labels []int      // class codes
	Probabilities *mat.Dense // n x C; nil where the rule has none
	Scores        *mat.Dense // n x C; nil where the rule has none
}

// Subset returns the predictions of some rows, which may repeat.
func (p *Predictions) Subset(rows []int) *Predictions {
	sub := &Predictions{Probabilities: rowsOf(p.Probabilities, rows), Scores: rowsOf(p.Scores, rows)}
	for _, row := range rows {
		sub.Truth, sub.Labels = append(sub.Truth, p.Truth[row]), append(sub.Labels, p.Labels[row])
	}
	return sub
}

// rowsOf returns some rows of a matrix; nil of nil.
func rowsOf(m *mat.Dense, rows []int) *mat.Dense {
	if m == nil {
		return nil
	}
	_, columns := m.Dims()
	sub := mat.NewDense(len(rows), columns, nil)
	for i, row := range rows {
		sub.SetRow(i, m.RawRowView(row))
	}
	return sub
}

// Metrics are those of the given names that the predictions determine, in classes of
// the given names; nil without any. A name that is no metric is the caller's bug.
func (p *Predictions) Metrics(names, classes []string) map[string]float64 {
	var values map[string]float64
	for _, name := range names {
		m, err := find(name).InClasses(classes)
		if err != nil {
			continue // a class of other data
		}
		if v := m.FromRows(p); !math.IsNaN(v) {
			if values == nil {
				values = map[string]float64{}
			}
			values[name] = v
		}
	}
	return values
}

// The two that every table knows.
var (
	ErrorRate     = find("error")
	BalancedError = find("ber")
)

func find(name string) *Metric {
	m, err := Lookup(name)
	if err != nil {
		panic(err)
	}
	return m
}

// Lookup returns the metric of a name. A metric of one class bears the class's name
// or its code, its place in the data's order from 0 on: precision:malignant or
// precision:0. A name has values only after InClasses.
func Lookup(name string) (*Metric, error) {
	base, class, of := strings.Cut(name, ":")
	for i := range Registry {
		m := &Registry[i]
		if m.Name != base {
			continue
		}
		if !m.PerClass && !of {
			return m, nil
		}
		if !m.PerClass || class == "" {
			break
		}
		one := *m
		if base == costName {
			return &one, one.asCost(class)
		}
		one.Name, one.Label, one.class, one.named = name, m.Label+" of class "+class, -1, class
		if code, err := strconv.Atoi(class); err == nil && code >= 0 {
			one.class = code
		}
		return &one, nil
	}
	return nil, fmt.Errorf("no metric %q%s", name, spelling.DidYouMean(name, Names()))
}

// InClasses finds the class that a metric of one class names among the classes of
// data: by its name first, then by its code. Without names codes alone are known. It
// is an error when the data have no such class.
func (m *Metric) InClasses(classes []string) (*Metric, error) {
	if !m.PerClass {
		return m, nil
	}
	one := *m
	var err error
	if m.isCost() {
		err = one.costIn(classes)
	} else {
		one.class, err = ClassCode(m.named, classes)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	return &one, nil
}

// ClassCode is the code of a class among those of data: by its name first, then by the
// code itself, from 0 on. Without names codes alone are known. It is an error when the
// data have no such class.
func ClassCode(class string, classes []string) (int, error) {
	if code := slices.Index(classes, class); code >= 0 {
		return code, nil
	}
	if code, err := strconv.Atoi(class); err == nil && code >= 0 && (len(classes) == 0 || code < len(classes)) {
		return code, nil
	}
	if len(classes) == 0 {
		return 0, errors.New("the names of the classes are not known where the data are not: name the class by its " +
			"code, from 0 on")
	}
	quoted := make([]string, len(classes)) // a name may hold a comma
	for i, name := range classes {
		quoted[i] = strconv.Quote(name)
	}
	return 0, fmt.Errorf("no class %q; there are %s", class, strings.Join(quoted, ", "))
}

// Class returns the code that InClasses found, -1 where there is none.
func (m *Metric) Class() int { return m.class }

// isCost reports whether the name of m has an expression.
func (m *Metric) isCost() bool { return strings.HasPrefix(m.Name, costName+":") }

// Names lists the registry as studies write it.
func Names() []string {
	var names []string
	for _, m := range Registry {
		switch {
		case m.Name == costName:
			m.Name += ":EXPRESSION"
		case m.PerClass:
			m.Name += ":CLASS"
		}
		names = append(names, m.Name)
	}
	return names
}

// FromCounts computes a metric that needs no more than a confusion matrix; NaN
// where the counts do not determine it.
func (m *Metric) FromCounts(c Confusion) float64 {
	if m.counts == nil || len(c) == 0 || m.class < 0 || m.class >= c.Classes() && !m.isCost() {
		return math.NaN()
	}
	return m.counts(c, m.class)
}

// FromRows computes a metric of probabilities or scores; NaN where the rule has
// none or the rows do not determine it.
func (m *Metric) FromRows(p *Predictions) float64 {
	if m.rows == nil || m.Needs == Probabilities && p.Probabilities == nil || m.Needs == Scores && p.Scores == nil ||
		m.class < 0 {
		return math.NaN()
	}
	return m.rows(p, m.class)
}

// Value computes a metric from predictions of rows of so many classes; NaN where they do not
// determine it.
func (m *Metric) Value(p *Predictions, classes int) float64 {
	if m.Needs == Counts {
		return m.FromCounts(NewConfusion(classes, p.Truth, p.Labels))
	}
	return m.FromRows(p)
}

// RowLosses returns the loss of each test row where the metric's loss is their mean; nil where it is not.
func (m *Metric) RowLosses(p *Predictions) []float64 {
	losses := make([]float64, len(p.Truth))
	switch m.Name {
	case "error", "accuracy":
		for i, truth := range p.Truth {
			if p.Labels[i] != truth {
				losses[i] = 1
			}
		}
	case "log_loss", "brier":
		for i := range losses {
			losses[i] = m.FromRows(p.Subset([]int{i}))
		}
	default:
		return nil
	}
	return losses
}

// Undefined reports whether the test rows, not what was kept of them, are why there is
// no value: none is of the class that is asked about, or all are of one class.
func (m *Metric) Undefined(c Confusion) bool {
	switch {
	case c == nil:
		return false
	case m.Needs == Counts:
		return math.IsNaN(m.FromCounts(c))
	case m.Needs != Scores:
		return false
	case m.PerClass:
		_, rows, _ := c.class(m.class)
		return rows == 0
	}
	present := 0
	for k := range c.Classes() {
		if _, rows, _ := c.class(k); rows > 0 {
			present++
		}
	}
	return present < 2
}

// Measured tells of a metric that is of the run, not of its answers: it lies beside
// the records and is not reproducible.
func (m *Metric) Measured() bool { return m.Needs == Clock || m.Needs == Process }

// NeedsRows reports whether a metric is computed from probabilities or scores of test rows.
func (m *Metric) NeedsRows() bool { return m.Needs == Probabilities || m.Needs == Scores }

// Loss is how far a value lies from the best one: 0 is the best, so that for all
// metrics smaller is better. It is its own inverse.
func (m *Metric) Loss(value float64) float64 {
	if m.Higher {
		return 1 - value
	}
	return value
}

// Of computes a metric of C classes from predictions; NaN where they do not determine it.
func (m *Metric) Of(p *Predictions, classes int) float64 {
	if m.Needs == Counts {
		return m.FromCounts(NewConfusion(classes, p.Truth, p.Labels))
	}
	return m.FromRows(p)
}
