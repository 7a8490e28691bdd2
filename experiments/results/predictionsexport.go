package results

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// ExportPredictions writes the predictions of a folder's records as CSV and returns the number of
// lines. There is one line per cell, replicate, classifier and test row. The columns truth and
// label contain class codes, and truth_class and label_class contain the names of the classes. If a
// cell has fewer classes than another cell, the columns of the missing classes contain NA.
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
	parts, err := partsByCell(dir)
	if err != nil {
		return 0, err
	}
	var cells []string
	for _, list := range parts {
		files = append(files, list...)
	}
	for _, file := range files {
		cells = append(cells, cellOf(file))
	}
	slices.Sort(cells)
	if len(files) == 0 {
		return 0, fmt.Errorf("%s contains no predictions: run the study with predictions: keep", dir)
	}
	classes, err := mostClasses(files)
	if err != nil {
		return 0, err
	}
	out := csv.NewWriter(w)
	if err := out.Write(exportHeader(classes)); err != nil {
		return 0, err
	}
	for _, id := range slices.Compact(cells) {
		if _, ok := m.Cell(id); !ok {
			continue // the cell belongs to an earlier version of the study
		}
		n, err := exportCell(out, m, dir, id, parts[id], classes)
		lines += n
		if err != nil {
			return lines, err
		}
	}
	out.Flush()
	return lines, out.Error()
}

// exportHeader returns the column names of an export with the given number of classes. It omits the column
// recipe, because the manifest contains the recipes.
func exportHeader(classes int) []string {
	header := predictionHeader(classes)
	return slices.Concat([]string{"cell"}, header[:recipeColumn], header[recipeColumn+1:len(leadColumns)],
		[]string{"truth_class", "label_class"}, header[len(leadColumns):])
}

// mostClasses returns the largest number of classes in any prediction file.
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

// exportCell writes the predictions of a cell, with the columns of exportHeader(most), and returns the number
// of lines. parts are the files of its trials. It omits predictions of recipes and replicates that the manifest
// does not list.
func exportCell(
	out *csv.Writer, m *Manifest, dir, id string, parts []string, most int,
) (lines int, err error) {
	cell, _ := m.Cell(id)
	err = mergeBlocks(cellFile(dir, id), parts, nil, func(b block) error {
		if spec, ok := cell.Classifiers[b.classifier]; !ok || recipeDigest(spec) != b.recipe ||
			b.replicate > m.Replicates {
			return nil // the predictions belong to an earlier version of the study
		}
		classes := b.classes()
		absent := slices.Repeat([]string{noNumber}, most-classes)
		for _, line := range b.lines {
			first := len(leadColumns) // index of the first score; the probabilities follow the scores
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

// className returns the name of the class with the given code, a decimal number. It returns the
// code if the class has no name, as in generated data.
func (c *ManifestCell) className(code string) string {
	k, err := strconv.Atoi(code)
	if err != nil || k < 0 || k >= len(c.Classes) {
		return code
	}
	return c.Classes[k]
}
