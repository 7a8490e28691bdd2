package results

import (
	"slices"

	"copse/experiments/study"
	"copse/stats/records"
)

// A Change is what records lose or mix when a folder's study becomes another.
type Change struct {
	Replaced int      // records that are left out
	Columns  []string // classifiers that they are of
	Mixed    []Mixing // factors whose records would be those of two sweeps
}

// A Mixing is a factor with levels that only one of two sweeps has.
type Mixing struct {
	Factor     string
	Here, Asks []string // levels of the records alone, and of the study alone
}

// Displaced compares the records of the study that a folder was made by with those
// that another study would leave there.
func (l *Ledger) Displaced(by, other *study.Study) Change {
	before, after := l.Select(by), l.Select(other)
	kept := map[[2]string]bool{} // by cell and classifier
	for _, c := range before.cells {
		if now := after.cellNamed(c.id); now != nil {
			for id, spec := range c.specs {
				kept[[2]string{c.id, id}] = now.specs[id] == spec
			}
		}
	}
	var change Change
	for r := range before.all() {
		if kept[[2]string{r.Cell, r.Classifier}] {
			continue
		}
		change.Replaced++
		if !slices.Contains(change.Columns, r.Classifier) {
			change.Columns = append(change.Columns, r.Classifier)
		}
	}
	for _, f := range after.Factors {
		m := Mixing{Factor: f.Name}
		i := slices.IndexFunc(other.Factors, func(own records.Factor) bool { return own.Name == f.Name })
		j := slices.IndexFunc(before.Factors, func(own records.Factor) bool { return own.Name == f.Name })
		if i < 0 || j < 0 {
			continue
		}
		for _, level := range f.Levels {
			here, asks := slices.Contains(before.Factors[j].Levels, level), slices.Contains(other.Factors[i].Levels, level)
			switch {
			case here && !asks:
				m.Here = append(m.Here, level)
			case asks && !here:
				m.Asks = append(m.Asks, level)
			}
		}
		if len(m.Here) > 0 && len(m.Asks) > 0 {
			change.Mixed = append(change.Mixed, m)
		}
	}
	return change
}
