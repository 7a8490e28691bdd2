package view

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"copse/report/sheet"
	"copse/stats/metrics"
	"copse/stats/records"
)

// A Measure is a number that tables and figures show for each fit, such as the test error.
type Measure struct {
	Name         string                        // "test error"
	RandomStream string                        // name of the random source that resamples ranks
	Unit         string                        // "%"; empty for fractions
	Metric       *metrics.Metric               // classifiers are compared by this metric
	Cost         func(*records.Record) float64 // time or memory of a fit, or NaN; nil for other metrics
	Scale        float64                       // factor that converts recorded values to Unit
	// Baseline is the id of a classifier whose loss on the same data is subtracted from every value. If
	// it is "", nothing is subtracted.
	Baseline string
}

// NewMeasure returns the measure for a metric. With the scale "percent", proportions are in percent.
func NewMeasure(metric, scale string) (Measure, error) {
	found, err := metrics.Lookup(metric)
	if err != nil {
		return Measure{}, err
	}
	m := Measure{Name: found.Label, RandomStream: found.Label, Unit: found.Unit, Metric: found, Scale: 1}
	switch {
	case metric == "fit_seconds":
		m.Cost = func(r *records.Record) float64 { return seconds(r, r.Fit) }
	case metric == "predict_seconds":
		m.Cost = func(r *records.Record) float64 { return seconds(r, r.Predict) }
	case metric == "peak_memory":
		m.Cost = func(r *records.Record) float64 {
			if r.Peak == 0 {
				return math.NaN()
			}
			return float64(r.Peak) / 1e6 // bytes to megabytes
		}
	case found.Unit == metrics.Share && scale == "percent":
		m.Scale, m.Unit = 100, "%"
	case found.Unit == metrics.Share:
		m.Unit = ""
	}
	return m, nil
}

// Measure returns the measure for a metric in the given cells. It returns a BadOption if the metric names a
// class whose index differs between cells.
func (v *View) Measure(metric, scale string, cells []records.Cell) (Measure, error) {
	m, err := NewMeasure(metric, scale)
	if err != nil {
		return m, err
	}
	m.Name = v.ScoredName(m.Metric, cells)
	m.Metric, err = v.inClasses(m.Metric, cells)
	return m, err
}

// ScoredName returns the label of a metric for the rows on which classifiers are scored. On
// training rows, "test error" becomes "training error", and "AUC" becomes "AUC on training rows".
// A label from the study file replaces the usual label.
func (v *View) ScoredName(m *metrics.Metric, cells []records.Cell) string {
	rows := v.ScoredRows(cells)
	label := cmp.Or(v.MetricLabels[m.Name], m.Label)
	inLabel := strings.Replace(label, "test ", rows+" ", 1)
	if rows == testRows || m.Measured() || inLabel != label {
		return inLabel
	}
	return label + " on " + rows + " rows"
}

const testRows = "test"

// ScoredRows returns the kind of rows on which the cells score classifiers: "test", "training", or "test or
// training".
func (v *View) ScoredRows(cells []records.Cell) string {
	onTraining := 0
	for _, c := range cells {
		if v.Sampling[c.ID].OnTrainingRows {
			onTraining++
		}
	}
	switch onTraining {
	case 0:
		return testRows
	case len(cells):
		return "training"
	}
	return "test or training"
}

// inClasses replaces a class name in the metric with the index of the class. It returns a BadOption
// if a cell lacks the class, or if the index differs between cells.
func (v *View) inClasses(metric *metrics.Metric, cells []records.Cell) (*metrics.Metric, error) {
	found := metric
	for i, c := range cells {
		ofCell, err := metric.InClasses(v.Classes[c.ID])
		if err != nil {
			return metric, OptionError("metric", "%w%s", err, v.CellHint(&c))
		}
		if i > 0 && !ofCell.SameClasses(found) {
			return metric, OptionError("metric", "%s: the order of the classes differs between cells, "+
				"so the class has a different index%s", metric.Name, v.CellHint(&c))
		}
		found = ofCell
	}
	return found, nil
}

// CellHint returns the end of an error message. It names the cell and the key `where`. If there is only one
// cell, it returns "".
func (v *View) CellHint(c *records.Cell) string {
	in := v.InCell(c.Levels)
	if in == "" {
		return ""
	}
	return in + "; the key `where` limits a table or figure to some cells"
}

// InCell returns a phrase such as " (cell n=200)", or "" if there are no levels.
func (v *View) InCell(levels records.Levels) string {
	if text := levels.Describe(v.Records.Factors); text != "" {
		return " (cell " + text + ")"
	}
	return ""
}

// seconds returns s, or NaN if the times of the fit are unknown.
func seconds(r *records.Record, s float64) float64 {
	if r.Fit+r.Predict > 0 {
		return s
	}
	return math.NaN()
}

// OfPredictions reports whether m is computed from predictions.
func (m *Measure) OfPredictions() bool { return m.Cost == nil }

// LargerIsBetter reports whether larger values are better.
func (m *Measure) LargerIsBetter() bool { return m.Metric.Higher && m.Baseline == "" }

// BestMean describes the best mean: "smallest" or "largest".
func (m *Measure) BestMean() string {
	if m.LargerIsBetter() {
		return "largest"
	}
	return "smallest"
}

// Better describes the better of two values: "smaller" or "larger".
func (m *Measure) Better() string {
	if m.LargerIsBetter() {
		return "larger"
	}
	return "smaller"
}

// SubtractOracle turns m into an excess: the loss minus the loss of the oracle on the same data.
func (v *View) SubtractOracle(m *Measure) error {
	i := slices.IndexFunc(v.Records.Classifiers, v.IsOracle)
	if i < 0 || !m.OfPredictions() {
		return errors.New("`excess` needs the classifier `oracle` and a metric that is computed from predictions")
	}
	kind := "excess "
	if m.Metric.Higher {
		kind = "shortfall of "
	}
	m.Baseline, m.Name, m.RandomStream = v.Records.Classifiers[i], kind+m.Name, kind+m.RandomStream
	return nil
}

// WithBaseline returns the cells in which the baseline of m ran. The sentence leftOut names the other cells, if
// any. Without a baseline, kept contains all cells.
//
// WithBaseline returns a BadOption if the baseline ran in no cell.
func (v *View) WithBaseline(cells []records.Cell, m *Measure) (kept []records.Cell, leftOut string, err error) {
	if m.Baseline == "" {
		return cells, "", nil
	}
	lacksBaseline := func(c records.Cell) bool {
		tried, _ := c.Attempts(m.Baseline)
		return tried == 0
	}
	if kept = Without(cells, lacksBaseline); len(kept) == 0 {
		return nil, "", OptionError("excess where", "%s has no results in these cells: remove `excess`, or select "+
			"other cells with `where`", v.Label(m.Baseline))
	}
	return kept, v.LeftOutCells(cells, lacksBaseline, "because "+v.Label(m.Baseline)+" did not run there"), nil
}

// LeftOutCells returns a sentence on the cells that isLeftOut selects: "Left out: 2 of 6 cells, because Bayes
// did not run there (n = 200; n = 400)." The argument reason follows the comma. The sentence is "" if no cell
// is left out.
func (v *View) LeftOutCells(cells []records.Cell, isLeftOut func(records.Cell) bool, reason string) string {
	var names []string
	for _, c := range cells {
		if isLeftOut(c) {
			names = append(names, v.InWords(v.FactorNames(), c.Levels))
		}
	}
	if names == nil {
		return ""
	}
	return fmt.Sprintf("Left out: %d of %d cells, %s (%s).", len(names), len(cells), reason, shortList(names))
}

// Title returns the name of the measure with its unit.
func (m *Measure) Title() string {
	if m.Unit == "" {
		return m.Name
	}
	return m.Name + " (" + m.Unit + ")"
}

// DifferenceUnit returns the unit of differences, such as percentage points.
func (m *Measure) DifferenceUnit() string {
	if m.Unit == "%" {
		return "percentage points"
	}
	return m.Unit
}

// DifferenceTitle returns the title of an axis of differences.
func (m *Measure) DifferenceTitle() string {
	of := *m
	of.Unit = m.DifferenceUnit()
	return "difference in " + of.Title()
}

// Values returns the results of a classifier in the group g, in the unit of m. The argument pooled
// is the cell that Pool or PoolFor returns for g.
func (v *View) Values(g *Group, pooled *records.Cell, m *Measure, classifier string) (values []float64) {
	if m.OfPredictions() {
		return m.values(pooled, classifier)
	}
	// Times and memory are not pooled.
	cells := v.TreatFailures(g)
	for i := range cells {
		values = append(values, m.values(&cells[i], classifier)...)
	}
	return values
}

// values returns the results of a classifier in a cell, by replicate and in the unit of m. If m has
// a baseline, they are losses minus the loss of the baseline on the same data.
func (m *Measure) values(c *records.Cell, classifier string) []float64 {
	if m.Cost != nil { // times or memory
		return m.costs(c, classifier)
	}
	if m.Baseline != "" {
		pairs, err := c.Pairs(m.Metric, classifier, m.Baseline)
		if err != nil {
			return nil // the classifiers have different data
		}
		// Y contains the losses of the baseline.
		for i := range pairs.X {
			pairs.X[i] = (pairs.X[i] - pairs.Y[i]) * m.Scale
		}
		return pairs.X
	}
	var values []float64
	losses, _ := c.Values(m.Metric, classifier)
	for _, loss := range losses {
		metric := m.Metric.Loss(loss) // Loss is its own inverse, such as 1 - x
		values = append(values, metric*m.Scale)
	}
	return values
}

// costs returns the known times or memory uses of the successful fits of a classifier.
func (m *Measure) costs(c *records.Cell, classifier string) (values []float64) {
	for _, row := range c.RowsOf(classifier) {
		if cost := m.Cost(row); !isFailure(*row) && !math.IsNaN(cost) {
			values = append(values, cost*m.Scale)
		}
	}
	return values
}

// AddsCounts reports whether a result of m over several folds is computed from the sum of their confusion
// matrices.
func (m *Measure) AddsCounts() bool {
	meanOfFolds := slices.Contains([]string{"error", "accuracy", "ber"}, m.Metric.Name)
	return m.Metric.Needs == metrics.Counts && !meanOfFolds
}

// Digits returns the number of decimals with which to print values of about the given size, or
// sheet.Scientific. Percentages have two decimals.
//
// Other values have three significant digits, but at least four decimals if they are computed from predictions,
// and one if not. These minimums add digits only up to five significant ones.
func (m *Measure) Digits(size float64) int {
	if m.Unit == "%" {
		return 2
	}
	least := 1
	if m.OfPredictions() {
		least = 4 // as precise as two decimals in percent
	}
	if size == 0 || math.IsNaN(size) {
		return least
	}
	threeSignificant := Decimals(size)
	if threeSignificant == sheet.Scientific {
		return sheet.Scientific
	}
	fiveSignificant := decimalsOf(5, size)
	return max(threeSignificant, min(least, fiveSignificant))
}

// Decimals returns the number of decimals that give three significant digits to a number of the
// given size, but at most six.
//
// It returns sheet.Scientific if six decimals round the number to 0, or if it is 10 million or more.
func Decimals(size float64) int {
	const most = 6
	if math.Abs(size) < 0.5*math.Pow10(-most) || exponent(size) >= 7 {
		return sheet.Scientific
	}
	return max(0, min(decimalsOf(3, size), most))
}

// decimalsOf returns the number of decimals of a number with the given number of significant digits. It is
// negative if a digit before the decimal point is not significant.
func decimalsOf(significant int, size float64) int { return significant - 1 - exponent(size) }

// exponent returns the decimal exponent of a number: 0 for 1 to 9.99, -1 for 0.1 to 0.999.
func exponent(v float64) int { return int(math.Floor(math.Log10(math.Abs(v)))) }
