package records

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"copse/stats"
	"copse/stats/metrics"
)

// A Cell contains the records for one combination of factor levels.
type Cell struct {
	ID          string
	Levels      Levels
	Classifiers []string // all classifiers of the study
	Replicates  []int    // replicates with at least one record, ascending
	Rows        []Record // records of the cell, shared with Records.Rows

	rowOf [][]int // rowOf[k][r] is the index in Rows of Classifiers[k] and Replicates[r]; -1: no record
}

// Cells returns the cells of r in the order of r.Rows. It panics if the records of a cell are not
// consecutive (see Sort), or if a classifier is not in r.Classifiers.
func (r *Records) Cells() []Cell {
	seen := make(map[string]bool)
	var cells []Cell
	for from := 0; from < len(r.Rows); {
		to := from + 1
		for to < len(r.Rows) && r.Rows[to].Cell == r.Rows[from].Cell {
			to++
		}
		id := r.Rows[from].Cell
		if seen[id] {
			panic(fmt.Sprintf("records: the rows of cell %s are not consecutive; call Sort", id))
		}
		seen[id] = true
		empty := Cell{ID: id, Levels: r.Rows[from].Levels, Classifiers: r.Classifiers}
		cells = append(cells, empty.With(r.Rows[from:to:to])) // an append to the rows of a cell must copy them
		from = to
	}
	return cells
}

// With returns a copy of the cell with rows as its records. rows may be empty. In the copy,
// rowOf[k][r] is the index in rows of the record of classifier k in replicate r, or -1.
func (c *Cell) With(rows []Record) Cell {
	other := Cell{ID: c.ID, Levels: c.Levels, Classifiers: c.Classifiers, Rows: rows, Replicates: replicatesOf(rows)}
	other.rowOf = make([][]int, len(c.Classifiers))
	column := make(map[string]int, len(c.Classifiers)) // index of each classifier
	for k, name := range c.Classifiers {
		other.rowOf[k] = slices.Repeat([]int{-1}, len(other.Replicates)) // no record yet
		column[name] = k
	}
	for i := range rows {
		k, ok := column[rows[i].Classifier]
		if !ok {
			panic(fmt.Sprintf("records: classifier %s of cell %s is not in Records.Classifiers",
				rows[i].Classifier, c.ID))
		}
		r, _ := slices.BinarySearch(other.Replicates, rows[i].Replicate)
		other.rowOf[k][r] = i
	}
	return other
}

// replicatesOf returns the replicates that occur in rows, in ascending order.
func replicatesOf(rows []Record) []int {
	var list []int
	for i := range rows {
		if i == 0 || rows[i].Replicate != rows[i-1].Replicate { // keeps the list short: there may be many rows
			list = append(list, rows[i].Replicate)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Values returns the losses of a classifier in ascending order of replicate, and the number of
// failed fits. It omits successful fits in which m is undefined.
func (c *Cell) Values(m *metrics.Metric, classifier string) (values []float64, failed int) {
	rows := c.RowsOf(classifier)
	values = make([]float64, 0, len(rows))
	for _, r := range rows {
		if r.Status != OK {
			failed++
		} else if v := r.Loss(m); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	return values, failed
}

// Summary summarises the losses of a classifier over the replicates of the cell.
func (c *Cell) Summary(m *metrics.Metric, classifier string) stats.Summary {
	values, failed := c.Values(m, classifier)
	s := stats.Summarize(values)
	s.Failed = failed
	return s
}

// Pairs contains the losses of two classifiers in all replicates in which both have a loss.
type Pairs struct {
	A, B string    // ids of the classifiers
	X, Y []float64 // X[i] and Y[i] are the losses of A and B in the same replicate
}

// Pairs pairs the losses of classifiers a and b by replicate. Replicates in which one of them has no
// loss are omitted. It returns an error if they had different data in a replicate.
func (c *Cell) Pairs(m *metrics.Metric, a, b string) (Pairs, error) {
	losses, err := c.Common(m, []string{a, b})
	return Pairs{A: a, B: b, X: stats.Column(losses, 0), Y: stats.Column(losses, 1)}, err
}

// Common returns the losses of several classifiers in the replicates in which all of them have a
// loss, with one row per replicate and one column per classifier. It returns an error if the
// classifiers had different data in a replicate.
func (c *Cell) Common(m *metrics.Metric, classifiers []string) (losses [][]float64, err error) {
	columns, err := c.columnsOf(classifiers)
	if err != nil {
		return nil, err
	}
	width := len(columns)
	values := make([]float64, width*len(c.Replicates)) // all rows share one array
	for r := range c.Replicates {
		row := values[:width:width] // also overwrites the losses of an incomplete replicate
		complete, err := c.commonLosses(row, m, r, columns)
		if err != nil {
			return nil, err
		}
		if complete {
			losses = append(losses, row)
			values = values[width:]
		}
	}
	return losses, nil
}

// Comparable returns the cell without the replicates in which the metric is undefined for a
// successful fit of the given classifiers. It ignores classifiers for which the metric is always
// undefined.
func (c *Cell) Comparable(m *metrics.Metric, classifiers []string) Cell {
	undefined := map[int]bool{} // replicates in which the metric is undefined for a successful fit
	for _, id := range classifiers {
		if values, _ := c.Values(m, id); len(values) == 0 {
			continue // the metric is always undefined
		}
		for i := range c.Rows {
			r := &c.Rows[i]
			if r.Classifier == id && r.Status == OK && math.IsNaN(r.Loss(m)) {
				undefined[r.Replicate] = true
			}
		}
	}
	if len(undefined) == 0 {
		return *c
	}
	return c.With(slices.DeleteFunc(slices.Clone(c.Rows), func(r Record) bool { return undefined[r.Replicate] }))
}

// columnsOf returns the index in c.Classifiers of each given classifier.
func (c *Cell) columnsOf(classifiers []string) ([]int, error) {
	columns := make([]int, len(classifiers))
	for k, name := range classifiers {
		if columns[k] = slices.Index(c.Classifiers, name); columns[k] < 0 {
			return nil, fmt.Errorf("cell %s: no classifier %q; the records have %q", c.ID, name, c.Classifiers)
		}
	}
	return columns, nil
}

// commonLosses sets row to the losses of several classifiers in the replicate with index r. columns
// contains the indices of the classifiers. complete is false if a loss is missing. It returns an
// error if the classifiers had different data.
func (c *Cell) commonLosses(row []float64, m *metrics.Metric, r int, columns []int) (complete bool, err error) {
	var first *Record
	for k, column := range columns {
		i := c.rowOf[column][r]
		if i < 0 {
			return false, nil // no record
		}
		record := &c.Rows[i]
		if row[k] = record.Loss(m); math.IsNaN(row[k]) {
			return false, nil
		}
		if first == nil {
			first = record
		}
		if record.Data != first.Data {
			return false, fmt.Errorf("cell %s, replicate %d: %s and %s had different data (fingerprints %s and %s) "+
				"and cannot be paired",
				c.ID, c.Replicates[r], first.Classifier, record.Classifier, first.Data, record.Data)
		}
	}
	return true, nil
}

// Differences returns X - Y as whole numbers of small steps (see stats.RoundedSteps), so that rounding errors do
// not break ties.
func (p *Pairs) Differences() []float64 {
	return stats.RoundedStepsOf(floats.SubTo(make([]float64, len(p.X)), p.X, p.Y))
}
