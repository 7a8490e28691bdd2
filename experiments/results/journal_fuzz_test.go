package results

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/experiments/trial"
	"copse/stats/records"
)

// A journal of any bytes is read or rejected with its line. Reading ignores the same unfinished line that
// opening cuts off.
func FuzzJournal(f *testing.F) {
	whole := shortJournal(f)
	f.Add(whole)
	f.Add(whole[:len(whole)-7])
	f.Add([]byte(nil))
	f.Add(append(bytes.Clone(whole), 0, 0, '\n'))
	f.Add(bytes.Replace(whole, []byte("copse-journal/1"), []byte("copse-journal/0"), 1))
	f.Fuzz(func(t *testing.T, text []byte) {
		read := func(text []byte) (lines int, warning string, err error) {
			warning, err = ReadJournal(
				"fuzz.jsonl",
				bytes.NewReader(text),
				func(int, any) error { lines++; return nil },
			)
			return lines, warning, err
		}
		lines, warning, err := read(text)
		if err != nil {
			if warning != "" || !strings.HasPrefix(err.Error(), "fuzz.jsonl:") {
				t.Fatalf("%v, warning %q", err, warning)
			}
			return
		}
		file, err := os.Create(filepath.Join(t.TempDir(), "j"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		if _, err := file.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := dropUnfinishedLine(file); err != nil {
			t.Fatal(err)
		}
		kept, err := os.ReadFile(file.Name())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(text, kept) {
			t.Fatalf("%d bytes kept of %d are not its beginning", len(kept), len(text))
		}
		if files, err := os.ReadDir(filepath.Dir(file.Name())); err != nil || len(files) > 1 {
			t.Fatalf("files left beside the journal: %v, %v", files, err)
		}
		if (warning == "") != bytes.Equal(kept, text) {
			t.Fatalf("warning %q, %d of %d bytes kept", warning, len(kept), len(text))
		}
		if after, warning, err := read(kept); after != lines || warning != "" || err != nil {
			t.Fatalf("%d lines, then %d, %q, %v", lines, after, warning, err)
		}
	})
}

// shortJournal has a session and two trials.
func shortJournal(f *testing.F) []byte {
	f.Helper()
	text := []byte(nil)
	for _, content := range []any{&Session{Format: JournalFormat, Study: "s", Seed: 1},
		&trial.Trial{Cell: "c", Levels: records.LevelsOf(map[string]string{"n": "20"}), Replicate: 1, Data: "d",
			NTest: 10, Results: []records.Record{{Classifier: "nb", Spec: "nb/1{}", Status: records.OK, Errors: 3,
				BER: 0.3}}},
		&trial.Trial{Cell: "c", Replicate: 2, Results: []records.Record{{Classifier: "nb", Spec: "nb/1{}",
			Status: records.Failed, Message: "why"}}}} {
		line, err := encodeLine(content)
		if err != nil {
			f.Fatal(err)
		}
		text = slices.Concat(text, line)
	}
	return text
}
