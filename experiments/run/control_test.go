package run_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"copse/classifiers"
	"copse/internal/toys"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
)

// An A/A study compares a classifier with itself under another name, which differs only in its random stream.
// The paired test rejects as often as its level states.
func TestAgainstItself(t *testing.T) {
	if testing.Short() {
		t.Skip("NOT TESTED: the level of the paired test, which takes thousands of fits")
	}
	const cells, couples, replicates, level = 100, 4, 15, 0.05
	var shifts, coins []string
	for i := range cells {
		shifts = append(shifts, fmt.Sprint(float64(i)/cells))
	}
	for i := range couples {
		coins = append(coins, fmt.Sprintf("{id: a%d, classifier: coin}, {id: b%d, classifier: coin}", i, i))
	}
	text := fmt.Sprintf("study: aa\nseed: 1\nreplicates: %d\ndesign: {shift: [%s]}\nclassifiers: [%s]\n"+
		"data: {generator: {name: toy, shift: $shift}, train: {n: 20}, test: {n: 60}}\n",
		replicates, strings.Join(shifts, ", "), strings.Join(coins, ", "))
	s, dir := toys.Load(t, text), t.TempDir()
	toys.RunIn(t, s, dir)
	tests, significant := 0, 0
	for _, cell := range toys.Records(t, dir).Cells() {
		for i := range couples {
			pairs, err := cell.Pairs(metrics.ErrorRate, fmt.Sprint("a", i), fmt.Sprint("b", i))
			if err != nil {
				t.Fatal(err)
			}
			test, err := stats.SignedRankOf(pairs.Differences(), stats.TwoSided, false)
			if err != nil {
				t.Fatal(err)
			}
			tests++
			if test.P <= level {
				significant++
			}
		}
	}
	rate, mcse := float64(significant)/cells/couples, math.Sqrt(level*(1-level)/cells/couples)
	if tests != cells*couples || math.Abs(rate-level) > 3*mcse {
		t.Errorf(
			"%d of %d tests are significant, %.3f; want %.2f within three times %.3f",
			significant,
			tests,
			rate,
			level,
			mcse,
		)
	}
	t.Logf("%d of %d tests are significant at %g", significant, tests, level)
}

// Every classifier of the registry stops a fit at its time limit. The fit becomes a failed record.
func TestTimeLimitOfEveryClassifier(t *testing.T) {
	var names []string
	for _, spec := range classifiers.Registry {
		if !strings.Contains("centroid coin faulty hoarder", spec.Name) { // those of the tests
			names = append(names, spec.Name)
		}
	}
	text := strings.Replace(toys.Study, "centroid, coin, oracle", strings.Join(names, ", "), 1) + "time_limit: 1ns\n"
	s, dir := toys.Load(t, text, "replicates=1", "design.n=20"), t.TempDir()
	toys.RunIn(t, s, dir)
	rows := toys.Records(t, dir)
	if len(rows.Rows) != 2*len(names) || len(names) < 20 {
		t.Errorf("%d records of %d classifiers", len(rows.Rows), len(names))
	}
	for _, r := range rows.Rows {
		if r.Status != records.Failed || r.Message != "time limit of 1ns exceeded" {
			t.Errorf("%s: %s, %q", r.Classifier, r.Status, r.Message)
		}
	}
}
