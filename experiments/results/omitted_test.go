package results_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/experiments/results"
	"copse/internal/filetest"
	"copse/internal/toys"
)

// runManifest runs a study in a folder and returns the manifest of the folder.
func runManifest(t *testing.T, dir, text string, overrides ...string) *results.Manifest {
	t.Helper()
	toys.RunIn(t, toys.Load(t, text, overrides...), dir)
	return toys.Open(t, dir).Manifest
}

// checkOmitted compares the omitted results and the largest replicate of a manifest with expected values.
func checkOmitted(t *testing.T, m *results.Manifest, most int, want ...string) {
	t.Helper()
	if got := results.OmittedInWords(m.Omitted); !slices.Equal(got, want) || m.MostReplicates() != most {
		t.Errorf("omitted %q with at most %d replicates, want %q and %d", got, m.MostReplicates(), want, most)
	}
}

// removeJournals removes the journals of a folder, as version control brings it.
func removeJournals(t *testing.T, dir string) {
	t.Helper()
	filetest.Remove(t, filepath.Join(dir, "journal"))
}

// A session that was interrupted before it computed more replicates does not change the history of the study.
func TestHistoryOfInterruptedSession(t *testing.T) {
	dir := t.TempDir()
	runManifest(t, dir, toys.Study, "replicates=2")
	startOnly(t, dir, "replicates=500")
	m := runManifest(t, dir, toys.Study, "replicates=2")
	checkOmitted(t, m, 0)
	if list := m.Extensions(); list != nil {
		t.Errorf("extensions %q", list)
	}
}

// Replicates of other cells do not count as replicates of the study.
func TestReplicatesOfOtherCells(t *testing.T) {
	dir := t.TempDir()
	runManifest(t, dir, toys.Study, "replicates=3", "design.n=20")
	m := runManifest(t, dir, toys.Study, "replicates=2", "design.n=40")
	checkOmitted(t, m, 0, "18 results of other cells (n = 20)")
}

// The manifest still counts omitted results after their journals have been removed, even if the study changes or
// omits more results. If the study includes results again, the manifest does not count them.
func TestOmittedResultsWithoutJournals(t *testing.T) {
	dir := t.TempDir()
	runManifest(t, dir, toys.Study, "replicates=3")
	checkOmitted(t, runManifest(t, dir, toys.Study, "replicates=2"), 3, "12 results of replicates above 2")
	removeJournals(t, dir)
	checkOmitted(t, runManifest(t, dir, "title: Hello\n"+toys.Study, "replicates=2"), 3,
		"12 results of replicates above 2")
	removeJournals(t, dir)
	checkOmitted(t, runManifest(t, dir, toys.Study, "replicates=1"), 3, "24 results of replicates above 1")
	two := strings.Replace(toys.Study, "coin, ", "", 1)
	checkOmitted(t, runManifest(t, dir, two, "replicates=1"), 3, "16 results of replicates above 1",
		"12 results of coin, which the study no longer has")
	removeJournals(t, dir)
	checkOmitted(t, runManifest(t, dir, toys.Study, "replicates=3"), 0)
}

// The reason for omitted results is true for excluded cells and renamed classifiers. A long list of reasons ends
// with the number of the other results.
func TestReasonsOfOmittedResults(t *testing.T) {
	dir := t.TempDir()
	runManifest(t, dir, toys.Study, "replicates=1")
	checkOmitted(t, runManifest(t, dir, toys.Study+"exclude: [{n: 20, balance: balanced}]\n", "replicates=1"), 0,
		"3 results of cells that are not in the study")
	renamed := strings.Replace(toys.Study, "coin,", "{classifier: coin, id: penny},", 1)
	checkOmitted(t, runManifest(t, dir, renamed, "replicates=1"), 0,
		"4 results of coin, which has the settings of penny")
	runManifest(t, dir, toys.Study, "replicates=1", "design.n=20,21,22,23,24,25,26,27,28,29")
	got := results.OmittedInWords(runManifest(t, dir, toys.Study, "replicates=1", "design.n=20").Omitted)
	if len(got) != 7 || got[6] != "26 other results" {
		t.Errorf("omitted %q", got)
	}
}
