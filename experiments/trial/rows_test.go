package trial_test

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/internal/toys"
	"copse/stats/dataset"
)

func rowsStudy(t *testing.T, data string, more ...string) *study.Study {
	t.Helper()
	return toys.Load(t, toys.RowsStudy(t, data, more...))
}

func drawn(t *testing.T, s *study.Study, replicate int) *trial.Draw {
	t.Helper()
	d, err := trial.NewDraw(s.Cells[0], s.Seed, replicate)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// column returns the values of an attribute.
func column(s *dataset.Set, name string) []float64 {
	j := slices.IndexFunc(s.Attributes, func(a dataset.Attribute) bool { return a.Name == name })
	values := make([]float64, s.N())
	for i := range values {
		values[i] = s.X.At(i, j)
	}
	return values
}

// An official test set with other columns is rejected with a clear error.
func TestOfficialTestSetHasTheColumns(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"train.csv": "x,y,class\n1,2,a\n2,1,b\n",
		"test.csv":  "x,z,class\n1,2,a\n",
	} {
		filetest.Write(t, filepath.Join(dir, name), text)
	}
	text := fmt.Sprintf(
		"study: s\nseed: 7\ndata: {csv: %[1]s/train.csv, test: {csv: %[1]s/test.csv}}\nclassifiers: [nb]\n",
		filepath.ToSlash(dir),
	)
	_, err := study.Parse("s.yaml", []byte(text), nil, nil)
	errtest.Contains(t, err, `test.csv: row 1, column "y": `)
}

func TestSplitsOfAFile(t *testing.T) {
	for name, c := range map[string]struct {
		data        string
		train, test int
		check       func(train, test []float64) bool
	}{
		"holdout":         {"csv: FILE, holdout: 0.2, drop: [site, part, colour]", 48, 12, nil},
		"groups, holdout": {"csv: FILE, holdout: 0.25, groups: site, drop: [part, colour]", 45, 15, apartBySite},
		"groups, folds":   {"csv: FILE, folds: 3, groups: site, drop: [part, colour]", 40, 20, apartBySite},
		"a column": {"csv: FILE, split: part, keep: [row]", 40, 20, func(_, test []float64) bool {
			return !slices.ContainsFunc(test, func(v float64) bool { return int(v)%3 != 2 })
		}},
		"groups, a column":     {"csv: FILE, split: part, groups: site, keep: [row]", 40, 20, apartBySite},
		"an official test set": {"csv: FILE, test: {csv: OTHER}, keep: [row]", 60, 60, nil},
		"rows of a condition": {`csv: FILE, folds: 5, keep: [row], ` +
			`rows: ["row >= 20", "colour != NA"]`, -1, -1, func(train, _ []float64) bool {
			return slices.Min(train) >= 20
		}},
		"complete rows": {"csv: FILE, folds: 5, keep: [row, colour], " +
			"drop_missing: true", -1, -1, func(train, _ []float64) bool {
			return !slices.ContainsFunc(train, func(v float64) bool { return int(v)%7%3 == 2 })
		}},
		"a subsample":             {"csv: FILE, folds: 5, keep: [row], subsample: 30", 24, 6, nil},
		"a part of the training":  {"csv: FILE, folds: 5, keep: [row], train: {n: 20}", 20, 12, nil},
		"without strata":          {"csv: FILE, holdout: 0.5, keep: [row], random: true", 30, 30, nil},
		"two files":               {"csv: [FILE, OTHER], holdout: 0.5, keep: [row]", 60, 60, nil},
		"classes that are merged": {"csv: FILE, folds: 5, keep: [row], merge: {odd: [1, 3]}", 48, 12, nil},
	} {
		s := rowsStudy(t, c.data)
		a, b, again := drawn(t, s, 1), drawn(t, s, 6), drawn(t, s, 1)
		train, test := column(a.Train, "row"), column(a.Test, "row")
		scored, err := trial.ScoredRows(s.Cells[0], s.Seed, 1)
		if err != nil || !slices.Equal(placedRows(s, scored), test) {
			t.Errorf("%s: rows %v, but the test set has %v, %v", name, placedRows(s, scored), test, err)
		}
		if c.train >= 0 && (len(train) != c.train || len(test) != c.test) {
			t.Errorf("%s: %d and %d rows", name, len(train), len(test))
		}
		if c.check != nil && !c.check(train, test) {
			t.Errorf("%s: train %v, test %v", name, train, test)
		}
		rows := slices.Compact(slices.Sorted(slices.Values(slices.Concat(train, test))))
		if len(rows) != len(train)+len(test) && !strings.Contains(name, "test set") && name != "two files" {
			t.Errorf("%s: a row is on both sides: %v, %v", name, train, test)
		}
		if hasGroups := strings.HasPrefix(name, "groups"); hasGroups != (len(a.Train.Groups) == len(train)) {
			t.Errorf("%s: the %d training rows have %d groups", name, len(train), len(a.Train.Groups))
		}
		fixed := strings.HasSuffix(name, "a column") || name == "an official test set"
		if a.Fingerprint != again.Fingerprint || (a.Fingerprint == b.Fingerprint) != fixed {
			t.Errorf("%s: fingerprints %s %s %s", name, a.Fingerprint, again.Fingerprint, b.Fingerprint)
		}
	}
	s := rowsStudy(t, "csv: FILE, folds: 5, keep: [row], merge: {odd: [1, 3]}")
	if got := drawn(t, s, 1).Train.Classes; !slices.Equal(got, []string{"0", "2", "odd"}) {
		t.Errorf("merged into %q", got)
	}
}

// A cell that scores training rows has the same partition as the cell that scores test rows.
func TestScoredTrainingRows(t *testing.T) {
	usual := drawn(t, rowsStudy(t, "csv: FILE, folds: 5, keep: [row]"), 3)
	s := rowsStudy(t, "csv: FILE, folds: 5, keep: [row], scored: training")
	apparent := drawn(t, s, 3)
	train := column(usual.Train, "row")
	scored, err := trial.ScoredRows(s.Cells[0], s.Seed, 3)
	if err != nil || !slices.Equal(placedRows(s, scored), train) {
		t.Errorf("training rows %v, %v; want %v", placedRows(s, scored), err, train)
	}
	if !slices.Equal(column(apparent.Train, "row"), train) || !slices.Equal(column(apparent.Test, "row"), train) {
		t.Errorf("training rows %v are scored for %v", column(apparent.Test, "row"), train)
	}
}

// placedRows computes the values in the column `row` of toys.RowsStudy from the places of rows in the file.
func placedRows(s *study.Study, rows []int) (values []float64) {
	for _, place := range dataset.At(s.Cells[0].Data.File.Places, rows) {
		values = append(values, float64(place.Row-2)) // the header is row 1, and the column counts from 0
	}
	return values
}

func apartBySite(train, test []float64) bool {
	for _, a := range train {
		for _, b := range test {
			if int(a)%12 == int(b)%12 {
				return false
			}
		}
	}
	return true
}

// Cells that differ only in the size of the training part or in the noise have the same test rows. Small
// training parts are subsets of larger ones.
func TestNoiseLeavesTheSplitAlone(t *testing.T) {
	base := "csv: FILE, folds: 5, keep: [row, colour], missing_level: true"
	whole := drawn(t, rowsStudy(t, base), 3)
	for _, more := range []string{"train: {n: 12}", "train: {n: 24}", "flip: 0.3", "missing: {mcar: 0.4}"} {
		d := drawn(t, rowsStudy(t, base+", "+more), 3)
		if !slices.Equal(column(d.Test, "row"), column(whole.Test, "row")) || d.Fingerprint == whole.Fingerprint {
			t.Errorf("%s: test rows %v, %v without", more, column(d.Test, "row"), column(whole.Test, "row"))
		}
	}
	large := column(drawn(t, rowsStudy(t, base+", train: {n: 24}"), 3).Train, "row")
	for _, v := range column(drawn(t, rowsStudy(t, base+", train: {n: 12}"), 3).Train, "row") {
		if !slices.Contains(large, v) {
			t.Errorf("row %v of 12 is not among 24", v)
		}
	}
}

// Irrelevant attributes do not change the other attributes, bit for bit, or the oracle. Their values are the
// same in all folds. With 0 irrelevant attributes, the study is the same as without the key.
func TestIrrelevantAttributes(t *testing.T) {
	draws := strings.Replace(toys.Study, "test: {n: 60}", "test: {n: 60}\n  irrelevant: $k", 1)
	draws = strings.Replace(draws, "n: [20, 40]", "n: [20, 40]\n  k: [KS]", 1)
	with := func(ks string) *study.Study { return toys.Load(t, strings.Replace(draws, "KS", ks, 1)) }
	plain, some, more := drawn(t, toys.Load(t, toys.Study), 2), drawn(t, with("2"), 2), drawn(t, with("5"), 2)
	for _, part := range [][3]*dataset.Set{{plain.Train, some.Train, more.Train}, {plain.Test, some.Test, more.Test}} {
		n, d := part[0].N(), part[0].D()
		if !mat.Equal(part[1].X.Slice(0, n, 0, d), part[0].X) || !mat.Equal(part[2].X.Slice(0, n, 0, d+2), part[1].X) ||
			part[2].D() != d+5 {
			t.Error("other draws than without")
		}
	}
	if mat.Equal(some.Train.X.Slice(0, 20, 3, 5), some.Test.X.Slice(0, 20, 3, 5)) {
		t.Error("training and test rows share their irrelevant attributes")
	}
	if a, b := with("0").Cells[0].ID, toys.Load(t, toys.Study).Cells[0].ID; a != b {
		t.Errorf("without irrelevant attributes cell %s is %s", b, a)
	}

	dir := t.TempDir()
	toys.RunIn(t, with("0, 7"), dir)
	errorsOf, differ := map[string]int{}, 0
	for _, r := range toys.Records(t, dir).Rows {
		at := fmt.Sprint(r.Levels.Of("n"), r.Levels.Of("balance"), r.Replicate, r.Classifier)
		before, known := errorsOf[at]
		if errorsOf[at] = r.Errors; !known || before == r.Errors {
			continue
		}
		if differ++; r.Classifier == "oracle" {
			t.Errorf("the oracle of %s errs %d and %d times", at, before, r.Errors)
		}
	}
	if differ == 0 {
		t.Error("no classifier saw the irrelevant attributes")
	}

	folds := strings.NewReplacer("test: {n: 60}", "folds: 3\n  irrelevant: 2", "train:", "sample:").Replace(toys.Study)
	seen := map[float64]float64{} // by the value of an attribute of the generator
	for replicate := 1; replicate <= 3; replicate++ {
		d := drawn(t, toys.Load(t, folds), replicate)
		for _, set := range []*dataset.Set{d.Train, d.Test} {
			for i := range set.N() {
				if was, again := seen[set.X.At(i, 0)]; again && was != set.X.At(i, 4) {
					t.Fatal("a row has other irrelevant attributes in another fold")
				}
				seen[set.X.At(i, 0)] = set.X.At(i, 4)
			}
		}
	}
	if len(seen) != 20 {
		t.Errorf("%d rows, want 20", len(seen))
	}
}

// missingIn counts the missing values.
func missingIn(x []float64) int {
	return len(x) - len(slices.DeleteFunc(slices.Clone(x), math.IsNaN))
}

func TestWhereValuesAreMissing(t *testing.T) {
	lacks := func(s *dataset.Set) int { return missingIn(s.X.RawMatrix().Data) }
	for missing, want := range map[string][2]bool{
		"0.5": {true, false}, "{per_row: 0.5, where: test}": {false, true}, "{mcar: 0.5, where: both}": {true, true},
		"{mar: 0.5, on: row}": {true, false}, "{mar: 0.5, on: row, where: both}": {true, true},
	} {
		s := rowsStudy(t, "csv: FILE, folds: 5, keep: [row, colour], missing_level: true, missing: "+missing)
		d := drawn(t, s, 1)
		if got := [2]bool{lacks(d.Train) > 0, lacks(d.Test) > 0}; got != want {
			t.Errorf("%s: %d training values missing, %d test values", missing, lacks(d.Train), lacks(d.Test))
		}
		if strings.Contains(missing, "mar:") && slices.ContainsFunc(column(d.Train, "row"), math.IsNaN) {
			t.Errorf("%s: values of the attribute that decides are missing", missing)
		}
	}
	d := drawn(t, rowsStudy(t, "csv: FILE, folds: 5, keep: [row], flip: 0.5"), 1)
	clean := drawn(t, rowsStudy(t, "csv: FILE, folds: 5, keep: [row]"), 1)
	if slices.Equal(d.Train.Y, clean.Train.Y) || !slices.Equal(d.Test.Y, clean.Test.Y) {
		t.Error("flip does not change training labels alone")
	}
}

// Folds in columns are held out column by column, in the natural order of their names.
func TestGivenFolds(t *testing.T) {
	text := toys.RowsStudy(t, "csv: FILE, keep: [row], folds: {column: site}")
	s := toys.Load(t, strings.Replace(text, "replicates: 15\n", "", 1))
	if s.Replicates != 12 {
		t.Errorf("%d replicates", s.Replicates)
	}
	for _, replicate := range []int{1, 3, 12} {
		site := float64(replicate - 1)
		got := column(drawn(t, s, replicate).Test, "row")
		if !slices.Equal(got, []float64{site, site + 12, site + 24, site + 36, site + 48}) {
			t.Errorf("replicate %d tests %v", replicate, got)
		}
	}
	path := filepath.Join(t.TempDir(), "repeats.csv")
	text = "row,part,block,class\n"
	for i := range 60 {
		text += fmt.Sprintf("%d,%d,%d,%d\n", i, i%3, i/20, i%4)
	}
	filetest.Write(t, path, text)
	s = toys.Load(t, "study: s\nseed: 7\ndata: {csv: "+path+", keep: [row], folds: {column: [part, block]}}\n"+
		"classifiers: [centroid]\n")
	first, second := column(drawn(t, s, 1).Test, "row"), column(drawn(t, s, 4).Test, "row")
	if s.Replicates != 6 || len(first) != 20 || first[1] != 3 || len(second) != 20 || second[1] != 1 {
		t.Errorf("%d replicates, the first tests %v, the first of the second column %v", s.Replicates, first, second)
	}
}

// Each fold of groups contains the rows of one of the four groups with the rare class.
func TestFoldsOfGroupsAreStratified(t *testing.T) {
	const folds, repeats = 4, 5
	text := "patient,x,event\n"
	for i := range 60 { // three visits of each patient
		event := "no"
		if i/3%5 == 0 {
			event = "yes"
		}
		text += fmt.Sprintf("%d,%d,%s\n", i/3, i*i, event)
	}
	path := filepath.Join(t.TempDir(), "visits.csv")
	filetest.Write(t, path, text)
	s := toys.Load(t, fmt.Sprintf("study: s\nseed: 1\nclassifiers: [centroid]\n"+
		"data: {csv: %s, groups: patient, folds: %d, repeats: %d}\n", filepath.ToSlash(path), folds, repeats))
	for replicate := 1; replicate <= folds*repeats; replicate++ {
		counts := drawn(t, s, replicate).Test.Counts()
		if want := []int{12, 3}; !slices.Equal(counts, want) {
			t.Errorf("replicate %d: %v test rows of the classes, want %v", replicate, counts, want)
		}
	}
}
