// Package figure draws the results of a study. The file captions.txt contains the texts of the
// captions.
//
// There are three layouts. The file rows.go draws a row for each classifier, chart.go draws a curve
// for each classifier, and grid.go draws coloured tables.
package figure

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"

	"copse/report/canvas"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats/recipe"
)

// A Kind is a kind of figure, such as box plots.
type Kind struct {
	Name, Summary string
	heading       string // default of the function heading

	pools bool // a mark summarises all cells of a panel, so the cells must be comparable
	// draw draws the page with the cells r.pageCells. It returns nil for an empty page of tuned values.
	draw func(r *request) (*drawnPage, error)
}

// drawnPage is a finished page, with the families of hypotheses whose tests the page shows.
type drawnPage struct {
	canvas.Picture
	families []view.Family
}

const poolsPanel = true // value of the field pools

// Kinds lists all kinds of figures.
var Kinds = []Kind{
	{"box", "box plots of the classifiers: the spread of their results, or each result if there are fewer than 10",
		"Box plots of the classifiers", poolsPanel, boxPage},
	{"line", "learning curves: means against a numeric factor, with bands of standard errors or quartiles", "",
		!poolsPanel, linePage},
	{"cd", "average ranks of the classifiers, as a critical-difference diagram", "Average ranks of the classifiers",
		!poolsPanel, rankPage},
	{"wins", "for each rival, the share of cells (combinations of factor levels) in which the `champion` beats it", "",
		!poolsPanel, winPage},
	{"bars", "mean of each classifier minus mean of the `reference`; for times and memory, their ratio", "",
		poolsPanel, barPage},
	{"differences", "differences from the best classifier or the `champion`, with confidence intervals",
		"Differences from the best classifier",
		poolsPanel, differencePage},
	{"heat", "heat map of means or ranks, with a row for each combination of factor levels", "Heat map of means",
		!poolsPanel, heatPage},
	{"nested", "nested-loop plot: means for all combinations of factor levels, with a step line for each classifier",
		"Nested-loop plot",
		!poolsPanel, nestedPage},
	{"pareto", "results against training or prediction time", "Results against training or prediction time",
		poolsPanel, paretoPage},
	{"roc", "ROC curves, averaged over replicates (needs `predictions: keep`)", "ROC curves",
		!poolsPanel, rocCurves.page},
	{"reliability", "observed frequencies against predicted probabilities (needs `predictions: keep`)",
		"Observed frequencies against predicted probabilities",
		!poolsPanel, reliabilityCurves.page},
	{"tuned", "heat map of the values that tuning chose, with a row for each combination of factor levels",
		"Heat map of the values that tuning chose", !poolsPanel, tunedPage},
}

// Reads reports whether the option with the given key lists this kind of figure in its tag `kinds`. It
// returns false for options without this tag, which are for all kinds.
func (k *Kind) Reads(key string) bool { return slices.Contains(kindsReading(key), k.Name) }

// checkUse returns an error if o sets an option that this kind of figure does not use.
func (k *Kind) checkUse(o *Options) error {
	values, defaults := reflect.ValueOf(*o), reflect.ValueOf(Defaults())
	for _, f := range recipe.Fields(values.Type()) {
		key := f.Tag.Get("param")
		value := values.FieldByIndex(f.Index)
		// Every kind allows the zero value and the default. Values are compared as text, because == cannot
		// compare lists.
		isSet := !value.IsZero() && fmt.Sprint(value) != fmt.Sprint(defaults.FieldByIndex(f.Index))
		users := kindsReading(key) // empty: all kinds use this option
		if isSet && len(users) > 0 && !k.Reads(key) {
			return view.OptionError(key, "figures of kind `%s` do not use `%s`; these kinds do: %s",
				k.Name, key, strings.Join(users, ", "))
		}
	}
	return nil
}

// checkColumns returns an error if the reference or a classifier of the family is not one of the columns.
func (o *Options) checkColumns(columns []string) error {
	if o.Reference != "" && o.Reference != Defaults().Reference && !slices.Contains(columns, o.Reference) {
		return view.OptionError("reference", "%s is not one of the columns, which are %s",
			o.Reference, strings.Join(columns, ", "))
	}
	for _, id := range o.Family {
		if !slices.Contains(columns, id) {
			return view.ValueError("family", id, "`family` contains %q, which is not one of the columns: %s", id,
				strings.Join(columns, ", "))
		}
	}
	return nil
}

// kindsReading returns the kinds of figures in the tag `kinds` of the option with the given key. The list is empty if
// all kinds use the option.
func kindsReading(key string) []string {
	option := recipe.ParamFields(reflect.TypeFor[Options]())[key]
	return strings.Fields(option.Tag.Get("kinds"))
}

// Draw draws the pages of one figure.
func Draw(v *view.View, o Options) ([]canvas.Picture, error) {
	pictures, _, err := DrawAndName(v, o, "")
	return pictures, err
}

// DrawAndName draws the pages of one figure. It also returns the families of hypotheses that the figure tests,
// with ShownIn set to the given name.
func DrawAndName(v *view.View, o Options, name string) ([]canvas.Picture, []view.Family, error) {
	pages, err := drawPages(v, o)
	var pictures []canvas.Picture
	var families []view.Family
	for _, p := range pages {
		pictures = append(pictures, p.Picture)
		for _, f := range p.families {
			f.ShownIn, f.Count = name, 1
			families = append(families, f)
		}
	}
	return pictures, view.Gather(families), err
}

// drawPages draws and names a page for each combination of levels of the factors in o.Page, without empty pages.
func drawPages(v *view.View, o Options) ([]*drawnPage, error) {
	r, err := newRequest(v, o)
	if err != nil {
		return nil, err
	}
	pages, err := r.Groups(r.cells, o.Page)
	if err != nil {
		return nil, err
	}
	var list []*drawnPage
	usedNames := map[string]bool{}
	for _, page := range pages {
		p, err := r.drawPage(page)
		if err != nil {
			return nil, err
		}
		if p == nil {
			continue // no fit of the page was tuned
		}
		if p.DataWidth < minReadable {
			return nil, view.OptionError("width", "the figure is %.0f mm wide and has no room for data "+
				"beside its labels: increase `width`, or shorten labels such as %q", millimetres(p.Width),
				p.LongestLabel)
		}
		r.namePage(p, page, usedNames)
		p.Remarks = append(p.Remarks, o.sizeRemarks(p)...)
		list = append(list, p)
	}
	// This check comes after the drawing, because errors from drawing are more specific.
	switch {
	case len(list) == 0: // only figures of tuned values have empty pages
		return nil, r.whyUntuned()
	case r.showsMetric():
		return list, r.checkAnyValue()
	}
	return list, nil
}

// namePage sets the file name, the title and the subject of a page. If there are several pages, all three contain
// the levels of the page. namePage adds the file name to usedNames.
func (r *request) namePage(p *drawnPage, page view.Group, usedNames map[string]bool) {
	p.Name = sheet.FileName(append([]string{r.options.Name}, page.Levels.List(page.Factors)...), usedNames)
	p.Title, p.Subject = r.options.Title, r.subject()
	if levels := r.InWords(page.Factors, page.Levels); levels != "" { // there are several pages
		p.Title += " – " + levels
		p.Subject += " – " + levels
	}
}

// drawPage draws one page, with a panel for each combination of levels of the factors in the option Panel.
func (r *request) drawPage(page view.Group) (*drawnPage, error) {
	panels, err := r.Groups(page.Cells, r.options.Panel)
	if err == nil && r.kind.pools {
		err = r.CheckPooling(panels, r.measure, view.PanelKeys)
	}
	if err != nil {
		return nil, err
	}
	ofPage := *r
	ofPage.pageCells, ofPage.panels = page.Cells, panels
	return r.kind.draw(&ofPage)
}

// sizeRemarks returns warnings if the panels of a page are too narrow, or if the page is too tall for a sheet of
// paper.
func (o *Options) sizeRemarks(p *drawnPage) (remarks []string) {
	if p.DataWidth < p.LeastDataWidth {
		remarks = append(remarks, fmt.Sprintf("the labels leave %.0f mm for the data of a panel, which need "+
			"at least %.0f mm: increase `width`, or shorten labels such as %q", millimetres(p.DataWidth),
			millimetres(p.LeastDataWidth), p.LongestLabel))
	}
	if p.Height > pageHeight {
		remarks = append(remarks, fmt.Sprintf("the figure is %.0f mm high, but a page has room for %.0f mm "+
			"above the caption: %s", millimetres(p.Height), millimetres(pageHeight), o.fewerPanels()))
	}
	return remarks
}

func millimetres(length vg.Length) float64 { return float64(length / vg.Millimeter) }

// subject returns the title of the figure or, by default, the kind and the measure, as in "Box plots of the
// classifiers (test error)".
func (r *request) subject() string {
	if r.options.Title != r.View.Title { // the study file sets a title of the figure
		return r.options.Title
	}
	if !r.showsMetric() {
		return r.heading()
	}
	return r.heading() + " (" + r.measure.Name + ")"
}

// heading names the kind of figure, and its factor, champion or reference if it has one.
func (r *request) heading() string {
	champion := r.Label(r.options.Champion)
	switch kind := r.kind.Name; {
	case kind == "line":
		return "Means against " + r.FactorLabel(r.options.X)
	case kind == "heat" && r.showsRanks():
		return "Heat map of ranks"
	case kind == "wins":
		return "Cells won by " + champion
	case kind == "bars":
		return "Means relative to " + r.Label(r.options.Reference)
	case kind == "differences" && champion != "":
		return "Differences from " + champion
	}
	return r.kind.heading
}

// fewerPanels returns advice on how to reduce the number of panels on a page.
func (o *Options) fewerPanels() string {
	if len(o.Panel) == 0 {
		return "select fewer cells with `where`"
	}
	return fmt.Sprintf("move one of the factors in `panel` (%s) to `page`", strings.Join(o.Panel, ", "))
}
