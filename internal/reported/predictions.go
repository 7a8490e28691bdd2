package reported

import (
	"fmt"

	"gonum.org/v1/gonum/mat"

	"copse/experiments/results"
	"copse/stats/metrics"
)

// maxKeptNumbers is the largest number of scores and probabilities in the cache. They need 128 MB.
const maxKeptNumbers = 16 << 20

// keptPredictions is a cache of predictions for several figures. It leaves out a cell if the cache would
// otherwise exceed maxKeptNumbers.
type keptPredictions struct {
	folder  *results.Folder
	rows    *results.Selection
	cells   map[string][]storedFit // all fits of a cell
	numbers int                    // number of scores and probabilities in cells
}

// A storedFit holds the stored predictions of a fit.
type storedFit struct {
	replicate   int
	classifier  string
	predictions *metrics.Predictions
}

// each calls receive with the predictions of each fit of a cell, like Folder.EachPrediction.
func (k *keptPredictions) each(cell string, receive eachPrediction) error {
	if fits, isKept := k.cells[cell]; isKept {
		for _, fit := range fits {
			if err := receive(fit.replicate, fit.classifier, fit.predictions); err != nil {
				return fmt.Errorf("%s: predictions of cell %s: %w", k.folder.Dir, cell, err)
			}
		}
		return nil
	}
	return k.read(cell, receive)
}

// read calls receive with the predictions of each fit in the file of a cell. It adds the cell to
// the cache if there is room.
func (k *keptPredictions) read(cell string, receive eachPrediction) error {
	var fits []storedFit
	numbers := k.numbers // numbers in the cache, including this cell's numbers so far
	err := k.folder.EachPrediction(k.rows, cell, func(replicate int, classifier string, p *metrics.Predictions) error {
		numbers += count(p)
		if numbers <= maxKeptNumbers {
			fits = append(fits, storedFit{replicate, classifier, p})
		} else {
			fits = nil // the cell does not fit into the cache
		}
		return receive(replicate, classifier, p)
	})
	if err == nil && numbers <= maxKeptNumbers {
		k.cells[cell], k.numbers = fits, numbers
	}
	return err
}

// count returns how many scores and probabilities the predictions of a fit contain.
func count(p *metrics.Predictions) (n int) {
	for _, m := range []*mat.Dense{p.Scores, p.Probabilities} {
		if m != nil {
			rows, classes := m.Dims()
			n += rows * classes
		}
	}
	return n
}
