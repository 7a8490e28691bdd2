package results

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// ExportPredictions writes the predictions behind a folder's records as CSV, one line per
// cell, replicate, classifier and test row, and returns the number of lines. Classes have
// their codes and, in truth_class and label_class, their names. Cells with fewer classes
// than others have NA in the columns of the others.
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
	head := append([]string{"cell"}, slices.Delete(predictionHeader(most), 2, 3)...) // the manifest has the recipe
	out.Write(slices.Insert(head, 6, "truth_class", "label_class"))
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
				truth, label, scores, probabilities := line[4], line[5], line[6:6+classes], line[6+classes:]
				padding := slices.Repeat([]string{"NA"}, most-classes)
				out.Write(slices.Concat([]string{id}, line[:2], line[3:6],
					[]string{cell.className(truth), cell.className(label)}, scores, padding, probabilities, padding))
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

// className returns the name of a class with a code in decimal digits: the code itself if the data were
// generated, since they have no other names.
func (c *ManifestCell) className(code string) string {
	if k, err := strconv.Atoi(code); err == nil && k >= 0 && k < len(c.Classes) {
		return c.Classes[k]
	}
	return code
}
