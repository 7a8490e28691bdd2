package results_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/internal/filetest"
	"copse/internal/toys"
)

// editManifest edits the manifest of a folder as JSON.
func editManifest(t *testing.T, dir string, edit func(m map[string]any)) {
	t.Helper()
	path := filepath.Join(dir, folder.Manifest)
	text := filetest.Read(t, path)
	m := map[string]any{}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&m); err != nil {
		t.Fatal(err)
	}
	edit(m)
	edited, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, path, string(edited))
}

// dropKey removes a key from the manifest of a folder and corrects the checksum of the manifest.
func dropKey(t *testing.T, dir, key string) {
	t.Helper()
	editManifest(t, dir, func(m map[string]any) {
		delete(m, key)
		delete(m, "sha256")
	})
	path := filepath.Join(dir, folder.Manifest)
	content := strings.TrimSuffix(filetest.Read(t, path), "\n}")
	sealed := func(sum string) []byte { return fmt.Appendf(nil, "%s,\n  \"sha256\": %q\n}", content, sum) }
	sum := fmt.Sprintf("%x", sha256.Sum256(sealed("")))
	filetest.Write(t, path, string(sealed(sum)))
}

// firstOther returns the first difference of two texts.
func firstOther(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return fmt.Sprintf("line %d:\n%s\n%s", i+1, as[i], bs[i])
		}
	}
	return fmt.Sprintf("%d lines, %d lines", len(as), len(bs))
}

// asRead returns the results of a folder as text, or the error.
func asRead(dir string, s *study.Study) string {
	l, err := results.OpenFor(dir, s)
	if err != nil {
		return "error: " + err.Error()
	}
	p := run.NewPlan(l)
	text := fmt.Sprintln(l.Warnings, l.Repeated, len(l.Sessions()), p.Done, p.Missing, p.Failed, p.Reasons())
	for r := range l.Rows() {
		text += fmt.Sprintf("%+v\n", r)
	}
	return text
}

// A folder gives the same results whether records.csv is read in addition to the journals or not. Both ways
// report the same errors.
func TestJournalPartsReplaceTheRecords(t *testing.T) {
	text := strings.Replace(toys.Study, "coin,", "coin, {id: wrong, classifier: faulty, mode: error},", 1)
	s, more := toys.Load(t, text), toys.Load(t, text, "replicates=8")
	journal := filepath.Join("journal", "main.jsonl")
	lines := func(edit func(lines []string) []string) func(dir string) {
		return func(dir string) {
			path := filepath.Join(dir, journal)
			text := strings.SplitAfter(filetest.Read(t, path), "\n")
			filetest.Write(t, path, strings.Join(edit(text), ""))
		}
	}
	for name, c := range map[string]struct {
		change func(dir string)
		want   string // of what is read; empty: all 96 results
	}{
		"as it is":      {func(string) {}, ""},
		"more sessions": {func(dir string) { toys.RunIn(t, more, dir) }, ""},
		"a line less":   {lines(func(l []string) []string { return slices.Delete(l, 3, 4) }), ""},
		"a cut line": {lines(func(l []string) []string { l[len(l)-2] = l[len(l)-2][:40]; return l }),
			"its trial will run again unless records.csv contains its results"},
		"a damaged line": {lines(func(l []string) []string { l[2] = strings.Replace(l[2], "ok", "Ok", 1); return l }),
			"damaged line"},
		"no journal": {func(dir string) { os.RemoveAll(filepath.Join(dir, "journal")) }, ""},
	} {
		dir := t.TempDir()
		toys.RunIn(t, s, dir)
		c.change(dir)
		fast := asRead(dir, s)
		dropKey(t, dir, "journals")
		slow := asRead(dir, s)
		if fast != slow {
			t.Errorf("%s: without and with records.csv read differently, %s", name, firstOther(fast, slow))
		}
		if n := strings.Count(fast, "Spec:"); c.want == "" && n < 96 || !strings.Contains(fast, c.want) {
			t.Errorf("%s: %d results, %.300s", name, n, fast)
		}
	}
}

// Records are not read if the journals begin with the lines from which the records were written.
func TestJournalPartsAreEnough(t *testing.T) {
	s, dir := toys.Load(t, toys.Study), t.TempDir()
	toys.RunIn(t, s, dir)
	want := asRead(dir, s)
	odd := []byte("no table\n")
	filetest.Write(t, filepath.Join(dir, folder.Records), string(odd))
	editManifest(t, dir, func(m map[string]any) { m["records_sha256"] = fmt.Sprintf("%x", sha256.Sum256(odd)) })
	if got := asRead(dir, s); got != want {
		t.Errorf("reads differently, %s", firstOther(got, want))
	}
	editManifest(t, dir, func(m map[string]any) {
		m["journals"].([]any)[0].(map[string]any)["crc32c"] = "01234567"
	})
	if got := asRead(dir, s); !strings.Contains(got, "the header is") {
		t.Errorf("other journals, and the records were not read: %.300s", got)
	}
}
