package records

import (
	"fmt"
	"math"
	"slices"

	"copse/stats"
	"copse/stats/metrics"
)

// A Cell is the rows of one cell laid out by classifier and replicate.
type Cell struct {
	ID          string
	Levels      Levels
	Classifiers []string // Records.Classifiers
	Replicates  []int    // replicates with any row, ascending
	Rows        []Record // the cell's rows, shared with Records

	at [][]int // at[k][r]: row of classifier k, replicate r; -1 where there is none
}

// Cells returns the cells of r in the order of their rows. A cell is one combination of factor
// levels. Cells panics if the rows of a cell are not consecutive or a row's classifier is not in
// r.Classifiers; Sort and Read prevent both.
func (r *Records) Cells() []Cell {
	column := make(map[string]int, len(r.Classifiers))
	for k, name := range r.Classifiers {
		column[name] = k
	}
	seen := make(map[string]bool)
	var cells []Cell
	for from := 0; from < len(r.Rows); {
		to := from + 1
		for to < len(r.Rows) && r.Rows[to].Cell == r.Rows[from].Cell {
			to++
		}
		id := r.Rows[from].Cell
		if seen[id] {
			panic(fmt.Sprintf("records: the rows of cell %s are scattered; call Sort", id))
		}
		seen[id] = true
		cells = append(cells, newCell(id, r.Rows[from:to:to], r, column))
		from = to
	}
	return cells
}

// newCell returns the cell with the given rows, at least one; column has the index of each
// classifier of r.
func newCell(id string, rows []Record, r *Records, column map[string]int) Cell {
	c := Cell{ID: id, Levels: rows[0].Levels, Classifiers: r.Classifiers, Rows: rows}
	for i := range rows {
		c.Replicates = append(c.Replicates, rows[i].Replicate)
	}
	slices.Sort(c.Replicates)
	c.Replicates = slices.Compact(c.Replicates)
	c.at = make([][]int, len(r.Classifiers))
	for k := range c.at {
		c.at[k] = slices.Repeat([]int{-1}, len(c.Replicates))
	}
	for i := range rows {
		k, ok := column[rows[i].Classifier]
		if !ok {
			panic(fmt.Sprintf("records: classifier %s of cell %s is not in Records.Classifiers", rows[i].Classifier, id))
		}
		r, _ := slices.BinarySearch(c.Replicates, rows[i].Replicate)
		c.at[k][r] = i
	}
	return c
}

// Loss returns a metric's loss in a row of the cell; NaN if the fit failed or the record lacks
// what the metric needs.
func (c *Cell) Loss(m *metrics.Metric, r *Record) float64 {
	switch {
	case r.Status != OK:
		return math.NaN()
	case m.Name == "error" || m.Name == "accuracy": // accuracy's loss is the error
		return r.Error
	case m.Name == "ber":
		return r.BER
	case m.Needs == metrics.Counts:
		return r.countsLoss(m)
	}
	return m.Loss(r.Metric(m.Name))
}

// Values returns a metric's losses in a classifier's successful replicates,
// ascending by replicate, and the number of its failed ones. Successes that lack
// the metric count as neither.
func (c *Cell) Values(m *metrics.Metric, classifier string) (values []float64, failed int) {
	k := slices.Index(c.Classifiers, classifier)
	if k < 0 {
		return nil, 0
	}
	values = make([]float64, 0, len(c.at[k]))
	for _, i := range c.at[k] {
		if i < 0 {
			continue // no record of this replicate
		}
		if c.Rows[i].Status != OK {
			failed++
		} else if v := c.Loss(m, &c.Rows[i]); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	return values, failed
}

// Summary summarises the losses of a classifier over the cell's replicates.
func (c *Cell) Summary(m *metrics.Metric, classifier string) stats.Summary {
	values, failed := c.Values(m, classifier)
	s := stats.Summarize(values)
	s.Failed = failed
	return s
}

// Pairs are the losses of two classifiers in the replicates in which both have one. In a
// replicate all classifiers have the same data.
type Pairs struct {
	A, B       string
	Replicates []int
	X, Y       []float64 // the losses of A and of B
}

// Pairs pairs two classifiers by replicate. It returns a *PairingError if they had different
// data in a replicate.
func (c *Cell) Pairs(m *metrics.Metric, a, b string) (Pairs, error) {
	p := Pairs{A: a, B: b}
	ka, kb := slices.Index(c.Classifiers, a), slices.Index(c.Classifiers, b)
	if ka < 0 || kb < 0 {
		return p, fmt.Errorf("cell %s: no classifier %q or %q; the records have %q", c.ID, a, b, c.Classifiers)
	}
	for r, replicate := range c.Replicates {
		ia, ib := c.at[ka][r], c.at[kb][r]
		if ia < 0 || ib < 0 {
			continue // a classifier has no row
		}
		ra, rb := &c.Rows[ia], &c.Rows[ib]
		x, y := c.Loss(m, ra), c.Loss(m, rb)
		if math.IsNaN(x) || math.IsNaN(y) {
			continue // a fit failed or lacks the metric
		}
		if ra.Data != rb.Data {
			return p, &PairingError{Cell: c.ID, Replicate: replicate, A: a, B: b, DataA: ra.Data, DataB: rb.Data}
		}
		p.Replicates = append(p.Replicates, replicate)
		p.X = append(p.X, x)
		p.Y = append(p.Y, y)
	}
	return p, nil
}

// Common returns the losses of several classifiers in the replicates in which all of them have
// one: a row for each replicate, a column for each classifier. It returns a *PairingError if
// they had different data in a replicate.
func (c *Cell) Common(m *metrics.Metric, classifiers []string) (losses [][]float64, err error) {
	columns := make([]int, len(classifiers))
	for k, name := range classifiers {
		if columns[k] = slices.Index(c.Classifiers, name); columns[k] < 0 {
			return nil, fmt.Errorf("cell %s: no classifier %q; the records have %q", c.ID, name, c.Classifiers)
		}
	}
	for r := range c.Replicates {
		row, err := c.commonLosses(m, r, columns)
		if err != nil {
			return nil, err
		}
		if row != nil {
			losses = append(losses, row)
		}
	}
	return losses, nil
}

// commonLosses returns the losses of replicate number r, nil where one is missing.
func (c *Cell) commonLosses(m *metrics.Metric, r int, columns []int) ([]float64, error) {
	row := make([]float64, len(columns))
	var first *Record
	for k, column := range columns {
		at := c.at[column][r]
		if at < 0 {
			return nil, nil
		}
		record := &c.Rows[at]
		if row[k] = c.Loss(m, record); math.IsNaN(row[k]) {
			return nil, nil
		}
		if first == nil {
			first = record
		}
		if record.Data != first.Data {
			return nil, &PairingError{Cell: c.ID, Replicate: c.Replicates[r], A: first.Classifier, B: record.Classifier,
				DataA: first.Data, DataB: record.Data}
		}
	}
	return row, nil
}

// A PairingError reports that two classifiers had different data in one replicate, so that
// their results cannot be paired.
type PairingError struct {
	Cell         string
	Replicate    int
	A, B         string // classifiers
	DataA, DataB string // fingerprints
}

// Error names the replicate, the classifiers and the fingerprints of their data.
func (e *PairingError) Error() string {
	return fmt.Sprintf("cell %s, replicate %d: %s and %s had different data (fingerprints %s and %s) and cannot be "+
		"paired", e.Cell, e.Replicate, e.A, e.B, e.DataA, e.DataB)
}

// Differences returns X - Y in steps of stats.Grid, so that equal differences of rates tie in
// spite of rounding.
func (p *Pairs) Differences() []float64 {
	d := make([]float64, len(p.X))
	for i := range d {
		d[i] = stats.Steps(p.X[i] - p.Y[i])
	}
	return d
}

// RankBiserial returns the effect size of A against B, which is negative where A is better.
func (p *Pairs) RankBiserial() float64 { return stats.RankBiserialOf(p.Differences()) }
