package results_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"copse/experiments/results"
	"copse/experiments/run"
	"copse/internal/filetest"
	"copse/internal/toys"
)

// Lines with any content and right checksums are planned, collected and written, or rejected with their line
// or record.
func FuzzLedger(f *testing.F) {
	for line := range bytes.Lines(toyJournal(f)) {
		_, content := toys.Unframe(string(line))
		f.Add([]byte(content))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		s := toys.Load(t, toys.Study)
		header, err := json.Marshal(newSession(s))
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		path := filepath.Join(dir, "journal", "main.jsonl")
		filetest.Write(t, path, toys.Frame("session", string(header))+toys.Frame("trial",
			string(content)))
		l, err := results.OpenFor(dir, s)
		if err != nil {
			if !strings.Contains(err.Error(), "main.jsonl:2: ") && !strings.Contains(err.Error(), "main.jsonl:3: ") {
				t.Fatalf("error without its line: %v", err)
			}
			return
		}
		run.NewPlan(l)
		if err := toys.Collect(dir, s); err != nil && !strings.Contains(err.Error(), "(cell ") {
			t.Fatalf("refused without its record: %v", err)
		}
	})
}

// toyJournal is the journal of a short toy study.
func toyJournal(f *testing.F) []byte {
	f.Helper()
	dir := f.TempDir()
	toys.Run(f, toys.Load(f, toys.Study, "replicates=1"), run.Options{Dir: dir, Workers: 1})
	return []byte(filetest.Read(f, filepath.Join(dir, "journal", "main.jsonl")))
}
