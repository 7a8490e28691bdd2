// Package protocol writes the protocol of a study before it is run: aims,
// data-generating mechanisms, estimands, methods and performance measures (ADEMP,
// Morris, White and Crowther 2019). All but the aims and reasons follows from the
// study itself.
package protocol

import (
	"copse/report/view"
	"copse/stats/recipe"
)

// Author is what only the author can say: the ademp section of a study file.
type Author struct {
	Aims        []string `param:"aims" doc:"the questions of the study, one sentence each"`
	Mechanisms  string   `param:"mechanisms" doc:"why these data-generating mechanisms or data sets"`
	Estimands   string   `param:"estimands" doc:"what is estimated or otherwise aimed at, in words of your own before the generated ones"`
	Methods     string   `param:"methods" doc:"why these methods"`
	Performance string   `param:"performance" doc:"why these performance measures"`
	Replicates  string   `param:"replicates" doc:"why so many replicates, before what follows from mcse"`
	MCSE        float64  `param:"mcse" range:"[0,1)" doc:"Monte-Carlo standard error that every mean of a share should reach, such as 0.005; 0: none is asked for" share:"true"`
	SD          float64  `param:"sd" range:"(0,0.5]" doc:"standard deviation of one replicate that mcse counts with, from a pilot or an earlier study; 0.5 is the most that a share can have" share:"true"`
	Missingness string   `param:"missingness" doc:"which failures are expected, and what is done about them"`
	Environment string   `param:"environment" doc:"where the study is to run"`
}

// NewAuthor is an author who says nothing.
func NewAuthor() Author { return Author{SD: 0.5} }

// Validate wants no standard deviation without the error that it is for.
func (a *Author) Validate() error {
	if a.SD != NewAuthor().SD && a.MCSE == 0 {
		return &recipe.Error{Key: "sd", Msg: "has no place without mcse, the standard error that is aimed at"}
	}
	return nil
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
