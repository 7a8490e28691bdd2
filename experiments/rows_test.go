package experiments

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/experiments/folder"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/dataset"
	"copse/stats/records"
)

// rowsText is a study on a file with 60 rows: the number of the row, its site
// (12 of 5 rows), the official part, a value that lacks some, the class. Another file
// has the same rows.
func rowsText(t *testing.T, data string, more ...string) string {
	t.Helper()
	t.Setenv("COPSE_DATA", "")
	dir := t.TempDir()
	text := "row,site,part,colour,class\n"
	for i := range 60 {
		text += fmt.Sprintf("%d,s%d,%s,%s,%d\n", i, i%12, []string{"train", "Train", "test"}[i%3], []string{"red", "blue", "?"}[i%7%3], i%4)
	}
	for name, file := range map[string]string{"FILE": "rows.csv", "OTHER": "other.csv"} {
		path := filepath.Join(dir, file)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		data = strings.ReplaceAll(data, name, path)
	}
	body := fmt.Sprintf("study: s\nseed: 7\nreplicates: 15\ndata: {%s}\nclassifiers:\n", data)
	if len(more) == 0 {
		more = []string{"centroid"}
	}
	for _, line := range more {
		body += "  - " + line + "\n"
	}
	return body
}

func rowsStudy(t *testing.T, data string, more ...string) *study.Study {
	t.Helper()
	return loadText(t, rowsText(t, data, more...))
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

// An official test set with other columns is refused, in words.
func TestOfficialTestSetHasTheColumns(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"train.csv": "x,y,class\n1,2,a\n2,1,b\n", "test.csv": "x,z,class\n1,2,a\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text := fmt.Sprintf("study: s\nseed: 7\ndata: {csv: %[1]s/train.csv, test: {csv: %[1]s/test.csv}}\nclassifiers: [nb]\n", filepath.ToSlash(dir))
	_, err := study.Parse("s.yaml", []byte(text), nil, nil)
	if want := `test.csv: row 1, column "y": `; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want ...%s...", err, want)
	}
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
		"an official test set": {"csv: FILE, test: {csv: OTHER}, keep: [row]", 60, 60, nil},
		"rows of a condition":  {`csv: FILE, folds: 5, keep: [row], rows: ["row >= 20", "colour != NA"]`, -1, -1, func(train, _ []float64) bool { return slices.Min(train) >= 20 }},
		"complete rows": {"csv: FILE, folds: 5, keep: [row, colour], drop_missing: true", -1, -1, func(train, _ []float64) bool {
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
		if c.train >= 0 && (len(train) != c.train || len(test) != c.test) {
			t.Errorf("%s: %d and %d rows", name, len(train), len(test))
		}
		if c.check != nil && !c.check(train, test) {
			t.Errorf("%s: train %v, test %v", name, train, test)
		}
		if both := slices.Compact(slices.Sorted(slices.Values(slices.Concat(train, test)))); len(both) != len(train)+len(test) && !strings.Contains(name, "test set") && name != "two files" {
			t.Errorf("%s: a row is on both sides: %v, %v", name, train, test)
		}
		fixed := name == "a column" || name == "an official test set"
		if a.Fingerprint != again.Fingerprint || (a.Fingerprint == b.Fingerprint) != fixed {
			t.Errorf("%s: fingerprints %s %s %s", name, a.Fingerprint, again.Fingerprint, b.Fingerprint)
		}
	}
	if s := rowsStudy(t, "csv: FILE, folds: 5, keep: [row], merge: {odd: [1, 3]}"); !slices.Equal(drawn(t, s, 1).Train.Classes, []string{"0", "2", "odd"}) {
		t.Error("not merged")
	}
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

// Cells that differ in the size of the training part or in noise alone have the
// same test rows, and small training parts lie in larger ones.
func TestNoiseLeavesTheSplitAlone(t *testing.T) {
	base := "csv: FILE, folds: 5, keep: [row, colour], missing_level: true"
	whole := drawn(t, rowsStudy(t, base), 3)
	for _, more := range []string{"train: {n: 12}", "train: {n: 24}", "flip: 0.3", "missing: {mcar: 0.4}"} {
		d := drawn(t, rowsStudy(t, base+", "+more), 3)
		if !slices.Equal(column(d.Test, "row"), column(whole.Test, "row")) || d.Fingerprint == whole.Fingerprint {
			t.Errorf("%s: test rows %v, %v without", more, column(d.Test, "row"), column(whole.Test, "row"))
		}
	}
	small, large := column(drawn(t, rowsStudy(t, base+", train: {n: 12}"), 3).Train, "row"), column(drawn(t, rowsStudy(t, base+", train: {n: 24}"), 3).Train, "row")
	for _, v := range small {
		if !slices.Contains(large, v) {
			t.Errorf("row %v of 12 is not among 24", v)
		}
	}
}

// Irrelevant attributes leave what the generator draws as it is, bit for bit, and the
// oracle with it; rows keep them from fold to fold; none are the study without.
func TestIrrelevantAttributes(t *testing.T) {
	draws := strings.Replace(toyStudy, "test: {n: 60}", "test: {n: 60}\n  irrelevant: $k", 1)
	draws = strings.Replace(draws, "n: [20, 40]", "n: [20, 40]\n  k: [KS]", 1)
	with := func(ks string) *study.Study { return loadText(t, strings.Replace(draws, "KS", ks, 1)) }
	plain, some, more := drawn(t, loadText(t, toyStudy), 2), drawn(t, with("2"), 2), drawn(t, with("5"), 2)
	for _, part := range [][3]*dataset.Set{{plain.Train, some.Train, more.Train}, {plain.Test, some.Test, more.Test}} {
		n, d := part[0].N(), part[0].D()
		if !mat.Equal(part[1].X.Slice(0, n, 0, d), part[0].X) || !mat.Equal(part[2].X.Slice(0, n, 0, d+2), part[1].X) || part[2].D() != d+5 {
			t.Error("other draws than without")
		}
	}
	if mat.Equal(some.Train.X.Slice(0, 20, 3, 5), some.Test.X.Slice(0, 20, 3, 5)) {
		t.Error("training and test rows share their irrelevant attributes")
	}
	if a, b := with("0").Cells[0].ID, loadText(t, toyStudy).Cells[0].ID; a != b {
		t.Errorf("without irrelevant attributes cell %s is %s", b, a)
	}

	dir := t.TempDir()
	runToy(t, with("0, 7"), run.Options{Dir: dir})
	rows, err := records.ReadFile(filepath.Join(dir, folder.Records))
	if err != nil {
		t.Fatal(err)
	}
	errorsOf, differ := map[string]int{}, 0
	for _, r := range rows.Rows {
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

	folds := strings.NewReplacer("test: {n: 60}", "folds: 3\n  irrelevant: 2", "train:", "sample:").Replace(toyStudy)
	seen := map[float64]float64{} // by the value of an attribute of the generator
	for replicate := 1; replicate <= 3; replicate++ {
		d := drawn(t, loadText(t, folds), replicate)
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

func TestWhereValuesAreMissing(t *testing.T) {
	lacks := func(s *dataset.Set) (n int) {
		for _, v := range s.X.RawMatrix().Data {
			if math.IsNaN(v) {
				n++
			}
		}
		return n
	}
	for missing, want := range map[string][2]bool{
		"0.5": {true, false}, "{per_row: 0.5, where: test}": {false, true}, "{mcar: 0.5, where: both}": {true, true},
		"{mar: 0.5, on: row}": {true, false}, "{mar: 0.5, on: row, where: both}": {true, true},
	} {
		d := drawn(t, rowsStudy(t, "csv: FILE, folds: 5, keep: [row, colour], missing_level: true, missing: "+missing), 1)
		if got := [2]bool{lacks(d.Train) > 0, lacks(d.Test) > 0}; got != want {
			t.Errorf("%s: %d training values missing, %d test values", missing, lacks(d.Train), lacks(d.Test))
		}
		if strings.Contains(missing, "mar:") && slices.ContainsFunc(column(d.Train, "row"), math.IsNaN) {
			t.Errorf("%s: values of the attribute that decides are missing", missing)
		}
	}
	d, clean := drawn(t, rowsStudy(t, "csv: FILE, folds: 5, keep: [row], flip: 0.5"), 1), drawn(t, rowsStudy(t, "csv: FILE, folds: 5, keep: [row]"), 1)
	if slices.Equal(d.Train.Y, clean.Train.Y) || !slices.Equal(d.Test.Y, clean.Test.Y) {
		t.Error("flip does not change training labels alone")
	}
}

// Entries have preparations of their own, are limited to cells, and folds with
// repeats give the number of replicates.
func TestEntriesOfCells(t *testing.T) {
	s := loadText(t, `study: s
seed: 1
design:
  set: {three: iris, two: vertebral_2c}
data: {set: $set, folds: 5, repeats: 4, missing: {mcar: 0.1}}
classifiers:
  - centroid
  - {id: filled, classifier: centroid, impute: knn, discrete: [petal_width], probabilities: platt}
  - {id: pair, classifier: centroid, only: {set: two}}
  - {id: triple, classifier: centroid, only: {set: [three]}}
`)
	if s.Replicates != 20 {
		t.Errorf("%d replicates", s.Replicates)
	}
	for i, want := range []string{"centroid filled triple", "centroid filled pair"} {
		var ids []string
		for _, e := range s.Cells[i].Classifiers {
			ids = append(ids, e.ID)
		}
		if strings.Join(ids, " ") != want {
			t.Errorf("cell %d: %q, want %s", i, ids, want)
		}
	}
	if spec := s.Cells[0].Classifiers[1].Spec; !strings.HasSuffix(spec, `+discrete=["petal_width"]+impute=knn+probabilities=platt`) {
		t.Error(spec)
	}
	if sums := s.Cells[0].Data.File.Sums; len(sums["iris"]) != 64 {
		t.Errorf("%v", sums)
	}
}

// An attribute to take as discrete is one of some data of the study.
func TestDiscreteOfNothing(t *testing.T) {
	for attribute, want := range map[string]string{"petal_width": "", "petal": `classifiers.centroid.discrete: no data of the study have an attribute "petal"`} {
		text := "study: s\nseed: 1\ndesign: {set: [iris, vertebral_2c]}\ndata: {set: $set, folds: 5}\nreplicates: 5\nclassifiers: [{classifier: centroid, discrete: [" + attribute + "]}]\n"
		_, err := study.Parse("study.yaml", []byte(text), nil, nil)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", attribute, err, want)
		}
	}
}

// A repeat without some of its folds is refused, whoever asks for it, with the next
// numbers that are whole in every cell; what was run before is read as it is.
func TestRepeatsAreWhole(t *testing.T) {
	const header, rest = "study: s\nseed: 1\nclassifiers: [centroid]\n", "data: {set: iris, folds: 5}\n"
	two := header + "design: {k: [4, 10]}\ndata: {set: iris, folds: $k}\n"
	for _, c := range []struct {
		text, flag, want string
	}{
		{header + rest + "replicates: 7\n", "", "s.yaml:5:13: replicates: 7 leave a repeat of 5 folds incomplete: give 5 or 10"},
		{header + rest + "replicates: 3\n", "", "s.yaml:5:13: replicates: 3 leave a repeat of 5 folds incomplete: give 5"},
		{header + rest + "replicates: 10\n", "", ""},
		{header + rest + "replicates: 10\n", "replicates=12", "--set replicates=12: replicates: 12 leave a repeat of 5 folds incomplete: give 10 or 15"},
		{header + "data: {set: iris, folds: 5, repeats: 2}\n", "replicates=12", "--set replicates=12: replicates: 12 leave a repeat of 5 folds incomplete: give 10 or 15"},
		{two + "replicates: 30\n", "", "s.yaml:6:13: replicates: 30 leave a repeat of 4 folds incomplete: give 20 or 40"},
		{two + "replicates: 40\n", "", ""},
		{header + "design: {rows: {once: {set: iris, holdout: 0.2}, cv: {set: iris, folds: 4}}}\ndata: $rows\nreplicates: 6\n", "", "replicates: 6 leave a repeat of 4 folds incomplete: give 4 or 8"},
	} {
		var flags []string
		if c.flag != "" {
			flags = append(flags, c.flag)
		}
		_, err := study.Parse("s.yaml", []byte(c.text), flags, nil)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s%v: got %v, want %q", c.text, flags, err, c.want)
		}
	}
	recall := func(records.Levels) (string, string, bool) { return "", "", false }
	if s, err := study.Parse("s.yaml", []byte(header+rest+"replicates: 7\n"), nil, recall); err != nil || s.Replicates != 7 {
		t.Errorf("recorded: %v", err)
	}
}

// A flag may ask for other replicates than folds x repeats: the study kept beside the
// results is read again as the same.
func TestFlaggedReplicatesOfFolds(t *testing.T) {
	const header = "study: s\nseed: 1\nclassifiers: [centroid]\n"
	for _, text := range []string{
		header + "data: {set: iris, folds: 5, repeats: 2}\n",
		header + "design: {rows: {few: {set: iris, folds: 5, repeats: 2}, many: {set: vertebral_2c, folds: 3, repeats: 5}}}\ndata: $rows\n",
		header + "design: {rows: {few: {set: iris, folds: 5, times: 2}, many: {set: vertebral_2c, folds: 5, times: 4}}}\ndata: {set: $rows.set, folds: $rows.folds, repeats: $rows.times}\n",
		header + "design: {rows: {few: {set: iris, folds: 5, repeats: 2}, none: {set: iris, folds: 3}}}\ndata: $rows\n",
	} {
		s := loadText(t, text, "replicates=15")
		written, err := s.YAML()
		if err != nil {
			t.Fatal(err)
		}
		again, err := study.Parse("again.yaml", written, nil, nil)
		if err != nil {
			t.Errorf("%v\n%s", err, written)
		} else if !slices.Equal(identity(s), identity(again)) {
			t.Errorf("%q\nis read as %q", identity(s), identity(again))
		}
	}
}

// A data set by name has the identity of the same file, where its kinds are what
// the file shows.
func TestSetsHaveTheIdentityOfTheirFiles(t *testing.T) {
	csv := filepath.Join("data", "small", "iris.csv")
	body := "study: s\nseed: 1\nreplicates: 5\nclassifiers: [centroid]\ndata: "
	a, b := loadText(t, body+"{set: iris, folds: 5}"), loadText(t, body+"{csv: "+filepath.ToSlash(csv)+", folds: 5}")
	if a.Cells[0].ID != b.Cells[0].ID {
		t.Errorf("%s, %s", a.Cells[0].Key, b.Cells[0].Key)
	}
	c := loadText(t, body+"{set: iris, folds: 5, discrete: [\"*\"], numeric: [petal_width]}")
	if kinds := c.Cells[0].Data.File.Rows.Attributes; kinds[0].Kind != dataset.Discrete || kinds[3].Kind != dataset.Numeric || c.Cells[0].ID == a.Cells[0].ID {
		t.Errorf("%v", kinds)
	}
}

// Studies of today's keys keep the identity of their cells, on which the random
// streams and the stored records depend.
func TestKeysOfFilesStay(t *testing.T) {
	s := rowsStudy(t, "csv: FILE, folds: 5, discrete: [row], drop: [part, colour], class: class, drop_missing: true, missing: 0.5", "centroid")
	key := s.Cells[0].Key
	head, tail, _ := strings.Cut(key, ";")
	if !strings.HasPrefix(head, "csv=") || len(head) != 20 || tail != `class=class;discrete=[row];drop_missing=true;folds=5;drop=["part" "colour"];missing=0.5` || s.Cells[0].SplitKey != key {
		t.Error(key)
	}
}

// A name that no classifier has is said to be that, though it could be no id either.
func TestUnknownClassifierIsNamed(t *testing.T) {
	const want = `classifiers.random forest: unknown classifier "random forest"; it is one of: `
	_, err := study.Parse("s.yaml", []byte(rowsText(t, "csv: FILE, holdout: 0.3", "random forest")), nil, nil)
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

// A classifier of numbers says which key leaves out what it cannot take.
func TestDiscreteAttributesCanBeDropped(t *testing.T) {
	for data, want := range map[string]string{
		"csv: FILE, holdout: 0.3, drop: [site, part]": `classifiers.lda: takes numeric attributes only, "colour" of`,
		"csv: FILE, holdout: 0.3":                     `and 2 more are discrete; data.drop leaves out those that it lists`,
	} {
		_, err := study.Parse("s.yaml", []byte(rowsText(t, data, "{classifier: lda, impute: mean}")), nil, nil)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "data.drop") {
			t.Errorf("%s: %v, want %q", data, err, want)
		}
	}
}

// What cannot be split, or would say nothing, is refused with its key before it runs.
func TestSplitsThatMakeNoSense(t *testing.T) {
	for data, want := range map[string]string{
		"csv: FILE, folds: 13, groups: site":                                  `data.groups: the 12 values of "site" cannot be divided among 13 parts`,
		"csv: FILE, holdout: 0.3, groups: place":                              `data.groups: FILE: no column "place" to group by`,
		"csv: FILE, holdout: 0.3, groups: class":                              `column "class": is the column of classes and can be nothing else`,
		"csv: FILE, split: place":                                             `data.split: FILE: no column "place" to split by`,
		"csv: FILE, split: colour":                                            `data.split: FILE: row 4, column "colour": the value is missing`,
		"csv: FILE, split: site":                                              `data.split: FILE: column "site" says "s0" of a row`,
		"csv: FILE, holdout: 0.3, rows: [row < 0]":                            `data.rows: FILE: no row fulfils`,
		"csv: FILE, holdout: 0.3, rows: [line < 0]":                           `data.rows: FILE: "line < 0": there is no column "line"`,
		"csv: FILE, holdout: 0.3, keep: [row, class]":                         `data.keep: FILE: "class" is the column of classes, which is there anyway`,
		"csv: FILE, holdout: 0.3, discrete: [class]":                          `leave it out of discrete, or name another with class`,
		"csv: FILE, holdout: 0.3, keep: [line]":                               `data.keep: FILE: no column "line" to keep`,
		"csv: FILE, holdout: 0.3, rows: [class = 1]":                          `data.csv: all rows that are read are of class "1"`,
		`csv: FILE, holdout: 0.3, merge: {all: ["0", "1", "2", "3"]}`:         `data.csv: all rows that are read are of class "all"`,
		`csv: FILE, holdout: 0.3, merge: {low: ["0", "9"]}`:                   `data.merge.low: FILE: row 1, column "class": no label "9" to merge; the labels are`,
		"csv: FILE, holdout: 0.3, merge: {none: []}":                          `data.merge.none: names nothing`,
		"csv: FILE, folds: 12, repeats: 2, groups: site":                      `data.repeats: with a fold for each of 12, every repeat holds out the same`,
		"csv: FILE, folds: 61":                                                `data.folds: 60 rows cannot make 61 folds`,
		"csv: FILE, holdout: 0.001":                                           `data.holdout: 60 rows leave 60 for training and 0 for testing`,
		"csv: FILE, folds: 7, train: {n: 52}":                                 `data.train: n is 52, the training part has 51 rows`,
		"csv: FILE, holdout: 0.3, train: {n: 3}":                              `data.train: n is 3, of 4 classes`,
		"csv: [FILE, FILE], holdout: 0.3":                                     `is named twice`,
		"csv: FILE, test: {csv: FILE}":                                        `data.test: FILE is read for training, too`,
		"csv: FILE, holdout: 0.3, keep: [row], missing: {mar: 0.2}":           `data.missing.on: missing; mar needs it`,
		"csv: FILE, holdout: 0.3, keep: [row], missing: {mcar: 0.2, on: row}": `data.missing.on: has no place here: it goes with mar`,
	} {
		text := rowsText(t, data)
		_, err := study.Parse("s.yaml", []byte(text), nil, nil)
		if err == nil {
			t.Errorf("%s: not refused", data)
			continue
		}
		_, path, _ := strings.Cut(text, "csv: ")
		path, _, _ = strings.Cut(strings.TrimPrefix(path, "["), ",")
		if got := strings.ReplaceAll(err.Error(), path, "FILE"); !strings.Contains(got, want) || strings.Count(got, "s.yaml:") != 1 {
			t.Errorf("%s: %s, want %s alone", data, got, want)
		}
	}
}

// A level that is a number is named by only: as by exclude:.
func TestOnlyNamesNumbers(t *testing.T) {
	text := "study: s\nseed: 1\nreplicates: 2\ndesign: {n: [20, 40]}\ndata: {set: iris, holdout: 0.5, train: {n: $n}}\nclassifiers: [nb, {classifier: lda, only: {n: %s}}]\n"
	for _, only := range []string{"[20]", "20", `"20"`} {
		s := loadText(t, fmt.Sprintf(text, only))
		if len(s.Cells[0].Classifiers) != 2 || len(s.Cells[1].Classifiers) != 1 {
			t.Errorf("%s: %d and %d classifiers", only, len(s.Cells[0].Classifiers), len(s.Cells[1].Classifiers))
		}
	}
	_, err := study.Parse("s.yaml", fmt.Appendf(nil, text, "[30]"), nil, nil)
	if want := "classifiers.lda.only.n: unknown level \"30\""; err == nil || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), "s.yaml:") != 1 {
		t.Errorf("got %v, want %s alone", err, want)
	}
}

// A column of names is no attribute, unless the study says that it is.
func TestColumnsThatNameRows(t *testing.T) {
	text := "name,x,class\n"
	for i := range 12 {
		text += fmt.Sprintf("case %d,%d,%d\n", i, i*i%5, i%2)
	}
	path := filepath.Join(t.TempDir(), "named.csv")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for more, want := range map[string]string{
		"":                                `column "name" has another text in each of 12 rows: it names them, drop it`,
		", drop: [name]":                  "",
		", discrete: [name]":              "",
		`, rows: ["name != case 3"]`:      "in each of 11 rows",
		`, missing_marks: ["", "case 3"]`: "", // a level that another row has, or none
	} {
		_, err := study.Parse("s.yaml", fmt.Appendf(nil, "study: s\nseed: 1\nreplicates: 2\ndata: {csv: %s, holdout: 0.5%s}\nclassifiers: [{classifier: nb, impute: mean}]\n", filepath.ToSlash(path), more), nil, nil)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", more, err, want)
		}
	}
}
