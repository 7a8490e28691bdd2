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
	Title     string            `param:"title" doc:"title in one line; empty: the study's title"`
	Caption   string            `param:"caption" doc:"sentences before the generated caption"`
	Kind      string            `param:"kind" doc:"kind of figure (docs/gallery.md shows each); roc and reliability need predictions: keep, tuned needs tune" enum:"box,line,cd,wins,bars,differences,heat,nested,pareto,roc,reliability,tuned"`
	Page      []string          `param:"page" doc:"factors; one page per combination of their levels"`
	Panel     []string          `param:"panel" doc:"factors; one panel per combination of their levels"`
	X         string            `param:"x" doc:"horizontal axis; line: a numeric factor; pareto: fit_seconds (default) or predict_seconds"`
	LogX      bool              `param:"log2_x" doc:"line: logarithmic horizontal axis, base 2"`
	Band      string            `param:"band" doc:"line, roc, reliability: band around the mean, two Monte-Carlo standard errors; only line: one standard deviation or the quartiles" enum:"2se,sd,quartiles,none"`
	Columns   []string          `param:"columns" doc:"ids of classifiers; empty: all"`
	Family    []string          `param:"family" doc:"cd, wins, differences, heat: ids of the classifiers to compare; empty: inference.family"`
	Reference string            `param:"reference" doc:"box, line, nested, roc, reliability: id of the classifier to draw as a reference line; bars: id of the classifier from which differences are drawn; empty: none"`
	Champion  string            `param:"champion" doc:"wins: the classifier whose wins are counted; differences: the classifier to compare with others; empty: the best of each panel"`
	Rows      []string          `param:"rows" doc:"heat, tuned, nested: factors whose levels are the rows or steps, outermost first; empty: all that vary"`
	Shown     string            `param:"shown" doc:"heat: quantity of colours and numbers, the metric or the classifier's rank in the row" enum:"metric,rank"`
	Class     string            `param:"class" doc:"roc, reliability: name or code (0, 1, ...) of the class to predict; empty: class 1 of two, as for the metric auc; of more classes, reliability uses the predicted class of each row, as the metric ece, and roc needs this key"`
	Bins      int               `param:"bins" doc:"reliability: number of bins of equal width for the predicted probabilities" range:"[2,100]"`
	Excess    bool              `param:"excess" doc:"box, line, heat, nested, pareto: draw the difference from the oracle on the same data"`
	Cliques   string            `param:"cliques" doc:"cd: classifiers that a bar joins: holm, those that pairwise signed-rank tests with Holm's correction do not distinguish; nemenyi, those whose ranks differ by less than Nemenyi's critical difference" enum:"holm,nemenyi"`
	Metric    string            `param:"metric" doc:"metric to draw (copse list metrics); seconds come from the timings and are not reproducible"`
	Scale     string            `param:"scale" doc:"unit of rates" enum:"percent,fraction"`
	Where     records.Condition `param:"where" node:"list of texts" doc:"cells to use, as factor=level; several levels of a factor are alternatives"`
	Scales    string            `param:"scales" doc:"shared: one vertical axis for all panels of a page; free: one for each panel" enum:"shared,free"`
	PerRow    int               `param:"per_row" doc:"largest number of panels in a row, fewer if they would be too narrow; 0: two, or one at width column" range:"[0,8]"`
	Width     string            `param:"width" doc:"printed width: text (6 in), column (84 mm), a length such as 12.5cm or 5in, or a number in mm; texts are at least 8 pt high at this width" unit:"mm"`
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
