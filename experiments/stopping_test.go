package experiments

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"copse/experiments/config"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/stats"
	"copse/stats/metrics"
	"copse/stats/records"
)

const stoppingStudy = `study: stopping
seed: 9
replicates: {min: 4, max: 60, batch: 4, until: {mcse_difference: 0.02}}
design: {rows: [40, 640]}
data: {generator: {name: toy}, train: {n: 20}, test: {n: $rows}}
classifiers: [{id: a, classifier: coin}, {id: b, classifier: coin}]
`

// Replicates end at the first batch whose differences are precise enough, the same
// ones whether one process runs them or shards do, in any order and with breaks.
func TestStoppingRule(t *testing.T) {
	s, whole := loadText(t, stoppingStudy), t.TempDir()
	runToy(t, s, run.Options{Dir: whole})
	want := readFile(t, filepath.Join(whole, folder.Records))
	rows, err := records.ReadFile(filepath.Join(whole, folder.Records))
	if err != nil {
		t.Fatal(err)
	}
	var realised []int
	for _, c := range rows.Cells() {
		p, err := c.Pairs(metrics.ErrorRate, "a", "b")
		if err != nil {
			t.Fatal(err)
		}
		n := len(p.X)
		realised = append(realised, n)
		mcse := func(n int) float64 {
			d := make([]float64, n)
			for i := range d {
				d[i] = p.X[i] - p.Y[i]
			}
			return stats.Summarize(d).MCSE
		}
		if n%4 != 0 || mcse(n) > 0.02 && n < 60 || n > 4 && mcse(n-4) <= 0.02 {
			t.Errorf("cell %v stops at %d with %v, %v a batch before", c.Levels, n, mcse(n), mcse(max(n-4, 2)))
		}
	}
	if len(realised) != 2 || realised[0] <= realised[1] {
		t.Errorf("%v replicates: the smaller test set wants more", realised)
	}
	shards := t.TempDir()
	for round := 0; ; round++ {
		for _, k := range []int{2, 1} {
			if _, err := run.Run(context.Background(), nil, s, run.Options{Dir: shards, Shard: run.Shard{Index: k, Count: 2}}); err != nil {
				t.Fatal(err)
			}
		}
		l, err := results.Read(shards, s.Name, s.Seed)
		if err != nil {
			t.Fatal(err)
		}
		if p := run.NewPlan(l, s, false); len(p.Tasks) == 0 {
			break
		} else if round > 20 {
			t.Fatalf("%d tasks are left after %d rounds", len(p.Tasks), round)
		}
	}
	if err := results.Collect(shards, s); err != nil {
		t.Fatal(err)
	}
	if got := readFile(t, filepath.Join(shards, folder.Records)); got != want {
		t.Errorf("two shards give\n%s\none process\n%s", got, want)
	}
	l, err := results.Read(whole, s.Name, s.Seed)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range s.Cells {
		n, ok := run.Needed(l, s, c)
		if !ok || math.Abs(float64(n.Replicates-realised[i])) > 12 || n.Bound < n.Replicates {
			t.Errorf("cell %d: the results ask for %+v replicates, there are %d", i, n, realised[i])
		}
	}
}

// What the first batch asks for is the same whether it ran in memory or is there.
func TestPilotNeeds(t *testing.T) {
	s, dir := loadText(t, stoppingStudy), t.TempDir()
	needs, replicates := run.PilotNeeds(s, time.Minute)
	if len(needs) != len(s.Cells) || replicates != s.Stop.Min {
		t.Fatalf("%d needs of %d replicates", len(needs), replicates)
	}
	first := loadText(t, stoppingStudy, fmt.Sprintf("replicates=%d", s.Stop.Min))
	runToy(t, first, run.Options{Dir: dir})
	l, err := results.Read(dir, s.Name, s.Seed)
	if err != nil {
		t.Fatal(err)
	}
	want := map[run.Need]int{}
	for _, c := range s.Cells {
		n, ok := run.Needed(l, s, c)
		if !ok {
			t.Fatalf("nothing is known of cell %s", c.ID)
		}
		want[n]++
	}
	for _, n := range needs {
		want[n]--
	}
	for n, left := range want {
		if left != 0 {
			t.Errorf("%+v: %d too many", n, left)
		}
	}
	if needs, _ := run.PilotNeeds(first, time.Minute); needs != nil {
		t.Errorf("without a rule %v", needs)
	}
}

func TestStoppingRuleMistakes(t *testing.T) {
	for want, change := range map[string][2]string{
		"replicates.max: 60, less than min 400":  {"min: 4,", "min: 400,"},
		"replicates.until.mcse_difference":       {"{mcse_difference: 0.02}", "{}"},
		"replicates.batch":                       {"batch: 4, ", ""},
		"are folds or splits: give their number": {"train: {n: 20}, test: {n: $rows}", "sample: {n: $rows}, folds: 5"},
	} {
		_, err := study.Parse("study.yaml", []byte(strings.Replace(stoppingStudy, change[0], change[1], 1)), nil, nil)
		if !errors.Is(err, config.ErrConfig) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
