package study_test

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/experiments/config"
	"copse/experiments/study"
	"copse/internal/filetest"
	"copse/internal/toys"
)

// Each *.bad.yaml has one mistake; its first line contains the expected error.
func TestBadStudies(t *testing.T) {
	files, err := filepath.Glob("testdata/bad/*.bad.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no bad studies: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text := filetest.Read(t, file)
			want := "the file is empty"
			if first, _, ok := strings.Cut(text, "\n"); ok {
				want = strings.TrimPrefix(first, "# want: ")
			}
			separator := ": "
			if want != "" && want[0] >= '0' && want[0] <= '9' {
				separator = ":" // a line number follows the file name
			}
			_, err = study.Load(file)
			if err == nil {
				t.Fatal("was accepted")
			}
			if got := err.Error(); got != filepath.ToSlash(file)+separator+want {
				t.Errorf("got  %s\nwant %s", got, filepath.ToSlash(file)+separator+want)
			}
		})
	}
}

// addStudies adds the studies of configs and of testdata as seeds.
func addStudies(f *testing.F, add func(text []byte)) {
	for _, pattern := range []string{"../../configs/*.yaml", "testdata/bad/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			f.Fatalf("no seeds %s: %v", pattern, err)
		}
		for _, file := range files {
			add([]byte(filetest.Read(f, file)))
		}
	}
}

// A text is rejected with the place of every mistake, or is a study. An accepted study has the same cells and
// recipes after it is written and read again.
func FuzzStudy(f *testing.F) {
	addStudies(f, func(text []byte) { f.Add(text, "") })
	f.Add([]byte(toys.Study), "design.n=20,80")
	f.Add([]byte(toys.Study), "classifiers.centroid.axis=2")
	f.Add([]byte(toys.Study), "data.train.n=[10, 20]")
	f.Add([]byte(toys.Study+"\"two\\nlines\": 1\n"), "")
	f.Add(
		[]byte("study: s\nseed: 1\ndata: {set: iris, folds: 5, repeats: 2}\nclassifiers: [centroid]\n"),
		"replicates=5",
	)
	f.Add(
		[]byte(strings.Replace(toys.Study, "[20, 40]", "&n [20, 40]", 1)+"exclude: [{n: *n, balance: imbalanced}]\n"),
		"design.n=20,40,60",
	)
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
				t.Fatalf("%T is not a mistake in a study: %v", err, err)
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
			t.Fatalf("the written study is rejected: %v\n%s", err, written)
		}
		if a, b := identity(s), identity(again); !slices.Equal(a, b) {
			t.Fatalf("read   %q\nreread %q", a, b)
		}
	})
}

// identity contains everything that determines the results of a study.
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
