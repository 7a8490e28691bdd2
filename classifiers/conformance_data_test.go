package classifiers

import (
	"runtime/debug"
	"strings"
	"testing"

	"copse/internal/randtest"
	"copse/stats"
	"copse/stats/dataset"
)

// far returns the rows of s, multiplied by 1000.
func far(s *dataset.Set) *dataset.Set {
	distant := s.Subset(stats.Indices(s.N()))
	distant.X.Scale(1e3, distant.X)
	return distant
}

// tryFit fits a fresh recipe. A panic fails the test, and so does an error that
// does not begin with the classifier's name.
func tryFit(t *testing.T, spec Spec, train *dataset.Set) (rule *Rule, err error) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("Fit panics: %v\n%s", r, debug.Stack())
		}
	}()
	rule, err = Fit(t.Context(), spec.New(), train, randtest.New(1))
	if err != nil && !strings.HasPrefix(err.Error(), spec.Name+": ") {
		t.Errorf("the error does not begin with the classifier's name: %v", err)
	}
	return rule, err
}

func fit(t *testing.T, spec Spec, train *dataset.Set) *Rule {
	t.Helper()
	rule, err := tryFit(t, spec, train)
	if err != nil {
		t.Fatal(err)
	}
	return rule
}

func lookup(t testing.TB, name string) Spec {
	t.Helper()
	spec, ok := Registry.Lookup(name)
	if !ok {
		t.Fatalf("%s is not registered", name)
	}
	return spec
}
