package folder

import (
	"os"
	"path/filepath"
	"strings"
)

// RecordsFile is where the records of a folder go: in the form, plain or
// zipped, that is there.
func RecordsFile(dir string) string {
	path := filepath.Join(dir, Records)
	if _, err := os.Stat(path + ".gz"); err == nil {
		return path + ".gz"
	}
	return path
}

func IsZipped(path string) bool { return strings.HasSuffix(path, ".gz") }

// Files of a results folder.
const (
	Study    = "study.yaml"
	Manifest = "manifest.json"
	Records  = "records.csv"
	Timings  = "timings.csv"
)

// Files of a calibration's folder, beside its study and journals.
const (
	Calibrated      = "calibration" // the folder inside that of the study's results
	Calibration     = "calibration.json"
	CalibrationPage = "calibration.md"
	Losses          = "losses.csv.gz"
)

// Folders of a results folder, beside those of its outputs.
const (
	Journals  = "journal"
	Leases    = "journal/leases" // of trials that shards run for one another
	Programs  = "bin"            // copies of copse that were submitted
	Submitted = "submit"         // configurations and job scripts
	Logs      = "log"

	Predictions = "predictions" // where a study keeps them
)

// Reserved tells whether a path relative to a results folder begins with a name
// that copse writes there.
func Reserved(path string) bool {
	first, _, _ := strings.Cut(filepath.ToSlash(filepath.Clean(path)), "/")
	switch first {
	case Study,
		Manifest,
		Records,
		Records + ".gz",
		Timings,
		Outputs,
		Page,
		Index,
		Tables,
		Figures,
		Journals,
		Programs,
		Submitted,
		Logs,
		Predictions,
		Calibrated:
		return true
	}
	return false
}

// HasResults reports whether a folder holds the results of a study, or is below one that does:
// where the study was copied to for a scheduler.
func HasResults(dir string) bool {
	dir = filepath.Clean(dir)
	if above := filepath.Dir(dir); filepath.Base(above) == Submitted {
		return HasResults(filepath.Dir(above))
	}
	if _, err := os.Stat(filepath.Join(dir, Study)); err != nil {
		return false
	}
	for _, name := range []string{Manifest, Records, Records + ".gz", Journals} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}
