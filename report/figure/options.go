package figure

import (
	"slices"

	"gonum.org/v1/plot/vg"

	"copse/report/sheet"
	"copse/report/view"
	"copse/stats/metrics"
	"copse/stats/recipe"
	"copse/stats/records"
)

// Options describes a figure, which has one or more pages of panels.
//
// Class is the positive class. If Class is empty and there are two classes, the positive class is
// the one with code 1, as in the metric auc.
//
// If Class is empty and there are more classes, the result depends on Kind. A figure of kind
// reliability uses the predicted class of each row, as the metric ece does. A figure of kind roc
// returns an error.
type Options struct {
	// file name without extension, followed by the factor levels of the page. It keeps a to z,
	// A to Z, digits and `._+=-`. An underscore replaces each run of other characters
	Name string `param:"name"`
	// title in one line, as plain text; if empty, the title of the study
	Title string `param:"title"`
	// sentences that precede the generated caption, as plain text. Unicode characters work, but TeX
	// such as `$n$` does not
	Caption string `param:"caption"`
	// kind of figure (docs/gallery.md shows each kind). `roc` and `reliability` need the key
	// `predictions: keep`. `tuned` needs a classifier with the key `tune`
	Kind string `param:"kind" enum:"box,line,cd,wins,bars,differences,heat,nested,pareto,roc,reliability,tuned"`
	// factors; there is a page for each combination of their levels
	Page []string `param:"page" distinct:"true"`
	// factors; there is a panel for each combination of their levels. Factors that are not in
	// `page`, `panel`, `x` or `rows` are pooled
	Panel []string `param:"panel" distinct:"true"`
	// horizontal axis. For the kind `line`: a numeric factor. For `pareto`: `fit_seconds` (the
	// default) or `predict_seconds`
	X string `param:"x" kinds:"line pareto"`
	// for the kind `line`: whether the horizontal axis is logarithmic, with base 2
	LogX bool `param:"log2_x" kinds:"line"`
	// bands around the curves of the kinds `line`, `roc` and `reliability`: `2se` (two standard
	// errors) or `none`. The kind `line` also has `sd` (standard deviation) and `quartiles`
	Band string `param:"band" kinds:"line roc reliability" enum:"2se,sd,quartiles,none"`
	// ids of the classifiers to show; if empty, all classifiers
	Columns []string `param:"columns" distinct:"true"`
	// for the kinds `cd`, `wins`, `differences` and `heat`: ids of the classifiers to compare. If
	// empty, the classifiers in `inference.family`
	Family []string `param:"family" kinds:"cd wins differences heat" distinct:"true"`
	// for the kinds `box`, `line`, `nested`, `roc` and `reliability`: classifier to draw as a
	// reference line. For `bars`: the classifier with which the others are compared
	Reference string `param:"reference" kinds:"box line bars nested roc reliability"`
	// for the kinds `wins` and `differences`: classifier to compare with all others. The default is
	// `inference.champion`. If the study has none, `wins` requires this key, and the reference for `differences`
	// is the best classifier of each panel
	Champion string `param:"champion" kinds:"wins differences"`
	// for the kinds `heat`, `tuned` and `nested`: factors of the rows or steps, outermost first. If
	// empty, all factors that vary
	Rows []string `param:"rows" kinds:"heat nested tuned" distinct:"true"`
	// for the kind `heat`: show means of the metric, or ranks of the classifiers in each row
	Shown string `param:"shown" kinds:"heat" enum:"metric,rank"`
	// for the kinds `roc` and `reliability`: name of the positive class, or its code (from 0) if no name
	// is a whole number. With two classes, the default is the class with code 1. With more classes,
	// `roc` requires this key. `reliability` then uses the predicted class of each row by default
	Class string `param:"class" kinds:"roc reliability"`
	// for the kind `reliability`: number of bins of equal width for the predicted probabilities
	Bins int `param:"bins" kinds:"reliability" range:"[2,100]"`
	// for the kinds `box`, `line`, `heat`, `nested` and `pareto`: show the loss minus the loss of the oracle on the
	// same data. Cells in which the oracle did not run are left out
	Excess bool `param:"excess" kinds:"box line heat nested pareto"`
	// for the kind `cd`: test that decides which classifiers are joined by a bar. `holm`:
	// signed-rank tests of all pairs. `nemenyi`: the Nemenyi test. Joined classifiers do not differ
	// significantly
	Cliques string `param:"cliques" kinds:"cd" enum:"holm,nemenyi"`
	// for the kinds `box`, `line`, `cd`, `wins`, `bars`, `differences`, `heat`, `nested` and `pareto`: metric to show.
	// `copse list metrics` lists all metrics. Measured times, such as `fit_seconds`, change if the study runs again
	Metric string `param:"metric" kinds:"box line cd wins bars differences heat nested pareto"`
	// for the kinds `box`, `line`, `bars`, `differences`, `heat`, `nested` and `pareto`: unit in which rates are shown
	Scale string `param:"scale" kinds:"box line bars differences heat nested pareto" enum:"percent,fraction"`
	// cells to show: a list such as `[n=100, n=200]`, or a mapping such as `{n: [100, 200]}`. Several
	// levels of a factor are alternatives
	Where records.Condition `param:"where" node:"list of strings, or mapping of levels"`
	// whether all panels of a page have the same axis range (`shared`) or each panel has its own (`free`)
	Scales string `param:"scales" kinds:"box line bars differences heat nested pareto" enum:"shared,free"`
	// largest number of panels in a row. 0 means two panels, three if there are only three and all
	// have room, or one if `width` is `column`
	PerRow int `param:"per_row" range:"[0,8]"`
	// printed width: `text` (6 in), `column` (84 mm), a length such as 12.5cm or 5in, or a number in mm
	Width string `param:"width" unit:"mm"`
}

// Defaults returns the options of box plots on a single page with the text width of a journal.
func Defaults() Options {
	return Options{Name: "figure", Kind: "box", Band: "2se", Reference: "oracle", Cliques: "holm", Shown: "metric",
		Bins: 10, Metric: "error", Scale: "percent", Scales: "shared", Width: "text"}
}

// Validate returns an error if the name is too long, the metric is unknown or the width is invalid. A
// factor must not be in both Page and Panel.
func (o *Options) Validate() error {
	if err := sheet.CheckName(o.Name); err != nil {
		return recipe.Errorf("name", "%s", err)
	}
	if _, err := metrics.Lookup(o.Metric); err != nil {
		return recipe.Errorf("metric", "%s", err)
	}
	if _, err := view.Width(o.Width); err != nil {
		return recipe.Errorf("width", "%s", err)
	}
	for _, factor := range o.Panel {
		if slices.Contains(o.Page, factor) {
			return recipe.Errorf("panel", "%s already separates pages; remove it from `panel` or `page`", factor)
		}
	}
	return nil
}

// minReadable is the smallest width of the data area at which readers can distinguish the marks of a panel.
const minReadable = vg.Length(30)

// pageHeight is the largest height of a figure on a page of JMLR. The text of the page is 9 inches
// high, and a caption of five lines uses part of it.
const pageHeight = 204 * vg.Millimeter

func (o *Options) freeScales() bool { return o.Scales == "free" }

// SetDefaults sets o to the default options. The keys of a study file then replace some of them.
func (o *Options) SetDefaults() { *o = Defaults() }
