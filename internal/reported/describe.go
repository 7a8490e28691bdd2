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

// describeStudy describes a study with results. The description of its data comes from the
// results, because the files of the data may have moved.
func describeStudy(s *Study, f *results.Folder, selected *results.Selection) view.Study {
	m := f.Manifest
	d := describeDesign(s.Study, s.Cells, programsOf(m))
	d.Sampling = samplings(s.Study, s.Cells, selected.Records, m)
	d.Aims, d.Extensions = s.Author.Aims, f.Extensions()
	d.Results = resultsOf(s.Study)
	d.Commands = []string{"copse run " + d.Results + "/" + folder.Study + " --out again/" + s.Name,
		"copse report again/" + s.Name}
	if m == nil {
		return d
	}
	d.Data = append(d.Data, rowsOf(s.Study, s.Cells, func(c *study.Cell) results.FileFacts {
		stored, _ := m.Cell(c.ID)
		return stored.FileFacts
	})...)
	for _, c := range m.Cells {
		if len(c.Classes) > 0 {
			d.Classes[c.ID] = c.Classes
		}
	}
	if len(m.Sessions) == 0 {
		return d
	}
	last := m.Sessions[len(m.Sessions)-1]
	p := last.Platform
	day, _, _ := strings.Cut(last.Started, "T")
	d.Machine = []view.Setting{{Name: "processor", Value: p.CPU}, {Name: "cores", Value: fmt.Sprint(p.Cores)},
		{Name: "system", Value: p.OS + "/" + p.Arch}}
	d.Machine = addSetting(d.Machine, "programs", strings.Join(f.ProgramChanges(), "; "))
	d.Versions = []view.Setting{
		{Name: view.LastRun, Value: day}, {Name: view.Revision, Value: p.Revision}, {Name: "Go", Value: p.Go},
		{Name: "configuration SHA-256", Value: m.ConfigSHA256},
		{Name: "records SHA-256", Value: m.RecordsSHA256},
	}
	return d
}

// programsOf returns the last name, version and environment that each external program reported, by the
// specification of the program. It is empty for a nil manifest.
func programsOf(m *results.Manifest) map[string]external.Hello {
	programs := map[string]external.Hello{}
	if m == nil {
		return programs
	}
	for _, session := range m.Sessions {
		maps.Copy(programs, session.Programs)
	}
	return programs
}

// resultsOf returns the default results folder of a study. Pages and protocols print this folder even if
// the results are elsewhere.
func resultsOf(s *study.Study) string { return "results/" + s.Name }

// describeDesign describes the design of a study with the given cells. programs is the result of
// programsOf; nil before the first run.
func describeDesign(s *study.Study, cells []*study.Cell, programs map[string]external.Hello) view.Study {
	d := view.Study{Name: s.Name, Title: cmp.Or(s.Title, "Study "+s.Name), Source: s.Source, Replicates: s.Replicates,
		Seed: fmt.Sprint(s.Seed), Data: append(dataOf(s), setsOf(cells)...), Generators: generatorsOf(cells, programs),
		Classifiers: classifiersOf(s, cells, programs), Posteriors: new(verdicts.Posteriors),
		Sampling: samplings(s, cells, nil, nil), Remarks: map[string]string{}, Classes: map[string][]string{},
		Problems: map[string]string{}}
	d.Random = func(name string) *rand.Rand { return stream.New(s.Seed, "", 0, "inference:"+name) }
	for _, f := range s.Factors {
		factor := view.Factor{Name: f.Name, Levels: map[string]string{}}
		for _, l := range f.Levels {
			factor.Levels[l] = ""
		}
		d.Factors = append(d.Factors, factor)
	}
	for _, c := range cells {
		d.Classes[c.ID], d.Problems[c.ID] = c.Data.ClassNames(), problem(c.Data)
		if remark := restrictions(c.Data); remark != "" {
			d.Remarks[c.ID] = remark
		}
	}
	return d
}

// problem returns the name of the data set, program or generator of the data, without
// parameters.
func problem(d *study.Data) string {
	switch {
	case d.FromFiles():
		return d.Source()
	case d.Program != nil:
		return strings.Join(d.Program.Command, " ")
	}
	return d.GeneratorName()
}

// restrictions returns a sentence for each data set that copse must not distribute; "" without
// any.
func restrictions(d *study.Data) string {
	var sentences []string
	for _, name := range d.Set {
		if set, ok := data.Lookup(name); ok && set.Restricted != "" {
			sentences = append(sentences, fmt.Sprintf("%s is not distributed: %s. To repeat its numbers, you need the "+
				"file with the SHA-256 %s.", name, set.Restricted, set.Digest()))
		}
	}
	return strings.Join(sentences, " ")
}

// setsOf returns the citation, licence and digest of each registered data set of the cells.
func setsOf(cells []*study.Cell) (list []view.Setting) {
	for _, c := range cells {
		for _, name := range c.Data.Set {
			set, ok := data.Lookup(name)
			if !ok || settingAt(list, name) >= 0 {
				continue
			}
			list = append(list, view.Setting{Name: name,
				Value: fmt.Sprintf("%s. Licence: %s. SHA-256 %s", set.Citation(), set.Licence, set.Digest())})
		}
	}
	return list
}

// rowsOf describes the rows of the files that cells read, once for each: "150 rows, 4 columns,
// classes: setosa 33.3%, versicolor 33.3%, virginica 33.3%; 5 folds, 10 repeats". facts returns the
// known facts of the files of a cell. Files with unknown rows are left out.
func rowsOf(s *study.Study, cells []*study.Cell, facts func(*study.Cell) results.FileFacts) (list []view.Setting) {
	for _, c := range cells {
		file, name := facts(c), "rows of "+c.Data.Source()
		if file.Counts == nil || settingAt(list, name) >= 0 {
			continue
		}
		rows := 0
		for _, n := range file.Counts {
			rows += n
		}
		var shares []string
		for k, class := range file.Classes {
			shares = append(shares, fmt.Sprintf("%s %.1f%%", class, 100*float64(file.Counts[k])/float64(rows)))
		}
		text := fmt.Sprintf("%d rows, %s, classes: %s", rows, view.Plural(file.Columns, "column", "columns"),
			strings.Join(shares, ", "))
		if folds := c.Data.Folds; folds > 0 {
			text += fmt.Sprintf("; %d folds, %s", folds, view.Plural(s.Replicates/folds, "repeat", "repeats"))
		}
		list = addSetting(list, name, text)
	}
	return list
}

// generatorsOf returns the generators of the cells, and the programs that draw data.
func generatorsOf(cells []*study.Cell, programs map[string]external.Hello) (list []view.Component) {
	add := func(id string, describe func() view.Component) {
		if !slices.ContainsFunc(list, func(c view.Component) bool { return c.ID == id }) {
			list = append(list, describe())
		}
	}
	for _, c := range cells {
		spec := c.Data.GeneratorSpec()
		if g, ok := generators.Registry.Lookup(c.Data.GeneratorName()); ok {
			add(spec, func() view.Component {
				return view.Component{ID: spec, Name: g.Name, Version: g.Version, Summary: g.Summary, Source: g.Source,
					Params: settings(c.Data.Generator, g.New())}
			})
		} else if p := c.Data.Program; p != nil {
			add(p.Spec(), func() view.Component { return program(p, programs) })
		}
	}
	return list
}

// classifiersOf returns the classifiers of the cells in the order of the study. A classifier
// whose parameters depend on factors is one component with the values of all cells.
func classifiersOf(s *study.Study, cells []*study.Cell, programs map[string]external.Hello) (list []view.Component) {
	described := map[[2]string]bool{} // by id and recipe
	for _, c := range cells {
		for _, e := range c.Classifiers {
			if recipe := [2]string{e.ID, e.Spec}; !described[recipe] {
				described[recipe] = true
				list = withClassifier(list, component(e, programs))
			}
		}
	}
	ids := s.ClassifierIDs()
	slices.SortStableFunc(list,
		func(a, b view.Component) int { return slices.Index(ids, a.ID) - slices.Index(ids, b.ID) })
	return list
}

// withClassifier adds a classifier to a list. If the list has it, with the parameters of other
// cells, withClassifier adds the new values to its parameters.
func withClassifier(list []view.Component, c view.Component) []view.Component {
	i := slices.IndexFunc(list, func(o view.Component) bool { return o.ID == c.ID })
	if i < 0 {
		return append(list, c)
	}
	o := &list[i]
	if o.Label != c.Label {
		o.Label = "k-NN" // the only label that depends on a parameter
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

// noValue is the value of a setting that some cells do not have.
const noValue = "none"

// settingAt returns the index of the named setting; -1 if there is none.
func settingAt(list []view.Setting, name string) int {
	return slices.IndexFunc(list, func(s view.Setting) bool { return s.Name == name })
}

// orValue adds a value to a list such as "1 or 2", unless the list has it.
func orValue(named, value string) string {
	const or = " or "
	if slices.Contains(strings.Split(named, or), value) {
		return named
	}
	return named + or + value
}

// samplings describes how the replicates of each cell were sampled, by the identity of the cell. It takes
// the sizes of folds from the records and other numbers of rows from the manifest. Both may be nil.
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

// samplingOf describes how the replicates of one cell were sampled. tests has the number of test rows of
// each replicate.
func samplingOf(s *study.Study, c *study.Cell, tests map[int]int, m *results.Manifest) view.Sampling {
	if c.Data.SameTest() {
		return view.Sampling{OneSet: true, Source: c.Source(), FixedTest: true}
	}
	if c.Data.Scored == study.TrainingRows {
		return view.Sampling{OneSet: true, Source: c.Source(), Folds: c.Data.Folds, Share: 1, Training: true}
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

// splitRows returns the numbers of training and test rows of the split of a cell. It returns 0 and 0 if
// the manifest does not have them, or if train.n uses only a part of the training rows.
func splitRows(c *study.Cell, m *results.Manifest) (train, test int) {
	if c.Data.Train.N > 0 {
		return 0, 0
	}
	kept, _ := m.Cell(c.ID) // zero in a nil manifest
	return kept.TrainRows, kept.TestRows
}

// program describes an external program by its command and files. If the program has run, the description
// also has the name, version and environment that it reported.
func program(p *external.Program, programs map[string]external.Hello) view.Component {
	c := view.Component{ID: p.Spec(), Name: "external", Summary: cmp.Or(p.Adapter, "a program of the user")}
	c.Params = addSetting(c.Params, "command", strings.Join(p.Command, " "))
	c.Params = addSetting(c.Params, "files", strings.Join(p.Files, ", "))
	c.Params = addSetting(c.Params, "files' SHA-256", p.Digest)
	for _, name := range slices.Sorted(maps.Keys(p.Params)) {
		c.Params = addSetting(c.Params, name, fmt.Sprint(p.Params[name]))
	}
	if hello, ok := programs[p.Spec()]; ok {
		c.Summary = strings.TrimSpace(hello.Name + " " + hello.Version)
		for _, name := range slices.Sorted(maps.Keys(hello.Environment)) {
			c.Params = append(c.Params, view.Setting{Name: name, Value: hello.Environment[name], Default: true})
		}
	}
	return c
}

// component describes a classifier of a study: a program, the oracle or one of the registry.
func component(e study.Entry, programs map[string]external.Hello) view.Component {
	if e.Oracle() {
		return view.Component{ID: e.ID, Label: cmp.Or(e.Label, "Bayes"), Name: e.Name, Oracle: true,
			Summary: "the Bayes rule of the drawn problem, which has the smallest possible error"}
	}
	var c view.Component
	if e.Program != nil {
		c = program(e.Program, programs)
		c.ID, c.Label = e.ID, e.Label
	} else {
		spec, _ := classifiers.Registry.Lookup(e.Name)
		c = view.Component{ID: e.ID, Label: cmp.Or(e.Label, standardLabel(e, spec.Label)), Name: e.Name,
			Version: spec.VersionOf(e.Classifier), Summary: spec.Summary, Source: spec.Source,
			Params: settings(e.Classifier, spec.New()), Remark: remark(e.Preparation)}
	}
	c.Params = append(c.Params, preparation(e.Preparation)...)
	describeTuning(&c, e.Tuning)
	return c
}

// standardLabel returns the label of a classifier of the registry that has none in the study,
// such as "SVM (OVO, Platt)"; "" if the study gives it an id, which then serves as its label.
func standardLabel(e study.Entry, label string) string {
	if e.ID != e.Name {
		return ""
	}
	if knn, is := e.Classifier.(*classics.KNN); is {
		label = fmt.Sprintf("%d-NN", knn.K)
	}
	if label == "" {
		return ""
	}
	return label + labelNote(e)
}

// labelNote returns the part of a label for the wrappers of a classifier, such as
// " (OVO, Platt)"; "" without any.
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
		text += "; labels have the largest probability"
	}
	return text
}

// describeTuning replaces the values of tuned parameters by the candidate values, and adds how
// tuning chooses. A nil t changes nothing.
func describeTuning(c *view.Component, t *study.Tuning) {
	if t == nil {
		return
	}
	for _, r := range t.Space {
		tuned := view.Setting{Name: r.Name, Value: "chosen inside each training set among " + r.Values}
		if at := settingAt(c.Params, r.Name); at >= 0 {
			c.Params[at] = tuned
		} else {
			c.Params = append(c.Params, tuned)
		}
	}
	c.Params = addSetting(c.Params, "tuned by", fmt.Sprintf("%s in %d-fold cross-validation of the training rows, %d "+
		"candidates", t.Metric.Name, t.Folds, len(t.Candidates)))
}

// preparation lists the steps between the data and the classifier, and the wrappers around it.
func preparation(p classifiers.Preparation) (list []view.Setting) {
	list = addSetting(list, "discrete", strings.Join(p.Discrete, ", "))
	list = addSetting(list, "impute", string(p.Impute))
	list = addSetting(list, "prepare", p.Steps.String())
	list = addSetting(list, "multiclass", string(p.Multiclass))
	list = addSetting(list, "weights", p.Weights.String())
	if len(p.Costs) > 0 {
		list = addSetting(list, "costs", fmt.Sprint(p.Costs))
	}
	if p.Threshold != "" {
		list = addSetting(list, "threshold", "chosen by "+p.Threshold)
	}
	list = addSetting(list, "probabilities", string(p.Probabilities))
	if p.CalibratedLabels {
		list = addSetting(list, "labels", "calibrated")
	}
	return list
}

// addSetting adds a setting to a list unless its value is "".
func addSetting(list []view.Setting, name, value string) []view.Setting {
	if value == "" {
		return list
	}
	return append(list, view.Setting{Name: name, Value: value})
}

// settings lists the parameters of a classifier or generator. It marks values that are equal to
// the defaults.
func settings(made, defaults any) []view.Setting {
	var list []view.Setting
	standard := config.KeysOf(defaults)
	for i, p := range config.KeysOf(made) {
		list = append(list, view.Setting{Name: p.Name, Value: p.Default, Default: p.Default == standard[i].Default})
	}
	return list
}

// dataOf describes the training and test data of a study. Each setting has the different values
// of all cells.
func dataOf(s *study.Study) []view.Setting {
	var list []view.Setting
	add := func(name string, valuesOf func(*study.Data) []string) {
		var values []string
		for _, c := range s.Cells {
			for _, v := range valuesOf(c.Data) {
				if v != "" {
					values = view.AddNew(values, v)
				}
			}
		}
		list = addSetting(list, name, strings.Join(values, "; "))
	}
	// Numbers of rows are known in advance only for data that are drawn.
	addRows := func(name string, rowsOf func(*study.Data) []int) {
		add(name, func(d *study.Data) []string {
			if d.FromFiles() {
				return nil
			}
			return []string{counts(rowsOf(d))}
		})
	}
	add("file", func(d *study.Data) []string { return []string{strings.Join(d.CSV, ", ")} })
	addRows("training rows by class", func(d *study.Data) []int { return d.TrainCounts })
	addRows("test rows by class", func(d *study.Data) []int { return d.TestCounts })
	addRows("rows of a task by class", func(d *study.Data) []int { return d.SampleCounts })
	add("split", func(d *study.Data) []string { return []string{d.SplitInWords()} })
	add("noise", (*study.Data).NoiseInWords)
	return list
}

// counts returns rows per class with their sum, such as "30 + 30 (60)"; "" without rows.
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
