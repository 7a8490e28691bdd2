package classifiers

import (
	"fmt"
	"strings"
	"testing"
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
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s, version %d: error %v", spec.Name, version, err)
			}
		}
	}
	if older == 0 {
		t.Error("no classifier offers an older version")
	}
}
