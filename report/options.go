package report

import (
	"copse/stats"
)

// A Layout says which tables and figures a study prints. Its fields carry the
// tags that generators.Generator describes; a study file's `report` section is
// decoded over DefaultLayout, each table over DefaultTable, each figure over
// DefaultFigure.
type Layout struct {
	Tables  []Table  `param:"tables" doc:"tables, in order"`
	Figures []Figure `param:"figures" doc:"figures, in order"`
	Formats []string `param:"formats" doc:"file formats of figures" enum:"svg,png,pdf"`

	Inference Inference // the study file's section of that name
}

// DefaultLayout is one table of everything and no figure.
func DefaultLayout() Layout {
	return Layout{Tables: []Table{DefaultTable()}, Formats: Formats, Inference: DefaultInference()}
}

// A Table shows one number per cell (row) and classifier (column).
type Table struct {
	Name    string   `param:"name" doc:"file name without extension: letters, digits, - and _"`
	Title   string   `param:"title" doc:"one line; empty: the study's title"`
	Caption string   `param:"caption" doc:"sentences put before the generated caption"`
	Metric  string   `param:"metric" doc:"what a cell shows; seconds come from the timings and are not reproducible" enum:"error,ber,accuracy,fit_seconds,predict_seconds"`
	Scale   string   `param:"scale" doc:"unit of rates" enum:"percent,fraction"`
	Rows    []string `param:"rows" doc:"factors that make the rows, outermost first; empty: all that vary"`
	Columns []string `param:"columns" doc:"classifier ids; empty: all"`
	Where   []string `param:"where" doc:"factor=level: cells kept; several levels of one factor are alternatives"`
	Spread  string   `param:"spread" doc:"in parentheses: standard deviation or standard error of the mean" enum:"sd,se,none"`
	Digits  int      `param:"digits" doc:"decimals" range:"[0,6]"`
	Bold    bool     `param:"bold" doc:"bold the best and those not distinguishable from it"`
	Ranks   bool     `param:"ranks" doc:"last row: average rank over the rows"`
	MCSE    bool     `param:"mcse" doc:"last row: largest Monte-Carlo standard error of a column"`
}

// DefaultTable is the papers' table: mean (sd) of the error in percent, bold
// by test.
func DefaultTable() Table {
	return Table{Name: "table", Metric: "error", Scale: "percent", Spread: "sd", Digits: 2, Bold: true}
}

// A Figure is one or more pages of panels.
type Figure struct {
	Name      string   `param:"name" doc:"file name without extension: letters, digits, - and _; pages append their levels"`
	Title     string   `param:"title" doc:"one line; empty: the study's title"`
	Caption   string   `param:"caption" doc:"sentences put before the generated caption"`
	Kind      string   `param:"kind" doc:"box plots, lines over a numeric factor, critical-difference diagram, cells won" enum:"box,line,cd,wins"`
	Page      []string `param:"page" doc:"factors: one page per combination of their levels"`
	Panel     []string `param:"panel" doc:"factors: one panel per combination of their levels"`
	X         string   `param:"x" doc:"line: the numeric factor on the horizontal axis"`
	LogX      bool     `param:"log2_x" doc:"line: logarithmic horizontal axis, base 2"`
	Band      string   `param:"band" doc:"line: shaded around the mean, two Monte-Carlo standard errors or one standard deviation" enum:"2se,sd,none"`
	Columns   []string `param:"columns" doc:"classifier ids; empty: all"`
	Reference string   `param:"reference" doc:"classifier drawn as a reference line at its mean; empty: none"`
	Champion  string   `param:"champion" doc:"wins: the classifier whose wins are counted"`
	Metric    string   `param:"metric" doc:"what is drawn; seconds come from the timings and are not reproducible" enum:"error,ber,accuracy,fit_seconds,predict_seconds"`
	Scale     string   `param:"scale" doc:"unit of rates" enum:"percent,fraction"`
	LogY      bool     `param:"log_y" doc:"line: logarithmic vertical axis"`
	Where     []string `param:"where" doc:"factor=level: cells kept; several levels of one factor are alternatives"`
	PerRow    int      `param:"per_row" doc:"panels beside one another" range:"[1,8]"`
	Width     float64  `param:"width" doc:"page width, mm" range:"[60,400]"`
	Height    float64  `param:"panel_height" doc:"height of a row of panels, mm" range:"[30,300]"`
}

// DefaultFigure is a page of box plots at the width of a journal's text.
func DefaultFigure() Figure {
	return Figure{Name: "figure", Kind: "box", Band: "2se", Reference: "oracle", Metric: "error", Scale: "percent",
		PerRow: 2, Width: 165, Height: 62}
}

// Inference is how the best classifiers of a cell are found.
type Inference struct {
	Test        string   `param:"test" doc:"paired over replicates" enum:"signed-rank"`
	Unit        string   `param:"unit" doc:"what counts as one result: a replicate, or with folds a task, the mean over its folds, which depend on one another" enum:"replicate,task"`
	Alternative string   `param:"alternative" doc:"of the best against each other classifier" enum:"two-sided"`
	Alpha       float64  `param:"alpha" doc:"family-wise level" range:"(0,1)"`
	Correction  string   `param:"correction" doc:"over the comparisons of one cell" enum:"bonferroni,holm"`
	Family      []string `param:"family" doc:"classifier ids compared; empty: all but the oracle"`
	Exact       bool     `param:"exact" doc:"exact p-values whatever the ties, rather than R's rule (exact below 50 pairs without ties or zeros)"`
	Policy      string   `param:"policy" doc:"replicates in which a fit failed" enum:"complete-pairs"`
}

// DefaultInference is Tenzer et al. (2020): two-sided signed-rank tests at
// 0.05/(k-1).
func DefaultInference() Inference {
	return Inference{Test: "signed-rank", Unit: "replicate", Alternative: "two-sided", Alpha: 0.05, Correction: "bonferroni", Policy: "complete-pairs"}
}

// correction returns the option as stats knows it.
func (o *Inference) correction() stats.Correction {
	if o.Correction == "holm" {
		return stats.Holm
	}
	return stats.Bonferroni
}

// SetDefaults makes t the table that a study file's entry is decoded over.
func (t *Table) SetDefaults() { *t = DefaultTable() }

// SetDefaults makes f the figure that a study file's entry is decoded over.
func (f *Figure) SetDefaults() { *f = DefaultFigure() }
