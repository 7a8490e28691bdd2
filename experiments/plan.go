package experiments

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"copse/stats"
)

// A Task is a trial that still has classifiers to run.
type Task struct {
	Cell      *Cell
	Replicate int
	Entries   []Entry
	Cost      float64 // expected seconds on one core
	cellIndex int     // place of the cell in the design
}

// A Plan is what a run would do and why.
type Plan struct {
	Tasks   []Task
	Rows    int            // results that are missing
	Done    int            // results of this study that are there
	Failed  int            // of these, failed ones
	Reasons map[string]int // why rows are missing, with their numbers
	Seconds float64        // expected time on one core
	Known   bool           // Seconds rests on measured times of this study
}

// Plan lists the trials of a study that lack results, the longest first; with
// retry, failed results count as missing.
func (l *Ledger) Plan(s *Study, retry bool) *Plan {
	p := &Plan{Reasons: map[string]int{}}
	history := l.history()
	costs := newCosts(l, s)
	for i, c := range s.Cells {
		for replicate := 1; replicate <= s.Replicates; replicate++ {
			t := Task{Cell: c, Replicate: replicate, cellIndex: i}
			for _, e := range c.Classifiers {
				r, done := l.store.find(c.ID, replicate, e.ID, e.Spec)
				if done {
					p.Done++
					if r.Status == stats.Failed {
						p.Failed++
					}
					if !retry || r.Status == stats.OK {
						continue
					}
				}
				t.Entries = append(t.Entries, e)
				t.Cost += costs.of(c, e)
				p.Reasons[history.reason(c, e, done)]++
			}
			if len(t.Entries) > 0 {
				p.Rows += len(t.Entries)
				p.Seconds += t.Cost
				p.Tasks = append(p.Tasks, t)
			}
		}
	}
	p.Known = costs.measured
	slices.SortStableFunc(p.Tasks, func(a, b Task) int { return cmp.Compare(b.Cost, a.Cost) })
	return p
}

// history knows which cells and recipes have run before.
type history struct {
	cells map[string]bool
	specs map[[2]string]string // cell and id: the recipe that ran
}

func (l *Ledger) history() history {
	h := history{map[string]bool{}, map[[2]string]string{}}
	for key := range l.store.all() {
		h.cells[key.cell] = true
		at := [2]string{key.cell, key.id}
		h.specs[at] = max(h.specs[at], key.spec)
	}
	return h
}

// reason says why a row is missing.
func (h history) reason(c *Cell, e Entry, failed bool) string {
	old, ran := h.specs[[2]string{c.ID, e.ID}]
	switch {
	case failed:
		return "failed before"
	case !h.cells[c.ID]:
		return "new cell"
	case !ran:
		return fmt.Sprintf("new classifier %s", e.ID)
	case old != e.Spec:
		return fmt.Sprintf("changed classifier %s: was %s, is %s", e.ID, old, e.Spec)
	}
	return "new replicate"
}

// ReasonLines lists the reasons with their numbers, the most frequent first.
func (p *Plan) ReasonLines() []string {
	var reasons []string
	for r := range p.Reasons {
		reasons = append(reasons, r)
	}
	slices.SortFunc(reasons, func(a, b string) int {
		return cmp.Or(cmp.Compare(p.Reasons[b], p.Reasons[a]), strings.Compare(a, b))
	})
	for i, r := range reasons {
		reasons[i] = fmt.Sprintf("%d results: %s", p.Reasons[r], r)
	}
	return reasons
}

// costs estimates the seconds of a fit with its prediction: the mean of what
// was measured in the same cell, else the classifier's time per unit of size in
// other cells, else size alone.
type costs struct {
	inCell   map[[2]string]float64
	perUnit  map[string]float64
	measured bool
}

// size grows as most fits do: training rows times all rows.
func (c *Cell) size() float64 {
	train, test := c.Data.rows()
	return float64(train) * float64(train+test)
}

// secondsPerUnit is a rough fit's time per unit of size, used for ordering
// before anything was measured.
const secondsPerUnit = 1e-7

func newCosts(l *Ledger, s *Study) costs {
	k := costs{map[[2]string]float64{}, map[string]float64{}, false}
	type sum struct{ seconds, n, units float64 }
	inCell, byID := map[[2]string]sum{}, map[string]sum{}
	sizes := map[string]float64{}
	for _, c := range s.Cells {
		sizes[c.ID] = c.size()
	}
	for key, r := range l.store.all() {
		if r.Status != stats.OK || sizes[key.cell] == 0 {
			continue
		}
		t := r.Fit + r.Predict
		at := [2]string{key.cell, key.id}
		a, b := inCell[at], byID[key.id]
		inCell[at] = sum{a.seconds + t, a.n + 1, 0}
		byID[key.id] = sum{b.seconds + t, b.n + 1, b.units + sizes[key.cell]}
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

func (k costs) of(c *Cell, e Entry) float64 {
	if t, ok := k.inCell[[2]string{c.ID, e.ID}]; ok {
		return t
	}
	if t, ok := k.perUnit[e.ID]; ok {
		return t * c.size()
	}
	return secondsPerUnit * c.size()
}
