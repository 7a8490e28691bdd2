package results

import (
	"copse/stats/metrics"
	"copse/stats/records"
)

// EachPrediction yields the predictions of a cell behind a folder's records, one fit at a time, by
// replicate and classifier. Fits whose predictions are not kept are passed over: all,
// where there is no file of them.
func EachPrediction(
	dir string, rows *Selection, cell string, each func(replicate int, classifier string, p *metrics.Predictions) error,
) error {
	find := func(replicate int, classifier, recipe string) (records.Record, bool) {
		row, ok := rows.succeeded(cell, replicate, classifier)
		return row, ok && recipeDigest(row.Spec) == recipe
	}
	return readKept(dir, cell, find, func(row records.Record, p *metrics.Predictions) error {
		return each(row.Replicate, row.Classifier, p)
	})
}
