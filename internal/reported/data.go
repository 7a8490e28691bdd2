package reported

import (
	"fmt"
	"strings"

	"copse/experiments/data"
	"copse/experiments/results"
	"copse/experiments/study"
	"copse/report/view"
	"copse/stats"
)

// dataOf describes the training and test data of a study.
func dataOf(s *study.Study) (list []view.Setting) {
	for _, property := range []struct {
		name   string
		values func(*study.Data) []string // empty, or contains "", if the data do not have the property
	}{
		{"file", func(d *study.Data) []string { return []string{strings.Join(d.CSV, ", ")} }},
		{"official test set", func(d *study.Data) []string { return []string{d.OfficialTest()} }},
		{"training rows by class", func(d *study.Data) []string { return drawnRows(d, d.TrainCounts) }},
		{"test rows by class", func(d *study.Data) []string { return drawnRows(d, d.TestCounts) }},
		{"rows of a task by class", func(d *study.Data) []string { return drawnRows(d, d.SampleCounts) }},
		{"split", func(d *study.Data) []string { return []string{d.SplitInWords()} }},
		{"noise", (*study.Data).NoiseInWords},
	} {
		list = addSetting(list, property.name, valuesInWords(s.Cells, property.values))
	}
	return list
}

// valuesInWords lists the values of a property of the data. Values of only some cells come last, as
// in "depending on the cell: 30 + 30 (60); 50 + 50 (100)".
func valuesInWords(cells []*study.Cell, valuesOf func(*study.Data) []string) string {
	var values []string       // without duplicates
	count := map[string]int{} // number of cells with each value
	for _, c := range cells {
		for _, value := range valuesOf(c.Data) {
			values = view.AddNew(values, value)
			count[value]++
		}
	}
	var common, differing []string                  // values in all cells, and in only some
	for _, value := range view.Except(values, "") { // "" is not a value
		if count[value] == len(cells) {
			common = append(common, value)
		} else {
			differing = append(differing, value)
		}
	}
	if len(differing) > 0 {
		common = append(common, "depending on the cell: "+strings.Join(differing, "; "))
	}
	return strings.Join(common, "; ")
}

// drawnRows returns the numbers of rows by class and their sum, as in "30 + 30 (60)", or nil for data
// from files.
func drawnRows(d *study.Data, classes []int) []string {
	if d.FromFiles() || len(classes) == 0 {
		return nil
	}
	var counts []string
	for _, n := range classes {
		counts = append(counts, fmt.Sprint(n))
	}
	return []string{fmt.Sprintf("%s (%d)", strings.Join(counts, " + "), stats.Sum(classes))}
}

// setsOf returns the citation, licence and digest of each registered data set that the cells use.
func setsOf(cells []*study.Cell) (list []view.Setting) {
	for _, c := range cells {
		for _, name := range c.Data.Set {
			if set, ok := data.Lookup(name); ok {
				list = view.AddNew(list, view.Setting{Name: name,
					Value: fmt.Sprintf("%s. Licence: %s. SHA-256 %s", set.Citation(), set.Licence, set.Digest())})
			}
		}
	}
	return list
}

// problemName returns the source of a cell's data: the name of a data set or generator, or a
// program's command.
func problemName(d *study.Data) string {
	switch {
	case d.FromFiles():
		return d.Source()
	case d.Program != nil:
		return strings.Join(d.Program.Command, " ")
	}
	return d.GeneratorName()
}

// restrictionRemark returns a sentence for each data set that must not be distributed.
func restrictionRemark(d *study.Data) string {
	var sentences []string
	for _, name := range d.Set {
		if set, ok := data.Lookup(name); ok && set.Restricted != "" {
			sentences = append(sentences, fmt.Sprintf("%s is not distributed: %s. To reproduce the results on this "+
				"data set, you need the file with the SHA-256 %s.", name, set.Restricted, set.Digest()))
		}
	}
	return strings.Join(sentences, " ")
}

// rowsOf describes the rows of each data file, as in "rows of iris: 150 rows, 4 columns, classes:
// ...". facts returns the numbers of rows, columns and classes in the data file of a cell. rowsOf
// omits files whose number of rows is unknown.
func rowsOf(s *study.Study, facts func(*study.Cell) results.FileFacts) (list []view.Setting) {
	for _, c := range s.Cells {
		file, source, testFiles := facts(c), c.Data.Source(), c.Data.OfficialTest()
		if file.Counts == nil {
			continue
		}
		if testFiles != "" {
			source += " and " + testFiles
		}
		text := rowsInWords(&file, c.Data.Groups)
		if selection := c.Data.SelectionInWords(); selection != "" {
			text += "; read with " + selection
		}
		if folds := c.Data.Folds; folds > 0 {
			text += fmt.Sprintf("; %d folds, %s", folds, view.Plural(s.Replicates/folds, "repeat", "repeats"))
		}
		if file.Groups > 0 {
			text += "; folds inside a training set, such as those for tuning, contain whole groups"
		}
		if testFiles != "" {
			text += fmt.Sprintf("; the %d rows of %s are the test rows", file.TestRows, testFiles)
		}
		described := addSetting(nil, "rows of "+source, text)
		described = addSetting(described, "remarks on "+source, strings.Join(file.Remarks, "; ")) // if any
		list = view.AddNew(list, described...)
	}
	return list
}

// rowsInWords describes a data file, as in "140 of 150 rows, 4 columns, 2 missing values, classes:
// yes 33.3%, no 66.7%". If there are groups, it adds their number and their column, as in "140 of 150
// rows in 60 groups (patient)".
func rowsInWords(file *results.FileFacts, groupColumn string) string {
	rows := stats.Sum(file.Counts)
	var shares []string
	for k, class := range file.Classes {
		shares = append(shares, fmt.Sprintf("%s %.1f%%", class, 100*float64(file.Counts[k])/float64(rows)))
	}
	text := fmt.Sprint(rows)
	if file.LeftOut > 0 {
		text += fmt.Sprintf(" of %d", rows+file.LeftOut)
	}
	text += " rows"
	if file.Groups > 0 {
		text += fmt.Sprintf(" in %d groups (%s)", file.Groups, groupColumn)
	}
	text += ", " + view.Plural(file.Columns, "column", "columns")
	if file.Missing > 0 {
		text += ", " + view.Plural(file.Missing, "missing value", "missing values")
	}
	return text + ", classes: " + strings.Join(shares, ", ")
}
