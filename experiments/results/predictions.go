package results

import (
	"cmp"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"copse/experiments/folder"
	"copse/experiments/trial"
	"copse/stats/metrics"
)

// predictionSuffix is the suffix of prediction files.
//
// The file predictions/<cell>.csv.gz has one line per replicate, classifier and test row. The lines
// are sorted by replicate, classifier and recipe. The header is
//
//	replicate,classifier,recipe,row,truth,label,score_0,...,p_0,...
//
// The column recipe contains a digest, and the columns truth and label contain class codes. Scores
// and probabilities have all digits, or are NA if the classifier returns none.
//
// A finished trial has a file predictions/parts/<cell>-<replicate>-....csv.gz. GatherPredictions
// later merges these files.
const predictionSuffix = ".csv.gz"

var leadColumns = []string{"replicate", "classifier", "recipe", "row", "truth", "label"}

// blockColumns is the number of leading columns that identify a block.
const blockColumns = 3

// Indices in leadColumns.
const (
	recipeColumn = 2
	truthColumn  = 4
	labelColumn  = 5
)

// partsOf returns the folder for the predictions of individual trials.
func partsOf(dir string) string { return filepath.Join(dir, folder.Predictions, "parts") }

// recipeDigest returns the short checksum that represents a recipe in prediction files.
func recipeDigest(spec string) string {
	const digits = 8
	return folder.DigestBytes([]byte(spec))[:digits]
}

// KeepPredictions writes the predictions of a trial, if any, to a new file.
func KeepPredictions(dir string, t *trial.Trial) error {
	if len(t.Predictions) == 0 {
		return nil
	}
	if err := folder.Make(partsOf(dir)); err != nil {
		return err
	}
	var recipes []string
	var blocks []block
	for i := range t.Predictions {
		p := &t.Predictions[i]
		recipes = append(recipes, p.ID+p.Spec)
		blocks = append(blocks, blockOf(t.Replicate, p))
	}
	// The name depends on the recipes, so that a later trial with other recipes does not replace the file.
	digest := recipeDigest(strings.Join(recipes, "\n"))
	name := fmt.Sprintf("%s-%09d-%s%s", t.Cell, t.Replicate, digest, predictionSuffix)
	path := filepath.Join(partsOf(dir), name)
	// The fastest compression suffices, because gatherCell compresses again.
	return writeBlocks(path, gzip.BestSpeed, func(put func(block) error) error {
		return putSorted(blocks, put)
	})
}

// A block contains the lines of one classifier in one replicate.
type block struct {
	replicate          int
	classifier, recipe string
	lines              [][]string
}

func blockOf(replicate int, p *trial.FitPredictions) block {
	b := block{replicate: replicate, classifier: p.ID, recipe: recipeDigest(p.Spec)}
	for i, truth := range p.Truth {
		line := []string{
			strconv.Itoa(replicate),
			p.ID,
			b.recipe,
			strconv.Itoa(i + 1),
			strconv.Itoa(truth),
			strconv.Itoa(p.Labels[i]),
		}
		line = append(line, rowFields(p.Scores, i, p.Classes)...)
		line = append(line, rowFields(p.Probabilities, i, p.Classes)...)
		b.lines = append(b.lines, line)
	}
	return b
}

// noNumber replaces a score or probability that the classifier does not return.
const noNumber = "NA"

// rowFields formats row i of a matrix with all digits. For a nil matrix, it returns noNumber.
func rowFields(m *mat.Dense, i, classes int) []string {
	fields := slices.Repeat([]string{noNumber}, classes)
	if m == nil {
		return fields
	}
	for c := range fields {
		fields[c] = strconv.FormatFloat(m.At(i, c), 'g', -1, 64)
	}
	return fields
}

// classes returns the number of classes in a block, which must have at least one line.
func (b *block) classes() int { return (len(b.lines[0]) - len(leadColumns)) / 2 }

// predictions returns the predictions in the lines of a block.
func (b *block) predictions() (*metrics.Predictions, error) {
	p := &metrics.Predictions{}
	classes := b.classes()
	for i, line := range b.lines {
		truth, err1 := strconv.Atoi(line[truthColumn])
		label, err2 := strconv.Atoi(line[labelColumn])
		if err := errors.Join(err1, err2); err != nil || min(truth, label) < 0 || max(truth, label) >= classes {
			return nil, fmt.Errorf("replicate %d, %s, row %d: truth %q and label %q must be class codes below %d",
				b.replicate, b.classifier, i+1, line[truthColumn], line[labelColumn], classes)
		}
		p.Truth = append(p.Truth, truth)
		p.Labels = append(p.Labels, label)
	}
	first := len(leadColumns)
	var err error
	if p.Scores, err = b.matrix(first, first+classes); err != nil {
		return nil, err
	}
	p.Probabilities, err = b.matrix(first+classes, first+2*classes)
	return p, err
}

// matrix parses the fields line[from:to] of each line of a nonempty block. If these fields contain
// noNumber, it returns nil.
func (b *block) matrix(from, to int) (*mat.Dense, error) {
	if b.lines[0][from] == noNumber {
		return nil, nil
	}
	m := mat.NewDense(len(b.lines), to-from, nil)
	for i, line := range b.lines {
		for c, field := range line[from:to] {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil {
				return nil, fmt.Errorf("replicate %d, %s, row %d: %q is not a number", b.replicate, b.classifier,
					i+1, field)
			}
			m.Set(i, c, v)
		}
	}
	return m, nil
}

// putSorted calls put for all blocks of one replicate, sorted by classifier and recipe.
func putSorted(blocks []block, put func(block) error) error {
	slices.SortFunc(blocks, func(a, b block) int {
		return cmp.Or(strings.Compare(a.classifier, b.classifier), strings.Compare(a.recipe, b.recipe))
	})
	for _, b := range blocks {
		if err := put(b); err != nil {
			return err
		}
	}
	return nil
}

// writeBlocks writes a prediction file with the given level of gzip compression. produce must call
// put for every block.
func writeBlocks(path string, level int, produce func(put func(block) error) error) error {
	return folder.WriteFile(path, func(w io.Writer) error {
		// NewWriterLevel fails only for an invalid level. Without a name and time, equal content
		// gives equal files.
		zipped, _ := gzip.NewWriterLevel(w, level)
		out := csv.NewWriter(zipped)
		begun := false
		err := produce(func(b block) error {
			if !begun && len(b.lines) > 0 {
				begun = true
				out.Write(predictionHeader(b.classes())) // WriteAll returns any error
			}
			return out.WriteAll(b.lines)
		})
		out.Flush()
		return cmp.Or(err, out.Error(), zipped.Close()) // only the first, because a full disk causes all three
	})
}

func predictionHeader(classes int) []string {
	head := slices.Clone(leadColumns)
	for _, kind := range []string{"score_", "p_"} {
		for c := range classes {
			head = append(head, kind+strconv.Itoa(c))
		}
	}
	return head
}
