// Package published reads the printed tables that a study repeats, and pairs their numbers with the
// results of the study.
package published

import (
	"fmt"
	"maps"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"copse/experiments/config"
	"copse/experiments/folder"
	"copse/experiments/study"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
	"copse/stats/regular"
	"copse/stats/verdicts"
)

// A Table describes a printed table, as given in the section "published" of a study file. It maps the
// columns of the table to the factors of the study.
type Table struct {
	// the CSV file with the table, such as results/published/jmlr2020-table1.csv
	File string `param:"file" required:"yes"`
	// name of the paper and table in captions; if empty, the file name
	Source string `param:"source"`
	// the columns of the table, mapped to factors of the study, such as `{n: n}`
	Columns map[string]string `param:"columns" required:"yes"`
	// columns to ignore
	Ignore []string `param:"ignore"`
	// the rows of the printed table with which to compare the study, by the values of columns, such as
	// `{data: iris}`
	Only map[string]string `param:"only"`
	// factors of the study that do not occur in the paper, such as the interpretation of an unclear passage
	ExtraFactors []string `param:"without"`
	// factor levels of the study that the table covers
	Where records.Condition `param:"where" node:"mapping of levels"`
	// ids of classifiers, mapped to other names in the table, such as `{slb-refit: slb}`
	As map[string]string `param:"as"`
	// the number of replicates behind each printed number. If the paper cross-validated several
	// drawn problems, count the folds of all problems
	Replicates int `param:"replicates" range:"[2,inf)" required:"yes"`
	// the largest rounding error of a printed number, such as 0.0005 for 15.0 %. By default, it is
	// half a unit in the last digit in the file. Give it if the file has more digits than the paper
	Rounding float64 `param:"rounding" range:"[0,1)"`

	path    string              // path of the file that was found
	printed *verdicts.Published // content of the file
}

// Test returns the options for comparing printed numbers with measured ones. The level alpha comes
// from the section "inference" of the study file.
func Test(s *study.Study) verdicts.AgreementOptions {
	o := verdicts.DefaultAgreementOptions()
	s.Section("inference").Key("alpha").Decode("key", &o.Alpha)
	return o
}

const classifierColumn = "classifier"

// Tables decodes the section "published" of a study and reads the tables. The error lists all
// mistakes.
func Tables(s *study.Study) ([]Table, error) {
	section := s.Section("published")
	var tables []Table
	section.Decode("key", &tables)
	if section.Failed() {
		return tables, section.Err()
	}
	for i := range tables {
		t := &tables[i]
		at := section.Item(i)
		t.path = locate(t.File, s.File)
		t.checkFactors(at, s.Factors)
		if t.readFile(at) {
			t.checkNames(at)
		}
	}
	return tables, section.Err()
}

// locate returns the path of a table's file, or its argument if it finds none. It first searches
// the results folder, if any, for a copy, and otherwise the working folder. Then it searches the
// folder of the study file and the folders above it.
func locate(file, study string) string {
	file = filepath.FromSlash(file)
	dir := filepath.Dir(study)
	mayBeInResults := filepath.Base(study) == folder.Study // a user's own file may also have this name
	if mayBeInResults {
		if copied := filepath.Join(dir, copyName(file)); folder.Exists(copied) {
			return copied
		}
	}
	isInResults := folder.ResultsOf(study) != ""
	// A report on stored results must not depend on the working folder.
	if !isInResults && folder.Exists(file) {
		return file
	}
	if root := above(dir, file); root != "" {
		return filepath.Join(root, file)
	}
	return file
}

// above returns dir or the nearest folder above it that contains a file with the given relative
// path, or "".
func above(dir, file string) string {
	dir, err := filepath.Abs(dir)
	if err != nil || filepath.IsAbs(file) {
		return ""
	}
	for ; !folder.Exists(filepath.Join(dir, file)); dir = filepath.Dir(dir) {
		if dir == filepath.Dir(dir) {
			return "" // dir is the root
		}
	}
	return dir
}

// copyName returns the path of the copy of a table inside a results folder. A digest of file
// distinguishes files of the same name in different folders.
func copyName(file string) string {
	digest := folder.DigestBytes([]byte(filepath.ToSlash(filepath.Clean(file))))
	return path.Join(folder.Tables, "published-"+digest[:8]+"-"+filepath.Base(file))
}

// FoundFrom returns the folder in which the table's relative path leads to its file: dir or the
// nearest folder above it. If there is none, it returns "", and a report in dir needs a copy of the
// table.
func (p *Table) FoundFrom(dir string) string {
	file := filepath.FromSlash(p.File)
	root := above(dir, file)
	path, _ := filepath.Abs(p.path)              // "" if there is an error
	isOther := path != filepath.Join(root, file) // another table with the same name
	if isOther || !filepath.IsLocal(file) || folder.Reserved(p.File) {
		return ""
	}
	return root
}

// Copies returns copies of the tables for a report in the results folder dir. It omits a table
// whose file is in dir or in a folder above it (see FoundFrom), because this file usually moves
// together with dir.
func Copies(tables []Table, dir string) ([]folder.Output, error) {
	var list []folder.Output
	for _, t := range tables {
		name := copyName(t.File)
		isCopied := slices.ContainsFunc(list, func(o folder.Output) bool { return o.Name == name })
		if isCopied || t.FoundFrom(dir) != "" {
			continue
		}
		text, err := regular.Read(t.path)
		if err != nil {
			return nil, err
		}
		list = append(list, folder.Output{Name: name, Render: folder.Literal(text)})
	}
	return list, nil
}

// checkFactors reports factors of the study that occur in none of the keys `columns`, `where` and
// `without`. It also reports repeated factors and unknown names.
func (p *Table) checkFactors(at config.Place, factors []records.Factor) {
	at.Key("where").CheckCondition(p.Where, factors)
	explained := slices.AppendSeq(slices.Clone(p.ExtraFactors), maps.Values(p.Columns))
	slices.Sort(explained)
	names := records.FactorNames(factors)
	for i, f := range explained {
		if i > 0 && explained[i-1] == f {
			at.Fail("the factor %q occurs more than once in `columns` and `without`", f)
		}
		at.CheckAmong("the study has no factor", f, names)
	}
	for _, f := range names {
		if _, fixed := p.Where[f]; !fixed && !slices.Contains(explained, f) {
			at.Fail("the table has no column for the factor %q; map a column under `columns`, or list the factor "+
				"under `without`", f)
		}
	}
}

// readFile reads the printed table, and checks that p.Rounding is plausible for its unit. It
// returns false if the table cannot be read.
func (p *Table) readFile(at config.Place) bool {
	file := at.Key("file")
	if !folder.Exists(p.path) {
		file.Fail("%s does not exist in the working folder, in the study's folder or in any folder above the study's; "+
			"give its full path", p.File)
		return false
	}
	var err error
	if p.printed, err = verdicts.ReadPublished(p.path, p.Ignore); err != nil {
		file.Fail("%s", err)
		return false
	}
	p.checkRounding(at.Key("rounding"))
	return true
}

// checkRounding reports a rounding error that is larger than half a unit of the coarsest printed
// numbers: shares with one digit, such as 0.8, or whole percentages.
func (p *Table) checkRounding(at config.Place) {
	coarsest := 0.1 / 2
	if p.printed.Percent {
		coarsest = 0.01 / 2 // as a share
	}
	if p.Rounding > coarsest {
		at.Fail("%v means %.4g percentage points; write a share, such as 0.005 for half a percentage point",
			p.Rounding, 100*p.Rounding)
	}
}

// checkNames compares the names in the printed table with the names in the study file: p.Columns,
// p.Only, p.Ignore and p.As. The study file must describe each column, and the table must contain
// the columns and classifiers that the study file names. At least one row must be compared.
func (p *Table) checkNames(at config.Place) {
	columns := p.printed.Columns // those that identify a row, such as factor levels
	if !slices.Contains(columns, classifierColumn) {
		at.Key("file").Fail("%s needs a column %q of classifier IDs", p.File, classifierColumn)
	}
	isUnexplained := func(column string) bool {
		_, mapped := p.Columns[column]
		_, fixed := p.Only[column]
		return !mapped && !fixed && column != classifierColumn
	}
	if i := slices.IndexFunc(columns, isUnexplained); i >= 0 {
		at.Key("file").Fail("%s: the column %q is not mapped to a factor; map it under `columns`, fix its value under "+
			"`only`, or list it under `ignore`", p.File, columns[i])
	}
	allColumns := p.printed.Header
	checkAmong(at.Key("ignore"), "column", p.Ignore, allColumns)
	checkAmong(at.Key("columns"), "column", slices.Sorted(maps.Keys(p.Columns)), columns)
	checkAmong(at.Key("only"), "column", slices.Sorted(maps.Keys(p.Only)), columns)
	hasRows := slices.ContainsFunc(p.printed.Rows, p.isCompared)
	switch {
	case hasRows: // these rows must contain the names to which p.As maps classifiers
		checkAmong(at.Key("as"), classifierColumn, slices.Sorted(maps.Values(p.As)), p.entries(classifierColumn))
	case at.Failed(): // an earlier error may be the reason that no row matches
	case len(p.Only) > 0:
		at.Key("only").Fail("no row of %s with these values contains numbers", p.File)
	default:
		at.Key("file").Fail("no row of %s contains numbers", p.File)
	}
}

// checkAmong reports names in the study file that are not among the known names of the table. In
// messages, noun precedes a name, such as "column".
func checkAmong(at config.Place, noun string, names, known []string) {
	for _, name := range names {
		at.CheckAmong("the file has no "+noun, name, known)
	}
}

// entries returns the distinct entries of a column in the compared rows of the table. It returns nil
// if the table has no such column.
func (p *Table) entries(column string) (list []string) {
	j := slices.Index(p.printed.Columns, column)
	for _, row := range p.printed.Rows {
		if j >= 0 && p.isCompared(row) && !slices.Contains(list, row.Key[j]) {
			list = append(list, row.Key[j])
		}
	}
	return list
}

// Remarks lists classifiers and factor levels of the table that the study lacks, and renamed
// classifiers (key "as") that the study does not run.
func (p *Table) Remarks(s *study.Study) (remarks []string) {
	ids := s.ClassifierIDs()
	remarks = unknownRemark(`the key "as" lists the classifiers`, slices.Sorted(maps.Keys(p.As)), ids)
	renamed := slices.Collect(maps.Values(p.As)) // names in the table that differ from the ids
	isRenamed := func(name string) bool { return slices.Contains(renamed, name) }
	sameNames := slices.DeleteFunc(p.entries(classifierColumn), isRenamed) // names that should be ids in the study
	remarks = append(remarks, unknownRemark(p.File+" lists the classifiers", sameNames, ids)...)
	for _, column := range slices.Sorted(maps.Keys(p.Columns)) {
		// The index is not -1, because checkFactors has reported unknown factors.
		i := slices.IndexFunc(s.Factors, func(f records.Factor) bool { return f.Name == p.Columns[column] })
		remarks = append(remarks, unknownRemark(p.File+" has "+column+" =", p.entries(column), s.Factors[i].Levels)...)
	}
	return remarks
}

// unknownRemark returns a remark on the names that are not in known, or nil. start is the text
// before the names.
func unknownRemark(start string, names, known []string) []string {
	isKnown := func(name string) bool { return slices.Contains(known, name) }
	unknown := slices.DeleteFunc(names, isKnown)
	if len(unknown) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("published: %s %s, but the study has only %s", start, strings.Join(unknown, ", "),
		strings.Join(known, ", "))}
}

// Metric returns the metric of the numbers in the table: the balanced error or the error rate.
// Printed accuracies have been converted to error rates.
func (p *Table) Metric() *metrics.Metric {
	if p.printed.Quantity == "ber" {
		return metrics.BalancedError
	}
	return metrics.ErrorRate
}

func (p *Table) IsAccuracy() bool { return p.printed.Quantity == "accuracy" }

// Counterparts pairs the printed numbers with results. It also returns the rows of the table that
// should be compared with the study, but for which it has no result.
//
// The argument stored contains the results by cell, and treated contains the same cells after the
// treatment of failed fits, such as their removal. For the ID of a cell, resampling returns the ratio
// of test rows to training rows, or 0 unless a data set is resampled, and the number of folds per
// repeat, or 0.
func (p *Table) Counterparts(
	stored, treated []records.Cell, resampling func(cell string) (testRatio float64, folds int),
) (list []verdicts.Counterpart, missing []string) {
	metric := p.Metric()
	paired := make([]bool, len(p.printed.Rows)) // with a result in any cell
	for k, cell := range stored {
		pairedInCell := make([]bool, len(p.printed.Rows)) // with an earlier classifier of this cell
		for _, id := range cell.Classifiers {
			i := p.find(cell.Levels, id)
			if i < 0 {
				continue // the table has no number for this cell and classifier
			}
			values, failed := cell.Values(metric, id)
			fits := len(values) + failed
			if fits == 0 {
				continue // the study has no result for this number
			}
			testRatio, folds := resampling(cell.ID)
			row := &p.printed.Rows[i]
			for _, c := range p.counterpartsOf(row, &treated[k], metric, id, fits, testRatio, folds) {
				c.Variant = pairedInCell[i] // the row also belongs to an earlier classifier
				list = append(list, c)
			}
			paired[i], pairedInCell[i] = true, true
		}
	}
	for i, row := range p.printed.Rows {
		if !paired[i] && p.isCompared(row) {
			missing = append(missing, fmt.Sprintf("%s:%d %v", p.File, row.Line, row.Key))
		}
	}
	return list, missing
}

// counterpartsOf pairs each statistic in a printed row, such as the mean, with the same statistic
// of the results of classifier id in the cell.
//
// The argument fits is the number of fits of the classifier, including failed ones. If a data set
// is resampled, testRatio is the ratio of test rows to training rows, and otherwise 0. The argument
// folds is the number of folds per repeat, or 0.
func (p *Table) counterpartsOf(row *verdicts.PublishedRow, cell *records.Cell, metric *metrics.Metric, id string,
	fits int, testRatio float64, folds int,
) []verdicts.Counterpart {
	values, _ := cell.Values(metric, id)
	ours := stats.Summarize(values)
	ours.Failed = fits - len(values) // failed fits have no value
	var repeats verdicts.Repeats     // a summary of the repeats of a cross-validation, if any
	switch {
	case testRatio > 0 && ours.Failed == 0: // each value is from one fold of the data set
		repeats = verdicts.NewRepeats(values, folds)
	case testRatio == 0 && folds > 1: // each value is already the mean over the folds of a drawn problem
		repeats = verdicts.Repeats{Summary: ours, Folds: folds}
	}
	list := row.Counterparts(values)
	for i := range list {
		c := &list[i]
		c.Cell = cell.ID
		c.Classifier = id
		c.Metric = metric
		c.Levels = cell.Levels
		c.Ours = ours
		c.Share = testRatio // test rows per training row
		c.Repeats = repeats
		c.Published.N = p.Replicates
		c.Published.Rounding = max(p.Rounding, c.Published.Rounding)
	}
	return list
}

func (p *Table) Mean(levels records.Levels, id string) (mean verdicts.Reported, ok bool) {
	i := p.find(levels, id)
	if i < 0 || math.IsNaN(p.printed.Rows[i].Mean) {
		return mean, false
	}
	row := &p.printed.Rows[i]
	return verdicts.Reported{Mean: row.Mean, SD: row.SD, N: p.Replicates, Rounding: max(p.Rounding, row.Rounding)}, true
}

// find returns the index of the printed row for a classifier in the cell with the given factor
// levels, or -1. p.Columns maps columns of the table to factors. p.Only maps a column to the only
// entry that is compared with the study.
func (p *Table) find(levels records.Levels, id string) int {
	if printedID, ok := p.As[id]; ok { // the classifier has another name in the table
		id = printedID
	}
	if !p.Where.Holds(levels) {
		return -1
	}
	// The key of a row contains its value in each column, such as a factor level.
	wanted := make([]string, len(p.printed.Columns))
	for j, column := range p.printed.Columns {
		only, fixed := p.Only[column]
		switch {
		case column == classifierColumn:
			wanted[j] = id
		case fixed:
			wanted[j] = only
		default:
			wanted[j] = levels.Of(p.Columns[column])
		}
	}
	isWanted := func(row verdicts.PublishedRow) bool { return slices.Equal(row.Key, wanted) }
	return slices.IndexFunc(p.printed.Rows, isWanted)
}

// isCompared reports whether a printed row should be compared with the study. In such a row, each
// column listed in p.Only has the value given there.
func (p *Table) isCompared(row verdicts.PublishedRow) bool {
	for j, column := range p.printed.Columns {
		if only, fixed := p.Only[column]; fixed && row.Key[j] != only {
			return false
		}
	}
	return true
}
