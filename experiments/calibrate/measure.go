package calibrate

import (
	"fmt"
	"slices"

	"copse/experiments/run"
	"copse/experiments/study"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// resolve sets the cells of a reading. It returns an error if the generator does not accept the values.
func (c *Search) resolve(r *Reading) error {
	var assignments []string
	for i, p := range c.free {
		if r.Values[i] != "" {
			assignments = append(assignments, p.path+"="+r.Values[i])
		}
	}
	s, err := study.Parse(c.study.File, c.text, assignments, nil)
	if err != nil {
		return err
	}
	r.cells = sharing(c.study, s.Cells)
	return nil
}

// sharing returns copies of the cells with random streams that depend only on the levels. All readings
// therefore use common random numbers.
func sharing(s *study.Study, cells []*study.Cell) []*study.Cell {
	list := make([]*study.Cell, len(cells))
	for i, cell := range cells {
		c := *cell
		c.Key = "calibrate " + s.Describe(s.Cells[i])
		c.SplitKey, c.NoiseKey = c.Key, c.Key
		list[i] = &c
	}
	return list
}

// A span is a range of replicates, from first to last.
type span struct{ first, last int }

// measure runs a stage on the readings and sets their distances. number is the number of the stage,
// from 1.
func (c *Search) measure(list []*Reading, number int, stage Stage) error {
	replicates := span{1, stage.Replicates}
	if err := c.draw(list, c.seen, replicates, stage.Classifiers); err != nil {
		return err
	}
	for _, r := range list {
		r.Stage = number
		r.Distance, r.Failed = c.distance(r, c.seen, replicates, stage.Classifiers)
	}
	return nil
}

// draw runs the fits that are missing in losses: of the given readings, cells and replicates, and of the
// compared classifiers with the given ids (see compared).
func (c *Search) draw(list []*Reading, cells []int, replicates span, ids []string) error {
	var tasks []run.Task
	for replicate := replicates.first; replicate <= replicates.last; replicate++ {
		for _, r := range list {
			for _, i := range cells {
				known := func(e study.Entry) bool { return c.losses.of(r.cells[i], replicate, e).status != "" }
				missing := slices.DeleteFunc(c.compared(i, r.cells[i].Classifiers, ids), known)
				if len(missing) > 0 {
					tasks = append(tasks, run.Task{Cell: r.cells[i], Replicate: replicate, Entries: missing,
						Cost: float64(len(missing))})
				}
			}
		}
	}
	if len(tasks) == 0 {
		return nil
	}
	return c.run(tasks)
}

// compared returns the entries that have a printed mean in cell i of the study and an id in ids. If ids
// is empty, all ids are allowed.
func (c *Search) compared(i int, entries []study.Entry, ids []string) (list []study.Entry) {
	for _, e := range entries {
		_, printed := c.targets[i][e.ID]
		if printed && (len(ids) == 0 || slices.Contains(ids, e.ID)) {
			list = append(list, e)
		}
	}
	return list
}

// A comparedMean is the printed mean of a classifier in a cell, with our losses.
type comparedMean struct {
	verdicts.Likeness
	cell int    // index of the cell in the study
	id   string // id of the classifier
}

// likenesses returns the printed means of the given cells, with the losses of a reading. If a fit
// failed, failed describes the first failure and list is nil.
func (c *Search) likenesses(r *Reading, cells []int, replicates span, ids []string) (list []comparedMean, failed string) {
	for _, i := range cells {
		for _, e := range c.compared(i, r.cells[i].Classifiers, ids) {
			mean := comparedMean{cell: i, id: e.ID, Likeness: verdicts.Likeness{Published: c.targets[i][e.ID]}}
			for replicate := replicates.first; replicate <= replicates.last; replicate++ {
				got := c.losses.of(r.cells[i], replicate, e)
				if got.status != records.OK {
					return nil, fmt.Sprintf("%s, %s, replicate %d: %s", c.study.Describe(c.study.Cells[i]), e.ID, replicate,
						got.message)
				}
				mean.Ours = append(mean.Ours, float64(got.errors)/float64(got.rows))
			}
			list = append(list, mean)
		}
	}
	return list, ""
}

// distance returns the distance of a reading from the printed means of the given cells, or the reason
// why there is no distance.
func (c *Search) distance(r *Reading, cells []int, replicates span, ids []string) (verdicts.Distance, string) {
	list, failed := c.likenesses(r, cells, replicates, ids)
	if failed != "" {
		return verdicts.Distance{}, failed
	}
	numbers := make([]verdicts.Likeness, len(list))
	for i := range list {
		numbers[i] = list[i].Likeness
	}
	d, err := verdicts.NewDistance(numbers)
	if err != nil {
		return d, err.Error()
	}
	return d, ""
}
