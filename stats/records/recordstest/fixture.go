// Package recordstest makes records for tests.
package recordstest

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"copse/stats/records"
)

// Rows is the number of test rows of each record.
const Rows = 1000

// Fixture returns records of a study with a single factor, named n. A negative number in errors
// marks a failed fit.
//
// errors[i][k][r] is the number of errors in 1000 rows at level i, for classifier k in replicate
// r+1.
func Fixture(levels, classifiers []string, errors [][][]int) *records.Records {
	r := &records.Records{
		Study:       "fixture",
		Factors:     []records.Factor{{Name: "n", Levels: levels}},
		Classifiers: classifiers,
	}
	for i, level := range levels {
		for rep := range errors[i][0] {
			for k, name := range classifiers {
				row := records.Record{
					Cell:       "cell-" + level,
					Levels:     records.Align([]string{"n"}, []string{level}),
					Replicate:  rep + 1,
					Classifier: name,
					Status:     records.OK,
					NTest:      Rows,
					Errors:     errors[i][k][rep],
					Data:       fmt.Sprintf("%s/%d", level, rep+1),
				}
				row.Error = float64(row.Errors) / Rows
				row.BER = row.Error / 2 // an invented value that differs from Error
				if row.Errors < 0 {
					row.Status, row.Errors, row.Error, row.BER = records.Failed, 0, math.NaN(), math.NaN()
				}
				r.Rows = append(r.Rows, row)
			}
		}
	}
	return r
}

// Each yields a pointer to each record, so that a test can change it.
func Each(rows *records.Records) iter.Seq[*records.Record] {
	return func(yield func(*records.Record) bool) {
		for i := range rows.Rows {
			if !yield(&rows.Rows[i]) {
				return
			}
		}
	}
}

// Delete deletes the records for which the function unwanted returns true.
func Delete(rows *records.Records, unwanted func(records.Record) bool) {
	rows.Rows = slices.DeleteFunc(rows.Rows, unwanted)
}

// Series returns f(0), ..., f(n-1).
func Series(n int, f func(i int) int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = f(i)
	}
	return s
}
