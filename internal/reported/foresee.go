package reported

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"copse/experiments/config"
	"copse/experiments/study"
	"copse/report"
	"copse/report/figure"
	"copse/report/view"
	"copse/stats/metrics"
	"copse/stats/records"
)

// A foresight collects what would stop a report, before anything runs.
type foresight struct {
	s *study.Study
	d *config.Decoder
}

// Foresee refuses a study whose results could not be reported as it asks: it makes the
// report of made-up results.
func Foresee(s *study.Study, layout report.Layout) error {
	f := foresight{s: s, d: s.Decoder()}
	f.inference(&layout.Inference)
	f.labels(layout.Labels)
	for i, o := range layout.Tables {
		f.entry("tables", i, o.Metric, o.Family, o.Columns)
	}
	for i, o := range layout.Figures {
		f.entry("figures", i, o.Metric, o.Family, o.Columns)
	}
	if f.d.Failed() {
		return f.d.Err()
	}
	made, err := rehearse(s, layout)
	if err != nil {
		return err
	}
	return Mistakes(s, made.Missing)
}

// entry wants a family of classifiers, and a metric that results will keep.
func (f *foresight) entry(list string, i int, metric string, family, columns []string) {
	path := report.Missing{List: list, Index: i}.Path()
	f.family(f.place(list, i, "family"), config.Join(path, "family"), family, columns)
	f.kept(list, i, metric)
}

// inference wants classifiers of the study.
func (f *foresight) inference(o *view.Inference) {
	section := f.s.Section("inference")
	if section == nil {
		return
	}
	f.family(config.Lookup(section, "family"), "inference.family", o.Family, nil)
	if o.Champion != "" {
		f.family(config.Lookup(section, "champion"), "inference.champion", []string{o.Champion}, nil)
	}
}

// Remarks says which metrics of a study that is foreseen no table of all cells can show,
// which classifiers readers could not tell apart, which figures would be hard to read in
// print, and what helps: a page of each speaks for all of them.
func Remarks(s *study.Study, layout report.Layout) (remarks []string) {
	v := layout.View(rehearsedStudy(s), rehearsal(s))
	for _, metric := range s.Metrics {
		if _, err := v.Measure(metric, "", v.Cells); err != nil {
			remarks = append(remarks, fmt.Sprintf("metrics: %s", err))
		}
	}
	for i, c := range v.Classifiers {
		if k := slices.IndexFunc(v.Classifiers, func(o view.Component) bool { return v.Label(o.ID) == v.Label(c.ID) }); k < i {
			remarks = append(remarks, fmt.Sprintf("classifiers %s and %s are both called %s: give one a label", v.Classifiers[k].ID, c.ID, v.Label(c.ID)))
		}
	}
	for _, o := range layout.Figures {
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

// Mistakes puts what of a report could not be made beside its keys; nil: nothing.
func Mistakes(s *study.Study, missing []report.Missing) error {
	f := foresight{s: s, d: s.Decoder()}
	for _, m := range missing {
		f.fail(m)
	}
	return f.d.Err()
}

// labels wants words for factors of the study, or for levels of them: of which there may
// be fewer than the file has, with --set.
func (f *foresight) labels(labels map[string]string) {
	names := records.FactorNames(f.s.Factors)
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		if name, _, _ := strings.Cut(key, "="); !slices.Contains(names, name) {
			f.d.Fail(config.Lookup(config.Lookup(f.s.Section("report"), "labels"), key), config.Join("report.labels", key), "%q is no factor of the study%s", name, config.DidYouMean(name, names))
		}
	}
}

// family wants ids of classifiers, each once, of the columns that are shown beside
// them; no columns are all.
func (f *foresight) family(at *yaml.Node, path string, ids, columns []string) {
	known := f.s.ClassifierIDs()
	for i, id := range ids {
		switch {
		case !slices.Contains(known, id):
			f.d.Fail(at, path, "%q is no classifier of the study%s", id, config.DidYouMean(id, known))
		case len(columns) > 0 && !slices.Contains(columns, id):
			f.d.Fail(at, path, "%s is not among the columns", id)
		case slices.Contains(ids[:i], id):
			f.d.Fail(at, path, "%s is listed twice", id)
		}
	}
}

// kept wants a metric that results will keep.
func (f *foresight) kept(list string, i int, metric string) {
	m, err := metrics.Lookup(metric)
	if err != nil || slices.Contains(f.s.Metrics, metric) || m.Needs != metrics.Probabilities && m.Needs != metrics.Scores {
		return
	}
	f.fail(report.Missing{List: list, Index: i, Err: view.Mistaken([]string{"metric"}, "",
		"results do not keep %s: add it to the study's metrics, metrics: [%[1]s]", metric)})
}

// fail puts the reason why something is missing beside the key that it is about, or beside
// the whole table or figure. A misfit of the inference goes beside its own key, if the
// study gives one.
func (f *foresight) fail(m report.Missing) {
	err := m.Err
	if misfit := (*view.Misfit)(nil); errors.As(err, &misfit) {
		err = misfit.Cause
		if section := f.s.Section("inference"); section != nil && config.Lookup(section, misfit.Key) != nil {
			f.d.Fail(config.Lookup(section, misfit.Key), "inference."+misfit.Key, "%s; asked for by %s", err, m.Path())
			return
		}
	}
	path, at := m.Path(), f.place(m.List, m.Index, "")
	if mistake := (*view.Mistake)(nil); errors.As(err, &mistake) {
		key := ""
		if at, key = misplaced(at, mistake); key != "" {
			path = config.Join(path, key)
		}
	}
	f.d.Fail(at, path, "%s", err)
}

// misplaced finds the key and the node of an entry that hold what fits nothing.
func misplaced(entry *yaml.Node, mistake *view.Mistake) (at *yaml.Node, key string) {
	for _, key := range mistake.Keys {
		value := config.Lookup(entry, key)
		if value == nil {
			continue
		}
		if mistake.Value == "" || value.Value == mistake.Value {
			return value, key
		}
		for _, item := range config.Resolve(value).Content {
			if item.Value == mistake.Value {
				return item, key
			}
		}
	}
	return entry, ""
}

// place is the node of a table's or figure's key, else the nearest around it.
func (f *foresight) place(list string, i int, key string) *yaml.Node {
	section := f.s.Section("report")
	if section == nil {
		return &yaml.Node{Line: 1, Column: 1} // the layout is the default one
	}
	entries := config.Lookup(section, list)
	if entries == nil {
		return section
	}
	if entries = config.Resolve(entries); i >= len(entries.Content) {
		return entries
	}
	entry := config.Resolve(entries.Content[i])
	if at := config.Lookup(entry, key); at != nil {
		return at
	}
	return entry
}
