package study_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"copse/experiments/config"
	"copse/experiments/data"
	"copse/experiments/study"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/internal/reported"
	"copse/internal/toys"
	"copse/stats/records"
)

// The description of the data of a cell agrees with the study.
func TestDataInWords(t *testing.T) {
	const drawn = "generator: {name: toy, d: 4}, "
	for _, c := range []struct{ data, split, noise, content string }{
		{drawn + "train: {n: 20}, test: {n: 20}", "", "", "generator=toy/1{d=4,shift=1};train=[10 10];test=[10 10]"},
		{"csv: FILE, folds: 5, keep: [row]", "5 folds", "", "csv="},
		{"csv: FILE, folds: 5, keep: [row], groups: site",
			"5 folds of whole groups (site)",
			"", ";groups="},
		{"csv: FILE, holdout: 0.25, keep: [row], random: true, subsample: 40",
			"holdout of 0.25, not stratified, of 40 rows drawn first", "", ";subsample=40"},
		{"csv: FILE, folds: 5, keep: [row], train: {n: 8}", "5 folds, trained on 8 of the training rows", "",
			";train=8"},
		{"csv: FILE, split: part, keep: [row], flip: 0.1", "official test set", "each training label is replaced " +
			"by another class with probability 0.1", ";flip=0.1"},
		{"csv: FILE, folds: 5, keep: [row], missing: {mcar: 0.2}", "5 folds",
			"each training value is missing with probability 0.2", ";missing={mcar=0.2 where=train}"},
		{"csv: FILE, folds: 5, keep: [row], missing: {mar: 0.2, on: row, where: both}", "5 folds",
			"each training and test value is missing with mean probability 0.2; " +
				"the probability is higher if row is large",
			";missing={mar=0.2 on=row where=both}"},
		{"csv: FILE, folds: 5, keep: [row, colour], missing: {per_row: 0.5, where: test}", "5 folds",
			"each test row loses 0.5 of its values", ";missing={per_row=0.5 where=test}"},
	} {
		s := toys.Load(t, toys.RowsStudy(t, c.data, "{classifier: centroid, impute: mean}"))
		cell := s.Cells[0]
		if got := cell.Data.SplitInWords(); got != c.split {
			t.Errorf("%s: split %q, want %q", c.data, got, c.split)
		}
		if got := strings.Join(cell.Data.NoiseInWords(), "; "); got != c.noise {
			t.Errorf("%s: noise %q, want %q", c.data, got, c.noise)
		}
		if got := cell.Content(); !strings.Contains(got, c.content) {
			t.Errorf("%s: content %q, want %q in it", c.data, got, c.content)
		}
	}
	s := toys.Load(t, toys.RowsStudy(t, drawn+"train: {n: 20}, test: {n: 20}, irrelevant: 3"))
	if noise := s.Cells[0].Data.NoiseInWords(); len(noise) != 1 ||
		!strings.Contains(noise[0], "3 of the attributes are standard normal") {
		t.Errorf("%q", noise)
	}
	if d := s.Cells[0].Data; d.GeneratorSpec != "toy/1{d=4,shift=1}" ||
		!slices.Equal(d.ClassNames(), []string{"0", "1"}) ||
		d.AsRead(1) != nil {
		t.Errorf("%s, classes %q, read %q", d.GeneratorSpec, d.ClassNames(), d.AsRead(1))
	}
}

// Replicates have the same test rows if a column determines the split.
func TestSampling(t *testing.T) {
	for data, want := range map[string]struct {
		share        float64
		oneSet, test bool
	}{
		"csv: FILE, folds: 5, keep: [row]":                          {0.25, true, false},
		"csv: FILE, holdout: 0.2, keep: [row]":                      {0.25, true, false},
		"csv: FILE, split: part, keep: [row]":                       {1, true, true},
		"csv: FILE, split: part, keep: [row], train: {n: 8}":        {1, true, true},
		"csv: FILE, split: part, keep: [row], subsample: 30":        {1, true, false},
		"generator: toy, train: {n: 20}, test: {n: 20}":             {0, false, false},
		"generator: toy, sample: {n: 20}, folds: 5":                 {0, false, false},
		"csv: FILE, split: part, keep: [row], missing: {mcar: 0.1}": {1, true, true},
	} {
		d := toys.Load(t, toys.RowsStudy(t, data, "{classifier: centroid, impute: mean}")).Cells[0].Data
		share, oneSet := d.Resampled()
		if share != want.share || oneSet != want.oneSet || d.SameTest() != want.test {
			t.Errorf("%s: share %v, one set %t, same test %t", data, share, oneSet, d.SameTest())
		}
	}
}

// Cells that read the same rows have the same source, whatever their preparation.
func TestSource(t *testing.T) {
	source := func(data string) string {
		return toys.Load(t, "study: s\nseed: 1\nreplicates: 5\nclassifiers: "+
			"[centroid]\ndata: {"+data+"}\n").Cells[0].Source
	}
	plain := source("set: iris, folds: 5")
	if other := source("set: iris, holdout: 0.2, flip: 0.1"); other != plain {
		t.Error("a split makes other rows")
	}
	if other := source("set: iris, folds: 5, rows: [class != Iris-setosa]"); other == plain {
		t.Error("a part of the rows has the source of all")
	}
}

// A recipe outside a study is checked as in a study.
func TestRecipesFromFlags(t *testing.T) {
	cell, err := study.NewCell("toy", []string{"d=3", "shift=2"}, []int{4, 5}, []int{6, 7})
	if want := "generator=toy/1{d=3,shift=2};train=[4 5];test=[6 7]"; err != nil || cell.Key != want {
		t.Errorf("%+v, %v", cell, err)
	}
	e, err := study.NewClassifier("centroid", []string{"axis=1", "impute=mean"})
	if err != nil || !strings.HasPrefix(e.Spec, "centroid/1{axis=1}") || e.Preparation.Impute != "mean" {
		t.Errorf("%+v, %v", e, err)
	}
	params, err := study.ProgramParams([]string{"k=5", "rule={a: [1, x]}", "day=2020-01-02"})
	want := map[string]any{"k": 5, "rule": map[string]any{"a": []any{1, "x"}}, "day": "2020-01-02"}
	if err != nil || !reflect.DeepEqual(params, want) {
		t.Errorf("%v, %v", params, err)
	}
	for want, try := range map[string]func() error{
		`--param d=0: data.generator.d: 0 is outside [1,inf)`: func() error {
			_, err := study.NewCell("toy", []string{"d=0"}, []int{1, 1}, []int{1, 1})
			return err
		},
		`--train: want 2 numbers of rows, one for each class, got 1`: func() error {
			_, err := study.NewCell("toy", nil, []int{3}, []int{1, 1})
			return err
		},
		"--param d: want `key=value`": func() error {
			_, err := study.NewCell("toy", []string{"d"}, nil, nil)
			return err
		},
		`unknown generator "tyo"`: func() error {
			_, err := study.NewCell("tyo", nil, nil, nil)
			return err
		},
		`unknown parameter of centroid; did you mean "axis"?`: func() error {
			_, err := study.NewClassifier("centroid", []string{"axsi=1"})
			return err
		},
		`the oracle works in studies only`: func() error {
			_, err := study.NewClassifier("oracle", nil)
			return err
		},
		`external generators work in studies only`: func() error {
			_, err := study.NewCell("external", []string{"command=[python3, words_test.go]"}, []int{5, 5}, []int{5, 5})
			return err
		},
		`external classifiers work in studies only`: func() error {
			_, err := study.NewClassifier("external", []string{"command=[x]"})
			return err
		},
		`--param k=.inf: k: want a finite number`: func() error {
			_, err := study.ProgramParams([]string{"k=.inf"})
			return err
		},
		`--param k=[: "[" is not a YAML value`: func() error {
			_, err := study.ProgramParams([]string{"k=["})
			return err
		},
	} {
		errtest.Contains(t, try(), want)
	}
}

// A classifier with a fixed version has the recipe, and therefore the stored results, of this version.
func TestPinnedVersions(t *testing.T) {
	for version, want := range map[string]string{
		"1": "svm-cv/1{folds=3}",
		"2": "svm-cv/2{folds=3}",
	} {
		e, err := study.NewClassifier("svm-cv", []string{"version=" + version, "folds=3"})
		if err != nil || e.Spec != want {
			t.Errorf("version %s: recipe %s, error %v", version, e.Spec, err)
		}
	}
	if _, err := study.NewClassifier("svm-cv", []string{"version=0"}); err == nil {
		t.Error("version 0 is accepted")
	}
}

func TestPrograms(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"method.sh": "exit\n", "draw.sh": "exit\n", "study.yaml": `study: s
seed: 1
replicates: 2
memory_limit: 2GB
design: {n: [20, 40]}
data: {generator: {name: external-csv, command: [sh, draw.sh, "{seed}{counts}{out}"], ` +
		`files: [draw.sh], classes: 3}, train: {n: $n}, test: {n: 20}}
classifiers:
  - {id: mine, classifier: external, command: [sh, method.sh], files: [method.sh], version: 2, ` +
		`memory: 1GiB, params: {k: 5}, impute: mean}
  - {id: absent, classifier: external, command: [copse-has-no-such-program]}
`} {
		filetest.Write(t, filepath.Join(dir, name), text)
	}
	s, err := study.Load(filepath.Join(dir, "study.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if list := s.Programs(); len(list) != 3 || list[1].Version != "2" || list[1].Memory != 1<<30 ||
		list[2].Memory != 2e9 {
		t.Errorf("%+v", list)
	}
	if names := s.Cells[0].Data.ClassNames(); len(names) != 3 {
		t.Errorf("classes %q", names)
	}
	err = s.FindPrograms(s.Programs())
	if want := "study.yaml:9:49: classifiers.absent.command: "; err == nil || !strings.Contains(err.Error(), want) ||
		strings.Contains(err.Error(), "mine") {
		t.Errorf("%v, want %s", err, want)
	}
	kept := t.TempDir()
	if err := s.KeepFiles(kept); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"method.sh", "draw.sh"} {
		if _, err := os.Stat(filepath.Join(kept, name)); err != nil {
			t.Error(err)
		}
	}
	linked := t.TempDir()
	if err := os.Symlink(filepath.Join(kept, "method.sh"), filepath.Join(linked, "method.sh")); err == nil {
		errtest.Case(t, "KeepFiles through a link").Contains(s.KeepFiles(linked), "method.sh is a symbolic link")
	}
	text := filetest.Read(t, filepath.Join(dir, "study.yaml"))
	for _, c := range []struct{ old, now, want string }{
		{"version: 2", "version: null", "classifiers.mine.version: want a string, got the null value null"},
		{"memory: 1GiB", "memory: much", `classifiers.mine.memory: "much" is not an amount of memory`},
		{"params: {k: 5}", "params: 5", "classifiers.mine.params: want a mapping, got the number 5"},
		{"impute: mean", "probabilities: platt", "classifiers.mine.probabilities: a program fits and predicts"},
		{"classes: 3", "density: true", "data.generator.density: a command that writes CSV files"},
		{`, "{seed}{counts}{out}"]`, "]", "data.generator.command: lacks `{seed}`; copse"},
		{"{seed}{counts}{out}", "{seed}{counts}", "data.generator.command: lacks `{out}`;"},
		{`[sh, draw.sh, "{seed}{counts}{out}"]`, "[]", "data.generator.command: want the program"},
	} {
		wrong := strings.Replace(text, c.old, c.now, 1)
		_, err := study.Parse(filepath.ToSlash(filepath.Join(dir, "s.yaml")), []byte(wrong), nil, nil)
		errtest.Case(t, c.now).Contains(err, c.want)
	}
}

// Results can be read without their data: each cell then has its stored identity.
func TestRecall(t *testing.T) {
	text := []byte(
		"study: s\nseed: 1\nreplicates: 5\nmetrics: [auc]\ndata: {csv: gone.csv, folds: 5}\nclassifiers: [centroid]\n",
	)
	stored := func(records.Levels) (study.StoredCell, bool) { return study.StoredCell{ID: "abc", Key: "csv=1"}, true }
	s, err := study.Parse("s.yaml", text, nil, stored)
	if err != nil || s.Cells[0].ID != "abc" || s.Cells[0].Key != "csv=1" || !s.Cells[0].Data.Absent {
		t.Errorf("%v, %v", s, err)
	}
	_, err = study.Parse("s.yaml", text, nil, nothingStored)
	const want = "data.csv: gone.csv is not on this machine; copse cannot do without it, because the stored " +
		"results have no cell"
	errtest.Contains(t, err, want)
	_, err = study.Parse("elsewhere/s.yaml", text, nil, nil)
	wantPath := "it is not in the folder of the study file either, " + filepath.Join("elsewhere", "gone.csv")
	errtest.Contains(t, err, wantPath)
}

// A file whose rows must not be distributed is recognised by its SHA-256, if the study keeps predictions of them.
func TestPredictionsOfRestrictedRows(t *testing.T) {
	pima, _ := data.Lookup("pima")
	sums := map[string]string{"free.csv": "0123", "renamed.csv": pima.Digest()}
	stored := func(records.Levels) (study.StoredCell, bool) {
		return study.StoredCell{ID: "abc", Key: "csv=1", Sums: sums}, true
	}
	const text = "study: s\nseed: 1\nreplicates: 5\ndata: {csv: [free.csv, renamed.csv], folds: 5}\n" +
		"classifiers: [centroid]\n"
	remark := "renamed.csv: `copse pack` will reject the results, because `predictions: keep` stores the classes of " +
		"test rows, and rows of the data set pima must not be distributed: " + pima.Restricted
	for predictions, want := range map[string][]string{"discard": nil, "keep": {remark}} {
		s, err := study.Parse("s.yaml", []byte(text+"predictions: "+predictions+"\n"), nil, stored)
		if err != nil {
			t.Fatal(err)
		}
		if got := s.DataRemarks(); !slices.Equal(got, want) {
			t.Errorf("run with predictions: %s: %q", predictions, got)
		}
		sections, err := reported.Sections(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := sections.Remarks(); !slices.Equal(got, want) {
			t.Errorf("check with predictions: %s: %q", predictions, got)
		}
	}
}

// The results contain the metrics of the study, of its tables and of its figures.
func TestKeptMetrics(t *testing.T) {
	text := toys.Study + "metrics: [error, auc]\nreport:\n" +
		"  tables: [{name: a, metric: brier}, {name: b, metric: mcc}]\n" +
		"  figures: [{metric: log_loss}, {metric: auc}]\n"
	want := []string{"auc", "brier", "log_loss"}
	if got := toys.Load(t, text).Metrics; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := study.MetricsIn([]byte(text)); !slices.Equal(got, want) {
		t.Errorf("by the text alone %q, want %q", got, want)
	}
}

// Each fold of a file is held out once unless the study states another number.
func TestReplicatesFollowFromFolds(t *testing.T) {
	for data, want := range map[string]int{"folds: 5": 5, "folds: 4, repeats: 3": 12} {
		text := strings.Replace(toys.RowsStudy(t, "csv: FILE, keep: [row], "+data), "replicates: 15\n", "", 1)
		if got := toys.Load(t, text).Replicates; got != want {
			t.Errorf("%s: %d replicates, want %d", data, got, want)
		}
	}
}

// Common names of methods lead to the names in the registry. Other names lead to the list and to external programs.
func TestUsualNames(t *testing.T) {
	for name, want := range map[string]string{
		"random_forest": "rf", "naive_bayes": "nb", "k-nn": "knn", "xgboost": "boosting", "logreg": "logistic",
		"KNN": "knn", "svc": "svm", "LinearDiscriminantAnalysis": "lda", "quadratic-discriminant-analysis": "qda",
		"RandomForestClassifier": "rf", "classif.ranger": "rf",
	} {
		_, err := parse(entryText(name))
		hint := fmt.Sprintf("; did you mean %q?", want)
		errtest.Case(t, name).HasSuffix(err, hint)
	}
}

// Names and forms of other software lead to the key or the form that copse uses.
func TestGuessedForms(t *testing.T) {
	const data = "{generator: {name: toy}, train: {n: 20}, test: {n: 20}}"
	const files = "give the training file as `data.csv`, and a test file as `data.test.csv`"
	for _, c := range []struct{ old, now, want string }{
		{"nb", "{id: a, classifer: nb}", `classifiers.a.classifer: unknown key; did you mean "classifier"?`},
		{"nb", "{name: nb}", `classifiers.name: unknown key; did you mean "classifier"?`},
		{"nb", "mine", "; `external` runs a program of your own (see `copse new method`)"},
		{"nb", "mlp", "; did you mean `{classifier: sklearn, estimator: ...}`?"},
		{"nb", "classif.rpart", "; did you mean `{classifier: mlr3, learner: ...}`?"},
		{"seed", "cv: 5\nseed", "cv: is not a key: use `data.folds`"},
		{"seed", "tests: auto\nseed", "tests: is not a key: use `inference.test`"},
		{"seed", "figures: []\nseed", "figures: is not a key: use `report.figures`"},
		{"seed", "reps: 3\nseed", "reps: is not a key: use `replicates`, or `data.repeats` if"},
		{data, "{csv: a.csv, holdout: 0.3, reps: 3}", "data.reps: is not a key: use `replicates`, or `data.repeats`"},
		{"name: toy", "name: friedman", "; `external` runs a program of your own (see `copse new generator`)"},
		{"train: {n: 20}", "train: 20", "data.train: want a mapping such as `{n: 20}`, got the number 20"},
		{"train: {n: 20}", "train: ", "data.train: want a mapping, got nothing; give the number of rows, as in"},
		{"test: {n: 20}", "test: true", "data.test: want a mapping, got the truth value true; give the number of rows"},
		{"data: " + data, "data: 5.0", "data: want a mapping, got the number 5.0"},
		{"test: {n: 20}", "test: {n:100}", "data.test.n:100: unknown key; put a colon and a space after `n`"},
		{"nb", "{classifier:nb}", "classifiers.classifier:nb: unknown key; put a colon and a space after `classifier`"},
		{"data: " + data, "design: {n: [20]}\ndata:\n  train:{n: $n}\n  generator: toy\n  test: {n: 20}",
			`this cell has no factor "n}"; put a colon and a space after each key`},
		{"{name: toy}", "{<<: {name: toy}, d: 3}", "data.generator.<<: copse does not merge mappings"},
		{"nb", "{<<: {classifier: nb}, id: a}", "classifiers.a.<<: copse does not merge mappings"},
		{data, "{train: a.csv, test: b.csv}", `data.train: want a mapping, got the text "a.csv"; ` + files},
		{data, "{train: a.csv, test: b.csv}", `data.test: want a mapping, got the text "b.csv"; ` + files},
		{data, "{train: {csv: a.csv}, test: {csv: b.csv}}", "data.train.csv: is not a key: " + files},
		{"train: {n: 20}, test: {n: 20}", "sample: {n: 60}, folds: 61",
			"data.folds: 60 rows cannot be divided into 61 folds; give fewer folds"},
		{data, "{csv: a.csv, stratify: true}", "data.stratify: is not a key: folds and holdouts are stratified"},
	} {
		text := strings.Replace(entryText("nb"), c.old, c.now, 1)
		_, err := parse(text)
		errtest.Case(t, c.now).Contains(err, c.want)
	}
}

// An older version has its own defaults, which the study can replace.
func TestPinnedVersionHasItsDefaults(t *testing.T) {
	for entry, want := range map[string]string{
		"rf":                           "rf/2{}",
		"{classifier: rf, trees: 50}":  "rf/2{trees=50}",
		"{classifier: rf, version: 1}": "rf/1{}",
		"{classifier: rf, version: 1, trees: 500}": "rf/1{trees=500}",
		"{classifier: 5nn, version: 1, k: 7}":      "5nn/1{k=7}",
		// Version 2 of dcc does not have the candidates that override a given ridge in version 3.
		"{classifier: dcc, version: 2, ridge: 0.1}": "dcc/2{ridge=0.1}",
	} {
		if got := entryOf(t, entry).Spec; got != want {
			t.Errorf("%s: %s, want %s", entry, got, want)
		}
	}
}

// A metric must exist, and its class must be a class of the data.
func TestMetrics(t *testing.T) {
	text := strings.Replace(toys.Study, "design:", "metrics: [%s]\ndesign:", 1)
	for list, want := range map[string]string{
		"auc, log_loss":        "",
		"auk":                  `metrics: no metric "auk"`,
		"error, f1":            "",
		"fit_seconds":          "",
		"auc, auc":             "metrics[1]: auc is listed twice",
		"average_precision:1":  "",
		"average_precision:no": "metrics: ",
	} {
		_, err := parse(fmt.Sprintf(text, list))
		errtest.Case(t, list).Match(err, want)
	}
}

// Every key is documented, including the parameters of each classifier and generator.
func TestKeys(t *testing.T) {
	var walk func(path string, list []config.Key)
	walk = func(path string, list []config.Key) {
		names := map[string]bool{}
		for _, k := range list {
			if k.Name == "" || k.Type == "" {
				t.Errorf("%s.%s: type %q", path, k.Name, k.Type)
			}
			if names[k.Name] {
				t.Errorf("%s has two keys `%s`; rename the parameter: docs/reference/study.md lists the keys of "+
					"every classifier in the section `classifiers[]`", path, k.Name)
			}
			names[k.Name] = true
			walk(path+"."+k.Name, k.Keys)
		}
	}
	var section struct {
		Aim string `param:"aim" doc:"why"`
	}
	keys := study.Keys(map[string]any{"ademp": &section})
	walk("", keys)
	at := slices.IndexFunc(keys, func(k config.Key) bool { return k.Name == "ademp" })
	if k := keys[at]; k.Kind != config.Mapping || len(k.Keys) != 1 || k.Keys[0].Doc != "why" {
		t.Errorf("%+v", k)
	}
}

// Sections are decoded when needed. Their mistakes have the right places.
func TestSections(t *testing.T) {
	s := toys.Load(t, toys.Study+"ademp: {aim: [x]}\n")
	var section struct {
		Aim string `param:"aim"`
	}
	at := s.Section("ademp")
	at.Decode("key", &section)
	errtest.Contains(t, at.Err(), "study.yaml:12:14: ademp.aim: want a string, got a list")
	if s.Root().Failed() || s.Folder() == "" || s.Section("nothing").Exists() {
		t.Error("mistakes of one reading are left to the next")
	}
	text, err := s.YAML()
	if err != nil || !strings.Contains(string(text), "aim: [x]") {
		t.Errorf("%v\n%s", err, text)
	}
}
