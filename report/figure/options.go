package figure

import (
	"gonum.org/v1/plot/vg"

	"copse/report/canvas"
	"copse/report/view"
	"copse/stats/metrics"
	"copse/stats/recipe"
	"copse/stats/records"
)

// Options describe a figure: one or more pages of panels. Without class, the positive class of two is that of
// code 1, as for the metric auc. Of more classes, reliability uses each row's predicted class, as the metric ece
// does, and roc needs class.
type Options struct {
	Name      string            `param:"name" doc:"file name without extension: letters, digits, - and _; pages append their levels"`
	Title     string            `param:"title" doc:"one line; empty: the title of the study"`
	Caption   string            `param:"caption" doc:"sentences before the generated caption"`
	Kind      string            `param:"kind" doc:"kind of figure (docs/gallery.md shows each); roc and reliability need predictions: keep, tuned needs tune" enum:"box,line,cd,wins,bars,differences,heat,nested,pareto,roc,reliability,tuned"`
	Page      []string          `param:"page" doc:"factors: a page for each combination of their levels"`
	Panel     []string          `param:"panel" doc:"factors: a panel for each combination of their levels"`
	X         string            `param:"x" doc:"horizontal axis; line: a numeric factor; pareto: fit_seconds (default) or predict_seconds"`
	LogX      bool              `param:"log2_x" doc:"line: logarithmic horizontal axis, base 2"`
	Band      string            `param:"band" doc:"line, roc, reliability: two standard errors; line alone: standard deviation, quartiles" enum:"2se,sd,quartiles,none"`
	Columns   []string          `param:"columns" doc:"classifier ids; empty: all"`
	Family    []string          `param:"family" doc:"cd, wins, differences, heat: classifiers compared; empty: family of the inference"`
	Reference string            `param:"reference" doc:"classifier drawn as a reference line; bars: whose mean the others are compared with"`
	Champion  string            `param:"champion" doc:"wins: required; differences: compared with the others; empty: best of each panel"`
	Rows      []string          `param:"rows" doc:"heat, tuned, nested: factors of the rows or steps, outermost first; empty: all that vary"`
	Shown     string            `param:"shown" doc:"heat: means of the metric, or ranks of the classifiers in each row" enum:"metric,rank"`
	Class     string            `param:"class" doc:"roc, reliability: positive class by name or code from 0; empty: code 1 of two, else the predicted class (reliability)"`
	Bins      int               `param:"bins" doc:"reliability: bins of equal width for the predicted probabilities" range:"[2,100]"`
	Excess    bool              `param:"excess" doc:"box, line, heat, nested, pareto: loss in excess of the oracle on the same data"`
	Cliques   string            `param:"cliques" doc:"cd: bars join pairs that signed-rank tests (holm) or the test of nemenyi do not distinguish" enum:"holm,nemenyi"`
	Metric    string            `param:"metric" doc:"metric of copse list metrics; times are not reproducible"`
	Scale     string            `param:"scale" doc:"unit of rates" enum:"percent,fraction"`
	Where     records.Condition `param:"where" node:"list of texts" doc:"factor=level: cells shown; several levels of a factor are alternatives"`
	Scales    string            `param:"scales" doc:"one axis for all panels of a page, or one for each" enum:"shared,free"`
	PerRow    int               `param:"per_row" doc:"largest number of panels in a row; 0: two, or one if width is column" range:"[0,8]"`
	Width     string            `param:"width" doc:"printed width: text (6 in), column (84 mm) or a length (12.5cm, 5in, mm)" unit:"mm"`
}

// Defaults returns box plots on one page, at the width of a journal's text.
func Defaults() Options {
	return Options{Name: "figure", Kind: "box", Band: "2se", Reference: "oracle", Cliques: "holm", Shown: "metric",
		Bins: 10, Metric: "error", Scale: "percent", Scales: "shared", Width: "text"}
}

// Validate returns an error for an unknown metric or an illegal width.
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

// perRow returns the largest number of panels in a row.
func (o *Options) perRow() int {
	switch {
	case o.PerRow > 0:
		return o.PerRow
	case o.width() > canvas.MM(1.2*view.ColumnWidth):
		return 2
	}
	return 1
}

// free reports whether each panel has its own axis.
func (o *Options) free() bool { return o.Scales == "free" }

// SetDefaults sets o to the defaults, which an entry of a study file changes.
func (o *Options) SetDefaults() { *o = Defaults() }
