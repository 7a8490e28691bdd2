package study

import (
	"fmt"
	"slices"
	"strings"

	"copse/classifiers"
	"copse/experiments/config"
	"copse/experiments/external"
	"copse/stats/dataset"
	"copse/stats/dataset/prepare"
	"copse/stats/records"
)

// oracleName is the classifier that decides by the problem's own densities.
const oracleName = "oracle"

// An Entry is one classifier of a study under its id.
type Entry struct {
	ID         string
	Name       string                 // in the registry, "oracle" or "external"
	Label      string                 // printed in tables; "": the id
	Spec       string                 // canonical recipe; a changed Spec reruns the entry's rows
	Classifier classifiers.Classifier // nil for the oracle and for programs
	Program    *external.Program      // of an external classifier

	Preparation classifiers.Preparation // of the data, before the fit; a part of Spec
	Tuning      *Tuning                 // nil: no tuning; a part of Spec

	place int // in the study's list
}

// Oracle reports whether the entry decides by the problem's own densities.
func (e *Entry) Oracle() bool { return e.Name == oracleName }

// LacksProbabilities reports whether the entry is known to give no class probabilities.
func (e *Entry) LacksProbabilities() bool {
	spec, builtin := classifiers.Registry.Lookup(e.Name)
	return builtin && !spec.Probabilities && e.Preparation.Probabilities == ""
}

// entryKeys are the keys of a classifier's mapping beside its parameters.
type entryKeys struct {
	naming
	preparing
	deciding
	tuningKeys
}

// naming are the keys of every entry.
type naming struct {
	Classifier string            `param:"classifier" required:"a classifier by name (copse list classifiers)"`
	ID         string            `param:"id" plain:"true" doc:"the name of its rows; empty: the classifier's"`
	Label      string            `param:"label" plain:"true" doc:"what tables and figures print; empty: the id"`
	Only       records.Condition `param:"only" node:"mapping of lists of levels" doc:"the cells that have it: those of these levels, {data_set: [iris, glass]}"`
}

// calibratedLabels is the value of labels that predicts the class of the largest calibrated
// probability.
const calibratedLabels = "calibrated"

// preparing are the keys of classifiers.Preparation.
type preparing struct {
	Discrete []string `param:"discrete" doc:"numeric attributes that this classifier takes as discrete"`
	Impute   string   `param:"impute" enum:"mean,median,knn" doc:"missing values are filled in from the training rows"`

	Prepare prepare.Steps `param:"prepare" doc:"steps fitted to the training rows, in order, after discrete and impute; in place of the study's prepare, [] for none"`

	Multiclass    string `param:"multiclass" enum:"ovo,ovr" doc:"more than two classes by a method for two: ovo fits every pair of classes, ovr each class against the others"`
	Probabilities string `param:"probabilities" enum:"platt,temperature" doc:"class probabilities from the scores, calibrated by five-fold cross-validation of the training rows (six fits in place of one): platt, sigmoids of pairs of classes; temperature, one factor for all scores, which keeps their order"`
	Labels        string `param:"labels" enum:"own,calibrated" doc:"with probabilities: platt, the predicted class: the classifier's own, or the class of the largest probability; empty: own"`
}

// check reports labels without the probabilities that it needs.
func (p *preparing) check(at config.Place) {
	if p.Labels != "" && p.Probabilities != string(classifiers.PlattScaling) {
		at.Key("labels").Fail("needs probabilities: platt; other probabilities follow the labels")
	}
}

// pinning has the key that only built-in classifiers have: version, which means something
// else for a program.
type pinning struct {
	Version int `param:"version" range:"[1,inf)" doc:"an older version of the classifier, whose results stay as they were; empty: the newest"`
}

// preparation returns the values of the keys.
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

// NewClassifier returns an entry for use outside a study: a built-in classifier with
// parameters given as k=v texts.
func NewClassifier(name string, params []string) (Entry, error) {
	flag := "--classifier " + name
	at, err := config.Pairs(flag, "--param", params)
	if err != nil {
		return Entry{}, err
	}
	at.SetText("classifier", name, "")
	r := reader{root: at}
	e, _, _ := r.entry(at.Under("classifiers."+name), name)
	switch err := at.Err(); {
	case err != nil:
		return Entry{}, err
	case e.Oracle():
		return Entry{}, &config.Error{
			Origin: flag,
			Msg:    "the oracle decides by a generator's densities; it has no place outside a study",
		}
	case e.Tuning != nil:
		return Entry{}, &config.Error{
			Origin: flag,
			Msg:    "tune runs in a study; here give the values that it chose",
		}
	case e.Classifier == nil:
		return Entry{}, &config.Error{
			Origin: flag,
			Msg:    "an external classifier runs in a study; copse try FILE tries one alone",
		}
	}
	return e, nil
}

// A candidate is an item of the study's list of classifiers. It is decoded once for all
// cells, or in each cell if one of its values is a $factor.
type candidate struct {
	at    config.Place
	bound bool // has a $factor
	entry Entry
	only  records.Condition // on the cells that run it
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

// classifiers returns the classifiers of one cell, and reports those that cannot run on its
// data d; nil: unknown data.
func (r *reader) classifiers(candidates []candidate, chosen combination, d *Data) []Entry {
	var entries []Entry
	levels := chosen.levels()
	for place, c := range candidates {
		at := c.at
		if c.bound {
			resolved := r.substitute(c.at, chosen)
			id := classifierID(resolved)
			at = resolved.Under("classifiers." + id)
			c.entry, c.only, c.ok = r.entry(at, id)
		}
		if !c.ok || !c.only.Holds(levels) {
			continue
		}
		e := c.entry
		e.place = place
		if slices.ContainsFunc(entries, func(o Entry) bool { return o.ID == e.ID }) {
			c.at.Under("classifiers").Fail("the id %q is given twice; add id: to tell the entries apart", e.ID)
		}
		r.checkTakes(c.at.Under(at.Path()), e, len(chosen) > 0, d)
		entries = append(entries, e)
	}
	if len(entries) == 0 && !r.root.Failed() {
		r.Classifiers.Fail("no classifier runs in the cell %s; change only: or exclude the cell", levels)
	}
	return entries
}

// entry decodes one classifier: a plain name, or a mapping of classifier, id and
// parameters. It returns the condition on the cells that run it, and ok = false after
// reporting mistakes.
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
	if ok {
		k.check(at)
	}
	if !e.Oracle() && !at.Key("prepare").There() {
		k.Prepare = r.Prepare
	}
	e.Label, e.Preparation = k.Label, k.preparation()
	e.Preparation.Costs, e.Preparation.Threshold = k.Costs, k.Threshold
	if ok {
		k.checkDecision(at, &e)
	}
	e.Spec += e.Preparation.String()
	if ok && k.Tune.There() {
		ok = r.tune(at, &e, &k.tuningKeys)
	}
	return e, k.Only, ok && at.Key("only").CheckCondition(k.Only, r.factors)
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
	at.Fail("missing classifier: the name of the recipe%s", remedy)
	return name, false
}

// decodeRecipe decodes the keys of an entry and sets its Classifier or Program and its
// Spec, by the kind of classifier that e.Name names. It returns false after reporting
// mistakes.
func (r *reader) decodeRecipe(at, name config.Place, e *Entry, k *entryKeys) (ok bool) {
	spec, builtin := classifiers.Registry.Lookup(e.Name)
	library := adapterNamed(e.Name)
	switch {
	case e.Name == oracleName:
		e.Spec = "oracle/1{}"
		return !at.IsMapping() || at.Decode("parameter of oracle", &k.naming)
	case e.Name == externalName:
		return r.externalClassifier(at, e, k)
	case library != nil:
		return r.decodeAdapter(at, library, e, k)
	case builtin:
		e.Classifier = spec.New()
		ok = !at.IsMapping() || decodeBuiltin(at, e, spec, k)
		e.Spec = spec.Recipe(e.Classifier)
		return ok
	}
	name.Under(at.Path()).Fail("unknown classifier %q%s", e.Name, meantClassifier(e.Name))
	return false
}

// decodeBuiltin decodes the mapping of a built-in classifier and pins its version. It
// returns false after reporting mistakes.
func decodeBuiltin(at config.Place, e *Entry, spec classifiers.Spec, k *entryKeys) bool {
	pin := pinning{Version: spec.Version}
	if !at.Decode("parameter of "+e.Name, e.Classifier, k, &pin) {
		return false
	}
	if pin.Version == spec.Version {
		return true
	}
	pinned, err := spec.NewVersion(pin.Version)
	if err != nil {
		at.Key("version").Fail("%s", err)
		return false
	}
	// The keys replace the defaults of the pinned version, too.
	e.Classifier = pinned
	return at.Decode("parameter of "+e.Name, pinned, k, &pin)
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

// meantClassifier returns a clause with the classifier that an unknown name probably means:
// by its name in other software, or by its spelling.
func meantClassifier(name string) string {
	plain := strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name))
	if own := usualNames[plain]; own != "" {
		return fmt.Sprintf("; the classifier of this kind is %q", own)
	}
	return config.DidYouMean(name, classifierNames())
}

// classifierID returns the id of an entry: its key id, its key classifier, or its text.
func classifierID(at config.Place) string {
	for _, key := range []string{"id", "classifier"} {
		if name := at.Key(key); name.There() {
			return name.Text()
		}
	}
	return at.Text()
}

// checkTakes reports an entry that cannot run on a cell's data, as far as they are known
// before they are drawn; a nil d is not checked. Programs declare what they take when they
// start. others means that the study has other cells, to which only: can limit the entry.
func (r *reader) checkTakes(at config.Place, e Entry, others bool, d *Data) {
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
	remedy := ""
	if others {
		remedy = "; limit it to other cells with only:"
	}
	if e.Oracle() && !d.FromFiles() && d.Missing.In("test") {
		at.Fail("knows the densities of complete rows, %s%s", d.lacks(), remedy)
	}
	spec, ok := classifiers.Registry.Lookup(e.Name)
	if !ok {
		return
	}
	for _, why := range d.Refusals(e, Ability{spec.MaxClasses, spec.Discrete, spec.Missing}) {
		at.Fail("%s%s", why, remedy)
	}
}

// Ability describes the data that a classifier takes.
type Ability struct {
	MaxClasses        int // 0: any number
	Discrete, Missing bool
}

// Refusals returns the reasons why an entry cannot run on the data, as far as they are known
// before they are drawn.
func (d *Data) Refusals(e Entry, can Ability) (why []string) {
	if c := d.Classes(); can.MaxClasses > 0 && c > can.MaxClasses && e.Preparation.Multiclass == "" {
		remedy := ""
		if e.Program == nil {
			remedy = "; give it multiclass: ovo or ovr"
		}
		why = append(why, fmt.Sprintf("takes at most %d classes, %s has %d%s", can.MaxClasses, d.where(), c, remedy))
	}
	if missing := d.lacks(); missing != "" && !can.Missing && !e.Preparation.FillsMissing() {
		why = append(why, fmt.Sprintf("takes no missing values, %s; give it impute: mean, median or knn", missing))
	}
	if steps := e.Preparation.Steps; !can.Discrete && steps.LeavesDiscrete(false) {
		why = append(why, "takes numeric attributes only, and its prepare: makes levels of them")
	} else if d.File != nil && !can.Discrete && steps.LeavesDiscrete(true) {
		if discrete := d.refusesDiscrete(e); discrete != "" {
			why = append(why, discrete)
		}
	}
	return why
}

// refusesDiscrete returns why an entry that takes only numeric attributes cannot run on the
// rows of a file; "": it can.
func (d *Data) refusesDiscrete(e Entry) string {
	var discrete []string
	for _, a := range d.File.Rows.Attributes {
		if slices.Contains(e.Preparation.Discrete, a.Name) {
			return fmt.Sprintf("takes numeric attributes only, and its discrete: makes levels of %q", a.Name)
		}
		if a.Kind == dataset.Discrete {
			discrete = append(discrete, a.Name)
		}
	}
	switch n := len(discrete); n {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(
			"takes numeric attributes only, %q of %s is discrete; prepare: [{encode: onehot}] makes indicators of "+
				"its levels, data.drop: [%[1]q] leaves it out",
			discrete[0],
			d.where(),
		)
	default:
		return fmt.Sprintf(
			"takes numeric attributes only, %q of %s and %d more are discrete; prepare: [{encode: onehot}] makes "+
				"indicators of their levels, data.drop leaves out those that it lists",
			discrete[0],
			d.where(),
			n-1,
		)
	}
}

// checkDiscrete reports attributes of discrete: that no data set of the study has. A name
// in one of several data sets is enough.
func (r *reader) checkDiscrete() {
	type use struct{ id, attribute string }
	found, order := map[use]bool{}, []use(nil)
	for _, c := range r.cells {
		if c.Data.File == nil {
			return // drawn, or not here: the attributes are not known
		}
		for _, e := range c.Classifiers {
			for _, name := range e.Preparation.Discrete {
				u := use{e.ID, name}
				if _, listed := found[u]; !listed {
					order = append(order, u)
				}
				has := func(a dataset.Attribute) bool { return a.Name == name }
				found[u] = found[u] || slices.ContainsFunc(c.Data.File.Rows.Attributes, has)
			}
		}
	}
	for _, u := range order {
		if !found[u] {
			r.Classifiers.Under("classifiers."+u.id+".discrete").Fail(
				"no data of the study have an attribute %q", u.attribute)
		}
	}
}
