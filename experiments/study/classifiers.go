package study

import (
	"fmt"
	"slices"
	"strconv"

	"copse/classifiers"
	"copse/experiments/config"
	"copse/experiments/data"
	"copse/experiments/external"
	"copse/stats/dataset"
	"copse/stats/dataset/prepare"
	"copse/stats/records"
)

const oracleName = "oracle"

// An Entry is one item of a study's classifier list: a classifier with its parameters.
type Entry struct {
	ID         string
	Name       string                 // a built-in classifier or an adapter, or "oracle" or "external"
	Label      string                 // name in tables; "": the id
	Spec       string                 // canonical text of all settings; results depend on it
	Classifier classifiers.Classifier // nil for the oracle and for programs
	Program    *external.Program      // nil for built-in classifiers

	Preparation classifiers.Preparation // preparation of the data before the fit; a part of Spec
	Tuning      *Tuning                 // nil if nothing is tuned; a part of Spec

	only               records.Condition // the cells in which the entry runs
	tunesProbabilities bool              // tuning chooses the value of the key "probabilities"
	index              int               // position in the study's list, starting at 0
}

// Oracle reports whether the entry is the oracle classifier, which uses the true class densities.
func (e *Entry) Oracle() bool { return e.Name == oracleName }

// LacksProbabilities reports whether the entry is a built-in classifier without class
// probabilities. The abilities of external programs are unknown before they start.
func (e *Entry) LacksProbabilities() bool {
	spec, builtin := classifiers.Registry.Lookup(e.Name)
	return builtin && !spec.Probabilities && e.Preparation.Probabilities == "" && !e.tunesProbabilities
}

// codesIndicators reports whether a preparation step or a built-in classifier replaces discrete
// attributes with indicators.
func (e *Entry) codesIndicators() bool {
	spec, _ := classifiers.Registry.Lookup(e.Name)
	makesIndicators := func(s prepare.Step) bool { return s.Encode == "onehot" || s.Encode == "dummy" }
	return spec.Indicators || slices.ContainsFunc(e.Preparation.Steps, makesIndicators)
}

// sharedKeys defines the keys that most classifiers accept.
type sharedKeys struct {
	naming
	preparing
	deciding
	tuningKeys
}

type naming struct {
	// the name of a classifier (see `copse list classifiers`)
	Classifier string `param:"classifier" required:"yes"`
	// name in the records; by default, the name of the classifier
	ID string `param:"id" plain:"true" name:"true"`
	// name in tables and figures; by default, the `id`. If the `id` is only the name of the
	// classifier, the default is the usual name of the method, such as 5-NN
	Label string `param:"label" plain:"true"`
	// runs the classifier only in cells with these levels, such as `{data_set: [iris, glass]}`
	Only records.Condition `param:"only" node:"mapping of factors to lists of levels"`
}

// calibratedLabels is a value of the key "labels". copse then predicts the class with the largest
// calibrated probability.
const calibratedLabels = "calibrated"

type preparing struct {
	// numeric attributes that this classifier treats as discrete
	Discrete []string `param:"discrete"`
	// imputes missing values, based on the training rows
	Impute dataset.Imputation `param:"impute" enum:"mean,median,knn"`

	// preparation steps of this classifier, which replace the steps of the study. `[]` means no
	// steps. The steps come after `discrete` and `impute`, in the given order, and are fitted to
	// the training rows
	Prepare prepare.Steps `param:"prepare"`

	// reduces problems with more than two classes to two-class problems: `ovo` fits every pair of classes,
	// and `ovr` fits each class against all others
	Multiclass classifiers.Multiclass `param:"multiclass" enum:"ovo,ovr"`
	// computes class probabilities from scores. `platt`: fits a sigmoid for each pair of classes.
	// `temperature`: multiplies all scores by one fitted factor, which keeps their order unless it
	// is 0. Both use five-fold cross-validation on the training rows, so six fits are needed
	// instead of one
	Probabilities classifiers.Scaling `param:"probabilities" enum:"platt,temperature"`
	// with `probabilities: platt`: the class to predict. `own` (the default): the class that the
	// classifier chooses. `calibrated`: the class with the largest calibrated probability
	Labels string `param:"labels" enum:"own,calibrated"`
}

// pinning defines the key "version" of a built-in classifier. For an external program, this key has
// another meaning.
type pinning struct {
	// version of the classifier; by default, the newest version. With an older version, results
	// that were computed with it stay valid
	Version int `param:"version" range:"[1,inf)"`
}

// NewClassifier returns a built-in classifier for use outside a study. Each element of params has
// the form key=value, with the same keys as in a study file.
func NewClassifier(name string, params []string) (Entry, error) {
	const flag, nameKey = "classifier", "classifier" // --classifier gives the value of the key "classifier"
	item, err := itemOfFlags(flag, nameKey, name, params)
	if err != nil {
		return Entry{}, err
	}
	r := reader{root: item}
	// Errors have the path that the item would have in a study file.
	e := r.decodeEntry(item.WithPath("classifiers."+name), name)
	if err := item.Err(); err != nil {
		return Entry{}, err
	}
	problem := ""
	switch {
	case e.Oracle():
		problem = "the oracle works in studies only, because it needs a generator with known densities"
	case e.Tuning != nil:
		problem = "`tune` works in studies only; give fixed parameter values"
	}
	if problem != "" {
		return Entry{}, &config.Error{Origin: "--classifier " + name, Msg: problem}
	}
	return *e, nil
}

// CheckNames returns an error if a parameter of a classifier from NewClassifier names a class or an
// attribute that the training rows do not have.
func (e *Entry) CheckNames(train *dataset.Set) error {
	at := config.NewMapping("--param").WithPath(e.Name)
	d := &Data{Files: data.Files{CSV: []string{"the training file"}}, File: &data.File{Rows: train}}
	checkDecisionIn(at, *e, d)
	checkDiscreteIn(at, *e, d.attributes())
	return at.Err()
}

// itemOfFlags returns a mapping that describes a classifier or generator as in a study file. The
// mapping contains the name, which the given flag sets, under the key nameKey. It also contains
// params, whose elements have the form key=value. External programs are not allowed.
func itemOfFlags(flag, nameKey, name string, params []string) (config.Place, error) {
	if name == externalName || name == externalCSVName || adapterNamed(name) != nil {
		return config.Place{}, &config.Error{Origin: "--" + flag + " " + name, Msg: fmt.Sprintf(
			"external %ss work in studies only; to test one alone, use `copse try FILE`", flag)}
	}
	item, err := config.Pairs("--"+flag+" "+name, params)
	if err != nil {
		return item, err
	}
	if given := item.Key(nameKey); given.Exists() {
		given.Fail("is not a parameter; use `--%[1]s` to name the %[1]s", flag)
	}
	item.SetText(nameKey, name, "")
	return item, item.Err()
}

// A candidate is an item of the study's classifier list. An item with a reference such as $factor
// is decoded for each cell. Other items are decoded once.
type candidate struct {
	at           config.Place
	hasReference bool
	entry        *Entry // nil after an error; if hasReference is true, only decodeInCell sets it
}

func (r *reader) candidates() []candidate {
	list := r.Classifiers
	if !list.IsList() || list.IsEmpty() {
		list.Fail("want a list of at least one classifier, got %s", list.Describe())
		return nil
	}
	var all []candidate
	for _, at := range list.Items() {
		id := classifierID(at)
		c := candidate{at: at.WithPath(entryPath(id)), hasReference: at.HasReference()}
		if !c.hasReference {
			c.entry = r.decodeEntry(c.at, id)
		}
		all = append(all, c)
	}
	return all
}

func (r *reader) itemOf(e Entry) config.Place {
	return r.Classifiers.Items()[e.index].WithPath(entryPath(e.ID))
}

func entryPath(id string) string {
	if id == "" {
		return "classifiers"
	}
	return "classifiers." + id
}

// decodeInCell returns a copy of the candidate c, decoded with the levels of one cell in place of
// references such as $factor. In the copy, entry is nil if the candidate has errors or does not run
// in the cell.
func (r *reader) decodeInCell(c candidate, chosen combination) candidate {
	if r.isExcluded(c, chosen) {
		return c // entry is nil; the candidate may refer to factors that the cell does not have
	}
	errorsBefore := r.root.ErrorCount()
	resolved := r.substitute(c.at, chosen)
	if r.root.ErrorCount() > errorsBefore {
		return c
	}
	id := classifierID(resolved) // the id may have contained a reference
	path := entryPath(id)        // for error messages
	c.entry = r.decodeEntry(resolved.WithPath(path), id)
	c.at = c.at.WithPath(path)
	return c
}

// isExcluded reports whether the key "only" of a candidate excludes a cell. It returns false for an
// invalid condition, which decodeEntry reports later.
func (r *reader) isExcluded(c candidate, chosen combination) bool {
	var condition records.Condition
	only := r.substitute(c.at.Key("only").WithoutErrors(), chosen)
	isValid := only.Decode("key", &condition) && only.CheckCondition(condition, r.factors)
	return isValid && !condition.Holds(chosen.levels())
}

// classifiers returns the entries that run in a cell with the given factor levels. It decodes
// candidates with a reference to a factor, such as $n, for this cell. d describes the cell's data,
// or is nil if they are unknown.
func (r *reader) classifiers(
	candidates []candidate, chosen combination, levels records.Levels, d *Data,
) []Entry {
	var entries []Entry
	hasOtherCells := len(chosen) > 0 // the study has factors
	for index, c := range candidates {
		if c.hasReference {
			c = r.decodeInCell(c, chosen)
		}
		if c.entry == nil || !c.entry.only.Holds(levels) {
			continue // the candidate has an error, or does not run in this cell
		}
		e := *c.entry
		e.index = index
		if slices.ContainsFunc(entries, func(o Entry) bool { return o.ID == e.ID }) {
			c.at.WithPath("classifiers").Fail("two entries have the id %q; give one of them another id", e.ID)
		}
		r.checkRuns(c.at, e, hasOtherCells, d)
		entries = append(entries, e)
	}
	if len(entries) == 0 && !r.root.Failed() {
		r.Classifiers.Fail("no classifier runs in the cell %s; change the key `only` of a classifier, or exclude "+
			"the cell", levels)
	}
	return entries
}

// decodeEntry decodes one item of the classifier list. It returns nil after an error. For an item
// without a name, the error may suggest the item's id as the name.
func (r *reader) decodeEntry(at config.Place, id string) *Entry {
	remedy := ""
	if slices.Contains(classifierNames(), id) {
		remedy = "; did you mean `classifier: " + id + "`?"
	}
	name, ok := nameAt(at, "classifier", "give the name of a classifier"+remedy)
	if !ok {
		return nil
	}
	e := &Entry{ID: id, Name: name.Text()}
	var shared sharedKeys   // the values of the keys that most classifiers accept
	shared.By.SetDefaults() // the key "by" describes the tuning
	errorsBefore := at.ErrorCount()
	r.decodeByName(at, name, e, &shared)
	if at.ErrorCount() > errorsBefore {
		return nil
	}
	e.Label = shared.Label
	e.only = shared.Only // a condition on the cells in which the entry runs
	r.addPreparation(at, e, &shared)
	if shared.Tune.Exists() && !r.tune(at, e, &shared.tuningKeys) {
		return nil
	}
	if !at.Key("only").CheckCondition(e.only, r.factors) {
		return nil
	}
	return e
}

// addPreparation sets e.Preparation to the steps before and after the fit of the classifier at the
// given place, and appends their description to e.Spec. shared contains the values of its keys. It
// reports invalid values, and sets e.tunesProbabilities.
func (r *reader) addPreparation(at config.Place, e *Entry, shared *sharedKeys) {
	// By default, all classifiers except the oracle have the preparation steps of the study.
	if !e.Oracle() && !at.Key("prepare").Exists() {
		shared.Prepare = r.Prepare
	}
	e.Preparation = classifiers.Preparation{
		Discrete:         shared.Discrete,
		Impute:           shared.Impute,
		Steps:            shared.Prepare,
		Multiclass:       shared.Multiclass,
		Probabilities:    shared.Probabilities,
		CalibratedLabels: shared.Labels == calibratedLabels,
		Costs:            shared.Costs,
		Threshold:        shared.Threshold,
		Weights:          shared.weights(e),
	}
	e.Spec += e.Preparation.String()
	e.tunesProbabilities = shared.Tune.Key("probabilities").Exists()
	mayUsePlatt := e.Preparation.Probabilities == classifiers.PlattScaling || e.tunesProbabilities
	if shared.Labels != "" && !mayUsePlatt {
		at.Key("labels").Fail("needs `probabilities: platt`, since only Platt scaling can change the predicted " +
			"class; add it or remove `labels`")
	}
	shared.checkCosts(at.Key("costs"), e)
	shared.checkThreshold(at, e)
}

// nameAt returns the name of a classifier or generator: the key nameKey of value or, if value is
// not a mapping, value itself. If the key is missing, ok is false. nameAt then reports keys by which
// the user probably meant nameKey or, without such keys, the advice.
func nameAt(value config.Place, nameKey, advice string) (name config.Place, ok bool) {
	if !value.IsMapping() {
		return value, true
	}
	name = value.Key(nameKey)
	if name.Exists() {
		return name, true
	}
	errorsBefore := value.ErrorCount()
	for key := range value.Entries() { // Entries reports the merge key <<, which may supply the name
		if meant, hint := config.MeantKey(key.Text(), []string{nameKey}); meant != "" {
			key.Fail("unknown key%s", hint)
		}
	}
	if value.ErrorCount() == errorsBefore {
		value.Fail("missing `%s`: %s", nameKey, advice)
	}
	return name, false
}

// decodeByName decodes an item of the classifier list into *e. It decodes the keys that all
// classifiers accept into *shared. The argument name is the name of the classifier in the item.
func (r *reader) decodeByName(item, name config.Place, e *Entry, shared *sharedKeys) {
	spec, isBuiltin := classifiers.Registry.Lookup(e.Name)
	library := adapterNamed(e.Name)
	switch {
	case e.Oracle(): // needs no program or classifier, because it computes with the true densities
		e.Spec = "oracle/1{}" // name, version and parameters, as for the other classifiers
		if item.IsMapping() {
			item.Decode("parameter of oracle", &shared.naming)
		}
	case e.Name == externalName:
		r.externalClassifier(item, e, shared)
	case library != nil:
		r.decodeAdapter(item, library, e, shared)
	case isBuiltin:
		decodeBuiltin(item, e, spec, shared)
	default:
		// Report the error at the line of the name, but with the path of the whole item.
		failName(name.WithPath(item.Path()), "classifier", classifierNames(), "method")
	}
}

// decodeBuiltin decodes a built-in classifier. The key "version" selects an older version with its
// default values.
func decodeBuiltin(at config.Place, e *Entry, spec classifiers.Spec, shared *sharedKeys) {
	e.Classifier = spec.New()
	key := at.Key("version")
	version, notInteger := strconv.Atoi(key.Text())
	if notInteger == nil { // otherwise, Decode reports the version, if any
		older, err := spec.NewVersion(version)
		if err != nil {
			key.Fail("%s", err)
			return
		}
		e.Classifier = older
	}
	if at.IsMapping() {
		versionKey := new(pinning) // its value has already been used
		at.Decode("parameter of "+e.Name, e.Classifier, shared, versionKey)
	}
	e.Spec = spec.Recipe(e.Classifier)
}

func classifierNames() []string {
	names := []string{oracleName, externalName}
	for _, a := range adapters {
		names = append(names, a.name)
	}
	return append(names, classifiers.Registry.Names()...)
}

// failName reports a name of a classifier or generator that is not known. noun is "classifier" or
// "generator", and kind is the word for it in `copse new`.
func failName(name config.Place, noun string, known []string, kind string) {
	if !name.IsPlain() {
		name.Fail("want the name of a %s, got %s", noun, name.Describe())
		return
	}
	hint, nearest := config.DidYouMean(name.Text(), known), config.Nearest(name.Text(), known)
	if nearest == "" {
		hint += "; `external` runs a program of your own (see `copse new " + kind + "`)"
	} else if library := adapterNamed(nearest); library != nil {
		hint = fmt.Sprintf("; did you mean `{classifier: %s, %s: ...}`?", nearest, library.nameKey)
	}
	name.Fail("unknown %s %q%s", noun, name.Text(), hint)
}

// classifierID returns the id of an item in the classifier list, by default the name of the
// classifier.
func classifierID(at config.Place) string {
	for _, key := range []string{"id", "classifier"} {
		if name := at.Key(key); name.Exists() {
			return name.Text()
		}
	}
	return at.Text()
}

// checkRuns reports an error if a classifier cannot run on the data d of a cell. It does nothing if
// d is nil. If hasOtherCells is true, the message suggests running the classifier only in other
// cells.
func (r *reader) checkRuns(at config.Place, e Entry, hasOtherCells bool, d *Data) {
	if d == nil {
		return
	}
	if e.Oracle() && !d.hasDensity() {
		at.Fail("the oracle needs a generator with known densities")
	}
	if r.onlyReports() {
		return // the entry has already been run, and the data files may be missing
	}
	variants := []Entry{e} // e with each choice of its tuned parameters
	if e.Tuning != nil {
		variants = e.Tuning.Candidates
		if _, err := e.Tuning.Metric.InClasses(d.ClassNames()); err != nil {
			at.Key("by").Key("metric").Fail("%s", err)
		}
	}
	for _, v := range variants {
		checkDecisionIn(at, v, d)
	}
	// One variant is enough: checkAccepts depends only on which keys are set, and all variants set
	// the same keys.
	r.checkAccepts(at, variants[0], hasOtherCells, d)
}

// checkAccepts reports an error if a classifier or its preparation cannot process the data d.
func (r *reader) checkAccepts(at config.Place, e Entry, hasOtherCells bool, d *Data) {
	if err := e.Preparation.Steps.CheckPCA(d.beforeSteps(e.Preparation)); err != nil {
		steps := at.Key("prepare")
		usesOwnKeys := steps.Exists() || e.Preparation.Discrete != nil // both keys change the data before PCA
		if !usesOwnKeys {
			steps = r.root.Key("prepare") // the steps of the study
		}
		steps.Fail("%s", err)
	}
	remedy := ""
	if hasOtherCells {
		remedy = "; limit it to other cells with `only`"
	}
	for _, reason := range d.knownRefusals(e) {
		at.Fail("%s%s", reason, remedy)
	}
}

// knownRefusals returns the reasons why a classifier cannot run on the data, or nil for a program,
// which declares its limits when it starts.
func (d *Data) knownRefusals(e Entry) []string {
	if e.Oracle() && !d.FromFiles() && d.Missing.In("test") {
		return []string{"the oracle needs complete test rows, " + d.missingClause()}
	}
	spec, builtin := classifiers.Registry.Lookup(e.Name)
	if !builtin {
		return nil
	}
	return d.Refusals(e, spec)
}

// Refusals returns the reasons, if known before the run, why a classifier cannot use the data. An
// example is "takes at most 2 classes, but iris has 3".
func (d *Data) Refusals(e Entry, abilities classifiers.Spec) (reasons []string) {
	tooMany := abilities.MaxClasses > 0 && d.Classes() > abilities.MaxClasses
	if tooMany && e.Preparation.Multiclass == "" { // with multiclass, each fit has two classes
		remedy := ""
		if e.Program == nil { // external programs do not accept the key "multiclass"
			remedy = "; add `multiclass: ovo` or `multiclass: ovr`"
		}
		reasons = append(reasons, fmt.Sprintf("takes at most %d classes, but %s has %d%s",
			abilities.MaxClasses, d.sourceName(), d.Classes(), remedy))
	}
	if !abilities.Missing && !e.Preparation.FillsMissing() {
		if missing := d.missingClause(); missing != "" { // counting missing values is slow for large data
			reasons = append(reasons,
				fmt.Sprintf("takes no missing values, %s; add `impute: mean` (or `median` or `knn`)", missing))
		}
	}
	if reason := d.discreteLeft(e.Preparation); reason != "" && !abilities.Discrete {
		reasons = append(reasons, "takes numeric attributes only, "+reason)
	}
	if reason := d.bothKinds(e.Preparation); reason != "" && abilities.OneKind {
		reasons = append(reasons, "needs attributes that are all numeric or all discrete, "+reason)
	}
	return reasons
}

// bothKinds names a numeric and a discrete attribute that both remain after the preparation p, as in 'but "age"
// of cars is numeric and "colour" is discrete; ...'. It returns "" if only one kind remains, or if this is
// unknown before the run.
func (d *Data) bothKinds(p classifiers.Preparation) string {
	changesColumns := func(s prepare.Step) bool { return s.Encode != "" || s.Discretise > 0 || s.Drop != "" }
	if slices.ContainsFunc(p.Steps, changesColumns) {
		return ""
	}
	var numeric, discrete string
	for _, a := range d.attributesFor(p) {
		if a.Kind == dataset.Discrete {
			discrete = a.Name
		} else {
			numeric = a.Name
		}
	}
	if numeric == "" || discrete == "" {
		return ""
	}
	return fmt.Sprintf("but %q of %s is numeric and %q is discrete; %s",
		numeric, d.sourceName(), discrete, classifiers.ToOneKind)
}

// discreteLeft returns a clause about attributes that remain discrete after the preparation p, such
// as 'but "colour" of cars is discrete; ...'. It returns "" if none is known.
func (d *Data) discreteLeft(p classifiers.Preparation) string {
	const allNumeric, someDiscrete = false, true // the attributes before the steps
	if p.Steps.LeavesDiscrete(allNumeric) {
		return "but its key `prepare` makes attributes discrete"
	}
	if !p.Steps.LeavesDiscrete(someDiscrete) {
		return "" // the steps code all attributes as numbers
	}
	if d.spec.Discrete {
		return fmt.Sprintf("but the attributes of %s are discrete%s", d.sourceName(), codeLevels)
	}
	var names []string
	for _, a := range d.attributesFor(p) {
		if slices.Contains(p.Discrete, a.Name) {
			return fmt.Sprintf("but its key `discrete` makes %q discrete", a.Name)
		}
		if a.Kind == dataset.Discrete {
			names = append(names, a.Name)
		}
	}
	return areDiscrete(names, d.sourceName())
}

// codeLevels is a hint for messages about discrete attributes.
const codeLevels = "; `prepare: [{encode: dummy}]` codes levels as indicators"

// areDiscrete returns a clause about discrete attributes, such as 'but "colour" of cars and 2 more
// are discrete; ...'. It returns "" without names.
func areDiscrete(names []string, source string) string {
	const remedy = codeLevels + ", and `data.drop` omits columns"
	switch len(names) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("but %q of %s is discrete%s", names[0], source, remedy)
	}
	return fmt.Sprintf("but %q of %s and %d more are discrete%s", names[0], source, len(names)-1, remedy)
}

// beforeSteps describes the training rows as the first step of the preparation p receives them,
// after any imputation.
func (d *Data) beforeSteps(p classifiers.Preparation) prepare.Data {
	isDiscrete := func(a dataset.Attribute) bool { return a.Kind == dataset.Discrete }
	anyRowMayTrain := d.File != nil && d.File.Test == nil
	isIncomplete := d.Missing.In("train") || anyRowMayTrain && d.File.Rows.HasMissing()
	return prepare.Data{
		Columns:  d.Columns(),
		Missing:  isIncomplete && p.Impute == "",
		Discrete: slices.ContainsFunc(d.attributesFor(p), isDiscrete),
	}
}

// checkDiscrete reports names under the key "discrete" of a classifier that are not attributes of
// any cell, unless the attributes of some cell are unknown.
func (r *reader) checkDiscrete() {
	var declaring []Entry // classifiers with the key
	for _, c := range r.cells {
		for _, e := range c.Classifiers {
			if e.Preparation.Discrete != nil {
				declaring = append(declaring, e)
			}
		}
	}
	if declaring == nil {
		return // finding the attributes of many cells takes time
	}
	var known []dataset.Attribute
	for _, c := range r.cells {
		list := c.Data.attributes()
		if list == nil {
			return
		}
		known = append(known, list...)
	}
	for _, e := range declaring {
		checkDiscreteIn(r.itemOf(e), e, known)
	}
}

// checkDiscreteIn reports each name under the key "discrete" of a classifier that is not among the
// known attributes.
func checkDiscreteIn(at config.Place, e Entry, known []dataset.Attribute) {
	for _, name := range e.Preparation.Discrete {
		if !slices.ContainsFunc(known, func(a dataset.Attribute) bool { return a.Name == name }) {
			at.Key("discrete").Fail("%q is not an attribute of the data; correct or remove the name", name)
		}
	}
}
