package reported

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"copse/experiments/config"
	"copse/report"
	"copse/report/table"
	"copse/report/view"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
)

// A reportCheck checks, before a run, whether the report of a study can be made.
type reportCheck struct {
	s    *Study
	root config.Place // top level of the study file; it collects the errors
}

// CheckReport returns an error if the report of the study cannot be made. It checks names in the
// study file and makes a report from made-up results.
func (s *Study) CheckReport() error {
	layout := &s.Layout
	f := reportCheck{s: s, root: s.Root()}
	f.checkInference(&layout.Inference)
	f.checkLabels(layout.Labels)
	for i, o := range layout.Tables {
		f.checkLayoutItem("tables", i, o.Where, o.Family, o.Columns)
		f.checkExact(f.valueOf("tables", i).Key("test"), o.Test)
	}
	for i, o := range layout.Figures {
		f.checkLayoutItem("figures", i, o.Where, o.Family, o.Columns)
	}
	if f.root.Failed() {
		return f.root.Err()
	}
	_, err := s.rehearse()
	return s.Locate(err)
}

// checkLayoutItem checks the factors, levels and classifiers of item i in the list "tables" or
// "figures". The classifiers in family must also be in columns, unless columns is empty.
func (f *reportCheck) checkLayoutItem(list string, i int, where records.Condition, family, columns []string) {
	at := f.valueOf(list, i)
	at.Key("where").CheckCondition(where, f.s.Factors)
	f.checkClassifiers(at.Key("family"), family, columns)
}

// checkInference checks the classifiers and tests in the section "inference" of the study file.
func (f *reportCheck) checkInference(o *view.Inference) {
	section := f.root.Key("inference")
	f.checkClassifiers(section.Key("family"), o.Family, nil)
	f.checkClassifiers(section.Key("fallback"), view.Except([]string{o.Fallback}, ""), nil)
	f.checkClassifiers(section.Key("champion"), view.Except([]string{o.Champion}, ""), nil)
	f.checkOracle(section.Key("champion"), o)
	f.checkExact(section.Key("test"), o.Test)
}

// checkOracle adds an error if the oracle is the champion but is omitted from the tests of a table.
func (f *reportCheck) checkOracle(champion config.Place, o *view.Inference) {
	leavesOut := func(t table.Options) bool { return t.Bold && t.Contrast == "" && len(t.Family) == 0 }
	design := describeDesign(f.s.Study, nil)
	if len(o.Family) == 0 && design.Component(o.Champion).Oracle && slices.ContainsFunc(f.s.Layout.Tables, leavesOut) {
		champion.Fail("tests leave out the oracle; add it to `family` under `inference` or in each table, or name " +
			"another champion")
	}
}

// checkExact adds an error if an exact signed-rank test would compare more than stats.MaxExactPairs
// results of a cell. The test is not valid for cells with a single data set.
func (f *reportCheck) checkExact(at config.Place, test string) {
	n := 0 // largest number of independent results of a cell
	for _, c := range f.s.Cells {
		if s := samplingOf(f.s.Study, c, nil, nil); !s.OneDataSet {
			n = max(n, f.s.Replicates/max(1, s.Folds)) // all folds of a drawn data set give one result
		}
	}
	if test == "signed-rank-exact" && n > stats.MaxExactPairs {
		at.Fail("%s compares at most %d results of a cell, not %d; use `signed-rank`", test, stats.MaxExactPairs, n)
	}
}

// checkLabels checks the keys of labels, which have the form FACTOR, FACTOR=LEVEL or METRIC. It
// accepts unknown levels and unused metrics, because --set may have removed them.
func (f *reportCheck) checkLabels(labels map[string]string) {
	names := slices.Concat(records.FactorNames(f.s.Factors), metrics.Names())
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		factor, _, _ := strings.Cut(key, "=")
		_, noMetric := metrics.Lookup(key)
		if noMetric != nil && !slices.Contains(names, factor) {
			at := f.root.Key("report").Key("labels").Key(key)
			at.Fail("%q is neither a factor of the study nor a metric%s", factor, config.DidYouMean(factor, names))
		}
	}
}

// checkClassifiers adds an error if a classifier in a list is not in the study, is not in columns,
// or is listed twice. Empty columns allow all classifiers.
func (f *reportCheck) checkClassifiers(at config.Place, ids, columns []string) {
	known := f.s.ClassifierIDs()
	for i, id := range ids {
		switch {
		case !slices.Contains(known, id):
			at.Fail("%q is not a classifier of the study%s", id, config.DidYouMean(id, known))
		case len(columns) > 0 && !slices.Contains(columns, id):
			at.Fail("%s is not in `columns`; add it there", id)
		case slices.Contains(ids[:i], id):
			at.Fail("%s is listed twice", id)
		}
	}
}

// Locate adds the position in the study file to an error of report.Make if a key of the section
// "inference" caused it.
func (s *Study) Locate(err error) error {
	misfit, ok := errors.AsType[*view.Misfit](err)
	if !ok {
		return err
	}
	key := s.Root().Key("inference").Key(misfit.Key)
	key.Find(misfit.Value).Fail("%s", misfit.Cause)
	return key.Err()
}

// MissingError returns an error that lists the missing tables and figures, with their positions in
// the study file, or nil if there are none.
func (s *Study) MissingError(missing []report.Missing) error {
	f := reportCheck{s: s, root: s.Root()}
	for _, m := range missing {
		f.fail(m)
	}
	return f.root.Err()
}

// fail adds an error for a table or figure that cannot be made.
func (f *reportCheck) fail(m report.Missing) {
	if figures, isDefault := f.defaultFigure(m); isDefault {
		figures.Fail("%s; this is the default figure, which `report.figures` replaces", m.Err)
		return
	}
	misfit, ok := errors.AsType[*view.Misfit](m.Err)
	if !ok {
		f.wrongPlace(m).Fail("%s", m.Err)
		return
	}
	if option := f.root.Key("inference").Key(misfit.Key); option.Exists() {
		option.Fail("%s; required by `%s`", misfit.Cause, m.Path())
		return
	}
	f.wrongPlace(m).Fail("%s", misfit.Cause)
}

// defaultFigure returns the position of the key report.figures. The result ok is true if m is the
// default figure, used without this key, and one of its options is wrong. A wrong metric does not
// count, because it comes from the first table.
func (f *reportCheck) defaultFigure(m report.Missing) (figures config.Place, ok bool) {
	figures = f.root.Key("report").Key("figures")
	wrong, isOption := errors.AsType[*view.BadOption](m.Err)
	isOption = isOption && !slices.Contains(wrong.Keys, "metric")
	return figures, m.List == "figures" && !figures.Exists() && isOption
}

// wrongPlace returns the position of the value that made a table or figure fail or, if this value is
// unknown, of the table or figure.
func (f *reportCheck) wrongPlace(m report.Missing) config.Place {
	entry := f.valueOf(m.List, m.Index)
	if m.List == "figures" && !f.root.Key("report").Key("figures").Exists() {
		entry = f.valueOf("tables", 0) // the default figure shows the metric of the first table
	}
	if wrong, ok := errors.AsType[*view.BadOption](m.Err); ok {
		return wrongValue(entry, wrong)
	}
	return entry
}

// wrongValue returns the position of the wrong value in entry, the settings of a table or figure. If
// entry lacks the value, wrongValue returns entry.
func wrongValue(entry config.Place, wrong *view.BadOption) config.Place {
	for _, key := range wrong.Keys {
		value := entry.Key(key)
		if !value.Exists() {
			continue
		}
		if wrong.Value == "" {
			return value
		}
		if found := value.Find(wrong.Value); found.Text() == wrong.Value {
			return found
		}
	}
	return entry
}

// valueOf returns the position of item i of a list, "tables" or "figures", in the study file. A
// missing item has the line of the enclosing section.
func (f *reportCheck) valueOf(list string, i int) config.Place {
	return f.root.Key("report").Key(list).Item(i)
}
