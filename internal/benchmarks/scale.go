package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/exp/rand"

	"copse/experiments/results"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/stats/records"
)

// scaleStudy is the format of a study. Its arguments are the number of replicates and the list of
// classifiers. Each trial has scaleTest test rows, half from each class.
const (
	scaleCells = 4
	scaleTest  = 1000
	scaleStudy = `study: scale
seed: 1
replicates: %d
design:
  n: [50, 100]
  edge_prob: [0.1, 0.2]
data:
  generator: {name: forest, d: 5, edge_prob: $edge_prob}
  train: {n: $n}
  test: {n: 1000}
classifiers: [%s]
report:
  tables:
    - {name: errors, rows: [edge_prob, n]}
  figures:
    - {name: errors, kind: line, x: n, panel: [edge_prob]}
`
)

// writeScale writes the study DIR/scale.yaml and, in DIR/results, a journal of its results. The
// error rates in the journal are random numbers, because no classifier runs.
//
// The arguments are TRIALS DIR [CLASSIFIER...]. TRIALS is rounded down to a multiple of scaleCells.
// The default classifiers are nb, lda and qda.
func writeScale(args []string) error {
	dir, classifiers := args[1], args[2:]
	trials, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	if len(classifiers) == 0 {
		classifiers = []string{"nb", "lda", "qda"}
	}
	file := filepath.Join(dir, "scale.yaml")
	text := fmt.Appendf(nil, scaleStudy, trials/scaleCells, strings.Join(classifiers, ", "))
	if err := os.MkdirAll(filepath.Join(dir, "results", "journal"), 0o777); err != nil {
		return err
	}
	if err := os.WriteFile(file, text, 0o666); err != nil {
		return err
	}
	s, err := study.Parse(file, text, nil, nil)
	if err != nil {
		return err
	}
	return createMadeUp(filepath.Join(dir, "results", "journal", "main.jsonl"), s)
}

// createMadeUp creates the journal of a study (see writeMadeUp).
func createMadeUp(path string, s *study.Study) error {
	journal, err := os.Create(path)
	if err != nil {
		return err
	}
	defer journal.Close()
	w := bufio.NewWriter(journal)
	if err := writeMadeUp(w, s); err != nil {
		return err
	}
	return w.Flush()
}

// writeMadeUp writes a journal with random errors and times for every trial of a study. The study
// must have been parsed from the text scaleStudy.
func writeMadeUp(w *bufio.Writer, s *study.Study) error {
	config, err := s.YAML()
	if err != nil {
		return err
	}
	err = results.WriteLine(w, &results.Session{Format: results.JournalFormat, Study: s.Name, Seed: s.Seed,
		Started: time.Now().UTC().Format(time.RFC3339), Platform: results.ThisPlatform(), Replicates: s.Replicates,
		Config: string(config)})
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewSource(s.Seed))
	for replicate := 1; replicate <= s.Replicates; replicate++ {
		for _, c := range s.Cells {
			if err := results.WriteLine(w, madeUpTrial(c, replicate, rng)); err != nil {
				return err
			}
		}
	}
	return nil
}

// madeUpTrial returns a trial of a cell with random errors and times. Both classes have scaleTest/2
// test rows.
func madeUpTrial(c *study.Cell, replicate int, rng *rand.Rand) *trial.Trial {
	const half = scaleTest / 2
	t := &trial.Trial{Cell: c.ID, Levels: c.Levels, Replicate: replicate, NTest: scaleTest,
		Data: fmt.Sprintf("%016x", rng.Uint64())} // an invented fingerprint of the data
	for k, e := range c.Classifiers {
		wrong := 100 + 10*k + rng.Intn(100) // later classifiers make more errors on average
		wrong0 := wrong / 2                 // in class 0
		wrong1 := wrong - wrong0
		t.Results = append(t.Results, records.Record{
			Classifier: e.ID,
			Spec:       e.Spec,
			Status:     records.OK,
			Errors:     wrong,
			BER:        float64(wrong) / scaleTest, // the error rate, because both classes are equally large
			Fit:        rng.Float64() / 1000,       // up to a millisecond
			Predict:    rng.Float64() / 1000,
			Confusion:  []int{half - wrong0, wrong0, wrong1, half - wrong1}, // true class 0, then class 1
		})
	}
	return t
}
