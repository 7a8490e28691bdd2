package results

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// ExportPredictions writes the predictions of a folder's records as CSV, one line per cell, replicate,
// classifier and test row, and returns the number of lines. Classes have their codes and, in
// truth_class and label_class, their names. Cells with fewer classes than others have NA in the columns
// of the further classes.
func ExportPredictions(dir string, w io.Writer) (lines int, err error) {
	m, err := readManifest(dir)
	if err != nil {
		return 0, err
	}
	if err := m.checkList(dir); err != nil {
		return 0, fmt.Errorf("%s: %w; restore them", dir, err)
	}
	files, err := PredictionFiles(dir)
	if err != nil {
		return 0, err
	}
	if len(files) == 0 {
		return 0, fmt.Errorf("%s: no predictions are kept; a study keeps them with predictions: keep: %w", dir,
			os.ErrNotExist)
	}
	most, err := mostClasses(files)
	if err != nil {
		return 0, err
	}
	out := csv.NewWriter(w)
	header := predictionHeader(most)
	header = slices.Delete(header, recipeColumn, recipeColumn+1) // the manifest has the recipes
	scores := len(leadColumns) - 1                               // where the scores begin without the recipe
	header = slices.Concat([]string{"cell"}, header[:scores], []string{"truth_class", "label_class"}, header[scores:])
	if err := out.Write(header); err != nil {
		return 0, err
	}
	for _, file := range files {
		id := strings.TrimSuffix(filepath.Base(file), predictionSuffix)
		cell, ok := m.Cell(id)
		if !ok {
			continue // of an earlier design
		}
		if _, err := checkedPredictions(dir, id); err != nil {
			return lines, err
		}
		n, err := exportCell(out, file, &cell, most)
		lines += n
		if err != nil {
			return lines, err
		}
	}
	out.Flush()
	return lines, out.Error()
}

// mostClasses returns the largest number of classes in files of predictions.
func mostClasses(files []string) (most int, err error) {
	for _, file := range files {
		r, err := openBlocks(file)
		if err != nil {
			return 0, err
		}
		most = max(most, r.classes)
		r.close()
	}
	return most, nil
}

// exportCell writes the predictions of a cell whose recipes are in the manifest, with columns for most
// classes.
func exportCell(out *csv.Writer, file string, cell *ManifestCell, most int) (lines int, err error) {
	err = readBlocks(file, func(b block) error {
		if spec, ok := cell.Classifiers[b.classifier]; !ok || recipeDigest(spec) != b.recipe {
			return nil // of an earlier recipe
		}
		classes := b.classes()
		absent := slices.Repeat([]string{noNumber}, most-classes)
		for _, line := range b.lines {
			first := len(leadColumns) // of the scores, which the probabilities follow
			scores, probabilities := line[first:first+classes], line[first+classes:]
			names := []string{cell.className(line[truthColumn]), cell.className(line[labelColumn])}
			fields := slices.Concat([]string{cell.ID}, line[:recipeColumn], line[recipeColumn+1:first], names,
				scores, absent, probabilities, absent)
			if err := out.Write(fields); err != nil {
				return err
			}
			lines++
		}
		return nil
	})
	return lines, err
}

// className returns the name of a class with a code in decimal digits. Classes of generated data have
// no name but the code.
func (c *ManifestCell) className(code string) string {
	k, err := strconv.Atoi(code)
	if err != nil || k < 0 || k >= len(c.Classes) {
		return code
	}
	return c.Classes[k]
}
