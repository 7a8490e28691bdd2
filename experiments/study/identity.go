package study

import (
	"fmt"
	"strings"

	"copse/experiments/config"
	"copse/experiments/folder"
	"copse/stats/records"
)

// A Cell is one combination of factor levels, with its data and the classifiers to run.
type Cell struct {
	ID          string // digest of Key and of the classifier parameters that depend on factors
	Levels      records.Levels
	Key         string // canonical description of the data; seeds the classifiers and their tuning
	SplitKey    string // seeds the draw of problems, rows and splits; the beginning of Key unless Paired
	NoiseKey    string // seeds the removal of values and changes of labels; equals Key unless Paired
	Paired      bool   // the key "pair" gives this cell the SplitKey and NoiseKey of other cells
	Source      string // equal for cells whose files have rows in common, and for cells that draw the same sample
	Data        *Data
	Classifiers []Entry

	source config.Place // the data section in the study file
}

// identify sets the keys and the ID of a cell. The ID depends on its data and on the settings of
// classifiers that refer to a factor. The argument list contains the factor levels of all cells,
// and candidates contains the items of the classifier list.
func (r *reader) identify(cell *Cell, candidates []candidate, list []combination) {
	if cell.Data.Absent { // without the data files, only stored results give the keys
		r.identifyStored(cell)
		return
	}
	cell.setKeys()
	r.shareStreams(cell, list)     // if the key "pair" is given: the cell gets the random streams of other cells
	var parameters strings.Builder // settings of classifiers that depend on factors
	for _, e := range cell.Classifiers {
		if candidates[e.index].hasReference {
			parameters.WriteString("|" + e.ID + "=" + e.Spec)
		}
	}
	const idBytes = 5
	cell.ID = digest(cell.Key+parameters.String(), idBytes)
}

// setKeys sets the keys of a cell's random streams. Cells that differ only in noise have the same
// SplitKey, so they share their rows.
func (c *Cell) setKeys() {
	c.SplitKey = c.Data.splitKey()
	c.Key = c.SplitKey + c.Data.noiseSuffix()
	c.NoiseKey = c.Key
}

// identifyStored sets the keys, the ID and the folds of a cell from stored results. It reports a
// cell without stored results. Key and NoiseKey consist of SplitKey and a suffix (see setKeys).
func (r *reader) identifyStored(cell *Cell) {
	stored, ok := r.findStored(cell.Levels)
	if !ok {
		r.Data.WithPath("data."+cell.Data.SourceKey()).Fail(
			"%s is not on this machine; copse cannot do without it, because the stored results have no cell %s",
			cell.Data.Source(), cell.Levels.Describe(r.factors))
		return
	}
	cell.ID = stored.ID
	cell.Key = stored.Key
	cell.NoiseKey = stored.Key
	cell.SplitKey = strings.TrimSuffix(stored.Key, cell.Data.noiseSuffix())
	cell.Data.sums, cell.Data.storedFolds = stored.Sums, stored.GivenFolds
	// The key contains a text such as `;given=2x10["a" "b"]` if columns of the file define the folds.
	if _, repeatsAndFolds, found := strings.Cut(stored.Key, givenFolds); found {
		// The text begins with numbers such as 2x10, so Sscanf cannot fail.
		_, _ = fmt.Sscanf(repeatsAndFolds, "%dx%d", &cell.Data.Repeats, &cell.Data.Folds)
	}
}

// givenFolds begins the part of a cell's key for folds that columns of the file define. For example,
// `;given=2x10["a" "b"]` means two repeats of ten folds, in the columns a and b.
const givenFolds = ";given="

// SplitID returns a digest of the folds or other splits: cells with equal digests divide the same
// rows in the same way. Folds from columns are equal if the cells select the same rows. Other
// splits are random and depend on the SplitKey.
func (c *Cell) SplitID() string {
	const idBytes = 8
	if _, given, found := strings.Cut(c.SplitKey, givenFolds); found {
		return digest(c.Data.givenSplit(given), idBytes)
	}
	return digest(c.SplitKey, idBytes)
}

func digest(text string, bytes int) string {
	return folder.DigestBytes([]byte(text))[:2*bytes] // two digits per byte
}

// Content returns the key of the cell, but with named settings of missing values, as in
// missing={mcar=0.1 where=train}.
func (c *Cell) Content() string {
	m := c.Data.Missing
	words := fmt.Sprintf("{mcar=%v where=%s}", m.MCAR, m.Where)
	if m.MAR > 0 {
		words = fmt.Sprintf("{mar=%v on=%s where=%s}", m.MAR, m.On, m.Where)
	} else if m.PerRow > 0 {
		words = fmt.Sprintf("{per_row=%v where=%s}", m.PerRow, m.Where)
	}
	return strings.Replace(c.Key, fmt.Sprintf("missing=%+v", m), "missing="+words, 1)
}

// splitKey returns the part of the cell's key that seeds the draw of the rows and their split. The
// key does not describe changes after the split, such as removed values, except for Missing.PerRow.
func (d *Data) splitKey() string {
	key := ""
	switch {
	case d.File != nil:
		key = d.fileKey()
	case d.Folds > 0:
		key = fmt.Sprintf("generator=%s;sample=%v;folds=%d", d.GeneratorSpec, d.SampleCounts, d.Folds)
	default:
		key = fmt.Sprintf("generator=%s;train=%v;test=%v", d.GeneratorSpec, d.TrainCounts, d.TestCounts)
	}
	// Missing.PerRow does not affect the split, but the keys of stored cells contain it.
	if d.Missing.perTrainingRow() {
		key += fmt.Sprintf(";missing=%v", d.Missing.PerRow)
	}
	return key
}

// perTrainingRow reports whether the same share of values is removed from each training row, and
// none from test rows.
func (m Missing) perTrainingRow() bool { return m.PerRow > 0 && m.Where == "train" }

// noiseSuffix returns the second part of the cell's key. It describes the changes after the split,
// such as removed values and changed labels.
func (d *Data) noiseSuffix() string {
	var key dataKey
	readsSomeRows := d.FromFiles() && d.Train.N > 0 // for generators, the split key contains the numbers of rows
	key.add(readsSomeRows, ";train=%d", d.Train.N)
	key.add(d.Irrelevant > 0, ";irrelevant=%d", d.Irrelevant)
	isInSplitKey := d.Missing.perTrainingRow()
	key.add(d.Missing.any() && !isInSplitKey, ";missing=%+v", d.Missing)
	key.add(d.Flip > 0, ";flip=%v", d.Flip)
	key.add(d.scoresTraining(), ";scored=%s", TrainingRows)
	key.add(d.Groups != "", ";inner_folds=%s", "groups") // results from folds that divided groups are not reused
	return string(key)
}

// A dataKey lists settings of the data, such as ";irrelevant=10;flip=0.1", for a cell's key.
type dataKey string

// add appends a value to the key, in the given format, if isSet is true.
func (k *dataKey) add(isSet bool, format string, value any) {
	if isSet {
		*k += dataKey(fmt.Sprintf(format, value))
	}
}

// groupFoldsVersion is the version of dataset.StratifiedGroupFolds for folds of the data. Another
// version must not reuse stored results.
const groupFoldsVersion = 3

// fileKey returns the splitKey of data files: a digest and the options for reading and splitting.
// It contains newer options only if they are set, so that older keys do not change.
func (d *Data) fileKey() string {
	files, split := &d.Files, &d.Split
	key := dataKey(fmt.Sprintf("csv=%s;class=%s;discrete=%v;drop_missing=%t;folds=%d",
		d.File.Digest, files.Class, files.Discrete, files.DropMissing, split.Folds))
	key.add(len(files.Drop) > 0, ";drop=%q", files.Drop)
	key.add(d.File.SchemaDigest != "", ";kinds=%s", d.File.SchemaDigest)
	key.add(len(files.Keep) > 0, ";keep=%q", files.Keep)
	key.add(len(files.Numeric) > 0, ";numeric=%q", files.Numeric)
	key.add(files.Marks != nil, ";marks=%q", files.Marks)
	key.add(len(files.Where) > 0, ";rows=%q", files.Where)
	key.add(len(files.Merge) > 0, ";merge=%q", files.Merge) // fmt sorts maps
	key.add(files.MissingLevel, ";missing_level=%t", true)
	key.add(split.Holdout > 0, ";holdout=%v", split.Holdout)
	key.add(split.Column != "", ";split=%q", split.Column)
	key.add(split.Groups != "", ";groups=%q", split.Groups)
	key.add(d.splitsGroups() && split.Folds > 0, ";group_folds=%d", groupFoldsVersion)
	key.add(split.Random, ";random=%t", true)
	key.add(split.Subsample > 0, ";subsample=%d", split.Subsample)
	if d.File.Folds != nil {
		key += dataKey(fmt.Sprintf("%s%dx%d%q", givenFolds, split.Repeats, split.Folds, d.File.FoldColumns))
	}
	return string(key)
}
