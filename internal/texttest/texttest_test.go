package texttest

import (
	"fmt"
	"testing"
)

// A recorder records the reports of a test.
type recorder struct {
	testing.TB
	reports []string
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.reports = append(r.reports, fmt.Sprintf(format, args...))
}

func TestChecks(t *testing.T) {
	for name, check := range map[string]struct {
		f    func(testing.TB)
		want string // the reports
	}{
		"passes": {func(t testing.TB) {
			Contains(t, "a caption", "a", "caption")
			Lacks(t, "a caption", "b", "captions")
			ContainsIf(t, true, "a caption", "cap")
			ContainsIf(t, false, "a caption", "cup")
		}, `[]`},
		"fails": {func(t testing.TB) {
			Contains(t, "a caption", "b", "a", "c d")
			Case(t, 1).Lacks("a caption", "b", "a", "cap")
			Case(t, "x").ContainsIf(true, "a caption", "b")
			ContainsIf(t, false, "a caption", "a")
		}, `["no \"b\" in a caption" "no \"c d\" in a caption" "1: unwanted \"a\" in a caption" ` +
			`"1: unwanted \"cap\" in a caption" "x: no \"b\" in a caption" "unwanted \"a\" in a caption"]`},
	} {
		var r recorder
		check.f(&r)
		if got := fmt.Sprintf("%q", r.reports); got != check.want {
			t.Errorf("%s: reports %s\nwant %s", name, got, check.want)
		}
	}
}
