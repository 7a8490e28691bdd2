package results

import (
	"path/filepath"
	"strings"

	"copse/experiments/folder"
)

// LackPredictions returns the number of successful records of a study with predictions: keep whose predictions
// are not stored. If waiting is true, predictions count as stored before they are merged into the file of their
// cell.
func (f *Folder) LackPredictions(selected *Selection, waiting bool) (lacking int, err error) {
	if !f.Study.Predictions {
		return 0, nil
	}
	succeeded := func(r *storedResult) bool { return !r.failed }
	for range selected.places(succeeded) {
		lacking++
	}
	parts, err := filesIn(partsOf(f.Dir))
	if err != nil {
		return 0, err
	}
	for i := range selected.cells {
		cell := &selected.cells[i]
		files := []string{filepath.Join(f.Dir, folder.Predictions, cell.cell.ID+predictionSuffix)}
		for _, part := range parts {
			if waiting && strings.HasPrefix(filepath.Base(part), cell.cell.ID+"-") {
				files = append(files, part)
			}
		}
		stored, err := f.fitsWithPredictions(cell, files)
		if err != nil {
			return 0, err
		}
		lacking -= stored
	}
	return lacking, nil
}

// fitsWithPredictions returns the number of successful fits of a cell whose predictions are in the files.
func (f *Folder) fitsWithPredictions(cell *selectedCell, files []string) (int, error) {
	type fit struct {
		replicate  int
		classifier string
	}
	found := map[fit]bool{} // after an interruption, two files may contain the predictions of one fit
	for _, file := range files {
		err := readBlocks(file, func(b block) error {
			spec, wanted := cell.specs[b.classifier]
			_, stored := f.store.at(cell.cell.ID, b.replicate, b.classifier, spec)
			if wanted && recipeDigest(spec) == b.recipe && stored != nil && !stored.failed {
				found[fit{b.replicate, b.classifier}] = true
			}
			return nil
		})
		if err != nil {
			return 0, err
		}
	}
	return len(found), nil
}
