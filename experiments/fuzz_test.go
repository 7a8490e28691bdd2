package experiments

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/experiments/config"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/study"
)

// addStudies adds the studies of configs and of testdata as seeds.
func addStudies(f *testing.F, add func(text []byte)) {
	for _, pattern := range []string{"../configs/*.yaml", "testdata/bad/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("no seeds %s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			add(text)
		}
	}
}

// A text is refused with the place of every mistake, or is a study; what is
// accepted is written and read back as the same cells and recipes.
func FuzzStudy(f *testing.F) {
	addStudies(f, func(text []byte) { f.Add(text, "") })
	f.Add([]byte(toyStudy), "design.n=20,80")
	f.Add([]byte(toyStudy), "classifiers.centroid.axis=2")
	f.Add([]byte(toyStudy), "data.train.n=[10, 20]")
	f.Add([]byte(toyStudy+"\"two\\nlines\": 1\n"), "")
	f.Add([]byte("study: s\nseed: 1\ndata: {set: iris, folds: 5, repeats: 2}\nclassifiers: [centroid]\n"), "replicates=5")
	f.Add([]byte(strings.Replace(toyStudy, "[20, 40]", "&n [20, 40]", 1)+"exclude: [{n: *n, balance: imbalanced}]\n"), "design.n=20,40,60")
	f.Fuzz(func(t *testing.T, text []byte, assignment string) {
		if bytes.Contains(text, []byte("csv")) || strings.Contains(assignment, "csv") {
			return // reads another file
		}
		var assignments []string
		if assignment != "" {
			assignments = []string{assignment}
		}
		s, err := study.Parse("fuzz.yaml", text, assignments, nil)
		if err != nil {
			if !errors.Is(err, config.ErrConfig) {
				t.Fatalf("%T is no mistake in a study: %v", err, err)
			}
			if strings.Contains(assignment, "\n") {
				return // which the message repeats
			}
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if !strings.HasPrefix(line, "fuzz.yaml:") && !strings.HasPrefix(line, "--set ") {
					t.Fatalf("a mistake without its place: %q in %q", line, err)
				}
			}
			return
		}
		written, err := s.YAML()
		if err != nil {
			t.Fatalf("an accepted study cannot be written: %v", err)
		}
		again, err := study.Parse("again.yaml", written, nil, nil)
		if err != nil {
			t.Fatalf("what was written is refused: %v\n%s", err, written)
		}
		if a, b := identity(s), identity(again); !slices.Equal(a, b) {
			t.Fatalf("read   %q\nreread %q", a, b)
		}
	})
}

// identity is all that decides a study's results.
func identity(s *study.Study) []string {
	list := []string{s.Name, s.TimeLimit.String(), fmt.Sprint(s.Replicates), fmt.Sprint(s.Seed)}
	for _, c := range s.Cells {
		list = append(list, c.ID, c.Key, s.Describe(c))
		for _, e := range c.Classifiers {
			list = append(list, e.ID, e.Spec)
		}
	}
	return list
}

// Whatever stands in lines with right checksums is planned, collected and
// written, or refused with its line or its record.
func FuzzLedger(f *testing.F) {
	for line := range bytes.Lines(toyJournal(f)) {
		_, content := unframe(string(line))
		f.Add([]byte(content))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		s := loadText(t, toyStudy)
		header, err := json.Marshal(&results.Session{Format: results.JournalFormat, Study: s.Name, Seed: s.Seed})
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "journal"), 0o777); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "journal", "main.jsonl")
		if err := os.WriteFile(path, []byte(frame("session", string(header))+frame("trial", string(content))), 0o666); err != nil {
			t.Fatal(err)
		}
		l, err := results.Read(dir, s.Name, s.Seed)
		if err != nil {
			if !strings.Contains(err.Error(), "main.jsonl:2: ") && !strings.Contains(err.Error(), "main.jsonl:3: ") {
				t.Fatalf("error without its line: %v", err)
			}
			return
		}
		run.NewPlan(l, s, true)
		if err := results.Collect(dir, s); err != nil && !strings.Contains(err.Error(), "(cell ") {
			t.Fatalf("refused without its record: %v", err)
		}
	})
}

// toyJournal is the journal of a short toy study.
func toyJournal(f *testing.F) []byte {
	f.Helper()
	s, err := study.Parse("study.yaml", []byte(toyStudy), []string{"replicates=1"}, nil)
	if err != nil {
		f.Fatal(err)
	}
	dir := f.TempDir()
	if _, err := run.Run(f.Context(), nil, s, run.Options{Dir: dir, Workers: 1}); err != nil {
		f.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "journal", "main.jsonl"))
	if err != nil {
		f.Fatal(err)
	}
	return text
}
