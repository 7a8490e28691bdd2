package records

import (
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
// A column in brackets is present if any row has a value for it: the repeat and the fold of a
// cross-validation, both counted from 1; the C x C counts of the confusion
// matrix, row by row (true class by predicted class) and separated by spaces; the outcome of
// tuning (Tuned); the requested metrics, by name.
//
// Floats have the fewest digits that read back to the same bits. Missing numbers are NA, the level
// of an absent nested factor is empty. The rows of a cell are consecutive; a replicate and
// classifier occur once in a cell. Writer and reader check every row by the same rules.
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

// ReservedColumns returns the names of columns that no factor may have.
func ReservedColumns() []string {
	return slices.Concat(leadColumns, tailColumns,
		[]string{repeatColumn, foldColumn, confusionColumn, tunedColumn})
}

// Columns lists the columns of records.csv that depend on the study.
type Columns struct {
	Factors   []string
	Folds     bool // the columns repeat and fold
	Confusion bool
	Tuned     bool
	Metrics   []string
}

// header returns the names of all columns, or an error if they clash.
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
			return nil, fmt.Errorf("the metric %q has the name of another column; rename the factor", name)
		}
		head = append(head, name)
	}
	return head, nil
}

// parseHeader returns the columns of a header.
func parseHeader(header []string) (c Columns, err error) {
	lead, tail := len(leadColumns), len(tailColumns)
	at := slices.Index(header, tailColumns[0]) // after the factors
	if at < lead || len(header) < at+tail ||
		!slices.Equal(header[:lead], leadColumns) || !slices.Equal(header[at:at+tail], tailColumns) {
		return c, fmt.Errorf("the header is %q, expected %s,<factors...>,%s[,%s,%s][,%s][,%s][,<metrics...>]",
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
	_, err = c.header()
	return c, err
}

// copied returns copies of fields whose memory the CSV reader reuses; nil without fields.
func copied(fields []string) (list []string) {
	for _, f := range fields {
		list = append(list, strings.Clone(f))
	}
	return list
}

// checkFactorNames returns an error if the names cannot be names of columns.
func checkFactorNames(names []string) error {
	reserved := ReservedColumns()
	for i, name := range names {
		switch {
		case name == "" || strings.Contains(name, "\r"):
			return fmt.Errorf("factor %d has the illegal name %q", i+1, name)
		case slices.Contains(reserved, name):
			return fmt.Errorf("factor %q has the name of a column of records.csv (%s)", name,
				strings.Join(reserved, ", "))
		case slices.Contains(names[:i], name):
			return fmt.Errorf("factor %q occurs twice", name)
		}
	}
	return nil
}

// A fieldError is a mistake in one column of a row.
type fieldError struct{ Column, Problem string }

// checkRecord returns the first mistake in a record; nil without any.
func checkRecord(r *Record, columns *Columns) *fieldError {
	if problem := checkName("cell", r.Cell); problem != nil {
		return problem
	}
	if problem := checkName("classifier", r.Classifier); problem != nil {
		return problem
	}
	for factor, level := range r.Levels.all() {
		if !slices.Contains(columns.Factors, factor) {
			return &fieldError{"cell", fmt.Sprintf("has a level of %q, which is no factor", factor)}
		}
		if strings.Contains(level, "\r") {
			return &fieldError{factor, fmt.Sprintf("carriage return in %q", level)}
		}
	}
	if r.Replicate < 1 {
		return &fieldError{"replicate", fmt.Sprintf("%d, must be 1 or more", r.Replicate)}
	}
	if r.Repeat < 0 || r.Fold < 0 || (r.Repeat == 0) != (r.Fold == 0) {
		return &fieldError{foldColumn, fmt.Sprintf("fold %d of repeat %d; both are 1 or more, or both are %s",
			r.Fold, r.Repeat, NotAvailable)}
	}
	switch r.Status {
	case OK:
		return checkResult(r)
	case Failed:
		return checkFailure(r)
	}
	return &fieldError{"status", fmt.Sprintf("%q, must be %q or %q", r.Status, OK, Failed)}
}

// checkName returns a mistake if a name is empty or has a carriage return.
func checkName(column, name string) *fieldError {
	if name == "" {
		return &fieldError{column, "is empty"}
	}
	if strings.Contains(name, "\r") {
		return &fieldError{column, fmt.Sprintf("carriage return in %q", name)}
	}
	return nil
}

// rateTolerance is the largest difference of the error and errors/n_test. Other programs may
// write fewer digits.
const rateTolerance = 1e-9

// checkResult returns the first mistake in a successful result; nil without any.
func checkResult(r *Record) *fieldError {
	switch {
	case r.NTest < 1:
		return &fieldError{"n_test", fmt.Sprintf("%d test rows, must be 1 or more when the status is ok", r.NTest)}
	case r.Errors < 0 || r.Errors > r.NTest:
		return &fieldError{"errors", fmt.Sprintf("%d errors in %d test rows", r.Errors, r.NTest)}
	case !(math.Abs(r.Error-float64(r.Errors)/float64(r.NTest)) <= rateTolerance):
		return &fieldError{"error", fmt.Sprintf("%v is not errors/n_test = %d/%d", r.Error, r.Errors, r.NTest)}
	case r.BER < 0 || r.BER > 1:
		return &fieldError{"ber", fmt.Sprintf("%v lies outside [0,1]", r.BER)}
	case strings.Contains(r.Data, "\r") || r.Data == "":
		return &fieldError{"data",
			fmt.Sprintf("%q is no fingerprint, and without one a result cannot be paired", r.Data)}
	case r.Confusion != nil:
		return checkConfusion(r)
	}
	return nil
}

// checkConfusion returns a mistake unless the counts agree with the numbers of rows and errors.
func checkConfusion(r *Record) *fieldError {
	c := r.Confusion
	n := c.Classes()
	negative := slices.ContainsFunc(c, func(v int) bool { return v < 0 })
	if n < 2 || n*n != len(c) || negative || c.Rows() != r.NTest || c.Errors() != r.Errors {
		return &fieldError{confusionColumn,
			fmt.Sprintf("%v is no square matrix of %d test rows with %d errors", []int(c), r.NTest, r.Errors)}
	}
	return nil
}

// checkFailure returns the first mistake in a failed result; nil without any.
func checkFailure(r *Record) *fieldError {
	switch {
	case r.NTest < 0:
		return &fieldError{"n_test", fmt.Sprintf("%d test rows", r.NTest)}
	case strings.Contains(r.Data, "\r"):
		return &fieldError{"data", fmt.Sprintf("carriage return in %q", r.Data)}
	case r.Errors != 0:
		return &fieldError{"errors", "must be NA when the status is failed"}
	case !math.IsNaN(r.Error):
		return &fieldError{"error", "must be NA when the status is failed"}
	case !math.IsNaN(r.BER):
		return &fieldError{"ber", "must be NA when the status is failed"}
	case r.Confusion != nil:
		return &fieldError{confusionColumn, "must be NA when the status is failed"}
	}
	return nil
}

// A recordSequence checks the order of rows. It keeps the identities of past cells and the keys
// of the current cell, but no rows.
type recordSequence struct {
	cell   string
	levels Levels
	keys   map[recordKey]bool
	closed map[string]bool // cells that have ended
}

type recordKey struct {
	replicate  int
	classifier string
}

// next returns a mistake if the row must not follow the rows so far.
func (s *recordSequence) next(r *Record) *fieldError {
	if s.keys == nil || r.Cell != s.cell {
		if s.closed[r.Cell] {
			return &fieldError{"cell", fmt.Sprintf("cell %s resumes after cell %s; the rows of a cell must be "+
				"consecutive", r.Cell, s.cell)}
		}
		if s.closed == nil {
			s.closed, s.keys = make(map[string]bool), make(map[recordKey]bool)
		} else {
			s.closed[s.cell] = true
		}
		clear(s.keys)
		s.cell, s.levels = r.Cell, r.Levels
	}
	if s.levels != r.Levels {
		return &fieldError{"cell",
			fmt.Sprintf("cell %s has the levels %s here and %s before", r.Cell, r.Levels, s.levels)}
	}
	key := recordKey{r.Replicate, r.Classifier}
	if s.keys[key] {
		return &fieldError{"replicate",
			fmt.Sprintf("replicate %d of %s occurs twice in cell %s", r.Replicate, r.Classifier, r.Cell)}
	}
	s.keys[key] = true
	return nil
}
