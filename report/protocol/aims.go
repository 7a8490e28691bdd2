// Package protocol writes the protocol of a study before it is run: aims,
// data-generating mechanisms, estimands, methods and performance measures (ADEMP,
// Morris, White and Crowther 2019). All but the aims and reasons follows from the
// study itself.
package protocol

import (
	"strings"

	"copse/report/view"
)

// Author holds what only the author can state: the ademp section of a study file.
type Author struct {
	Aims       []string `param:"aims" doc:"the questions and reasons of the study, one sentence each"`
	Replicates string   `param:"replicates" doc:"why so many replicates"`
}

// Retired returns the keys of the last release that are gone, with what to do instead.
func (*Author) Retired() map[string]string {
	retired := map[string]string{
		"mcse": "copse status --precision prints how many replicates a standard error needs",
		"sd":   "copse status --precision estimates it from results",
	}
	for _, part := range strings.Fields("mechanisms estimands methods performance missingness environment") {
		retired[part] = "put the reason under aims, or into the printed protocol"
	}
	return retired
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
