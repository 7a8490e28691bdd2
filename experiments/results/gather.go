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
// shard. The files of a cell have the same name in the folders of all shards, so copies would
// replace one another.
func GatherPredictions(dir string, complete bool) error {
	if err := removeLeftovers(dir); err != nil {
		return err
	}
	m, err := readManifest(dir) // nil before any records were written; checkSumsFile and updateSums accept nil
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
		return m.checkSumsFile(dir)
	}
	if !complete {
		return m.updateSums(dir) // a killed process may have merged files without updating the list
	}
	if err := gatherCells(dir); err != nil {
		return err
	}
	if err := m.updateSums(dir); err != nil {
		return err
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
		return mergeBlocks(path, parts, allLines, put)
	})
}

// mergeBlocks calls put for each block of predictions in path, the file of a cell, and in parts, the
// files of its trials. A block in parts replaces the block of the same fit in path. Both must be
// sorted by replicate. path need not exist. maxLines(b) returns the largest allowed number of lines
// of a block b, or skipBlock.
func mergeBlocks(path string, parts []string, maxLines func(block) int, put func(block) error) error {
	// m.waiting contains the blocks of one replicate in path until mergeBefore merges them with parts.
	m := merger{parts: parts, maxLines: maxLines, put: put}
	err := readBlocks(path, maxLines, func(b block) error {
		if len(m.waiting) > 0 && b.replicate < m.waiting[0].replicate {
			return fmt.Errorf("%s: replicate %d follows replicate %d; restore the file, or delete it and run the "+
				"study again", path, b.replicate, m.waiting[0].replicate)
		}
		if err := m.mergeBefore(b.replicate); err != nil {
			return err
		}
		m.waiting = append(m.waiting, b)
		return nil
	})
	if err != nil {
		return err
	}
	return m.mergeBefore(math.MaxInt) // the last replicate in path, and all remaining parts
}

// A merger merges the blocks of a cell's file with the files of trials. To save memory, it holds the
// blocks of one replicate at a time.
type merger struct {
	waiting  []block  // the blocks of the latest replicate in the cell's file
	parts    []string // remaining files of trials
	maxLines func(block) int
	put      func(block) error
}

// mergeBefore merges the blocks of all replicates before end and passes them to m.put, one
// replicate at a time. Blocks in the files of trials replace those in the cell's file.
func (m *merger) mergeBefore(end int) error {
	for replicate := m.nextReplicate(); replicate < end; replicate = m.nextReplicate() {
		for len(m.parts) > 0 && replicateOf(m.parts[0]) == replicate {
			if err := readBlocks(m.parts[0], m.maxLines, m.replace); err != nil {
				return err
			}
			m.parts = m.parts[1:]
		}
		if err := putSorted(m.waiting, m.put); err != nil {
			return err
		}
		m.waiting = nil
	}
	return nil
}

// nextReplicate returns the replicate of the waiting blocks from the cell's file or, if there are
// none, the replicate of the next file of a trial. If both are used up, it returns math.MaxInt.
func (m *merger) nextReplicate() int {
	switch {
	case len(m.waiting) > 0:
		return m.waiting[0].replicate
	case len(m.parts) > 0:
		return replicateOf(m.parts[0])
	}
	return math.MaxInt
}

// replace adds a block in place of a block of the same classifier and recipe.
func (m *merger) replace(b block) error {
	isSame := func(o block) bool { return o.classifier == b.classifier && o.recipe == b.recipe }
	m.waiting = append(slices.DeleteFunc(m.waiting, isSame), b)
	return nil
}
