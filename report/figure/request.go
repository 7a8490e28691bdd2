package figure

import (
	"cmp"
	"fmt"
	"slices"

	"copse/report/panels"
	"copse/report/view"
	"copse/stats/records"
)

// A request is a figure to draw: its options, the cells (combinations of factor levels) and columns (ids of
// classifiers) that they select, and the measure, such as the test error in percent.
type request struct {
	*view.View // whose tests compare the family of the figure
	o          Options
	kind       *Kind
	cells      []records.Cell
	measure    *view.Measure
	columns    []string
}

// newRequest looks up what the options of a figure name and checks them.
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

// overOracle makes the measure the excess over the oracle on the same data and removes the oracle from the
// columns.
func (r *request) overOracle() error {
	if err := r.Excess(r.measure); err != nil {
		return err
	}
	r.columns = slices.DeleteFunc(slices.Clone(r.columns), func(id string) bool { return id == r.measure.Over })
	r.o.Reference = ""
	return nil
}

// page returns a page of the figure's size without panels.
func (r *request) page() panels.Page {
	return panels.Page{Width: r.o.width(), PerRow: r.o.perRow()}
}

// panelTitle returns the levels of a group of cells in words: "Gaussian, n = 200".
func (r *request) panelTitle(g *view.Group) string { return r.InWords(g.Factors, g.Levels) }

// measured splits the columns into the reference, "" if it is not among them, and the others. A reference
// that is the only column counts as an ordinary classifier.
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

// referenceLabel returns the label of the reference; "" without one.
func (r *request) referenceLabel(reference string) string {
	if reference == "" {
		return ""
	}
	return r.Label(reference)
}

// rows returns the rows of a table, or the steps of a line: a group of cells for each combination of
// levels of the factors in the key rows or, without it, of all factors that vary.
func (r *request) rows(cells []records.Cell) (factors []string, groups []view.Group, err error) {
	factors = r.o.Rows
	if len(factors) == 0 {
		factors = r.Varying(cells)
	}
	groups, err = r.Groups(cells, factors)
	return factors, groups, err
}

// factorLabels returns the labels of factors, which readers see in place of their names.
func (r *request) factorLabels(factors []string) (labels []string) {
	for _, name := range factors {
		labels = append(labels, r.FactorLabel(name))
	}
	return labels
}

// addOnce appends a string that the list lacks.
func addOnce(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
