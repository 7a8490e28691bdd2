package study

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"copse/experiments/config"
	"copse/experiments/data"
	"copse/experiments/folder"
	"copse/stats/dataset"
	"copse/stats/records"
)

// file reads the data files of a cell into d.File, and checks the rows and their split. If the
// study is read only to report stored results, files may be missing. In this case, the method sets
// d.Absent.
func (r *reader) file(at config.Place, d *Data) {
	d.checkFileKeys(at)
	if at.Failed() {
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
	if r.onlyReports() && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, data.ErrAbsent)) {
		d.Absent = true
		return
	}
	if err != nil {
		r.failReading(at, d, err)
		return
	}
	d.File = file
	d.sums = file.Sums
	if file.Folds != nil { // for each repeat, the fold of each row, from 0
		d.Folds = 1 + slices.Max(file.Folds[0])
		d.Repeats = len(file.Folds)
	}
	d.checkSplit(at)
	if !r.onlyReports() {
		d.checkRows(at)
	}
}

// splitKeys lists the keys that divide the rows of a file. A data section with files must contain
// exactly one of them, unless it uses the folds of an OpenML task.
var splitKeys = []string{"folds", "holdout", "test", "split"}

// hasOfficialFolds reports whether the study uses the folds that OpenML publishes: it has a single
// OpenML task, and no key splits the rows.
func (d *Data) hasOfficialFolds() bool {
	isOther := d.Folds > 0 || d.FoldsKey.Column != nil || d.Holdout > 0 || d.Column != "" ||
		d.Test.CSV != nil || d.Test.Set != nil
	return !isOther && len(d.Set) == 1 && data.IsTask(d.Set[0])
}

// checkFileKeys reports keys that cannot be combined with data files or with each other. With data files:
//   - train may contain only n.
//   - test contains csv or set, but not both, and no numbers of rows.
//   - Exactly one of the splitKeys is given, or none if the study uses official folds.
//   - With folds that the data specify, repeats, random and subsample are not allowed.
func (d *Data) checkFileKeys(at config.Place) {
	if d.Train.Majority != 0 || d.Train.Counts != nil {
		at.Key("train").Fail("with `%s`, give only `n`, the number of rows to draw from the training part",
			d.SourceKey())
	}
	hasCSV, hasSet := d.Test.CSV != nil, d.Test.Set != nil
	hasBothOrNone := hasCSV == hasSet
	if test := at.Key("test"); test.Exists() && (d.Test.givesRows() || hasBothOrNone) {
		test.Fail("give only the official test set, with either `csv` or `set`")
	}
	splits := 0 // number of given keys that split the rows
	for _, key := range splitKeys {
		if at.Key(key).Exists() {
			splits++
		}
	}
	hasOfficialFolds := d.hasOfficialFolds() // published with the data set, so no splitKeys are needed
	if splits != 1 && !hasOfficialFolds {
		at.Fail("want exactly one key that splits the rows: `folds`, `holdout`, `test` (an official test " +
			"set) or `split` (a column)")
	}
	hasFoldColumns := d.FoldsKey.Column != nil
	if hasOfficialFolds || hasFoldColumns { // the following keys cannot change them
		for _, key := range []string{"repeats", "random", "subsample"} {
			if at.Key(key).Exists() {
				at.Key(key).Fail("cannot be combined with folds that the data specify: remove this key")
			}
		}
	}
}

// failReading reports err, an error in reading the data files of d. The error is at the key that a
// data.KeyError contains, or otherwise at the key that gives the files, such as csv.
func (r *reader) failReading(at config.Place, d *Data, err error) {
	wrongKey := at.Key(d.SourceKey())
	var keyError *data.KeyError
	if errors.As(err, &keyError) {
		wrongKey = at
		for _, key := range keyError.Keys {
			wrongKey = wrongKey.Key(key)
		}
	}
	var missing *fs.PathError
	if errors.Is(err, fs.ErrNotExist) && errors.As(err, &missing) {
		wrongKey.Fail("the file %q does not exist; %s", missing.Path, r.pathHint(missing.Path))
		return
	}
	wrongKey.Fail("%s", err)
}

// pathHint suggests a correction for the path of a missing CSV file.
func (r *reader) pathHint(path string) string {
	switch {
	case data.IsPresent(path):
		return fmt.Sprintf("for the data set of this name, write `set: %s`", path)
	case strings.Contains(path, "://"):
		return "download it, because copse reads only files on this machine"
	case strings.HasPrefix(path, "~"):
		return "write the path of your home folder instead of `~`, which copse does not replace"
	}
	return data.PathRule + r.whereSearched(path)
}

// whereSearched describes where copse searched for a missing CSV file, and whether it is next to
// the study file. For an absolute path, it returns "".
func (r *reader) whereSearched(missing string) string {
	here, err := os.Getwd()
	if err != nil || filepath.IsAbs(missing) {
		return ""
	}
	path := filepath.Join(r.folder, missing)
	if path == filepath.Clean(missing) {
		return ", " + here
	}
	if !folder.Exists(path) {
		return fmt.Sprintf(", %s; it is not in the folder of the study file either, %s", here, path)
	}
	return fmt.Sprintf(", %s; the file is in the folder of the study file, so give the path `%s`", here,
		filepath.ToSlash(path))
}

// checkSplit reports an error if the file has too few rows for the subsample, the folds or the
// holdout set. It also checks the section "missing".
func (d *Data) checkSplit(at config.Place) {
	inFile := d.File.Rows.N()
	if d.Subsample > inFile {
		at.Key("subsample").Fail("requests %d rows, but the file has only %d", d.Subsample, inFile)
	}
	rows := cmp.Or(d.Subsample, inFile) // number of rows that are split
	train, test := d.Rows()
	switch {
	case rows < d.Folds:
		failTooManyFolds(at, rows, d.Folds)
	case train < 1 || test < 1:
		// One of the splitKeys must be given here. A study without them has the folds of an OpenML
		// task, which always leave rows for training and testing.
		isGiven := func(key string) bool { return at.Key(key).Exists() }
		key := splitKeys[slices.IndexFunc(splitKeys, isGiven)]
		at.Key(key).Fail("leaves %d of %d rows for training and %d for testing", train, rows, test)
	}
	d.checkMissing(at)
}

func failTooManyFolds(at config.Place, rows, folds int) {
	at.Key("folds").Fail("%d rows cannot be divided into %d folds; give fewer folds", rows, folds)
}

// availableTraining returns the smallest and the largest number of rows that a replicate can have
// for training. They differ only if random groups are held out. With folds, both are the size of
// the smallest training set. They are approximate for folds of groups, with a subsample, and for
// groups if d.Train.N is 0.
func (d *Data) availableTraining() (fewest, most int) {
	// The sizes of groups matter only if the study requests a number of training rows, d.Train.N. With
	// a subsample, they are random.
	usesGroupSizes := d.splitsGroups() && d.Subsample == 0 && d.Train.N > 0
	if usesGroupSizes && d.Holdout > 0 {
		return dataset.GroupHoldoutRange(d.File.Rows.Groups, d.Holdout)
	}
	repeats := d.File.Folds // for each repeat, the given fold of each row; nil if the folds are random
	if usesGroupSizes {
		// Folds without shuffling have about the same sizes as the random folds of a run.
		rows := d.File.Rows
		if fold, err := dataset.StratifiedGroupFolds(rows.Strata(!d.Random), rows.Groups, d.Folds, nil); err == nil {
			repeats = [][]int{fold}
		}
	}
	smallest := d.trainingWithEvenFolds() // exact unless the folds differ in size
	for _, fold := range repeats {
		for f := range d.Folds {
			outside, _ := dataset.SplitFold(fold, f)
			smallest = min(smallest, len(outside))
		}
	}
	return smallest, smallest
}

// trainingWithEvenFolds returns the number of rows for training. With folds, it assumes that the
// sizes of the folds differ by at most one row, and returns the size of the smallest training set.
func (d *Data) trainingWithEvenFolds() int {
	whole := *d
	whole.Train.N, whole.Scored = 0, "" // Rows then counts all rows
	train, test := whole.Rows()
	if n := train + test; d.Folds > 0 && n%d.Folds > 0 {
		train-- // the largest test fold has one row more than Rows assumes
	}
	return train
}

// SplitRemarks returns remarks on files with the same units and on random splits of groups: some
// splits may leave fewer training rows than the key "train" requests, and replicates may share test
// sets.
func (d *Data) SplitRemarks() (lines []string) {
	if d.File != nil && d.Train.N > 0 {
		if smallest, _ := d.availableTraining(); d.Train.N > smallest {
			lines = append(lines, fmt.Sprintf("some splits of the groups leave only %d rows for training; their "+
				"fits fail, because `train.n` is %d: give a smaller `n`", smallest, d.Train.N))
		}
	}
	if d.unitsRemark != "" {
		lines = append(lines, d.unitsRemark)
	}
	if d.sharedTests != "" {
		lines = append(lines, d.sharedTests)
	}
	return lines
}

// checkRows reports data that no classifier can use, such as training rows of one class.
func (d *Data) checkRows(at config.Place) {
	if _, available := d.availableTraining(); d.Train.N > available {
		at.Key("train").Fail("`n` is %d, but a training part can have only %d rows; give a smaller `n`",
			d.Train.N, available)
	}
	d.checkNamedTwice(at)
	d.checkSeveralClasses(at)
	d.checkOfficial(at)
	for _, reason := range d.File.Identifiers() { // text columns such as names, unless declared discrete
		at.Key(d.SourceKey()).Fail("%s: %s: remove the column with `drop`, or write its numbers without other "+
			"characters", d.Source(), reason)
	}
	d.checkGroups(at)
	d.checkFoldColumns(at)
}

// units returns the number of units to split, and the word for them: groups or rows.
func (d *Data) units() (n int, noun string) {
	if d.Groups == "" {
		return d.File.Rows.N(), "rows"
	}
	return len(dataset.GroupSizes(d.File.Rows.Groups)), "groups"
}

// splitsGroups reports whether copse divides the groups at random, because neither the folds nor an
// official test set are given.
func (d *Data) splitsGroups() bool {
	return d.Groups != "" && d.File.Folds == nil && d.File.Test == nil
}

// TestGroups returns the number of groups in the official test set, or 0 if there are none.
func (d *Data) TestGroups() int {
	if d.Groups == "" || d.File == nil {
		return 0
	}
	const official = 1
	_, test := dataset.SplitFold(d.File.Test, official)
	return len(dataset.GroupSizes(dataset.At(d.File.Rows.Groups, test)))
}

// GroupCount returns the number of groups, or 0 if there are none.
func (d *Data) GroupCount() int {
	if d.Groups == "" || d.File == nil {
		return 0
	}
	groups, _ := d.units()
	return groups
}

// checkGroups reports data with fewer groups than parts, and groups that a given split divides.
func (d *Data) checkGroups(at config.Place) {
	if d.Groups == "" {
		return
	}
	if d.splitsGroups() {
		groups, _ := d.units()
		if parts := max(2, d.Folds); groups < parts {
			at.Key("groups").Fail("the %d groups in column %q cannot be divided into %d parts", groups, d.Groups, parts)
		}
	}
	for i, fold := range d.File.Folds {
		d.checkWholeGroups(at, fold, fmt.Sprintf("are in different folds of column %q; correct this column, or let "+
			"copse draw folds with `folds: K`", d.File.FoldColumns[i]))
	}
	if d.File.Test != nil {
		d.checkWholeGroups(at, d.File.Test, "are in different parts, training and test; remove the rows of such "+
			"groups from one part or, if they are different groups, rename them")
	}
}

// checkWholeGroups reports two rows of one group that are in different parts of a given split.
// part[i] is the part of row i. The argument problem completes the message.
func (d *Data) checkWholeGroups(at config.Place, part []int, problem string) {
	firstRow := map[int]int{} // of each group
	for i, g := range d.File.Rows.Groups {
		first, isKnown := firstRow[g]
		if !isKnown {
			firstRow[g] = i
		} else if part[i] != part[first] {
			a, b := d.File.Places[first], d.File.Places[i]
			at.Key("groups").Fail("row %d of %s and row %d of %s have the same value of %q, but %s",
				a.Row, a.File, b.Row, b.File, d.Groups, problem)
			return
		}
	}
}

// checkFoldColumns reports two columns with the same folds, because significance tests would count
// their equal results as results of different splits.
func (d *Data) checkFoldColumns(at config.Place) {
	for i, folds := range d.File.Folds {
		for k, earlier := range d.File.Folds[:i] {
			if slices.Equal(dataset.NumberDistinct(earlier), dataset.NumberDistinct(folds)) { // the names may differ
				at.Key("folds").Fail("columns %q and %q divide the rows into the same folds, so all their results "+
					"are equal; remove one of them", d.File.FoldColumns[k], d.File.FoldColumns[i])
				return
			}
		}
	}
}

// checkRowValues reports conditions on rows with a value that no file of the study contains. If --set may have
// removed levels, it does nothing: their files may contain the value.
func (r *reader) checkRowValues() {
	if r.isNarrowed {
		return
	}
	present := map[string]bool{} // conditions whose value occurs in some file
	for _, c := range r.cells {
		for _, condition := range c.Data.Where {
			absent := c.Data.File.AbsentValues[condition] // an error if the files of the cell lack the value
			present[condition] = present[condition] || absent == nil
		}
	}
	for _, c := range r.cells {
		for _, condition := range c.Data.Where {
			if !present[condition] {
				c.source.Key("rows").Fail("%s", c.Data.File.AbsentValues[condition])
				present[condition] = true // one error for each condition
			}
		}
	}
}

// checkNamedTwice reports a file or data set that is named twice, because the training and test
// sets could share rows.
func (d *Data) checkNamedTwice(at config.Place) {
	named := map[string]bool{}
	for _, name := range slices.Concat(d.CSV, d.Set) {
		if named[name] {
			at.Key(d.SourceKey()).Fail(
				"%s is named twice, so the training and test sets could have the same rows; remove one", name)
		}
		named[name] = true
	}
	for _, name := range slices.Concat(d.Test.CSV, d.Test.Set) {
		if named[name] {
			at.Key("test").Fail("%s is also read for training; give a test set with other rows", name)
		}
	}
}

// checkSeveralClasses reports data with rows of only one class, and training sets with fewer rows
// than classes.
func (d *Data) checkSeveralClasses(at config.Place) {
	present := slices.DeleteFunc(d.File.Rows.Counts(), func(n int) bool { return n == 0 })
	switch {
	case len(present) == 1:
		key := d.SourceKey() // the last key that may have removed the other classes
		if d.Where != nil {
			key = "rows"
		}
		if d.Merge != nil {
			key = "merge"
		}
		only := d.File.Rows.Classes[d.File.Rows.Y[0]]
		at.Key(key).Fail("all rows have class %q; copse needs rows of at least two classes", only)
	case d.Train.N > 0 && d.Train.N < len(present):
		at.Key("train").Fail("`n` is %d, but there are %d classes: some classes would have no training row",
			d.Train.N, len(present))
	}
}

// checkOfficial reports a class of the official test set without training rows, because no
// classifier could predict it.
func (d *Data) checkOfficial(at config.Place) {
	class, rows := d.File.UntrainedClass()
	if rows == 0 {
		return
	}
	key, source := "test", d.OfficialTest()
	if d.Column != "" {
		key, source = "split", d.Source()
	}
	at.Key(key).Fail("%s: class %q has test rows (%d) but no training row; correct the name of the class, or "+
		"remove its rows with `rows`", source, class, rows)
}

func (s *Study) setNames() []string {
	var names []string
	for _, c := range s.Cells {
		names = append(names, c.Data.Set...)
		names = append(names, c.Data.Test.Set...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// SetsOf returns the sorted names of the data sets that a study file uses, even if they are not on
// this machine.
func SetsOf(file string) ([]string, error) {
	text, err := readFile(file)
	if err != nil {
		return nil, err
	}
	anyCell := func(l records.Levels) (StoredCell, bool) { return StoredCell{ID: l.String(), Key: l.String()}, true }
	s, err := Parse(filepath.ToSlash(file), text, nil, anyCell)
	if err != nil {
		return nil, err
	}
	return s.setNames(), nil
}

// RecordChecksums adds the checksums of the study's data sets to a lock file next to the study
// file, unless they are registered. It does nothing in a results folder or read-only folder.
func (s *Study) RecordChecksums() error {
	if folder.HasResults(s.Folder()) {
		return nil
	}
	err := data.RecordChecksums(s.Folder(), s.setNames())
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}
