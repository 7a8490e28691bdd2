// Package figure draws results. A kind of figure is one entry of Kinds and one file: its numbers, the
// marks that show them and the facts of its caption, whose sentences are in captions.txt.
//
// Kinds share four layouts: rows.go has a row for each classifier, chart.go a curve for each, grid.go
// coloured tables, and package panels the page around them.
package figure

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"copse/report/canvas"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats/recipe"
)

// A Kind is a kind of figure.
type Kind struct {
	Name, Summary string
	keys          string // names of the options that this kind reads and not all others
	// draw returns the page of a group of cells.
	draw func(r *request, page view.Group) (drawn, error)
}

// drawn is a page with the families of hypotheses that it tests, if any.
type drawn struct {
	canvas.Picture
	families []view.Family
}

// Kinds are all kinds of figures.
var Kinds = []Kind{
	{"box", "box plots of the classifiers, or single results if they are few",
		"reference excess per_row scales", boxPage},
	{"line", "means against a numeric factor, with bands: learning curves",
		"x log2_x band reference excess per_row scales", linePage},
	{"cd", "critical-difference diagram of the average ranks", "family cliques per_row", rankPage},
	{"wins", "share of cells in which a champion beats each rival", "family champion per_row", winPage},
	{"bars", "mean differences from a reference, or ratios of times", "reference per_row scales", barPage},
	{"differences", "differences from the best classifier or a champion, with confidence intervals",
		"family champion per_row scales", differencePage},
	{"heat", "heat map of means or ranks, with a row for each cell",
		"family rows shown excess per_row scales", heatPage},
	{"nested", "nested-loop plot: means in all cells, with a step line for each classifier",
		"rows reference excess per_row scales", nestedPage},
	{"pareto", "results against training or prediction time", "x excess per_row scales", paretoPage},
	{"roc", "ROC curves, averaged over replicates (needs predictions: keep)",
		"band reference class per_row", rocCurves.page},
	{"reliability", "observed frequencies against predicted probabilities (needs predictions: keep)",
		"band reference class bins per_row", reliabilityCurves.page},
	{"tuned", "heat map of the values that tuning chose, with a row for each cell", "rows per_row", tunedPage},
}

// KindNames returns the names of all kinds.
func KindNames() []string {
	var names []string
	for _, k := range Kinds {
		names = append(names, k.Name)
	}
	return names
}

// Reads reports whether the kind reads an option that not all kinds read.
func (k *Kind) Reads(key string) bool { return slices.Contains(strings.Fields(k.keys), key) }

// check returns an error if options are set that only other kinds read, or if the reference is not among
// the columns.
func (k *Kind) check(o *Options, columns []string) error {
	standard := Defaults()
	given, usual := reflect.ValueOf(o).Elem(), reflect.ValueOf(standard)
	for _, f := range recipe.Fields(usual.Type()) {
		key, value := f.Tag.Get("param"), given.FieldByIndex(f.Index)
		isDefault := fmt.Sprint(value) == fmt.Sprint(usual.FieldByIndex(f.Index))
		others := kindsReading(key)
		if isDefault || value.IsZero() || others == nil || k.Reads(key) {
			continue
		}
		return view.Mistaken([]string{key}, "", "figures of kind %s have no %s, those of kind %s have",
			k.Name, key, strings.Join(others, ", "))
	}
	if o.Reference != "" && o.Reference != standard.Reference && !slices.Contains(columns, o.Reference) {
		return view.Mistaken([]string{"reference"}, "", "%s is not among the columns, %s",
			o.Reference, strings.Join(columns, ", "))
	}
	return nil
}

// kindsReading returns the names of the kinds that read an option; nil: all kinds read it.
func kindsReading(key string) (names []string) {
	for _, k := range Kinds {
		if k.Reads(key) {
			names = append(names, k.Name)
		}
	}
	return names
}

// Draw returns the pages of one figure.
func Draw(v *view.View, o Options) ([]canvas.Picture, error) {
	pictures, _, err := DrawAndName(v, o, "")
	return pictures, err
}

// DrawAndName returns the pages of one figure and the families of hypotheses that it tests. shown is the
// name of the figure in the families.
func DrawAndName(v *view.View, o Options, shown string) ([]canvas.Picture, []view.Family, error) {
	pages, err := drawPages(v, o)
	var pictures []canvas.Picture
	var families []view.Family
	for _, p := range pages {
		pictures = append(pictures, p.Picture)
		for _, f := range p.families {
			f.Shown, f.Count = shown, 1
			families = append(families, f)
		}
	}
	return pictures, view.Gather(families), err
}

// drawPages returns the pages of one figure with their names and titles.
func drawPages(v *view.View, o Options) ([]drawn, error) {
	r, err := newRequest(v, o)
	if err != nil {
		return nil, err
	}
	pages, err := r.Groups(r.cells, o.Page)
	if err != nil {
		return nil, err
	}
	var list []drawn
	taken := map[string]bool{}
	for _, page := range pages {
		p, err := r.kind.draw(r, page)
		if err != nil {
			return nil, err
		}
		p.Name = fileName(append([]string{o.Name}, page.Levels.In(page.Factors)...), taken)
		p.Title, p.Subject = r.o.Title, r.subject()
		if where := v.InWords(page.Factors, page.Levels); where != "" {
			p.Title += " – " + where
			p.Subject += " – " + where
		}
		if p.Height > paperHeight {
			p.Remarks = append(p.Remarks, fmt.Sprintf("it is %.0f mm high, more than the %.0f of a page: %s",
				p.Height.Dots(25.4), paperHeight.Dots(25.4), o.fewerPanels()))
		}
		list = append(list, p)
	}
	return list, nil
}

// subject returns the title of the figure. If that is only the title of the study, it returns the kind of
// figure and the measure instead: "Box plots of the classifiers (test error)".
func (r *request) subject() string {
	if r.o.Title != r.View.Title {
		return r.o.Title
	}
	kind := view.Capital(r.kind.Summary)
	kind = kind[:strings.IndexAny(kind+",", ",:(")]
	if slices.Contains([]string{"roc", "reliability", "tuned"}, r.kind.Name) { // which read no metric
		return kind
	}
	return kind + " (" + r.measure.Name + ")"
}

// fewerPanels returns the advice that makes a page smaller.
func (o *Options) fewerPanels() string {
	if len(o.Panel) == 0 {
		return "choose some cells (where)"
	}
	return fmt.Sprintf("put a factor of panel (%s) under page", strings.Join(o.Panel, ", "))
}

// longestName is the length of a file name without extension, in bytes. File systems allow 255 with it.
const longestName = 200

// fileName returns a file name made of the name of a figure and the levels of a page, and adds it to those
// taken. If the name is taken, for instance by levels that differ only in characters that are replaced, a
// number follows it.
func fileName(parts []string, taken map[string]bool) string {
	name := sheet.SafeName(strings.Join(parts, "-"))
	name = name[:min(len(name), longestName)]
	distinct := name
	for k := 2; taken[strings.ToLower(distinct)]; k++ {
		distinct = fmt.Sprintf("%s-%d", name, k)
	}
	taken[strings.ToLower(distinct)] = true
	return distinct
}
