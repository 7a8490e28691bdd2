package study

import (
	"fmt"
	"slices"
)

// key is the canonical content of the data: equal keys draw equal data.
func (data *Data) key() string { return data.splitKey() + data.noiseKey() }

// splitKey is the part of the key that decides which rows are drawn and which are
// for testing: cells that differ in noise or in the size of the training part
// alone share their splits.
func (data *Data) splitKey() string {
	key := ""
	switch {
	case data.File != nil:
		key = data.fileKey()
	case data.Folds > 0:
		key = fmt.Sprintf("generator=%s;sample=%v;folds=%d", data.generator, data.SampleCounts, data.Folds)
	default:
		key = fmt.Sprintf("generator=%s;train=%v;test=%v", data.generator, data.TrainCounts, data.TestCounts)
	}
	if m := data.Missing; m.PerRow > 0 && m.Where == "train" {
		key += fmt.Sprintf(";missing=%v", m.PerRow)
	}
	return key
}

// noiseKey is the rest of it: what is done to the rows that a split gives.
func (data *Data) noiseKey() string {
	key := ""
	if data.File != nil && data.Train.N > 0 {
		key += fmt.Sprintf(";train=%d", data.Train.N)
	}
	if data.Irrelevant > 0 {
		key += fmt.Sprintf(";irrelevant=%d", data.Irrelevant)
	}
	if m := data.Missing; m.any() && !(m.PerRow > 0 && m.Where == "train") {
		key += fmt.Sprintf(";missing=%+v", m)
	}
	if data.Flip > 0 {
		key += fmt.Sprintf(";flip=%v", data.Flip)
	}
	return key
}

// groupFolds is the version of dataset.GroupFolds.
const groupFolds = 2

// fileKey tells the content of the files and how it is read and split. What is
// not asked for is left out.
func (data *Data) fileKey() string {
	t, p := &data.Table, &data.Split
	key := fmt.Sprintf("csv=%s;class=%s;discrete=%v;drop_missing=%t;folds=%d", data.File.digest, t.Class, t.Discrete, t.DropMissing, p.Folds)
	add := func(asked bool, format string, value any) {
		if asked {
			key += fmt.Sprintf(format, value)
		}
	}
	add(len(t.Join) > 0, ";join=%q", append(slices.Clone(t.Join), t.Unmatched))
	add(len(t.Drop) > 0, ";drop=%q", t.Drop)
	add(data.File.kinds != "", ";kinds=%s", data.File.kinds)
	add(len(t.Keep) > 0, ";keep=%q", t.Keep)
	add(len(t.Numeric) > 0, ";numeric=%q", t.Numeric)
	add(t.Marks != nil, ";marks=%q", t.Marks)
	add(len(t.Where) > 0, ";rows=%q", t.Where)
	add(len(data.File.merge) > 0, ";merge=%q", data.File.merge) // fmt sorts maps
	add(t.MissingLevel, ";missing_level=%t", true)
	add(p.Holdout > 0, ";holdout=%v", p.Holdout)
	add(p.Column != "", ";split=%q", p.Column)
	add(p.Groups != "", ";groups=%q", p.Groups)
	add(p.Groups != "" && p.Folds > 0, ";group_folds=%d", groupFolds)
	add(p.Random, ";random=%t", true)
	add(p.Subsample > 0, ";subsample=%d", p.Subsample)
	return key
}
