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

// A foresight checks the report of a study before anything runs.
type foresight struct {
	s    *Study
	root config.Place // of the study file; collects the errors
}

// Foresee returns the errors that the report of the study would have. It checks the keys of the report
// and then makes the report from made-up results.
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

// entry checks the cells and classifiers of entry i of a list of tables or figures.
func (f *foresight) entry(list string, i int, where records.Condition, family, columns []string) {
	at := f.place(list, i)
	at.Key("where").CheckCondition(where, f.s.Factors)
	f.family(at.Key("family"), family, columns)
}

// inference checks that the section names classifiers of the study.
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

// Remarks returns advice on a study without errors: metrics that no table of all cells can show,
// metrics without class probabilities, classifiers with the same label, and figures that would be
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
		for _, remark := range pictures[0].Remarks { // the other pages have the same remarks
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
		remarks = append(remarks, fmt.Sprintf("classifiers %s and %s are both called %s: give one a label", first, c.ID,
			label))
	}
	return remarks
}

// lackedMetrics returns a remark for each metric that needs class probabilities, if some
// classifiers give none.
func (s *Study) lackedMetrics() (remarks []string) {
	var lacking []string // classifiers
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
			remarks = append(remarks, fmt.Sprintf("no %s of %s, without class probabilities: add probabilities: platt",
				name, strings.Join(lacking, ", ")))
		}
	}
	return remarks
}

// Mistakes returns an error that names the missing parts of a report at their keys in the study file. It
// returns nil if missing is empty.
func (s *Study) Mistakes(missing []report.Missing) error {
	f := foresight{s: s, root: s.Root()}
	for _, m := range missing {
		f.fail(m)
	}
	return f.root.Err()
}

// labels checks that the keys of labels, FACTOR or FACTOR=LEVEL, name factors of the study. It does
// not check levels, which --set may have removed.
func (f *foresight) labels(labels map[string]string) {
	names := records.FactorNames(f.s.Factors)
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		if name, _, _ := strings.Cut(key, "="); !slices.Contains(names, name) {
			at := f.root.Key("report").Key("labels").Key(key)
			at.Fail("%q is no factor of the study%s", name, config.DidYouMean(name, names))
		}
	}
}

// family checks a list of classifiers: each is in the study, among the columns if there are any,
// and listed once.
func (f *foresight) family(at config.Place, ids, columns []string) {
	known := f.s.ClassifierIDs()
	for i, id := range ids {
		switch {
		case !slices.Contains(known, id):
			at.Fail("%q is no classifier of the study%s", id, config.DidYouMean(id, known))
		case len(columns) > 0 && !slices.Contains(columns, id):
			at.Fail("%s is not among the columns", id)
		case slices.Contains(ids[:i], id):
			at.Fail("%s is listed twice", id)
		}
	}
}

// fail records the reason why a table or figure is missing, at the key that caused it or else at
// the table or figure. A misfit of the inference is recorded at its key, if the study has it.
func (f *foresight) fail(m report.Missing) {
	err, at := m.Err, f.place(m.List, m.Index)
	if misfit := (*view.Misfit)(nil); errors.As(err, &misfit) {
		err = misfit.Cause
		if cause := f.root.Key("inference").Key(misfit.Key); cause.There() {
			cause.Fail("%s; required by %s", err, m.Path())
			return
		}
	}
	if mistake := (*view.Mistake)(nil); errors.As(err, &mistake) {
		at = misplaced(at, mistake)
	}
	at.Fail("%s", err)
}

// misplaced returns the place of a wrong value in the entry of a table or figure, or the entry if the
// value is not found.
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

// place returns the place of entry i of a list of tables or figures. Without such a key, as in the
// default layout, it is the nearest enclosing place.
func (f *foresight) place(list string, i int) config.Place {
	return f.root.Key("report").Key(list).Item(i)
}
