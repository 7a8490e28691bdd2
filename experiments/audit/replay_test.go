package audit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"copse/classifiers"
	"copse/experiments/audit"
	"copse/experiments/results"
	"copse/generators"
	"copse/internal/errtest"
	"copse/internal/toys"
	"copse/stats/records"
)

func openArchive(t *testing.T, dir string) *audit.Archive {
	t.Helper()
	return audit.NewArchive(toys.Open(t, dir))
}

func replay(t *testing.T, dir string, key audit.Key) *audit.Replay {
	t.Helper()
	r, err := openArchive(t, dir).Replay(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// differences joins all differences that a replay found.
func differences(r *audit.Replay) string {
	list := slices.Clone(r.DataDifferences)
	for _, x := range r.Results {
		list = append(list, x.Differences...)
	}
	return strings.Join(append(list, r.Why...), "; ")
}

// A replay gives every row again, bit for bit, including rows of earlier sweeps. It works in a folder in use,
// in a clone and in a zipped folder.
func TestReplayEveryRow(t *testing.T) {
	dir := t.TempDir()
	for _, levels := range [][]string{{"design.n=20"}, {"design.n=30", "design.balance=imbalanced"}, {"design.n=40"}} {
		assignments := append(levels, "replicates=2", "classifiers.centroid.axis=2")
		toys.RunIn(t, toys.Load(t, toys.Study, assignments...), dir)
	}
	for name, folder := range map[string]string{"journal": dir, "clone": toys.Clone(t, dir, false),
		"zipped": toys.Clone(t, dir, true)} {
		t.Run(name, func(t *testing.T) {
			a := openArchive(t, folder)
			want := (2 + 1 + 2) * 2
			if name != "journal" { // records are of the last study alone
				want = 2 * 2
			}
			if len(a.Trials()) != want {
				t.Fatalf("%d trials, want %d", len(a.Trials()), want)
			}
			for _, stored := range a.Trials() {
				r := replay(t, folder, audit.Key{Cell: stored.Cell[:6], Replicate: stored.Replicate})
				if r.Differs() || len(r.Results) != 3 || len(r.Results[0].Now.Labels) != 60 {
					t.Errorf("%s: %s", r.Levels, differences(r))
				}
			}
		})
	}
}

// The study no longer names a metric of the stored results: the replay computes it all the same.
func TestReplayComputesEveryStoredMetric(t *testing.T) {
	dir := t.TempDir()
	withMetric := strings.Replace(toys.Study, "seed: 42\n", "seed: 42\nmetrics: [auc]\n", 1)
	for _, text := range []string{withMetric, toys.Study} {
		toys.RunIn(t, toys.Load(t, text, "replicates=1"), dir)
	}
	a := openArchive(t, dir)
	for _, stored := range a.Trials() {
		r := replay(t, dir, audit.Key{Cell: stored.Cell, Replicate: stored.Replicate})
		hasMetric := func(x audit.Replayed) bool { return len(x.Stored.Metrics) > 0 }
		if !slices.ContainsFunc(r.Results, hasMetric) {
			t.Fatal("no stored result has a metric")
		}
		if r.Differs() {
			t.Error(differences(r))
		}
	}
}

func TestReplayNamesTheCause(t *testing.T) {
	s, dir := toys.Load(t, toys.Study, "replicates=1"), t.TempDir()
	toys.RunIn(t, s, dir)
	cell := s.Cells[0].ID
	coin := slices.IndexFunc(classifiers.Registry, func(s classifiers.Spec) bool { return s.Name == "coin" })
	toy := slices.IndexFunc(generators.Registry, func(s generators.Spec) bool { return s.Name == "toy" })
	cases := []struct {
		name  string
		spoil func(text string) string // of the journal; nil: none
		bump  *int
		want  []string
	}{
		{
			"classifier", nil, &classifiers.Registry[coin].Version,
			[]string{"the stored results belong to the recipe coin/1{}, but this version of copse computes coin/2{}"},
		},
		{
			"generator", nil, &generators.Registry[toy].Version,
			[]string{
				"the stored results belong to the recipe generator=toy/1{d=3,shift=1};train=[10 10];test=[30 30], " +
					"but this version of copse computes generator=toy/2{d=3,shift=1}",
			},
		},
		{
			"row", toys.OneError, nil,
			[]string{"errors ", ", stored ", "confusion matrix ", "Either the stored result was edited"},
		},
		{
			"data", func(s string) string { return strings.ReplaceAll(s, `"data":"`, `"data":"f`) }, nil,
			[]string{"fingerprint ", ", stored f", "Either the stored result was edited"},
		},
		{"platform", func(s string) string {
			return strings.ReplaceAll(toys.OneError(s), `"arch":"`, `"arch":"un`)
		}, nil, []string{"ber 0.", "platform: architecture \"" + results.ThisPlatform().Arch}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			folder := toys.Clone(t, dir, false)
			if c.spoil != nil {
				folder = t.TempDir()
				toys.CopyJournal(t, dir, folder, c.spoil)
			}
			if c.bump != nil {
				*c.bump++
				defer func() { *c.bump-- }()
			}
			r := replay(t, folder, audit.Key{Cell: cell, Replicate: 1})
			for _, want := range c.want {
				if got := differences(r); !r.Differs() || !strings.Contains(got, want) {
					t.Errorf("%s\nlacks %s", got, want)
				}
			}
		})
	}
}

// Failures replay as the same failures; a panic shows where it happened.
func TestReplayFailures(t *testing.T) {
	s, dir := toys.Load(t, toys.FaultyStudy), t.TempDir()
	toys.RunIn(t, s, dir)
	r := replay(t, dir, audit.Key{Cell: s.Cells[0].ID, Replicate: 2})
	if r.Differs() || len(r.Results) != 7 {
		t.Errorf("%d results: %s", len(r.Results), differences(r))
	}
	r = replay(t, dir, audit.Key{Cell: s.Cells[0].ID, Replicate: 2, Classifier: "panic"})
	if len(r.Results) != 1 || !strings.Contains(r.Results[0].Now.Stack, "toys.go") {
		t.Errorf("stack of the panic: %+v", r.Results)
	}
	// If a fit exceeded its time limit only before, the replay names the cause and requests no report.
	other := t.TempDir()
	toys.CopyJournal(t, dir, other, func(s string) string {
		return strings.NewReplacer(`"status":"failed"`, `"status":"ok"`, "time limit of 200ms exceeded", "",
			`,"cause":"time limit"`, "").
			Replace(s)
	})
	r = replay(t, other, audit.Key{Cell: s.Cells[0].ID, Replicate: 2, Classifier: "hang"})
	if text := differences(r); !strings.Contains(text, "whether a fit exceeds a time or memory limit") ||
		strings.Contains(text, "please report this") || !strings.Contains(text, "status failed, stored ok") ||
		strings.Contains(text, "ber ") { // a failed fit has no measures
		t.Error(text)
	}
}

func TestReplayFailedDraw(t *testing.T) {
	text := strings.NewReplacer("d: 3", "shift: 13", ", oracle", "").Replace(toys.Study)
	s, dir := toys.Load(t, text, "replicates=1"), t.TempDir()
	toys.RunIn(t, s, dir)
	if r := replay(t, dir, audit.Key{Cell: s.Cells[0].ID, Replicate: 1}); r.Differs() ||
		r.Results[0].Now.Status != records.Failed {
		t.Error(differences(r))
	}
}

func TestFindRefuses(t *testing.T) {
	s, dir := toys.Load(t, toys.Study, "replicates=1"), t.TempDir()
	toys.RunIn(t, s, dir)
	for key, want := range map[audit.Key]string{
		{Replicate: 1}:                      `cell "" is ambiguous`,
		{Cell: "zzz", Replicate: 1}:         "status " + dir + " --details` lists the cells",
		{Cell: s.Cells[0].ID, Replicate: 2}: "replicate 2",
		{Cell: s.Cells[0].ID, Replicate: 1, Classifier: "neighbour"}: "has no result for neighbour",
	} {
		_, err := openArchive(t, dir).Replay(t.Context(), key)
		errtest.Case(t, key).Contains(err, want)
	}
	for _, bad := range []string{"", "a", "a/", "a/0", "a/x", "/1", "a/1.5"} {
		_, err := audit.ParseKey(bad)
		errtest.Case(t, fmt.Sprintf("key %q", bad)).Contains(err, "copse status RESULTS --details")
	}
	if key, err := audit.ParseKey("ab12/3/slb-"); err != nil ||
		key != (audit.Key{Cell: "ab12", Replicate: 3, Classifier: "slb-"}) {
		t.Errorf("%v, %v", key, err)
	}
}
