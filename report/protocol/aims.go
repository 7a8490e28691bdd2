// Package protocol writes the protocol of a study before it is run: aims,
// data-generating mechanisms, estimands, methods and performance measures (ADEMP,
// Morris, White and Crowther 2019). All but the aims and reasons follows from the
// study itself.
package protocol

import (
	"copse/report/view"
)

// Author holds what only the author can state: the ademp section of a study file.
type Author struct {
	Aims       []string `param:"aims" doc:"the questions and reasons of the study, one sentence each"`
	Replicates string   `param:"replicates" doc:"reason for the number of replicates"`
}

// A Design is what a view does not hold of a study.
type Design struct {
	Cells    []Cell        // in the order of the view's
	Limits   []string      // of a fit: sentences
	Metrics  []string      // by name, that tables and figures show
	Families []view.Family // of hypotheses: all that the report will test
}

// A Cell tells where the data of one cell come from.
type Cell struct {
	Data        string // generator or data set
	Train, Test int    // rows of one trial; 0: not known before the data are read
	Noise       string // missing values, flipped labels; "": none
	Split       string // of a sample or data set; "": training and test sets are drawn
}
