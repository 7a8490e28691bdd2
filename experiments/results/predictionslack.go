package results

import (
	"errors"
	"maps"
	"path/filepath"

	"copse/experiments/folder"
)

// A storedFit identifies a stored result.
type storedFit struct {
	trial  trialKey
	recipe int32 // index in store.recipes
}

// FindPredictions finds the results without required predictions, for which State then returns
// LacksPredictions. It ignores cells with an unreadable file, which copse verify reports.
func (f *Folder) FindPredictions() {
	f.unpredicted, _ = f.withoutPredictions(f.Select())
}

// hasAllPredictions reports whether all records have predictions. It relies on the manifest, so it
// returns false if the folder has changed since the manifest was written.
func (f *Folder) hasAllPredictions() bool {
	if f.Manifest == nil || !f.Manifest.AllPredicted {
		return false
	}
	listed, err := listedSums(f.Dir)
	for name := range listed {
		if !folder.Exists(filepath.Join(f.Dir, folder.Predictions, name)) {
			return false
		}
	}
	collected, _ := f.IsCollected() // false after an error
	return collected && err == nil
}

// LackPredictions returns the number of successful records without predictions, or 0 if the study
// does not keep predictions. If a file is unreadable, it returns an error and omits that cell.
func (f *Folder) LackPredictions(selected *Selection) (int, error) {
	lacking, err := f.withoutPredictions(selected)
	return len(lacking), err
}

// withoutPredictions returns the successful records without predictions, or nil if the study does
// not keep predictions. It omits cells with an unreadable file, and returns the error. Reading all
// predictions may take minutes, so it reads them only if the folder has changed.
func (f *Folder) withoutPredictions(selected *Selection) (map[storedFit]bool, error) {
	if !f.Study.Predictions || f.hasAllPredictions() {
		return nil, nil
	}
	lacking := successfulRecords(selected) // until their predictions are found
	trialFiles, err := partsByCell(f.Dir)
	if err != nil {
		return nil, err
	}
	var damaged error // of the cells with an unreadable file
	for i := range selected.cells {
		id := selected.cells[i].cell.ID
		files := append(trialFiles[id], cellFile(f.Dir, id))
		if err := f.deletePredicted(lacking, id, selected.wanted[id], files); err != nil {
			damaged = errors.Join(damaged, err)
			// It is unknown which records of this cell lack predictions, so count none.
			isOfCell := func(fit storedFit, _ bool) bool { return fit.trial.cell == f.store.cellAt[id] }
			maps.DeleteFunc(lacking, isOfCell)
		}
	}
	return lacking, damaged
}

func successfulRecords(selected *Selection) map[storedFit]bool {
	fits := map[storedFit]bool{}
	for at, r := range selected.eachResult(func(r *storedResult) bool { return !r.failed }) {
		fits[storedFit{at.trial, r.recipe}] = true
	}
	return fits
}

// deletePredicted deletes from lacking the fits whose predictions are in the given files of a cell.
// specs contains the recipes of the cell's records, by classifier id.
func (f *Folder) deletePredicted(
	lacking map[storedFit]bool, cell string, specs map[string]string, files []string,
) error {
	for _, file := range files {
		err := readBlocks(file, allLines, func(b block) error {
			trial, result := f.store.resultOf(&b, cell, specs)
			if result != nil {
				delete(lacking, storedFit{trial, result.recipe})
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
