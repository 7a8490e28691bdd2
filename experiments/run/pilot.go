package run

import (
	"context"
	"maps"
	"slices"
	"time"

	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/dataset"
	"copse/stats/records"
)

// An Estimate is the seconds of a plan on one core, by what they rest on.
type Estimate struct {
	Measured     float64  // times of the same recipes in the same cells, from earlier runs
	Tried        float64  // fits of a pilot in the same cells
	Extrapolated float64  // both, in other cells or with fewer rows
	Fits, Cells  int      // of the pilot
	CutOff       []string // ids of fits that the pilot stopped, and counts as if they had ended then
	Unknown      []string // ids of which nothing is known, and nothing is in the sums
	Failures     []FailedFit
}

// A FailedFit is a fit of the pilot to all training rows that failed as it would in a run:
// the first of a classifier.
type FailedFit struct {
	ID, Message string
	Cell        *study.Cell
}

// Seconds is the sum.
func (e *Estimate) Seconds() float64 { return e.Measured + e.Tried + e.Extrapolated }

// Estimate tells what a plan will take. What earlier runs do not tell is tried in
// memory until the budget is spent: fits of a few rows first, in the largest cell, in
// the smallest, and then where most of the time rests on extrapolation. Programs are
// not started.
func (p *Plan) Estimate(s *study.Study, budget time.Duration) *Estimate {
	w := newPilot(p, s, budget)
	defer w.worker.Close()
	for time.Now().Before(w.deadline) {
		d := w.next()
		if d == nil {
			break
		}
		w.visit(d)
	}
	return w.sum()
}

// drawing is the draw of a cell's data, among the ids that cost time.
const drawing = ""

// A pilot tries fits, to know what they cost.
type pilot struct {
	costs    *costs
	worker   *trial.Worker
	began    time.Time
	start    float64 // of the clock
	deadline time.Time
	demands  []*demand
	fits     int
	tried    map[[2]string]bool // by cell and id
	closed   map[[2]string]bool // what is not to be tried again
	cutOff   map[string]bool    // by id
	failures []FailedFit
}

// A demand is what a plan lacks of one cell.
type demand struct {
	cell      *study.Cell
	replicate int            // the first that lacks something
	trials    int            // that do
	whole     int            // of these, trials that lack everything
	lacks     map[string]int // results by id
	entries   []study.Entry  // that they are of
	visits    int
}

func newPilot(p *Plan, s *study.Study, budget time.Duration) *pilot {
	now := time.Now()
	w := &pilot{
		costs:    p.costs,
		worker:   trial.NewWorker(s, ""),
		began:    now,
		start:    clock(),
		deadline: now.Add(budget),
		tried:    map[[2]string]bool{},
		closed:   map[[2]string]bool{},
		cutOff:   map[string]bool{},
	}
	of, d := map[*study.Cell]*demand{}, (*demand)(nil)
	for _, t := range p.Tasks {
		if d == nil || d.cell != t.Cell {
			if d = of[t.Cell]; d == nil {
				d = &demand{cell: t.Cell, replicate: t.Replicate, lacks: map[string]int{}}
				of[t.Cell], w.demands = d, append(w.demands, d)
			}
		}
		d.trials++
		if len(t.Entries) == len(t.Cell.Classifiers) {
			d.whole++
			continue
		}
		for _, e := range t.Entries {
			d.lacks[e.ID]++
		}
	}
	for _, d := range w.demands {
		for _, e := range d.cell.Classifiers {
			if d.lacks[e.ID] += d.whole; d.lacks[e.ID] > 0 {
				d.entries = append(d.entries, e)
			}
		}
	}
	return w
}

// isOpen tells whether a pilot can still learn what a classifier costs in a cell.
func (w *pilot) isOpen(c *study.Cell, e study.Entry) bool {
	_, measured := w.costs.of(c, e.ID)
	return !measured && e.Program == nil && isQuickToDraw(c.Data) && !w.closed[[2]string{c.ID, e.ID}]
}

// isQuickToDraw reports whether a pilot may draw the data: nothing stops a draw before its end.
func isQuickToDraw(d *study.Data) bool {
	const mostColumns, mostValues = 5000, 1e8
	train, test := d.Rows()
	columns := float64(d.Columns())
	return d.File != nil || d.Generator != nil && columns <= mostColumns && float64(train+test)*columns <= mostValues
}

// open is the expected time of what is open in a cell.
func (w *pilot) open(d *demand) (seconds float64) {
	for _, e := range d.entries {
		if w.isOpen(d.cell, e) {
			t, _ := w.costs.of(d.cell, e.ID)
			seconds += t * float64(d.lacks[e.ID])
		}
	}
	return seconds
}

// next is the cell with most open time for each visit that it has had and one more;
// nil when nothing is open. The second visit of all is to the smallest cell: it shows
// how time grows with size.
func (w *pilot) next() (best *demand) {
	most, visits := 0.0, 0
	for _, d := range w.demands {
		visits += d.visits
		if open := w.open(d) / float64(d.visits+1); open > most {
			best, most = d, open
		}
	}
	if visits == 1 {
		for _, d := range w.demands {
			if w.open(d) > 0 && roughly.at(w.costs.sizes[d.cell]) < roughly.at(w.costs.sizes[best.cell]) {
				best = d
			}
		}
	}
	return best
}

const (
	firstRows = 64 // for training, in the first visit of a cell
	moreRows  = 4  // times as many in each that follows
	fitShare  = 4  // a fit may take one such part of the time that is left
)

// visit tries the fits that are open in a cell, with more rows than before.
func (w *pilot) visit(d *demand) {
	c, rows := d.cell, float64(firstRows)
	for range d.visits {
		rows *= moreRows
	}
	d.visits++
	start := clock()
	draw, err := w.worker.Draw(context.Background(), c, d.replicate)
	w.note(c, drawing, timed{w.costs.sizes[c], clock() - start})
	if err != nil {
		for _, e := range d.entries {
			w.costs.measured[[2]string{c.ID, e.ID}] = timed{w.costs.sizes[c], 0} // fails at once
		}
		return
	}
	defer draw.Close(context.Background())
	z := w.costs.sizes[c]
	if share := rows / float64(draw.Train.N()); share < 1 {
		draw.Train, draw.Test = thinned(draw.Train, share), thinned(draw.Test, share)
		z.rows *= share
	}
	for _, e := range d.entries {
		if w.isOpen(c, e) {
			w.try(d, e, draw, z)
		}
	}
}

// try runs a fit, unless it is expected to take more than its share of the time.
func (w *pilot) try(d *demand, e study.Entry, draw *trial.Draw, z size) {
	at, limit := [2]string{d.cell.ID, e.ID}, time.Until(w.deadline)/fitShare
	expected := 0.0
	if w.costs.timed(e.ID) {
		expected = w.costs.law(e.ID).at(z)
	}
	if expected*w.pace() > limit.Seconds() || limit <= 0 {
		w.closed[at] = true
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	start := clock()
	o := w.worker.Fit(ctx, d.cell, d.replicate, e, draw)
	t := timed{z, clock() - start}
	switch {
	case ctx.Err() != nil:
		if w.closed[at] = true; t.seconds <= expected {
			return // as far as it came it is no news
		}
		w.cutOff[e.ID] = true
	case o.Status == records.Failed && z != w.costs.sizes[d.cell]:
		return // few rows may lack what all of them have
	case o.Status == records.Failed:
		w.noteFailure(FailedFit{e.ID, o.Message, d.cell})
	}
	w.fits++
	w.note(d.cell, e.ID, t)
}

// noteFailure keeps the first failure of each classifier.
func (w *pilot) noteFailure(f FailedFit) {
	if !slices.ContainsFunc(w.failures, func(other FailedFit) bool { return other.ID == f.ID }) {
		w.failures = append(w.failures, f)
	}
}

// pace is how many seconds pass for one of the clock, beside other work.
func (w *pilot) pace() float64 {
	const least = 0.01 // seconds that tell
	return max(1, time.Since(w.began).Seconds()/max(least, clock()-w.start))
}

func (w *pilot) note(c *study.Cell, id string, t timed) {
	w.tried[[2]string{c.ID, id}] = true
	w.costs.add(c, id, t)
}

// leastThinned are the rows of a class that thinning leaves where they are there.
const leastThinned = 8

// thinned keeps a share of each class's rows, evenly spread.
func thinned(s *dataset.Set, share float64) *dataset.Set {
	var kept []int
	for class := range s.C() {
		rows := s.ClassRows(class)
		n := min(len(rows), max(leastThinned, int(share*float64(len(rows)))))
		for i := range n {
			kept = append(kept, rows[i*len(rows)/n])
		}
	}
	slices.Sort(kept)
	return s.Subset(kept)
}

// sum adds up what is known in the end.
func (w *pilot) sum() *Estimate {
	e := &Estimate{Fits: w.fits, Failures: w.failures}
	for _, d := range w.demands {
		if d.visits > 0 {
			e.Cells++
		}
		if w.costs.timed(drawing) {
			w.addTo(e, d, drawing, d.trials)
		}
		for _, entry := range d.entries {
			_, here := w.costs.measured[[2]string{d.cell.ID, entry.ID}]
			switch {
			case here || w.costs.timed(entry.ID):
				w.addTo(e, d, entry.ID, d.lacks[entry.ID])
			case !slices.Contains(e.Unknown, entry.ID):
				e.Unknown = append(e.Unknown, entry.ID)
			}
		}
	}
	e.CutOff = slices.Sorted(maps.Keys(w.cutOff))
	return e
}

func (w *pilot) addTo(e *Estimate, d *demand, id string, n int) {
	seconds, measured := w.costs.of(d.cell, id)
	seconds *= float64(n)
	switch {
	case !measured:
		e.Extrapolated += seconds
	case w.tried[[2]string{d.cell.ID, id}]:
		e.Tried += seconds
	default:
		e.Measured += seconds
	}
}
