package results

import (
	"compress/gzip"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"copse/experiments/folder"
)

// GatherPredictions merges the prediction files of trials into one file per cell, if complete is
// true. The caller must hold the lock of the folder.
//
// It also updates the list of checksums. Without files of trials, it only checks this list.
//
// The argument complete must be false while results are missing, for example in the folder of one
// shard. A user may then copy folders into each other, in which the files of a cell have the same
// name.
func GatherPredictions(dir string, complete bool) error {
	if err := removeLeftovers(dir); err != nil {
		return err
	}
	m, err := readManifest(dir) // nil before any records were written; checkList and updateSums accept nil
	if folder.IgnoreMissing(err) != nil {
		return err
	}
	parts, err := WaitingPredictions(dir) // the files of trials
	if err != nil {
		return err
	}
	if len(parts) == 0 {
		if !folder.Exists(sumsFile(dir)) {
			return nil // the folder has no list of checksums
		}
		return m.checkList(dir)
	}
	if complete {
		if err := gatherCells(dir); err != nil {
			return err
		}
	}
	// A killed process may have merged files without updating the list.
	if err := m.updateSums(dir); err != nil {
		return err
	}
	if !complete {
		return nil
	}
	return folder.Remove(parts) // last, so that a call after a kill repeats all steps
}

// gatherCells merges the prediction files of trials into the files of their cells.
func gatherCells(dir string) error {
	byCell, err := partsByCell(dir)
	if err != nil {
		return err
	}
	for cell, paths := range byCell {
		if err := gatherCell(cellFile(dir, cell), paths); err != nil {
			return err
		}
	}
	return nil
}

// updateSums writes the list of checksums, and its checksum to the manifest m. It does not write a
// manifest that is nil or was edited.
func (m *Manifest) updateSums(dir string) error {
	if err := writeSums(dir); err != nil {
		return err
	}
	if m == nil || !m.IsWhole() {
		return nil // leave an edited manifest alone; Collect reports it
	}
	if err := m.addPredictions(dir); err != nil {
		return err
	}
	return writeManifest(dir, m)
}

func cellFile(dir, cell string) string {
	return filepath.Join(dir, folder.Predictions, cell+predictionSuffix)
}

// partsByCell returns the paths of the prediction files of trials by cell, sorted by replicate.
func partsByCell(dir string) (map[string][]string, error) {
	parts, err := WaitingPredictions(dir)
	if err != nil {
		return nil, err
	}
	byCell := map[string][]string{}
	for _, path := range parts {
		if replicateOf(path) == 0 {
			return nil, fmt.Errorf("%s is not named after a trial: move it out of the results folder", path)
		}
		cell, _, _ := strings.Cut(filepath.Base(path), "-")
		byCell[cell] = append(byCell[cell], path)
	}
	return byCell, nil
}

// replicateOf returns the replicate in a file name of the form CELL-REPLICATE-DIGEST.csv.gz. For
// other names, it returns 0.
func replicateOf(path string) int {
	fields := strings.Split(filepath.Base(path), "-")
	if len(fields) < 2 {
		return 0
	}
	n, err := strconv.Atoi(fields[1])
	if err != nil || n < 1 {
		return 0
	}
	return n
}

// removeLeftovers removes the unfinished files of killed processes, unless a process is running
// trials.
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

// gatherCell merges the prediction file of a cell with the files of its trials.
//
// The list parts contains the trials' files, sorted by replicate.
func gatherCell(path string, parts []string) error {
	return writeBlocks(path, gzip.DefaultCompression, func(put func(block) error) error {
		return mergeBlocks(path, parts, nil, put)
	})
}

// mergeBlocks calls put for each block in the prediction file of a cell and in the files of its
// trials, which take precedence.
//
// The cell's file need not exist. Its blocks and the list parts are sorted by replicate. To save
// memory, mergeBlocks reads one replicate at a time. rows limits the length of a block, as in
// blockReader.
func mergeBlocks(path string, parts []string, rows func(block) int, put func(block) error) error {
	old, err := openBlocks(path)
	if err != nil {
		return err
	}
	defer old.close() // Windows does not replace open files
	old.rows = rows
	m := &merger{old: old, parts: parts}
	m.next, m.more = old.next()
	for m.more || len(m.parts) > 0 {
		blocks, err := m.takeReplicate()
		if err != nil {
			return err
		}
		if err := putSorted(blocks, put); err != nil {
			return err
		}
	}
	return old.err
}

// merger merges the prediction file of a cell with the files of its trials.
type merger struct {
	old   *blockReader
	next  block // the next block of old, if more is true
	more  bool
	parts []string // remaining files of trials
}

// takeReplicate removes the blocks of the first remaining replicate from m and returns them.
func (m *merger) takeReplicate() (blocks []block, err error) {
	replicate := math.MaxInt
	if m.more {
		replicate = m.next.replicate
	}
	if len(m.parts) > 0 {
		replicate = min(replicate, replicateOf(m.parts[0]))
	}
	for m.more && m.next.replicate == replicate {
		blocks = append(blocks, m.next)
		m.next, m.more = m.old.next()
	}
	if m.old.err != nil {
		return nil, m.old.err
	}
	for len(m.parts) > 0 && replicateOf(m.parts[0]) == replicate {
		if blocks, err = replaceBlocks(blocks, m.parts[0], m.old.rows); err != nil {
			return nil, err
		}
		m.parts = m.parts[1:]
	}
	return blocks, nil
}

// replaceBlocks adds the blocks of a file to blocks. They replace blocks of the same classifier and
// recipe.
func replaceBlocks(blocks []block, path string, rows func(block) int) ([]block, error) {
	err := readBlocks(path, rows, func(b block) error {
		isSame := func(o block) bool { return o.classifier == b.classifier && o.recipe == b.recipe }
		blocks = append(slices.DeleteFunc(blocks, isSame), b)
		return nil
	})
	return blocks, err
}
