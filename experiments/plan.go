package experiments

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"copse/stats/records"
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
	Gaps    []Gap          // which rows are missing, and why, in the order of the design
	Seconds float64        // expected time on one core
	Known   bool           // Seconds rests on measured times of this study
}

// A Gap is a set of results of one cell that are missing for one reason: those
// of the classifiers IDs in the replicates.
type Gap struct {
	Reason     string
	Cell       *Cell
	IDs        []string
	Replicates []int // ascending
}

// Plan lists the trials of a study that lack results, the longest first; with
// retry, failed results count as missing.
func (l *Ledger) Plan(s *Study, retry bool) *Plan {
	p := &Plan{Reasons: map[string]int{}}
	history := l.history()
	costs := newCosts(l, s)
	for i, c := range s.Cells {
		gaps := gapSorter{cell: c}
		for replicate := 1; replicate <= s.Replicates; replicate++ {
			t := Task{Cell: c, Replicate: replicate, cellIndex: i}
			for _, e := range c.Classifiers {
				r, done := l.store.find(c.ID, replicate, e.ID, e.Spec)
				if done {
					p.Done++
					if r.Status == records.Failed {
						p.Failed++
					}
					if !retry || r.Status == records.OK {
						continue
					}
				}
				t.Entries = append(t.Entries, e)
				t.Cost += costs.of(c, e)
				reason := history.reason(s, c, e, done)
				p.Reasons[reason]++
				gaps.miss(reason, e.ID)
			}
			gaps.next(replicate)
			if len(t.Entries) > 0 {
				p.Rows += len(t.Entries)
				p.Seconds += t.Cost
				p.Tasks = append(p.Tasks, t)
			}
		}
		p.Gaps = append(p.Gaps, gaps.list...)
	}
	p.Known = costs.measured
	slices.SortStableFunc(p.Tasks, func(a, b Task) int { return cmp.Compare(b.Cost, a.Cost) })
	return p
}

// A gapSorter gathers what is missing of one cell.
type gapSorter struct {
	cell *Cell
	list []Gap
	open []Gap // of the present replicate
}

func (g *gapSorter) miss(reason, id string) {
	for i := range g.open {
		if g.open[i].Reason == reason {
			g.open[i].IDs = append(g.open[i].IDs, id)
			return
		}
	}
	g.open = append(g.open, Gap{Reason: reason, Cell: g.cell, IDs: []string{id}})
}

// next ends a replicate: its gaps join those that lack the same.
func (g *gapSorter) next(replicate int) {
	for _, gap := range g.open {
		i := slices.IndexFunc(g.list, func(o Gap) bool { return o.Reason == gap.Reason && slices.Equal(o.IDs, gap.IDs) })
		if i < 0 {
			i = len(g.list)
			g.list = append(g.list, gap)
		}
		g.list[i].Replicates = append(g.list[i].Replicates, replicate)
	}
	g.open = g.open[:0]
}

// history knows which cells and recipes have run before.
type history struct {
	cells  map[string]bool
	specs  map[[2]string]string // cell and id: the recipe that ran
	levels map[string]string    // names of levels: the content of a cell that had them
}

func (l *Ledger) history() history {
	h := history{map[string]bool{}, map[[2]string]string{}, map[string]string{}}
	for _, c := range l.store.cells {
		h.cells[c.id] = true
		h.levels[levelKey(c.levels)] = cmp.Or(l.contents[c.id], "other data")
	}
	for key := range l.store.all() {
		at := [2]string{key.cell, key.id}
		h.specs[at] = max(h.specs[at], key.spec)
	}
	return h
}

// levelKey is one text for a set of levels.
func levelKey(levels map[string]string) string { return fmt.Sprint(levels) } // fmt sorts keys

// reason says why a row is missing.
func (h history) reason(s *Study, c *Cell, e Entry, failed bool) string {
	old, ran := h.specs[[2]string{c.ID, e.ID}]
	switch {
	case failed:
		return "failed before"
	case !h.cells[c.ID]:
		if was, changed := h.levels[levelKey(s.levelMap(c))]; changed {
			return changedData(was, c.Key)
		}
		return "new cell"
	case !ran:
		return fmt.Sprintf("new classifier %s", e.ID)
	case old != e.Spec:
		return fmt.Sprintf("changed classifier %s: was %s, is %s", e.ID, old, e.Spec)
	}
	return "new replicate"
}

// changedData names the parts of a cell's content that are not as they were.
func changedData(was, is string) string {
	old, now := strings.Split(was, ";"), strings.Split(is, ";")
	if len(old) == len(now) {
		for i := len(old) - 1; i >= 0; i-- {
			if old[i] == now[i] {
				old, now = slices.Delete(old, i, i+1), slices.Delete(now, i, i+1)
			}
		}
	}
	if len(now) == 0 {
		return "changed data: a factor sets other parameters of a classifier"
	}
	return fmt.Sprintf("changed data: was %s, is %s", strings.Join(old, ";"), strings.Join(now, ";"))
}

// MissingShards lists, in ascending order, the parts of a division into count
// that have something to run.
func (p *Plan) MissingShards(count int) []int {
	var list []int
	for _, t := range p.Tasks {
		list = append(list, t.shard(count))
	}
	slices.Sort(list)
	return slices.Compact(list)
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

// size grows as the costly fits do: training rows times all rows times pairs of
// columns. A generator's problems count as having as many columns as the papers'.
func (c *Cell) size() float64 {
	train, test := c.Data.rows()
	columns := usualColumns
	if c.Data.file != nil {
		columns = float64(c.Data.file.D())
	}
	return float64(train) * float64(train+test) * columns * columns
}

const (
	usualColumns = 20.0
	// secondsPerUnit is a rough fit's time per unit of size, used for ordering
	// before anything was measured.
	secondsPerUnit = 1e-7 / (usualColumns * usualColumns)
)

func newCosts(l *Ledger, s *Study) costs {
	k := costs{map[[2]string]float64{}, map[string]float64{}, false}
	type sum struct{ seconds, n, units float64 }
	inCell, byID := map[[2]string]sum{}, map[string]sum{}
	sizes := map[string]float64{}
	for _, c := range s.Cells {
		sizes[c.ID] = c.size()
	}
	for key, r := range l.store.all() {
		if r.Status != records.OK || sizes[key.cell] == 0 {
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
