package study

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"copse/experiments/config"
	"copse/stats/records"
)

// A Cell is one combination of factor levels, with the data to draw and the classifiers to run.
type Cell struct {
	ID          string // digest of Key and of the classifier parameters that factors set
	Levels      records.Levels
	Key         string // canonical description of the data; it seeds every random stream
	SplitKey    string // seeds the draw of rows and their split: a part of Key, or shared by paired cells
	NoiseKey    string // seeds removed values and changed labels: Key, or shared by paired cells
	Paired      bool   // shares problem, test rows and nested training rows with other cells
	Data        *Data
	Classifiers []Entry

	source config.Place // of the data in the file
}

// identify sets the keys and the ID of a cell. If the data files are absent, it uses the keys
// and the number of folds that are stored with the results.
func (r *reader) identify(cell *Cell, candidates []candidate, c combination, list []combination) {
	var bound strings.Builder // recipes that depend on factors: two cells may have the same data
	for _, e := range cell.Classifiers {
		if candidates[e.place].bound {
			bound.WriteString("|" + e.ID + "=" + e.Spec)
		}
	}
	cell.Key, cell.SplitKey = cell.Data.key(), cell.Data.splitKey()
	cell.NoiseKey = cell.Key
	r.pair(cell, c, list)
	cell.ID = digest(cell.Key+bound.String(), 5)
	if !cell.Data.Absent {
		return
	}
	id, key, ok := r.recall(cell.Levels)
	if !ok {
		r.Data.Under("data."+cell.Data.SourceKey()).Fail(
			"%s: not here, and the manifest has no cell %s", cell.Data.Source(), cell.Levels.Describe(r.factors))
		return
	}
	cell.ID, cell.Key, cell.NoiseKey = id, key, key
	if _, given, found := strings.Cut(key, givenFolds); found {
		_, _ = fmt.Sscanf(given, "%dx%d", &cell.Data.Repeats, &cell.Data.Folds) // fileKey wrote it
	}
}

// givenFolds begins the part of a key for folds given by columns: repeats x folds and columns.
const givenFolds = ";given="

// digest returns the given number of bytes of a text's SHA-256, in hexadecimal digits.
func digest(text string, bytes int) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:bytes])
}

// Source returns a digest of a cell's rows before splits and noise. Cells that read the
// same rows, or draw the same rows from a generator, have the same Source.
func (c *Cell) Source() string {
	text := c.SplitKey
	if c.Data.FromFiles() {
		text = fmt.Sprintf("%q %q", c.Data.Source(), c.Data.Where)
	}
	return digest(text, 8)
}

// Content returns the cell's key with readable missing values.
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

// key returns the canonical description of the data: cells with equal keys draw equal data.
func (d *Data) key() string { return d.splitKey() + d.noiseKey() }

// splitKey returns the part of the key that determines the rows and their split. Cells that differ
// only in noise, or in the number of rows drawn from the training part, have the same split.
func (d *Data) splitKey() string {
	key := ""
	switch {
	case d.File != nil:
		key = d.fileKey()
	case d.Folds > 0:
		key = fmt.Sprintf("generator=%s;sample=%v;folds=%d", d.generator, d.SampleCounts, d.Folds)
	default:
		key = fmt.Sprintf("generator=%s;train=%v;test=%v", d.generator, d.TrainCounts, d.TestCounts)
	}
	if m := d.Missing; m.PerRow > 0 && m.Where == "train" {
		key += fmt.Sprintf(";missing=%v", m.PerRow)
	}
	return key
}

// noiseKey returns the rest of the key, which determines the changes of the rows after the split.
func (d *Data) noiseKey() string {
	key := ""
	if d.File != nil && d.Train.N > 0 {
		key += fmt.Sprintf(";train=%d", d.Train.N)
	}
	if d.Irrelevant > 0 {
		key += fmt.Sprintf(";irrelevant=%d", d.Irrelevant)
	}
	if m := d.Missing; m.any() && !(m.PerRow > 0 && m.Where == "train") {
		key += fmt.Sprintf(";missing=%+v", m)
	}
	if d.Flip > 0 {
		key += fmt.Sprintf(";flip=%v", d.Flip)
	}
	if d.scoresTraining() {
		key += ";scored=training"
	}
	return key
}

// groupFolds is the version of the algorithm of dataset.GroupFolds.
const groupFolds = 2

// fileKey returns the part of splitKey for files: their content, and the options that control how
// they are read and split. It contains newer options only if they are set, so that old keys stay.
func (d *Data) fileKey() string {
	t, p := &d.Files, &d.Split
	key := fmt.Sprintf("csv=%s;class=%s;discrete=%v;drop_missing=%t;folds=%d",
		d.File.Digest, t.Class, t.Discrete, t.DropMissing, p.Folds)
	add := func(isSet bool, format string, value any) {
		if isSet {
			key += fmt.Sprintf(format, value)
		}
	}
	add(len(t.Drop) > 0, ";drop=%q", t.Drop)
	add(d.File.Kinds != "", ";kinds=%s", d.File.Kinds)
	add(len(t.Keep) > 0, ";keep=%q", t.Keep)
	add(len(t.Numeric) > 0, ";numeric=%q", t.Numeric)
	add(t.Marks != nil, ";marks=%q", t.Marks)
	add(len(t.Where) > 0, ";rows=%q", t.Where)
	add(len(t.Merge) > 0, ";merge=%q", t.Merge) // fmt sorts maps
	add(t.MissingLevel, ";missing_level=%t", true)
	add(p.Holdout > 0, ";holdout=%v", p.Holdout)
	add(p.Column != "", ";split=%q", p.Column)
	add(p.Groups != "", ";groups=%q", p.Groups)
	add(p.Groups != "" && p.Folds > 0, ";group_folds=%d", groupFolds)
	add(p.Random, ";random=%t", true)
	add(p.Subsample > 0, ";subsample=%d", p.Subsample)
	if d.File.Folds != nil {
		key += fmt.Sprintf("%s%dx%d%q", givenFolds, p.Repeats, p.Folds, d.File.FoldColumns)
	}
	return key
}
