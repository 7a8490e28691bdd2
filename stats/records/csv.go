package records

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"copse/stats/metrics"
)

// records.csv holds one record per row under the header
//
//	study,cell,<factors...>,replicate,classifier,status,n_test,errors,error,ber,data,message
//	[,repeat,fold][,confusion][,tuned][,<metrics...>]
//
// Columns in brackets are present if any row has a value for them. repeat and fold start from 1.
// confusion contains the counts of the confusion matrix, one true class after the other.
//
// A missing number is NA. The level of a missing factor is empty. Numbers have the fewest digits
// that read back as the same float64. The rows of a cell are consecutive. Fields except messages
// must not contain carriage returns, which CSV readers change.
var (
	leadColumns = []string{"study", "cell"}
	tailColumns = []string{"replicate", "classifier", "status", "n_test", "errors", "error", "ber", "data", "message"}
)

const (
	NotAvailable    = "NA"
	repeatColumn    = "repeat"
	foldColumn      = "fold"
	confusionColumn = "confusion"
	tunedColumn     = "tuned"
)

// Indices of leadColumns.
const (
	atStudy = iota
	atCell
)

// Indices of tailColumns.
const (
	atReplicate = iota
	atClassifier
	atStatus
	atNTest
	atErrors
	atError
	atBER
	atData
	atMessage
)

// ReservedColumns returns the column names that factors must not use.
func ReservedColumns() []string {
	return slices.Concat(leadColumns, tailColumns,
		[]string{repeatColumn, foldColumn, confusionColumn, tunedColumn})
}

// Columns describes the columns of records.csv that depend on the study.
type Columns struct {
	Factors   []string // names of the factors
	Folds     bool     // whether there are the columns repeat and fold
	Confusion bool     // whether there is a column of confusion matrices
	Tuned     bool     // whether there is a column of tuning results
	Metrics   []string // names of the metrics
}

// header returns the names of all columns, or an error if a name is invalid or occurs twice.
func (c *Columns) header() ([]string, error) {
	if err := checkFactorNames(c.Factors); err != nil {
		return nil, err
	}
	head := slices.Concat(leadColumns, c.Factors, tailColumns)
	if c.Folds {
		head = append(head, repeatColumn, foldColumn)
	}
	if c.Confusion {
		head = append(head, confusionColumn)
	}
	if c.Tuned {
		head = append(head, tunedColumn)
	}
	for _, name := range c.Metrics {
		if _, err := metrics.Lookup(name); err != nil {
			return nil, err
		}
		if slices.Contains(head, name) {
			return nil, fmt.Errorf("a factor has the same name as the metric %q; rename the factor", name)
		}
		head = append(head, name)
	}
	return head, nil
}

// parseHeader returns the columns that the header of records.csv describes.
func parseHeader(header []string) (c Columns, err error) {
	lead, tail := len(leadColumns), len(tailColumns)
	at := slices.Index(header, tailColumns[0]) // the first column after the factors
	hasRequired := at >= lead && len(header) >= at+tail &&
		slices.Equal(header[:lead], leadColumns) && slices.Equal(header[at:at+tail], tailColumns)
	if !hasRequired {
		return c, fmt.Errorf("the header is %q; it must be %s,<factors...>,%s[,%s,%s][,%s][,%s][,<metrics...>]",
			strings.Join(header, ","), strings.Join(leadColumns, ","), strings.Join(tailColumns, ","),
			repeatColumn, foldColumn, confusionColumn, tunedColumn)
	}
	c.Factors = copied(header[lead:at])
	rest := header[at+tail:]
	if len(rest) > 1 && rest[0] == repeatColumn && rest[1] == foldColumn {
		c.Folds, rest = true, rest[2:]
	}
	if len(rest) > 0 && rest[0] == confusionColumn {
		c.Confusion, rest = true, rest[1:]
	}
	if len(rest) > 0 && rest[0] == tunedColumn {
		c.Tuned, rest = true, rest[1:]
	}
	c.Metrics = copied(rest)
	_, err = c.header() // checks the names
	return c, err
}

// copied returns copies of the fields, because the CSV reader reuses their memory.
func copied(fields []string) (list []string) {
	for _, f := range fields {
		list = append(list, strings.Clone(f))
	}
	return list
}

// checkFactorNames returns an error if a factor's name is empty, reserved, or occurs twice.
func checkFactorNames(names []string) error {
	reserved := ReservedColumns()
	for i, name := range names {
		switch {
		case name == "" || strings.Contains(name, "\r"):
			return fmt.Errorf("factor %d has the name %q, which is not allowed; use a name without line breaks", i+1,
				name)
		case slices.Contains(reserved, name):
			return fmt.Errorf("factor %q has the same name as a column of records.csv (%s); rename the factor", name,
				strings.Join(reserved, ", "))
		case slices.Contains(names[:i], name):
			return fmt.Errorf("factor %q occurs twice", name)
		}
	}
	return nil
}

type fieldError struct{ Column, Problem string }

// mistake returns a fieldError. It formats the problem as fmt.Sprintf does.
func mistake(column, format string, args ...any) *fieldError {
	return &fieldError{column, fmt.Sprintf(format, args...)}
}

// checkRecord returns the first mistake in a record, or nil.
func checkRecord(r *Record, columns *Columns) *fieldError {
	if problem := cmp.Or(checkName("cell", r.Cell), checkName("classifier", r.Classifier)); problem != nil {
		return problem
	}
	for factor, level := range r.Levels.all() {
		if !slices.Contains(columns.Factors, factor) {
			return mistake("cell", "the cell has a level of %q, which is not a factor", factor)
		}
		if strings.Contains(level, "\r") {
			return mistake(factor, "%q contains a carriage return", level)
		}
	}
	if r.Replicate < 1 {
		return mistake("replicate", "%d is not the number of a replicate; replicates are numbered from 1", r.Replicate)
	}
	onlyOneMissing := (r.Repeat == 0) != (r.Fold == 0) // 0 is a missing number
	if r.Repeat < 0 || r.Fold < 0 || onlyOneMissing {
		return mistake(foldColumn, "fold %d of repeat %d; both must be at least 1, or both %s",
			r.Fold, r.Repeat, NotAvailable)
	}
	switch r.Status {
	case OK:
		return checkResult(r)
	case Failed:
		return checkFailure(r)
	}
	return mistake("status", "the status is %q; it must be %q or %q", r.Status, OK, Failed)
}

// checkName returns an error if the name in a column is empty or contains a carriage return.
func checkName(column, name string) *fieldError {
	if name == "" {
		return &fieldError{column, "the field is empty"}
	}
	if strings.Contains(name, "\r") {
		return mistake(column, "%q contains a carriage return", name)
	}
	return nil
}

// rateTolerance is the largest allowed difference between "error" and "errors"/"n_test", because
// other programs may write fewer digits.
const rateTolerance = 1e-9

// checkResult returns the first mistake in the record of a successful fit, or nil.
func checkResult(r *Record) *fieldError {
	switch {
	case r.NTest < 1:
		return mistake("n_test", "%d test rows; a result with the status `ok` needs at least 1", r.NTest)
	case r.Errors < 0 || r.Errors > r.NTest:
		return mistake("errors", "%d errors in %d test rows are impossible", r.Errors, r.NTest)
	case !(math.Abs(r.Error-float64(r.Errors)/float64(r.NTest)) <= rateTolerance): // also if Error is NaN
		return mistake("error", "%v is not `errors`/`n_test` = %d/%d", r.Error, r.Errors, r.NTest)
	case r.BER < 0 || r.BER > 1: // NaN is valid: a class may have no test rows
		return mistake("ber", "%v is outside [0,1]", r.BER)
	case strings.Contains(r.Data, "\r") || r.Data == "": // CSV readers change carriage returns
		return mistake("data", "%q is not a data fingerprint; without a fingerprint, results cannot be paired", r.Data)
	case r.Confusion != nil:
		return checkConfusion(r)
	}
	return nil
}

// checkConfusion checks that the confusion matrix is square and agrees with n_test and errors.
func checkConfusion(r *Record) *fieldError {
	c := r.Confusion
	n := c.Classes()
	negative := slices.ContainsFunc(c, func(v int) bool { return v < 0 })
	if n < 2 || n*n != len(c) || negative || c.Rows() != r.NTest || c.Errors() != r.Errors {
		return mistake(confusionColumn, "%v is not the confusion matrix of %d test rows with %d errors", []int(c),
			r.NTest, r.Errors)
	}
	return nil
}

// checkFailure returns the first mistake in the record of a failed fit, or nil. r.Data may be "".
func checkFailure(r *Record) *fieldError {
	const notMissing = "a failed fit has no result; the field must be NA"
	switch {
	case r.NTest < 0:
		return mistake("n_test", "the number of test rows is %d; it must not be negative", r.NTest)
	case strings.Contains(r.Data, "\r"): // CSV readers change carriage returns
		return mistake("data", "%q contains a carriage return", r.Data)
	case r.Errors != 0:
		return &fieldError{"errors", notMissing}
	case !math.IsNaN(r.Error):
		return &fieldError{"error", notMissing}
	case !math.IsNaN(r.BER):
		return &fieldError{"ber", notMissing}
	case r.Confusion != nil:
		return &fieldError{confusionColumn, notMissing}
	}
	return nil
}

// A recordSequence checks the order of records without keeping them in memory.
type recordSequence struct {
	cell   string             // current cell; "" before the first record
	levels Levels             // levels of the current cell
	keys   map[recordKey]bool // records of the current cell so far
	closed map[string]bool    // cells before the current one
}

// A recordKey identifies a record in its cell.
type recordKey struct {
	replicate  int
	classifier string
}

// next checks the next record. The records of a cell must be consecutive and have the same levels,
// but different replicates or classifiers.
func (s *recordSequence) next(r *Record) *fieldError {
	if r.Cell != s.cell { // the first record of another cell
		if s.closed[r.Cell] { // rows of other cells follow the earlier rows of this cell
			return mistake("cell", "cell %s has rows before and after cell %s; the rows of a cell "+
				"must be consecutive", r.Cell, s.cell)
		}
		if s.closed == nil {
			s.closed = map[string]bool{}
		}
		s.closed[s.cell] = true
		s.cell, s.levels, s.keys = r.Cell, r.Levels, map[recordKey]bool{}
	}
	if s.levels != r.Levels {
		return mistake("cell", "cell %s has the levels %s in this row, but %s in earlier rows",
			r.Cell, r.Levels, s.levels)
	}
	key := recordKey{r.Replicate, r.Classifier}
	if s.keys[key] {
		return mistake("replicate", "replicate %d of %s occurs twice in cell %s", r.Replicate, r.Classifier, r.Cell)
	}
	s.keys[key] = true
	return nil
}
