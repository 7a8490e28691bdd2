package calibrate

import (
	"fmt"
	"slices"

	"copse/experiments/run"
	"copse/experiments/study"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// resolve makes the cells of a reading; the error is that of values that the generator
// refuses.
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

// sharing returns cells whose random streams are those of the levels alone: all
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

// measure gives readings their distances after a stage.
func (c *Search) measure(list []*Reading, number int, stage Stage) error {
	if err := c.draw(list, c.seen, 1, stage.Replicates, stage.Classifiers); err != nil {
		return err
	}
	for _, r := range list {
		r.Stage = number
		r.Distance, r.Failed = c.distance(r, c.seen, 1, stage.Replicates, stage.Classifiers)
	}
	return nil
}

// draw runs the trials of readings that are not known, of the given cells and
// replicates.
func (c *Search) draw(list []*Reading, cells []int, first, last int, ids []string) error {
	var tasks []run.Task
	for replicate := first; replicate <= last; replicate++ {
		for _, r := range list {
			for _, i := range cells {
				t := run.Task{Cell: r.cells[i], Replicate: replicate}
				for _, e := range t.Cell.Classifiers {
					if c.counts(i, e.ID, ids) && !c.losses.has(t.Cell, replicate, e) {
						t.Entries = append(t.Entries, e)
					}
				}
				if t.Cost = float64(len(t.Entries)); t.Cost > 0 {
					tasks = append(tasks, t)
				}
			}
		}
	}
	if len(tasks) == 0 {
		return nil
	}
	return c.run(tasks)
}

// counts tells whether a classifier's number counts in a cell; no ids are all.
func (c *Search) counts(cell int, id string, ids []string) bool {
	_, printed := c.targets[cell][id]
	return printed && (len(ids) == 0 || slices.Contains(ids, id))
}

// likenesses sets a reading's losses beside the printed numbers of cells.
func (c *Search) likenesses(r *Reading, cells []int, first, last int, ids []string) (list []likeness, failed string) {
	for _, i := range cells {
		for _, e := range r.cells[i].Classifiers {
			if !c.counts(i, e.ID, ids) {
				continue
			}
			l := likeness{cell: i, id: e.ID, Likeness: verdicts.Likeness{Published: c.targets[i][e.ID]}}
			for replicate := first; replicate <= last; replicate++ {
				got := c.losses.of(r.cells[i], replicate, e)
				if got.status != records.OK {
					return nil, fmt.Sprintf(
						"%s, %s, replicate %d: %s",
						c.study.Describe(c.study.Cells[i]),
						e.ID,
						replicate,
						got.message,
					)
				}
				l.Ours = append(l.Ours, float64(got.errors)/float64(got.rows))
			}
			list = append(list, l)
		}
	}
	return list, ""
}

// A likeness knows whose number it is.
type likeness struct {
	verdicts.Likeness
	cell int
	id   string
}

func (c *Search) distance(r *Reading, cells []int, first, last int, ids []string) (verdicts.Distance, string) {
	list, failed := c.likenesses(r, cells, first, last, ids)
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
