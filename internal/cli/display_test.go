package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"copse/internal/filetest"
	"copse/internal/texttest"
)

// ESC, CSI and OSC sequences, BEL, BS, CR, C1 controls, DEL, and characters that change the direction of
// text.
const commands = "\x1b[2J\x1b]0;owned\x07\b\rgone\u009b31m\u0085\x7f\u202e\u2066\u200f"

// obeyed returns the first character or byte of a text that a terminal would interpret.
func obeyed(text string) string {
	for i, r := range text {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) ||
			r == unicode.ReplacementChar && text[i] >= 0x80 && text[i] < 0xa0 {
			return fmt.Sprintf("%q after %q", r, text[max(0, i-30):i])
		}
	}
	return ""
}

// Characters are displayed correctly, however a text is divided into writes.
func TestDisplayCutAnywhere(t *testing.T) {
	text := "é " + commands + "\x00\x9b31m \xe2\x80 𝒙\xf0\x9d" // 8-bit controls, and characters cut short
	var whole bytes.Buffer
	d := &display{out: &whole}
	d.Write([]byte(text))
	d.flush()
	if obeyed(whole.String()) != "" || !strings.Contains(whole.String(), "é ") || !strings.Contains(whole.String(),
		"𝒙") {
		t.Fatalf("%q", whole.String())
	}
	for size := 1; size < 6; size++ {
		var parts bytes.Buffer
		d := &display{out: &parts}
		for rest := []byte(text); len(rest) > 0; rest = rest[min(size, len(rest)):] {
			if n, err := d.Write(rest[:min(size, len(rest))]); err != nil || n != min(size, len(rest)) {
				t.Fatal(n, err)
			}
		}
		d.flush()
		if parts.String() != whole.String() {
			t.Errorf("in writes of %d bytes %q, want %q", size, parts.String(), whole.String())
		}
	}
}

// quoteYAML returns a text as a double-quoted YAML string. YAML cannot represent bytes that are not
// characters.
func quoteYAML(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r < 0x80 && !unicode.IsControl(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	return b.String()
}

// hostileStudy writes a study with terminal commands in every name and text that may contain them, and
// returns its file.
func hostileStudy(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "a"+commands)
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Skip("NOT TESTED: this file system has no such names: ", err)
	}
	var rows strings.Builder
	fmt.Fprintf(&rows, "x%s,y,class\n", commands)
	for i := range 60 {
		fmt.Fprintf(&rows, "%d.5,level%d%s,%c%s\n", i%7, i%3, commands, 'a'+rune(i%2), commands)
	}
	level := strings.ReplaceAll(commands, "\r", "") // the one that levels may not have
	study := fmt.Sprintf(`study: small
title: "A %[1]s study"
source: "%[1]s"
seed: 3
replicates: 2
design: {n: [30, 40], noise: {"one%[3]s": 0, two: 0.1}}
data:
  csv: "%[2]s/rows%[1]s.csv"
  holdout: 0.2
  train: {n: $n}
  flip: $noise
classifiers:
  - {id: nb, classifier: nb, label: "Bayes%[1]s"}
  - {id: mine, classifier: external, command: [sh, m.sh], files: [m.sh]}
report:
  tables: [{name: small, rows: [n, noise]}]
  figures: [{name: box, panel: [n]}]
  labels: {"noise=one%[3]s": "first%[1]s"}
`, quoteYAML(commands), quoteYAML(folder), quoteYAML(level))
	greeting := `{"protocol":"external/1","kind":"classifier","name":"m` + quoteYAML(commands) +
		`","version":"1","capabilities":{"discrete":true}}`
	script := fmt.Sprintf("printf '%%s %%s\\n' \"$COPSE_TOKEN\" '%s'\nread request\necho 'fallen %s' >&2\nexit 1\n",
		greeting, commands)
	file := filepath.Join(folder, "study"+commands+".yaml")
	for name, text := range map[string]string{file: study, filepath.Join(folder, "m.sh"): script,
		filepath.Join(folder, "rows"+commands+".csv"): rows.String()} {
		filetest.Write(t, name, text)
	}
	return file
}

// No verb lets a terminal interpret names or texts of data, studies, files and other programs, whether it
// succeeds or fails.
func TestNothingCommandsTheTerminal(t *testing.T) {
	file := hostileStudy(t)
	folder := filepath.Dir(file)
	dir := filepath.Join(folder, "r"+commands)
	rows := filepath.Join(folder, "rows"+commands+".csv")
	says := func(want int, args ...string) string {
		t.Helper()
		code, out, errOut := copse(args...)
		if found := obeyed(out + errOut); found != "" {
			t.Errorf("copse %.30q: %s", args, found)
		}
		if code != want {
			t.Errorf("copse %.30q: exit %d, want %d\n%s%s", args, code, want, out, errOut)
		}
		return out + errOut
	}
	says(0, "check", file, "--out", dir, "--pilot", "0s")
	says(2, "check", file, "--out", dir, "--set", commands+"=1")
	says(2, "check", file+commands)
	says(2, "check", file, "--"+commands)
	says(2, commands)
	says(2, "try", "/bin/false"+commands)
	says(1, "try", file)
	texttest.Contains(t, says(1, "run", file, "--out", dir), "fits failed")
	says(1, "run", file, "--out", dir, "--retry-failed", "--fail-fast")
	texttest.Contains(t, says(1, "status", dir), "fallen")
	says(0, "report", dir)
	says(0, "index", dir, "--out", filepath.Join(folder, "index"+commands+".html"))
	says(0, "verify", dir)
	says(2, "status", dir+commands)
	says(1, "submit", "slurm", file, "--out", dir, "--tasks", "2")
	says(1, "classify", "--classifier", "lda", "--train", rows, "--test", rows+commands)
	says(1, "repro", dir, commands+"/1")
	for _, name := range []string{"tables/small.md", "stray" + commands} {
		filetest.Write(t, filepath.Join(dir, name), commands)
	}
	says(1, "verify", dir)
	for _, name := range []string{"study.yaml", "manifest.json", "records.csv"} {
		filetest.Write(t, filepath.Join(dir, name), commands)
		for _, verb := range []string{"status", "report", "verify"} {
			if _, out, errOut := copse(verb, dir); obeyed(out+errOut) != "" {
				t.Errorf("%s of a broken %s: %s", verb, name, obeyed(out+errOut))
			}
		}
	}
}

// Output for programs keeps every byte. On a terminal, control characters are displayed.
func TestDocumentsKeepTheirBytes(t *testing.T) {
	file := hostileStudy(t)
	rows := filepath.Join(filepath.Dir(file), "rows"+commands+".csv")
	attempt(t, "classify", "--classifier", "nb", "--train", rows, "--test", rows).prints("a" + commands)
}
