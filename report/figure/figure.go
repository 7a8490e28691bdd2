// Package figure draws results: a kind of figure is one file and one line of Kinds.
package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"copse/report/canvas"
	"copse/report/sheet"
	"copse/report/view"
	"copse/stats/recipe"
	"copse/stats/records"
)

// A Kind of figure draws one page at a time. The caller gives it its name, title and
// width.
type Kind struct {
	Name, Summary string
	keys          string // of the options, those that not all kinds read, and this one does
	draw          func(v *view.View, o Options, m *view.Measure, columns []string, page view.Group) (canvas.Picture, error)
}

// Kinds are all kinds of figures.
var Kinds = []Kind{
	{"box", "box plots of the classifiers, points where replicates are few", "reference excess orientation", boxPage},
	{"line", "means against a numeric factor, with bands: learning curves", "x log2_x log_y band reference excess", linePage},
	{"cd", "critical-difference diagram of the average ranks", "family cliques", rankPage},
	{"wins", "share of cells in which a champion beats each rival", "family champion", winPage},
	{"bars", "means less that of a reference", "reference", barPage},
	{"differences", "intervals of paired differences from the best or a champion", "family champion", differencePage},
	{"heat", "heat map of cells and classifiers: means or ranks", "family rows shown excess", heatPage},
	{"nested", "nested loops over all cells, as one line per classifier", "rows reference excess", nestedPage},
	{"pareto", "error against time", "seconds excess", paretoPage},
	{"roc", "ROC curves averaged over replicates, of kept predictions", "band reference class", rocCurves.page},
	{"reliability", "observed frequencies against predicted probabilities, of kept predictions", "band reference class bins", reliabilityCurves.page},
}

// KindNames are the names of all kinds.
func KindNames() []string {
	var names []string
	for _, k := range Kinds {
		names = append(names, k.Name)
	}
	return names
}

// reads tells whether figures of the kind differ by such a key.
func (k *Kind) reads(key string) bool { return slices.Contains(strings.Fields(k.keys), key) }

// Params are those keys, with their defaults.
func (k *Kind) Params() []recipe.Param {
	o := Defaults()
	return slices.DeleteFunc(recipe.Params(&o), func(p recipe.Param) bool { return !k.reads(p.Name) })
}

// check wants no key that only other kinds read, and as the reference one of the columns.
func (k *Kind) check(o *Options, columns []string) error {
	standard := Defaults()
	defaults := recipe.Params(&standard)
	for i, p := range recipe.Params(o) {
		if p.Default == defaults[i].Default || p.Default == "" || k.reads(p.Name) {
			continue
		}
		var others []string
		for _, other := range Kinds {
			if other.reads(p.Name) {
				others = append(others, other.Name)
			}
		}
		if others != nil {
			return view.Mistaken([]string{p.Name}, "", "figures of kind %s have no %s, those of kind %s have", k.Name, p.Name, strings.Join(others, ", "))
		}
	}
	if o.Reference != "" && o.Reference != standard.Reference && !slices.Contains(columns, o.Reference) {
		return view.Mistaken([]string{"reference"}, "", "%s is not among the columns, %s", o.Reference, strings.Join(columns, ", "))
	}
	return nil
}

// Draw draws the pages of one figure.
func Draw(v *view.View, o Options) ([]canvas.Picture, error) {
	kind := slices.IndexFunc(Kinds, func(k Kind) bool { return k.Name == o.Kind })
	if kind < 0 {
		return nil, fmt.Errorf("unknown kind %q", o.Kind)
	}
	v = v.Comparing(o.Family)
	cells, err := v.Where(o.Where)
	if err != nil {
		return nil, err
	}
	m, err := v.Measure(o.Metric, o.Scale, cells)
	if err != nil {
		return nil, err
	}
	if o.Title == "" {
		o.Title = v.Title
	}
	columns, err := v.Columns(o.Columns)
	if err != nil {
		return nil, err
	}
	if err := Kinds[kind].check(&o, columns); err != nil {
		return nil, err
	}
	if o.Excess {
		if err := v.Excess(&m); err != nil {
			return nil, err
		}
		columns = slices.DeleteFunc(slices.Clone(columns), func(id string) bool { return id == m.Over })
		o.Reference = ""
	}
	pages, err := v.Groups(cells, o.Page)
	if err != nil {
		return nil, err
	}
	var pictures []canvas.Picture
	taken := map[string]bool{}
	for _, page := range pages {
		p, err := Kinds[kind].draw(v, o, &m, columns, page)
		if err != nil {
			return nil, err
		}
		p.Width, p.Titled = o.width(), o.ShowTitle
		if p.Height > paperHeight {
			p.Remarks = append(p.Remarks, fmt.Sprintf("it is %.0f mm high, more than the %.0f of a page: %s", p.Height.Dots(25.4), paperHeight.Dots(25.4), o.fewerPanels()))
		}
		if o.Excess {
			p.Caption += fmt.Sprintf(" Excess: over %s on the same data.", v.Label(m.Over))
		}
		p.Name = fileName(append([]string{o.Name}, page.Levels.In(page.Factors)...), taken)
		p.Title = o.Title
		if where := v.InWords(page.Factors, page.Levels); where != "" {
			p.Title += " – " + where
		}
		pictures = append(pictures, p)
	}
	return pictures, nil
}

// fewerPanels says how a page gets fewer.
func (o *Options) fewerPanels() string {
	if len(o.Panel) == 0 {
		return "choose some cells (where)"
	}
	return fmt.Sprintf("put a factor of panel (%s) under page", strings.Join(o.Panel, ", "))
}

// longestName leaves room for an extension in the 255 bytes of a file's name.
const longestName = 200

// fileName joins a figure's name and a page's levels. Levels that differ in what file
// names cannot have are told apart by a number.
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

// measured returns the columns without the reference, and the reference where
// the records have it.
func measured(columns []string, reference string) (drawn []string, ref string) {
	for _, id := range columns {
		if id == reference {
			ref = id
		} else {
			drawn = append(drawn, id)
		}
	}
	if len(drawn) == 0 {
		return columns, ""
	}
	return drawn, ref
}

// referenceMean is the mean of the reference classifier; NaN without one.
func referenceMean(v *view.View, g *view.Group, pooled *records.Cell, m *view.Measure, reference string) float64 {
	if reference == "" {
		return math.NaN()
	}
	return v.Summary(g, pooled, m, reference).Mean
}
