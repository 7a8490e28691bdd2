package reported

import (
	"cmp"

	"copse/experiments/calibrate"
	"copse/experiments/study"
	"copse/report/readings"
)

// Calibration converts the result of a calibration for its report.
func Calibration(r *calibrate.Result) *readings.Calibration {
	s := r.Study
	c := &readings.Calibration{
		Title:      cmp.Or(s.Title, s.Name),
		Source:     s.Source,
		Parameters: r.Parameters,
		Impossible: r.Impossible,
		Seen:       len(r.Searched),
		Held:       len(r.HeldOut),                                 // cells that the search did not use
		SeenWords:  cmp.Or(r.Options.Blocks.String(), "all cells"), // which cells the search used
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

func finalistOf(f *calibrate.Finalist) readings.Finalist {
	final := readings.Finalist{Number: f.Number, Values: f.Values, AtRangeEnd: f.AtEnd, Searched: f.Searched,
		HeldOut: f.HeldOut, P: f.P, Kept: f.Kept}
	const heldOut = true
	final.SearchedDiffer, final.SearchedCompared = f.Differs(!heldOut)
	final.HeldOutDiffer, final.HeldOutCompared = f.Differs(heldOut)
	for _, n := range f.Numbers.Items {
		final.Means = append(final.Means, readings.Number{Mean: n.Ours.Mean, SD: n.Ours.SD})
	}
	return final
}

// targetsOf returns the published numbers that a calibration should reproduce. f is any finalist.
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
			HeldOut:    f.IsHeld[i],
			Number:     readings.Number{Mean: n.Published.Mean, SD: n.Published.SD},
		})
	}
	return targets
}
