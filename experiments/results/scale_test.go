package results_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"copse/experiments/results"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/internal/toys"
	"copse/stats/records"
)

// millionRows is a study of 10^6 results; writeJournal writes its journal without running it.
func millionRows(b *testing.B, rows int) (*study.Study, string) {
	b.Helper()
	var ids []string
	for i := range 8 {
		ids = append(ids, fmt.Sprintf("{id: coin%d, classifier: coin}", i))
	}
	text := strings.NewReplacer("[centroid, coin, oracle]", "["+strings.Join(ids, ", ")+"]").Replace(toys.Study)
	s := toys.Load(b, text, fmt.Sprintf("replicates=%d", rows/8/4))
	dir := b.TempDir()
	os.Mkdir(filepath.Join(dir, "journal"), 0o777)
	file, err := os.Create(filepath.Join(dir, "journal", "main.jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	w := bufio.NewWriter(file)
	defer w.Flush()
	results.WriteLine(w, &results.Session{Format: results.JournalFormat, Study: s.Name, Seed: s.Seed,
		Platform: results.ThisPlatform(), Replicates: s.Replicates})
	for replicate := 1; replicate <= s.Replicates; replicate++ {
		for i, c := range s.Cells {
			t := &trial.Trial{
				Cell:      c.ID,
				Levels:    c.Levels,
				Replicate: replicate,
				Data:      fmt.Sprintf("%016x", uint64(replicate*4+i)*0x9e3779b97f4a7c15),
				NTest:     1000,
			}
			for k, e := range c.Classifiers {
				errors := (replicate*7 + k*31 + i) % 500
				t.Results = append(t.Results, records.Record{Classifier: e.ID, Spec: e.Spec, Status: records.OK,
					Errors: errors, BER: float64(errors) / 997, Fit: 0.001234, Predict: 0.000321})
			}
			results.WriteLine(w, t)
		}
	}
	return s, dir
}

// BenchmarkCollect collects the journal of 10^6 results, or fewer with -short.
func BenchmarkCollect(b *testing.B) {
	rows := 1_000_000
	if testing.Short() {
		rows = 100_000
	}
	s, dir := millionRows(b, rows)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for b.Loop() {
		if err := toys.Collect(dir, s); err != nil {
			b.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapSys-before.HeapSys)/float64(rows), "B-peak/row")
	b.ReportMetric(b.Elapsed().Seconds()*1e6/float64(b.N*rows), "µs/row")
}
