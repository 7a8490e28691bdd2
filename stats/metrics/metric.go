// Package metrics computes the metrics by which classifiers are compared. Registry lists the
// direction, range, unit and source of each metric.
package metrics

import (
	"errors"
	"fmt"
	"go/ast"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"copse/stats"
	"copse/stats/spelling"
)

// A Need is the kind of input that a metric requires.
type Need string

const (
	Counts        Need = "confusion matrix"
	Probabilities Need = "class probabilities"
	Scores        Need = "scores"
	Clock         Need = "clock"
	Process       Need = "memory of a separate process"
)

// Share is the unit of metrics that are proportions of test rows, such as the test error.
const Share = "share"

// A Metric is an entry of the registry, such as "error". It may have a class or an expression, as
// in "precision:malignant".
type Metric struct {
	Name      string  // name in study files
	Label     string  // name in captions and on axes
	Unit      string  // "": no unit; Share: may be shown in percent
	Higher    bool    // larger is better and 1 is best; otherwise 0 is best
	Low, High float64 // range of possible values
	Needs     Need
	Source    string // definition or paper
	PerClass  bool   // a class or an expression follows the name
	// UndefinedIf is the condition under which the metric is undefined for a successful fit, such
	// as a division by 0. It is "" if the metric is always defined.
	UndefinedIf string

	meanOfRows bool // the loss is the mean of the losses of single rows
	// independent computes IndependentRows. If it is nil and the metric is not a mean of rows, the
	// result is the number of rows of the smallest class.
	independent func(p *Predictions, class int) int

	class  int                                       // code of the class, if any, or unknownClass
	codes  []int                                     // codes of the classes in the expression of a cost
	suffix string                                    // class or expression, as written after the name
	cost   ast.Expr                                  // parsed expression of a cost; else nil
	counts func(c Confusion, class int) float64      // if Needs is Counts; else nil
	rows   func(p *Predictions, class int) rowMetric // if Needs is Probabilities or Scores; else nil
}

// unknownClass is the code of a class that is given by its name. InClasses replaces it.
const unknownClass = -1

// Predictions holds the output of a rule for n test rows of C classes.
type Predictions struct {
	Truth, Labels []int      // codes of the true and predicted classes
	Probabilities *mat.Dense // n x C; nil if the rule gives none
	Scores        *mat.Dense // n x C; nil if the rule gives none
}

// row returns the predictions for row i alone, without scores.
func (p *Predictions) row(i int) *Predictions {
	one := &Predictions{Truth: p.Truth[i : i+1], Labels: p.Labels[i : i+1]}
	if p.Probabilities != nil {
		one.Probabilities = mat.NewDense(1, p.Probabilities.RawMatrix().Cols, p.Probabilities.RawRowView(i))
	}
	return one
}

// Metrics returns the values of the named metrics that are computed from probabilities or scores. It
// omits undefined metrics, and metrics for a class that is not in classes. It panics if a name is unknown.
func (p *Predictions) Metrics(names, classes []string) map[string]float64 {
	values := map[string]float64{}
	for _, name := range names {
		m, err := find(name).InClasses(classes)
		if err != nil || !m.NeedsRows() {
			continue // the class does not occur in the data, or the metric is computed from counts
		}
		if v := m.Value(p, len(classes)); !math.IsNaN(v) {
			values[name] = v
		}
	}
	return values
}

// ErrorRate and BalancedError are the metrics that every table can show.
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

// Lookup returns the metric with the given name, such as "error", "precision:malignant",
// "precision:0" or "cost:n(ill,_)/n". A metric with a class name or an expression must be passed
// through InClasses before it can be computed.
func Lookup(name string) (*Metric, error) {
	base, suffix, hasSuffix := strings.Cut(name, ":")
	i := slices.IndexFunc(Registry, func(m Metric) bool { return m.Name == base })
	switch {
	case i >= 0 && !Registry[i].PerClass && !hasSuffix:
		return &Registry[i], nil
	case i >= 0 && Registry[i].PerClass && suffix != "": // also a cost, whose suffix is an expression
		return Registry[i].withSuffix(suffix)
	}
	hint := spelling.DidYouMean(name, Names())
	if strings.Contains(hint, ":") { // a name with a placeholder, such as precision:CLASS (see Names)
		hint += " (replace words in capitals, as in precision:ill or cost:n(ill,_)/n for the class \"ill\")"
	}
	return nil, fmt.Errorf("no metric %q%s", name, hint)
}

// withSuffix returns a copy of m for a metric such as "sensitivity:1". After the name "cost", the suffix
// is an expression. After other names, it is the name or code of a class. InClasses later replaces
// names of classes by codes.
func (m Metric) withSuffix(suffix string) (*Metric, error) {
	isCost := m.Name == costName
	m.Name += ":" + suffix
	m.suffix = suffix // InClasses looks up the classes in it
	if isCost {
		m.Label += " " + suffix
		m.Source = strings.Replace(m.Source, "EXPRESSION", suffix, 1) // a placeholder in Source
		var err error
		m.cost, err = parseCost(suffix)
		return &m, err
	}
	m.Label += " of class " + suffix
	m.Source = strings.TrimSuffix(m.Source, ". "+classNote) // the note explains the placeholder CLASS
	m.class = unknownClass                                  // unless the suffix is a code
	if code, err := strconv.Atoi(suffix); err == nil && code >= 0 {
		m.class = code
	}
	return &m, nil
}

// InClasses returns a copy of m for data with the given classes. It looks up the codes of the
// classes in the name of m. A metric without a class is returned unchanged.
//
// It returns an error if the data lack a class that the name contains.
func (m *Metric) InClasses(classes []string) (*Metric, error) {
	if !m.PerClass {
		return m, nil
	}
	ofData := *m
	var err error
	if m.cost != nil {
		err = ofData.costIn(classes)
	} else {
		ofData.class, err = ClassCode(m.suffix, classes)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	return &ofData, nil
}

// ClassCode returns the code of a class, counted from 0. class is a name or a code. If the name of any
// class is a whole number, ClassCode accepts only names. If classes is empty, it accepts any code but no
// name.
func ClassCode(class string, classes []string) (int, error) {
	if code := slices.Index(classes, class); code >= 0 {
		return code, nil
	}
	code, err := strconv.Atoi(class)
	isInRange := code >= 0 && (len(classes) == 0 || code < len(classes))
	if err == nil && isInRange && !slices.ContainsFunc(classes, isWholeNumber) {
		return code, nil
	}
	if len(classes) == 0 {
		return 0, errors.New("class names are unknown without data; use the code of the class, counted from 0")
	}
	quoted := stats.Map(classes, strconv.Quote) // because a name may contain a comma
	return 0, fmt.Errorf("no class %q; the classes are %s", class, strings.Join(quoted, ", "))
}

func isWholeNumber(name string) bool {
	_, err := strconv.Atoi(name)
	return err == nil
}

// SameClasses reports whether the classes of m have the same codes as the classes of other. Both m
// and other must be results of InClasses.
func (m *Metric) SameClasses(other *Metric) bool {
	return m.class == other.class && slices.Equal(m.codes, other.codes)
}

// Names returns the names of all metrics, some of them with placeholders as in precision:CLASS.
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

// FromCounts returns the value of the metric for a confusion matrix. It is NaN if the metric is
// undefined, for example because its class has no rows.
func (m *Metric) FromCounts(c Confusion) float64 {
	if m.counts == nil || m.class == unknownClass || m.class >= c.Classes() {
		return math.NaN()
	}
	return m.counts(c, m.class)
}

// lacksInput reports whether the metric needs probabilities or scores that p lacks.
func (m *Metric) lacksInput(p *Predictions) bool {
	return m.Needs == Probabilities && p.Probabilities == nil || m.Needs == Scores && p.Scores == nil
}

// WhyUndefined returns the reason why the value of the metric for p is NaN.
func (m *Metric) WhyUndefined(p *Predictions) string {
	if m.lacksInput(p) {
		return "the classifier returns no " + string(m.Needs)
	}
	return "it is undefined if " + m.UndefinedIf
}

// Value returns the value of the metric for predictions with the given number of classes, or NaN if it
// is undefined.
func (m *Metric) Value(p *Predictions, classes int) float64 {
	return m.Resampled(p, classes)(eachOnce(len(p.Truth)))
}

// Resampled returns a function that computes Value on resampled rows: row i occurs times[i] times.
// The function is faster than Value, because the rows are ranked only once.
func (m *Metric) Resampled(p *Predictions, classes int) func(times []int) float64 {
	switch {
	case m.Needs == Counts:
		return func(times []int) float64 {
			counts := make(Confusion, classes*classes)
			for i, t := range times {
				counts[p.Truth[i]*classes+p.Labels[i]] += t
			}
			return m.FromCounts(counts)
		}
	case m.rows == nil || m.class == unknownClass || m.lacksInput(p):
		return func([]int) float64 { return math.NaN() }
	}
	return m.rows(p, m.class)
}

// RowLosses returns the loss of each test row, or nil if the loss is not a mean over rows.
func (m *Metric) RowLosses(p *Predictions) []float64 {
	if !m.meanOfRows {
		return nil
	}
	losses := make([]float64, len(p.Truth))
	for i, truth := range p.Truth {
		switch {
		case m.Needs != Counts:
			losses[i] = m.Loss(m.Value(p.row(i), 0)) // only counts need the number of classes
		case p.Labels[i] != truth:
			losses[i] = 1
		}
	}
	return losses
}

// IndependentRows returns the number of independent rows for stats.SameDifferenceP. The metric
// determines which rows count (see Registry). For a mean over rows, all rows count. By default, the
// rows of the smallest class count.
func (m *Metric) IndependentRows(p *Predictions) int {
	switch {
	case m.meanOfRows:
		return len(p.Truth)
	case m.independent != nil:
		return m.independent(p, m.class)
	}
	return smallestClass(p)
}

func smallestClass(p *Predictions) int {
	return slices.Min(slices.Collect(maps.Values(tally(p.Truth))))
}

// rowsOfSmallest returns the number of rows that the data would have if each class were as small as
// the smallest one.
func rowsOfSmallest(p *Predictions, _ int) int { return smallestClass(p) * len(tally(p.Truth)) }

func rowsOfClass(p *Predictions, class int) int { return tally(p.Truth)[class] }

func rowsPredictedAs(p *Predictions, class int) int { return tally(p.Labels)[class] }

// rarerRows returns the number of rows of the class or of all other classes, whichever is smaller.
func rarerRows(p *Predictions, class int) int {
	rows := rowsOfClass(p, class)
	return min(rows, len(p.Truth)-rows)
}

func tally(codes []int) map[int]int {
	rows := map[int]int{}
	for _, code := range codes {
		rows[code]++
	}
	return rows
}

// Undefined reports whether the metric is undefined for predictions with the confusion matrix c. It
// returns false if c is nil. It also returns false for metrics that need probabilities or
// measurements.
func (m *Metric) Undefined(c Confusion) bool {
	switch {
	case c == nil:
		return false
	case m.Needs == Counts:
		return math.IsNaN(m.FromCounts(c))
	case m.Needs != Scores:
		return false
	case m.PerClass: // average precision needs rows of its class
		_, rows, _ := c.countsOf(m.class)
		return rows == 0
	}
	return slices.Contains(c.ClassRows(), c.Rows()) // the AUC needs rows of two classes
}

// Measured reports whether the metric is a measurement of time or memory, which is not
// reproducible.
func (m *Metric) Measured() bool { return m.Needs == Clock || m.Needs == Process }

// NeedsRows reports whether the metric is computed from probabilities or scores of test rows.
func (m *Metric) NeedsRows() bool { return m.Needs == Probabilities || m.Needs == Scores }

// Loss converts a value to a loss: smaller is better, and 0 is best.
func (m *Metric) Loss(value float64) float64 {
	if m.Higher {
		return 1 - value
	}
	return value
}
