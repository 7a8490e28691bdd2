package results_test

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/internal/toys"
)

// perLevel counts a folder's records by the level of the factor n. It also returns the notes on them.
func perLevel(t *testing.T, dir string, s *study.Study) (map[string]int, string) {
	t.Helper()
	selected := toys.OpenFor(t, dir, s).Records()
	counts := map[string]int{}
	for _, r := range selected.Rows {
		counts[r.Levels.Of("n")]++
	}
	return counts, strings.Join(selected.Notes, "; ")
}

// Records describe the study as it is now. Results at other levels or settings stay in the journals, and a
// note names them. When their study runs again, it uses them.
func TestNoTableMixesTwoStudies(t *testing.T) {
	cases := []struct {
		name          string
		before, after []string
		want          map[string]int
		note          string
	}{
		{
			"another level",
			[]string{"design.n=20"},
			[]string{"design.n=40"},
			map[string]int{"40": 12},
			"12 results of other cells (n = 20);",
		},
		{
			"a named level",
			[]string{"design.balance=balanced"},
			[]string{"design.balance=imbalanced", "design.n=20"},
			map[string]int{"20": 6},
			"6 results of other cells (n = 40, balance = balanced)",
		},
		{
			"another parameter",
			[]string{"design.n=20,40"},
			[]string{"design.n=40", "data.generator.d=2"},
			map[string]int{"40": 12},
			"12 results of other cells (n = 20), 12 results of other data",
		},
		{
			"other test rows",
			[]string{"design.n=20"},
			[]string{"design.n=40", "data.test.n=50"},
			map[string]int{"40": 12},
			"12 results of other cells (n = 20);",
		},
		{
			"another classifier",
			[]string{"design.n=20"},
			[]string{"design.n=40", "classifiers.centroid.axis=1"},
			map[string]int{"40": 12},
			"12 results of other cells (n = 20);",
		},
		{
			"fewer replicates",
			[]string{"design.n=20"},
			[]string{"design.n=20", "replicates=1"},
			map[string]int{"20": 6},
			"6 results of replicates above 1;",
		},
		{
			"a classifier in other cells",
			[]string{"design.n=20"},
			[]string{"design.n=20,40", "classifiers.coin.only=[n=40]"},
			map[string]int{"20": 8, "40": 12},
			"4 results of coin in cells that do not have it;",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir, foreign := t.TempDir(), t.TempDir()
			text := strings.Replace(toys.Study, "replicates: 6", "replicates: 2", 1)
			before, s := toys.Load(t, text, c.before...), toys.Load(t, text, c.after...)
			toys.Run(t, before, run.Options{Dir: dir})
			toys.Run(t, before, run.Options{Dir: foreign, Writer: "foreign"})
			toys.Run(t, s, run.Options{Dir: dir})
			check := func(dir string) {
				t.Helper()
				got, notes := perLevel(t, dir, s)
				if !maps.Equal(got, c.want) {
					t.Errorf("rows %v, want %v", got, c.want)
				}
				if results.HasJournals(dir) != strings.Contains(notes, c.note) {
					t.Errorf("notes %q, want %q", notes, c.note)
				}
			}
			check(dir)
			check(toys.Clone(t, dir, false))
			// The same holds if the journal was copied from another folder.
			own := t.TempDir()
			toys.Run(t, s, run.Options{Dir: own})
			name := filepath.Join("journal", "main.foreign.jsonl")
			filetest.Write(t, filepath.Join(own, name), filetest.Read(t, filepath.Join(foreign, name)))
			if err := toys.Collect(own, s); err != nil {
				t.Fatal(err)
			}
			check(own)
			want := filetest.Read(t, filepath.Join(foreign, folder.Records))
			toys.Run(t, before, run.Options{Dir: own})
			if got := filetest.Read(t, filepath.Join(own, folder.Records)); got != want {
				t.Errorf("the earlier study has the records\n%s\nagain, want\n%s", got, want)
			}
		})
	}
}

// A journal with fewer results does not shorten committed records.
func TestStaleJournal(t *testing.T) {
	few, many := toys.Load(t, toys.Study, "replicates=2"), toys.Load(t, toys.Study, "replicates=5")
	stale, newer := t.TempDir(), t.TempDir()
	toys.Run(t, few, run.Options{Dir: stale})
	toys.Run(t, many, run.Options{Dir: newer})
	want := filetest.Read(t, filepath.Join(newer, folder.Records))
	for name, text := range map[string]string{"older": filetest.Read(t, filepath.Join(stale, "journal/main.jsonl")),
		"empty": ""} {
		t.Run(name, func(t *testing.T) {
			dir := toys.Clone(t, newer, false)
			filetest.Write(t, filepath.Join(dir, "journal/main.jsonl"), text)
			for range 2 {
				if err := toys.Collect(dir, many); err != nil {
					t.Fatal(err)
				}
				if got := filetest.Read(t, filepath.Join(dir, folder.Records)); got != want {
					t.Fatalf("%d lines of records are left of %d", strings.Count(got, "\n"), strings.Count(want, "\n"))
				}
			}
			if files, _ := results.JournalFiles(dir); len(files) != 2 {
				t.Errorf("journals %q, want one of the imported results", files)
			}
			l, err := results.OpenFor(dir, many)
			if err != nil || l.Repeated != 0 {
				t.Errorf("%d results came twice, %v", l.Repeated, err)
			}
		})
	}
}

// A folder with foreign files is rejected before any file is replaced.
func TestForeignFilesStay(t *testing.T) {
	s := toys.Load(t, toys.Study, "replicates=1")
	for name, c := range map[string]struct{ text, want string }{
		folder.Study:    {"# my notes on this study\n" + toys.Study, "study.yaml was edited or written by another"},
		folder.Manifest: {`{"name": "my web page"}`, `manifest.json: the format is ""`},
		folder.Records:  {"my,own,records\n1,2,3\n", "records.csv: row 1: the header is"},
		folder.Timings:  {"my,own,times\n", "timings.csv does not have the header that copse writes"},
	} {
		dir := t.TempDir()
		filetest.Write(t, filepath.Join(dir, name), c.text)
		_, err := run.Run(t.Context(), nil, s, run.Options{Dir: dir})
		errtest.Case(t, name).Contains(err, c.want)
		if got := filetest.Read(t, filepath.Join(dir, name)); got != c.text {
			t.Errorf("%s became %q", name, got)
		}
	}
	// A study may be read from the results folder itself.
	dir := t.TempDir()
	file := filepath.Join(dir, folder.Study)
	filetest.Write(t, file, toys.Study)
	own, err := study.Load(file, "replicates=1")
	if err != nil {
		t.Fatal(err)
	}
	toys.Run(t, own, run.Options{Dir: dir})
}

// When times are imported, an impossible time is an error with its place.
func TestTimingsWithoutTime(t *testing.T) {
	s, dir := toys.Load(t, toys.Study, "replicates=1"), t.TempDir()
	toys.Run(t, s, run.Options{Dir: dir})
	for _, bad := range []string{"NaN", "-1", "+Inf", "1e999"} {
		cloned := toys.Clone(t, dir, false)
		path := filepath.Join(cloned, folder.Timings)
		lines := strings.SplitAfter(filetest.Read(t, path), "\n")
		fields := strings.Split(lines[2], ",")
		fields[3] = bad
		lines[2] = strings.Join(fields, ",")
		filetest.Write(t, path, strings.Join(lines, ""))
		more := toys.Load(t, toys.Study, "replicates=2")
		_, err := run.Run(t.Context(), nil, more, run.Options{Dir: cloned})
		errtest.Case(t, bad).Contains(err, "timings.csv:3: ")
	}
}
