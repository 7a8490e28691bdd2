package study

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"copse/classifiers"
	"copse/experiments/external"
	"copse/stats/records"
)

// A Cell is one combination of factor levels, resolved to the data it draws
// and the classifiers it runs.
type Cell struct {
	ID          string // digest of Key and of the classifier parameters that factors set
	Levels      records.Levels
	Key         string // canonical content of the data: it seeds every random stream
	SplitKey    string // the part of Key that decides which rows are drawn and split how
	Data        *Data
	Classifiers []Entry
}

// Source identifies the rows that a cell reads, whatever is made of them, or the draws
// of its generator before noise: what cells with the same share.
func (c *Cell) Source() string {
	text := c.SplitKey
	if c.Data.FromFiles() {
		text = fmt.Sprintf("%q %q", c.Data.Source(), c.Data.Where)
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// An Entry is one classifier of a study under its id.
type Entry struct {
	ID         string
	Name       string                 // in the registry, "oracle" or "external"
	Label      string                 // what tables print; "": the id
	Spec       string                 // canonical recipe; a changed Spec reruns the entry's rows
	Classifier classifiers.Classifier // nil for the oracle and for programs
	Program    *external.Program      // of an external classifier

	Preparation classifiers.Preparation // of the data before a classifier or program sees them; Spec has it

	place int // in the study's list
}

// Oracle tells whether the entry decides by the problem's own densities.
func (e *Entry) Oracle() bool { return e.Name == oracleName }

// Describe names the levels of a cell for people.
func (s *Study) Describe(c *Cell) string { return c.Levels.Describe(s.Factors) }
