// Package metrics computes the metrics by which classifiers are compared. Its registry lists
// the direction, range, unit and source of each.
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

// A Need names the input from which a metric is computed.
type Need string

const (
	Counts        Need = "confusion matrix"
	Probabilities Need = "class probabilities"
	Scores        Need = "scores"
	Clock         Need = "clock"
	Process       Need = "memory of a process of its own"
)

// Share is the unit of metrics that are shares of test rows.
const Share = "share"

// A Metric is one entry of the registry.
type Metric struct {
	Name      string // in studies
	Label     string // in captions and on axes
	Unit      string // "": none; Share: may be shown in percent
	Higher    bool   // true: larger is better and 1 is the best value; false: smaller, and 0
	Low, High float64
	Needs     Need
	Source    string
	PerClass  bool // the name continues with a class, as in sensitivity:malignant

	class  int    // code of the class; -1 if InClasses has yet to find it
	named  string // the class, or the expression of a cost, as the study writes it
	counts func(c Confusion, class int) float64
	rows   func(p *Predictions, class int) float64
}

// Predictions holds the output of a rule for n test rows of C classes.
type Predictions struct {
	Truth, Labels []int      // class codes
	Probabilities *mat.Dense // n x C; nil where the rule has none
	Scores        *mat.Dense // n x C; nil where the rule has none
}

// Subset returns the predictions for the given rows; rows may repeat.
func (p *Predictions) Subset(rows []int) *Predictions {
	sub := &Predictions{Probabilities: rowsOf(p.Probabilities, rows), Scores: rowsOf(p.Scores, rows)}
	for _, row := range rows {
		sub.Truth = append(sub.Truth, p.Truth[row])
		sub.Labels = append(sub.Labels, p.Labels[row])
	}
	return sub
}

// rowsOf returns a copy of some rows of m; nil if m is nil.
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

// Metrics returns the values of the named metrics that FromRows computes. It omits metrics of
// classes that the data lack and metrics without a value, and returns nil if none is left.
// It panics at an unknown name.
func (p *Predictions) Metrics(names, classes []string) map[string]float64 {
	var values map[string]float64
	for _, name := range names {
		m, err := find(name).InClasses(classes)
		if err != nil {
			continue // the data lack the class
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

// The metrics that every table can show.
var (
	ErrorRate     = find("error")
	BalancedError = find("ber")
)

// find returns the metric of a name and panics if there is none.
func find(name string) *Metric {
	m, err := Lookup(name)
	if err != nil {
		panic(err)
	}
	return m
}

// Lookup returns the metric of a name. The name of a metric of one class includes the name
// or the code of the class: precision:malignant or precision:0. Codes count from 0 in the
// order of the data. A metric with a class name has values only after InClasses.
func Lookup(name string) (*Metric, error) {
	base, class, hasClass := strings.Cut(name, ":")
	i := slices.IndexFunc(Registry, func(m Metric) bool { return m.Name == base })
	switch {
	case i >= 0 && !Registry[i].PerClass && !hasClass:
		return &Registry[i], nil
	case i >= 0 && Registry[i].PerClass && class != "":
		return Registry[i].ofClass(class)
	}
	return nil, fmt.Errorf("no metric %q%s", name, spelling.DidYouMean(name, Names()))
}

// ofClass returns the metric m of one class, given by name or code; for the metric cost, class
// is the expression. A code is used as it is until InClasses checks it.
func (m Metric) ofClass(class string) (*Metric, error) {
	if m.Name == costName {
		return &m, m.asCost(class)
	}
	m.Name += ":" + class
	m.Label += " of class " + class
	m.class, m.named = -1, class
	if code, err := strconv.Atoi(class); err == nil && code >= 0 {
		m.class = code
	}
	return &m, nil
}

// InClasses returns the metric with its class looked up among the names of the data's
// classes, see ClassCode; m itself if it needs no class. It fails if the data have no such
// class.
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

// ClassCode returns the code of a class that is given by name or by code, counted from 0. A
// name takes precedence. Without class names, any code is accepted and every name is an error.
func ClassCode(class string, classes []string) (int, error) {
	if code := slices.Index(classes, class); code >= 0 {
		return code, nil
	}
	code, err := strconv.Atoi(class)
	if err == nil && code >= 0 && (len(classes) == 0 || code < len(classes)) {
		return code, nil
	}
	if len(classes) == 0 {
		return 0, errors.New("class names are unknown without data: " +
			"name the class by its code, from 0 on")
	}
	quoted := make([]string, len(classes)) // a name may hold a comma
	for i, name := range classes {
		quoted[i] = strconv.Quote(name)
	}
	return 0, fmt.Errorf("no class %q; there are %s", class, strings.Join(quoted, ", "))
}

// Class returns the code of the metric's class, or -1 if only InClasses can find it.
func (m *Metric) Class() int { return m.class }

// isCost reports whether m is the cost of an expression.
func (m *Metric) isCost() bool { return strings.HasPrefix(m.Name, costName+":") }

// Names returns the names of all metrics with a placeholder for a class or an expression.
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

// FromCounts returns the metric of a confusion matrix; NaN if the counts do not determine it.
func (m *Metric) FromCounts(c Confusion) float64 {
	if m.counts == nil || len(c) == 0 || m.class < 0 {
		return math.NaN()
	}
	if !m.isCost() && m.class >= c.Classes() { // the class of a cost is no code
		return math.NaN()
	}
	return m.counts(c, m.class)
}

// FromRows returns a metric of probabilities or scores; NaN if the rule has none, or if the
// rows do not determine the metric.
func (m *Metric) FromRows(p *Predictions) float64 {
	if m.rows == nil || m.class < 0 {
		return math.NaN()
	}
	input := p.Probabilities
	if m.Needs == Scores {
		input = p.Scores
	}
	if input == nil {
		return math.NaN()
	}
	return m.rows(p, m.class)
}

// Value returns the metric of predictions for rows of the given number of classes; NaN if
// they do not determine it.
func (m *Metric) Value(p *Predictions, classes int) float64 {
	if m.Needs == Counts {
		return m.FromCounts(NewConfusion(classes, p.Truth, p.Labels))
	}
	return m.FromRows(p)
}

// RowLosses returns the loss of each test row, whose mean is the loss of the metric; nil if
// the metric is not such a mean.
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

// Undefined reports whether the test rows themselves leave the metric without a value, for
// example because none is of its class. It returns false for a nil confusion matrix and for
// metrics of probabilities or measurements.
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

// Measured reports whether the metric is a time or memory measurement of the run. It is then
// not reproducible and is stored separately from the records.
func (m *Metric) Measured() bool { return m.Needs == Clock || m.Needs == Process }

// NeedsRows reports whether the metric is computed from probabilities or scores of test rows.
func (m *Metric) NeedsRows() bool { return m.Needs == Probabilities || m.Needs == Scores }

// Loss returns the distance of a value from the best value, so that for every metric smaller
// is better and 0 is best. Applied to a loss, it returns the value.
func (m *Metric) Loss(value float64) float64 {
	if m.Higher {
		return 1 - value
	}
	return value
}
