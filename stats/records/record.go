// Package records holds the rows of a study, one per cell, replicate and
// classifier: their types, their cells and pairs, and their CSV.
package records

import "copse/stats/metrics"

// Status tells how a fit ended.
type Status string

const (
	OK     Status = "ok"
	Failed Status = "failed" // error, panic, NaN or timeout; the message says which
)

// A Record is the result of one classifier on one replicate of one cell.
type Record struct {
	Cell       string // identity of the cell: a digest of its content
	Levels     Levels // of the cell
	Replicate  int    // 1, 2, ...
	Classifier string // id within the study
	Status     Status
	NTest      int               // test rows
	Errors     int               // misclassified test rows; 0 when failed
	Error      float64           // Errors/NTest; NaN when failed
	BER        float64           // balanced error rate: mean over classes of the class's error; NaN when failed
	Confusion  metrics.Confusion // nil when failed, and in records of versions that kept none
	Values     []float64         // of Records.Metrics; NaN where the fit failed or the rule gives none
	Data       string            // fingerprint of training and test set
	Message    string            // why it failed, or the rule's warnings
}

// A Factor is one varied quantity with its levels in display order.
type Factor struct {
	Name   string
	Levels []string
}

// Records are the rows of one study, sorted by levels, replicate and
// classifier in the order of Factors and Classifiers.
type Records struct {
	Study       string
	Factors     []Factor
	Metrics     []string // names of the metrics that the records keep beside their counts
	Classifiers []string
	Rows        []Record
}
