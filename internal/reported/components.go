package reported

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"copse/classifiers"
	"copse/classifiers/classics"
	"copse/experiments/config"
	"copse/experiments/external"
	"copse/experiments/results"
	"copse/experiments/study"
	"copse/generators"
	"copse/report/view"
)

// programsOf returns the last handshake of each external program, keyed by specification. The
// manifest m may be nil.
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

// generatorsOf describes the generators of the cells, each of them once.
func generatorsOf(cells []*study.Cell, programs map[string]external.Handshake) (list []view.Component) {
	known := map[string]bool{} // keyed by specification
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

// classifiersOf describes the classifiers of a study in the order of the study file. If an earlier
// version of a classifier computed the records, its description is of that version. If a parameter
// or version differs between cells, the description lists all values, as in k = "3 or 5".
func classifiersOf(s *study.Study, m *results.Manifest) (list []view.Component) {
	type variant struct { // usually the same in all cells
		id             string
		recipe         string // settings in the study file
		recordedRecipe string // settings that computed the records; "" before a run
	}
	described := map[variant]bool{}  // variants that list already contains
	hasOwnLabel := map[string]bool{} // by id: whether the study sets the label
	programs := programsOf(m)
	for _, c := range s.Cells {
		recorded, _ := m.Cell(c.ID) // empty before a run
		for _, e := range c.Classifiers {
			v := variant{id: e.ID, recipe: e.Spec, recordedRecipe: recorded.Classifiers[e.ID]}
			if described[v] {
				continue
			}
			described[v] = true
			hasOwnLabel[e.ID] = e.Label != ""
			description := component(e, programs)
			describeRecordedVersion(&description, v.recipe, v.recordedRecipe)
			list = addOrJoin(list, description)
		}
	}
	ids := s.ClassifierIDs()
	slices.SortStableFunc(list,
		func(a, b view.Component) int { return slices.Index(ids, a.ID) - slices.Index(ids, b.ID) })
	removeEqualLabels(list, hasOwnLabel)
	return list
}

// removeEqualLabels removes each default label that another classifier has, too. Reports then show
// the id.
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

// addOrJoin adds the description of a classifier to a list. If the list already contains the
// classifier, addOrJoin joins the parameter values, as in k = "3 or 5".
func addOrJoin(list []view.Component, c view.Component) []view.Component {
	i := slices.IndexFunc(list, func(other view.Component) bool { return other.ID == c.ID })
	if i < 0 {
		return append(list, c)
	}
	listed := &list[i]
	if listed.Label != c.Label {
		listed.Label = severalNeighbours // only the label of k nearest neighbours has a parameter
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
		inB := view.Setting{Value: noValue} // if b lacks the parameter
		if k := settingAt(b, p.Name); k >= 0 {
			inB = b[k]
		}
		p.Value = orValue(p.Value, inB.Value)
		p.Default = p.Default && inB.Default
	}
	for _, p := range b {
		if settingAt(a, p.Name) < 0 {
			a = addSetting(a, p.Name, orValue(noValue, p.Value))
		}
	}
	return a
}

// orValue adds a value to an enumeration such as "1 or 2", unless it is already there.
func orValue(values, value string) string {
	const or = " or "
	if slices.Contains(strings.Split(values, or), value) {
		return values
	}
	return values + or + value
}

// component describes a classifier for the report: a built-in classifier, an external program or
// the oracle, which is the Bayes rule. handshakes contains what external programs state about
// themselves (see programsOf).
func component(e study.Entry, handshakes map[string]external.Handshake) view.Component {
	if e.Oracle() {
		return view.Component{ID: e.ID, Label: cmp.Or(e.Label, "Bayes"), Name: e.Name, Oracle: true,
			Summary: "the Bayes rule for the distribution of the data and the class proportions of the test rows, " +
				"with the smallest expected error"}
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

// program describes an external program by its command, files and parameters, and by its handshake,
// if known.
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

// builtIn describes a classifier that is part of copse. It marks the parameters that equal the
// defaults of its version.
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
		Remark:  remark(e.Preparation),
	}
}

// describeRecordedVersion changes the description of a classifier if an earlier version computed the
// records. recipe is the current recipe of the classifier, and recordedRecipe is the one in the
// records. Recipes have a form such as knn/2{k=15}, where 2 is the version.
func describeRecordedVersion(c *view.Component, recipe, recordedRecipe string) {
	if c.Version == "" {
		return // programs and the oracle have no version
	}
	_, parameters, _ := strings.Cut(recipe, "{")
	nameAndVersion, recordedParameters, _ := strings.Cut(recordedRecipe, "{")
	version, sameName := strings.CutPrefix(nameAndVersion, c.Name+"/")
	if !sameName || recordedParameters != parameters || version == c.Version {
		return // another recipe, or the current version
	}
	c.Version, c.Outdated = version, true
	defaults := classifiers.Defaults(nameAndVersion)
	// A parameter without a default in the earlier version did not exist then.
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

// standardLabel returns a label with settings, such as "SVM (OVO, Platt)", or "" if the study sets an
// id, which reports then show.
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

// neighbours returns the label of k nearest neighbours, such as "5-NN", or "k-NN" if tuning chooses
// k. Without tuning, t is nil.
func neighbours(t *study.Tuning, k int) string {
	isK := func(r study.Range) bool { return r.Name == "k" }
	if t != nil && slices.ContainsFunc(t.Space, isK) {
		return severalNeighbours
	}
	return fmt.Sprintf("%d-NN", k)
}

// labelNote returns the end of a label, such as " (OVO, Platt)", which names the tuning, the
// multiclass rule and the calibration. Without these, it is "".
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

// remark describes how class probabilities are calibrated, if they are, and whether they determine
// the labels.
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
	case p.CalibratedLabels && p.Threshold == "": // a threshold would determine the labels
		text += "; the predicted label is the class with the largest probability"
	}
	return text
}

// describeTuning adds the search t for the best parameters to the description c of a classifier. It
// replaces the value of each tuned parameter with the candidate values. t is nil without tuning.
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

// numbersOf lists the number of each class, as in `5 for class "ill", 2 for class "well"`. In this
// example, phrase is "class".
func numbersOf(phrase string, byClass map[string]float64) string {
	var list []string
	for _, class := range slices.Sorted(maps.Keys(byClass)) {
		list = append(list, fmt.Sprintf("%v for %s %q", byClass[class], phrase, class))
	}
	return strings.Join(list, ", ")
}

// settings lists the parameters of a classifier or generator that have an effect in a study, and marks
// default values. inStudy and defaults are pointers to the same struct type.
func settings(inStudy, defaults any) []view.Setting {
	var list []view.Setting
	standard, keys := config.KeysOf(defaults), config.KeysOf(inStudy)
	for i, p := range keys {
		if hasEffect(p, keys) {
			list = append(list, view.Setting{Name: p.Name, Value: p.Default, Default: p.Default == standard[i].Default})
		}
	}
	return list
}

// hasEffect reports whether the values of all keys satisfy the condition key.If.
func hasEffect(key config.Key, keys []config.Key) bool {
	other, values, isConditional := strings.Cut(key.If, "=")
	if !isConditional {
		return true
	}
	i := slices.IndexFunc(keys, func(k config.Key) bool { return k.Name == other })
	return slices.Contains(strings.Split(values, "|"), keys[i].Default)
}
