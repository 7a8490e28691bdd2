package results_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/experiments/results"
	"copse/experiments/run"
	"copse/internal/filetest"
	"copse/internal/toys"
)

// startOnly adds a session of a study that ended before its first trial.
func startOnly(t *testing.T, dir string, overrides ...string) {
	t.Helper()
	session, err := results.NewSession(toys.Load(t, toys.Study, overrides...), nil)
	if err != nil {
		t.Fatal(err)
	}
	store(t, dir, "main", session)
}

// checkExtensions compares the extensions of a folder, without their days, with expected values.
func checkExtensions(t *testing.T, dir string, want ...string) {
	t.Helper()
	var got []string
	for _, text := range toys.Open(t, dir).Manifest.Extensions() {
		numbers, _, _ := strings.Cut(strings.TrimPrefix(text, "from "), " replicates on 20")
		got = append(got, numbers)
	}
	if !slices.Equal(got, want) {
		t.Errorf("extensions %q, want %q", got, want)
	}
}

// The extensions of a study follow from the results of its present cells. Each session is a list of assignments, and
// "stopped" means that it ended before its first trial. The extensions are the same without the journals.
func TestExtensions(t *testing.T) {
	for name, test := range map[string]struct {
		sessions [][]string
		want     []string
	}{
		"none": {[][]string{{"replicates=2"}, {"replicates=2"}}, nil},
		"two": {[][]string{{"replicates=1"}, {"replicates=2"}, {"replicates=4"}},
			[]string{"1 to 2", "2 to 4"}},
		"fewer, then as many as before": {[][]string{{"replicates=3"}, {"replicates=1"}, {"replicates=3"}}, nil},
		"after more replicates of another cell": {[][]string{{"design.n=40", "replicates=4"},
			{"design.n=20", "replicates=1"}, {"design.n=20", "replicates=2"}}, []string{"1 to 2"}},
		"one cell had more": {[][]string{{"design.n=40", "replicates=3"}, {"design.n=20", "replicates=1"},
			{"replicates=3"}}, []string{"1 to 3"}},
		"another level": {[][]string{{"design.n=20", "replicates=1"}, {"design.n=40", "replicates=2"}}, nil},
		"other data":    {[][]string{{"data.generator.d=4", "replicates=1"}, {"replicates=2"}}, nil},
		"a replaced level": {[][]string{{"design.n=20,40", "replicates=2"}, {"design.n=20,60", "replicates=3"}},
			[]string{"2 to 3"}},
		"another level before": {[][]string{{"design.n=40", "replicates=1"}, {"design.n=40", "replicates=2"},
			{"design.n=20", "replicates=2"}}, nil},
		"stopped with fewer": {[][]string{{"replicates=1", "stopped"}, {"replicates=2"}}, nil},
		"stopped with more": {[][]string{{"replicates=1"}, {"replicates=9", "stopped"}, {"replicates=2"}},
			[]string{"1 to 2"}},
		"metrics before the extension": {[][]string{{"replicates=1"}, {"replicates=2"},
			{"metrics=[auc]", "replicates=2"}},
			[]string{"1 to 2"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for _, assignments := range test.sessions {
				last := len(assignments) - 1
				if assignments[last] == "stopped" {
					startOnly(t, dir, assignments[:last]...)
				} else {
					toys.RunIn(t, toys.Load(t, toys.Study, assignments...), dir)
				}
			}
			checkExtensions(t, dir, test.want...)
			removeJournals(t, dir)
			checkExtensions(t, dir, test.want...)
			if err := toys.Open(t, dir).Collect(); err != nil {
				t.Fatal(err)
			}
			checkExtensions(t, dir, test.want...)
		})
	}
}

// A session that continues an interrupted one is no extension. If an interrupted session is followed by one with
// fewer replicates, later sessions with more replicates are extensions.
func TestExtensionsAfterInterruption(t *testing.T) {
	dir := t.TempDir()
	one := run.Options{Dir: dir, Workers: 1} // so that the order of the trials is known
	toys.Run(t, toys.Load(t, toys.Study, "replicates=6"), one)
	path := filepath.Join(dir, "journal", "main.jsonl")
	lines := strings.SplitAfter(filetest.Read(t, path), "\n")
	interrupted := strings.Join(lines[:4], "") // the session and three trials
	incomplete := strings.Join(slices.Delete(slices.Clone(lines), 2, 3), "")
	for name, test := range map[string]struct {
		journal    string
		replicates []string
		want       []string
	}{
		"continued": {interrupted, []string{"replicates=6"}, nil},
		"reduced": {interrupted, []string{"replicates=2", "replicates=3", "replicates=5"},
			[]string{"2 to 3", "3 to 5"}},
		"completed with fewer": {incomplete, []string{"replicates=3", "replicates=7"}, []string{"6 to 7"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "journal", "main.jsonl")
			filetest.Write(t, path, test.journal)
			for _, replicates := range test.replicates {
				toys.RunIn(t, toys.Load(t, toys.Study, replicates), dir)
			}
			checkExtensions(t, dir, test.want...)
		})
	}
}

// A folder of an earlier version has no extensions in its manifest. Without journals, they follow from the sessions,
// and the manifest stays as it is until more results are computed.
func TestExtensionsOfEarlierVersions(t *testing.T) {
	dir := t.TempDir()
	for _, replicates := range []string{"replicates=1", "replicates=2"} {
		toys.RunIn(t, toys.Load(t, toys.Study, replicates), dir)
	}
	dropKey(t, dir, "extensions")
	if m := toys.Open(t, dir).Manifest; m.Extended != nil || !m.IsWhole() {
		t.Fatal("an earlier version would not have written this manifest")
	}
	checkExtensions(t, dir, "1 to 2")
	removeJournals(t, dir)
	toys.RunIn(t, toys.Load(t, toys.Study, "replicates=2"), dir)
	if toys.Open(t, dir).Manifest.Extended != nil {
		t.Error("the manifest lists extensions of results whose sessions are unknown")
	}
	checkExtensions(t, dir, "1 to 2")
	toys.RunIn(t, toys.Load(t, toys.Study, "replicates=3"), dir)
	checkExtensions(t, dir, "1 to 2", "2 to 3")
	removeJournals(t, dir)
	checkExtensions(t, dir, "1 to 2", "2 to 3")
}

// Changes of classifiers, factors, levels and tests after an earlier run are listed. More replicates, dropped
// classifiers and levels, versions, labels and limits are not: they do not change the tests, or other sentences
// describe them.
func TestChanges(t *testing.T) {
	small := []string{"design.n=20", "classifiers=[centroid, coin]"}
	for name, test := range map[string]struct {
		earlier, now []string
		want         []string
	}{
		"none": {nil, []string{"replicates=3", "time_limit=9s", "title=Two",
			"classifiers=[{classifier: coin, version: 1, label: C}, centroid, oracle]"}, nil},
		"fewer": {nil, []string{"design.n=40", "classifiers=[coin]"}, nil},
		"more": {small, []string{"design={n: [20, 40], balance: {balanced: 0.5, imbalanced: 0.75}, d: [2, 3]}",
			"data.generator.d=$d", "classifiers=[coin, oracle, faulty, centroid]"},
			[]string{"new classifiers (oracle, faulty)", "new factors (d)", "new levels of n (40)"}},
		"an excluded level": {small, []string{"exclude=[{n: 40}]", small[1]}, nil},
		"a champion": {nil, []string{"inference={champion: coin, alternative: less}"},
			[]string{"inference.alternative", "inference.champion"}},
		"tests": {[]string{"inference={alpha: 0.1, test: sign}"}, []string{"inference={alpha: 0.2}"},
			[]string{"inference.alpha", "inference.test"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			toys.RunIn(t, toys.Load(t, toys.Study, append([]string{"replicates=1"}, test.earlier...)...), dir)
			now := toys.Load(t, toys.Study, test.now...)
			if err := toys.Collect(dir, now); err != nil {
				t.Fatal(err)
			}
			m := toys.Open(t, dir).Manifest
			if got := m.Changes(now); !slices.Equal(got, test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

// In manifests from before extensions were listed, a key that was not set may have had another default.
func TestChangesOfOldManifests(t *testing.T) {
	earlier := toys.Load(t, toys.Study, "inference={alpha: 0.1}")
	session, err := results.NewSession(earlier, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := &results.Manifest{Sessions: []results.Session{*session}}
	now := toys.Load(t, toys.Study, "inference={correction: holm}")
	if got := m.Changes(now); !slices.Equal(got, []string{"inference.alpha"}) {
		t.Errorf("%q", got)
	}
}
