package figure

import (
	"cmp"
	"fmt"
	"slices"

	"copse/report/panels"
	"copse/report/view"
	"copse/stats/records"
)

// A request is a figure to draw: its options, and the cells (combinations of factor levels), the
// columns (ids of classifiers) and the measure (such as the test error in percent) that they
// select.
type request struct {
	*view.View // whose tests compare the family of the figure
	o          Options
	kind       *Kind
	cells      []records.Cell
	measure    *view.Measure
	columns    []string
}

// newRequest looks up the cells, columns and metric that the options of a figure name. It returns
// an error if a name is unknown or the options do not fit the kind of figure.
func newRequest(v *view.View, o Options) (*request, error) {
	kind := slices.IndexFunc(Kinds, func(k Kind) bool { return k.Name == o.Kind })
	if kind < 0 {
		return nil, fmt.Errorf("unknown kind %q", o.Kind)
	}
	o.Title = cmp.Or(o.Title, v.Title)
	r := &request{View: v.Comparing(o.Family), o: o, kind: &Kinds[kind]}
	var err error
	if r.cells, err = r.Where(o.Where); err != nil {
		return nil, err
	}
	measure, err := r.Measure(o.Metric, o.Scale, r.cells)
	if err != nil {
		return nil, err
	}
	r.measure = &measure
	if r.columns, err = r.Columns(o.Columns); err != nil {
		return nil, err
	}
	if err := r.kind.check(&o, r.columns); err != nil {
		return nil, err
	}
	if o.Excess {
		err = r.overOracle()
	}
	return r, err
}

// overOracle changes the measure to the loss minus the loss of the oracle on the same data, and
// removes the oracle from the columns.
func (r *request) overOracle() error {
	if err := r.Excess(r.measure); err != nil {
		return err
	}
	r.columns = slices.DeleteFunc(slices.Clone(r.columns), func(id string) bool { return id == r.measure.Over })
	r.o.Reference = ""
	return nil
}

// page returns an empty page with the width of the figure.
func (r *request) page() panels.Page {
	return panels.Page{Width: r.o.width(), PerRow: r.o.perRow()}
}

// panelTitle returns the factor levels of a group of cells in words: "Gaussian, n = 200".
func (r *request) panelTitle(g *view.Group) string { return r.InWords(g.Factors, g.Levels) }

// measured splits the columns into the reference and the other classifiers. The reference is "" if
// it is not a column, or if it is the only column, which is then drawn as an ordinary classifier.
func (r *request) measured() (drawn []string, reference string) {
	for _, id := range r.columns {
		if id == r.o.Reference {
			reference = id
		} else {
			drawn = append(drawn, id)
		}
	}
	if len(drawn) == 0 {
		return r.columns, ""
	}
	return drawn, reference
}

// referenceLabel returns the label of a reference classifier, or "" if reference is "".
func (r *request) referenceLabel(reference string) string {
	if reference == "" {
		return ""
	}
	return r.Label(reference)
}

// rows returns the groups of cells that are the rows of a table or the steps of a line. There is a
// group for each combination of levels of the returned factors: those in the option rows or, if it
// is empty, all factors that vary.
func (r *request) rows(cells []records.Cell) (factors []string, groups []view.Group, err error) {
	factors = r.o.Rows
	if len(factors) == 0 {
		factors = r.Varying(cells)
	}
	groups, err = r.Groups(cells, factors)
	return factors, groups, err
}

// factorLabels returns the labels of factors, which figures show instead of their names.
func (r *request) factorLabels(factors []string) (labels []string) {
	for _, name := range factors {
		labels = append(labels, r.FactorLabel(name))
	}
	return labels
}

// addOnce appends s to the list unless the list already contains it.
func addOnce(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
