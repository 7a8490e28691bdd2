package reported

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"copse/experiments/config"
	"copse/experiments/published"
	"copse/experiments/study"
	"copse/report"
	"copse/report/figure"
	"copse/report/sheet"
	"copse/report/table"
	"copse/report/view"
	"copse/stats/metrics"
)

// A foresight finds what would stop a report, before anything runs: it makes the
// tables and figures of a rehearsal.
type foresight struct {
	s *study.Study
	d *config.Decoder
	v *view.View
}

// Foresee refuses a study whose results could not be reported as it asks.
func Foresee(s *study.Study, layout report.Layout) error {
	rows := rehearsal(s)
	f := foresight{s: s, d: s.Decoder(), v: view.New(rehearsedStudy(s), rows, layout.Inference)}
	if section := f.s.Section("inference"); section != nil {
		f.family(config.Lookup(section, "family"), "inference.family", layout.Inference.Family, nil)
		if id := layout.Inference.Champion; id != "" {
			f.family(config.Lookup(section, "champion"), "inference.champion", []string{id}, nil)
		}
	}
	f.labels(layout.Labels)
	for i, o := range layout.Tables {
		f.family(f.place("tables", i, "family"), config.Join(pathOf("tables", i), "family"), o.Family, o.Columns)
	}
	for i, o := range layout.Figures {
		f.family(f.place("figures", i, "family"), config.Join(pathOf("figures", i), "family"), o.Family, o.Columns)
	}
	if f.d.Failed() {
		return f.d.Err()
	}
	files := map[string]string{}
	for i, o := range layout.Tables {
		if f.kept("tables", i, o.Metric) {
			_, err := table.New(f.v, o)
			f.fail("tables", i, "", err)
			f.distinct(files, "tables", i, o.Name)
			if o.Matrix {
				f.distinct(files, "tables", i, o.Name+"-matrix")
			}
		}
	}
	for i, o := range layout.Figures {
		if f.kept("figures", i, o.Metric) {
			pictures, err := figure.Draw(f.v, o)
			f.fail("figures", i, "", err)
			for _, p := range pictures {
				f.distinct(files, "figures", i, p.Name)
			}
		}
	}
	f.published()
	return f.d.Err()
}

// Remarks says which metrics of a study that is foreseen no table of all cells can show,
// which classifiers readers could not tell apart, which figures would be hard to read in
// print, and what helps: a page of each speaks for all of them.
func Remarks(s *study.Study, layout report.Layout) (remarks []string) {
	v := view.New(rehearsedStudy(s), rehearsal(s), layout.Inference)
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
		f.fail(m.List, m.Index, "", m.Err)
	}
	return f.d.Err()
}

// labels wants words for factors of the study, or for levels of them: of which there may
// be fewer than the file has, with --set.
func (f *foresight) labels(labels map[string]string) {
	names := f.v.FactorNames()
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
func (f *foresight) kept(list string, i int, metric string) bool {
	before := f.d.Mistakes()
	if m, err := metrics.Lookup(metric); err == nil && (m.Needs == metrics.Probabilities || m.Needs == metrics.Scores) && !slices.Contains(f.s.Metrics, metric) {
		f.fail(list, i, "metric", fmt.Errorf("results do not keep %s: add it to the study's metrics, metrics: [%s]", metric, metric))
	}
	return f.d.Mistakes() == before
}

// distinct wants a file of its own for a table's matrix and a figure's page, which append
// to the names that the layout holds apart.
func (f *foresight) distinct(files map[string]string, list string, i int, name string) {
	file := list + "/" + strings.ToLower(sheet.SafeName(name))
	if other, taken := files[file]; taken {
		f.fail(list, i, "name", fmt.Errorf("%q would be a file of %s, too; give it another name", name, other))
	}
	files[file] = pathOf(list, i)
}

// fail puts an error beside the key of a table or figure, or beside the whole; a
// misfit of the inference beside its own, if the study gives one.
func (f *foresight) fail(list string, i int, key string, err error) {
	if err == nil {
		return
	}
	var misfit *view.Misfit
	if errors.As(err, &misfit) {
		err = misfit.Cause
		if section := f.s.Section("inference"); section != nil && config.Lookup(section, misfit.Key) != nil {
			f.d.Fail(config.Lookup(section, misfit.Key), "inference."+misfit.Key, "%s; asked for by %s", err, pathOf(list, i))
			return
		}
	}
	path, at := pathOf(list, i), f.place(list, i, key)
	if mistake := (*view.Mistake)(nil); errors.As(err, &mistake) {
		if at, key = misplaced(at, mistake); key != "" {
			path = config.Join(path, key)
		}
	} else if key != "" {
		path = config.Join(path, key)
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

func pathOf(list string, i int) string { return fmt.Sprintf("report.%s[%d]", list, i) }

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

// published wants tables that can be read, with columns that the study explains.
func (f *foresight) published() {
	tables, err := published.Tables(f.s)
	if err != nil {
		return // whoever reads the study says so
	}
	for i := range tables {
		if _, _, err := tables[i].Counterparts(f.v.Records, func(string) float64 { return 0 }); err != nil {
			section := config.Resolve(f.s.Section("published"))
			f.d.Fail(section.Content[i], fmt.Sprintf("published[%d]", i), "%s", err)
		}
	}
}
