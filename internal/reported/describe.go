package reported

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/exp/rand"

	"copse/classifiers"
	"copse/classifiers/classics"
	"copse/experiments/cluster"
	"copse/experiments/config"
	"copse/experiments/data"
	"copse/experiments/external"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/stream"
	"copse/experiments/study"
	"copse/generators"
	"copse/report/view"
	"copse/stats"
	"copse/stats/records"
	"copse/stats/verdicts"
)

// describeStudy returns the description of a study for its report page. Facts about data files come
// from the manifest, because the files may have moved.
func describeStudy(s *Study, f *results.Folder, selected *results.Selection) view.Study {
	stored := f.Manifest // nil if the folder has no manifest
	d := describeDesign(s.Study, stored)
	// The stored manifest may describe an older set of records than a new one.
	describeHistory(&d, f.NewManifest(selected))
	d.Sampling = samplings(s.Study, selected.Rows, stored)
	d.Aims = s.Author.Aims
	path := "results/" + baseName(f.Dir) // the page does not depend on the folders above the results
	d.ResultsDir = cluster.ShellWord(path)
	d.Commands = repeatCommands("copse run "+d.ResultsDir+"/"+folder.Study, path)
	if stored != nil {
		describeFiles(&d, s.Study, stored)
		if len(stored.Sessions) > 0 {
			describeLastRun(&d, f)
		}
	}
	return d
}

// describeFiles adds the numbers of rows and the classes of the data files to d.
func describeFiles(d *view.Study, s *study.Study, m *results.Manifest) {
	d.Data = append(d.Data, rowsOf(s, func(c *study.Cell) results.FileFacts {
		cell, _ := m.Cell(c.ID)
		return cell.FileFacts
	})...)
	for _, c := range m.Cells {
		if len(c.Classes) > 0 {
			d.Classes[c.ID] = c.Classes
		}
	}
}

// describeLastRun adds the machine and the software versions of the last session to d.
func describeLastRun(d *view.Study, f *results.Folder) {
	m := f.Manifest
	last := m.Sessions[len(m.Sessions)-1]
	p := last.Platform
	d.Machine = []view.Setting{
		{Name: "processor", Value: p.CPU},
		{Name: "cores", Value: fmt.Sprint(p.Cores)},
		{Name: "system", Value: p.OS + "/" + p.Arch},
	}
	d.Machine = addSetting(d.Machine, "programs", strings.Join(f.ProgramChanges(), "; ")) // only if versions changed
	d.Versions = []view.Setting{
		{Name: view.LastRun, Value: last.Day()},
		{Name: view.Revision, Value: p.Revision},
		{Name: "Go", Value: p.Go},
		{Name: "configuration SHA-256", Value: m.ConfigSHA256},
		{Name: "records SHA-256", Value: m.RecordsSHA256},
	}
}

// programsOf returns the last handshake of each external program, by specification. A handshake
// states the program's name, version and environment. m may be nil.
func programsOf(m *results.Manifest) map[string]external.Handshake {
	programs := map[string]external.Handshake{}
	if m == nil {
		return programs
	}
	for _, session := range m.Sessions {
		maps.Copy(programs, session.Programs)
	}
	return programs
}

// baseName returns the last element of the absolute path of dir.
func baseName(dir string) string {
	path, _ := filepath.Abs(dir) // fails only without a working directory
	return filepath.Base(path)
}

// repeatCommands returns the commands that repeat a study in a folder below again. run is the
// command that runs the study in its own folder.
func repeatCommands(run, dir string) []string {
	again := cluster.ShellWord("again/" + baseName(dir))
	return []string{run + " --out " + again, "copse report " + again}
}

// describeDesign describes the design of a study without its results. m is the manifest of the runs
// so far, or nil before the first run.
func describeDesign(s *study.Study, m *results.Manifest) view.Study {
	d := view.Study{
		Name:        s.Name,
		Title:       cmp.Or(s.Title, "Study "+s.Name),
		Source:      s.Source,
		Replicates:  s.Replicates,
		Seed:        fmt.Sprint(s.Seed),
		Data:        append(dataOf(s), setsOf(s.Cells)...),
		Generators:  generatorsOf(s.Cells, programsOf(m)),
		Classifiers: classifiersOf(s, m),
		Posteriors:  new(verdicts.Posteriors), // an empty cache for Bayesian tests
		Sampling:    samplings(s, nil, nil),   // as designed; describeStudy replaces it with the actual sampling
		Remarks:     map[string]string{},      // by cell id, like the next two maps
		Classes:     map[string][]string{},
		Problems:    map[string]string{},
	}
	if m != nil {
		describeHistory(&d, m)
	}
	// Each purpose, such as the bootstrap for one figure, has its own random stream.
	d.Random = func(purpose string) *rand.Rand { return stream.New(s.Seed, "", 0, "inference:"+purpose) }
	d.Factors = unlabelledFactors(s.Factors)
	describeCells(&d, s.Cells)
	return d
}

// unlabelledFactors returns the factors of a design and their levels, all without labels.
func unlabelledFactors(factors []records.Factor) (list []view.Factor) {
	for _, f := range factors {
		factor := view.Factor{Name: f.Name, Levels: map[string]string{}}
		for _, level := range f.Levels {
			factor.Levels[level] = "" // the level has no label
		}
		list = append(list, factor)
	}
	return list
}

// describeCells adds the classes, the source and the restrictions of each cell's data to d.
func describeCells(d *view.Study, cells []*study.Cell) {
	for _, c := range cells {
		d.Classes[c.ID] = c.Data.ClassNames()
		d.Problems[c.ID] = problemName(c.Data)
		if remark := restrictionRemark(c.Data); remark != "" { // some data sets must not be distributed
			d.Remarks[c.ID] = remark
		}
	}
}

// describeHistory adds changes in the number of replicates, unused results and retried fits to d.
func describeHistory(d *view.Study, m *results.Manifest) {
	d.Extensions = m.Extensions()
	d.Most = m.MostReplicates()
	d.Unused = results.OmittedInWords(m.Omitted)
	d.Retried = m.CountRetried()
}

// problemName returns the source of a cell's data: the name of a data set or generator, or a
// program's command.
func problemName(d *study.Data) string {
	switch {
	case d.FromFiles():
		return d.Source()
	case d.Program != nil:
		return strings.Join(d.Program.Command, " ")
	}
	return d.GeneratorName()
}

// restrictionRemark returns a sentence for each data set that must not be distributed.
func restrictionRemark(d *study.Data) string {
	var sentences []string
	for _, name := range d.Set {
		if set, ok := data.Lookup(name); ok && set.Restricted != "" {
			sentences = append(sentences, fmt.Sprintf("%s is not distributed: %s. To reproduce the results on this "+
				"data set, you need the file with the SHA-256 %s.", name, set.Restricted, set.Digest()))
		}
	}
	return strings.Join(sentences, " ")
}

// setsOf returns the citation, licence and digest of each registered data set that the cells use.
func setsOf(cells []*study.Cell) (list []view.Setting) {
	for _, c := range cells {
		for _, name := range c.Data.Set {
			if set, ok := data.Lookup(name); ok {
				list = view.AddNew(list, view.Setting{Name: name,
					Value: fmt.Sprintf("%s. Licence: %s. SHA-256 %s", set.Citation(), set.Licence, set.Digest())})
			}
		}
	}
	return list
}

// rowsOf describes the rows of each data file, as in "rows of iris: 150 rows, 4 columns, classes:
// ...". It omits files whose number of rows is unknown.
func rowsOf(s *study.Study, facts func(*study.Cell) results.FileFacts) (list []view.Setting) {
	for _, c := range s.Cells {
		file, source, testFiles := facts(c), c.Data.Source(), c.Data.OfficialTest()
		if file.Counts == nil {
			continue // the number of rows is unknown
		}
		if testFiles != "" {
			source += " and " + testFiles
		}
		text := rowsInWords(&file)
		if selection := c.Data.SelectionInWords(); selection != "" {
			text += "; read with " + selection
		}
		if folds := c.Data.Folds; folds > 0 {
			text += fmt.Sprintf("; %d folds, %s", folds, view.Plural(s.Replicates/folds, "repeat", "repeats"))
		}
		if testFiles != "" {
			text += fmt.Sprintf("; the %d rows of %s are the test rows", file.TestRows, testFiles)
		}
		described := addSetting(nil, "rows of "+source, text)
		described = addSetting(described, "remarks on "+source, strings.Join(file.Remarks, "; ")) // if any
		list = view.AddNew(list, described...)
	}
	return list
}

// rowsInWords describes a data file, as in "140 of 150 rows, 4 columns, 2 missing values, classes:
// setosa 33.3%, versicolor 33.3%, virginica 33.3%".
func rowsInWords(file *results.FileFacts) string {
	rows := stats.Sum(file.Counts)
	var shares []string
	for k, class := range file.Classes {
		shares = append(shares, fmt.Sprintf("%s %.1f%%", class, 100*float64(file.Counts[k])/float64(rows)))
	}
	text := fmt.Sprint(rows)
	if file.LeftOut > 0 {
		text += fmt.Sprintf(" of %d", rows+file.LeftOut)
	}
	text += " rows, " + view.Plural(file.Columns, "column", "columns")
	if file.Missing > 0 {
		text += ", " + view.Plural(file.Missing, "missing value", "missing values")
	}
	return text + ", classes: " + strings.Join(shares, ", ")
}

// generatorsOf describes the generators of the cells, each of them once. External programs can be
// generators.
func generatorsOf(cells []*study.Cell, programs map[string]external.Handshake) (list []view.Component) {
	known := map[string]bool{} // keyed by specification (name and parameters)
	for _, c := range cells {
		spec := c.Data.GeneratorSpec
		if known[spec] {
			continue
		}
		known[spec] = true
		generator, registered := generators.Registry.Lookup(c.Data.GeneratorName())
		switch {
		case registered:
			list = append(list, view.Component{ID: spec, Name: generator.Name,
				Version: strconv.Itoa(generator.Version),
				Summary: generator.Summary, Source: generator.Source,
				Params: settings(c.Data.Generator, generator.New())})
		case c.Data.Program != nil:
			list = append(list, program(c.Data.Program, programs))
		}
	}
	return list
}

// classifiersOf describes the classifiers of a study in the order of the study file. If a parameter
// or version differs between cells, the description lists all values.
func classifiersOf(s *study.Study, m *results.Manifest) (list []view.Component) {
	// In most cells, a classifier has the same variant and thus the same description.
	type variant struct {
		id             string
		recipe         string // settings in the study file
		recordedRecipe string // settings that computed the records; "" before a run
	}
	described := map[variant]bool{}
	hasOwnLabel := map[string]bool{} // by id: whether the study sets the label
	programs := programsOf(m)
	for _, c := range s.Cells {
		recorded, _ := m.Cell(c.ID) // empty before a run
		for _, e := range c.Classifiers {
			v := variant{id: e.ID, recipe: e.Spec, recordedRecipe: recorded.Classifiers[e.ID]}
			if described[v] {
				continue // list already contains this variant
			}
			described[v] = true
			hasOwnLabel[e.ID] = e.Label != ""
			description := component(e, programs)
			useRecordedVersion(&description, v.recipe, v.recordedRecipe)
			list = mergeClassifier(list, description)
		}
	}
	ids := s.ClassifierIDs()
	slices.SortStableFunc(list,
		func(a, b view.Component) int { return slices.Index(ids, a.ID) - slices.Index(ids, b.ID) })
	removeEqualLabels(list, hasOwnLabel)
	return list
}

// removeEqualLabels removes each default label that another classifier has, too. Reports then show the id. It
// keeps the labels that the study sets.
func removeEqualLabels(list []view.Component, hasOwnLabel map[string]bool) {
	count := map[string]int{} // of each label
	for _, c := range list {
		count[cmp.Or(c.Label, c.ID)]++
	}
	for i, c := range list {
		if count[c.Label] > 1 && !hasOwnLabel[c.ID] {
			list[i].Label = ""
		}
	}
}

// mergeClassifier adds a classifier to a list. If the list already contains this classifier with
// other parameter values, mergeClassifier joins the values, as in k = "3 or 5".
func mergeClassifier(list []view.Component, c view.Component) []view.Component {
	i := slices.IndexFunc(list, func(other view.Component) bool { return other.ID == c.ID })
	if i < 0 {
		return append(list, c)
	}
	listed := &list[i]
	if listed.Label != c.Label {
		listed.Label = severalNeighbours // only the label of k nearest neighbours, such as 5-NN, has a parameter
	}
	listed.Remark = cmp.Or(listed.Remark, c.Remark)
	listed.Version = orValue(listed.Version, c.Version)
	listed.Outdated = listed.Outdated || c.Outdated
	listed.Params = joinValues(listed.Params, c.Params)
	if listed.Software == nil {
		listed.Software = c.Software
	}
	if !slices.Equal(listed.Candidates, c.Candidates) {
		listed.Candidates = []string{} // no candidate applies to all cells
	}
	return list
}

// noValue is the value of a parameter in cells where the classifier lacks it.
const noValue = "none"

// joinValues adds the parameter values in b to the list a. If a parameter is 3 in a and 5 in b, its
// value becomes "3 or 5". If b lacks the parameter, its value becomes "3 or none".
func joinValues(a, b []view.Setting) []view.Setting {
	for i := range a {
		p := &a[i]
		inB := view.Setting{Value: noValue}
		if k := settingAt(b, p.Name); k >= 0 {
			inB = b[k]
		}
		p.Value = orValue(p.Value, inB.Value)
		p.Default = p.Default && inB.Default
	}
	for _, p := range b {
		if settingAt(a, p.Name) < 0 { // the parameter occurs only in b
			a = addSetting(a, p.Name, orValue(noValue, p.Value))
		}
	}
	return a
}

// settingAt returns the index of the setting with the given name, or -1 if there is none.
func settingAt(list []view.Setting, name string) int {
	return slices.IndexFunc(list, func(s view.Setting) bool { return s.Name == name })
}

// orValue adds a value to an enumeration such as "1 or 2", unless it is already there.
func orValue(values, value string) string {
	const or = " or "
	if slices.Contains(strings.Split(values, or), value) {
		return values
	}
	return values + or + value
}

// samplings describes how the replicates of each cell are sampled. The keys of the map are cell
// ids.
//
// The records in list contain the numbers of test rows. The manifest m contains the sizes of fixed
// splits. Both are nil before a run.
func samplings(s *study.Study, list []records.Record, m *results.Manifest) map[string]view.Sampling {
	testRows := testRowsOf(list)
	all := map[string]view.Sampling{}
	for _, c := range s.Cells {
		all[c.ID] = samplingOf(s, c, testRows[c.ID], m)
	}
	return all
}

// testRowsOf returns the numbers of test rows by cell and replicate.
func testRowsOf(rows []records.Record) map[string]map[int]int {
	tests := map[string]map[int]int{}
	for _, row := range rows {
		if tests[row.Cell] == nil {
			tests[row.Cell] = map[int]int{}
		}
		tests[row.Cell][row.Replicate] = row.NTest
	}
	return tests
}

// samplingOf describes how the replicates of a cell are sampled. testRows[i] is the number of test
// rows of replicate i. testRows and m are nil before a run.
func samplingOf(s *study.Study, c *study.Cell, testRows map[int]int, m *results.Manifest) view.Sampling {
	folds := c.Data.Folds
	sampling := view.Sampling{Source: c.Source(), Folds: folds}
	if c.Data.SameTest() { // all replicates have the same test rows
		sampling.OneDataSet, sampling.OneTestSet = true, true
		return sampling
	}
	if c.Data.Scored == study.TrainingRows { // the test rows are the training rows
		sampling.OneDataSet, sampling.OnTrainingRows, sampling.TestRatio = true, true, 1
		return sampling
	}
	sampling.DrawnProblems = folds > 1 && !c.Data.FromFiles() // the folds divide data sets drawn at random
	requested, isOneDataSet := requestedTestRatio(s, c)
	sampling.OneDataSet = isOneDataSet
	if isOneDataSet { // the actual ratio may differ from the requested one
		sampling.TestRatio = actualTestRatio(c, testRows, m, requested)
	}
	return sampling
}

// requestedTestRatio returns the number of test rows per training row that the study file requests.
// It applies to replicates that are folds or splits of one data set.
//
// If the replicates of a cell belong to several data sets, ratio is 0 and oneDataSet is false.
func requestedTestRatio(s *study.Study, c *study.Cell) (ratio float64, oneDataSet bool) {
	ratio, fromFiles := c.Data.Resampled()
	if fromFiles { // the replicates are folds or splits of the files
		return ratio, true
	}
	folds := c.Data.Folds
	if folds > 1 && s.Replicates <= folds { // the replicates are folds of the first generated data set
		return 1 / float64(folds-1), true // one fold is tested, and the others are the training rows
	}
	return 0, false
}

// actualTestRatio returns the ratio of test rows to training rows in a cell. If it is unknown, the
// result is the requested ratio.
func actualTestRatio(c *study.Cell, testRows map[int]int, m *results.Manifest, requested float64) float64 {
	split, _ := m.Cell(c.ID) // zero for a nil manifest
	if c.Data.Train.N > 0 {  // only some of the training rows are used
		split = results.ManifestCell{}
	}
	if ratio, ok := c.Data.MeasuredTestRatio(testRows, split.TrainRows+split.TestRows); ok {
		return ratio
	}
	if split.TrainRows > 0 {
		return float64(split.TestRows) / float64(split.TrainRows)
	}
	return requested
}

// program describes an external program by its command, files and parameters. If the map handshakes
// contains the program, its name, version and environment are added.
func program(p *external.Program, handshakes map[string]external.Handshake) view.Component {
	c := view.Component{ID: p.Spec(), Name: "external", Summary: cmp.Or(p.Adapter, "a program of the user")}
	c.Params = addSetting(c.Params, "command", strings.Join(p.Command, " "))
	c.Params = addSetting(c.Params, "files", strings.Join(p.Files, ", "))
	c.Params = addSetting(c.Params, "files' SHA-256", p.Digest)
	for _, name := range slices.Sorted(maps.Keys(p.Params)) {
		c.Params = addSetting(c.Params, name, fmt.Sprint(p.Params[name]))
	}
	if hello, ok := handshakes[p.Spec()]; ok {
		c.Summary = strings.TrimSpace(hello.Name + " " + hello.Version)
		for _, name := range slices.Sorted(maps.Keys(hello.Environment)) {
			c.Software = append(c.Software, view.Setting{Name: name, Value: hello.Environment[name]})
		}
	}
	return c
}

// component describes a classifier for the report: a built-in classifier, an external program or
// the oracle, which is the Bayes rule. handshakes contains what external programs state about
// themselves (see programsOf).
func component(e study.Entry, handshakes map[string]external.Handshake) view.Component {
	if e.Oracle() {
		return view.Component{ID: e.ID, Label: cmp.Or(e.Label, "Bayes"), Name: e.Name, Oracle: true,
			Summary: "the Bayes rule for the distribution of the data and the class proportions of the test rows, " +
				"with the smallest possible error"}
	}
	var c view.Component
	if e.Program != nil {
		c = program(e.Program, handshakes)
		c.ID, c.Label = e.ID, e.Label
	} else {
		c = builtIn(e)
	}
	c.Params = append(c.Params, preparation(e.Preparation)...) // steps such as imputation or class weights
	describeTuning(&c, e.Tuning)
	return c
}

// builtIn describes a classifier that is part of copse. The defaults belong to the classifier's
// version in the study.
func builtIn(e study.Entry) view.Component {
	spec, _ := classifiers.Registry.Lookup(e.Name)
	version := spec.VersionOf(e.Classifier)
	defaults, _ := spec.NewVersion(version) // no error, because the study has a classifier of this version
	return view.Component{
		ID:      e.ID,
		Label:   cmp.Or(e.Label, standardLabel(e, spec.Label)),
		Name:    e.Name,
		Version: strconv.Itoa(version),
		Summary: spec.Summary,
		Source:  spec.Source,
		Params:  settings(e.Classifier, defaults),
		Remark:  remark(e.Preparation), // how the class probabilities are calibrated
	}
}

// useRecordedVersion changes the description of a classifier if an earlier version computed the
// records. Recipes have a form such as knn/2{k=15}, where 2 is the version.
func useRecordedVersion(c *view.Component, recipe, recordedRecipe string) {
	if c.Version == "" {
		return // programs and the oracle have no version
	}
	_, parameters, _ := strings.Cut(recipe, "{")
	nameAndVersion, recordedParameters, _ := strings.Cut(recordedRecipe, "{")
	version, sameName := strings.CutPrefix(nameAndVersion, c.Name+"/")
	if !sameName || recordedParameters != parameters {
		return // the study has changed since the run, so these records are not in the report
	}
	if version == c.Version {
		return // the description is already right
	}
	c.Version, c.Outdated = version, true
	defaults := classifiers.Defaults(nameAndVersion)
	// Omit the parameters that the earlier version lacks.
	isNew := func(p view.Setting) bool { return p.Default && defaults[p.Name] == "" }
	c.Params = slices.DeleteFunc(c.Params, isNew)
	for i := range c.Params {
		if p := &c.Params[i]; p.Default {
			p.Value = defaults[p.Name]
		}
	}
}

// severalNeighbours is the label of nearest neighbours with several values of k.
const severalNeighbours = "k-NN"

// standardLabel returns a label with settings, such as "SVM (OVO, Platt)". It returns "" if the
// study sets an id, which reports then show.
func standardLabel(e study.Entry, label string) string {
	if e.ID != e.Name {
		return ""
	}
	switch c := e.Classifier.(type) {
	case *classics.KNN:
		label = neighbours(e.Tuning, c.K)
	case *classics.FiveNN:
		label = neighbours(e.Tuning, c.K)
	}
	if label == "" {
		return ""
	}
	return label + labelNote(e)
}

// neighbours returns the label of k nearest neighbours, such as "5-NN". If k is tuned, it returns
// severalNeighbours. t is nil if no parameter is tuned.
func neighbours(t *study.Tuning, k int) string {
	isK := func(r study.Range) bool { return r.Name == "k" }
	if t != nil && slices.ContainsFunc(t.Space, isK) {
		return severalNeighbours
	}
	return fmt.Sprintf("%d-NN", k)
}

// labelNote returns the tuning, multiclass rule and calibration in a label, such as " (OVO,
// Platt)". It returns "" if there are none.
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

// remark describes how class probabilities are calibrated and whether they determine the labels.
// Without calibration, it returns "".
func remark(p classifiers.Preparation) string {
	method := map[classifiers.Scaling]string{
		classifiers.PlattScaling:       "Platt scaling of the scores (Platt 1999; Lin et al. 2007)",
		classifiers.TemperatureScaling: "temperature scaling of the scores (Guo et al. 2017, with Platt's targets)",
	}[p.Probabilities]
	if method == "" {
		return ""
	}
	text := "probabilities by " + method + ", fitted by five-fold cross-validation of the training rows"
	switch {
	case len(p.Costs) > 0:
		text += "; the predicted label is the class with the smallest expected cost"
	case p.CalibratedLabels && p.Threshold == "": // a threshold would take precedence over the largest probability
		text += "; the predicted label is the class with the largest probability"
	}
	return text
}

// describeTuning changes the description c of a tuned classifier. It replaces the values of the
// tuned parameters with the candidate values, and describes the search. If t is nil, nothing is
// tuned, and c does not change.
func describeTuning(c *view.Component, t *study.Tuning) {
	if t == nil {
		return
	}
	c.Candidates = t.Values // the parameters of each candidate, as text
	for _, r := range t.Space {
		tuned := view.Setting{Name: r.Name, Value: "chosen inside each training set among " + r.Values}
		if at := settingAt(c.Params, r.Name); at >= 0 {
			c.Params[at] = tuned
		} else {
			c.Params = append(c.Params, tuned)
		}
	}
	search := view.Plural(len(t.Candidates), "candidate", "candidates")
	if len(t.Candidates) < t.Combinations {
		search = fmt.Sprintf("%d of the %d combinations, drawn at random", len(t.Candidates), t.Combinations)
	}
	if t.Halving {
		search = "successive halving (Jamieson and Talwalkar 2016) of " + search
	}
	c.Params = addSetting(c.Params, "tuned by", fmt.Sprintf("%s in %d-fold cross-validation of the training rows, %s",
		t.Metric.Name, t.Folds, search))
}

// preparation lists how a study prepares data for a classifier and adjusts its predictions.
// Examples are imputation, class weights and calibration.
func preparation(p classifiers.Preparation) (list []view.Setting) {
	list = addSetting(list, "discrete", strings.Join(p.Discrete, ", "))
	list = addSetting(list, "impute", string(p.Impute))
	list = addSetting(list, "prepare", p.Steps.String())
	list = addSetting(list, "multiclass", string(p.Multiclass))
	list = addSetting(list, "weights", cmp.Or(numbersOf("class", p.Weights.ByClass), p.Weights.String()))
	list = addSetting(list, "costs", costsInWords(p.Costs))
	if p.Threshold != "" {
		list = addSetting(list, "threshold", "chosen by "+p.Threshold)
	}
	list = addSetting(list, "probabilities", string(p.Probabilities))
	if p.CalibratedLabels {
		list = addSetting(list, "labels", "calibrated")
	}
	return list
}

// costsInWords describes costs of mistakes, as in `5 for class "ill" predicted as "well", 1 for
// other mistakes`.
func costsInWords(costs classifiers.Costs) (text string) {
	for _, truth := range slices.Sorted(maps.Keys(costs)) {
		text += numbersOf(fmt.Sprintf("class %q predicted as", truth), costs[truth]) + ", "
	}
	if text != "" {
		text += "1 for other mistakes"
	}
	return text
}

// numbersOf lists numbers by class, as in `5 for class "ill", 2 for class "well"`. phrase is the
// text between "for" and the name of a class, here "class".
func numbersOf(phrase string, byClass map[string]float64) string {
	var list []string
	for _, class := range slices.Sorted(maps.Keys(byClass)) {
		list = append(list, fmt.Sprintf("%v for %s %q", byClass[class], phrase, class))
	}
	return strings.Join(list, ", ")
}

// addSetting adds a setting to a list unless its value is "".
func addSetting(list []view.Setting, name, value string) []view.Setting {
	if value == "" {
		return list
	}
	return append(list, view.Setting{Name: name, Value: value})
}

// settings lists the parameters of a classifier or generator in a study, and marks default values.
// inStudy and defaults are pointers to the same struct type.
func settings(inStudy, defaults any) []view.Setting {
	var list []view.Setting
	standard := config.KeysOf(defaults)
	for i, p := range config.KeysOf(inStudy) {
		list = append(list, view.Setting{Name: p.Name, Value: p.Default, Default: p.Default == standard[i].Default})
	}
	return list
}

// dataOf describes the training and test data of a study. Settings of all cells come first. Settings of some cells
// follow, as in "depending on the cell: 30 + 30 (60); 50 + 50 (100)".
func dataOf(s *study.Study) (list []view.Setting) {
	for _, property := range []struct {
		name   string
		values func(*study.Data) []string // empty, or contains "", if the data do not have the property
	}{
		{"file", func(d *study.Data) []string { return []string{strings.Join(d.CSV, ", ")} }},
		{"official test set", func(d *study.Data) []string { return []string{d.OfficialTest()} }},
		{"training rows by class", func(d *study.Data) []string { return drawnRows(d, d.TrainCounts) }},
		{"test rows by class", func(d *study.Data) []string { return drawnRows(d, d.TestCounts) }},
		{"rows of a task by class", func(d *study.Data) []string { return drawnRows(d, d.SampleCounts) }},
		{"split", func(d *study.Data) []string { return []string{d.SplitInWords()} }},
		{"noise", (*study.Data).NoiseInWords},
	} {
		var values []string
		cells := map[string]int{} // number of cells with the value
		for _, c := range s.Cells {
			inCell := property.values(c.Data)
			values = view.AddNew(values, inCell...)
			for _, value := range inCell {
				cells[value]++
			}
		}
		isCommon := func(value string) bool { return value == "" || cells[value] == len(s.Cells) }
		differing := view.Without(values, isCommon)
		parts := view.Except(values, append(differing, "")...)
		if len(differing) > 0 {
			parts = append(parts, "depending on the cell: "+strings.Join(differing, "; "))
		}
		list = addSetting(list, property.name, strings.Join(parts, "; "))
	}
	return list
}

// drawnRows returns the numbers of rows by class and their sum, as in "30 + 30 (60)". For data from
// files, it returns nil.
func drawnRows(d *study.Data, classes []int) []string {
	if d.FromFiles() || len(classes) == 0 {
		return nil
	}
	var counts []string
	for _, n := range classes {
		counts = append(counts, fmt.Sprint(n))
	}
	return []string{fmt.Sprintf("%s (%d)", strings.Join(counts, " + "), stats.Sum(classes))}
}
