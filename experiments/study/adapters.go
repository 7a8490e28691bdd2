package study

import (
	"cmp"
	"regexp"

	"copse/experiments/config"
	"copse/experiments/external"
)

// An adapter is a program in Python or R that ships with copse. It runs classifiers of a library
// that the user installs, such as scikit-learn or caret.
type adapter struct {
	name    string
	doc     string
	version string     // increased when a change to the program affects predictions
	command []string   // the interpreter, then its arguments
	nameKey string     // the key that names the classifier in the library, such as estimator
	ownKeys func() any // returns a new struct with the keys of this adapter only, set to their defaults
}

func inR(library string) []string {
	const source = `source(file.path(Sys.getenv("COPSE_CLIENT"), "copse_adapters.R"))`
	return []string{"Rscript", "--vanilla", "-e", source, library}
}

var adapters = []adapter{
	{"sklearn", "an estimator of scikit-learn, or of a library with the same interface, given by its import path",
		"sklearn/1", []string{"python3", "-m", "copse_sklearn"}, "estimator",
		func() any { return &sklearnKeys{Encode: "onehot"} }},
	{"caret", "a method of the R package caret", "caret/1", inR("caret"), "method",
		func() any { return &caretKeys{Folds: 5} }},
	{"mlr", "a learner of the R package mlr", "mlr/1", inR("mlr"), "learner",
		func() any { return &learnerKeys{} }},
	{"mlr3", "a learner of the R packages mlr3 and mlr3learners", "mlr3/1", inR("mlr3"), "learner",
		func() any { return &learnerKeys{} }},
}

// adapterKeys defines the keys that all adapters share.
type adapterKeys struct {
	// parameters of the classifier, with the names used by the library
	Params config.Place `param:"params" node:"mapping"`
	// interpreter of the language, such as `/usr/bin/python3`; by default, python3 or Rscript
	Interpreter string `param:"interpreter"`
	// your own files and folders to import, relative to the study file
	Files []string `param:"files"`
	// version of the library that must be installed. If it changes, copse computes the results
	// again
	Version string `param:"version" plain:"true" node:"number or string"`
	// number of threads in the program's numerical libraries
	Threads int `param:"threads" range:"[1,4096]"`
	// memory limit of the program's processes, such as `2GB`; by default, the `memory_limit` of the study
	Memory string `param:"memory" plain:"true"`
}

func newAdapterKeys() *adapterKeys { return &adapterKeys{Threads: 1} }

type sklearnKeys struct {
	// the import path, such as `sklearn.svm:SVC`; a list makes a pipeline
	Estimator config.Place `param:"estimator" node:"string, or list of strings and mappings" required:"yes"`
	// how to code discrete attributes: `onehot` as indicators, `codes` as the numbers 0, 1, ...
	Encode string `param:"encode" enum:"onehot,codes"`
}

type caretKeys struct {
	// a method of caret, such as `gbm`
	Method config.Place `param:"method" node:"string" required:"yes"`
	// number of cross-validation folds with which caret tunes parameters. caret tries the values in
	// `params`. For other parameters, it tries its own values
	Folds int `param:"folds" range:"[2,inf)"`
}

type learnerKeys struct {
	// a learner, such as `classif.ranger`
	Learner config.Place `param:"learner" node:"string" required:"yes"`
}

func adapterNamed(name string) *adapter {
	for i := range adapters {
		if adapters[i].name == name {
			return &adapters[i]
		}
	}
	return nil
}

// decodeAdapter decodes an item of the classifier list: a classifier of an external library, which
// the adapter a runs. It sets e.Program, e.Spec and *shared.
func (r *reader) decodeAdapter(item config.Place, a *adapter, e *Entry, shared *sharedKeys) {
	if !item.IsMapping() {
		item.Fail("%s needs the key `%s`, as in `{id: %s, classifier: %s, %s: ...}`",
			a.name, a.nameKey, e.ID, a.name, a.nameKey)
		return
	}
	errorsBefore := item.ErrorCount()
	ownKeys := a.ownKeys()
	commonKeys := newAdapterKeys()
	item.Decode("key of "+a.name, ownKeys, commonKeys, shared)
	refuseRefitting(item, shared)
	nameInLibrary := item.Key(a.nameKey)
	isPython := a.name == "sklearn"
	checkNameInLibrary(nameInLibrary, isPython)
	if item.ErrorCount() > errorsBefore {
		return
	}
	program := r.program(item, external.Classifier, a.commandOf(commonKeys))
	userParams := program.Params
	program.Params = adapterParams(ownKeys, userParams)
	program.Params[a.nameKey] = nameInLibrary.Plain()
	program.Adapter = a.version
	e.Program = program
	e.Spec = program.Spec()
}

// adapterParams returns the parameters that an adapter receives, without the name of the
// classifier. Its parameter "params" contains the user's parameters for the classifier in the
// library.
func adapterParams(ownKeys any, userParams map[string]any) map[string]any {
	params := map[string]any{}
	if len(userParams) > 0 {
		params["params"] = userParams
	}
	switch keys := ownKeys.(type) {
	case *sklearnKeys:
		params["encode"] = keys.Encode
	case *caretKeys:
		params["folds"] = keys.Folds
	}
	return params
}

func (a *adapter) commandOf(keys *adapterKeys) command {
	return command{
		Command: append([]string{cmp.Or(keys.Interpreter, a.command[0])}, a.command[1:]...),
		Files:   keys.Files,
		Params:  keys.Params,
		Version: keys.Version,
		Threads: keys.Threads,
		Memory:  keys.Memory,
	}
}

// importPath matches a Python import path module:name, such as sklearn.svm:SVC.
var importPath = regexp.MustCompile(`^[A-Za-z_][\w.]*:[A-Za-z_][\w.]*$`)

// checkNameInLibrary reports a value that cannot name a classifier. The library rejects unknown
// names when the program starts. In Python, the value is an import path or a pipeline: a list of
// import paths, and of mappings with the key estimator.
func checkNameInLibrary(name config.Place, isPython bool) {
	example := "classif.ranger"
	if isPython {
		example = "sklearn.svm:SVC"
	}
	switch {
	case !name.Exists():
		// Decode has already reported the missing key.
	case isPython && name.IsList():
		for i := range name.Items() {
			step := name.Item(i)
			if step.IsMapping() {
				step = step.Key("estimator")
			}
			checkNameInLibrary(step, isPython)
		}
	case !name.IsPlain() || name.IsNull():
		name.Fail("want a string, such as `%s`", example)
	case isPython && !importPath.MatchString(name.Text()):
		name.Fail("%q is not an import path; write `module:name`, such as `%s`", name.Text(), example)
	}
}
