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

// A foresight collects what would stop a report, before anything runs.
type foresight struct {
	s    *Study
	root config.Place // of the study, where mistakes are reported
}

// Foresee reports what of a study's results could not be shown as it asks: it makes the
// report of made-up results.
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

// entry wants cells of the study and a family of its classifiers.
func (f *foresight) entry(list string, i int, where records.Condition, family, columns []string) {
	at := f.place(list, i)
	at.Key("where").CheckCondition(where, f.s.Factors)
	f.family(at.Key("family"), family, columns)
}

// inference wants classifiers of the study.
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

// Remarks says which metrics of a study that is foreseen no table of all cells can show,
// which classifiers readers could not tell apart, which figures would be hard to read in
// print, and what helps: a page of each speaks for all of them.
func (s *Study) Remarks() (remarks []string) {
	s = s.part()
	v := s.Layout.View(rehearsedStudy(s.Study), rehearsal(s.Study))
	for _, metric := range s.Metrics {
		if _, err := v.Measure(metric, "", v.Cells); err != nil {
			remarks = append(remarks, fmt.Sprintf("metrics: %s", err))
		}
	}
	remarks = append(remarks, s.lackedMetrics()...)
	called := map[string]string{} // the first classifier of each label
	for _, c := range v.Classifiers {
		label := v.Label(c.ID)
		if first, taken := called[label]; taken {
			remarks = append(remarks, fmt.Sprintf("classifiers %s and %s are both called %s: give one a label", first,
				c.ID, label))
		} else {
			called[label] = c.ID
		}
	}
	for _, o := range s.Layout.Figures {
		pictures, err := figure.Draw(v, o)
		if err != nil || len(pictures) == 0 {
			continue
		}
		for _, remark := range pictures[0].Remarks {
			remarks = append(remarks, fmt.Sprintf("figure %s: %s", o.Name, remark))
		}
	}
	return remarks
}

// lackedMetrics says which metrics need class probabilities that classifiers do not give.
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

// Mistakes puts what of a report could not be made beside its keys; nil: nothing.
func (s *Study) Mistakes(missing []report.Missing) error {
	f := foresight{s: s, root: s.Root()}
	for _, m := range missing {
		f.fail(m)
	}
	return f.root.Err()
}

// labels wants words for factors of the study, or for levels of them: of which there may
// be fewer than the file has, with --set.
func (f *foresight) labels(labels map[string]string) {
	names := records.FactorNames(f.s.Factors)
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		if name, _, _ := strings.Cut(key, "="); !slices.Contains(names, name) {
			at := f.root.Key("report").Key("labels").Key(key)
			at.Fail("%q is no factor of the study%s", name, config.DidYouMean(name, names))
		}
	}
}

// family wants ids of classifiers, each once, of the columns that are shown beside
// them; no columns are all.
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

// fail puts the reason why something is missing beside the key that it is about, or beside
// the whole table or figure. A misfit of the inference goes beside its own key, if the
// study gives one.
func (f *foresight) fail(m report.Missing) {
	err, at := m.Err, f.place(m.List, m.Index)
	if misfit := (*view.Misfit)(nil); errors.As(err, &misfit) {
		err = misfit.Cause
		if cause := f.root.Key("inference").Key(misfit.Key); cause.There() {
			cause.Fail("%s; asked for by %s", err, m.Path())
			return
		}
	}
	if mistake := (*view.Mistake)(nil); errors.As(err, &mistake) {
		at = misplaced(at, mistake)
	}
	at.Fail("%s", err)
}

// misplaced finds the value of an entry that fits nothing; the entry where none is it.
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

// place is that of a table or figure, or the nearest around it where the layout is the
// default one.
func (f *foresight) place(list string, i int) config.Place {
	return f.root.Key("report").Key(list).Item(i)
}
