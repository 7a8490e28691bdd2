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

// An Estimate is the expected time of a plan, in seconds on one core. Measured, Tried and
// Extrapolated add up to the total.
type Estimate struct {
	Measured     float64  // from earlier runs of the same classifiers in the same cells
	Tried        float64  // from fits of the pilot in the same cells
	Extrapolated float64  // from times in other cells or with fewer rows
	Fits, Cells  int      // numbers that the pilot measured
	CutOff       []string // ids of classifiers with fits that were too long for the pilot
	Unknown      []string // ids of classifiers without measured times, which the estimate excludes
	Failures     []FailedFit
}

// A FailedFit is the first failed fit of a classifier in the pilot that used all training rows, or the first
// failure to draw the data of a trial. It would also fail in a run.
type FailedFit struct {
	ID, Message string // ID is Drawing if the data could not be drawn
	Cell        *study.Cell
	Everywhere  bool // the classifier or draw failed in all of its cells that the pilot chose
}

func (e *Estimate) Seconds() float64 { return e.Measured + e.Tried + e.Extrapolated }

// Estimate estimates how long a plan will take. Fits without a stored time are run as a pilot until the budget
// is used up. The pilot stores no results and starts no external programs.
func (p *Plan) Estimate(budget time.Duration) *Estimate {
	w := newPilot(p, budget)
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

// Drawing is the id for drawing the data of a trial, in place of a classifier's id.
const Drawing = ""

// A pilot measures the times of some fits of a plan.
type pilot struct {
	costs    *costs // receives the measured times
	worker   *trial.Worker
	began    time.Time
	beganCPU float64 // processor seconds of the process at the beginning
	deadline time.Time
	cells    []*missingResults
	chosen   []*missingResults // the cells that the pilot may visit
	fits     int
	tried    map[fitKey]bool // pairs of cell and classifier that the pilot has timed
	cutOff   map[string]bool // classifiers with a fit that took too long, or probably would
	failures []FailedFit     // all fits that failed although they used all training rows
}

// A missingResults value counts the missing results of one cell.
type missingResults struct {
	cell      *study.Cell
	replicate int            // the first replicate with missing results; draw may advance it
	trials    int            // number of replicates with missing results
	missing   map[string]int // number of missing results, by classifier
	toTime    []study.Entry  // the classifiers that the pilot can still time
	visits    int            // how often the pilot has drawn the data of the cell
}

// newPilot returns a pilot for a plan. With a budget of 0, it times nothing.
func newPilot(p *Plan, budget time.Duration) *pilot {
	now := time.Now()
	w := &pilot{
		costs:    p.costs,
		worker:   trial.NewWorker(p.Folder.Study),
		began:    now,
		beganCPU: clock(),
		deadline: now.Add(budget),
		cells:    missingByCell(p),
		tried:    map[fitKey]bool{},
		cutOff:   map[string]bool{},
	}
	if budget > 0 {
		w.chooseCells()
	}
	return w
}

// mostCells is the number of cells from which the pilot chooses. With a prime number, evenly spaced
// cells rarely all have the same level of a factor.
const mostCells = 53

// chooseCells sets w.chosen to up to mostCells evenly spaced cells. For each classifier that has
// missing results in none of these cells, it adds a cell in which the classifier has some.
func (w *pilot) chooseCells() {
	reached := map[string]bool{} // ids of classifiers with missing results in a chosen cell
	choose := func(d *missingResults) {
		d.toTime = w.untimed(d)
		w.chosen = append(w.chosen, d)
		for _, e := range d.entries() {
			reached[e.ID] = true
		}
	}
	n := min(len(w.cells), mostCells)
	for i := range n {
		choose(w.cells[i*len(w.cells)/n])
	}
	for _, d := range w.cells {
		if slices.ContainsFunc(d.entries(), func(e study.Entry) bool { return !reached[e.ID] }) {
			choose(d)
		}
	}
}

// untimed returns the built-in classifiers that have missing results in a cell but were not timed
// there with all rows. It returns none if the data may take too long to draw.
func (w *pilot) untimed(d *missingResults) []study.Entry {
	if !isQuickToDraw(d.cell.Data) {
		return nil
	}
	return slices.DeleteFunc(d.entries(), func(e study.Entry) bool {
		_, measured := w.costs.of(d.cell, e.ID)
		return measured || e.Program != nil
	})
}

// missingByCell counts the missing results of each cell, in the order of p.Tasks.
func missingByCell(p *Plan) (list []*missingResults) {
	byCell := map[*study.Cell]*missingResults{}
	for _, t := range p.Tasks {
		d := byCell[t.Cell]
		if d == nil {
			d = &missingResults{cell: t.Cell, replicate: t.Replicate, missing: map[string]int{}}
			byCell[t.Cell] = d
			list = append(list, d)
		}
		d.trials++
		for i := range t.Entries {
			d.missing[t.Entries[i].ID]++
		}
	}
	return list
}

// entries returns the classifiers that have missing results.
func (d *missingResults) entries() []study.Entry {
	isComplete := func(e study.Entry) bool { return d.missing[e.ID] == 0 }
	return slices.DeleteFunc(slices.Clone(d.cell.Classifiers), isComplete)
}

// isQuickToDraw reports whether the pilot may draw the data. A draw cannot be interrupted when the
// budget is spent.
func isQuickToDraw(d *study.Data) bool {
	const mostColumns, mostValues = 5000, 1e8
	train, test := d.Rows()
	columns := float64(d.Columns())
	return d.File != nil || d.Generator != nil && columns <= mostColumns && float64(train+test)*columns <= mostValues
}

// secondsToTime returns the expected total time for the missing results of the classifiers in
// d.toTime.
func (w *pilot) secondsToTime(d *missingResults) (seconds float64) {
	for _, e := range d.toTime {
		t, _ := w.costs.of(d.cell, e.ID)
		seconds += t * float64(d.missing[e.ID])
	}
	return seconds
}

// next returns the next cell for the pilot, or nil if it can time no more fits. It prefers cells
// with few visits and a long expected time. The second visit goes to the smallest cell, because
// times for two sizes of data show how the time grows.
func (w *pilot) next() (best *missingResults) {
	most, visits := 0.0, 0
	for _, d := range w.chosen {
		visits += d.visits
		if seconds := w.secondsToTime(d) / float64(d.visits+1); seconds > most {
			best, most = d, seconds
		}
	}
	if visits == 1 && best != nil {
		return w.smallest(best)
	}
	return best
}

// smallest returns the cell that defaultLaw expects to be fastest: best, or another chosen cell
// with classifiers to time.
func (w *pilot) smallest(best *missingResults) *missingResults {
	smallest, least := best, defaultLaw.seconds(w.costs.sizes[best.cell])
	for _, d := range w.chosen {
		if seconds := defaultLaw.seconds(w.costs.sizes[d.cell]); len(d.toTime) > 0 && seconds < least {
			smallest, least = d, seconds
		}
	}
	return smallest
}

const (
	firstRows = 64 // training rows in the first visit of a cell
	moreRows  = 4  // factor of the training rows in each further visit
	fitShare  = 4  // a fit may take up to 1/fitShare of the remaining time
)

// visit draws the data of a cell and times the classifiers in d.toTime. It removes classifiers that
// need no further fit. The first visit uses about firstRows training rows, and each further visit
// moreRows times as many. visit also notes the time for drawing the data.
func (w *pilot) visit(d *missingResults) {
	fullSize := w.costs.sizes[d.cell]
	trainingRows := firstRows * math.Pow(moreRows, float64(d.visits))
	d.visits++
	start := clock()
	draw, err := w.draw(d)
	w.note(d.cell, Drawing, timed{size: fullSize, seconds: clock() - start})
	if err != nil {
		w.failures = append(w.failures, FailedFit{ID: Drawing, Message: err.Error(), Cell: d.cell})
		for _, e := range d.entries() { // without data, each fit of the run will fail in no time
			w.costs.measured[fitKey{d.cell.ID, e.ID}] = timed{size: fullSize, seconds: 0}
		}
		d.toTime = nil
		return
	}
	defer draw.Close(context.Background())
	usedSize := fullSize
	if share := trainingRows / float64(draw.Train.N()); share < 1 {
		draw.Train, draw.Test = thinned(draw.Train, share), thinned(draw.Test, share)
		usedSize.rows *= share
	}
	d.toTime = slices.DeleteFunc(d.toTime, func(e study.Entry) bool { return w.try(d, e, draw, usedSize) })
}

// draw draws the data of a cell. A failed draw may be an exception, so draw then advances d.replicate up to twice. If
// all draws fail, it returns the last error.
func (w *pilot) draw(d *missingResults) (draw *trial.Draw, err error) {
	const mostDraws = 3
	for range min(mostDraws, d.trials) {
		if draw, err = w.worker.Draw(context.Background(), d.cell, d.replicate); err == nil {
			return draw, nil
		}
		d.replicate++
	}
	return nil, err
}

// try fits a classifier to data of the given size, and stores the time. It stops a fit that takes
// longer than 1/fitShare of the pilot's remaining time, and skips a fit that probably would.
//
// done is true if no further fit of the classifier in this cell is useful: this fit used all rows,
// was stopped or was skipped.
func (w *pilot) try(d *missingResults, e study.Entry, draw *trial.Draw, used size) (done bool) {
	limit := time.Until(w.deadline) / fitShare
	expected := 0.0 // processor seconds, by a power law; 0 if unknown
	if w.costs.hasTimes(e.ID) {
		expected = w.costs.law(e.ID).seconds(used)
	}
	expectedElapsed := expected * w.elapsedPerCPU()
	if limit <= 0 {
		return true
	}
	if expectedElapsed > limit.Seconds() {
		if !w.costs.wasTimedAt(e.ID, used) {
			w.cutOff[e.ID] = true
		}
		return true
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	start := clock() // processor time
	result := w.worker.Fit(ctx, d.cell, d.replicate, e, draw)
	t := timed{size: used, seconds: clock() - start}
	hasFailed := result.Status == records.Failed
	hasAllRows := used == w.costs.sizes[d.cell]
	switch {
	case ctx.Err() != nil: // the limit stopped the fit, so t is only a lower bound
		if t.seconds > expected { // otherwise, the power law already predicts a longer time
			w.cutOff[e.ID] = true
			w.noteFit(d, e, t)
		}
		return true
	case hasFailed && !hasAllRows:
		return false // a fit to more rows may succeed
	case hasFailed:
		// The run repeats this fit, which will fail again after the same time.
		w.failures = append(w.failures, FailedFit{ID: e.ID, Message: result.Message, Cell: d.cell})
	}
	w.noteFit(d, e, t)
	return hasAllRows
}

// noteFit counts a fit and stores its time.
func (w *pilot) noteFit(d *missingResults, e study.Entry, t timed) {
	w.fits++
	w.note(d.cell, e.ID, t)
}

// failedEverywhere reports whether a classifier, or drawing the data, failed in each chosen cell in which the run
// needs it.
func (w *pilot) failedEverywhere(id string) bool {
	return !slices.ContainsFunc(w.chosen, func(d *missingResults) bool {
		isHere := func(f FailedFit) bool { return f.ID == id && f.Cell == d.cell }
		isNeeded := id == Drawing || d.missing[id] > 0
		return isNeeded && !slices.ContainsFunc(w.failures, isHere)
	})
}

// firstFailureOfEach returns the first failure of each classifier that failed, and the first of drawing data.
func (w *pilot) firstFailureOfEach() (list []FailedFit) {
	for _, f := range w.failures {
		if !slices.ContainsFunc(list, func(o FailedFit) bool { return o.ID == f.ID }) {
			f.Everywhere = w.failedEverywhere(f.ID)
			list = append(list, f)
		}
	}
	return list
}

// elapsedPerCPU returns the ratio of elapsed time to processor time since the pilot began, but at
// least 1. Other processes increase it.
func (w *pilot) elapsedPerCPU() float64 {
	const least = 0.01 // seconds; clock is not more precise
	return max(1, time.Since(w.began).Seconds()/max(least, clock()-w.beganCPU))
}

// note stores a measured time of a classifier or, if id is drawing, of drawing the data.
func (w *pilot) note(c *study.Cell, id string, t timed) {
	w.tried[fitKey{c.ID, id}] = true
	w.costs.add(c, id, t)
}

// leastThinned is the smallest number of rows that thinned keeps in each class.
const leastThinned = 8

// thinned returns a subset of s. From each class, it selects the given share of the rows at even
// intervals, but at least leastThinned rows or the whole class.
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

// sum estimates the total time to draw the data and compute all missing results. The estimate is 0
// seconds if no classifier was timed, and otherwise excludes only the classifiers in Unknown.
func (w *pilot) sum() *Estimate {
	total := &Estimate{Fits: w.fits, Failures: w.firstFailureOfEach()}
	// If no classifier was timed, the total is 0. Users could mistake the time for drawing data alone
	// for the time of the study.
	countsDraws := w.costs.hasTimes(Drawing) && slices.ContainsFunc(w.cells, w.isAnyTimed)
	for _, d := range w.cells {
		if d.visits > 0 { // the pilot has drawn the data of the cell
			total.Cells++
		}
		if countsDraws { // each trial draws its data once
			w.addTo(total, d, Drawing, d.trials)
		}
		for _, e := range d.entries() {
			switch {
			case w.isTimed(d, e):
				w.addTo(total, d, e.ID, d.missing[e.ID])
			case !slices.Contains(total.Unknown, e.ID):
				total.Unknown = append(total.Unknown, e.ID)
			}
		}
	}
	total.CutOff = slices.Sorted(maps.Keys(w.cutOff))
	return total
}

// isTimed reports whether a time of a classifier was measured in any cell.
func (w *pilot) isTimed(d *missingResults, e study.Entry) bool {
	_, isMeasuredHere := w.costs.measured[fitKey{d.cell.ID, e.ID}]
	return isMeasuredHere || w.costs.hasTimes(e.ID)
}

func (w *pilot) isAnyTimed(d *missingResults) bool {
	return slices.ContainsFunc(d.entries(), func(e study.Entry) bool { return w.isTimed(d, e) })
}

// addTo adds the expected time of n results to Measured, Tried or Extrapolated.
func (w *pilot) addTo(e *Estimate, d *missingResults, id string, n int) {
	seconds, measured := w.costs.of(d.cell, id)
	seconds *= float64(n)
	switch {
	case !measured:
		e.Extrapolated += seconds
	case w.tried[fitKey{d.cell.ID, id}]:
		e.Tried += seconds
	default:
		e.Measured += seconds
	}
}
