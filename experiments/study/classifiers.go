package study

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"copse/classifiers"
	"copse/experiments/config"
	"copse/experiments/external"
	"copse/stats/dataset"
	"copse/stats/dataset/prepare"
	"copse/stats/records"
)

// oracleName names the classifier that uses the true densities of the generator's problem.
const oracleName = "oracle"

// An Entry is one item of a study's list of classifiers: a classifier with its parameters.
type Entry struct {
	ID         string
	Name       string                 // in the registry, the name of an adapter, "oracle" or "external"
	Label      string                 // printed in tables; "": the id
	Spec       string                 // canonical recipe; if it changes, results are computed again
	Classifier classifiers.Classifier // nil for the oracle and for programs
	Program    *external.Program      // nil for built-in classifiers

	Preparation classifiers.Preparation // of the data, before the fit; a part of Spec
	Tuning      *Tuning                 // nil: no tuning; a part of Spec

	place int // in the study's list
}

// Oracle reports whether the entry uses the true densities of the generator's problem.
func (e *Entry) Oracle() bool { return e.Name == oracleName }

// LacksProbabilities reports whether a built-in classifier returns no class probabilities. It
// returns false for programs, which declare this when they start.
func (e *Entry) LacksProbabilities() bool {
	spec, builtin := classifiers.Registry.Lookup(e.Name)
	return builtin && !spec.Probabilities && e.Preparation.Probabilities == ""
}

// entryKeys are the keys of an entry beside the parameters of its classifier.
type entryKeys struct {
	naming
	preparing
	deciding
	tuningKeys
}

// naming are the keys of every entry.
type naming struct {
	Classifier string            `param:"classifier" required:"a classifier by name (copse list classifiers)"`
	ID         string            `param:"id" plain:"true" doc:"its name in records; empty: the name of the classifier"`
	Label      string            `param:"label" plain:"true" doc:"its name in tables and figures; empty: the id"`
	Only       records.Condition `param:"only" node:"mapping of lists of levels" doc:"runs only in cells with these levels, such as {data_set: [iris, glass]}"`
}

// calibratedLabels is the value of the key labels for the class of the largest calibrated
// probability.
const calibratedLabels = "calibrated"

// preparing are the keys that control the preparation of data and of outputs.
type preparing struct {
	Discrete []string `param:"discrete" doc:"numeric attributes whose values this classifier reads as levels"`
	Impute   string   `param:"impute" enum:"mean,median,knn" doc:"fills in missing values from the training rows"`

	Prepare prepare.Steps `param:"prepare" doc:"steps fitted to the training rows, in order, after discrete and impute; they replace the prepare of the study, and [] means no steps"`

	Multiclass    string `param:"multiclass" enum:"ovo,ovr" doc:"reduces more than two classes to two: ovo fits every pair of classes, ovr each class against the others"`
	Probabilities string `param:"probabilities" enum:"platt,temperature" doc:"computes class probabilities from the scores, calibrated by five-fold cross-validation of the training rows (six fits in place of one): platt, sigmoids of pairs of classes; temperature, one factor for all scores, which keeps their order"`
	Labels        string `param:"labels" enum:"own,calibrated" doc:"with probabilities: platt, the predicted class: own, the choice of the classifier (default), or calibrated, the class of the largest probability"`
}

// check reports the key labels without calibrated probabilities.
func (p *preparing) check(at config.Place) {
	if p.Labels != "" && p.Probabilities != string(classifiers.PlattScaling) {
		at.Key("labels").Fail("needs probabilities: platt; other probabilities follow the labels")
	}
}

// pinning has the key version of built-in classifiers. The key version of a program means
// something else.
type pinning struct {
	Version int `param:"version" range:"[1,inf)" doc:"an older version of the classifier, to keep its results; empty: the newest"`
}

// preparation returns the preparation that the keys describe.
func (p *preparing) preparation() classifiers.Preparation {
	return classifiers.Preparation{
		Discrete:      p.Discrete,
		Impute:        dataset.Imputation(p.Impute),
		Steps:         p.Prepare,
		Multiclass:    classifiers.Multiclass(p.Multiclass),
		Probabilities: classifiers.Scaling(p.Probabilities),

		CalibratedLabels: p.Labels == calibratedLabels,
	}
}

// NewClassifier returns a built-in classifier for use outside a study. Its parameters are texts
// key=value.
func NewClassifier(name string, params []string) (Entry, error) {
	flag := "--classifier " + name
	at, err := config.Pairs(flag, "--param", params)
	if err != nil {
		return Entry{}, err
	}
	at.SetText("classifier", name, "")
	r := reader{root: at}
	e, _, _ := r.entry(at.Under("classifiers."+name), name) // it reports mistakes at root
	if err := at.Err(); err != nil {
		return Entry{}, err
	}
	problem := ""
	switch {
	case e.Oracle():
		problem = "the oracle needs a generator with known densities; use it in a study"
	case e.Tuning != nil:
		problem = "tune works in studies only; give the values that it chose"
	case e.Classifier == nil:
		problem = "external classifiers work in studies only; copse try FILE tries one alone"
	default:
		return e, nil
	}
	return Entry{}, &config.Error{Origin: flag, Msg: problem}
}

// A candidate is an item of the study's list of classifiers. It is decoded once for all
// cells, or in each cell if one of its values is a $factor.
type candidate struct {
	at    config.Place
	bound bool // has a $factor

	// The decoded item, if it is not bound.
	entry Entry
	only  records.Condition // on the levels of the cells that run it
	ok    bool              // decoded without mistakes
}

// candidates reads the study's list of classifiers.
func (r *reader) candidates() []candidate {
	list := r.Classifiers
	if !list.IsList() || list.IsEmpty() {
		list.Fail("want a list of at least one classifier, got %s", list.Describe())
		return nil
	}
	var all []candidate
	for _, at := range list.Items() {
		id := classifierID(at)
		c := candidate{at: at.Under("classifiers." + id), bound: at.HasReference()}
		if !c.bound {
			c.entry, c.only, c.ok = r.entry(c.at, id)
		}
		all = append(all, c)
	}
	return all
}

// bind decodes a candidate for a cell: it replaces each $factor by the chosen level.
func (r *reader) bind(c candidate, chosen combination) candidate {
	resolved := r.substitute(c.at, chosen)
	id := classifierID(resolved)
	c.at = c.at.Under("classifiers." + id)
	c.entry, c.only, c.ok = r.entry(resolved.Under(c.at.Path()), id)
	return c
}

// classifiers returns the classifiers of a cell with the given levels. It reports repeated ids
// and classifiers that cannot run on the cell's data d; if d is nil, the data are unknown.
func (r *reader) classifiers(
	candidates []candidate, chosen combination, levels records.Levels, d *Data,
) []Entry {
	var entries []Entry
	hasOthers := len(chosen) > 0 // the study has further cells, to which only: can limit an entry
	for place, c := range candidates {
		if c.bound {
			c = r.bind(c, chosen)
		}
		if !c.ok || !c.only.Holds(levels) {
			continue
		}
		e := c.entry
		e.place = place
		if slices.ContainsFunc(entries, func(o Entry) bool { return o.ID == e.ID }) {
			c.at.Under("classifiers").Fail("the id %q is given twice; give one of the entries another id", e.ID)
		}
		r.checkTakes(c.at, e, hasOthers, d)
		entries = append(entries, e)
	}
	if len(entries) == 0 && !r.root.Failed() {
		r.Classifiers.Fail("no classifier runs in the cell %s; change only: or exclude the cell", levels)
	}
	return entries
}

// entry decodes one classifier: a plain name, or a mapping of classifier, id and
// parameters. only is the condition on the cells that run it. ok is false after reporting
// mistakes.
func (r *reader) entry(at config.Place, id string) (e Entry, only records.Condition, ok bool) {
	name, ok := classifierName(at, id)
	if !ok {
		return e, nil, false
	}
	e = Entry{ID: id, Name: name.Text()}
	if id != e.Name && !config.ValidName(id) {
		at.Fail("%q cannot be an id; use letters, digits, '.', '_' and '-'", id)
		return e, nil, false
	}
	var k entryKeys
	k.By.SetDefaults()
	ok = r.decodeRecipe(at, name, &e, &k)
	if !e.Oracle() && !at.Key("prepare").There() {
		k.Prepare = r.Prepare
	}
	e.Label, e.Preparation = k.Label, k.preparation()
	e.Preparation.Costs, e.Preparation.Threshold = k.Costs, k.Threshold
	if ok {
		e.Preparation.Weights = k.weights(&e)
	}
	e.Spec += e.Preparation.String()
	if !ok {
		return e, k.Only, false
	}
	k.check(at)
	k.checkDecision(at, &e)
	if k.Tune.There() && !r.tune(at, &e, &k.tuningKeys) {
		return e, k.Only, false
	}
	return e, k.Only, at.Key("only").CheckCondition(k.Only, r.factors)
}

// classifierName returns the place of the classifier's name in an entry. It returns false
// after reporting a mapping without one.
func classifierName(at config.Place, id string) (config.Place, bool) {
	if !at.IsMapping() {
		return at, true
	}
	name := at.Key("classifier")
	if name.There() {
		return name, true
	}
	remedy := ""
	if slices.Contains(classifierNames(), id) {
		remedy = "; did you mean classifier: " + id + "?"
	}
	at.Fail("missing classifier: give the name of a classifier%s", remedy)
	return name, false
}

// decodeRecipe decodes the keys of an entry into k and sets the Classifier or Program and the
// Spec of e. The name of the classifier decides which keys there are. It returns false after
// reporting mistakes.
func (r *reader) decodeRecipe(at, name config.Place, e *Entry, k *entryKeys) (ok bool) {
	if e.Name == oracleName {
		e.Spec = "oracle/1{}"
		return !at.IsMapping() || at.Decode("parameter of oracle", &k.naming)
	}
	if e.Name == externalName {
		return r.externalClassifier(at, e, k)
	}
	if library := adapterNamed(e.Name); library != nil {
		return r.decodeAdapter(at, library, e, k)
	}
	spec, found := classifiers.Registry.Lookup(e.Name)
	if !found {
		name.Under(at.Path()).Fail("unknown classifier %q%s", e.Name, meantClassifier(e.Name))
		return false
	}
	e.Classifier = spec.New()
	ok = !at.IsMapping() || decodeBuiltin(at, e, spec, k)
	e.Spec = spec.Recipe(e.Classifier)
	return ok
}

// decodeBuiltin decodes the mapping of a built-in classifier, whose key version pins an older
// version and its defaults. It returns false after reporting mistakes.
func decodeBuiltin(at config.Place, e *Entry, spec classifiers.Spec, k *entryKeys) bool {
	key := at.Key("version")
	// Decode reports a version that is not an integer.
	if version, err := strconv.Atoi(key.Text()); err == nil {
		pinned, err := spec.NewVersion(version)
		if err != nil {
			key.Fail("%s", err)
			return false
		}
		e.Classifier = pinned
	}
	return at.Decode("parameter of "+e.Name, e.Classifier, k, new(pinning))
}

// classifierNames lists the names that a study may give as classifier.
func classifierNames() []string {
	return slices.Concat([]string{oracleName, externalName}, adapterNames(), classifiers.Registry.Names())
}

// usualNames maps names of methods in other software to names of the registry.
var usualNames = map[string]string{
	"randomforest": "rf", "ranger": "rf", "naivebayes": "nb", "bayes": "nb",
	"knn": "knn", "nearestneighbours": "knn", "nearestneighbors": "knn", "kneighbors": "knn",
	"xgboost": "boosting", "xgb": "boosting", "lightgbm": "boosting", "gbm": "boosting", "gradientboosting": "boosting",
	"logreg": "logistic", "logisticregression": "logistic", "glmnet": "logistic", "lasso": "logistic",
	"svc": "svm", "lineardiscriminantanalysis": "lda", "quadraticdiscriminantanalysis": "qda",
}

// meantClassifier returns a clause with the classifier that the user probably meant by an
// unknown name: one with this name in other software, or with a similar spelling.
func meantClassifier(name string) string {
	plain := strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
	if own := usualNames[plain]; own != "" {
		return fmt.Sprintf("; the classifier of this kind is %q", own)
	}
	return config.DidYouMean(name, classifierNames())
}

// classifierID returns the id of an entry: the value of its key id or classifier, or the plain
// name of the classifier.
func classifierID(at config.Place) string {
	for _, key := range []string{"id", "classifier"} {
		if name := at.Key(key); name.There() {
			return name.Text()
		}
	}
	return at.Text()
}

// checkTakes reports an entry that cannot run on a cell's data d, as far as they are known
// before they are drawn; it does not check nil data. Programs declare their limits when they
// start. hasOthers means that the study has other cells, to which only: can limit the entry.
func (r *reader) checkTakes(at config.Place, e Entry, hasOthers bool, d *Data) {
	if d == nil {
		return
	}
	if e.Oracle() && !d.hasDensity() {
		at.Fail("the oracle needs a generator with known densities")
	}
	if r.recall != nil {
		return
	}
	if e.Tuning != nil {
		if _, err := e.Tuning.Metric.InClasses(d.ClassNames()); err != nil {
			at.Key("by").Key("metric").Fail("%s", err)
		}
		e = e.Tuning.Candidates[0] // its preparation may differ from the entry's
	}
	checkDecisionIn(at, e, d)
	if err := e.Preparation.Steps.CheckColumns(d.Columns()); err != nil {
		at.Fail("%s", err)
	}
	remedy := ""
	if hasOthers {
		remedy = "; limit it to other cells with only:"
	}
	if e.Oracle() && !d.FromFiles() && d.Missing.In("test") {
		at.Fail("the oracle needs complete test rows, %s%s", d.lacks(), remedy)
	}
	if spec, builtin := classifiers.Registry.Lookup(e.Name); builtin {
		for _, reason := range d.Refusals(e, Ability{spec.MaxClasses, spec.Discrete, spec.Missing}) {
			at.Fail("%s%s", reason, remedy)
		}
	}
}

// An Ability describes the data that a classifier can be fitted to.
type Ability struct {
	MaxClasses int  // 0: any number
	Discrete   bool // discrete attributes
	Missing    bool // missing values
}

// Refusals returns the reasons why an entry with an ability cannot run on the data, as far as
// they are known before they are drawn. A reason is a clause such as "takes at most 2 classes,
// iris has 3"; its subject is the classifier.
func (d *Data) Refusals(e Entry, can Ability) (reasons []string) {
	if c := d.Classes(); can.MaxClasses > 0 && c > can.MaxClasses && e.Preparation.Multiclass == "" {
		remedy := ""
		if e.Program == nil {
			remedy = "; add multiclass: ovo or ovr"
		}
		reasons = append(reasons,
			fmt.Sprintf("takes at most %d classes, %s has %d%s", can.MaxClasses, d.where(), c, remedy))
	}
	if missing := d.lacks(); missing != "" && !can.Missing && !e.Preparation.FillsMissing() {
		reasons = append(reasons,
			fmt.Sprintf("takes no missing values, %s; add impute: mean, median or knn", missing))
	}
	if can.Discrete {
		return reasons
	}
	if reason := d.discreteLeft(e.Preparation); reason != "" {
		reasons = append(reasons, "takes numeric attributes only, "+reason)
	}
	return reasons
}

// discreteLeft returns a clause on a discrete attribute that the preparation of a classifier
// makes or leaves; "" if it leaves none, or if the attributes are unknown.
func (d *Data) discreteLeft(p classifiers.Preparation) string {
	if p.Steps.LeavesDiscrete(false) {
		return "and its prepare: makes levels of them"
	}
	if d.File == nil || !p.Steps.LeavesDiscrete(true) {
		return ""
	}
	var names []string
	for _, a := range d.File.Rows.Attributes {
		if slices.Contains(p.Discrete, a.Name) {
			return fmt.Sprintf("and its discrete: makes levels of %q", a.Name)
		}
		if a.Kind == dataset.Discrete {
			names = append(names, a.Name)
		}
	}
	if names == nil {
		return ""
	}
	which := fmt.Sprintf("%q of %s is discrete", names[0], d.where())
	if len(names) > 1 {
		which = fmt.Sprintf("%q of %s and %d more are discrete", names[0], d.where(), len(names)-1)
	}
	return which + "; prepare: [{encode: onehot}] makes indicators of levels, data.drop omits columns"
}

// checkDiscrete reports names under the key discrete of an entry that are not an attribute of
// any data set of the study.
func (r *reader) checkDiscrete() {
	known := map[string]bool{}
	for _, c := range r.cells {
		if c.Data.File == nil {
			return // drawn, or absent: the attributes are unknown
		}
		for _, a := range c.Data.File.Rows.Attributes {
			known[a.Name] = true
		}
	}
	for _, c := range r.cells {
		for _, e := range c.Classifiers {
			for _, name := range e.Preparation.Discrete {
				if !known[name] {
					r.Classifiers.Under("classifiers."+e.ID+".discrete").Fail(
						"no data of the study have an attribute %q", name)
				}
			}
		}
	}
}
