package table

import "copse/stats/metrics"

// A Options shows one number per cell (row) and classifier (column).
type Options struct {
	Name    string   `param:"name" doc:"file name without extension: letters, digits, - and _"`
	Title   string   `param:"title" doc:"one line; empty: the study's title"`
	Caption string   `param:"caption" doc:"sentences put before the generated caption"`
	Metric  string   `param:"metric" doc:"what a cell shows, of copse list metrics; seconds come from the timings and are not reproducible"`
	Scale   string   `param:"scale" doc:"unit of rates" enum:"percent,fraction"`
	Rows    []string `param:"rows" doc:"factors that make the rows, outermost first; empty: all that vary"`
	Columns []string `param:"columns" doc:"classifier ids; empty: all"`
	Where   []string `param:"where" doc:"factor=level: cells kept; several levels of one factor are alternatives"`
	Spread  string   `param:"spread" doc:"in parentheses: standard deviation, standard error of the mean, or smallest and largest" enum:"sd,se,range,none"`
	Digits  int      `param:"digits" doc:"decimals" range:"[0,6]"`
	Excess  bool     `param:"excess" doc:"show the loss in excess of the oracle's on the same data: error, log loss and the like less the Bayes rule's, for metrics whose best value is 1 the shortfall"`
	Bold    bool     `param:"bold" doc:"bold the best and those not distinguishable from it"`
	Ranks   bool     `param:"ranks" doc:"last row: average rank over the rows"`
	MCSE    bool     `param:"mcse" doc:"last row: largest Monte-Carlo standard error of a column"`
}

// Defaults is the papers' table: mean (sd) of the error in percent, bold
// by test.
func Defaults() Options {
	return Options{Name: "table", Metric: "error", Scale: "percent", Spread: "sd", Digits: 2, Bold: true}
}

// SetDefaults makes t the table that a study file's entry is decoded over.
func (t *Options) SetDefaults() { *t = Defaults() }

// Validate wants a metric of the registry.
func (t *Options) Validate() error {
	_, err := metrics.Lookup(t.Metric)
	return err
}
