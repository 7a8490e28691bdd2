package errtest

import (
	"errors"
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
	err := errors.New("begin, middle, end")
	for name, check := range map[string]struct {
		f    func(testing.TB)
		want string // the reports
	}{
		"passes": {func(t testing.TB) {
			Contains(t, err, "middle", "end")
			HasPrefix(t, err, "begin")
			Case(t, "x").HasSuffix(err, "end")
			Equal(t, err, "begin, middle, end")
			Match(t, err, "middle")
			Match(t, nil, "")
		}, `[]`},
		"nil": {func(t testing.TB) {
			Contains(t, nil, "a", "b")
			HasPrefix(t, nil, "")
			Case(t, "x").HasSuffix(nil, "")
			Equal(t, nil, "")
			Match(t, nil, "a")
		}, `["error <nil>, want a message that contains \"a\"" "error <nil>, want a message that contains \"b\"" ` +
			`"error <nil>, want a message that begins with \"\"" ` +
			`"x: error <nil>, want a message that ends with \"\"" ` +
			`"error <nil>, want a message that is \"\"" "error <nil>, want a message that contains \"a\""]`},
		"another error": {func(t testing.TB) {
			Contains(t, err, "middle", "x")
			HasPrefix(t, err, "middle")
			Case(t, "x").HasSuffix(err, "middle")
			Equal(t, err, "begin")
			Match(t, err, "")
		}, `["error begin, middle, end, want a message that contains \"x\"" ` +
			`"error begin, middle, end, want a message that begins with \"middle\"" ` +
			`"x: error begin, middle, end, want a message that ends with \"middle\"" ` +
			`"error begin, middle, end, want a message that is \"begin\"" "error begin, middle, end, want none"]`},
	} {
		var r recorder
		check.f(&r)
		if got := fmt.Sprintf("%q", r.reports); got != check.want {
			t.Errorf("%s: reports %s\nwant %s", name, got, check.want)
		}
	}
}
