package experiments

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
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
	f.Fuzz(func(t *testing.T, text []byte, assignment string) {
		if bytes.Contains(text, []byte("csv")) || strings.Contains(assignment, "csv") {
			return // reads another file
		}
		var assignments []string
		if assignment != "" {
			assignments = []string{assignment}
		}
		s, err := parse("fuzz.yaml", text, assignments, nil)
		if err != nil {
			if !errors.Is(err, ErrConfig) {
				t.Fatalf("%T is no mistake in a study: %v", err, err)
			}
			if text := err.Error(); !strings.HasPrefix(text, "fuzz.yaml:") && !strings.HasPrefix(text, "--set ") {
				t.Fatalf("a mistake without its place: %q", text)
			}
			return
		}
		written, err := s.YAML()
		if err != nil {
			t.Fatalf("an accepted study cannot be written: %v", err)
		}
		again, err := parse("again.yaml", written, nil, nil)
		if err != nil {
			t.Fatalf("what was written is refused: %v\n%s", err, written)
		}
		if a, b := s.identity(), again.identity(); !slices.Equal(a, b) {
			t.Fatalf("read   %q\nreread %q", a, b)
		}
	})
}

// identity is all that decides a study's results.
func (s *Study) identity() []string {
	list := []string{s.Name, s.TimeLimit.String(), fmt.Sprint(s.Replicates), fmt.Sprint(s.Seed)}
	for _, c := range s.Cells {
		list = append(list, c.ID, c.Key, s.Describe(c))
		for _, e := range c.Classifiers {
			list = append(list, e.ID, e.Spec)
		}
	}
	return list
}

// A journal of any bytes is read, or refused with its line; what is dropped as
// an unfinished line when it is read is what is cut off when it is opened.
func FuzzJournal(f *testing.F) {
	whole := toyJournal(f)
	f.Add(whole)
	f.Add(whole[:len(whole)-7])
	f.Add([]byte(nil))
	f.Add(append(bytes.Clone(whole), 0, 0, '\n'))
	f.Add(bytes.Replace(whole, []byte("copse-journal/1"), []byte("copse-journal/0"), 1))
	f.Fuzz(func(t *testing.T, text []byte) {
		read := func(text []byte) (lines int, warning string, err error) {
			warning, err = readJournal("fuzz.jsonl", bytes.NewReader(text), func(int, any) error { lines++; return nil })
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
		if (warning == "") != bytes.Equal(kept, text) {
			t.Fatalf("warning %q, %d of %d bytes kept", warning, len(kept), len(text))
		}
		if after, warning, err := read(kept); after != lines || warning != "" || err != nil {
			t.Fatalf("%d lines, then %d, %q, %v", lines, after, warning, err)
		}
	})
}

// Whatever stands in lines with right checksums is planned, collected and
// written, or refused with its line or its record.
func FuzzLedger(f *testing.F) {
	for line := range bytes.Lines(toyJournal(f)) {
		_, content, _ := bytes.Cut(line, []byte(trialFrame))
		f.Add(bytes.TrimSuffix(content, []byte(frameSuffix)))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		s := loadText(t, toyStudy)
		header, err := encodeLine(&Session{Format: journalFormat, Study: s.Name, Seed: s.Seed})
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "journal"), 0o777); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "journal", "main.jsonl")
		line := slices.Concat([]byte(framePrefix), []byte(checksum(content)), []byte(trialFrame), content, []byte(frameSuffix))
		if err := os.WriteFile(path, append(header, line...), 0o666); err != nil {
			t.Fatal(err)
		}
		ledger, err := ReadLedger(dir, s.Name, s.Seed)
		if err != nil {
			if !strings.Contains(err.Error(), "main.jsonl:2: ") && !strings.Contains(err.Error(), "main.jsonl:3: ") {
				t.Fatalf("error without its line: %v", err)
			}
			return
		}
		ledger.Plan(s, true)
		if err := Collect(dir, s); err != nil && !strings.Contains(err.Error(), "(cell ") {
			t.Fatalf("refused without its record: %v", err)
		}
	})
}

// toyJournal is the journal of a short toy study.
func toyJournal(f *testing.F) []byte {
	f.Helper()
	s, err := parse("study.yaml", []byte(toyStudy), []string{"replicates=1"}, nil)
	if err != nil {
		f.Fatal(err)
	}
	dir := f.TempDir()
	if _, err := Run(f.Context(), nil, s, RunOptions{Dir: dir, Workers: 1}); err != nil {
		f.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "journal", "main.jsonl"))
	if err != nil {
		f.Fatal(err)
	}
	return text
}
