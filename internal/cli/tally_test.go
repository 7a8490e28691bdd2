package cli

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"copse/internal/filetest"
)

// attacks is the number of tries for each file. .ci/attacks sets a larger one.
func attacks(t *testing.T) int {
	n, err := strconv.Atoi(os.Getenv("COPSE_ATTACKS"))
	switch {
	case err == nil:
		return n
	case testing.Short():
		return 1
	}
	return 2
}

// An edit changes one place of a text.
type edit struct {
	name string
	do   func(text []byte, at int) []byte
}

var edits = []edit{
	{"flip", func(text []byte, at int) []byte { text[at] ^= 1 << (at % 8); return text }},
	{"drop", func(text []byte, at int) []byte { return slices.Delete(text, at, at+1) }},
	{"insert", func(text []byte, at int) []byte { return slices.Insert(text, at, byte('0'+at%10)) }},
	{"cut", func(text []byte, at int) []byte { return text[:at] }},
	{"double", func(text []byte, at int) []byte { return slices.Insert(text, at, text[at/2:at+1]...) }},
}

// edited makes a random edit at a random place.
func edited(rng *rand.Rand, path string, e edit) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, e.do(text, rng.IntN(len(text))), 0o666)
}

// The test edits every file of a results folder at random places, and removes it. Either verify finds the
// change, or a report collects the same records.
func TestTallyOfTamperings(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: changes every file of a folder")
	}
	_, dir := runSmallStudy(t)
	var names []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if info, _ := os.Stat(path); err == nil && !entry.IsDir() && info.Size() > 0 {
			name, _ := filepath.Rel(dir, path)
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	// If the records are undamaged, a shortened or missing journal loses no result.
	copied := func(dir string) string {
		copse("report", dir)
		text, _ := os.ReadFile(filepath.Join(dir, "records.csv"))
		return string(text)
	}
	records := copied(dir)
	tries, found, harmless := 0, 0, 0
	attack := func(name, what string, do func(path string) error) {
		to := t.TempDir()
		copyTree(t, dir, to)
		if err := do(filepath.Join(to, name)); err != nil {
			t.Fatal(err)
		}
		tries++
		code, out, errOut := copse("verify", to, "--sample", "0")
		switch {
		case strings.Contains(out+errOut, "panic"):
			t.Errorf("%s: %s: panic\n%s%s", name, what, out, errOut)
		case code != 0:
			found++
		case copied(to) != records:
			t.Errorf("%s: %s: verify finds no change\n%s", name, what, out)
		default:
			harmless++
		}
	}
	for _, name := range names {
		for i := range attacks(t) * len(edits) {
			e := edits[i%len(edits)]
			attack(name, e.name, func(path string) error { return edited(rng, path, e) })
		}
		attack(name, "removed", os.Remove)
	}
	t.Logf("| edits of the %d files of a results folder | %d | found by verify: %d; nothing lost: %d |",
		len(names), tries,
		found, harmless)
}

// Study files, data and journals with random edits are accepted or rejected with a clear error.
func TestTallyOfHostileFiles(t *testing.T) {
	dir := t.TempDir()
	succeed(t, "generate", "--generator", "forest", "--param", "d=4", "--train", "8,8", "--test",
		"8,8", "--out", dir)
	study := writeStudy(t, smallStudy)
	results := filepath.Join(t.TempDir(), "r")
	succeed(t, "run", study, "--out", results)
	train, test := filepath.Join(dir, "train.csv"), filepath.Join(dir, "test.csv")
	rng := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct {
		kind, file string
		args       []string
	}{
		{"YAML", study, []string{"check", study, "--pilot", "0s", "--out", filepath.Join(dir, "none")}},
		{"CSV", train, []string{"classify", "--classifier", "lda", "--train", train, "--test", test}},
		{"journal", filepath.Join(results, "journal", "main.jsonl"), []string{"status", results}},
	} {
		whole := filetest.Read(t, c.file)
		codes := map[int]int{}
		for i := range 5 * attacks(t) * len(edits) {
			if err := edited(rng, c.file, edits[i%len(edits)]); err != nil {
				t.Fatal(err)
			}
			code, out, errOut := copse(c.args...)
			codes[code]++
			if strings.Contains(out+errOut, "panic") || code != 0 && out+errOut == "" || code > exitDrained {
				broken, _ := os.ReadFile(c.file)
				t.Errorf("%s: exit %d\n%s%s\n%q", c.kind, code, out, errOut, broken)
			}
			filetest.Write(t, c.file, whole)
		}
		t.Logf("| damaged %s files | %d | read: %d; refused with an error: %d |",
			c.kind, 5*attacks(t)*len(edits), codes[0],
			codes[1]+codes[2])
	}
}
