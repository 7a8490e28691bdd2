package study

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"copse/experiments/config"
	"copse/experiments/data"
	"copse/experiments/folder"
	"copse/stats/records"
)

// file reads the files of a data section and checks them and their split.
func (r *reader) file(at config.Place, d *Data) {
	before := at.Mistakes()
	d.checkFileKeys(at)
	if at.Mistakes() > before {
		return
	}
	file, err := r.files.Read(&data.Request{
		Files:         d.Files,
		TestCSV:       d.Test.CSV,
		TestSet:       d.Test.Set,
		Split:         d.Column,
		Groups:        d.Groups,
		Folds:         d.FoldsKey.Column,
		OfficialFolds: d.hasOfficialFolds(),
	})
	if r.recall != nil && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, data.ErrAbsent)) {
		d.Absent = true
		return
	}
	if err != nil {
		r.failReading(at, d, err)
		return
	}
	d.File = file
	if file.Folds != nil {
		d.Folds, d.Repeats = 1+slices.Max(file.Folds[0]), len(file.Folds)
	}
	d.checkSplit(at)
	if r.recall == nil {
		d.checkRows(at)
	}
}

// splitKeys are the keys of which one divides the rows of a file.
var splitKeys = []string{"folds", "holdout", "test", "split"}

// hasOfficialFolds reports whether the rows are an OpenML task with its official folds: no key
// asks for another split.
func (d *Data) hasOfficialFolds() bool {
	isOther := d.Folds > 0 || d.FoldsKey.Column != nil || d.Holdout > 0 || d.Column != "" ||
		d.Test.CSV != nil || d.Test.Set != nil
	return !isOther && len(d.Set) == 1 && data.IsTask(d.Set[0])
}

// checkFileKeys reports keys that do not go with files, and zero or several ways to split them.
func (d *Data) checkFileKeys(at config.Place) {
	if d.Train.Majority != 0 || d.Train.Counts != nil {
		at.Key("train").Fail("with %s, give n only: the number of rows drawn from the training part", d.SourceKey())
	}
	if test := at.Key("test"); test.There() && (d.Test.given() || (d.Test.CSV == nil) == (d.Test.Set == nil)) {
		test.Fail("want csv or set: the official test set")
	}
	given := slices.DeleteFunc(slices.Clone(splitKeys), func(key string) bool { return !at.Key(key).There() })
	hasOfficial := d.hasOfficialFolds()
	if len(given) != 1 && !hasOfficial {
		at.Fail("want one split of the rows: folds, holdout, test (a file) or split (a column)")
	}
	if d.FoldsKey.Column == nil && !hasOfficial {
		return
	}
	for _, key := range []string{"repeats", "groups", "random", "subsample"} {
		if at.Key(key).There() {
			at.Key(key).Fail("has no place here: the folds of the rows are given")
		}
	}
}

// failReading reports an error of reading files at the key that caused it.
func (r *reader) failReading(at config.Place, d *Data, err error) {
	place := at.Key(d.SourceKey())
	if wrong := (*data.KeyError)(nil); errors.As(err, &wrong) {
		place = at
		for _, key := range wrong.Keys {
			place = place.Key(key)
		}
	}
	hint := ""
	if errors.Is(err, fs.ErrNotExist) {
		hint = "; " + d.Whereabouts() + r.searched(d, err)
	}
	place.Fail("%s%s", err, hint)
}

// searched returns a clause on where a CSV file was not found: in the working directory, and
// whether it is in the folder of the study file. It is "" for data sets and absolute paths.
func (r *reader) searched(d *Data, err error) string {
	var failed *fs.PathError
	here, unknown := os.Getwd()
	if d.CSV == nil || unknown != nil || !errors.As(err, &failed) || filepath.IsAbs(failed.Path) {
		return ""
	}
	path := filepath.Join(filepath.FromSlash(r.folder), failed.Path)
	if path == filepath.Clean(failed.Path) { // the study file is in the working directory
		return ", " + here
	}
	if _, err := os.Stat(path); err != nil {
		return fmt.Sprintf(", %s; it is not in the folder of the study file either, %s", here, path)
	}
	return fmt.Sprintf(", %s; the file is in the folder of the study file: write %s", here, filepath.ToSlash(path))
}

// checkSplit reports a split that the rows do not allow.
func (d *Data) checkSplit(at config.Place) {
	rows := d.File.Rows.N()
	if d.Subsample > rows {
		at.Key("subsample").Fail("%d of %d rows", d.Subsample, rows)
	}
	if d.Subsample > 0 {
		rows = d.Subsample
	}
	train, test := d.Rows()
	switch least := d.leastTraining(); {
	case rows < d.Folds:
		at.Key("folds").Fail("%d rows cannot make %d folds", rows, d.Folds)
	case train < 1 || test < 1:
		at.Key(d.splitKeyName()).Fail("%d rows leave %d for training and %d for testing", rows, train, test)
	case d.Train.N > least:
		about := ""
		if d.Groups != "" || d.File.Folds != nil {
			about = "about "
		}
		at.Key("train").Fail("n is %d, the training part has %s%d rows", d.Train.N, about, least)
	}
	d.checkMissing(at, d.File.Rows.Attributes)
}

// splitKeyName returns the key that chooses the test rows.
func (d *Data) splitKeyName() string {
	switch {
	case d.Folds > 0:
		return "folds"
	case d.Holdout > 0:
		return "holdout"
	case d.Column != "":
		return "split"
	}
	return "test"
}

// leastTraining returns the number of rows of the smallest training part. It is approximate if
// folds consist of whole groups or are given.
func (d *Data) leastTraining() int {
	whole := *d
	whole.Train.N = 0
	train, test := whole.Rows()
	if n := train + test; d.Folds > 0 && n%d.Folds > 0 {
		train-- // some folds have one row more than others
	}
	return train
}

// checkRows reports rows that make a run useless: the same rows in training and test sets, one
// class only, columns that identify rows, and splits that are impossible or repeat.
func (d *Data) checkRows(at config.Place) {
	d.checkNamedTwice(at)
	d.checkSeveralClasses(at)
	d.checkIdentifiers(at)
	units, of := d.File.Rows.N(), "rows" // what the folds divide
	if d.Groups != "" {
		units, of = len(slices.Compact(slices.Sorted(slices.Values(d.File.Groups)))), "groups"
		if parts := max(2, d.Folds); units < parts {
			at.Key("groups").Fail("the %d values of %q cannot be divided among %d parts", units, d.Groups, parts)
		}
	}
	if units == d.Folds && d.Repeats > 1 && d.sameRows() {
		at.Key("repeats").Fail("want repeats: 1: with a fold for each of %d %s, all repeats are equal", units, of)
	}
}

// checkIdentifiers reports discrete attributes with a different level in each row, unless the
// study declares them discrete.
func (d *Data) checkIdentifiers(at config.Place) {
	for j, a := range d.File.Rows.Attributes {
		isDeclared := slices.Contains(d.Discrete, a.Name) || slices.Contains(d.Discrete, "*")
		if !isDeclared && d.File.NamesRows(j) {
			at.Key(d.SourceKey()).Fail("%s: column %q has a different text in each of %d rows, so it identifies "+
				"rows: leave it out with drop", d.Source(), a.Name, d.File.Rows.N())
		}
	}
}

// checkNamedTwice reports files whose rows would be in both parts of a split.
func (d *Data) checkNamedTwice(at config.Place) {
	named := map[string]bool{}
	for _, name := range slices.Concat(d.CSV, d.Set) {
		if named[name] {
			at.Key(d.SourceKey()).Fail("%s is named twice: its rows would be in both parts of a split", name)
		}
		named[name] = true
	}
	for _, name := range slices.Concat(d.Test.CSV, d.Test.Set) {
		if named[name] {
			at.Key("test").Fail("%s is also read for training: a test set needs rows of its own", name)
		}
	}
}

// checkSeveralClasses reports rows of one class, and training sets that are too small for all
// classes.
func (d *Data) checkSeveralClasses(at config.Place) {
	present := slices.DeleteFunc(d.File.Rows.Counts(), func(n int) bool { return n == 0 })
	switch {
	case len(present) == 1:
		only := d.File.Rows.Classes[d.File.Rows.Y[0]]
		at.Key(d.SourceKey()).Fail("all rows have class %q; copse needs rows of at least two classes", only)
	case d.Train.N > 0 && d.Train.N < len(present):
		at.Key("train").Fail("n is %d, but there are %d classes: some would have no training row",
			d.Train.N, len(present))
	}
}

// setNames returns the names of all data sets of a study, sorted.
func (s *Study) setNames() []string {
	var names []string
	for _, c := range s.Cells {
		names = append(names, c.Data.Set...)
		names = append(names, c.Data.Test.Set...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// SetsOf returns the names of the data sets of a study file, sorted. The sets may be absent.
func SetsOf(file string) ([]string, error) {
	text, err := readFile(file)
	if err != nil {
		return nil, err
	}
	anyCell := func(l records.Levels) (id, key string, ok bool) { return l.String(), l.String(), true }
	s, err := Parse(filepath.ToSlash(file), text, nil, anyCell)
	if err != nil {
		return nil, err
	}
	return s.setNames(), nil
}

// LockSets records the data sets without a registered checksum in the lock file beside the
// study. It does nothing if the study is in a results folder or its folder is read-only.
func (s *Study) LockSets() error {
	if folder.HasResults(s.Folder()) {
		return nil
	}
	err := data.Lock(s.Folder(), s.setNames())
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}
