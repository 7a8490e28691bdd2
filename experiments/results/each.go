package results

import (
	"fmt"

	"copse/stats/metrics"
	"copse/stats/records"
)

// EachPrediction passes the stored predictions of every fit of one cell to the function each,
// sorted by replicate and classifier.
func (f *Folder) EachPrediction(
	rows *Selection, cell string, each func(replicate int, classifier string, p *metrics.Predictions) error,
) error {
	if err := f.Manifest.checkSumsFile(f.Dir); err != nil {
		return fmt.Errorf("the predictions do not match the records: %w", err)
	}
	isRecord := func(replicate int, r *storedResult) bool { return !r.failed && replicate <= f.Study.Replicates }
	receive := func(row records.Record, p *metrics.Predictions) error { return each(row.Replicate, row.Classifier, p) }
	return f.store.readKept(f.Dir, cell, rows.wanted[cell], isRecord, receive)
}
