package classifiers

import (
	"fmt"
	"strings"
	"testing"

	"copse/internal/errtest"
)

// A study can fix every version that the registry offers, and its recipes contain the version.
func TestPinnedVersions(t *testing.T) {
	older := 0
	for _, spec := range Registry {
		first := spec.First()
		for version := first; version <= spec.Version; version++ {
			made, err := spec.NewVersion(version)
			if err != nil {
				t.Fatal(err)
			}
			if want := fmt.Sprintf("%s/%d{}", spec.Name, version); spec.Recipe(made) != want {
				t.Errorf("the recipe is %s, want %s; for a new version, run go test ./stats/recipe -run Pinned -pin",
					spec.Recipe(made), want)
			}
			if spec.VersionOf(made) != version {
				t.Errorf("%s: version %d, want %d", spec.Name, spec.VersionOf(made), version)
			}
			if version < spec.Version {
				older++
			}
		}
		for _, version := range []int{first - 1, spec.Version + 1} {
			_, err := spec.NewVersion(version)
			want := fmt.Sprintf("%d is outside [%d,%d]", version, first, spec.Version)
			errtest.Case(t, fmt.Sprintf("%s, version %d", spec.Name, version)).Contains(err, want)
		}
	}
	if older == 0 {
		t.Error("no classifier offers an older version")
	}
}

// A summary holds for all parameters, because pages and protocols print it beside the parameters of a study.
func TestSummariesHoldForAllParameters(t *testing.T) {
	for name, choices := range map[string][]string{ // values that a parameter can change
		"5nn": {"5,", "standardised"}, "knn": {"standardised"}, "svm": {"radial", "standardised", "defaults"},
		"svm-cv": {"radial", "standardised"}, "logistic": {"elastic", "cross-validation"},
		"dcc": {"all pairwise"}, "forestdens": {"unscaled"},
	} {
		spec, _ := Registry.Lookup(name)
		for _, choice := range choices {
			if strings.Contains(spec.Summary+spec.Source, choice) {
				t.Errorf("%s: the summary %q or the source %q contains %q", name, spec.Summary, spec.Source, choice)
			}
		}
	}
}
