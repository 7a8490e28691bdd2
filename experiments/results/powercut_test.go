package results_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/internal/randtest"
	"copse/internal/toys"
)

// image is the results folder of a toy study and its complete contents.
type image struct {
	study   *study.Study
	dir     string
	Journal []byte
	records string
}

func newImage(t *testing.T) image {
	t.Helper()
	s, dir := toys.Load(t, toys.Study, "replicates=2"), t.TempDir()
	toys.Run(t, s, run.Options{Dir: dir, Workers: 1})
	journal := filetest.Read(t, filepath.Join(dir, "journal", "main.jsonl"))
	return image{s, dir, []byte(journal), filetest.Read(t, filepath.Join(dir, folder.Records))}
}

// folder makes a results folder with the given journals.
func (m image) folder(t *testing.T, journals map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range journals {
		filetest.Write(t, filepath.Join(dir, "journal", name+".jsonl"), string(text))
	}
	return dir
}

// runsToTheSame runs the study in a folder and tests that n trials run and that the records are the same.
func (m image) runsToTheSame(t *testing.T, dir string, n int) {
	t.Helper()
	plan := toys.Run(t, m.study, run.Options{Dir: dir, Workers: 1})
	if len(plan.Tasks) != n {
		t.Errorf("%d trials ran, want %d", len(plan.Tasks), n)
	}
	if got := filetest.Read(t, filepath.Join(dir, folder.Records)); got != m.records {
		t.Errorf("records differ:\n%s\nwant\n%s", got, m.records)
	}
}

// If a journal is cut anywhere in its last line, only the trial of this line is lost, with a warning. The
// next run repeats it.
func TestJournalCutAtEveryByte(t *testing.T) {
	m := newImage(t)
	whole := len(m.Journal)
	last := bytes.LastIndexByte(m.Journal[:whole-1], '\n') + 1
	for cut := last; cut < whole; cut++ {
		dir := m.folder(t, map[string][]byte{"main": m.Journal[:cut]})
		ledger, err := results.OpenFor(dir, m.study)
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if plan := run.NewPlan(ledger); len(plan.Tasks) != 1 || len(ledger.Warnings) != min(1, cut-last) {
			t.Fatalf("cut at %d: %d trials missing, warnings %q", cut, len(plan.Tasks), ledger.Warnings)
		}
		if cut%16 == 0 {
			m.runsToTheSame(t, dir, 1)
		}
	}
	t.Logf("| journals cut at each byte of the last line | %d | one trial to run again: %d |", whole-last, whole-last)
}

// A power failure can leave zeros in the last line, with or without its newline.
func TestJournalWithHole(t *testing.T) {
	m := newImage(t)
	whole := len(m.Journal)
	last := bytes.LastIndexByte(m.Journal[:whole-1], '\n') + 1
	holes := [][2]int{{last, whole}, {last, whole - 1}, {last, last + 100}, {last + 10, last + 11}, {whole - 20, whole}}
	for _, hole := range holes {
		text := bytes.Clone(m.Journal)
		clear(text[hole[0]:hole[1]])
		dir := m.folder(t, map[string][]byte{"main": text})
		ledger, err := results.OpenFor(dir, m.study)
		if err != nil || len(ledger.Warnings) != 1 {
			t.Fatalf("hole %v: %v, %q", hole, err, ledger.Warnings)
		}
		m.runsToTheSame(t, dir, 1)
	}
	text := bytes.Clone(m.Journal)
	text[last-20] = 0 // in the line before, which was synced
	if _, err := results.OpenFor(m.folder(t, map[string][]byte{"main": text}), m.study); err == nil {
		t.Error("a hole in the middle was accepted")
	}
	t.Logf("| journals with a hole of zeros in the last line | %d | one trial to run again: %d |", len(holes),
		len(holes))
}

// One flipped bit anywhere is an error that names the line, except in the last
// newline, without which the last line is unfinished.
func TestJournalWithFlippedBit(t *testing.T) {
	m := newImage(t)
	rng := randtest.New(1)
	last := len(m.Journal) - 1
	for round := range 8*400 + last {
		at, bit := round/8, byte(1)<<(round%8) // every bit of the header and the first trials,
		if round >= 8*400 {
			at, bit = round-8*400, 1<<rng.Intn(8) // and one of every byte
		}
		m.Journal[at] ^= bit
		warning, err := results.ReadJournal(
			"main.jsonl",
			bytes.NewReader(m.Journal),
			func(int, any) error { return nil },
		)
		line := 1 + bytes.Count(m.Journal[:at], []byte("\n"))
		m.Journal[at] ^= bit
		if err == nil || warning != "" || !strings.Contains(err.Error(), "damaged line") {
			t.Fatalf("bit %d of byte %d flipped: %v, warning %q", bit, at, err, warning)
		}
		if flippedNewline := m.Journal[at] == '\n'; !flippedNewline &&
			!strings.HasPrefix(err.Error(), fmt.Sprintf("main.jsonl:%d: ", line)) {
			t.Fatalf("bit %d of byte %d flipped, in line %d: %v", bit, at, line, err)
		}
	}
	t.Logf("| journals with one flipped bit | %d | refused with the line: %d |", 8*400+last, 8*400+last)
	m.Journal[last] ^= 4
	m.runsToTheSame(t, m.folder(t, map[string][]byte{"main": m.Journal}), 1)
}

// shards runs the study as three shards and returns their journals.
func (m image) shards(t *testing.T) map[string][]byte {
	t.Helper()
	parts := map[string][]byte{}
	for k := 1; k <= 3; k++ {
		dir := t.TempDir()
		o := run.Options{Dir: dir, Shard: run.Shard{Index: k, Count: 3}}
		toys.Run(t, m.study, o)
		parts[o.JournalName()] = []byte(filetest.Read(t, filepath.Join(dir, "journal", o.JournalName()+".jsonl")))
	}
	return parts
}

// A missing shard is reported and runs. Two copies of a shard are merged and counted. A shard of another
// study, seed or format is rejected with its name.
func TestMissingRepeatedAndForeignShards(t *testing.T) {
	m := newImage(t)
	parts := m.shards(t)
	with := func(name string, text []byte) string {
		all := map[string][]byte{name: text}
		for k, v := range parts {
			all[k] = v
		}
		return m.folder(t, all)
	}
	gone := m.folder(t, map[string][]byte{"1-of-3": parts["1-of-3"], "3-of-3": parts["3-of-3"]})
	l := toys.OpenFor(t, gone, m.study)
	missing := run.NewPlan(l)
	if missing.Missing == 0 || missing.Missing+missing.Done != 24 {
		t.Errorf("%d missing, %d there", missing.Missing, missing.Done)
	}
	m.runsToTheSame(t, gone, len(missing.Tasks))

	doubled := with("copy-of-2", parts["2-of-3"])
	m.runsToTheSame(t, doubled, 0)
	if l = toys.OpenFor(t, doubled, m.study); l.Repeated != missing.Missing {
		t.Errorf("%d repeated results, want %d", l.Repeated, missing.Missing)
	}

	changed := func(change func(string) string) []byte {
		from, to := t.TempDir(), t.TempDir()
		filetest.Write(t, filepath.Join(from, folder.Study), "")
		filetest.Write(t, filepath.Join(from, "journal", "x.jsonl"), string(parts["2-of-3"]))
		toys.CopyJournal(t, from, to, change)
		return []byte(filetest.Read(t, filepath.Join(to, "journal", "x.jsonl")))
	}
	replaced := func(old, new string) []byte {
		return changed(func(s string) string { return strings.ReplaceAll(s, old, new) })
	}
	headless := parts["2-of-3"][bytes.IndexByte(parts["2-of-3"], '\n')+1:]
	for want, text := range map[string][]byte{
		`foreign.jsonl:1: belongs to the study "other"`:            replaced(`"study":"toy"`, `"study":"other"`),
		`foreign.jsonl:1: was run with seed 41, but the study`:     replaced(`"seed":42`, `"seed":41`),
		`foreign.jsonl:1: written in the format "copse-journal/0"`: replaced("copse-journal/1", "copse-journal/0"),
		`foreign.jsonl:1: damaged line: it is not a line in`:       []byte("{\"cell\":\"a\"}\n"),
		`a trial before its first session`:                         headless,
		`foreign.jsonl:2: cell `:                                   replaced(`"n_test":60`, `"n_test":50`),
		`The same trial ran on different platforms`:                changed(toys.OneError),
	} {
		dir := with("foreign", text)
		before := filetest.Read(t, filepath.Join(dir, "journal", "1-of-3.jsonl"))
		_, err := run.Run(t.Context(), nil, m.study, run.Options{Dir: dir})
		errtest.Contains(t, err, want)
		if filetest.Read(t, filepath.Join(dir, "journal", "1-of-3.jsonl")) != before {
			t.Error("a refused run wrote to a journal")
		}
		if _, err := os.Stat(filepath.Join(dir, folder.Records)); !errors.Is(err, os.ErrNotExist) {
			t.Error("a refused run wrote records")
		}
	}
}

// The next run removes temporary files of killed processes. Files with similar names stay.
func TestLeftovers(t *testing.T) {
	m := newImage(t)
	kept := []string{".hidden", "notes.part", ".notes.part", filepath.Join("tables", ".part-list")}
	gone := []string{
		".records.csv.123.part",
		filepath.Join("tables", ".t.md.7.part"),
		filepath.Join("journal", ".imported.jsonl.9.part"),
	}
	for _, name := range append(kept, gone...) {
		filetest.Write(t, filepath.Join(m.dir, name), "")
	}
	m.runsToTheSame(t, m.dir, 0)
	for _, name := range kept {
		if _, err := os.Stat(filepath.Join(m.dir, name)); err != nil {
			t.Error(err)
		}
	}
	for _, name := range gone {
		if _, err := os.Stat(filepath.Join(m.dir, name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
}

// Wherever a damaged line is, no intact line of another journal is lost.
func TestDamageNamesOneFile(t *testing.T) {
	m := newImage(t)
	parts := m.shards(t)
	parts["2-of-3"][300] ^= 1
	dir := m.folder(t, parts)
	filetest.Write(t, filepath.Join(dir, folder.Study), toys.Study)
	_, errs, err := results.Salvage(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), "2-of-3.jsonl:") {
		t.Errorf("%v", errs)
	}
}

// A run in a folder without journals relies on the manifest, which must have the same study, seed and format
// and describe the records.
func TestForeignManifest(t *testing.T) {
	m := newImage(t)
	for want, change := range map[string][3]string{
		`manifest.json: the format is "copse-results/0", but this binary reads`: {folder.Manifest, `"copse-results/1"`,
			`"copse-results/0"`},
		`manifest.json: belongs to the study "other", not to "toy"`: {folder.Manifest, `"study": "toy"`,
			`"study": "other"`},
		`manifest.json: was run with seed 7, but the study has seed 42`: {folder.Manifest, `"seed": 42`, `"seed": 7`},
		`: restore both files`: {folder.Records, ",oracle,", ",orakel,"},
		`manifest.json: written in the format "copse-journal/0", but`: {folder.Manifest, `"copse-journal/1"`,
			`"copse-journal/0"`},
		`manifest.json is damaged (invalid character`: {folder.Manifest, `"study"`, `study`},
	} {
		dir := toys.Clone(t, m.dir, false)
		path := filepath.Join(dir, change[0])
		text := strings.ReplaceAll(filetest.Read(t, path), change[1], change[2])
		filetest.Write(t, path, text)
		_, err := run.Run(t.Context(), nil, m.study, run.Options{Dir: dir})
		errtest.Contains(t, err, want)
		if err != nil && strings.Contains(err.Error(), "move both out") {
			t.Errorf("advice for a folder with journals: %v", err)
		}
		if results.HasJournals(dir) || filetest.Read(t, path) != text {
			t.Errorf("%s: a refused run wrote to the folder", want)
		}
	}
}
