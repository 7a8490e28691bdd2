package reported

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/exp/rand"

	"copse/classifiers"
	"copse/classifiers/classics"
	"copse/experiments/config"
	"copse/experiments/data"
	"copse/experiments/external"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/generators"
	"copse/report/view"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// describeStudy tells the report what was run: of data that were read, what the
// results keep of them, for the files may be elsewhere.
func describeStudy(s *Study, f *results.Folder, selected *results.Selection) view.Study {
	m := f.Manifest
	said := map[string]external.Hello{} // by programs of themselves, the last time
	if m != nil {
		for _, session := range m.Sessions {
			maps.Copy(said, session.Programs)
		}
	}
	d := describeDesign(s.Study, s.Cells, said)
	d.Sampling = samplings(s.Study, s.Cells, selected.Records, m)
	if m != nil {
		for _, c := range m.Cells {
			if len(c.Classes) > 0 {
				d.Classes[c.ID] = c.Classes
			}
		}
	}
	d.Aims, d.Extensions = s.Author.Aims, f.Extensions()
	d.Results = resultsOf(s.Study)
	d.Commands = []string{"copse run " + d.Results + "/" + folder.Study + " --out again/" + s.Name,
		"copse report again/" + s.Name}
	if m != nil && len(m.Sessions) > 0 {
		last := m.Sessions[len(m.Sessions)-1]
		p := last.Platform
		day, _, _ := strings.Cut(last.Started, "T")
		d.Machine = []view.Setting{{Name: "processor", Value: p.CPU}, {Name: "cores", Value: fmt.Sprint(p.Cores)},
			{Name: "system", Value: p.OS + "/" + p.Arch}}
		if changes := f.ProgramChanges(); len(changes) > 0 {
			d.Machine = append(d.Machine, view.Setting{Name: "programs", Value: strings.Join(changes, "; ")})
		}
		d.Versions = []view.Setting{
			{Name: view.LastRun, Value: day}, {Name: view.Revision, Value: p.Revision}, {Name: "Go", Value: p.Go},
			{Name: "configuration SHA-256", Value: m.ConfigSHA256},
			{Name: "records SHA-256", Value: m.RecordsSHA256},
		}
	}
	return d
}

// resultsOf is where run puts results: what a page or a protocol says is the same
// wherever they lie.
func resultsOf(s *study.Study) string { return "results/" + s.Name }

// describeDesign tells what a study file says, of its own cells or of others beside
// them; said is what programs said of themselves.
func describeDesign(s *study.Study, cells []*study.Cell, said map[string]external.Hello) view.Study {
	d := view.Study{Name: s.Name, Title: cmp.Or(s.Title, "Study "+s.Name), Source: s.Source, Replicates: s.Replicates,
		Seed: fmt.Sprint(s.Seed), Data: dataOf(s)}
	for _, f := range s.Factors {
		factor := view.Factor{Name: f.Name, Levels: map[string]string{}}
		for _, l := range f.Levels {
			factor.Levels[l] = ""
		}
		d.Factors = append(d.Factors, factor)
	}
	d.Random = func(name string) *rand.Rand { return stream.New(s.Seed, "", 0, "inference:"+name) }
	d.Posteriors = new(verdicts.Posteriors)
	d.Sampling, d.Remarks, d.Classes = samplings(s, cells, nil, nil), map[string]string{}, map[string][]string{}
	d.Problems = map[string]string{}
	seen := map[string]bool{}
	for _, c := range cells {
		d.Classes[c.ID], d.Problems[c.ID] = c.Data.ClassNames(), problem(c.Data)
		for _, name := range c.Data.Set {
			set, ok := data.Lookup(name)
			if ok && set.Restricted != "" {
				text := fmt.Sprintf("%s is not distributed: %s. Its numbers can be repeated by whoever has the file "+
					"of SHA-256 %s.", name, set.Restricted, set.Digest())
				d.Remarks[c.ID] = strings.TrimSpace(d.Remarks[c.ID] + " " + text)
			}
			if ok && !seen["set "+name] {
				seen["set "+name] = true
				d.Data = append(d.Data, view.Setting{Name: name,
					Value: fmt.Sprintf("%s. Licence: %s. SHA-256 %s", set.Citation(), set.Licence, set.Digest())})
			}
		}
		if g, ok := generators.Registry.Lookup(c.Data.GeneratorName()); ok && !seen[c.Data.GeneratorSpec()] {
			seen[c.Data.GeneratorSpec()] = true
			d.Generators = append(d.Generators, view.Component{ID: c.Data.GeneratorSpec(), Name: g.Name,
				Version: g.Version, Summary: g.Summary, Source: g.Source, Params: settings(c.Data.Generator, g.New())})
		} else if p := c.Data.Program; p != nil && !seen[p.Spec()] {
			seen[p.Spec()] = true
			d.Generators = append(d.Generators, program(p, said))
		}
		for _, e := range c.Classifiers {
			if recipe := "classifier " + e.ID + " " + e.Spec; !seen[recipe] {
				seen[recipe] = true
				d.Classifiers = withClassifier(d.Classifiers, component(e, said))
			}
		}
	}
	ids := s.ClassifierIDs()
	slices.SortStableFunc(d.Classifiers,
		func(a, b view.Component) int { return slices.Index(ids, a.ID) - slices.Index(ids, b.ID) })
	return d
}

// problem names the data set or the generator that data come from, whatever its parameters are.
func problem(d *study.Data) string {
	switch {
	case d.FromFiles():
		return d.Source()
	case d.Program != nil:
		return strings.Join(d.Program.Command, " ")
	}
	return d.GeneratorName()
}

// withClassifier adds a classifier to a list. One that is there has other parameters in other
// cells, as factors vary them: the values of all are named.
func withClassifier(list []view.Component, c view.Component) []view.Component {
	i := slices.IndexFunc(list, func(o view.Component) bool { return o.ID == c.ID })
	if i < 0 {
		return append(list, c)
	}
	o := &list[i]
	if o.Label != c.Label {
		o.Label = "k-NN" // the one label that follows a parameter
	}
	o.Remark = cmp.Or(o.Remark, c.Remark)
	for k := range o.Params {
		p := &o.Params[k]
		other := view.Setting{Value: noValue}
		if at := settingAt(c.Params, p.Name); at >= 0 {
			other = c.Params[at]
		}
		p.Value, p.Default = orValue(p.Value, other.Value), p.Default && other.Default
	}
	for _, p := range c.Params {
		if settingAt(o.Params, p.Name) < 0 {
			p.Value = orValue(noValue, p.Value)
			o.Params = append(o.Params, p)
		}
	}
	return list
}

// noValue is that of a setting which some cells do not have.
const noValue = "none"

func settingAt(list []view.Setting, name string) int {
	return slices.IndexFunc(list, func(s view.Setting) bool { return s.Name == name })
}

// orValue adds a value to those that are named, once.
func orValue(named, value string) string {
	const or = " or "
	if slices.Contains(strings.Split(named, or), value) {
		return named
	}
	return named + or + value
}

// samplings returns how the replicates of each cell came about, by the cell's identity. The
// sizes of folds come from the records, other numbers of rows from the manifest; both may be
// nil.
func samplings(s *study.Study, cells []*study.Cell, rows *records.Records,
	m *results.Manifest) map[string]view.Sampling {
	tests := testRows(rows)
	all := map[string]view.Sampling{}
	for _, c := range cells {
		all[c.ID] = samplingOf(s, c, tests[c.ID], m)
	}
	return all
}

// testRows returns the number of test rows by cell and replicate.
func testRows(r *records.Records) map[string]map[int]int {
	tests := map[string]map[int]int{}
	if r == nil {
		return tests
	}
	for _, row := range r.Rows {
		if tests[row.Cell] == nil {
			tests[row.Cell] = map[int]int{}
		}
		tests[row.Cell][row.Replicate] = row.NTest
	}
	return tests
}

// samplingOf returns how the replicates of one cell came about; tests has the number of test
// rows by replicate.
func samplingOf(s *study.Study, c *study.Cell, tests map[int]int, m *results.Manifest) view.Sampling {
	if c.Data.SameTest() {
		return view.Sampling{OneSet: true, Source: c.Source(), FixedTest: true}
	}
	share, oneSet := c.Data.Resampled()
	if folds := c.Data.Folds; !oneSet && folds > 1 && folds >= s.Replicates {
		share, oneSet = 1/float64(folds-1), true // a generator drew one task, the only data set
	}
	if oneSet {
		train, test := splitRows(c, m)
		if train > 0 {
			share = float64(test) / float64(train)
		}
		if measured, ok := c.Data.MeasuredShare(tests, train+test); ok {
			share = measured
		}
	}
	return view.Sampling{Folds: c.Data.Folds, Drawn: c.Data.Folds > 1 && !c.Data.FromFiles(), OneSet: oneSet,
		Source: c.Source(), Share: share}
}

// splitRows returns the numbers of rows on both sides of a cell's split; 0 and 0 if the
// manifest lacks them. Where train.n takes a part of the training side, it has only the part.
func splitRows(c *study.Cell, m *results.Manifest) (train, test int) {
	if c.Data.Train.N > 0 {
		return 0, 0
	}
	kept, _ := m.Cell(c.ID) // zero in a nil manifest
	return kept.TrainRows, kept.TestRows
}

// program tells what a program is, as far as it said so when it ran.
func program(p *external.Program, said map[string]external.Hello) view.Component {
	c := view.Component{ID: p.Spec(), Name: "external", Summary: cmp.Or(p.Adapter, "a program of the study's own"),
		Params: []view.Setting{{Name: "command", Value: strings.Join(p.Command, " ")}}}
	add := func(name, value string) {
		if value != "" {
			c.Params = append(c.Params, view.Setting{Name: name, Value: value})
		}
	}
	add("files", strings.Join(p.Files, ", "))
	add("files' SHA-256", p.Digest)
	for _, name := range slices.Sorted(maps.Keys(p.Params)) {
		add(name, fmt.Sprint(p.Params[name]))
	}
	if hello, ok := said[p.Spec()]; ok {
		c.Summary = strings.TrimSpace(hello.Name + " " + hello.Version)
		for _, name := range slices.Sorted(maps.Keys(hello.Environment)) {
			c.Params = append(c.Params, view.Setting{Name: name, Value: hello.Environment[name], Default: true})
		}
	}
	return c
}

func component(e study.Entry, said map[string]external.Hello) view.Component {
	if e.Program != nil {
		c := program(e.Program, said)
		c.ID, c.Label, c.Params = e.ID, e.Label, append(c.Params, preparation(e.Preparation)...)
		describeTuning(&c, e.Tuning)
		return c
	}
	c := view.Component{ID: e.ID, Label: e.Label, Name: e.Name, Oracle: e.Oracle()}
	if c.Oracle {
		c.Summary = "the Bayes rule of the drawn problem: the floor"
		if c.Label == "" {
			c.Label = "Bayes"
		}
		return c
	}
	spec, _ := classifiers.Registry.Lookup(e.Name)
	if c.Label == "" && e.ID == e.Name {
		c.Label = spec.Label
		if knn, is := e.Classifier.(*classics.KNN); is {
			c.Label = fmt.Sprintf("%d-NN", knn.K)
		}
	}
	c.Version, c.Summary, c.Source = spec.VersionOf(e.Classifier), spec.Summary, spec.Source
	c.Params = append(settings(e.Classifier, spec.New()), preparation(e.Preparation)...)
	describeTuning(&c, e.Tuning)
	if c.Label != "" && e.Label == "" {
		c.Label += labelNote(e)
	}
	c.Remark = remark(e.Preparation)
	return c
}

// labelNote returns what the wrappers of an entry add to its label: " (OVO, Platt)".
func labelNote(e study.Entry) string {
	var notes []string
	p := e.Preparation
	if e.Tuning != nil {
		notes = append(notes, "tuned")
	}
	if p.Multiclass != "" {
		notes = append(notes, strings.ToUpper(string(p.Multiclass)))
	}
	switch p.Probabilities {
	case classifiers.PlattScaling:
		notes = append(notes, "Platt")
	case classifiers.TemperatureScaling:
		notes = append(notes, "temperature")
	}
	if len(notes) == 0 {
		return ""
	}
	return " (" + strings.Join(notes, ", ") + ")"
}

// remark returns a sentence about calibrated probabilities, "" without them.
func remark(p classifiers.Preparation) string {
	text := ""
	switch p.Probabilities {
	case classifiers.PlattScaling:
		text = "probabilities by Platt scaling of the scores (Platt 1999; Lin et al. 2007)"
	case classifiers.TemperatureScaling:
		text = "probabilities by temperature scaling of the scores (Guo et al. 2017)"
	default:
		return ""
	}
	text += ", fitted by five-fold cross-validation of the training rows"
	if p.CalibratedLabels {
		text += "; labels are those of the largest probability"
	}
	return text
}

// describeTuning replaces the values of tuned parameters by those among which tuning
// chooses.
func describeTuning(c *view.Component, t *study.Tuning) {
	if t == nil {
		return
	}
	for _, r := range t.Space {
		values := "chosen inside each training set among " + r.Values
		if at := settingAt(c.Params, r.Name); at >= 0 {
			c.Params[at] = view.Setting{Name: r.Name, Value: values}
		} else {
			c.Params = append(c.Params, view.Setting{Name: r.Name, Value: values})
		}
	}
	c.Params = append(c.Params, view.Setting{Name: "tuned by", Value: fmt.Sprintf(
		"%s in %d-fold cross-validation of the training rows, %d candidates", t.Metric.Name, t.Folds,
		len(t.Candidates))})
}

// preparation lists what happens to the data before the recipe sees them.
func preparation(p classifiers.Preparation) (list []view.Setting) {
	if len(p.Discrete) > 0 {
		list = append(list, view.Setting{Name: "discrete", Value: strings.Join(p.Discrete, ", ")})
	}
	if p.Impute != "" {
		list = append(list, view.Setting{Name: "impute", Value: string(p.Impute)})
	}
	if len(p.Steps) > 0 {
		list = append(list, view.Setting{Name: "prepare", Value: p.Steps.String()})
	}
	if p.Multiclass != "" {
		list = append(list, view.Setting{Name: "multiclass", Value: string(p.Multiclass)})
	}
	if len(p.Costs) > 0 {
		list = append(list, view.Setting{Name: "costs", Value: fmt.Sprint(p.Costs)})
	}
	if p.Threshold != "" {
		list = append(list, view.Setting{Name: "threshold", Value: "chosen by " + p.Threshold})
	}
	if p.Probabilities != "" {
		list = append(list, view.Setting{Name: "probabilities", Value: string(p.Probabilities)})
	}
	if p.CalibratedLabels {
		list = append(list, view.Setting{Name: "labels", Value: "calibrated"})
	}
	return list
}

// settings lists a recipe's parameters and marks those left at their default.
func settings(made, defaults any) []view.Setting {
	var list []view.Setting
	standard := config.KeysOf(defaults)
	for i, p := range config.KeysOf(made) {
		list = append(list, view.Setting{Name: p.Name, Value: p.Default, Default: p.Default == standard[i].Default})
	}
	return list
}

// dataOf says what the trials of a study are trained and tested on.
func dataOf(s *study.Study) []view.Setting {
	var list []view.Setting
	add := func(name string, of func(*study.Data) []string) {
		var values []string
		seen := map[string]bool{"": true}
		for _, c := range s.Cells {
			for _, v := range of(c.Data) {
				if !seen[v] {
					seen[v], values = true, append(values, v)
				}
			}
		}
		if len(values) > 0 {
			list = append(list, view.Setting{Name: name, Value: strings.Join(values, "; ")})
		}
	}
	add("file", func(d *study.Data) []string { return []string{strings.Join(d.CSV, ", ")} })
	// of files neither is known where they are not
	drawn := func(rows func(*study.Data) []int) func(*study.Data) []string {
		return func(d *study.Data) []string {
			if d.FromFiles() {
				return nil
			}
			return []string{counts(rows(d))}
		}
	}
	add("training rows by class", drawn(func(d *study.Data) []int { return d.TrainCounts }))
	add("test rows by class", drawn(func(d *study.Data) []int { return d.TestCounts }))
	add("rows of a task by class", drawn(func(d *study.Data) []int { return d.SampleCounts }))
	add("split", func(d *study.Data) []string { return []string{d.SplitInWords()} })
	add("noise", (*study.Data).NoiseInWords)
	return list
}

// counts writes rows per class with their sum.
func counts(rows []int) string {
	if len(rows) == 0 {
		return ""
	}
	sum := 0
	var each []string
	for _, n := range rows {
		sum += n
		each = append(each, fmt.Sprint(n))
	}
	return fmt.Sprintf("%s (%d)", strings.Join(each, " + "), sum)
}
