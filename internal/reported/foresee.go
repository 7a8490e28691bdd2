package reported

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"copse/experiments/config"
	"copse/report"
	"copse/report/figure"
	"copse/report/view"
	"copse/stats/metrics"
	"copse/stats/records"
)

// A foresight checks the report sections of a study before any trial runs.
type foresight struct {
	s    *Study
	root config.Place // top level of the study file; it collects the errors
}

// Foresee returns an error if the report of the study cannot be made. It checks the names in the keys of
// the report, and then makes the report from made-up results.
func (s *Study) Foresee() error {
	layout := &s.Layout
	f := foresight{s: s, root: s.Root()}
	f.inference(&layout.Inference)
	f.labels(layout.Labels)
	for i, o := range layout.Tables {
		f.entry("tables", i, o.Where, o.Family, o.Columns)
	}
	for i, o := range layout.Figures {
		f.entry("figures", i, o.Where, o.Family, o.Columns)
	}
	if f.root.Failed() {
		return f.root.Err()
	}
	made, err := s.rehearse()
	if err != nil {
		return err
	}
	return s.Mistakes(made.Missing)
}

// entry checks the factor levels and classifiers that a table or figure names. list is "tables" or
// "figures", and i is the index of the entry in this list.
func (f *foresight) entry(list string, i int, where records.Condition, family, columns []string) {
	at := f.place(list, i)
	at.Key("where").CheckCondition(where, f.s.Factors)
	f.family(at.Key("family"), family, columns)
}

// inference checks the classifiers that the section inference names.
func (f *foresight) inference(o *view.Inference) {
	section := f.root.Key("inference")
	f.family(section.Key("family"), o.Family, nil)
	if o.Fallback != "" {
		f.family(section.Key("fallback"), []string{o.Fallback}, nil)
	}
	if o.Champion != "" {
		f.family(section.Key("champion"), []string{o.Champion}, nil)
	}
}

// Remarks returns advice on a study that Foresee accepts. Remarks concern metrics that a table of all cells
// cannot show, classifiers without class probabilities, equal labels of classifiers, and figures that are
// hard to read in print.
func (s *Study) Remarks() (remarks []string) {
	s = s.part()
	v := s.Layout.View(rehearsedStudy(s.Study), rehearsal(s.Study))
	for _, metric := range s.Metrics {
		if _, err := v.Measure(metric, "", v.Cells); err != nil {
			remarks = append(remarks, fmt.Sprintf("metrics: %s", err))
		}
	}
	remarks = append(remarks, s.lackedMetrics()...)
	remarks = append(remarks, sameLabels(v)...)
	for _, o := range s.Layout.Figures {
		pictures, err := figure.Draw(v, o)
		if err != nil || len(pictures) == 0 {
			continue // Foresee returned the error
		}
		for _, remark := range pictures[0].Remarks { // all pages of a figure have the same remarks
			remarks = append(remarks, fmt.Sprintf("figure %s: %s", o.Name, remark))
		}
	}
	return remarks
}

// sameLabels returns a remark for each classifier with the label of an earlier one.
func sameLabels(v *view.View) (remarks []string) {
	owner := map[string]string{} // first classifier by label
	for _, c := range v.Classifiers {
		label := v.Label(c.ID)
		first, taken := owner[label]
		if !taken {
			owner[label] = c.ID
			continue
		}
		remarks = append(remarks, fmt.Sprintf("classifiers %s and %s have the same label %s; give one of them "+
			"another label", first, c.ID, label))
	}
	return remarks
}

// lackedMetrics returns a remark for each metric of the study that needs class probabilities, if some
// classifiers do not return probabilities.
func (s *Study) lackedMetrics() (remarks []string) {
	var lacking []string // classifiers without class probabilities
	for _, c := range s.Cells {
		for _, e := range c.Classifiers {
			if e.LacksProbabilities() && !slices.Contains(lacking, e.ID) {
				lacking = append(lacking, e.ID)
			}
		}
	}
	if lacking == nil {
		return nil
	}
	for _, name := range s.Metrics {
		if m, err := metrics.Lookup(name); err == nil && m.Needs == metrics.Probabilities {
			remarks = append(remarks, fmt.Sprintf("%s needs class probabilities, but %s do not return "+
				"them; add `probabilities: platt`", name, strings.Join(lacking, ", ")))
		}
	}
	return remarks
}

// Mistakes returns an error that lists the tables and figures that a report could not make. Each is named
// with its place in the study file. Mistakes returns nil if missing is empty.
func (s *Study) Mistakes(missing []report.Missing) error {
	f := foresight{s: s, root: s.Root()}
	for _, m := range missing {
		f.fail(m)
	}
	return f.root.Err()
}

// labels checks that the keys of the map labels name factors of the study. A key is FACTOR or FACTOR=LEVEL.
// The level is not checked, because --set may have removed it.
func (f *foresight) labels(labels map[string]string) {
	names := records.FactorNames(f.s.Factors)
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		if name, _, _ := strings.Cut(key, "="); !slices.Contains(names, name) {
			at := f.root.Key("report").Key("labels").Key(key)
			at.Fail("%q is not a factor of the study%s", name, config.DidYouMean(name, names))
		}
	}
}

// family checks a list of classifiers at a place in the study file. Each must be in the study and listed
// once. If the table or figure has columns, each must also be a column.
func (f *foresight) family(at config.Place, ids, columns []string) {
	known := f.s.ClassifierIDs()
	for i, id := range ids {
		switch {
		case !slices.Contains(known, id):
			at.Fail("%q is not a classifier of the study%s", id, config.DidYouMean(id, known))
		case len(columns) > 0 && !slices.Contains(columns, id):
			at.Fail("%s is not in columns; add it there", id)
		case slices.Contains(ids[:i], id):
			at.Fail("%s is listed twice", id)
		}
	}
}

// fail records why a table or figure cannot be made. The error is recorded at the key that caused it: a key
// of the section inference if the test does not fit the design, or else a key of the table or figure. If no
// such key is in the study file, the place is the table or figure.
func (f *foresight) fail(m report.Missing) {
	err, at := m.Err, f.place(m.List, m.Index)
	var misfit *view.Misfit
	if errors.As(err, &misfit) {
		err = misfit.Cause
		if cause := f.root.Key("inference").Key(misfit.Key); cause.There() {
			cause.Fail("%s; required by %s", err, m.Path())
			return
		}
	}
	var mistake *view.Mistake
	if errors.As(err, &mistake) {
		at = misplaced(at, mistake)
	}
	at.Fail("%s", err)
}

// misplaced returns the place of a wrong value in the entry of a table or figure. It returns the place of
// the entry if the value is not found.
func misplaced(entry config.Place, mistake *view.Mistake) config.Place {
	for _, key := range mistake.Keys {
		value := entry.Key(key)
		if !value.There() {
			continue
		}
		if mistake.Value == "" {
			return value
		}
		if found := value.Find(mistake.Value); found.Text() == mistake.Value {
			return found
		}
	}
	return entry
}

// place returns the place of a table or figure in the study file. list is "tables" or "figures". For a table
// of the default layout, which is not in the file, place returns the nearest enclosing place.
func (f *foresight) place(list string, i int) config.Place {
	return f.root.Key("report").Key(list).Item(i)
}
