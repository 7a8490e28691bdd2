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
		stored, err := fitsWithPredictions(selected, cell, files)
		if err != nil {
			return 0, err
		}
		lacking -= stored
	}
	return lacking, nil
}

// fitsWithPredictions returns the number of successful fits of a cell whose predictions are in the files.
func fitsWithPredictions(selected *Selection, cell *selectedCell, files []string) (int, error) {
	type fit struct {
		replicate  int
		classifier string
	}
	found := map[fit]bool{} // after an interruption, two files may contain the predictions of one fit
	for _, file := range files {
		err := readBlocks(file, func(b block) error {
			row, ok := selected.succeeded(cell, b.replicate, b.classifier)
			if ok && recipeDigest(row.Spec) == b.recipe {
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
