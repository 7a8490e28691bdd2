package experiments

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"copse/stats"
)

// Records returns the rows that belong to the study as it is now: those of its
// cells and recipes, with all replicates that there are, and those of cells
// with other levels of the same factors, left from sweeps. They are sorted by
// levels, replicate and classifier.
func (l *Ledger) Records(s *Study) *Collection {
	b := newRecordBuilder(s)
	for key, r := range l.rows {
		b.add(key, r)
	}
	return b.build()
}

// A Collection is a study's records with their times, and notes on rows that
// were left out.
type Collection struct {
	*stats.Records
	Notes []string
	times map[timingKey][2]float64     // seconds to fit and to predict
	specs map[string]map[string]string // recipe by cell and id
	named map[string]map[string]string // levels by cell
}

// Seconds returns how long a record's fit and prediction took.
func (c *Collection) Seconds(r stats.Record) (fit, predict float64) {
	t := c.times[timingKey{r.Cell, r.Replicate, r.Classifier}]
	return t[0], t[1]
}

type recordBuilder struct {
	s        *Study
	ids      []string
	cells    map[string]*Cell
	tuples   map[string]string // level tuple -> cell
	specs    map[string]string // recipes of entries that no factor sets
	factors  []stats.Factor
	kept     map[rowKey]row
	foreign  int
	replaced int
}

func newRecordBuilder(s *Study) *recordBuilder {
	b := &recordBuilder{s: s, ids: s.ClassifierIDs(), cells: map[string]*Cell{}, tuples: map[string]string{}, specs: map[string]string{}, kept: map[rowKey]row{}}
	for _, f := range s.Factors {
		b.factors = append(b.factors, stats.Factor{Name: f.Name, Levels: slices.Clone(f.Levels)})
	}
	for _, c := range s.Cells {
		b.cells[c.ID] = c
		b.tuples[strings.Join(c.Levels, "\x00")] = c.ID
		for _, e := range c.Classifiers {
			if spec, seen := b.specs[e.ID]; seen && spec != e.Spec {
				b.specs[e.ID] = "" // set by a factor
			} else if !seen {
				b.specs[e.ID] = e.Spec
			}
		}
	}
	return b
}

// levels aligns a row's levels with the study's factors; false when the row has
// a factor that the study lacks.
func (b *recordBuilder) levels(r row) ([]string, bool) {
	list := make([]string, len(b.factors))
	found := 0
	for i, f := range b.factors {
		if level, ok := r.levels[f.Name]; ok {
			list[i] = level
			found++
		}
	}
	return list, found == len(r.levels)
}

func (b *recordBuilder) add(key rowKey, r row) {
	if c, ok := b.cells[key.cell]; ok {
		for _, e := range c.Classifiers {
			if e.ID == key.id && e.Spec == key.spec {
				b.kept[key] = r
				return
			}
		}
		b.replaced++
		return
	}
	levels, ok := b.levels(r)
	if !ok {
		b.foreign++
		return
	}
	spec, known := b.specs[key.id]
	if !known || spec != "" && spec != key.spec || b.tuples[strings.Join(levels, "\x00")] != "" {
		b.replaced++
		return
	}
	b.kept[key] = r
}

func (b *recordBuilder) build() *Collection {
	c := &Collection{Records: &stats.Records{Study: b.s.Name, Classifiers: b.ids}, times: map[timingKey][2]float64{},
		specs: map[string]map[string]string{}, named: map[string]map[string]string{}}
	for key, r := range b.kept {
		levels := levelsOf(b, key, r)
		for i, level := range levels {
			if level != "" && !slices.Contains(b.factors[i].Levels, level) {
				b.factors[i].Levels = append(b.factors[i].Levels, level)
			}
		}
		c.Rows = append(c.Rows, r.record(key, levels))
		c.times[timingKey{key.cell, key.replicate, key.id}] = [2]float64{r.Fit, r.Predict}
		if c.specs[key.cell] == nil {
			c.specs[key.cell], c.named[key.cell] = map[string]string{}, r.levels
		}
		c.specs[key.cell][key.id] = key.spec
	}
	for i := range b.factors {
		orderLevels(&b.factors[i], len(b.s.Factors[i].Levels))
	}
	c.Factors = b.factors
	c.Sort()
	if b.replaced > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d results of earlier recipes or settings stay in the journal and out of the records", b.replaced))
	}
	if b.foreign > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d results with other factors stay in the journal and out of the records", b.foreign))
	}
	return c
}

func (r *row) record(key rowKey, levels []string) stats.Record {
	out := stats.Record{Cell: key.cell, Levels: levels, Replicate: key.replicate, Classifier: key.id, Status: r.Status,
		NTest: r.nTest, Errors: r.Errors, Error: math.NaN(), BER: math.NaN(), Data: r.data, Message: r.Message}
	if r.Status == stats.OK {
		out.Error, out.BER = float64(r.Errors)/float64(r.nTest), r.BER
	}
	return out
}

// levelsOf names a kept row's levels as the study does now.
func levelsOf(b *recordBuilder, key rowKey, r row) []string {
	if c, ok := b.cells[key.cell]; ok {
		return c.Levels
	}
	levels, _ := b.levels(r)
	return levels
}

// orderLevels sorts numeric levels by value; otherwise levels that the study
// does not list follow its own, by name.
func orderLevels(f *stats.Factor, own int) {
	numbers := map[string]float64{}
	for _, l := range f.Levels {
		if v, err := strconv.ParseFloat(l, 64); err == nil {
			numbers[l] = v
		}
	}
	if len(numbers) == len(f.Levels) {
		if own < len(f.Levels) {
			slices.SortStableFunc(f.Levels, func(a, b string) int {
				if numbers[a] != numbers[b] {
					return int(math.Copysign(1, numbers[a]-numbers[b]))
				}
				return strings.Compare(a, b)
			})
		}
		return
	}
	slices.Sort(f.Levels[own:])
}
