package plan

import (
	"copse/experiments/ledger"
	"copse/experiments/study"
)

// costs estimates the seconds of a fit with its prediction: the mean of what
// was measured in the same cell, else the classifier's time per unit of size in
// other cells, else size alone.
type costs struct {
	inCell   map[[2]string]float64
	perUnit  map[string]float64
	measured bool
}

// sizeOf grows as the costly fits do: training rows times all rows times pairs of
// columns. A generator's problems count as having as many columns as the papers'.
func sizeOf(c *study.Cell) float64 {
	train, test := c.Data.Rows()
	columns := usualColumns
	if c.Data.File != nil {
		columns = float64(c.Data.File.Rows.D())
	}
	return float64(train) * float64(train+test) * columns * columns
}

const (
	usualColumns = 20.0
	// secondsPerUnit is a rough fit's time per unit of size, used for ordering
	// before anything was measured.
	secondsPerUnit = 1e-7 / (usualColumns * usualColumns)
)

func newCosts(l *ledger.Ledger, s *study.Study) costs {
	k := costs{map[[2]string]float64{}, map[string]float64{}, false}
	type sum struct{ seconds, n, units float64 }
	inCell, byID := map[[2]string]sum{}, map[string]sum{}
	sizes := map[string]float64{}
	for _, c := range s.Cells {
		sizes[c.ID] = sizeOf(c)
	}
	for r := range l.Fits() {
		if r.Failed || sizes[r.Cell] == 0 {
			continue
		}
		t := r.Seconds
		at := [2]string{r.Cell, r.ID}
		a, b := inCell[at], byID[r.ID]
		inCell[at] = sum{a.seconds + t, a.n + 1, 0}
		byID[r.ID] = sum{b.seconds + t, b.n + 1, b.units + sizes[r.Cell]}
		k.measured = true
	}
	for at, v := range inCell {
		k.inCell[at] = v.seconds / v.n
	}
	for id, v := range byID {
		k.perUnit[id] = v.seconds / v.units
	}
	return k
}

func (k costs) of(c *study.Cell, e study.Entry) float64 {
	if t, ok := k.inCell[[2]string{c.ID, e.ID}]; ok {
		return t
	}
	if t, ok := k.perUnit[e.ID]; ok {
		return t * sizeOf(c)
	}
	return secondsPerUnit * sizeOf(c)
}
