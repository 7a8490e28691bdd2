package audit_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"copse/classifiers"
	"copse/experiments/audit"
	"copse/experiments/folder"
	"copse/internal/filetest"
	"copse/internal/toys"
)

func verify(t *testing.T, dir string, sample int) string {
	t.Helper()
	checks, err := audit.Verify(t.Context(), dir, audit.Sample{Trials: sample, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	var problems []string
	for _, c := range checks {
		for _, p := range c.Problems {
			problems = append(problems, c.Name+": "+p)
		}
	}
	return strings.Join(problems, "\n")
}

// A generator that ignores its seed draws the same data for all replicates, which then are not independent. Some equal
// draws may be chance if they have few rows.
func TestRepeatedDataAreFound(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("SKIPPED: no /bin/sh here")
	}
	const text = "study: s\nseed: 1\nreplicates: 12\ndata:\n  train: {n: 10}\n  test: {n: ROWS}\n" +
		`  generator: {name: external-csv, command: [/bin/sh, -c, "{ echo a,class; for i in $(seq ${1%,*}); do ` +
		`echo ${i}SEED,0; echo 9$i,1; done; } > $2", "{seed}", "{counts}", "{out}"]}` +
		"\nclassifiers: [lda]\n"
	const firstDigit = "${0%${0#?}}" // of the seed
	const repeat = " of 12 replicates repeat the data of another"
	for _, c := range []struct{ seed, test, problem, note string }{
		{"$0", "10", "", ""},
		{"1", "10", "the data of 11" + repeat, repeat},
		{firstDigit, "10", "", repeat},
		{firstDigit, "100", repeat, repeat},
	} {
		s, dir := toys.Load(t, strings.NewReplacer("SEED", c.seed, "ROWS", c.test).Replace(text)), t.TempDir()
		toys.RunIn(t, s, dir)
		if got := verify(t, dir, 0); c.problem == "" && got != "" || !strings.Contains(got, c.problem) {
			t.Errorf("%+v: %s", c, got)
		}
		f := toys.Open(t, dir)
		notes := strings.Join(f.Select().Notes, "\n")
		if c.note == "" && notes != "" || !strings.Contains(notes, c.note) {
			t.Errorf("%+v: notes %q", c, notes)
		}
	}
}

func TestVerify(t *testing.T) {
	s, dir := toys.Load(t, toys.Study, "replicates=2"), t.TempDir()
	toys.RunIn(t, s, dir)
	const all = 4 * 2 // trials
	const main = "journal/main.jsonl"
	copied := func(from string) string {
		to := t.TempDir()
		if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
		return to
	}
	replaceIn := func(file, old, new string) func(string) string {
		return func(from string) string {
			to := copied(from)
			path := filepath.Join(to, file)
			text := filetest.Read(t, path)
			if !strings.Contains(text, old) {
				t.Fatalf("%s lacks %q", file, old)
			}
			filetest.Write(t, path, strings.Replace(text, old, new, 1))
			return to
		}
	}
	rechecked := func(change func(string) string) func(string) string {
		return func(from string) string {
			to := t.TempDir()
			toys.CopyJournal(t, from, to, change)
			if err := toys.Collect(to, s); err != nil {
				t.Fatal(err)
			}
			return to
		}
	}
	cloned := func(zip bool) func(string) string {
		return func(from string) string { return toys.Clone(t, from, zip) }
	}
	secondCoin := func(change string) func(string) string {
		seen := 0
		return func(line string) string {
			if strings.Contains(line, `"coin"`) {
				if seen++; seen == 2 {
					return strings.NewReplacer(strings.Fields(change)...).Replace(line)
				}
			}
			return line
		}
	}
	cases := []struct {
		name  string
		spoil func(dir string) string
		want  string // "" : sound
	}{
		{"sound", func(dir string) string { return dir }, ""},
		{"clone", cloned(false), ""},
		{"zipped clone", cloned(true), ""},
		{"study.yaml edited", replaceIn(folder.Study, "seed: 42", "seed:  42"), "study.yaml has the SHA-256"},
		{
			"another key in study.yaml",
			replaceIn(folder.Study, "test: {n: 60}", "test: {n: 61}"),
			"changed in study.yaml since an earlier run: data.test.n\n" +
				"study.yaml and records: records.csv differs from the journals, because study.yaml has changed; ",
		},
		{
			"another seed in study.yaml",
			replaceIn(folder.Study, "seed: 42", "seed: 43"),
			"records.csv differs from the journals, because the seed of the study has changed; restore the old seed",
		},
		{"study.yaml broken", replaceIn(folder.Study, "seed:", "sead:"), `study.yaml: `},
		{"records edited", replaceIn(folder.Records, ",ok,60,", ",failed,60,"), "records.csv has the SHA-256"},
		{
			"one of the records edited",
			replaceIn(folder.Records, ",2,coin,ok,60,", ",2,coin,failed,60,"),
			"records.csv differs from the journals, first in line 6; run",
		},
		{"last records deleted", func(from string) string {
			to := copied(from)
			path := filepath.Join(to, folder.Records)
			lines := strings.SplitAfter(filetest.Read(t, path), "\n")
			filetest.Write(t, path, strings.Join(lines[:20], ""))
			return to
		}, "records.csv differs from the journals, first in line 21; run"},
		{"manifest damaged", replaceIn(folder.Manifest, "{", "["), "manifest.json: "},
		{"journal damaged", replaceIn(main, `"confusion":`, `"confused":`), "stored results: "},
		{"last line of the journal lost", func(from string) string {
			to := copied(from)
			path := filepath.Join(to, main)
			lines := strings.SplitAfter(filetest.Read(t, path), "\n")
			filetest.Write(t, path, strings.Join(lines[:len(lines)-2], ""))
			return to
		}, "main.jsonl was removed or changed"},
		{"one of two journals removed", func(from string) string {
			to := copied(from)
			path := filepath.Join(to, main)
			session, _, _ := strings.Cut(filetest.Read(t, path), "\n")
			filetest.Write(t, filepath.Join(to, "journal", "other.jsonl"), session+"\n")
			filetest.Remove(t, path)
			return to
		}, "main.jsonl was removed or changed"},
		{"journal of zero bytes", func(from string) string {
			to := copied(from)
			filetest.Write(t, filepath.Join(to, main), strings.Repeat("\x00", 500))
			return to
		}, "main.jsonl was removed or changed"},
		{
			"a trial missing",
			rechecked(secondCoin(`"replicate":1 "replicate":3 "replicate":2 "replicate":3`)),
			"completeness: missing: 3 results: new replicate",
		},
		{"another result", rechecked(toys.OneError), "confusion matrix "},
		{"another result in the journal only", func(from string) string {
			to := replaceIn(folder.Study, "", "")(from)
			toys.CopyJournal(t, from, to, toys.OneError)
			return to
		}, "records.csv: row 2: cell "},
		{"other data", rechecked(secondCoin(`"data":" "data":"0`)), "fingerprint"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := verify(t, c.spoil(dir), all)
			if c.want == "" && got != "" || !strings.Contains(got, c.want) {
				t.Errorf("%s\nwant %s", got, c.want)
			}
		})
	}
}

// seen returns the field Seen of all checks.
func seen(t *testing.T, dir string) string {
	t.Helper()
	checks, err := audit.Verify(t.Context(), dir, audit.Sample{})
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, c := range checks {
		list = append(list, c.Seen)
		if c.Name == "recomputed" && !c.Skipped {
			t.Error("no trial was recomputed, but the check counts as made")
		}
	}
	return strings.Join(list, "\n")
}

// If the authors make choices after they know the results, the files are still valid, but Verify lists the choices.
func TestVerifyListsLaterChoices(t *testing.T) {
	dir := t.TempDir()
	toys.RunIn(t, toys.Load(t, toys.Study, "replicates=2"), dir)
	if text := seen(t, dir); strings.Contains(text, "changed in") || strings.Contains(text, "omit") ||
		strings.Contains(text, "extended") || !strings.Contains(text, "0 of 8 trials, chosen") {
		t.Error(text)
	}
	toys.RunIn(t, toys.Load(t, toys.Study, "replicates=3"), dir)
	changed := strings.Replace(toys.Study, "coin, ", "", 1) + "# a comment\ninference: {alpha: 0.2}\n"
	if err := toys.Collect(dir, toys.Load(t, changed, "replicates=3")); err != nil {
		t.Fatal(err)
	}
	text := seen(t, dir)
	for _, choice := range []string{
		"; changed in study.yaml since an earlier run: classifiers, inference, replicates\n",
		"; the records omit 12 results of coin, which the study no longer has",
		"; the study was extended from 2 to 3 replicates on ",
	} {
		if !strings.Contains(text, choice) {
			t.Errorf("%q is not in %s", choice, text)
		}
	}
	if problems := verify(t, dir, 0); problems != "" {
		t.Error(problems)
	}
}

// Results on the same data, in one trial or in cells that differ only in a parameter of a classifier, must
// have the same fingerprint of the data.
func TestVerifyPairing(t *testing.T) {
	text := strings.NewReplacer("classifiers: [centroid", "classifiers: [{classifier: centroid, axis: "+
		"$axis}", "design:", "design:\n  axis: [0, 1]").
		Replace(toys.Study)
	s, dir := toys.Load(t, text, "replicates=1"), t.TempDir()
	toys.RunIn(t, s, dir)
	if got := verify(t, dir, 0); got != "" {
		t.Fatal(got)
	}
	other := t.TempDir()
	toys.CopyJournal(t, dir, other, func(line string) string {
		if strings.Contains(line, s.Cells[0].ID) {
			return strings.Replace(line, `"data":"`, `"data":"0`, 1)
		}
		return line
	})
	if got := verify(t, other, 0); !strings.Contains(got, "so the two results cannot be compared") {
		t.Error(got)
	}
}

// The clocks of sessions do not matter: they can be in any order.
func TestClockGoesBack(t *testing.T) {
	s, reference, ahead := toys.Load(t, toys.Study), t.TempDir(), t.TempDir()
	toys.RunIn(t, s, reference)
	first := t.TempDir()
	toys.RunIn(t, toys.Load(t, toys.Study, "replicates=3"), first)
	toys.CopyJournal(t, first, ahead, func(line string) string {
		return regexp.MustCompile(`"started":"[^"]*"`).ReplaceAllString(line, `"started":"2999-12-31T23:59:59Z"`)
	})
	if plan := toys.RunIn(t, s, ahead); plan.Done != 36 || plan.Missing != 36 {
		t.Errorf("%d results were there, %d ran", plan.Done, plan.Missing)
	}
	want := filetest.Read(t, filepath.Join(reference, folder.Records))
	if got := filetest.Read(t, filepath.Join(ahead, folder.Records)); got != want {
		t.Errorf("records:\n%s\nwant\n%s", got, want)
	}
	if problems := verify(t, ahead, 2); problems != "" {
		t.Error(problems)
	}
}

// After the data file has changed, the journal still has the trials of the former file, which cannot be
// recomputed. They are no problem, because the records leave them out.
func TestVerifyAfterTheDataChanged(t *testing.T) {
	t.Chdir(t.TempDir())
	rows := "x,y,class\n"
	for i := range 24 {
		rows += fmt.Sprintf("%d,%d,%c\n", i, i*i%7, 'a'+i%2)
	}
	const text = "study: own\nseed: 1\nreplicates: 3\ndata: {csv: d.csv, folds: 3}\nclassifiers: [lda]\n"
	for _, content := range []string{rows, rows + "9,9,a\n"} {
		filetest.Write(t, "d.csv", content)
		toys.RunIn(t, toys.Load(t, text), "results")
	}
	if problems := verify(t, "results", 6); problems != "" {
		t.Error(problems)
	}
	checks, err := audit.Verify(t.Context(), "results", audit.Sample{Trials: 6})
	if last := checks[len(checks)-1]; err != nil || !strings.Contains(last.Seen, "3 of 3 trials, chosen") ||
		!strings.Contains(last.Seen, "not counting 3 trials from outdated data, programs or versions") {
		t.Errorf("%v, %v", checks, err)
	}
}

// Results of a former version are left out of the sample if the records leave them out, too.
func TestVerifyAfterAnUpgrade(t *testing.T) {
	dir := t.TempDir()
	toys.RunIn(t, toys.Load(t, toys.Study, "replicates=2"), dir)
	coin := slices.IndexFunc(classifiers.Registry, func(s classifiers.Spec) bool { return s.Name == "coin" })
	classifiers.Registry[coin].Version++
	defer func() { classifiers.Registry[coin].Version-- }()
	toys.RunIn(t, toys.Load(t, toys.Study, "replicates=1", "design.n=20"), dir)
	if problems := verify(t, dir, 8); problems != "" {
		t.Error(problems)
	}
}

// An earlier version of copse may have written other columns. The message does not suggest damage.
func TestVerifyRecordsOfAnotherVersion(t *testing.T) {
	dir := t.TempDir()
	toys.RunIn(t, toys.Load(t, toys.Study, "replicates=2"), dir)
	path, manifest := filepath.Join(dir, folder.Records), filepath.Join(dir, folder.Manifest)
	replace := func(path, old, new string) {
		filetest.Write(t, path, strings.ReplaceAll(filetest.Read(t, path), old, new))
	}
	digest := func() string {
		sum, err := folder.Digest(path)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	before := digest()
	replace(path, "balance", "share")
	const cause = "another version of copse wrote it"
	if problems := verify(t, dir, 0); strings.Contains(problems, cause) {
		t.Errorf("an edited file: %s", problems)
	}
	replace(manifest, before, digest())
	if problems := verify(t, dir, 0); !strings.Contains(problems, "journals, first in line 1: "+cause) {
		t.Error(problems)
	}
}
