package folder

import (
	"os"
	"path/filepath"
	"strings"
)

// RecordsFile returns the path of a folder's records: records.csv.gz if it exists, else records.csv.
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

// Names of files in the folder of a calibration.
const (
	Calibrated      = "calibration" // the folder inside the study's results folder
	Calibration     = "calibration.json"
	CalibrationPage = "calibration.md"
	Losses          = "losses.csv.gz"
)

// Names of folders in a results folder.
const (
	Journals  = "journal"
	Leases    = "journal/leases" // of trials that shards run for one another
	Programs  = "bin"            // copies of copse that were submitted
	Submitted = "submit"         // configurations and job scripts
	Logs      = "log"

	Predictions = "predictions" // where a study keeps them
)

// Reserved reports whether a path relative to a results folder begins with a name that copse writes
// there.
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

// HasResults reports whether dir is a results folder, or a folder in it with a copy of the study for a
// scheduler.
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
