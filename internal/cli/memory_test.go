package cli

import (
	"fmt"
	"path/filepath"
	"regexp"
	"testing"

	"copse/experiments/config"
	"copse/internal/filetest"
)

// The memory of a trial that check expects agrees with the memory that a run measures for its first trial,
// within a factor of 2. The cases are dominated by features of all folds together, of one fold at a time or
// of a fit without folds, by kernel values, or by the data. Thresholds that keep few pairs are excluded:
// without errors there, the others would not be tried.
func TestExpectedMemoryIsMeasured(t *testing.T) {
	if testing.Short() {
		t.Skip("fits of seconds each")
	}
	expected := regexp.MustCompile(`memory: (\S+ [MG]B) per worker for the largest trial \(m at n=\d+; estimated\)`)
	took := regexp.MustCompile(`the first trial took (\S+ [MG]B)`)
	for _, c := range []struct {
		classifier string
		n, d       int
	}{{"slb", 200, 60}, {"slb, quantiles: [0, 0.5]", 300, 100}, {"slb-", 300, 100}, {"svm", 3000, 5},
		{"5nn", 20000, 20}} {
		study := writeStudy(t, fmt.Sprintf(`study: memory
seed: 1
replicates: 2
design: {n: [20, %d]}
data:
  generator: {name: forest, d: %d}
  train: {n: $n}
  test: {n: 100}
classifiers:
  - {id: m, classifier: %s}
`, c.n, c.d, c.classifier))
		bytes := func(found []string, text string) float64 {
			t.Helper()
			if found == nil {
				t.Fatalf("no memory in\n%s", text)
			}
			n, err := config.ParseBytes(found[1])
			if err != nil {
				t.Fatal(err)
			}
			return float64(n)
		}
		_, out, _ := copse("check", study, "--pilot", "0")
		want := bytes(expected.FindStringSubmatch(out), out)
		_, _, said := copse("run", study, "--out", filepath.Join(t.TempDir(), "results"), "-j", "2", "--memory", "20GB")
		got := bytes(took.FindStringSubmatch(said), said)
		if t.Logf("%s, n = %d, d = %d: expected %.0f MB, measured %.0f MB", c.classifier, c.n, c.d, want/1e6,
			got/1e6); got > 2*want || want > 2*got {
			t.Errorf("%s, n = %d, d = %d: expected %g bytes, measured %g", c.classifier, c.n, c.d, want, got)
		}
	}
}

// The expected memory includes the indicators of a discrete attribute if the classifier or a step of prepare makes
// them.
func TestExpectedMemoryIncludesIndicators(t *testing.T) {
	const rows, levels = 1000, 250
	dir := t.TempDir()
	table := "level,x,class\n"
	for i := range rows {
		table += fmt.Sprintf("l%d,%d.5,c%d\n", i%levels, i, i%2)
	}
	data := filepath.Join(dir, "levels.csv")
	filetest.Write(t, data, table)
	expected := regexp.MustCompile(`memory: (\S+ MB) per worker`)
	for classifier, makesIndicators := range map[string]bool{
		"{classifier: rf, trees: 2}":                      true,
		"{classifier: lda, prepare: [{encode: dummy}]}":   true,
		"{classifier: nb, bandwidth: normal-reference}":   false,
		"{classifier: lda, prepare: [{encode: ordinal}]}": false,
	} {
		study := filepath.Join(dir, "study.yaml")
		text := "study: levels\nseed: 1\nreplicates: 1\ndata: {csv: " + data + ", holdout: 0.25}\n" +
			"classifiers: [" + classifier + "]\n"
		filetest.Write(t, study, text)
		_, out, said := copse("check", study, "--pilot", "0")
		found := expected.FindStringSubmatch(out)
		if found == nil {
			t.Fatalf("%s: no memory in\n%s%s", classifier, out, said)
		}
		bytes, err := config.ParseBytes(found[1])
		if err != nil {
			t.Fatal(err)
		}
		const least, indicators = 8 << 20, 8 * rows * levels
		if (bytes > least+indicators) != makesIndicators {
			t.Errorf("%s: expected %s, with indicators: %v", classifier, found[1], makesIndicators)
		}
	}
}
