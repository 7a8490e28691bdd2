package external

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/internal/randtest"
	"copse/stats/dataset"
)

// interpreters lists, for each language, commands that succeed if the language and its required packages are
// installed. The tests use the first command that succeeds.
var interpreters = map[string][][]string{
	"r":      {{"Rscript", "-e", "1"}},
	"python": {{"python3", "-c", "import numpy"}, {"/usr/bin/python3", "-c", "import numpy"}},
	"julia":  {{"julia", "-e", "1"}},
}

// interpreter returns the command that runs files of a language. If it is missing, the test is skipped with a
// message.
func interpreter(t testing.TB, language string) []string {
	t.Helper()
	if testing.Short() {
		t.Skipf("NOT TESTED with -short: %s", language)
	}
	for _, probe := range interpreters[language] {
		if exec.Command(probe[0], probe[1:]...).Run() == nil {
			i := slices.Index(Languages(), language)
			return append(probe[:1:1], languages[i].command[1:]...)
		}
	}
	t.Skipf("SKIPPED: no %s here (python needs numpy); its client is not tested", language)
	return nil
}

// written writes a file with the given text and returns the program that runs it.
func written(t testing.TB, kind Kind, language, text string) (*Program, string) {
	t.Helper()
	command := interpreter(t, language)
	dir := t.TempDir()
	name := "program"
	filetest.Write(t, filepath.Join(dir, name), text)
	p := &Program{Kind: kind, Command: append(command, name), Files: []string{name}}
	must(p.Read(dir))
	return p, dir
}

// newHost returns a host whose programs end with the test.
func newHost(t testing.TB, dir string) *Host {
	host := NewHost(dir)
	t.Cleanup(host.Close)
	return host
}

// fit fits a program to the first of two sets, and returns its prediction for the second.
func fit(ctx context.Context, host *Host, program *Program) (*Prediction, error) {
	train, test := twoSets()
	return host.FitPredict(ctx, program, train, test, 1)
}

// conform returns the findings of Conform for a program with two classes.
func conform(t *testing.T, program *Program, dir string, acts bool) (findings []Finding) {
	t.Helper()
	must(Conform(t.Context(), program, dir, 2, acts, randtest.New(1), Listener{
		Started: func(Handshake) {},
		Checked: func(f Finding) { findings = append(findings, f) },
	}))
	return findings
}

// Every template, and therefore every client, passes the conformance suite.
func TestTemplatesConform(t *testing.T) {
	for name, kind := range map[string]Kind{"method": Classifier, "generator": Generator} {
		for _, language := range Languages() {
			t.Run(fmt.Sprint(kind, " ", language), func(t *testing.T) {
				text, err := Template(name, language, name)
				must(err)
				program, dir := written(t, kind, language, text)
				program.Params = map[string]any{"ridge": 0.02, "d": 3, "shift": 2.5, "unused \"text\"": []any{"a\\b",
					true, nil, 1e-300}}
				passed := 0
				for _, f := range conform(t, program, dir, false) {
					t.Logf("%+v", f)
					if f.Result == Passed {
						passed++
					} else if f.Result == Failed {
						t.Errorf("%s: %s", f.Rule, f.Detail)
					}
				}
				if passed < 9 {
					t.Errorf("%d rules passed", passed)
				}
			})
		}
	}
}

// Methods can use the features that the templates do not show: discrete attributes, missing values, warnings,
// prints and errors.
var wider = map[string]string{
	"r": `
source(file.path(Sys.getenv("COPSE_CLIENT"), "copse.R"))
copse_classifier(name = "wider", version = 3, discrete = TRUE, missing = TRUE,
  fit_predict = function(x, y, new, params) {
    cat("a print without an end")
    message("and a message")
    warning("odd\ndata")
    if (nrow(x) < 10) stop("too few rows")
    if (is.data.frame(x)) stopifnot(
  identical(levels(x[[2]]), c("red", "gr\u00fcn", "blue", "never seen")), names(x)[2] == "colour, or \"hue\"")
    near <- function(r) { d <- abs(x[[1]] - r); d[is.na(d)] <- Inf; y[which.min(d)] }
    if (!is.data.frame(x)) { x <- as.data.frame(x); new <- as.data.frame(new) }
    centre <- sapply(x[sapply(x, is.numeric)], function(v) tapply(v, y, mean, na.rm = TRUE))
    v <- as.matrix(new[colnames(centre)]); v[is.na(v)] <- 0
    nearest <- apply(v, 1, function(r) which.min(rowSums(sweep(centre, 2, r)^2)))
    levels(y)[nearest]
  })
`,
	"python": `
import warnings, sys
import numpy
import copse
def fit_predict(x, y, new, params):
    print("a print without an end", end="")
    print("and a message", file=sys.stderr)
    warnings.warn("odd\ndata")
    if len(x) < 10:
        raise ValueError("too few rows")
    if "discrete" in copse.task["kinds"]:
        assert copse.task["levels"] == {'colour, or "hue"': ["red", "grün", "blue", "never seen"]}
    centre = numpy.array([numpy.nanmean(x[y == c], axis=0) for c in range(len(copse.task["classes"]))])
    return ((numpy.nan_to_num(new)[:, None, :] - centre) ** 2).sum(axis=2).argmin(axis=1)
copse.classifier(fit_predict=fit_predict, name="wider", version=3, discrete=True, missing=True)
`,
}

func TestWiderMethods(t *testing.T) {
	if testing.Short() {
		t.Skip("starts interpreters for a quarter of a minute")
	}
	for language, text := range wider {
		t.Run(language, func(t *testing.T) {
			program, dir := written(t, Classifier, language, text)
			program.Version = "3"
			failed := 0
			for _, f := range conform(t, program, dir, false) {
				if f.Result != Passed && f.Rule != "probabilities" {
					t.Errorf("%+v", f)
				}
				if strings.Contains(f.Detail, "too few rows") {
					failed++
				}
			}
			if failed != 1 {
				t.Errorf("few rows refused %d times", failed)
			}
			host := newHost(t, dir)
			answer, err := fit(t.Context(), host, program)
			if err != nil || len(answer.Warnings) != 1 {
				t.Fatalf("%+v, error %v", answer, err)
			}
			hello, err := host.Handshake(t.Context(), program, Wait{})
			if err != nil || len(hello.Environment) == 0 {
				t.Errorf("%+v, error %v", hello, err)
			}
		})
	}
}

// The random generators of the languages receive the seeds, in 31 bits and in full.
func TestSeedsArrive(t *testing.T) {
	for language, text := range map[string]string{
		"r": `source(file.path(Sys.getenv("COPSE_CLIENT"), "copse.R"))
copse_classifier(function(x, y, params) NULL, function(m, x) ifelse(runif(nrow(x)) < 0.5, "0", "1"), name = "coin")`,
		"python": `import random, numpy, copse
copse.classifier(lambda x, y, params: random.random(),
                 lambda m, x: (numpy.random.random(len(x)) < m) + 0, name="coin")`,
	} {
		t.Run(language, func(t *testing.T) {
			program, dir := written(t, Classifier, language, text)
			host := newHost(t, dir)
			train, test := twoSets()
			seen := map[string]bool{}
			for _, seed := range []uint64{1 << 40, 1 << 40, 1 << 41, 1 << 63} {
				answer, err := host.FitPredict(t.Context(), program, train, test, seed)
				must(err)
				seen[fmt.Sprint(answer.Labels)] = true
			}
			if len(seen) != 3 {
				t.Errorf("three seeds give %d answers", len(seen))
			}
		})
	}
}

// Python 3.9 does not list the modules of its standard library. The client for Python starts anyway.
func TestOldPythonStarts(t *testing.T) {
	program, dir := written(t, Classifier, "python", `import sys
vars(sys).pop("stdlib_module_names", None)
import copse
copse.classifier(name="old")`)
	hello, err := newHost(t, dir).Handshake(t.Context(), program, Wait{})
	if err != nil || hello.Environment["numpy"] == "" {
		t.Errorf("%+v, error %v", hello, err)
	}
}

// If a method returns class names instead of codes, the error states this instead of a failed conversion.
func TestPythonWantsCodes(t *testing.T) {
	for answer, want := range map[string]string{`["spam"] * len(x)`: "no class code: 'spam'",
		"None": "no class code: None", "numpy.full(len(x), 0.5)": "no class code"} {
		program, dir := written(t, Classifier, "python",
			"import numpy, copse\ncopse.classifier(lambda x, y, params: None, lambda m, x: "+answer+", name=\"words\")")
		_, err := fit(t.Context(), newHost(t, dir), program)
		errtest.Case(t, answer).Contains(err, want)
	}
}

// Conform reports the calls that led to an error of the method.
func TestErrorsHaveTraces(t *testing.T) {
	for language, text := range map[string]string{
		"r": `source(file.path(Sys.getenv("COPSE_CLIENT"), "copse.R"))
helper <- function(z) stop("no such value")
copse_classifier(function(x, y, params) helper(y), function(model, x) x, name = "fails")`,
		"python": `import copse
def helper(z):
    raise ValueError("no such value")
copse.classifier(lambda x, y, params: helper(y), lambda model, x: x, name="fails")`,
	} {
		program, dir := written(t, Classifier, language, text)
		first := conform(t, program, dir, false)[0]
		if !strings.Contains(first.Trace, "helper") || !strings.HasSuffix(first.Detail, "no such value") {
			t.Errorf("%s: %+v", language, first)
		}
	}
}

// Labels of a generator that are not whole numbers are an error.
func TestGeneratorsDrawCodes(t *testing.T) {
	programs := map[string]string{
		"r": `source(file.path(Sys.getenv("COPSE_CLIENT"), "copse.R"))
copse_generator(function(params) 1, function(problem, counts) list(x = matrix(0, sum(counts), 1), y = LABELS),
  name = "codes")`,
		"python": `import numpy, copse
copse.generator(lambda params: 1, lambda problem, counts: (numpy.zeros((sum(counts), 1)), LABELS), name="codes")`,
	}
	for _, c := range []struct{ language, labels, want string }{
		{"r", "c(0, 1, 1)", "<nil>"},
		{"r", "c(0, 1, 0.4)", "sample returned something that is no class code: 0.4"},
		{"r", "c(0, 1, NA)", "sample returned something that is no class code: NA"},
		{"r", "factor(c(0, 1, 1))", "sample returned something that is no class code: 0"},
		{"python", "numpy.array([0., 1., 1.])", "<nil>"},
		{"python", "[0, 1, 0.4]", "sample returned something that is no class code: 0.4"},
		{"python", "[0, 1, numpy.nan]", "sample returned values that are not finite"},
		{"python", "numpy.array([0, 1, None], object)", "sample returned something that is no class code: None"},
		{"python", `[0, True, "spam"]`, "sample returned something that is no class code: 'spam'"},
		{"python", `["0", "1", "1"]`, "sample returned something that is no class code: '0'"},
	} {
		program, dir := written(t, Generator, c.language,
			strings.Replace(programs[c.language], "LABELS", c.labels, 1))
		problem, err := newHost(t, dir).NewProblem(t.Context(), program, 2, 1)
		must(err)
		_, err = problem.Sample(t.Context(), []int{1, 2}, 1)
		if !strings.HasSuffix(fmt.Sprint(err), c.want) {
			t.Errorf("%s, %s: error %v, want %q", c.language, c.labels, err, c.want)
		}
	}
}

// The columns of a matrix or data frame of probabilities in R can have any order if their names are the classes.
func TestRProbabilitiesByName(t *testing.T) {
	const program = `source(file.path(Sys.getenv("COPSE_CLIENT"), "copse.R"))
copse_classifier(function(x, y, params) levels(y), name = "named", probabilities = TRUE,
  predict = function(classes, x) {
  p <- matrix(c(0.2, 0.8), nrow(x), 2, byrow = TRUE)
  NAMES
})`
	for names, want := range map[string]string{
		`p`:                              "[0.2 0.8]",
		`colnames(p) <- classes; p`:      "[0.2 0.8]",
		`colnames(p) <- rev(classes); p`: "[0.8 0.2]",
		`colnames(p) <- rev(classes); as.data.frame(p)`: "[0.8 0.2]",
		`colnames(p) <- rev(classes); data.frame(p)`:    "[0.8 0.2]",
		`as.data.frame(p)`:               "[0.2 0.8]",
		`cbind(p[, 1], second = p[, 2])`: "[0.2 0.8]",
		// The classes are 0 and 1; the codes of y are 1 and 2.
		`colnames(p) <- 1:2; p`:                        "[0.2 0.8]",
		`colnames(p) <- 2:1; p`:                        "predict returned probabilities of 2, 1; the classes are 0, 1",
		`data.frame(p)`:                                "[0.2 0.8]",
		`colnames(p) <- c(classes[2], "x"); p`:         "predict returned probabilities of 1, x; the classes are 0, 1",
		`colnames(p) <- classes[c(1, 1)]; p`:           "predict returned probabilities of 0, 0; the classes are 0, 1",
		`data.frame(class = rep(classes[1], nrow(x)))`: "probabilities that are not numbers",
		// predict() of MASS::lda returns a list.
		`list(class = factor(rep("1", nrow(x))), posterior = p)`: "predict returned a list (class, posterior); return",
	} {
		checkProbabilities(t, "r", strings.Replace(program, "NAMES", names, 1), []string{"0", "1"}, want)
	}
}

// checkProbabilities checks the probabilities that a program predicts for the first test row, or its
// error. The argument classes contains the names of the two classes.
func checkProbabilities(t *testing.T, language, text string, classes []string, want string) {
	t.Helper()
	program, dir := written(t, Classifier, language, text)
	train, test := twoSets()
	train.Classes = classes
	answer, err := newHost(t, dir).FitPredict(t.Context(), program, train, test, 1)
	got := fmt.Sprint(err)
	if err == nil {
		got = fmt.Sprint(answer.Probabilities.RawRowView(0))
	}
	if !strings.Contains(got, want) {
		t.Errorf("%s, want %s, of\n%s", got, want, text)
	}
}

// The columns of a data frame in Python have the names of the classes or their codes, in any order.
func TestPythonProbabilitiesByName(t *testing.T) {
	const program = `import numpy, copse
class Frame:
    def __init__(self, *columns): self.columns = columns
    def __array__(self, dtype=None, copy=None): return numpy.array([[0.2, 0.8]] * rows)
def predict(model, x):
    global rows
    rows = len(x)
    return Frame(COLUMNS)
copse.classifier(lambda x, y, params: None, predict, name="named", probabilities=True)`
	for columns, want := range map[string]string{
		`"low", "high"`: "[0.2 0.8]",
		`"high", "low"`: "[0.8 0.2]",
		`0, 1`:          "[0.2 0.8]",
		`1, 0`:          "[0.8 0.2]",
		`"p0", "p1"`: "predict returned the columns ['p0', 'p1']; name them after the classes ['low', 'high'] " +
			"or their codes [0, 1]",
		`"low", "low"`:         "predict returned the columns ['low', 'low']",
		`"low", "high", "low"`: "predict returned the columns ['low', 'high', 'low']",
		`1, 2`:                 "predict returned the columns [1, 2]",
	} {
		text := strings.Replace(program, "COLUMNS", columns, 1)
		checkProbabilities(t, "python", text, []string{"low", "high"}, want)
	}
}

// data.frame changes the names of classes such as "very high".
func TestRProbabilitiesByChangedName(t *testing.T) {
	const program = `source(file.path(Sys.getenv("COPSE_CLIENT"), "copse.R"))
copse_classifier(function(x, y, params) levels(y), name = "named", probabilities = TRUE,
  predict = function(classes, x) {
  p <- matrix(c(0.2, 0.8), nrow(x), 2, byrow = TRUE)
  colnames(p) <- NAMES
  data.frame(p)
})`
	for names, want := range map[string]string{"classes": "[0.2 0.8]", "rev(classes)": "[0.8 0.2]"} {
		checkProbabilities(t, "r", strings.Replace(program, "NAMES", names, 1), []string{"low", "very high"}, want)
	}
}

// The adapters of R prepare a single row with a discrete attribute and a missing value.
func TestColumnsOfRAdapters(t *testing.T) {
	const script = `for (e in parse("clients/copse_adapters.R")) if (identical(e[[2]], as.name("columns"))) eval(e)
row <- data.frame(a = NaN, b = factor("u", c("u", "v")), c = factor(NA, c("u", "v")))
x <- columns(row, TRUE)
stopifnot(identical(names(x), paste0("x", 1:5)), identical(x$x2, 1), identical(x$x3, 0), is.na(x$x4))
stopifnot(is.na(x$x1), !is.nan(x$x1), !is.nan(columns(row)$x1))`
	command := append(interpreter(t, "r"), "-e", script)
	if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// copse try reports a method that fails on a single row only if an attribute is discrete.
func TestSingleRowWithDiscreteAttribute(t *testing.T) {
	program, dir := written(t, Classifier, "r", `source(file.path(Sys.getenv("COPSE_CLIENT"), "copse.R"))
copse_classifier(function(x, y, params) NULL, name = "frame", classes = 2, discrete = TRUE,
  predict = function(model, x) {
  if (is.data.frame(x) && nrow(x) == 1) stop("undefined columns selected")
  ifelse(x[, 1] > 3, "0", "1")
})`)
	var failed []string
	for _, f := range conform(t, program, dir, false) {
		if f.Result == Failed {
			failed = append(failed, f.Rule+": "+f.Detail)
		}
	}
	if len(failed) != 1 || !strings.HasPrefix(failed[0], "discrete attributes: a single test row: ") {
		t.Errorf("%q", failed)
	}
}

// If a problem cannot be described, it gets no handle, and the client stores nothing.
func TestClientsKeepNoProblemWithoutAHandle(t *testing.T) {
	for language, text := range map[string]string{
		"r": `source(file.path(Sys.getenv("COPSE_CLIENT"), "copse.R"))
copse_generator(new = function(params) 1, sample = function(problem, counts) NULL, name = "kept",
  describe = function(problem) stop(length(get("problems", parent.frame())), " kept"))`,
		"python": `import gc, copse
class Problem: pass
def describe(problem):
    raise ValueError("%d kept" % (sum(isinstance(o, Problem) for o in gc.get_objects()) - 1))
copse.generator(lambda params: Problem(), lambda problem, counts: None, describe=describe, name="kept")`,
	} {
		t.Run(language, func(t *testing.T) {
			program, dir := written(t, Generator, language, text)
			host := newHost(t, dir)
			for range 3 {
				_, err := host.NewProblem(t.Context(), program, 2, 1)
				errtest.Case(t, language).HasSuffix(err, "0 kept")
			}
		})
	}
}

// A generator must name its columns and classes without repetition, and give a positive density to every row
// that it draws.
func TestGeneratorsAreChecked(t *testing.T) {
	for _, c := range []struct{ describe, density, want string }{
		{`{"names": ["a", "b"], "classes": ["x", "y"]}`, "-x[:, 0] ** 2", ""},
		{`{"names": ["a", "a"]}`, "-x[:, 0] ** 2", `names: "a" occurs twice`},
		{`{"names": ["a", " "]}`, "-x[:, 0] ** 2", "names: item 2 is empty"},
		{`{"names": ["a", "b"], "levels": {"c": ["x"]}}`, "-x[:, 0] ** 2", `levels: the problem has no column "c"`},
		{`{"names": ["a", "b"], "levels": {"b": ["x", "x"]}}`, "-x[:, 0] ** 2", `levels of b: "x" occurs twice`},
		{`{"names": ["a", "b"], "levels": {"b": ["x"]}}`, "-x[:, 0] ** 2", ""},
		{`{"classes": ["x", "x"]}`, "-x[:, 0] ** 2", `classes: "x" occurs twice`},
		{`{"classes": ["", "y"]}`, "-x[:, 0] ** 2", "classes: item 1 is empty"},
		{"{}", "numpy.where(x[:, 0] < label, 0, -numpy.inf)", ""}, // zero in class 0 only
		{"{}", "numpy.where(numpy.arange(len(x)) == 2, -numpy.inf, 0)",
			"log_density: the generator drew row 3, but its density is zero in every class"},
	} {
		program, dir := written(t, Generator, "python", `import numpy, copse
copse.generator(lambda params: 1, lambda problem, counts: (numpy.zeros((sum(counts), 2)),
  numpy.repeat(numpy.arange(2), counts)), lambda problem, label, x: `+c.density+`,
  lambda problem: `+c.describe+`, name="checked")`)
		problem, err := newHost(t, dir).NewProblem(t.Context(), program, 2, 1)
		if err == nil {
			var set *dataset.Set
			if set, err = problem.Sample(t.Context(), []int{4, 4}, 1); err == nil {
				_, err = problem.LogDensity(t.Context(), set.X)
			}
		}
		errtest.Case(t, c.describe+", "+c.density).Match(err, c.want)
	}
}

// BenchmarkTrial measures the overhead of a trial with 1000 + 1000 rows and 20 columns. The method itself
// takes almost no time.
func BenchmarkTrial(b *testing.B) {
	for language, text := range map[string]string{
		"r": `source(file.path(Sys.getenv("COPSE_CLIENT"), "copse.R"))
copse_classifier(function(x, y, params) NULL, function(m, x) rep("0", nrow(x)), name = "nothing")`,
		"python": `import numpy, copse
copse.classifier(lambda x, y, params: None, lambda m, x: numpy.zeros(len(x), int), name="nothing")`,
	} {
		b.Run(language, func(b *testing.B) {
			program, dir := written(b, Classifier, language, text)
			host := newHost(b, dir)
			c := &subject{rng: randtest.New(1)}
			train, test := c.gaussians(1000, 20, 2, 1), c.gaussians(1000, 20, 2, 1)
			request := func() {
				_, err := host.FitPredict(b.Context(), program, train, test, 1)
				must(err)
			}
			request() // starts the program
			for b.Loop() {
				request()
			}
		})
	}
}
