package results

import (
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
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

// predictions/<cell>.csv.gz has one line per replicate, classifier and test row
// under the header
//
//	replicate,classifier,recipe,row,truth,label,score_0,...,p_0,...
//
// with class codes, the recipe's digest, and scores and probabilities with all their
// digits, NA where the rule gives none. Lines are sorted by replicate, classifier
// and recipe. A finished trial is a part, predictions/parts/<cell>-<replicate>-...,
// until GatherPredictions puts it in its place.
const predictionSuffix = ".csv.gz"

var leadColumns = []string{"replicate", "classifier", "recipe", "row", "truth", "label"}

func partsOf(dir string) string { return filepath.Join(dir, folder.Predictions, "parts") }

// recipeDigest is the short digest by which files name a recipe.
func recipeDigest(spec string) string {
	sum := sha256.Sum256([]byte(spec))
	return hex.EncodeToString(sum[:4])
}

// KeepPredictions writes the answers of a trial, whole or not at all.
func KeepPredictions(dir string, t *trial.Trial) error {
	if len(t.Said) == 0 {
		return nil
	}
	if err := folder.Make(partsOf(dir)); err != nil {
		return err
	}
	var specs []string
	for _, a := range t.Said {
		specs = append(specs, a.ID+a.Spec)
	}
	name := fmt.Sprintf("%s-%09d-%s%s", t.Cell, t.Replicate, recipeDigest(strings.Join(specs, "\n")), predictionSuffix)
	var blocks []block
	for i := range t.Said {
		blocks = append(blocks, blockOf(t.Replicate, &t.Said[i]))
	}
	return writeBlocks(filepath.Join(partsOf(dir), name), func(put func(block) error) error {
		return putSorted(blocks, put)
	})
}

// A block is the lines of one classifier in one replicate.
type block struct {
	replicate          int
	classifier, recipe string
	lines              [][]string
}

func blockOf(replicate int, a *trial.Said) block {
	b := block{replicate: replicate, classifier: a.ID, recipe: recipeDigest(a.Spec)}
	for i, truth := range a.Truth {
		line := []string{
			strconv.Itoa(replicate),
			a.ID,
			b.recipe,
			strconv.Itoa(i + 1),
			strconv.Itoa(truth),
			strconv.Itoa(a.Labels[i]),
		}
		for _, m := range []*mat.Dense{a.Scores, a.Probabilities} {
			for c := range a.Classes {
				field := "NA"
				if m != nil {
					field = strconv.FormatFloat(m.At(i, c), 'g', -1, 64)
				}
				line = append(line, field)
			}
		}
		b.lines = append(b.lines, line)
	}
	return b
}

// classes is the number of classes of a block, which has lines.
func (b *block) classes() int { return (len(b.lines[0]) - len(leadColumns)) / 2 }

// predictions spells a block out again.
func (b *block) predictions() (*metrics.Predictions, error) {
	a, classes := &metrics.Predictions{}, b.classes()
	both := [2]*mat.Dense{}
	for i, line := range b.lines {
		truth, err1 := strconv.Atoi(line[4])
		label, err2 := strconv.Atoi(line[5])
		if err := errors.Join(err1, err2); err != nil || min(truth, label) < 0 || max(truth, label) >= classes {
			return nil, fmt.Errorf(
				"replicate %d, %s, row %d: truth %q and label %q are no classes",
				b.replicate,
				b.classifier,
				i+1,
				line[4],
				line[5],
			)
		}
		a.Truth, a.Labels = append(a.Truth, truth), append(a.Labels, label)
		for k, fields := range [][]string{line[6 : 6+classes], line[6+classes:]} {
			if fields[0] == "NA" {
				continue
			}
			if both[k] == nil {
				both[k] = mat.NewDense(len(b.lines), classes, nil)
			}
			for c, field := range fields {
				v, err := strconv.ParseFloat(field, 64)
				if err != nil {
					return nil, fmt.Errorf(
						"replicate %d, %s, row %d: %q is no number",
						b.replicate,
						b.classifier,
						i+1,
						field,
					)
				}
				both[k].Set(i, c, v)
			}
		}
	}
	a.Scores, a.Probabilities = both[0], both[1]
	return a, nil
}

// putSorted passes the blocks of one replicate to put, by classifier and recipe.
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

// writeBlocks writes a file of blocks; the first tells the number of classes.
func writeBlocks(path string, each func(put func(block) error) error) error {
	return folder.WriteFile(path, func(w io.Writer) error {
		zipped := gzip.NewWriter(w) // without name and time, so equal content gives equal bytes
		out, begun := csv.NewWriter(zipped), false
		err := each(func(b block) error {
			if !begun && len(b.lines) > 0 {
				begun = true
				if err := out.Write(predictionHeader(b.classes())); err != nil {
					return err
				}
			}
			return out.WriteAll(b.lines)
		})
		out.Flush()
		return cmp.Or(err, out.Error(), zipped.Close()) // a full disk is one error
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
