package calibrate

import (
	"fmt"
	"slices"

	"copse/experiments/run"
	"copse/experiments/study"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// setCells sets r.cells. It returns an error if the generator rejects the values of the reading.
func (c *Search) setCells(r *Reading) error {
	var assignments []string
	for i, p := range c.Options.Free {
		if r.Values[i] != "" {
			assignments = append(assignments, p.path+"="+r.Values[i])
		}
	}
	s, err := study.Parse(c.Study.File, c.studyYAML, assignments, nil)
	if err != nil {
		return err
	}
	r.cells = c.withSharedStreams(s.Cells)
	return nil
}

// withSharedStreams returns copies of the cells whose random streams depend only on the factor
// levels, so that all readings use common random numbers.
func (c *Search) withSharedStreams(cells []*study.Cell) (list []*study.Cell) {
	for i, cell := range cells {
		shared := *cell
		shared.Key = "calibrate " + c.Study.Describe(c.Study.Cells[i])
		shared.SplitKey, shared.NoiseKey = shared.Key, shared.Key
		list = append(list, &shared)
	}
	return list
}

// selectedFits selects the fits that are compared with published means.
type selectedFits struct {
	cells       []int    // indices in Study.Cells
	first, last int      // the first and the last replicate
	ids         []string // of classifiers; if empty, all classifiers
}

// runStage runs one stage of the search for each reading in the list and sets its distance or its
// failure. Stages are numbered from 1.
func (c *Search) runStage(list []*Reading, number int, stage Stage) error {
	fits := selectedFits{c.Searched, 1, stage.Replicates, stage.Classifiers}
	if err := c.runMissing(list, fits); err != nil {
		return err
	}
	for _, r := range list {
		r.Stage = number
		r.Distance, r.Failed = c.distance(r, fits)
	}
	return nil
}

// runMissing runs the selected fits of each reading that have no stored result yet.
func (c *Search) runMissing(list []*Reading, fits selectedFits) error {
	plan := &run.Plan{}
	for replicate := fits.first; replicate <= fits.last; replicate++ {
		for _, r := range list {
			for _, i := range fits.cells {
				missing, stored := c.missing(r, i, replicate, fits.ids)
				plan.Done += stored
				if len(missing) > 0 {
					plan.Tasks = append(plan.Tasks, run.Task{Cell: r.cells[i], Replicate: replicate, Entries: missing,
						Cost: float64(len(missing))})
				}
			}
		}
	}
	if len(plan.Tasks) == 0 {
		return nil
	}
	return c.run(plan)
}

// missing returns the compared classifiers (see comparedClassifiers) that lack a stored result in
// cell i and the replicate. stored is the number of compared classifiers that have one.
func (c *Search) missing(r *Reading, i, replicate int, ids []string) (list []study.Entry, stored int) {
	known := func(e study.Entry) bool { return c.losses.resultOf(r.cells[i], replicate, e).status != "" }
	compared := c.comparedClassifiers(i, r.cells[i].Classifiers, ids)
	list = slices.DeleteFunc(slices.Clone(compared), known)
	return list, len(compared) - len(list)
}

// comparedClassifiers returns the entries with a published mean in cell i of the study. Unless ids
// is empty, it returns only entries whose id is in ids.
func (c *Search) comparedClassifiers(i int, entries []study.Entry, ids []string) (list []study.Entry) {
	for _, e := range entries {
		_, printed := c.targets[i][e.ID]
		if printed && (len(ids) == 0 || slices.Contains(ids, e.ID)) {
			list = append(list, e)
		}
	}
	return list
}

type pairedMean struct {
	verdicts.Likeness
	cell int    // index of the cell in the study
	id   string // id of the classifier
}

// pairMeans pairs each published mean of the selected fits with our error rates for a reading.
// failed describes the first failed fit, or is "".
func (c *Search) pairMeans(r *Reading, fits selectedFits) (list []pairedMean, failed string) {
	for _, i := range fits.cells {
		for _, e := range c.comparedClassifiers(i, r.cells[i].Classifiers, fits.ids) {
			mean := pairedMean{cell: i, id: e.ID}
			mean.Published = c.targets[i][e.ID]
			if mean.Ours, failed = c.errorRates(r.cells[i], e, fits); failed != "" {
				return nil, fmt.Sprintf("%s, %s, %s", c.Study.Describe(c.Study.Cells[i]), e.ID, failed)
			}
			list = append(list, mean)
		}
	}
	return list, ""
}

// errorRates returns the error rate of a classifier in each selected replicate of a cell. failed
// describes a failed fit, as in "replicate 3: singular covariance", or is "".
func (c *Search) errorRates(cell *study.Cell, e study.Entry, fits selectedFits) (rates []float64, failed string) {
	for replicate := fits.first; replicate <= fits.last; replicate++ {
		fit := c.losses.resultOf(cell, replicate, e)
		if fit.status != records.OK {
			return nil, fmt.Sprintf("replicate %d: %s", replicate, fit.message)
		}
		rates = append(rates, float64(fit.errors)/float64(fit.rows))
	}
	return rates, ""
}

// distance returns the distance of a reading from the published means of the selected fits. If it
// cannot be computed, failed is the reason. Otherwise, failed is "".
func (c *Search) distance(r *Reading, fits selectedFits) (d verdicts.Distance, failed string) {
	list, failed := c.pairMeans(r, fits)
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
