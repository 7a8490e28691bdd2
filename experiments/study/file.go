package study

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"

	"gopkg.in/yaml.v3"

	"copse/experiments/config"
	"copse/experiments/datasets"
	"copse/stats/dataset"
	"copse/stats/dataset/csvfile"
)

// A File is what was read from one or several files: their rows, and what is
// known of each row.
type File struct {
	Rows   *dataset.Set
	Groups []string          // nil without groups
	Test   []int             // 1 for a row of the official test set, else 0; nil without one
	Sums   map[string]string // SHA-256 of each file, by path or name of the set
	digest string            // of the contents
	kinds  string            // digest of the schemas beside the files; "": none
	merge  map[string][]string
}

// file decodes the keys that say what is read, how and how it is split.
func (r *resolver) file(n *yaml.Node, data *Data) {
	before := r.Mistakes()
	r.filePlaces(n, data)
	merge := r.merge(data.MergeNode)
	test := r.testFile(data)
	if r.Mistakes() > before {
		return
	}
	key := fmt.Sprintf("%s %q %q %q %q", data.reading(), merge, [][]string{test.CSV, test.Set}, data.Column, data.Groups)
	file, known := r.files[key]
	if !known {
		var err error
		file, err = data.read(merge, test)
		absent := errors.Is(err, fs.ErrNotExist) || errors.Is(err, datasets.ErrAbsent)
		switch {
		case absent && r.recorded:
			data.Absent = true // a report needs the records, not the data
			return
		case err != nil:
			key, within, place := data.sourceKey(), n, "data"
			if at := (*keyError)(nil); errors.As(err, &at) {
				key = at.key
			}
			if wrong := (*csvfile.MergeError)(nil); errors.As(err, &wrong) {
				key, within, place = wrong.Class, data.MergeNode, "data.merge"
			}
			hint := ""
			if errors.Is(err, fs.ErrNotExist) {
				hint = "; " + data.Whereabouts() + r.beside(data, err)
			}
			r.Fail(entryOr(within, key), config.Join(place, key), "%s%s", err, hint)
			return
		}
		r.files[key] = file
	}
	data.File = file
	if r.fileFits(n, data); !r.recorded {
		r.fileMakesSense(n, data, test)
	}
}

// beside names the folders where a file of rows was not found, or was: beside the
// study file, where those of commands are.
func (r *resolver) beside(data *Data, err error) string {
	var at *fs.PathError
	here, failed := os.Getwd()
	if data.CSV == nil || failed != nil || !errors.As(err, &at) || filepath.IsAbs(at.Path) {
		return ""
	}
	path := filepath.Join(filepath.FromSlash(r.folder), at.Path)
	if path == filepath.Clean(at.Path) { // the study file is here
		return ", " + here
	}
	if _, err := os.Stat(path); err != nil {
		return fmt.Sprintf(", %s; nor is it beside the study file, %s", here, path)
	}
	return fmt.Sprintf(", %s; it lies beside the study file: write %s", here, filepath.ToSlash(path))
}

func (data *Data) sourceKey() string {
	if data.CSVNode != nil {
		return "csv"
	}
	return "set"
}

// filePlaces refuses keys that do not go together.
func (r *resolver) filePlaces(n *yaml.Node, data *Data) {
	if at := config.Lookup(n, "sample"); at != nil {
		r.Fail(at, "data.sample", "has no place beside %s: subsample draws rows of a file", data.sourceKey())
	}
	if at := config.Lookup(n, "irrelevant"); at != nil {
		r.Fail(at, "data.irrelevant", "has no place beside %s: it appends attributes to those of a generator", data.sourceKey())
	}
	if data.Train.Majority != 0 || data.Train.Counts != nil {
		r.Fail(config.Lookup(n, "train"), "data.train", "beside %s it takes n alone: so many rows of the training part", data.sourceKey())
	}
	switch unmatched := config.Lookup(n, "unmatched"); {
	case data.Join == nil && unmatched != nil:
		r.Fail(unmatched, "data.unmatched", "goes with join, the columns by which files are joined")
	case data.Join != nil && len(data.CSV)+len(data.Set) < 2:
		r.Fail(config.Lookup(n, "join"), "data.join", "joins several: %s: [the first, the others]", data.sourceKey())
	case data.Join != nil && data.Class == "":
		r.Fail(config.Lookup(n, "join"), "data.join", "needs class: the column of classes, since several files have a last one")
	}
	ways := 0
	for _, given := range []bool{data.Folds > 0, data.Holdout > 0, data.TestNode != nil, data.Column != ""} {
		if given {
			ways++
		}
	}
	if ways != 1 {
		r.Fail(n, "data", "want one split of the rows: folds, holdout, test (a file) or split (a column)")
	}
	if data.Groups != "" && data.Folds == 0 && data.Holdout == 0 {
		r.Fail(config.Lookup(n, "groups"), "data.groups", "has no place here: it goes with folds or holdout")
	}
	if data.Repeats > 0 && data.Folds == 0 {
		r.Fail(config.Lookup(n, "repeats"), "data.repeats", "has no place here: it goes with folds")
	}
}

// merge decodes the classes that join others.
func (r *resolver) merge(n *yaml.Node) map[string][]string {
	if n == nil {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		r.Fail(n, "data.merge", "want new classes with the lists of labels that they join, got %s", config.Describe(n))
		return nil
	}
	merge := map[string][]string{}
	for _, e := range r.Entries(n, "data.merge") {
		list := config.Resolve(e.Value)
		if list.Kind != yaml.SequenceNode {
			r.Fail(list, config.Join("data.merge", e.Key.Value), "want a list of labels, got %s", config.Describe(list))
			continue
		}
		if len(list.Content) == 0 {
			r.Fail(list, config.Join("data.merge", e.Key.Value), "names no label to merge")
		}
		for _, label := range list.Content {
			merge[e.Key.Value] = append(merge[e.Key.Value], config.Resolve(label).Value)
		}
	}
	return merge
}

// testFile decodes where an official test set is.
func (r *resolver) testFile(data *Data) (test Table) {
	if data.TestNode == nil {
		return test
	}
	var place testPlace
	before := r.Mistakes()
	r.Structure(data.TestNode, "data.test", "key", &place)
	if r.Mistakes() == before && (place.CSV == nil) == (place.Set == nil) {
		r.Fail(data.TestNode, "data.test", "want csv or set: where the official test set is")
	}
	test.CSV, test.Set = r.names(place.CSV, "data.test.csv"), r.names(place.Set, "data.test.set")
	return test
}

// fileFits refuses splits that the rows do not allow.
func (r *resolver) fileFits(n *yaml.Node, data *Data) {
	fail := func(key, format string, args ...any) { r.Fail(entryOr(n, key), "data."+key, format, args...) }
	rows := data.File.Rows.N()
	if data.Subsample > rows {
		fail("subsample", "%d of %d rows", data.Subsample, rows)
	}
	if data.Subsample > 0 {
		rows = data.Subsample
	}
	switch train, test := data.Rows(); {
	case rows < data.Folds:
		fail("folds", "%d rows cannot make %d folds", rows, data.Folds)
	case train < 1 || test < 1:
		fail(data.splitBy(), "%d rows leave %d for training and %d for testing", rows, train, test)
	case data.Train.N > data.leastTraining():
		fail("train", "n is %d, the training part has %s%d rows", data.Train.N, map[bool]string{true: "about "}[data.Groups != ""], data.leastTraining())
	}
	r.missingFits(n, data, data.File.Rows.Attributes)
}

// leastTraining is the number of rows of the smallest training part, about where
// groups stay together.
func (data *Data) leastTraining() int {
	whole := *data
	whole.Train.N = 0
	train, test := whole.Rows()
	if n := train + test; data.Folds > 0 && n%data.Folds > 0 {
		train-- // the rest of the rows makes some folds larger by one
	}
	return train
}

// splitBy is the key that says how the rows are split.
func (data *Data) splitBy() string {
	switch {
	case data.Folds > 0:
		return "folds"
	case data.Holdout > 0:
		return "holdout"
	case data.Column != "":
		return "split"
	}
	return "test"
}

// fileMakesSense refuses what would run and say nothing: the same rows on both sides
// of a split, and data on which every fit fails.
func (r *resolver) fileMakesSense(n *yaml.Node, data *Data, test Table) {
	fail := func(key, format string, args ...any) { r.Fail(entryOr(n, key), "data."+key, format, args...) }
	named := map[string]bool{}
	for _, name := range slices.Concat(data.CSV, data.Set) {
		if named[name] && data.Join == nil {
			fail(data.sourceKey(), "%s is named twice: its rows would be on both sides of a split", name)
		}
		named[name] = true
	}
	for _, name := range slices.Concat(test.CSV, test.Set) {
		if named[name] {
			fail("test", "%s is read for training, too: a test set has rows of its own", name)
		}
	}
	file := data.File
	var classes []int
	for _, y := range file.Rows.Y {
		if !slices.Contains(classes, y) {
			classes = append(classes, y)
		}
	}
	switch {
	case len(classes) == 1:
		fail(data.sourceKey(), "all rows that are read are of class %q: there is nothing to tell apart", file.Rows.Classes[classes[0]])
	case data.Train.N > 0 && data.Train.N < len(classes):
		fail("train", "n is %d, of %d classes: some would have no training row", data.Train.N, len(classes))
	}
	for j, a := range file.Rows.Attributes {
		if declared := slices.Contains(data.Discrete, a.Name) || slices.Contains(data.Discrete, "*"); !declared && namesRows(file.Rows, j) {
			fail(data.sourceKey(), "%s: column %q has another text in each of %d rows: it names them, drop it", data.Source(), a.Name, file.Rows.N())
		}
	}
	units := file.Rows.N() // what the folds divide
	if data.Groups != "" {
		if units = len(slices.Compact(slices.Sorted(slices.Values(file.Groups)))); units < max(2, data.Folds) {
			fail("groups", "the %d values of %q cannot be divided among %d parts", units, data.Groups, max(2, data.Folds))
		}
	}
	if units == data.Folds && data.Repeats > 1 && data.sameRows() {
		fail("repeats", "with a fold for each of %d, every repeat holds out the same: repeats: 1", units)
	}
}

// namesRows tells whether a discrete attribute has a level of its own in every row.
func namesRows(s *dataset.Set, j int) bool {
	const few = 10 // rows that may differ by chance
	if s.Attributes[j].Kind != dataset.Discrete || s.N() < few || len(s.Attributes[j].Levels) < s.N() {
		return false
	}
	seen := map[float64]bool{}
	for i := range s.N() {
		v := s.X.At(i, j)
		if math.IsNaN(v) || seen[v] {
			return false
		}
		seen[v] = true
	}
	return true
}
