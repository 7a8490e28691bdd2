package results

import (
	"fmt"
	"path/filepath"

	"copse/experiments/folder"
	"copse/stats/metrics"
)

// EachPrediction yields the predictions of a cell behind a folder's records, one fit at a time, by
// replicate and classifier. Fits whose predictions are not kept are passed over: all,
// where there is no file of them.
func EachPrediction(dir string, rows *Selection, cell string, each func(replicate int, classifier string, p *metrics.Predictions) error) error {
	path := filepath.Join(dir, folder.Predictions, cell+predictionSuffix)
	return readBlocks(path, func(b block) error {
		spec, ok := rows.Succeeded(cell, b.replicate, b.classifier)
		if !ok || recipeDigest(spec) != b.recipe {
			return nil
		}
		p, err := b.predictions()
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return each(b.replicate, b.classifier, p)
	})
}
