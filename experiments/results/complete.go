package results

import (
	"maps"

	"copse/experiments/folder"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/metrics"
	"copse/stats/records"
)

// CompleteMetrics computes missing metrics of stored results from stored predictions. It calls
// receive with a separate trial for every completed result.
func (f *Folder) CompleteMetrics(receive func(*trial.Trial) error) error {
	if len(f.Study.Metrics) == 0 {
		return nil
	}
	for _, c := range f.Study.Cells {
		if err := f.completeCell(c, receive); err != nil {
			return err
		}
	}
	return nil
}

// completeCell computes the missing metrics of those results of a cell that have stored predictions.
// It passes each completed result to receive, as a trial with this result only.
func (f *Folder) completeCell(c *study.Cell, receive func(*trial.Trial) error) error {
	trialFiles, err := partsByCell(f.Dir)
	if err != nil {
		return err
	}
	if !folder.Exists(cellFile(f.Dir, c.ID)) && len(trialFiles[c.ID]) == 0 {
		return nil // the cell has no stored predictions
	}
	s := f.store // receive may replace f.store
	isIncomplete := func(_ int, r *storedResult) bool { return s.lacks(r, f.Study.Metrics) }
	complete := func(row records.Record, p *metrics.Predictions) error {
		if row.Metrics == nil {
			row.Metrics = map[string]float64{}
		}
		maps.Copy(row.Metrics, p.Metrics(f.Study.Metrics, c.Data.ClassNames()))
		row.Levels = c.Levels // the study may have renamed the levels
		return receive(trialWith(row))
	}
	return s.readKept(f.Dir, c.ID, WantedRecipes(c), isIncomplete, complete)
}

// trialWith returns a trial that contains only the result row.
func trialWith(row records.Record) *trial.Trial {
	return &trial.Trial{
		Cell: row.Cell, Levels: row.Levels, Replicate: row.Replicate, Data: row.Data, NTest: row.NTest,
		Results: []records.Record{row},
	}
}
