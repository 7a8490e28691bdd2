package study

import (
	"regexp"
	"slices"

	"copse/experiments/config"
	"copse/experiments/external"
)

// An adapter is a program of copse that runs the classifiers of a Python or R library by name. It uses
// the protocol external/1; the user installs the library.
type adapter struct {
	name    string
	doc     string
	version string               // raised if the program's predictions change
	command []string             // the interpreter, then its arguments
	chosen  string               // the key for the name of the library's classifier
	keys    func() adapterTarget // returns a new struct with the default values of its keys
}

// inR returns the command that runs the adapter of an R package.
func inR(library string) []string {
	const source = `source(file.path(Sys.getenv("COPSE_CLIENT"), "copse_adapters.R"))`
	return []string{"Rscript", "--vanilla", "-e", source, library}
}

var adapters = []adapter{
	{"sklearn", "an estimator of scikit-learn, or one with the same methods, by its import path", "sklearn/1",
		[]string{"python3", "-m", "copse_sklearn"}, "estimator",
		func() adapterTarget { return &sklearnKeys{Encode: "onehot"} }},
	{"caret", "a method of the R package caret", "caret/1", inR("caret"), "method",
		func() adapterTarget { return &caretKeys{Folds: 5} }},
	{"mlr", "a learner of the R package mlr", "mlr/1", inR("mlr"), "learner",
		func() adapterTarget { return &learnerKeys{} }},
	{"mlr3", "a learner of the R packages mlr3 and mlr3learners", "mlr3/1", inR("mlr3"), "learner",
		func() adapterTarget { return &learnerKeys{} }},
}

// adapterKeys are the keys that all adapters have.
type adapterKeys struct {
	Params      config.Place `param:"params" node:"mapping" doc:"parameters of the classifier, under the library's names"`
	Interpreter string       `param:"interpreter" doc:"interpreter of the language, such as /usr/bin/python3; empty: python3 or Rscript"`
	Files       []string     `param:"files" doc:"files and folders of your own to import, relative to the study file"`
	Version     string       `param:"version" plain:"true" node:"number or text" doc:"version of the library, which must be installed; a change runs the rows again"`
	Threads     int          `param:"threads" range:"[1,4096]" doc:"number of threads of its numerical libraries"`
	Memory      string       `param:"memory" doc:"memory limit of its processes, such as 2GB; empty: the study's memory_limit"`
}

type sklearnKeys struct {
	Estimator config.Place `param:"estimator" node:"text, or list of texts and mappings" required:"import path, such as sklearn.svm:SVC; a list makes a pipeline"`
	Encode    string       `param:"encode" enum:"onehot,codes" doc:"discrete attributes as indicators, or as numbers 0, 1, ..."`
	adapterKeys
}

type caretKeys struct {
	Method config.Place `param:"method" node:"text" required:"method of caret, such as gbm"`
	Folds  int          `param:"folds" range:"[2,inf)" doc:"of the cross-validation within the training rows that chooses among values of params, or among caret's own if params lacks a parameter"`
	adapterKeys
}

type learnerKeys struct {
	Learner config.Place `param:"learner" node:"text" required:"learner, such as classif.ranger"`
	adapterKeys
}

// An adapterTarget is the struct that the keys of an adapter are decoded into.
type adapterTarget interface{ common() *adapterKeys }

func (k *adapterKeys) common() *adapterKeys { return k }

// adapterNamed returns the adapter with a name; nil if there is none.
func adapterNamed(name string) *adapter {
	i := slices.IndexFunc(adapters, func(a adapter) bool { return a.name == name })
	if i < 0 {
		return nil
	}
	return &adapters[i]
}

// adapterNames lists the names of all adapters.
func adapterNames() (names []string) {
	for _, a := range adapters {
		names = append(names, a.name)
	}
	return names
}

// decodeAdapter decodes an entry whose classifier is in a library. It returns false after reporting
// mistakes.
func (r *reader) decodeAdapter(at config.Place, a *adapter, e *Entry, k *entryKeys) bool {
	if !at.IsMapping() {
		at.Fail("%s needs %s: {id: %[3]s, classifier: %[1]s, %[2]s: ...}", a.name, a.chosen, e.ID)
		return false
	}
	before, target := at.Mistakes(), a.keys()
	keys := target.common()
	keys.Threads = 1
	at.Decode("key of "+a.name, target, k)
	refuseFitting(at, k)
	checkChosen(at.Key(a.chosen), a)
	if at.Mistakes() > before {
		return false
	}
	c := command{Command: slices.Clone(a.command), Files: keys.Files, Params: keys.Params, Version: keys.Version,
		Threads: keys.Threads, Memory: keys.Memory}
	if keys.Interpreter != "" {
		c.Command[0] = keys.Interpreter
	}
	e.Program = r.program(at, external.Classifier, c)
	e.Program.Adapter = a.version
	e.Program.Params = adapterParams(a.chosen, at.Key(a.chosen).Plain(), e.Program.Params, target)
	e.Spec = e.Program.Spec()
	return at.Mistakes() == before
}

// adapterParams returns the parameters that the program of an adapter receives: the chosen
// classifier, the parameters given for it, and the adapter's own keys.
func adapterParams(key string, chosen any, given map[string]any, target adapterTarget) map[string]any {
	all := map[string]any{key: chosen}
	if len(given) > 0 {
		all["params"] = given
	}
	switch target := target.(type) {
	case *sklearnKeys:
		all["encode"] = target.Encode
	case *caretKeys:
		all["folds"] = target.Folds
	}
	return all
}

// importPath matches module:name; both may have dots.
var importPath = regexp.MustCompile(`^[A-Za-z_][\w.]*:[A-Za-z_][\w.]*$`)

// checkChosen reports a value that cannot name a classifier of the library. The library itself reports
// unknown names when the program starts. In Python, a list of names is a pipeline.
func checkChosen(chosen config.Place, a *adapter) {
	isPython := a.name == "sklearn"
	if !chosen.There() {
		return // reported by Decode
	}
	if isPython && chosen.IsList() {
		for i := range chosen.Items() {
			step := chosen.Item(i)
			if step.IsMapping() {
				step = step.Key("estimator")
			}
			checkChosen(step, a)
		}
		return
	}
	switch name := chosen.Text(); {
	case !chosen.IsPlain() || chosen.IsNull():
		example := "classif.ranger"
		if isPython {
			example = "sklearn.svm:SVC"
		}
		chosen.Fail("want a text, such as %s", example)
	case isPython && !importPath.MatchString(name):
		chosen.Fail("%q is not an import path; write module:name, such as sklearn.svm:SVC", name)
	}
}
