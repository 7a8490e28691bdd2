package results

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// ExportPredictions writes the predictions of a folder's records as CSV. It returns the number of
// lines below the header. There is one line per cell, replicate, classifier and test row.
//
// The columns truth and label contain class codes. The columns truth_class and label_class contain
// class names. If a cell has fewer classes than another, the remaining columns contain NA.
func ExportPredictions(dir string, w io.Writer) (lines int, err error) {
	m, err := readManifest(dir)
	if err != nil {
		return 0, err
	}
	problems, _, err := CheckPredictions(dir)
	if err != nil {
		return 0, err
	}
	if len(problems) > 0 {
		return 0, errors.New(problems[0])
	}
	files, err := PredictionFiles(dir)
	if err != nil {
		return 0, err
	}
	trialFiles, err := partsByCell(dir) // files that have not been merged into the files of cells
	if err != nil {
		return 0, err
	}
	for _, ofCell := range trialFiles {
		files = append(files, ofCell...)
	}
	if len(files) == 0 {
		return 0, fmt.Errorf("%s contains no predictions: add `predictions: keep` to the study and run it again; "+
			"if the study already has this key, `copse status` lists the failed fits", dir)
	}
	classes, err := mostClasses(files)
	if err != nil {
		return 0, err
	}
	out := csv.NewWriter(w)
	out.Write(exportHeader(classes)) // a later call returns any error
	byID := func(a, b ManifestCell) int { return strings.Compare(a.ID, b.ID) }
	for _, cell := range slices.SortedFunc(slices.Values(m.Cells), byID) {
		file := cellFile(dir, cell.ID) // may not exist
		// nil does not limit the number of lines in a block
		err := mergeBlocks(file, trialFiles[cell.ID], nil, func(b block) error {
			if b.replicate > m.Replicates || recipeDigest(cell.Classifiers[b.classifier]) != b.recipe {
				return nil // the predictions belong to an earlier version of the study
			}
			lines += len(b.lines)
			return exportBlock(out, b, &cell, classes)
		})
		if err != nil {
			return lines, err
		}
	}
	out.Flush()
	return lines, out.Error()
}

// exportHeader returns the column names of an export. It omits the column recipe, because the
// manifest contains the recipes.
func exportHeader(classes int) []string {
	header := predictionHeader(classes)
	return slices.Concat([]string{"cell"}, header[:recipeColumn], header[recipeColumn+1:len(leadColumns)],
		[]string{"truth_class", "label_class"}, header[len(leadColumns):])
}

// mostClasses returns the largest number of classes in any prediction file.
func mostClasses(files []string) (maxClasses int, err error) {
	for _, file := range files {
		r, err := openBlocks(file)
		if err != nil {
			return 0, err
		}
		maxClasses = max(maxClasses, r.classes)
		r.close()
	}
	return maxClasses, nil
}

// exportBlock writes the predictions in a block of a cell. Columns of classes that the cell does
// not have contain noNumber. maxClasses is the number of classes in the header.
func exportBlock(out *csv.Writer, b block, cell *ManifestCell, maxClasses int) error {
	classes := b.classes()
	absent := slices.Repeat([]string{noNumber}, maxClasses-classes)
	for _, line := range b.lines {
		first := len(leadColumns) // index of the first score; the probabilities follow the scores
		scores, probabilities := line[first:first+classes], line[first+classes:]
		names := []string{cell.className(line[truthColumn]), cell.className(line[labelColumn])}
		fields := slices.Concat([]string{cell.ID}, line[:recipeColumn], line[recipeColumn+1:first], names,
			scores, absent, probabilities, absent)
		if err := out.Write(fields); err != nil {
			return err
		}
	}
	return nil
}

// className returns the name of the class with the given code, a decimal number. It returns the
// code if the class has no name, as in generated data.
func (c *ManifestCell) className(code string) string {
	k, err := strconv.Atoi(code)
	if err != nil || k < 0 || k >= len(c.Classes) {
		return code
	}
	return c.Classes[k]
}
