package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"copse/internal/filetest"
)

// plot draws every kind of figure from the records of a folder into another folder, with its caption. It does
// not change the folder. The error for a mistake names the option.
func TestPlot(t *testing.T) {
	t.Chdir(t.TempDir())
	file := writeStudy(t, smallStudy)
	succeed(t, "run", file, "--out", "r")
	before := filetest.Read(t, filepath.Join("r", "outputs.sha256"))
	for _, args := range [][]string{
		{"box", "panel=n", "where=n=30"}, {"line", "x=n", "excess=true"}, {"cd"}, {"differences", "width=column"},
		{"heat", "shown=rank"},
		{"nested", "width=120"}, {"pareto", "per_row=1"},
	} {
		code, out, errOut := copse(append([]string{"plot", "r"}, append(args, "--out", "plots", "--format",
			"svg,pdf")...)...)
		if code != 0 {
			t.Errorf("%q: exit %d, %s", args, code, errOut)
			continue
		}
		for _, format := range []string{"svg", "pdf"} {
			path := filepath.Join("plots", args[0]+"."+format)
			if info, err := os.Stat(path); err != nil || info.Size() == 0 || !strings.Contains(out, path) {
				t.Errorf("%q: %v, reported %q", args, err, out)
			}
		}
		if len(strings.TrimSpace(out)) < 100 {
			t.Errorf("%q: no caption: %q", args, out)
		}
	}
	attempt(t, "plot", "r", "box", "--out", "plots").prints().lacks("remark")
	succeed(t, "run", writeStudy(t, smallStudy+"  labels: {n: 行}\n"), "--out", "labelled")
	attempt(t, "plot", "labelled", "box", "--out", "plots").prints(
		"remark: the font of the figures lacks some characters of the labels: 行")
	for want, args := range map[string][]string{
		"unknown value \"boxes\"; did you mean \"box\"": {"boxes"},
		"per_row=x: ": {"box", "per_row=x"},
		"unknown key of a figure; did you mean \"panel\"": {"box", "panell=n"},
		"write the option as KEY=VALUE":                   {"box", "panel"},
		"no factor \"m\"":                                 {"box", "panel=m"},
		"width=9 miles: ":                                 {"box", "width=9 miles"},
		"is inside the results folder":                    {"box", "--out", "r/figures"},
		`--format "": the formats are svg`:                {"box", "--format", ""},
		"figures of kind `box` do not use `bins`":         {"box", "bins=5"},
	} {
		attempt(t, append([]string{"plot", "r"}, args...)...).fails(exitUsage, want)
	}
	if after, err := os.ReadFile(filepath.Join("r", "outputs.sha256")); err != nil || string(after) != before {
		t.Errorf("the list of outputs changed: %v", err)
	}
}
