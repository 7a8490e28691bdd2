package results

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/dataset"
	"copse/stats/dataset/csvfile"
	"copse/stats/records"
)

// ExportPredictions writes the predictions of a folder's records as CSV. It returns the number of
// lines below the header.
//
// The columns data_file and file_row give the place of a test row in the data files; the header of
// a file is row 1. They contain NA if the data are generated or the files do not exist. Columns of
// classes that a cell does not have contain NA, too.
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
		return 0, errors.New(problems[0]) // `copse verify` lists all problems
	}
	trialFiles, err := partsByCell(dir) // not yet merged
	if err != nil {
		return 0, err
	}
	classes, err := mostClasses(dir, trialFiles)
	if err != nil {
		return 0, err
	}
	s, err := m.readStudy(dir)
	if err != nil {
		return 0, err
	}
	e := newPredictionExport(w, s, classes)
	e.out.Write(e.header()) // a later call returns any error
	byID := func(a, b ManifestCell) int { return strings.Compare(a.ID, b.ID) }
	for _, cell := range slices.SortedFunc(slices.Values(m.Cells), byID) {
		n, err := e.writeCell(dir, &cell, trialFiles[cell.ID], m.Replicates)
		lines += n
		if err != nil {
			return lines, err
		}
	}
	e.out.Flush()
	return lines, e.out.Error()
}

// writeCell writes the predictions of the records in a cell and returns the number of lines. It
// skips predictions of replicates above the given number and of other recipes, which belong to
// earlier versions of the study. trialFiles contains the files of the cell that are not yet merged.
func (e *predictionExport) writeCell(
	dir string, cell *ManifestCell, trialFiles []string, replicates int,
) (lines int, err error) {
	file := cellFile(dir, cell.ID) // may not exist
	err = mergeBlocks(file, trialFiles, allLines, func(b block) error {
		hasRecipe := b.recipe == recipeDigest(cell.Classifiers[b.classifier])
		if !hasRecipe || b.replicate > replicates {
			return nil
		}
		lines += len(b.lines)
		return e.write(b, cell)
	})
	return lines, err
}

// mostClasses returns the largest number of classes in any prediction file, or an error if there is
// no file. trialFiles contains the files of single trials by cell.
func mostClasses(dir string, trialFiles map[string][]string) (maxClasses int, err error) {
	files, err := PredictionFiles(dir)
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

// A predictionExport writes predictions as CSV.
type predictionExport struct {
	out     *csv.Writer
	factors []string
	seed    uint64
	cells   map[string]*study.Cell // by id
	classes int                    // largest number of classes in any cell

	// the arguments and the result of the last call of testPlaces, for reuse by the other
	// classifiers of a trial
	cell      string
	replicate int
	places    []csvfile.RowPlace
}

func newPredictionExport(w io.Writer, s *study.Study, classes int) *predictionExport {
	e := &predictionExport{out: csv.NewWriter(w), factors: records.FactorNames(s.Factors), seed: s.Seed,
		cells: map[string]*study.Cell{}, classes: classes}
	for _, c := range s.Cells {
		e.cells[c.ID] = c
	}
	return e
}

// header returns the column names. It omits the column recipe. A column with the name of a factor
// gets the prefix "predictions.".
func (e *predictionExport) header() []string {
	stored := predictionHeader(e.classes)
	header := slices.Concat([]string{"cell"}, e.factors)
	place, classNames := []string{"data_file", "file_row"}, []string{"truth_class", "label_class"}
	for _, name := range exportColumns(stored, place, classNames) {
		if slices.Contains(e.factors, name) {
			name = "predictions." + name
		}
		header = append(header, name)
	}
	return header
}

// exportColumns converts a stored header or line of predictions to the columns of the export. It
// omits the recipe, inserts the place of a test row before its true class, and inserts the names of
// both classes before the scores.
func exportColumns(stored, place, classNames []string) []string {
	return slices.Concat(stored[:recipeColumn], stored[recipeColumn+1:truthColumn], place,
		stored[truthColumn:len(leadColumns)], classNames, stored[len(leadColumns):])
}

// write writes a line for each test row in a block of a cell, with the columns in header. The line
// contains the predictions of the row and its place in the data files.
func (e *predictionExport) write(b block, cell *ManifestCell) error {
	lead := slices.Concat([]string{cell.ID}, cell.Levels.List(e.factors))
	endOfScores := len(leadColumns) + b.classes()
	absent := slices.Repeat([]string{noNumber}, e.classes-b.classes()) // for classes that only other cells have
	places, err := e.testPlaces(cell.ID, b.replicate)
	if err != nil {
		return err
	}
	for i, line := range b.lines {
		place := []string{noNumber, noNumber}
		if i < len(places) { // places is nil if the data are generated
			place = []string{places[i].File, strconv.Itoa(places[i].Row)}
		}
		names := []string{cell.className(line[truthColumn]), cell.className(line[labelColumn])}
		padded := slices.Concat(line[:endOfScores], absent, line[endOfScores:], absent) // probabilities follow scores
		fields := slices.Concat(lead, exportColumns(padded, place, names))
		if err := e.out.Write(fields); err != nil {
			return err
		}
	}
	return nil
}

// testPlaces returns the places of the test rows of a trial in the data files, or nil without
// files. It stores the places for the next call, which usually has the same arguments.
func (e *predictionExport) testPlaces(cell string, replicate int) ([]csvfile.RowPlace, error) {
	if cell == e.cell && replicate == e.replicate {
		return e.places, nil
	}
	e.cell, e.replicate, e.places = cell, replicate, nil
	c := e.cells[cell]
	if c == nil || c.Data.File == nil {
		return nil, nil
	}
	rows, err := trial.ScoredRows(c, e.seed, replicate)
	if err != nil {
		return nil, err
	}
	e.places = dataset.At(c.Data.File.Places, rows)
	return e.places, nil
}

// className returns the name of the class with the given code, or the code if the class has no
// name.
func (c *ManifestCell) className(code string) string {
	k, err := strconv.Atoi(code)
	if err != nil || k < 0 || k >= len(c.Classes) {
		return code
	}
	return c.Classes[k]
}
