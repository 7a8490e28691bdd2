package reported

import (
	"cmp"

	"copse/experiments/calibrate"
	"copse/experiments/study"
	"copse/report/readings"
)

// Calibration converts the result of a calibration for its report. A calibration searches for
// parameter values that reproduce published numbers. These choices of values are called readings.
func Calibration(r *calibrate.Result) *readings.Calibration {
	s := r.Study
	c := &readings.Calibration{
		Title:      cmp.Or(s.Title, s.Name),
		Source:     s.Source,
		Parameters: r.Parameters,
		Impossible: r.Impossible,                                   // number of readings that the generator rejected
		Seen:       r.Searched,                                     // number of cells that the search used
		Held:       r.HeldOut,                                      // number of other cells with published numbers
		SeenWords:  cmp.Or(r.Options.Blocks.String(), "all cells"), // the cells that the search used
		Confirm:    r.Options.Confirm,
		Alpha:      r.Options.Alpha,
		Failed:     r.Failed,
		Targets:    targetsOf(s, r.Finalists[0]), // all finalists have the same targets
	}
	for _, t := range r.Readings {
		c.Tried = append(c.Tried, readings.Reading{Number: t.Number, Stage: t.Stage, Distance: t.Distance,
			Failed: t.Failed != ""})
	}
	for _, f := range r.Finalists {
		c.Finalists = append(c.Finalists, finalistOf(f))
	}
	return c
}

// finalistOf converts a finalist for the report. A finalist is a choice of parameter values that
// was evaluated again on new replicates.
func finalistOf(f *calibrate.Finalist) readings.Finalist {
	final := readings.Finalist{Number: f.Number, Values: f.Values, AtEnd: f.AtEnd, Searched: f.Searched,
		HeldOut: f.HeldOut, P: f.P, Kept: f.Kept}
	const heldOut = true // count the held-out cells instead of the searched cells
	final.SearchedDiffer, final.SearchedCompared = f.Differs(!heldOut)
	final.HeldOutDiffer, final.HeldOutCompared = f.Differs(heldOut)
	for _, n := range f.Numbers.Items {
		final.Means = append(final.Means, readings.Number{Mean: n.Ours.Mean, SD: n.Ours.SD})
	}
	return final
}

// targetsOf returns the published numbers that a calibration should reproduce. They are the same
// for all finalists, so f may be any of them.
func targetsOf(s *study.Study, f *calibrate.Finalist) []readings.Target {
	cells, classifiers := map[string]string{}, map[string]string{} // labels by id
	for _, cell := range s.Cells {
		cells[cell.ID] = s.Describe(cell)
		for _, e := range cell.Classifiers {
			classifiers[e.ID] = cmp.Or(e.Label, e.ID)
		}
	}
	var targets []readings.Target
	for i, n := range f.Numbers.Items {
		targets = append(targets, readings.Target{
			Cell:       cells[n.Cell],
			Classifier: classifiers[n.Classifier],
			HeldOut:    f.IsHeld[i], // the search did not use the cell
			Number:     readings.Number{Mean: n.Published.Mean, SD: n.Published.SD},
		})
	}
	return targets
}
