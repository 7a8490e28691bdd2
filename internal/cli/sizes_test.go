package cli

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/internal/filetest"
	"copse/internal/randtest"
)

// noiseSets writes data sets with the given number of rows and two classes, whose means in the first of three
// columns differ by apart. It returns the names of the sets.
func noiseSets(t *testing.T, dir string, count, rows int, apart float64) []string {
	t.Helper()
	rng := randtest.New(29)
	var names []string
	for k := range count {
		text := "a,b,c,class\n"
		for i := range rows {
			y := i % 2
			text += fmt.Sprintf("%.6f,%.6f,%.6f,%d\n", rng.NormFloat64()+apart*float64(y), rng.NormFloat64(),
				rng.NormFloat64(), y)
		}
		names = append(names, fmt.Sprintf("s%03d.csv", k))
		filetest.Write(t, filepath.Join(dir, names[k]), text)
	}
	return names
}

// significantRows runs a study with 10 x 5 folds of each data set, from YAML to the CSV of the table. It
// returns the share of rows with a significant test.
func significantRows(t *testing.T, count, rows int, apart float64, classifiers string) float64 {
	t.Helper()
	t.Chdir(t.TempDir())
	sets := strings.Join(noiseSets(t, ".", count, rows, apart), ", ")
	study := "study: aa\nseed: 4\ndesign: {set: [" + sets +
		"]}\ndata: {csv: $set, folds: 5, repeats: 10}\nclassifiers: " + classifiers +
		"\nreport: {tables: [{name: each, rows: [set]}]}\n"
	filetest.Write(t, "aa.yaml", study)
	succeed(t, "run", "aa.yaml", "--out", "aa")
	f, err := os.Open("aa/tables/each.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	tests, significant := 0, 0
	for _, line := range lines[1:] {
		switch line[slices.Index(lines[0], "test")] {
		case "NA":
			continue
		case "corrected-t":
		default:
			t.Fatalf("another test: %q", line)
		}
		tests++
		if bold := line[slices.Index(lines[0], "bold")]; bold == "false" {
			significant++
		}
	}
	if tests != count {
		t.Fatalf("%d tests of %d sets", tests, count)
	}
	return float64(significant) / float64(tests)
}

// Corrected t tests over repeated folds, from the study file to the table: if labels are independent of the
// columns, no classifier is better, and the test rarely rejects. Otherwise, it finds the difference.
func TestSizeFromStudyToTable(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT TESTED: the level of the corrected t test end to end, which takes thousands of fits")
	}
	const count, level = 80, 0.05
	size := significantRows(t, count, 60, 0, "[{classifier: 5nn, id: few, k: 3}, {classifier: 5nn, id: many, k: 11}]")
	power := significantRows(t, 20, 300, 1, "[lda, {classifier: 5nn, id: one, k: 1}]")
	t.Logf("corrected t over 10 x 5 folds: significant in %.1f%% of %d data sets of noise, in %.1f%% of 20 others of "+
		"300 rows", 100*size, count, 100*power)
	if size > level+3*math.Sqrt(level*(1-level)/count) {
		t.Errorf("%.1f%% of the data sets of noise have a significant difference", 100*size)
	}
	if power < 0.5 {
		t.Errorf("LDA is better than the nearest neighbour in %.1f%% only", 100*power)
	}
}
