package folder

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func IsZipped(path string) bool { return strings.HasSuffix(path, ".gz") }

// Files of a results folder.
const (
	Study    = "study.yaml"
	Manifest = "manifest.json"
	Records  = "records.csv"
	Timings  = "timings.csv"
)

// PackedSums is the file with the checksums of all other files of an archive that copse pack wrote,
// as sha256sum writes them.
const PackedSums = "SHA256SUMS"

// PackedMetadata is the file that describes the content of such an archive.
const PackedMetadata = "ro-crate-metadata.json"

// Files of a calibration.
const (
	Calibrated      = "calibration" // their folder in the study's results folder
	Calibration     = "calibration.json"
	CalibrationPage = "calibration.md"
	Losses          = "losses.csv.gz"
)

// Folders of a results folder.
const (
	Journals  = "journal"
	Leases    = "journal/leases"      // lease files, with which processes claim trials of other shards
	Receipt   = "journal/report.json" // identifies what the last report was computed from
	Programs  = "bin"                 // copies of the copse binary for submitted jobs
	Submitted = "submit"              // configurations and job scripts
	Logs      = "log"

	Predictions = "predictions" // one file per cell, if the study keeps predictions
)

// reserved lists the files and folders that copse writes in a results folder.
var reserved = []string{Study, Manifest, Records, Records + ".gz", Timings, Outputs, Page, Index, Tables, Figures,
	Journals, Programs, Submitted, Logs, Predictions, Calibrated}

// Reserved reports whether copse itself writes the first element of path, which is relative to a
// results folder.
func Reserved(path string) bool { return slices.Contains(reserved, firstElement(path)) }

func firstElement(path string) string {
	first, _, _ := strings.Cut(filepath.ToSlash(filepath.Clean(path)), "/")
	return first
}

// RejectLinks returns an error if copse could write through a symbolic link in the results folder
// dir, which itself may be a link.
//
// It checks everything in the files and folders that copse reserves, and in the first element of
// each path in programFiles. It skips unreadable folders.
func RejectLinks(dir string, programFiles ...string) error {
	rejectLink := func(path string, entry fs.DirEntry, err error) error {
		isEditorLock := strings.HasPrefix(filepath.Base(path), ".#") // a link that Emacs creates
		if err == nil && entry.Type()&fs.ModeSymlink != 0 && !isEditorLock {
			return fmt.Errorf("%s is a symbolic link, and copse writes only inside the results folder: remove the "+
				"link, or replace it with a copy of its target", path)
		}
		return nil
	}
	for _, name := range slices.Concat(reserved, programFiles) {
		if err := filepath.WalkDir(filepath.Join(dir, firstElement(name)), rejectLink); err != nil {
			return err
		}
	}
	return nil
}

// HasResults reports whether dir is a results folder with results, or a folder in submit/ of such a
// results folder. A folder in submit/ contains a copy of the study.
func HasResults(dir string) bool {
	above := filepath.Join(dir, "..")
	return containsResults(dir) || filepath.Base(above) == Submitted && containsResults(filepath.Dir(above))
}

// ResultsOf returns the results folder of a study.yaml. For the study.yaml of a calibration, this
// is the parent folder, unless the calibration was renamed. In all other cases, ResultsOf returns
// "".
func ResultsOf(file string) string {
	dir := filepath.Dir(file)
	if filepath.Base(file) != Study || !containsResults(dir) {
		return ""
	}
	if !Exists(filepath.Join(dir, Calibration)) {
		return dir
	}
	path, _ := filepath.Abs(dir) // because the name of "." is not in dir
	if filepath.Base(path) != Calibrated {
		return ""
	}
	return filepath.Join(dir, "..")
}

// containsResults reports whether dir contains a study and results.
func containsResults(dir string) bool {
	has := func(name string) bool { return Exists(filepath.Join(dir, name)) }
	return has(Study) && slices.ContainsFunc([]string{Manifest, Records, Records + ".gz", Journals}, has)
}

func Exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
