package run

import (
	"context"
	"maps"
	"math"
	"slices"
	"time"

	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/dataset"
	"copse/stats/records"
)

// An Estimate is the seconds of a plan on one core, by the source of their times.
type Estimate struct {
	Measured     float64  // from earlier runs of the same recipes in the same cells
	Tried        float64  // from fits of the pilot in the same cells
	Extrapolated float64  // from times in other cells or with fewer rows
	Fits, Cells  int      // of the pilot
	CutOff       []string // ids of fits that the pilot stopped; their times so far are counted
	Unknown      []string // ids without any time; the sums lack them
	Failures     []FailedFit
}

// A FailedFit is the first fit of a classifier to all training rows that failed in the
// pilot, as it would in a run.
type FailedFit struct {
	ID, Message string
	Cell        *study.Cell
}

// Seconds returns the sum of all times.
func (e *Estimate) Seconds() float64 { return e.Measured + e.Tried + e.Extrapolated }

// Estimate returns the time that a plan will take. For fits that earlier runs did not time,
// a pilot runs fits in memory until the budget is spent. It starts with few rows, in the
// largest cell and then in the smallest. It goes on in the cells with most extrapolated
// time. It starts no programs.
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

// drawing is the id under which costs keeps the time of drawing a cell's data.
const drawing = ""

// A pilot measures what fits cost.
type pilot struct {
	costs    *costs
	worker   *trial.Worker
	began    time.Time
	start    float64 // what clock returned at the beginning
	deadline time.Time
	demands  []*demand
	fits     int
	tried    map[[2]string]bool // by cell and id
	closed   map[[2]string]bool // by cell and id: fits not to be tried again
	cutOff   map[string]bool    // by id
	failures []FailedFit
}

// A demand counts the missing results of one cell.
type demand struct {
	cell      *study.Cell
	replicate int            // the first incomplete one
	trials    int            // number of incomplete ones
	whole     int            // of these, trials without any result
	lacks     map[string]int // number of missing results by id
	entries   []study.Entry  // with missing results
	visits    int            // of the pilot so far
}

// newPilot returns a pilot for the missing results of a plan.
func newPilot(p *Plan, s *study.Study, budget time.Duration) *pilot {
	now := time.Now()
	return &pilot{
		costs:    p.costs,
		worker:   trial.NewWorker(s, ""),
		began:    now,
		start:    clock(),
		deadline: now.Add(budget),
		demands:  demandsOf(p),
		tried:    map[[2]string]bool{},
		closed:   map[[2]string]bool{},
		cutOff:   map[string]bool{},
	}
}

// demandsOf returns the demand of each cell with tasks, in the order of the tasks.
func demandsOf(p *Plan) (list []*demand) {
	byCell := map[*study.Cell]*demand{}
	for _, t := range p.Tasks {
		d := byCell[t.Cell]
		if d == nil {
			d = &demand{cell: t.Cell, replicate: t.Replicate, lacks: map[string]int{}}
			byCell[t.Cell] = d
			list = append(list, d)
		}
		d.add(t)
	}
	for _, d := range list {
		d.complete()
	}
	return list
}

// add counts the missing results of a task. A task without any result counts in whole,
// which complete distributes to the classifiers.
func (d *demand) add(t Task) {
	d.trials++
	if len(t.Entries) == len(t.Cell.Classifiers) {
		d.whole++
		return
	}
	for _, e := range t.Entries {
		d.lacks[e.ID]++
	}
}

// complete adds the trials without any result to the counts of all classifiers, and lists
// the classifiers that lack results.
func (d *demand) complete() {
	for _, e := range d.cell.Classifiers {
		d.lacks[e.ID] += d.whole
		if d.lacks[e.ID] > 0 {
			d.entries = append(d.entries, e)
		}
	}
}

// isOpen reports whether the pilot can still measure the time of a classifier in a cell.
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

// open returns the expected seconds of the fits in a cell that the pilot can still measure.
func (w *pilot) open(d *demand) (seconds float64) {
	for _, e := range d.entries {
		if w.isOpen(d.cell, e) {
			t, _ := w.costs.of(d.cell, e.ID)
			seconds += t * float64(d.lacks[e.ID])
		}
	}
	return seconds
}

// next returns the cell to visit, nil when none is open: the cell with the most open time
// divided by its visits plus one. The second visit of a pilot is to the smallest cell,
// because it shows how time grows with size.
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
	moreRows  = 4  // factor by which each further visit has more
	fitShare  = 4  // a fit may take 1/fitShare of the remaining time
)

// visit draws the data of a cell, with moreRows times the training rows of its last visit, and
// measures the fits that are open.
func (w *pilot) visit(d *demand) {
	whole := w.costs.sizes[d.cell]
	rows := firstRows * math.Pow(moreRows, float64(d.visits))
	d.visits++
	start := clock()
	draw, err := w.worker.Draw(context.Background(), d.cell, d.replicate)
	w.note(d.cell, drawing, timed{whole, clock() - start})
	if err != nil {
		for _, e := range d.entries { // without data, a fit fails at once
			w.costs.measured[[2]string{d.cell.ID, e.ID}] = timed{whole, 0}
		}
		return
	}
	defer draw.Close(context.Background())
	used := whole
	if share := rows / float64(draw.Train.N()); share < 1 {
		draw.Train, draw.Test = thinned(draw.Train, share), thinned(draw.Test, share)
		used.rows *= share
	}
	for _, e := range d.entries {
		if w.isOpen(d.cell, e) {
			w.try(d, e, draw, used)
		}
	}
}

// try measures a fit to data of the given size. It closes the fit to further visits if the fit is
// expected to take, or takes, more than its share of the remaining time.
func (w *pilot) try(d *demand, e study.Entry, draw *trial.Draw, used size) {
	at, limit := [2]string{d.cell.ID, e.ID}, time.Until(w.deadline)/fitShare
	expected := 0.0
	if w.costs.timed(e.ID) {
		expected = w.costs.law(e.ID).at(used)
	}
	if expected*w.pace() > limit.Seconds() || limit <= 0 {
		w.closed[at] = true
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	start := clock()
	o := w.worker.Fit(ctx, d.cell, d.replicate, e, draw)
	t := timed{used, clock() - start}
	switch {
	case ctx.Err() != nil:
		w.closed[at] = true
		if t.seconds <= expected {
			return // the time so far adds nothing to what was expected
		}
		w.cutOff[e.ID] = true
	case o.Status == records.Failed && used != w.costs.sizes[d.cell]:
		return // a fit to all rows may succeed
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

// pace returns the seconds that pass per second of the clock: above 1 on a busy machine.
func (w *pilot) pace() float64 {
	const least = 0.01 // seconds that clock can measure
	return max(1, time.Since(w.began).Seconds()/max(least, clock()-w.start))
}

// note stores a time that the pilot measured.
func (w *pilot) note(c *study.Cell, id string, t timed) {
	w.tried[[2]string{c.ID, id}] = true
	w.costs.add(c, id, t)
}

// leastThinned is the number of rows of a class that thinned keeps, if there are so many.
const leastThinned = 8

// thinned returns a share of each class's rows, evenly spread over the set.
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

// sum returns the estimate by all times measured so far.
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

// addTo adds the seconds of n results of a classifier to the sum of their source.
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
