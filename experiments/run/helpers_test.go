package run

import (
	"path/filepath"
	"strings"
	"testing"

	"copse/experiments/results"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/records"
)

const forestStudy = `study: small
seed: 3
replicates: 5
design: {n: [30, 60]}
data: {generator: {name: forest, d: 3}, train: {n: $n}, test: {n: 100}}
classifiers: [nb, lda, oracle]
`

// load parses a study after replacing parts of its text, given in pairs.
func load(t *testing.T, text string, replace ...string) *study.Study {
	t.Helper()
	text = strings.NewReplacer(replace...).Replace(text)
	s, err := study.Parse(filepath.Join(t.TempDir(), "study.yaml"), []byte(text), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A fit is the id of a classifier and its result.
type fit struct {
	id     string
	errors int // of 100 test rows; -1: the fit failed
}

// fakeTrial returns a stored trial of a cell with the given results.
func fakeTrial(c *study.Cell, replicate int, fits ...fit) *trial.Trial {
	t := &trial.Trial{Cell: c.ID, Levels: c.Levels, Replicate: replicate, Data: "d", NTest: 100}
	for _, f := range fits {
		r := records.Record{Classifier: f.id, Status: records.OK, Errors: f.errors, Fit: 2, Predict: 1}
		for _, e := range c.Classifiers {
			if e.ID == f.id {
				r.Spec = e.Spec
			}
		}
		if f.errors < 0 {
			r.Status, r.Errors, r.Cause, r.Message = records.Failed, 0, records.FitFailed, "singular"
		}
		t.Results = append(t.Results, r)
	}
	return t
}

// store writes trials to a journal of a new folder and opens it.
func store(t *testing.T, s *study.Study, trials ...*trial.Trial) *results.Folder {
	t.Helper()
	dir := t.TempDir()
	j, err := results.OpenJournal(
		dir,
		"main",
		&results.Session{Format: results.JournalFormat, Study: s.Name, Seed: s.Seed},
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range trials {
		if err := j.Append(one); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := results.OpenFor(dir, s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
