package study_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/experiments/study"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/internal/toys"
	"copse/stats/dataset"
)

// Entries have their own preparation and may be limited to some cells. Folds and repeats determine the number
// of replicates.
func TestEntriesOfCells(t *testing.T) {
	s := toys.Load(t, `study: s
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
	const end = `+discrete=["petal_width"]+impute=knn+probabilities=platt/2`
	if spec := s.Cells[0].Classifiers[1].Spec; !strings.HasSuffix(spec, end) {
		t.Error(spec)
	}
	if sums := s.Cells[0].Data.File.Sums; len(sums["iris"]) != 64 {
		t.Errorf("%v", sums)
	}
}

// An attribute that is declared discrete must exist in some data of the study.
func TestDiscreteNeedsAnAttribute(t *testing.T) {
	for attribute, want := range map[string]string{
		"petal_width": "",
		"petal": `classifiers.centroid.discrete: "petal" is not an attribute of the data; ` +
			`correct or remove the name`,
	} {
		text := "study: s\nseed: 1\ndesign: {set: [iris, vertebral_2c]}\ndata: {set: $set, folds: 5}\nreplicates: " +
			"5\nclassifiers: [{classifier: centroid, discrete: [" + attribute + "]}]\n"
		_, err := parse(text)
		errtest.Case(t, attribute).Match(err, want)
	}
}

// The error has the line of the classifier that declares the attribute.
func TestDiscreteOfTheThirdClassifier(t *testing.T) {
	const text = "study: s\nseed: 1\ndata: {set: iris, folds: 5}\nclassifiers:\n- nb\n- lda\n" +
		"- {id: p, classifier: nb, discrete: [x9]}\n"
	_, err := parse(text)
	errtest.HasPrefix(t, err, `s.yaml:7:37: classifiers.p.discrete: "x9" is not an attribute`)
}

// The attributes of generated data are known, too.
func TestDiscreteOfGeneratedData(t *testing.T) {
	for attribute, want := range map[string]string{
		"x3": "", "irrelevant1": "", "x4": `classifiers.centroid.discrete: "x4" is not an attribute of the data`,
	} {
		text := strings.Replace(toys.Study, "data:", "data:\n  irrelevant: 1", 1)
		text = strings.Replace(text, "[centroid", "[{classifier: centroid, discrete: ["+attribute+"]}", 1)
		_, err := parse(text)
		errtest.Case(t, attribute).Match(err, want)
	}
}

// The names that a generator of discrete attributes chooses are known.
func TestDiscreteOfDiscreteGenerator(t *testing.T) {
	const text = "study: s\nseed: 1\nreplicates: 2\ndata: {generator: chebyshev-toy, train: {n: 20}, test: {n: 20}}\n" +
		"classifiers: [{classifier: nb, discrete: [S, W1]}]\n"
	if _, err := parse(text); err != nil {
		t.Error(err)
	}
	_, err := parse(strings.Replace(text, "S,", "x1,", 1))
	errtest.Contains(t, err, `classifiers.nb.discrete: "x1" is not an attribute`)
}

// A repeat without some of its folds is rejected, both in the study and by flags. The error contains the next
// numbers that give complete repeats in every cell. Earlier results can still be read.
func TestRepeatsAreWhole(t *testing.T) {
	const header, rest = "study: s\nseed: 1\nclassifiers: [centroid]\n", "data: {set: iris, folds: 5}\n"
	two := header + "design: {k: [4, 10]}\ndata: {set: iris, folds: $k}\n"
	for _, c := range []struct {
		text, flag, want string
	}{
		{header + rest + "replicates: 7\n", "", "s.yaml:5:13: replicates: 7 replicates leave a repeat of 5 folds " +
			"incomplete: give 5 or 10"},
		{header + rest + "replicates: 3\n", "", "s.yaml:5:13: replicates: 3 replicates leave a repeat of 5 folds " +
			"incomplete: give 5"},
		{header + rest + "replicates: 10\n", "", ""},
		{header + rest + "replicates: 10\n", "replicates=12", "--set replicates=12: replicates: " +
			"12 replicates leave a repeat of 5 folds incomplete: give 10 or 15"},
		{header + "data: {set: iris, folds: 5, repeats: 2}\n", "replicates=12", "--set replicates=12: replicates: " +
			"12 replicates leave a repeat of 5 folds incomplete: give 10 or 15"},
		{two + "replicates: 30\n", "", "s.yaml:6:13: replicates: 30 replicates leave a repeat of 4 folds " +
			"incomplete: give 20 or 40"},
		{two + "replicates: 40\n", "", ""},
		{header + "design: {rows: {once: {set: iris, holdout: 0.2}, cv: {set: iris, folds: 4}}}\ndata: " +
			"$rows\nreplicates: 6\n", "", "replicates: 6 replicates leave a repeat of 4 folds incomplete: give 4 or 8"},
	} {
		var flags []string
		if c.flag != "" {
			flags = append(flags, c.flag)
		}
		_, err := parse(c.text, flags...)
		errtest.Case(t, c.text+c.flag).Match(err, c.want)
	}
	if s := reparse(t, header+rest+"replicates: 7\n", nothingStored); s.Replicates != 7 {
		t.Errorf("recorded: %d replicates", s.Replicates)
	}
}

// Cells whose folds imply different numbers of replicates are rejected in any order of the levels. The error names
// both cells, and has the line of a level.
func TestReplicatesInAnyOrder(t *testing.T) {
	for _, levels := range [][2]string{
		{"once: {set: votes, folds: 5, missing_level: true}", "twice: {set: iris, folds: 5, repeats: 2}"},
		{"five: {set: iris, folds: 5}", "ten: {set: iris, folds: 10}"},
	} {
		for _, order := range [][2]string{levels, {levels[1], levels[0]}} {
			text := "study: s\nseed: 1\ndesign:\n  rows:\n    " + order[0] + "\n    " + order[1] + "\n" +
				"data: $rows\nclassifiers: [nb]\n"
			first, _, _ := strings.Cut(order[0], ":")
			second, _, _ := strings.Cut(order[1], ":")
			_, err := parse(text)
			errtest.Case(t, order).Contains(err, "s.yaml:6:", "data.repeats: ", " replicates in the cell rows="+second+
				", but the cell rows="+first+" has ")
		}
	}
}

// Stored results of cells without `repeats` remain readable. Once, such cells had as many replicates as earlier ones.
func TestReplicatesOfOldResults(t *testing.T) {
	const text = "study: s\nseed: 1\ndesign:\n  rows:\n    twice: {set: iris, folds: 5, repeats: 2}\n" +
		"    once: {set: votes, folds: 5, missing_level: true}\ndata: $rows\nclassifiers: [nb]\n"
	if s := reparse(t, text, nothingStored); s.Replicates != 10 {
		t.Errorf("%d replicates", s.Replicates)
	}
}

// A flag may set another number of replicates than folds x repeats. The study that is stored with the results
// is read again as the same study.
func TestFlaggedReplicatesOfFolds(t *testing.T) {
	const header = "study: s\nseed: 1\nclassifiers: [centroid]\n"
	for _, text := range []string{
		header + "data: {set: iris, folds: 5, repeats: 2}\n",
		header + "design: {rows: {few: {set: iris, folds: 5, repeats: 2}, many: {set: vertebral_2c, folds: 3, " +
			"repeats: 5}}}\ndata: $rows\n",
		header + "design: {rows: {few: {set: iris, folds: 5, times: 2}, many: {set: vertebral_2c, folds: 5, " +
			"times: 4}}}\ndata: {set: $rows.set, folds: $rows.folds, repeats: $rows.times}\n",
		header + "design: {rows: {few: {set: iris, folds: 5, repeats: 2}, none: {set: iris, folds: 3}}}\ndata: $rows\n",
	} {
		s := toys.Load(t, text, "replicates=15")
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

// A named data set has the same identity as its file if the file shows the same kinds of attributes.
func TestSetsHaveTheIdentityOfTheirFiles(t *testing.T) {
	csv := filepath.Join("..", "data", "small", "iris.csv")
	body := "study: s\nseed: 1\nreplicates: 5\nclassifiers: [centroid]\ndata: "
	a, b := toys.Load(t, body+"{set: iris, folds: 5}"), toys.Load(t, body+"{csv: "+filepath.ToSlash(csv)+", folds: 5}")
	if a.Cells[0].ID != b.Cells[0].ID {
		t.Errorf("%s, %s", a.Cells[0].Key, b.Cells[0].Key)
	}
	c := toys.Load(t, body+"{set: iris, folds: 5, discrete: [\"*\"], numeric: [petal_width]}")
	if kinds := c.Cells[0].Data.File.Rows.Attributes; kinds[0].Kind != dataset.Discrete ||
		kinds[3].Kind != dataset.Numeric ||
		c.Cells[0].ID == a.Cells[0].ID {
		t.Errorf("%v", kinds)
	}
}

// Studies with the present keys keep the identities of their cells, on which random streams and stored
// records depend.
func TestKeysOfFilesStay(t *testing.T) {
	const data = "csv: FILE, folds: 5, discrete: [row], drop: [part, colour], class: class, drop_missing: true, " +
		"missing: 0.5"
	s := toys.Load(t, toys.RowsStudy(t, data, "centroid"))
	key := s.Cells[0].Key
	head, tail, _ := strings.Cut(key, ";")
	if !strings.HasPrefix(head, "csv=") || len(head) != 20 ||
		tail != `class=class;discrete=[row];drop_missing=true;folds=5;drop=["part" "colour"];missing=0.5` ||
		s.Cells[0].SplitKey != key {
		t.Error(key)
	}
}

// The error for an unknown name of a classifier states this, although the name would not be a valid id
// either.
func TestUnknownClassifierIsNamed(t *testing.T) {
	const want = `classifiers.random forest: unknown classifier "random forest"; ` +
		`did you mean "rf"?`
	_, err := parse(toys.RowsStudy(t, "csv: FILE, holdout: 0.3", "random forest"))
	errtest.Contains(t, err, want)
}

// If a classifier accepts only numbers, the error names the key that drops other attributes.
func TestDiscreteAttributesCanBeDropped(t *testing.T) {
	text := toys.RowsStudy(t, "csv: FILE, holdout: 0.3, drop: [site, part]", "{classifier: lda, impute: mean}")
	const want = `takes numeric attributes only, but "colour" of`
	_, err := parse(text)
	errtest.Contains(t, err, want, "data.drop")
}

// A split that is impossible or useless is rejected with its key before the run.
func TestSplitsThatMakeNoSense(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{"csv: FILE, folds: 13, groups: site",
			`data.groups: the 12 groups in column "site" cannot be divided into 13 parts`},
		{"csv: FILE, holdout: 0.3, groups: place", `data.groups: FILE: no column "place" to group by`},
		{"csv: FILE, holdout: 0.3, groups: class",
			"data.groups: FILE: \"class\" is the class column, not an attribute: remove it from `groups`, or name"},
		{"csv: FILE, split: class", `data.split: FILE: "class" is the class column`},
		{"csv: FILE, split: place", `data.split: FILE: no column "place" to split by`},
		{"csv: FILE, split: colour", `data.split: FILE: row 4, column "colour": the value is missing`},
		{"csv: FILE, split: site", "data.split: FILE: column \"site\" has the value \"s0\"; want `train` or `test`"},
		{"csv: FILE, holdout: 0.3, rows: [row < 0]", `data.rows: FILE: no row meets`},
		{"csv: FILE, test: {csv: OTHER}, rows: [colour != rde]",
			`data.rows: FILE: "colour != rde": no row has the value "rde" in column "colour"; did you mean "red"?`},
		{"csv: FILE, holdout: 0.3, rows: [colour != red and row > 9]",
			`no row has the value "red and row > 9" in column "colour"; remove the condition; write several`},
		{"csv: FILE, holdout: 0.3, keep: [row, class]",
			`data.keep: FILE: "class" is the class column, not an attribute`},
		{"csv: FILE, holdout: 0.3, numeric: [class]", "remove it from `numeric`, or name another class column"},
		{"csv: FILE, holdout: 0.3, class: row", `data.class: FILE: row 1, column "row": looks continuous (60 distinct`},
		{"csv: FILE, holdout: 0.3, keep: [row], drop: [site]", "data.keep: FILE: give either `keep` or `drop`"},
		{"csv: FILE, holdout: 0.3, keep: []", `data.keep: FILE: all columns except the class column "class"`},
		{"csv: FILE, holdout: 0.3, discrete: [row], numeric: [row]", `data.numeric: FILE: "row" is listed twice`},
		{"csv: FILE, holdout: 0.3, drop: [row], discrete: [row]", `data.discrete: FILE: "row" is declared discrete`},
		{"csv: FILE, holdout: 0.3, keep: [line]", `data.keep: FILE: no column "line" to keep`},
		{"csv: FILE, holdout: 0.3, rows: [class = 1]",
			`data.rows: all rows have class "1"; copse needs rows of at least two classes`},
		{`csv: FILE, holdout: 0.3, merge: {all: ["0", "1", "2", "3"]}`,
			`data.merge: all rows have class "all"; copse needs rows of at least two classes`},
		{"csv: FILE, holdout: 0.3, merge: {none: []}", `data.merge.none: is an empty list; give at least one item`},
		{"csv: FILE, folds: 61", `data.folds: 60 rows cannot be divided into 61 folds; give fewer folds`},
		{"csv: FILE, folds: {column: fold}, keep: [row], repeats: 2",
			`data.repeats: cannot be combined with folds that the data specify: remove this key`},
		{"csv: FILE, folds: {column: site}, groups: part, keep: [row]",
			`data.groups: row 2 of FILE and row 5 of FILE have the same value of "part", but are in different folds ` +
				"of column \"site\"; correct this column, or let copse draw folds with `folds: K`"},
		{"csv: FILE, test: {csv: OTHER}, groups: site, keep: [row]", `have the same value of "site", but are in ` +
			"different parts, training and test; remove the rows of such groups from one part or, if they are"},
		{"csv: FILE, folds: {column: row}, keep: [colour], train: {n: 99}",
			"data.train: `n` is 99, but a training part can have only 59 rows; give a smaller `n`"},
		{"csv: FILE, folds: 5, groups: site, train: {n: 46}",
			"data.train: `n` is 46, but a training part can have only 45 rows"},
		{"csv: FILE, holdout: 0.3, groups: site, train: {n: 41}",
			"data.train: `n` is 41, but a training part can have only 40 rows"},
		{"csv: FILE, folds: {column: place}", `data.folds: FILE: no column "place" to read folds from`},
		{"csv: FILE, folds: {column: [site, part]}, keep: [row]", `data.folds: column "part" has`},
		{"csv: FILE, folds: {column: [part, part]}, keep: [row]", `data.folds: columns "part" and "part" divide ` +
			`the rows into the same folds, so all their results are equal; remove one of them`},
		{"csv: FILE, holdout: 0.001", `data.holdout: leaves 60 of 60 rows for training and 0 for testing`},
		{"csv: FILE, folds: 7, train: {n: 52}", "data.train: `n` is 52, but a training part can have only 51 rows"},
		{"csv: FILE, folds: 5, scored: training, train: {n: 49}",
			"data.train: `n` is 49, but a training part can have only 48 rows"},
		{"csv: FILE, holdout: 0.3, train: {n: 3}", "data.train: `n` is 3, but there are 4 classes"},
		{"csv: [FILE, FILE], holdout: 0.3", `is named twice`},
		{"csv: FILE, test: {csv: FILE}", `data.test: FILE is also read for training`},
		{"csv: FILE, test: {csv: none.csv}", "data.test.csv: the file \"none.csv\" does not exist; paths are"},
		{"set: iris, test: {csv: none.csv}", "data.test.csv: the file \"none.csv\" does not exist; paths are"},
		{"csv: FILE, test: {csv: iris}",
			"the file \"iris\" does not exist; for the data set of this name, write `set: iris`"},
		{"csv: FILE, test: {csv: ~/a.csv}", "the file \"~/a.csv\" does not exist; write the path of your home folder"},
		{"csv: FILE, test: {csv: https://a.org/b}", "the file \"https://a.org/b\" does not exist; download it"},
		{`csv: FILE, test: {csv: "a\nb"}`, `data.test.csv: the file "a\nb" does not exist; paths are`},
		{"csv: FILE, holdout: 0.3, keep: [row], missing: {mcar: 0.2, on: row}",
			"data.missing.on: is allowed only together with `mar`"},
	} {
		text := toys.RowsStudy(t, c.data)
		_, err := parse(text)
		if err == nil {
			t.Errorf("%s: not refused", c.data)
			continue
		}
		_, path, _ := strings.Cut(text, "csv: ")
		path, _, _ = strings.Cut(strings.TrimPrefix(path, "["), ",")
		if got := strings.ReplaceAll(err.Error(), path, "FILE"); !strings.Contains(got, c.want) ||
			strings.Count(got, "s.yaml:") != 1 {
			t.Errorf("%s: %s, want %s alone", c.data, got, c.want)
		}
	}
}

// A column that the study leaves out may be absent in some files, unless another key uses it. Errors in the
// test file have its key.
func TestColumnsOfTheTestFile(t *testing.T) {
	dir := filepath.ToSlash(t.TempDir())
	for name, text := range map[string]string{
		"train": "early,x,class\n" + strings.Repeat("0,1,a\n0,2,b\n", 5),
		"test":  "x,class,late\n" + strings.Repeat("3,b,0\n4,a,0\n", 5),
		"bad":   "x,class,late\n3,b,0\ntwo,a,0\n",
	} {
		filetest.Write(t, filepath.Join(dir, name+".csv"), text)
	}
	for data, want := range map[string]string{
		"{csv: DIR/train.csv, test: {csv: DIR/test.csv}, drop: [early, late]}":     "",
		"{csv: DIR/train.csv, test: {csv: DIR/test.csv}, keep: [x]}":               "",
		"{csv: DIR/test.csv, test: {csv: DIR/train.csv}, keep: [x], class: class}": "",
		"{csv: DIR/train.csv, test: {csv: DIR/test.csv}, drop: [early]}": `data.test.csv: DIR/test.csv: row 1, ` +
			`column "late": DIR/train.csv has no such column; a column may be absent only if`,
		"{csv: [DIR/train.csv, DIR/test.csv], folds: 2, keep: [x], class: class, rows: [early != 0]}": `data.csv: ` +
			`DIR/test.csv: row 1, column "early": DIR/train.csv has this column, but this file does not`,
		"{csv: [DIR/train.csv, DIR/test.csv], folds: 2, drop: [early, late], groups: early}": `data.csv: ` +
			`DIR/test.csv: row 1, column "early": DIR/train.csv has this column, but this file does not`,
		"{csv: DIR/train.csv, test: {csv: DIR/bad.csv}, keep: [x], numeric: [x]}": `data.test.csv: DIR/bad.csv: ` +
			`row 3, column "x": "two" is not a number`,
	} {
		text := strings.ReplaceAll("study: s\nseed: 1\nreplicates: 1\nclassifiers: [nb]\ndata: "+data, "DIR", dir)
		s, err := parse(text)
		want = strings.ReplaceAll(want, "DIR", dir)
		errtest.Case(t, data).Match(err, want)
		if err == nil && (s.Cells[0].Data.File.Rows.D() != 1 || s.Cells[0].Data.File.Rows.HasMissing()) {
			t.Errorf("%s: %v", data, s.Cells[0].Data.File.Rows.Attributes)
		}
	}
}

// A condition on the rows may exclude a value that only some files of the study have.
func TestConditionsOnSomeFiles(t *testing.T) {
	dir := filepath.ToSlash(t.TempDir())
	for name, colour := range map[string]string{"red": "red", "blue": "blue"} {
		text := "x,colour,class\n" + strings.Repeat("1.0,"+colour+",a\n2.5,green,b\n3,green,a\n", 9)
		filetest.Write(t, filepath.Join(dir, name+".csv"), text)
	}
	const rows = `rows: ["colour != blue", "x != 1", "x != NA"], keep: [x]`
	for data, refused := range map[string]bool{
		"{csv: DIR/red.csv, holdout: 0.5, ":                 true,
		"{csv: DIR/blue.csv, holdout: 0.5, ":                false,
		"{csv: [DIR/red.csv, DIR/blue.csv], holdout: 0.5, ": false,
		"{csv: DIR/red.csv, test: {csv: DIR/blue.csv}, ":    false,
		"{csv: DIR/blue.csv, test: {csv: DIR/red.csv}, ":    false,
		"{csv: $file, holdout: 0.5, ":                       false,
	} {
		text := "study: s\nseed: 1\nreplicates: 2\nclassifiers: [nb]\n"
		parts := [][]string{nil}
		if strings.Contains(data, "$file") {
			text += "design: {file: {red: DIR/red.csv, blue: DIR/blue.csv}}\n"
			parts = append(parts, []string{"design.file=red"}) // a part of the study remains valid
		}
		text = strings.ReplaceAll(text+"data: "+data+rows+"}\n", "DIR", dir)
		for _, assignments := range parts {
			_, err := parse(text, assignments...)
			isRefused := err != nil && strings.Contains(err.Error(), `no row has the value "blue"`)
			if isRefused != refused {
				t.Errorf("%s %q: %v", data, assignments, err)
			}
		}
	}
}

// Two columns of folds that differ only in the names of the folds are the same split. Columns with other folds
// are a further repeat. The largest fold of all columns limits the size of the training set.
func TestFoldColumns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "folds.csv")
	text := "x,first,renamed,other,unequal,class\n"
	for i := range 12 {
		text += fmt.Sprintf("%d,%d,%c,%d,%d,%d\n", i, i%3, "bca"[i%3], (i+i/6)%3, max(0, i-9), i%2)
	}
	filetest.Write(t, path, text)
	for columns, want := range map[string]string{
		"[first, other]}":                  "",
		"[first, other, renamed]}":         `data.folds: columns "first" and "renamed" divide`,
		"[first, unequal]}, train: {n: 2}": "",
		"[first, unequal]}, train: {n: 3}": "data.train: `n` is 3, but a training part can have only 2 rows",
		"[first, other]}, train: {n: 8}":   "",
	} {
		_, err := parse("study: s\nseed: 1\ndata: {csv: " + path + ", keep: [x], folds: {column: " +
			columns + "}\nclassifiers: [centroid]\n")
		errtest.Case(t, columns).Match(err, want)
	}
}

// only and exclude accept levels that are numbers.
func TestOnlyNamesNumbers(t *testing.T) {
	text := "study: s\nseed: 1\nreplicates: 2\ndesign: {n: [20, 40]}\ndata: {set: iris, holdout: 0.5, train: {n: " +
		"$n}}\nclassifiers: [nb, {classifier: lda, only: {n: %s}}]\n"
	for _, only := range []string{"[20]", "20", `"20"`} {
		s := toys.Load(t, fmt.Sprintf(text, only))
		if len(s.Cells[0].Classifiers) != 2 || len(s.Cells[1].Classifiers) != 1 {
			t.Errorf("%s: %d and %d classifiers", only, len(s.Cells[0].Classifiers), len(s.Cells[1].Classifiers))
		}
	}
}

// A column of names is not an attribute unless the study lists it.
func TestColumnsThatNameRows(t *testing.T) {
	text := "name,x,class\n"
	for i := range 12 {
		text += fmt.Sprintf("case %d,%d,%d\n", i, i*i%5, i%2)
	}
	path := filepath.Join(t.TempDir(), "named.csv")
	filetest.Write(t, path, text)
	for more, want := range map[string]string{
		"": `column "name" has a different text in each of 12 rows, such as "case 0": remove the column with ` +
			"`drop`, or write its numbers without other characters",
		", drop: [name]":                  "",
		", discrete: [name]":              "",
		`, rows: ["name != case 3"]`:      "in each of 11 rows",
		`, missing_marks: ["", "case 3"]`: "", // a level that another row has, or none
	} {
		_, err := parse(fmt.Sprintf("study: s\nseed: 1\nreplicates: 2\ndata: {csv: %s, holdout: 0.5%s}\n"+
			"classifiers: [{classifier: nb, impute: mean}]\n", filepath.ToSlash(path), more))
		errtest.Case(t, more).Match(err, want)
	}
}
