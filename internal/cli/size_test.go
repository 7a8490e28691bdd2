package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"copse/experiments/results"
	"copse/experiments/study"
	"copse/experiments/trial"
	"copse/internal/filetest"
	"copse/stats/metrics"
	"copse/stats/records"
)

// largeStudy is a study of rows x columns cells.
func largeStudy(b *testing.B, rows, columns, replicates int) string {
	b.Helper()
	levels := func(n int, format string) string {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(format, i))
		}
		return strings.Join(list, ", ")
	}
	text := strings.NewReplacer("n: [30, 60]", fmt.Sprintf("n: [%s], flip: [%s]", levels(rows, "1%06d"),
		levels(columns, "0.%03d")),
		"test: {n: 50}", "test: {n: 50}\n  flip: $flip", "replicates: 4", fmt.Sprintf("replicates: %d", replicates),
		"panel: [n]", "panel: [flip]").Replace(smallStudy)
	file := filepath.Join(b.TempDir(), "study.yaml")
	filetest.Write(b, file, text)
	return file
}

// BenchmarkCheck checks studies of many cells and of many replicates.
func BenchmarkCheck(b *testing.B) {
	for _, size := range [][3]int{{90, 100, 2}, {9_000, 1, 2}, {300, 300, 2}, {90_000, 1, 2}, {1, 1, 1_000_000},
		{1, 1, 10_000_000}} {
		b.Run(fmt.Sprintf("%dx%dcells,%dreplicates", size[0], size[1], size[2]), func(b *testing.B) {
			file := largeStudy(b, size[0], size[1], size[2])
			for b.Loop() {
				if code := Main([]string{"check", file, "--pilot", "0s", "--out", b.TempDir()}, strings.NewReader(""),
					io.Discard, os.Stderr); code != 0 {
					b.Fatal(code)
				}
			}
		})
	}
}

// BenchmarkCheckClassifiers checks a study of 3,000 classifiers.
func BenchmarkCheckClassifiers(b *testing.B) {
	for _, n := range []int{300, 3_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var list []string
			for i := range n {
				list = append(list, fmt.Sprintf("{id: knn%d, classifier: 5nn, k: %d}", i+1, i+1))
			}
			file := filepath.Join(b.TempDir(), "study.yaml")
			text := strings.Replace(smallStudy, "5nn, lda, oracle", strings.Join(list, ", "), 1)
			filetest.Write(b, file, text)
			for b.Loop() {
				if code := Main([]string{"check", file, "--pilot", "0s", "--out", b.TempDir()}, strings.NewReader(""),
					io.Discard, os.Stderr); code != 0 {
					b.Fatal(code)
				}
			}
		})
	}
}

// BenchmarkStatus runs status for a made-up study with 10^6 results: with all files of the folder, and with
// only its records or its journal.
func BenchmarkStatus(b *testing.B) {
	const replicates = 125_000 // 2 cells, 4 classifiers
	text := strings.NewReplacer("replicates: 4", fmt.Sprintf("replicates: %d", replicates), "[5nn, lda, oracle]",
		"[5nn, lda, qda, oracle]").Replace(smallStudy)
	s, err := study.Parse("study.yaml", []byte(text), nil, nil)
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "journal"), 0o777); err != nil {
		b.Fatal(err)
	}
	file, err := os.Create(filepath.Join(dir, "journal", "main.jsonl"))
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(file)
	results.WriteLine(w, &results.Session{Format: results.JournalFormat, Study: s.Name, Seed: s.Seed,
		Platform: results.ThisPlatform(), Replicates: s.Replicates})
	for replicate := 1; replicate <= replicates; replicate++ {
		for i, c := range s.Cells {
			t := &trial.Trial{Cell: c.ID, Levels: c.Levels, Replicate: replicate, Data: fmt.Sprintf("%016x",
				uint64(replicate*4+i)*0x9e3779b97f4a7c15), NTest: 50}
			for k, e := range c.Classifiers {
				confusion := metrics.Confusion{25, 0, (replicate + k + i) % 25, 0}
				confusion[3] = 25 - confusion[2]
				t.Results = append(t.Results, records.Record{Classifier: e.ID, Spec: e.Spec, Status: records.OK,
					Errors: confusion.Errors(), BER: metrics.BalancedError.FromCounts(confusion),
					Confusion: confusion, Fit: float64(1000+replicate%700) / 1e6,
					Predict: float64(300+replicate%100) / 1e6})
			}
			results.WriteLine(w, t)
		}
	}
	if err := errors.Join(w.Flush(), file.Close()); err != nil {
		b.Fatal(err)
	}
	status := func(b *testing.B) {
		for b.Loop() {
			var out bytes.Buffer
			if code := Main([]string{"status", dir}, strings.NewReader(""), &out, os.Stderr); code != 0 ||
				!strings.Contains(out.String(), "1000000 results done, 0 missing") {
				b.Fatal(code, out.String())
			}
		}
	}
	f, err := results.OpenFor(dir, s)
	if err == nil {
		err = f.Collect()
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Run("whole", status)
	move := func(from, to string) {
		if err := os.Rename(from, to); err != nil {
			b.Fatal(err)
		}
	}
	there, away := filepath.Join(dir, "journal"), filepath.Join(b.TempDir(), "journal")
	move(there, away)
	b.Run("records", status)
	move(away, there)
	path, err := records.Path(dir)
	if err != nil {
		b.Fatal(err)
	}
	move(path, filepath.Join(b.TempDir(), "records"))
	b.Run("journal", status)
}
