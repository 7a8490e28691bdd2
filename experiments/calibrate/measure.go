package calibrate

import (
	"fmt"
	"slices"

	"copse/experiments/run"
	"copse/experiments/study"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// resolve sets the cells of a reading. It returns an error if the generator refuses the values.
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

// sharing returns copies of the cells whose random streams depend only on the levels, so that all
// readings have common random numbers.
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

// A span is a range of replicates, first to last.
type span struct{ first, last int }

// measure runs a stage, counted from 1, and sets the distances of readings.
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

// draw runs the missing trials of readings in some cells and replicates, with the classifiers that
// are compared.
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

// compared returns the entries with a printed mean in cell i of the study and an id among ids;
// empty ids allow all.
func (c *Search) compared(i int, entries []study.Entry, ids []string) (list []study.Entry) {
	for _, e := range entries {
		_, printed := c.targets[i][e.ID]
		if printed && (len(ids) == 0 || slices.Contains(ids, e.ID)) {
			list = append(list, e)
		}
	}
	return list
}

// A comparedMean is the printed mean of a classifier in a cell beside our losses.
type comparedMean struct {
	verdicts.Likeness
	cell int // index in the study
	id   string
}

// likenesses returns the printed means of some cells beside the losses of a reading. If a fit
// failed, it returns the first failure instead.
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

// distance returns the distance of a reading from the printed means of some cells, or the reason
// why it has none.
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
