package results

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"copse/experiments/folder"
)

// GatherPredictions puts the parts of finished trials into the files of their cells and lists
// the checksums. The caller holds the folder's lock. What a part says replaces what
// the file said of the same classifier, recipe and replicate.
func GatherPredictions(dir string) error {
	if err := removeLeftovers(dir); err != nil {
		return err
	}
	parts, err := filesIn(partsOf(dir))
	if err != nil || len(parts) == 0 {
		return err
	}
	byCell := map[string][]string{}
	for _, p := range parts {
		cell, _, _ := strings.Cut(filepath.Base(p), "-")
		byCell[cell] = append(byCell[cell], p)
	}
	for cell, parts := range byCell {
		if err := gatherCell(filepath.Join(dir, folder.Predictions, cell+predictionSuffix), parts); err != nil {
			return err
		}
	}
	if err := writeSums(dir); err != nil {
		return err
	}
	return folder.Remove(parts)
}

// WaitingPredictions is the number of trials that nobody has gathered yet.
func WaitingPredictions(dir string) (int, error) {
	parts, err := filesIn(partsOf(dir))
	return len(parts), err
}

// removeLeftovers deletes what killed processes left of parts, unless it may be of one
// that is at work: parts are written without the folder's lock.
func removeLeftovers(dir string) error {
	left, err := folder.Leftovers(partsOf(dir))
	if err != nil || len(left) == 0 {
		return err
	}
	if used, err := inUse(dir); used || err != nil {
		return err
	}
	return folder.Remove(left)
}

// gatherCell merges a cell's file with its parts, a replicate at a time.
func gatherCell(path string, parts []string) error {
	return writeBlocks(path, func(put func(block) error) error {
		old, err := openBlocks(path)
		if err != nil {
			return err
		}
		defer old.close() // Windows replaces no open file
		kept, more := old.next()
		for more || len(parts) > 0 {
			replicate := kept.replicate
			if next := replicateOf(parts); next > 0 && (!more || next < replicate) {
				replicate = next
			}
			var blocks []block
			for ; more && kept.replicate == replicate; kept, more = old.next() {
				blocks = append(blocks, kept)
			}
			for ; replicateOf(parts) == replicate; parts = parts[1:] {
				join := func(b block) error { blocks = replaceBlock(blocks, b); return nil }
				if err := readBlocks(parts[0], join); err != nil {
					return err
				}
			}
			if old.err != nil {
				return old.err
			}
			sortBlocks(blocks)
			for _, b := range blocks {
				if err := put(b); err != nil {
					return err
				}
			}
		}
		return old.err
	})
}

// replicateOf is the first part's, 0 without one.
func replicateOf(parts []string) int {
	if len(parts) == 0 {
		return 0
	}
	fields := strings.Split(filepath.Base(parts[0]), "-")
	n, _ := strconv.Atoi(fields[1])
	return n
}

func replaceBlock(blocks []block, b block) []block {
	blocks = slices.DeleteFunc(
		blocks,
		func(o block) bool { return o.classifier == b.classifier && o.recipe == b.recipe },
	)
	return append(blocks, b)
}
