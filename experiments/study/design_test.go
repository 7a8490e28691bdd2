package study_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"copse/experiments/study"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/internal/toys"
	"copse/stats/records"
)

func describeAll(s *study.Study) []string {
	var list []string
	for _, c := range s.Cells {
		list = append(list, s.Describe(c))
	}
	return list
}

func TestNestedFactorsAndExclusions(t *testing.T) {
	s := toys.Load(t, `study: s
seed: 1
replicates: 1
design:
  family:
    near: {name: toy, shift: $shift}
    far: {name: toy, d: $d, shift: 9}
  n: [10, 20]
nested:
  - {under: {family: near}, design: {shift: [0.5, 1]}}
  - {under: {family: far, n: [20]}, design: {d: {two: 2, three: 3}}}
  - {under: {family: far, n: 10}, design: {d: {four: 4}}}
exclude:
  - {shift: 1, n: [20]}
data:
  generator: $family
  train: {n: $n}
  test: {counts: [3, 4]}
classifiers: [centroid]
`)
	want := []string{
		"family=near, n=10, shift=0.5", "family=near, n=10, shift=1", "family=near, n=20, shift=0.5",
		"family=far, n=10, d=four", "family=far, n=20, d=two", "family=far, n=20, d=three",
	}
	if got := describeAll(s); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if key := s.Cells[0].Key; key != "generator=toy/1{d=2,shift=0.5};train=[5 5];test=[3 4]" {
		t.Errorf("key %s", key)
	}
}

// If a flag removes levels, they are also removed from conditions. Entries whose condition can no longer be
// met are removed.
func TestRemovedLevels(t *testing.T) {
	const text = `study: s
seed: 1
replicates: 1
design: {n: [10, 20, 30], balance: {even: 0.5, odd: 0.75}}
nested:
  - {under: {balance: even}, design: {d: [2]}}
  - {under: {balance: odd}, design: {d: [2, 3]}}
exclude:
  - {n: [20, 30], balance: odd}
  - {n: 10, balance: even}
data: {generator: {name: toy, d: $d}, train: {n: $n, majority: $balance}, test: {n: 20}}
classifiers: [centroid]
report:
  tables:
    - {name: both, where: [balance=even, n=10, n=20]}
    - {name: odd, where: [balance=odd]}
`
	for assignments, want := range map[string]struct {
		cells int
		kept  []string // in the resolved study
		gone  []string
	}{
		"design.balance=even": {2, []string{"n: 10", "balance: even", "name: both"}, []string{"odd"}}, // 20, 30
		// even with 20 and 40, odd twice with 40
		"design.n=20,40": {4, []string{"n: [20]", "name: odd", "n=20"}, []string{"n: 10", "n=10"}},
		"design.n=40":    {3, []string{"balance: odd", "name: odd"}, []string{"exclude:\n  -", "name: both"}},
	} {
		s := toys.Load(t, text, assignments)
		resolved, err := s.YAML()
		if err != nil {
			t.Fatal(err)
		}
		if len(s.Cells) != want.cells {
			t.Errorf("%s: %d cells, want %d", assignments, len(s.Cells), want.cells)
		}
		for _, words := range want.kept {
			if !strings.Contains(string(resolved), words) {
				t.Errorf("%s: %q is missing in\n%s", assignments, words, resolved)
			}
		}
		for _, words := range want.gone {
			if strings.Contains(string(resolved), words) {
				t.Errorf("%s: %q is still in\n%s", assignments, words, resolved)
			}
		}
		if _, err := parse(string(resolved)); err != nil {
			t.Errorf("%s: the resolved study: %v", assignments, err)
		}
	}
}

// If --set removes all levels in a condition only, the classifier is removed, too. Otherwise a classifier without
// a cell is a mistake, except in a study that is read to report its results.
func TestClassifierWithoutCell(t *testing.T) {
	const text = "study: s\nseed: 1\nreplicates: 1\ndesign: {n: [20, 40], d: [2, 3]}\nexclude: [{n: 40, d: 3}]\n" +
		"data: {generator: {name: toy, d: $d}, train: {n: $n}, test: {n: 20}}\n" +
		"classifiers:\n  - centroid\n  - {id: late, classifier: coin, only: {n: 40, d: 3}}\n"
	const want = "s.yaml:9:40: classifiers.late.only: matches no cell; correct or remove this item"
	_, err := parse(text)
	errtest.Equal(t, err, want)
	if ids := toys.Load(t, text, "design.n=20").ClassifierIDs(); len(ids) != 1 {
		t.Errorf("classifiers %q", ids)
	}
	reparse(t, text, func(l records.Levels) (study.StoredCell, bool) {
		return study.StoredCell{ID: l.String(), Key: l.String()}, true
	})
}

// --set adds the mappings that lead to its key.
func TestAssignAddsMappings(t *testing.T) {
	for _, text := range []string{toys.Study, strings.Replace(toys.Study, "data:\n", "data:\n  missing:\n", 1)} {
		s, err := parse(text, "data.missing.mcar=0.25")
		if err != nil || s.Cells[0].Data.Missing.MCAR != 0.25 {
			t.Errorf("missing values: %v", err)
		}
	}
}

func TestAssignErrors(t *testing.T) {
	cases := []struct{ assignment, want string }{
		{"design.m=3", `--set design.m=3: design.m: the design has no factor "m"; choose one of: n, balance`},
		{"desing.n=3", `--set desing.n=3: desing: unknown key; did you mean "design"?`},
		{"data.generater.d=3", `--set data.generater.d=3: data.generater: unknown key; did you mean "generator"?`},
		{"design.balance=even",
			`--set design.balance=even: design.balance: no level "even"; choose one of: balanced, imbalanced`},
		{"data.generator.dd=3",
			`--set data.generator.dd=3: data.generator.dd: unknown parameter of toy; did you mean "d"?`},
		{"data.generator.d=0", `--set data.generator.d=0: data.generator.d: 0 is outside [1,inf)`},
		{"classifiers.centrod.axis=1",
			`--set classifiers.centrod.axis=1: classifiers.centrod: the study has no entry "centrod"; ` +
				`did you mean "centroid"?`},
		{"classifiers.centroid.axis=left",
			`--set classifiers.centroid.axis=left: classifiers.centroid.axis: ` +
				`want a whole number in decimal digits, got the text "left"`},
		{"replicate=3", `--set replicate=3: replicate: unknown key; did you mean "replicates"?`},
		{"design.n=[20],[40]", `--set design.n=[20],[40]: design.n: "[20],[40]" is not a single YAML value`},
		{"data.test={n: 10}, {n: 50}",
			`--set data.test={n: 10}, {n: 50}: data.test: "{n: 10}, {n: 50}" is not a single YAML value`},
		{"design.balance=balanced,balanced",
			`--set design.balance=balanced,balanced: design.balance: level "balanced" is given twice`},
		{"metrics=auc,brier", "--set metrics=auc,brier: metrics: want a list such as `[auc,brier]`, " +
			`got the text "auc,brier"`},
		{"classifiers.centroid=lda", "--set classifiers.centroid=lda: classifiers.centroid: `--set` replaces a whole " +
			"list, as in `classifiers=[lda]`, or a key of an item, such as `classifiers.lda.label`"},
		{"seed.x=3", `--set seed.x=3: seed: is the number 42, so it has no keys`},
		{"data.train.n.x.y=3", `--set data.train.n.x.y=3: data.train.n: is the text "$n", so it has no keys`},
		{"seed",
			"--set seed: want `path=value`, such as `design.n=200,400`; " +
				"put a key that contains dots in quotes, as in `classifiers.ranger.params.\"num.trees\"=200`"},
	}
	for _, c := range cases {
		_, err := parse(toys.Study, c.assignment)
		errtest.Case(t, c.assignment).Equal(err, c.want)
	}
}

// The levels of a factor can be a YAML list. Quoted names can contain commas.
func TestAssignListOfLevels(t *testing.T) {
	text := strings.NewReplacer(
		"n: [20, 40]", "n: [20, 40]\n  d: {one: 1, \"02\": 2, \"3, large\": 3, \">4\": 4}",
		"balance: {balanced: 0.5, imbalanced: 0.75}", "", "$balance", "0.5", "d: 3", "d: $d",
	).Replace(toys.Study)
	for assignment, want := range map[string][]string{
		`design.n=[20, 60]`:    {"20", "60"},
		`design.d=[one, "02"]`: {"one", "02"},
		`design.d=[02]`:        {"02"},
		`design.d="3, large"`:  {"3, large"},
		`design.d=>4,one`:      {">4", "one"},
		`design.d={low: 1}`:    {"low"},
		`design.n={a: 40}`:     {"a"},
	} {
		s := toys.Load(t, text, assignment)
		factor, _, _ := strings.Cut(strings.TrimPrefix(assignment, "design."), "=")
		var levels []string
		for _, c := range s.Cells {
			if level := c.Levels.Of(factor); !slices.Contains(levels, level) {
				levels = append(levels, level)
			}
		}
		if !slices.Equal(levels, want) {
			t.Errorf("%s: levels %q, want %q", assignment, levels, want)
		}
	}
	_, err := parse(text, `design.d=["03"]`)
	errtest.Contains(t, err, `no level "03"`)
}

// An assignment adds the section that its key belongs to, if the study file does not have it.
func TestAssignAddsSection(t *testing.T) {
	if strings.Contains(toys.Study, "inference:") {
		t.Fatal("the study already has the section")
	}
	s := toys.Load(t, toys.Study, "inference.alpha=0.01")
	if resolved, err := s.YAML(); err != nil || !strings.Contains(string(resolved), "inference: {alpha: 0.01}\n") {
		t.Errorf("%v in\n%s", err, resolved)
	}
}

// A key with dots is quoted, as in TOML. A string that is not a path is rejected.
func TestAssignQuotedKeys(t *testing.T) {
	const entry = "[{id: r.1, classifier: external, command: [sh], params: {num.trees: 500, a: 1}}]"
	text := strings.Replace(toys.Study, "[centroid, coin, oracle]", entry, 1)
	for assignment, want := range map[string]map[string]any{
		`classifiers."r.1".params."num.trees"=200`: {"num.trees": 200, "a": 1},
		`classifiers.'r.1'.params.'num.trees'=200`: {"num.trees": 200, "a": 1},
		`classifiers."r.1".params."min.node=x"=3`:  {"num.trees": 500, "a": 1, "min.node=x": 3},
		`classifiers.0."params"={b.c: 2}`:          {"b.c": 2},
		`classifiers."r.1".params.a="=.'"`:         {"num.trees": 500, "a": "=.'"},
	} {
		s := toys.Load(t, text, assignment)
		if got := s.Cells[0].Classifiers[0].Program.Params; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v", assignment, got)
		}
	}
	for assignment, want := range map[string]string{
		`classifiers."r.1".params.num.trees=3`:   "put a key that contains dots in quotes: `\"num.trees\"`",
		`classifiers.r.1.params.a=3`:             "put a key that contains dots in quotes: `\"r.1\"`",
		`classifiers."r.1.params.a=3`:            "want `path=value`",
		`classifiers."r.1"x.params.a=3`:          "want `path=value`",
		`classifiers."r.1"`:                      "want `path=value`",
		`classifiers."".params=3`:                "want `path=value`",
		`classifiers..params=3`:                  "want `path=value`",
		`=3`:                                     "want `path=value`",
		`classifiers.0.=3`:                       "want `path=value`",
		`classifiers."r.2".params."num.trees"=3`: `the study has no entry "r.2"; did you mean "r.1"?`,
	} {
		_, err := parse(text, assignment)
		errtest.Case(t, assignment).Contains(err, want)
	}
}

// Classifiers have the order of the list in the study, whichever of them run in the first cells.
func TestClassifiersInTheOrderOfTheList(t *testing.T) {
	s := toys.Load(t, `study: s
seed: 1
replicates: 1
design: {n: [20, 40, 60]}
data:
  generator: {name: forest, d: 3}
  train: {n: $n}
  test: {n: 20}
classifiers:
  - {classifier: nb, only: {n: 60}}
  - lda
  - {classifier: rf, only: {n: [40, 60]}}
  - {classifier: qda, only: {n: [20, 60]}}
  - 5nn
`)
	if ids := strings.Join(s.ClassifierIDs(), " "); ids != "nb lda rf qda 5nn" {
		t.Error(ids)
	}
}

// A factor may be a suite of OpenML tasks; the study then lists its tasks.
func TestSuiteOfTasks(t *testing.T) {
	const text = "study: s\nseed: 1\nclassifiers: [nb]\ndesign: {task: openml:suite/99}\ndata: {set: $task}\n"
	dir := t.TempDir()
	t.Setenv("COPSE_DATA", dir)
	_, err := parse(text)
	const want = "s.yaml:4:16: design.task: the suite openml:suite/99 is not on this machine"
	if err == nil || !strings.HasPrefix(err.Error(), want) ||
		strings.Count(err.Error(), "s.yaml:") != 1 {
		t.Error(err)
	}
	suite := []byte(`["openml:task/3", "openml:task/6"]`)
	filetest.Write(t, filepath.Join(dir, "openml-suite-99.json"), string(suite))
	s := reparse(t, text, func(l records.Levels) (study.StoredCell, bool) {
		return study.StoredCell{ID: l.String(), Key: "csv=1;folds=2;given=1x2[\"fold\"]"}, true
	})
	written, err := s.YAML()
	if err != nil || len(s.Cells) != 2 || s.Cells[1].Data.Set[0] != "openml:task/6" ||
		!strings.Contains(string(written), "['openml:task/3', 'openml:task/6']") {
		t.Errorf("%d cells, %v, %s", len(s.Cells), err, written)
	}
	if d := s.Cells[0].Data; d.Folds != 2 || d.Repeats != 1 || s.Replicates != 2 {
		t.Errorf("%d folds, %d repeats, %d replicates of absent data", d.Folds, d.Repeats, s.Replicates)
	}
}

// The levels of a nested factor are chosen like the levels of any other factor.
func TestAssignNestedFactor(t *testing.T) {
	const text = "study: s\nseed: 1\nreplicates: 1\n" +
		"design: {family: {a: {name: toy, d: 3}, b: {name: toy, d: $k}}}\n" +
		"nested: [{under: {family: b}, design: {k: {few: 2, many: 5}}}]\n" +
		"data: {generator: $family, train: {n: 20}, test: {n: 20}}\nclassifiers: [centroid]\n"
	for assignment, want := range map[string]int{"replicates=1": 3, "design.k=few": 2, "design.family=a": 1} {
		if s := toys.Load(t, text, assignment); len(s.Cells) != want {
			t.Errorf("%s: %d cells, want %d", assignment, len(s.Cells), want)
		}
	}
	const byName = "--set nested.design.k=few: nested.design: want the position of an item of this list, such as `0`"
	_, err := parse(text, "nested.design.k=few")
	errtest.HasPrefix(t, err, byName)
}

// An assignment changes the levels of a factor in each nested block that has the factor. Levels that another
// block keeps stay in the conditions.
func TestAssignFactorOfSeveralBlocks(t *testing.T) {
	const text = "study: s\nseed: 1\nreplicates: 1\n" +
		"design: {family: {a: {name: toy, d: 3}, b: {name: toy, d: $k}, c: {name: toy, d: $k, shift: 2}}}\n" +
		"nested:\n" +
		"  - {under: {family: a}, design: {n: [20, 40]}}\n" +
		"  - {under: {family: b}, design: {n: [20, 40], k: {few: 2, many: 5}}}\n" +
		"  - {under: {family: c}, design: {n: [20], k: {many: 6}}}\n" +
		"exclude: [{family: b, n: 40, k: many}]\n" +
		"data: {generator: $family, train: {n: $n}, test: {n: 20}}\nclassifiers: [centroid]\n"
	for assignment, want := range map[string][]string{
		"design.n=20": {"family=a, n=20", "family=b, n=20, k=few", "family=b, n=20, k=many",
			"family=c, n=20, k=many"},
		"design.n=40":   {"family=a, n=40", "family=b, n=40, k=few", "family=c, n=40, k=many"},
		"design.k=many": {"family=a, n=20", "family=a, n=40", "family=b, n=20, k=many", "family=c, n=20, k=many"},
		"design.k=many,few": {"family=a, n=20", "family=a, n=40", "family=b, n=20, k=many", "family=b, n=20, k=few",
			"family=b, n=40, k=few", "family=c, n=20, k=many"},
	} {
		checkAssignment(t, text, assignment, want)
	}
	_, err := parse(text, "design.k=tiny")
	errtest.Equal(t, err, `--set design.k=tiny: design.k: no level "tiny"; choose one of: few, many`)
}

// checkAssignment checks the cells of a study after an assignment with --set.
func checkAssignment(t *testing.T, text, assignment string, want []string) {
	t.Helper()
	if got := describeAll(toys.Load(t, text, assignment)); !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", assignment, got, want)
	}
}

// An assignment does not change a nested block that has none of the named levels.
func TestAssignLevelsOfOneBlock(t *testing.T) {
	const text = "study: s\nseed: 1\nreplicates: 1\n" +
		"design: {family: {a: {name: toy, d: 3}, b: {name: toy, d: 5}}}\n" +
		"nested:\n" +
		"  - {under: {family: a}, design: {n: {tiny: 20, small: 30}}}\n" +
		"  - {under: {family: b}, design: {n: {large: 40, huge: 50}}}\n" +
		"data: {generator: $family, train: {n: $n}, test: {n: 20}}\nclassifiers: [centroid]\n"
	for assignment, want := range map[string][]string{
		"design.n=tiny":       {"family=a, n=tiny", "family=b, n=large", "family=b, n=huge"},
		"design.n=huge,small": {"family=a, n=small", "family=b, n=huge"},
	} {
		checkAssignment(t, text, assignment, want)
	}
	for assignment, want := range map[string]string{
		"design.n=tiny,medium": `no level "medium"`,
		"design.n=[]":          "has no levels",
	} {
		_, err := parse(text, assignment)
		errtest.Case(t, assignment).Contains(err, want)
	}
}

// The limit on the number of cells also counts the cells that a nested factor leaves unchanged.
func TestNestedFactorsRespectTheLimit(t *testing.T) {
	levels := func(n int) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprint(i + 2)
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	// Of 90,000 cells, the first half is doubled.
	text := "study: s\nseed: 1\nreplicates: 1\n" +
		"design: {half: [a, b], n: " + levels(300) + ", d: " + levels(150) + "}\n" +
		"nested: [{under: {half: a}, design: {k: [1, 2]}}]\n" +
		"data: {generator: {name: toy, d: $d}, train: {n: $n}, test: {n: 20}}\nclassifiers: [centroid]\n"
	_, err := parse(text)
	errtest.Contains(t, err, "makes more than 100000 cells")
}
