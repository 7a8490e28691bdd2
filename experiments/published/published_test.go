package published

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/experiments/study"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/stats/records"
)

const text = `study: s
seed: 1
replicates: 2
design: {n: [20, 40], balance: {even: 0.5, odd: 0.75}}
data: {generator: forest, train: {n: $n, majority: $balance}, test: {n: 20}}
classifiers: [nb]
inference: {alpha: 0.01}
published: [{file: t.csv, columns: {n: n}, replicates: 10, where: %s}]
`

// mustRead reads the table for the level `balance: even`.
func mustRead(t *testing.T) (*study.Study, []Table) {
	t.Helper()
	s, tables, err := read(t, "{balance: even}")
	if err != nil {
		t.Fatal(err)
	}
	return s, tables
}

// read parses the study and a published table for 20 and 40 rows.
func read(t *testing.T, where string) (*study.Study, []Table, error) {
	t.Helper()
	dir := t.TempDir()
	table := "n,classifier,mean_error,sd_error\n\n20,nb,0.2,0.01\n\n40,nb,0.1,0.01\n"
	filetest.Write(t, filepath.Join(dir, "t.csv"), table)
	s, err := study.Parse(filepath.ToSlash(filepath.Join(dir, "study.yaml")), fmt.Appendf(nil, text, where), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := Tables(s)
	return s, tables, err
}

// A printed number is compared with the cells that its condition selects, in both forms of conditions.
func TestCounterparts(t *testing.T) {
	for _, where := range []string{"{balance: even}", "[balance=even]", "{balance: [even]}"} {
		s, tables, err := read(t, where)
		if err != nil {
			t.Fatal(err)
		}
		rows := &records.Records{Study: s.Name, Factors: s.Factors, Classifiers: s.ClassifierIDs()}
		for _, c := range s.Cells {
			rows.Rows = append(rows.Rows, records.Record{Cell: c.ID, Levels: c.Levels, Replicate: 1, Classifier: "nb",
				Status: records.OK, Error: 0.5})
		}
		independent := func(string) (float64, int) { return 0, 0 }
		pairs, missing := tables[0].Counterparts(rows.Cells(), rows.Cells(), independent)
		if len(pairs) != 2 || len(missing) != 0 {
			t.Errorf("%s: %d pairs, missing %q", where, len(pairs), missing)
		}
		for _, p := range pairs {
			if p.Levels.Of("balance") != "even" {
				t.Errorf("%s: a number compared with %s", where, p.Levels)
			}
		}
		// Of several cross-validated problems, only the spread between problems is comparable.
		tasks := func(string) (float64, int) { return 0, 5 }
		if ofTasks, _ := tables[0].Counterparts(rows.Cells(), rows.Cells(), tasks); ofTasks[0].Repeats.Folds != 5 {
			t.Errorf("%s: %+v ignores the folds of tasks", where, ofTasks[0])
		}
		rows.Classifiers = append(rows.Classifiers, "other") // without results
		tables[0].As = map[string]string{"other": "nb"}
		if again, _ := tables[0].Counterparts(rows.Cells(), rows.Cells(), independent); len(again) != 2 {
			t.Errorf("%s: %d pairs with a classifier that has no results", where, len(again))
		}
		if o := Test(s); o.Alpha != 0.01 || o.Margin != 0.02 {
			t.Errorf("%+v", o)
		}
	}
}

func TestMistakes(t *testing.T) {
	for where, want := range map[string]string{
		"{balance: uneven}": `published[0].where.balance: unknown level "uneven"`,
		"{ballance: even}": `published[0].where.ballance: ` +
			`unknown factor "ballance"; did you mean "balance"?`,
		"{balance: even}, rounding: 0.5":     "published[0].rounding: 0.5 means 50 percentage points; write a share",
		"{}":                                 `published[0]: the table has no column for the factor "balance"`,
		"{balance: even}, without: [levels]": `published[0]: the study has no factor "levels"`,
		"{balance: even}, without: [n]":      "the factor \"n\" occurs more than once in `columns` and `without`",
		"{balance: even}, only: {m: \"3\"}":  `published[0].only: the file has no column "m"`,
		"{balance: even}, only: {n: \"30\"}": "published[0].only: no row of t.csv with these values contains numbers",
		"{balance: even}, only: {n: \"30\"}, as: {nb: nb}": "" +
			"published[0].only: no row of t.csv with these values contains numbers",
		"{balance: even},\n  ignore: [seed]": `study.yaml:9:11: published[0].ignore: the file has no column "seed"`,
		"{balance: even}, as: {nb: bn}":      `published[0].as: the file has no classifier "bn"; did you mean "nb"?`,
	} {
		_, _, err := read(t, where)
		errtest.Case(t, where).Match(err, want)
	}
}

// Levels and classifiers of the table that the study does not have are named, such as labels in place of ids.
func TestRemarks(t *testing.T) {
	s, tables := mustRead(t)
	table := tables[0]
	if remarks := table.Remarks(s); len(remarks) > 0 {
		t.Errorf("%q", remarks)
	}
	for i := range table.printed.Rows {
		table.printed.Rows[i].Key = []string{"20.0", "NB"}
	}
	table.As = map[string]string{"bayes": "nb"}
	want := []string{`published: the key "as" lists the classifiers bayes, but the study has only nb`,
		"published: t.csv lists the classifiers NB, but the study has only nb",
		"published: t.csv has n = 20.0, but the study has only 20, 40"}
	if remarks := table.Remarks(s); !slices.Equal(remarks, want) {
		t.Errorf("%q", remarks)
	}
}

// A table in a folder above the results is found there. The results store a copy of any other table, which is
// found later.
func TestCopies(t *testing.T) {
	_, tables := mustRead(t)
	beside := filepath.Dir(tables[0].path)
	if list, err := Copies(tables, filepath.Join(beside, "results", "s")); err != nil || len(list) > 0 {
		t.Errorf("%d copies of a table above the results, %v", len(list), err)
	}
	elsewhere := t.TempDir()
	list, err := Copies(append(tables, tables[0]), elsewhere)
	if err != nil || len(list) != 1 || list[0].Name != copyName("t.csv") {
		t.Fatalf("%+v, %v", list, err)
	}
	var copied strings.Builder
	if err := list[0].Render(&copied); err != nil {
		t.Fatal(err)
	}
	original := filetest.Read(t, tables[0].path)
	if copied.String() != original {
		t.Errorf("copied %q, want %q", copied.String(), original)
	}
	file := filepath.Join(elsewhere, filepath.FromSlash(list[0].Name))
	filetest.Write(t, file, original)
	if found := locate("t.csv", filepath.Join(elsewhere, "study.yaml")); found != file {
		t.Errorf("found %s, want %s", found, file)
	}
	if found := locate("none.csv", filepath.Join(elsewhere, "study.yaml")); found != "none.csv" {
		t.Errorf("found %s", found)
	}
	tables[0].path = file
	if root := tables[0].FoundFrom(filepath.Join(beside, "results")); root != "" {
		t.Errorf("a report without a copy would use the other table in %s", root)
	}
	study := filepath.Join(elsewhere, "my.yaml")
	if found := locate("t.csv", study); found != "t.csv" {
		t.Errorf("a study outside results uses the copy %s", found)
	}
	if copyName("t.csv") == copyName("../t.csv") || copyName("../t.csv") == copyName("a/t.csv") ||
		copyName("a-t.csv") == copyName("a/t.csv") {
		t.Error("different tables have the same copy")
	}
	tables[0].path = filepath.Join(elsewhere, "gone.csv")
	if _, err := Copies(tables, t.TempDir()); err == nil {
		t.Error("a missing table is copied")
	}
}

// The working folder does not change the table of a results folder. For any other study, it comes first, also if its
// file has the name study.yaml.
func TestTablesOfResults(t *testing.T) {
	_, tables := mustRead(t)
	dir := filepath.Dir(tables[0].path)
	t.Chdir(t.TempDir())
	filetest.Write(t, "t.csv", "")
	results := filepath.Join(dir, "results")
	for _, name := range []string{"study.yaml", "manifest.json"} {
		filetest.Write(t, filepath.Join(results, name), "")
	}
	// The folder dir contains only a study that a user named study.yaml.
	for study, want := range map[string]string{"results/study.yaml": tables[0].path, "results/other.yaml": "t.csv",
		"study.yaml": "t.csv"} {
		if found := locate("t.csv", filepath.Join(dir, filepath.FromSlash(study))); found != want {
			t.Errorf("%s: found %s, want %s", study, found, want)
		}
	}
}

// A printed number without a cell in the records is missing, unless its column has a value that the study
// does not repeat.
func TestMissingNumbers(t *testing.T) {
	_, tables := mustRead(t)
	for only, want := range map[string][]string{"": {"t.csv:3 [20 nb]", "t.csv:5 [40 nb]"}, "40": {"t.csv:5 [40 nb]"},
		"30": nil} {
		table := tables[0]
		if only != "" {
			table.Only = map[string]string{"n": only}
		}
		_, missing := table.Counterparts(nil, nil, nil)
		if !slices.Equal(missing, want) {
			t.Errorf("only n %q: missing %q, want %q", only, missing, want)
		}
	}
}
