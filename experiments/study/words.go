package study

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"copse/experiments/config"
	"copse/experiments/data"
)

// AsRead describes how copse interpreted the user's CSV files. limit is the largest number of
// columns of each kind that it lists. AsRead returns nil for generators and data sets.
func (d *Data) AsRead(limit int) []string {
	if d.File == nil || d.CSV == nil {
		return nil
	}
	return d.File.Describe(d.Source(), d.OfficialTest(), d.Folds, limit)
}

// OfficialTest returns the names of the files or data sets of the official test set, or "".
func (d *Data) OfficialTest() string {
	return strings.Join(slices.Concat(d.Test.CSV, d.Test.Set), ", ")
}

// Remarks describes possible errors in the user's CSV files, and problems with splits of groups. It
// returns nil for generators.
func (d *Data) Remarks() (lines []string) {
	if d.File == nil {
		return nil
	}
	if d.CSV != nil {
		lines = d.File.Remarks(d.Folds, data.MaxListed)
	}
	return append(lines, d.SplitRemarks()...)
}

// DataRemarks returns the remarks on the data files of all cells. Each begins with the names of its
// files. The list includes PredictionRemarks.
func (s *Study) DataRemarks() (lines []string) {
	for _, c := range s.Cells {
		source := c.Data.Source()
		for _, line := range c.Data.Remarks() {
			if !strings.HasPrefix(line, source) { // remarks on separators already name the file
				line = source + ": " + line
			}
			if !slices.Contains(lines, line) {
				lines = append(lines, line)
			}
		}
	}
	return append(lines, s.PredictionRemarks()...)
}

// PredictionRemarks returns a remark on each file that prevents `copse pack`: the study keeps its
// predictions, but its rows must not be distributed.
func (s *Study) PredictionRemarks() (lines []string) {
	if !s.Predictions {
		return nil
	}
	sums := map[string]string{} // SHA-256 by path or name of the data set
	for _, c := range s.Cells {
		maps.Copy(sums, c.Data.sums)
	}
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		if why := data.WhyRestricted(name, sums[name]); why != "" {
			lines = append(lines, fmt.Sprintf("%s: `copse pack` will reject the results, because `predictions: keep` "+
				"stores the classes of test rows, and %s", name, why))
		}
	}
	return lines
}

// SplitInWords describes the split into training and test sets, such as "5 folds, not stratified".
// It returns "" if a generator draws both sets.
func (d *Data) SplitInWords() string {
	words := ""
	switch {
	case d.File != nil && d.File.Folds != nil:
		words = fmt.Sprintf("%d given folds (%s)", d.Folds, strings.Join(d.File.FoldColumns, ", "))
	case d.Folds > 0:
		words = fmt.Sprintf("%d folds", d.Folds)
	case d.Holdout > 0:
		words = fmt.Sprintf("holdout of %v", d.Holdout)
	case d.FromFiles():
		words = "official test set"
	default:
		return ""
	}
	hasFoldsOrHoldout := d.Folds > 0 || d.Holdout > 0
	switch {
	case d.Groups != "":
		words += " of whole groups (" + d.Groups + ")"
	case d.Random && hasFoldsOrHoldout: // Random is false if the folds are given
		words += ", not stratified"
	}
	if d.Subsample > 0 {
		words += fmt.Sprintf(", of %d rows drawn first", d.Subsample)
	}
	if d.FromFiles() && d.Train.N > 0 {
		words += fmt.Sprintf(", trained on %d of the training rows", d.Train.N)
	}
	if d.scoresTraining() {
		words += ", scored on the training rows"
	}
	return words
}

// SelectionInWords lists the keys that select or change rows and columns of the files, as in "drop:
// [id], rows: [age >= 18]", or returns "".
func (d *Data) SelectionInWords() string {
	var words []string
	for _, key := range config.KeysOf(&d.Files) {
		isSource := key.Choice != "" // csv or set
		if key.Default != "" && !key.Zero && !isSource {
			words = append(words, key.Name+": "+key.Default)
		}
	}
	for _, class := range slices.Sorted(maps.Keys(d.Merge)) {
		words = append(words, fmt.Sprintf("merge: {%s: [%s]}", class, strings.Join(d.Merge[class], ", ")))
	}
	return strings.Join(words, ", ")
}

// NoiseInWords returns a clause for each kind of noise: irrelevant attributes, removed values and
// changed labels.
func (d *Data) NoiseInWords() (clauses []string) {
	add := func(format string, args ...any) { clauses = append(clauses, fmt.Sprintf(format, args...)) }
	if d.Irrelevant > 0 {
		add("%d of the attributes are standard normal in every class, independent of all others", d.Irrelevant)
	}
	m := d.Missing
	switch {
	case m.PerRow > 0:
		add("each %s row loses %v of its values", m.parts(), m.PerRow)
	case m.MCAR > 0:
		add("each %s value is missing with probability %v", m.parts(), m.MCAR)
	case m.MAR > 0:
		add("each %s value is missing with mean probability %v; the probability is higher if %s is large",
			m.parts(), m.MAR, m.On)
	}
	if d.Flip > 0 {
		add("each training label is replaced by another class with probability %v", d.Flip)
	}
	return clauses
}
