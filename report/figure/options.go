package figure

import (
	"gonum.org/v1/plot/vg"

	"copse/report/canvas"
	"copse/report/view"
	"copse/stats/metrics"
	"copse/stats/recipe"
	"copse/stats/records"
)

// Options describe a figure: one or more pages of panels.
type Options struct {
	Name      string            `param:"name" doc:"file name without extension: letters, digits, - and _; pages append their levels"`
	Title     string            `param:"title" doc:"one line; empty: the study's title"`
	Caption   string            `param:"caption" doc:"sentences put before the generated caption"`
	Kind      string            `param:"kind" doc:"what is drawn: docs/gallery.md shows each kind; roc and reliability need predictions: keep, tuned needs tune" enum:"box,line,cd,wins,bars,differences,heat,nested,pareto,roc,reliability,tuned"`
	Page      []string          `param:"page" doc:"factors: one page per combination of their levels"`
	Panel     []string          `param:"panel" doc:"factors: one panel per combination of their levels"`
	X         string            `param:"x" doc:"on the horizontal axis; line: a numeric factor; pareto: fit_seconds, as if not given, or predict_seconds"`
	LogX      bool              `param:"log2_x" doc:"line: logarithmic horizontal axis, base 2"`
	Band      string            `param:"band" doc:"line, roc, reliability: shaded around the mean, two Monte-Carlo standard errors; line alone: one standard deviation or the quartiles" enum:"2se,sd,quartiles,none"`
	Columns   []string          `param:"columns" doc:"classifier ids; empty: all"`
	Family    []string          `param:"family" doc:"cd, wins, differences, heat: classifier ids compared; empty: the family of the inference"`
	Reference string            `param:"reference" doc:"box, line, nested, roc, reliability: of the columns the one drawn as a reference; bars: the one beside whose mean they stand; empty: none"`
	Champion  string            `param:"champion" doc:"wins: the classifier whose wins are counted; differences: the one that others are compared with, empty: the best of each panel"`
	Rows      []string          `param:"rows" doc:"heat, tuned, nested: factors whose combinations are the rows or steps, outermost first; empty: all that vary"`
	Shown     string            `param:"shown" doc:"heat: what colours and numbers show, the metric or the classifier's rank in the row" enum:"metric,rank"`
	Class     string            `param:"class" doc:"roc, reliability: the class that is asked about, its name or its code from 0 on; empty: of two classes that of code 1, as for the metric auc; of more reliability asks about each row's predicted class, as the metric ece does, and roc needs it"`
	Bins      int               `param:"bins" doc:"reliability: bins of equal width that predicted probabilities are put in" range:"[2,100]"`
	Excess    bool              `param:"excess" doc:"the loss in excess of the oracle's on the same data is drawn; box, line, heat, nested, pareto"`
	Cliques   string            `param:"cliques" doc:"cd: what bars join, classifiers that pairwise signed-rank tests (Holm) do not tell apart, or whose ranks lie within Nemenyi's critical difference" enum:"holm,nemenyi"`
	Metric    string            `param:"metric" doc:"what is drawn, of copse list metrics; seconds come from the timings and are not reproducible"`
	Scale     string            `param:"scale" doc:"unit of rates" enum:"percent,fraction"`
	Where     records.Condition `param:"where" node:"list of texts" doc:"factor=level: cells kept; several levels of one factor are alternatives"`
	Scales    string            `param:"scales" doc:"one vertical axis for all panels of a page, or one for each" enum:"shared,free"`
	PerRow    int               `param:"per_row" doc:"most panels beside one another, fewer where they would be too narrow; 0: two, one at the width of a column" range:"[0,8]"`
	Width     string            `param:"width" doc:"printed width: text (6 in), column (84 mm) or a length such as 12.5cm or 5in, a plain number in mm; no text is smaller than 8 pt there" unit:"mm"`
}

// Defaults returns box plots on one page, at the width of a journal's text.
func Defaults() Options {
	return Options{Name: "figure", Kind: "box", Band: "2se", Reference: "oracle", Cliques: "holm", Shown: "metric",
		Bins: 10, Metric: "error", Scale: "percent", Scales: "shared", Width: "text"}
}

// Validate refuses an unknown metric and a width that no page has.
func (o *Options) Validate() error {
	if _, err := metrics.Lookup(o.Metric); err != nil {
		return &recipe.Error{Key: "metric", Msg: err.Error()}
	}
	if _, err := view.Width(o.Width); err != nil {
		return &recipe.Error{Key: "width", Msg: err.Error()}
	}
	return nil
}

// width returns the printed width.
func (o *Options) width() vg.Length {
	w, _ := view.Width(o.Width) // validated
	return canvas.MM(w)
}

// paperHeight is the height of A4 between its margins.
const paperHeight = 250 * vg.Millimeter

// perRow returns the most panels beside one another.
func (o *Options) perRow() int {
	switch {
	case o.PerRow > 0:
		return o.PerRow
	case o.width() > canvas.MM(1.2*view.ColumnWidth):
		return 2
	}
	return 1
}

// free reports whether each panel has an axis of its own.
func (o *Options) free() bool { return o.Scales == "free" }

// SetDefaults sets o to the figure that an entry of a study file changes.
func (o *Options) SetDefaults() { *o = Defaults() }
