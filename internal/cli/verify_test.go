package cli

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"copse/internal/filetest"
	"copse/internal/texttest"
)

// verify names every edited file of a results folder, with and without the journals. It also does so without
// the manifest's own checksum, as far as another file contains the same facts.
func TestVerifyFindsEveryEdit(t *testing.T) {
	file, dir := writeStudy(t, inAllFormats(smallStudy)), filepath.Join(t.TempDir(), "r")
	succeed(t, "run", file, "--out", dir)
	cloned := t.TempDir()
	copyTree(t, dir, cloned)
	filetest.Remove(t, filepath.Join(cloned, "journal"))
	digit := regexp.MustCompile(`[0-9]`)
	flip := func(text string) string {
		return digit.ReplaceAllStringFunc(text, func(d string) string { return string('0' + (d[0]-'0'+1)%10) })
	}
	times := regexp.MustCompile(`[0-9]\n$`)
	timingsSum := regexp.MustCompile(`  "timings_sha256": .*\n`)
	seal := regexp.MustCompile(`,\n  "sha256": "[0-9a-f]*"`)
	replace := func(old, new string) func(string) string {
		return func(text string) string { return strings.Replace(text, old, new, 1) }
	}
	unsealed := func(edit func(string) string) func(string) string {
		return func(text string) string { return edit(seal.ReplaceAllString(text, "")) }
	}
	cases := []struct {
		file, want string
		edit       func(string) string
		journals   bool // only they tell
	}{
		{"tables/small.md", "tables/small.md has changed since it", flip, false},
		{"tables/small.csv", "tables/small.csv has changed since it", flip, false},
		{"tables/small.tex", "tables/small.tex has changed since it", flip, false},
		{"tables/small.html", "tables/small.html has changed since it", flip, false},
		{"figures/box.svg", "figures/box.svg has changed since it", flip, false},
		{"figures/box.png", "figures/box.png has changed since it", func(s string) string { return s + " " },
			false},
		{"figures/box.pdf", "figures/box.pdf has changed since it", func(s string) string { return s + " " },
			false},
		{"report.html", "report.html has changed since it", flip, false},
		{"timings.csv", "timings.csv has the SHA-256", func(s string) string {
			return times.ReplaceAllStringFunc(s,
				flip)
		}, false},
		{"manifest.json", "manifest.json was edited", replace(`"arch": "`, `"arch": "un`), false},
		{"manifest.json", "seed is 7, but study.yaml has 3", unsealed(replace(`"seed": 3`, `"seed": 7`)), false},
		{"manifest.json", "replicates is 40, but study.yaml has 4",
			unsealed(replace(`"replicates": 4`, `"replicates": 40`)), false},
		{"manifest.json", "title is ", unsealed(replace(`"title": "A `, `"title": "Another `)), false},
		{"manifest.json", "manifest.json was edited", replace(`"lda": "lda/`, `"lda": "lda/9`), false},
		{"manifest.json", "as listed in manifest.json, matches no session in the journals",
			unsealed(replace(`"arch": "`, `"arch": "un`)), true},
		{"manifest.json", "manifest.json was edited", unsealed(replace("", "")), false},
		{"manifest.json", "timings.csv has the SHA-256", func(text string) string {
			return timingsSum.ReplaceAllString(text, "")
		}, false},
	}
	for _, c := range cases {
		for _, from := range []string{dir, cloned} {
			if c.journals && from == cloned {
				continue
			}
			to := t.TempDir()
			copyTree(t, from, to)
			path := filepath.Join(to, filepath.FromSlash(c.file))
			text := filetest.Read(t, path)
			edited := c.edit(text)
			if edited == text {
				t.Fatalf("%s: %q has no effect", c.file, c.want)
			}
			filetest.Write(t, path, edited)
			attempt(t, "verify", to, "--sample", "0").finds(c.want)
		}
	}
	succeed(t, "verify", dir, cloned, "--sample", "1")
	for _, from := range []string{dir, cloned} {
		to := t.TempDir()
		copyTree(t, from, to)
		filetest.Remove(t, filepath.Join(to, "manifest.json"))
		verified := attempt(t, "verify", to, "--sample", "0")
		verified.finds(
			"study.yaml and records: not checked (manifest.json cannot be read)\n",
			"timings.csv: not checked (manifest.json cannot be read)\n")
		advice := "`copse report " + to + "` writes the manifest from the journals"
		texttest.ContainsIf(t, from == dir, verified.out, advice) // a cloned folder has no journals
	}
}

// A folder need not keep its page and figures: verify accepts it, report draws the
// same files again, and pack names the next step.
func TestFiguresNeedNotBeKept(t *testing.T) {
	file, dir := writeStudy(t, inAllFormats(smallStudy)), filepath.Join(t.TempDir(), "r")
	succeed(t, "run", file, "--out", dir)
	want := outputs(t, dir)
	for _, name := range []string{"report.html", "figures/box.png", "figures/box.pdf"} {
		filetest.Remove(t, filepath.Join(dir, filepath.FromSlash(name)))
	}
	attempt(t, "verify", dir, "--sample", "0").prints(
		"3 more have not been drawn: run `copse report " + dir + "` to draw them")
	filetest.Write(t, filepath.Join(dir, "CITATION.cff"), citation)
	attempt(t, "pack", dir, "--out", filepath.Join(t.TempDir(), "p.zip")).fails(exitFailed,
		"figures/box.pdf is missing; run `copse report "+dir)
	filetest.Remove(t, filepath.Join(dir, "CITATION.cff"))
	succeed(t, "report", dir)
	sameOutputs(t, outputs(t, dir), want)
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// If copse is killed after it has written new records and before it has written the report, verify and pack
// reject the old report.
func TestVerifyFindsTheReportOfOlderRecords(t *testing.T) {
	file, dir := runSmallStudy(t)
	// The old outputs take the place of the new ones, as if a second run had been killed.
	old := t.TempDir()
	copyTree(t, dir, old)
	succeed(t, "run", file, "--out", dir, "--replicates", "8")
	for _, name := range []string{"tables", "figures", "report.html", "outputs.sha256"} {
		to := filepath.Join(dir, name)
		if err := errors.Join(os.RemoveAll(to), os.Rename(filepath.Join(old, name), to)); err != nil {
			t.Fatal(err)
		}
	}
	filetest.Write(t, filepath.Join(dir, "CITATION.cff"), citation)
	want := "they were made from other records or another study.yaml; run `copse report " + dir + "` to regenerate them"
	attempt(t, "verify", dir, "--sample", "0").finds(want)
	zip := filepath.Join(t.TempDir(), "p.zip")
	attempt(t, "pack", dir, "--out", zip).fails(exitFailed, want)
	// Earlier versions of copse did not store the checksums of the records and of the study in outputs.sha256.
	listed := filepath.Join(dir, "outputs.sha256")
	unknown := regexp.MustCompile(`# made from .*\n`).ReplaceAllString(filetest.Read(t, listed), "")
	filetest.Write(t, listed, unknown)
	for _, args := range [][]string{{"verify", dir, "--sample", "0"}, {"report", dir}, {"verify", dir, "--sample", "0"},
		{"pack", dir, "--out", zip}} {
		succeed(t, args...)
	}
}
