package results

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ExportPredictions writes the predictions behind a folder's records as CSV, one line per
// cell, replicate, classifier and test row, and returns the number of lines. Cells
// with fewer classes than others have NA in the columns of the others.
func ExportPredictions(dir string, w io.Writer) (lines int, err error) {
	m, err := readManifest(dir)
	if err != nil {
		return 0, err
	}
	if err := m.checkList(dir); err != nil {
		return 0, fmt.Errorf("%s: %w; restore them", dir, err)
	}
	files, err := PredictionFiles(dir)
	if err == nil && len(files) == 0 {
		err = fmt.Errorf(
			"%s: no predictions are kept; a study keeps them with predictions: keep: %w",
			dir,
			os.ErrNotExist,
		)
	}
	if err != nil {
		return 0, err
	}
	most := 0
	for _, f := range files {
		r, err := openBlocks(f)
		if err != nil {
			return 0, err
		}
		most = max(most, r.classes)
		r.close()
	}
	out := csv.NewWriter(w)
	head := predictionHeader(most)
	out.Write(append([]string{"cell"}, slices.Delete(head, 2, 3)...)) // without the recipe: it is the manifest's
	for _, f := range files {
		id := strings.TrimSuffix(filepath.Base(f), predictionSuffix)
		cell, ok := m.Cell(id)
		if !ok {
			continue // of an earlier design
		}
		if _, err := checkedPredictions(dir, id); err != nil {
			return lines, err
		}
		err := readBlocks(f, func(b block) error {
			if spec, there := cell.Classifiers[b.classifier]; !there || recipeDigest(spec) != b.recipe {
				return nil
			}
			classes := b.classes()
			for _, line := range b.lines {
				spelt := append([]string{id}, slices.Concat(line[:2], line[3:6+classes])...)
				spelt = append(spelt, slices.Repeat([]string{"NA"}, most-classes)...)
				spelt = append(spelt, line[6+classes:]...)
				out.Write(append(spelt, slices.Repeat([]string{"NA"}, most-classes)...))
				lines++
			}
			return out.Error()
		})
		if err != nil {
			return lines, err
		}
	}
	out.Flush()
	return lines, errors.Join(out.Error())
}
