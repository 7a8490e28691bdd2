// Package protocol writes the protocol of a study before it runs: aims, data-generating mechanisms,
// estimands, methods and performance measures (ADEMP, Morris, White and Crowther 2019).
package protocol

import (
	"copse/report/view"
)

// Author is the section "ademp" of a study file.
type Author struct {
	// the research questions of the study and the reasons for them, one sentence each
	Aims []string `param:"aims"`
	// the reason for the number of replicates
	Replicates string `param:"replicates"`
}

// A Design contains the parts of a protocol that view.Study lacks.
type Design struct {
	Cells    map[string]CellData // by cell id
	Pair     []string            // factors whose cells use common random numbers
	Limits   []string            // sentences on the time and memory that a fit may use
	Metrics  []string            // names of the metrics that tables and figures show
	Families []view.Family       // families of all hypotheses that the report will test
	Variants []view.Family       // families that only variants with other treatments of failed fits will test
}

// CellData describes the data of one cell of the design.
type CellData struct {
	Data        string // generator or data set
	Train, Test int    // number of rows in a trial; 0 if unknown until the data are read
	TrainCounts []int  // training rows of each class, or nil if unknown
	TestCounts  []int  // test rows of each class, or nil if unknown
	Noise       string // missing values or flipped labels; "" if there are none
	Split       string // how rows are split; "" if training and test sets are drawn
}
