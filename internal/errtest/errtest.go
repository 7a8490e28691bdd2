// Package errtest checks the messages of expected errors in tests. A check that fails reports the
// error and the text that its message should have.
package errtest

import (
	"fmt"
	"strings"
	"testing"
)

// A Checker checks errors in one case of a test.
type Checker struct {
	t    testing.TB
	name string // prefix of the reports, such as "nb: "; "" if the test has no cases
}

// Case returns a checker for one case of a test. The checker's reports begin with name, such as the
// input of the case.
func Case(t testing.TB, name any) Checker { return Checker{t, fmt.Sprint(name) + ": "} }

// Contains checks that err is an error and that its message contains all parts.
func Contains(t testing.TB, err error, parts ...string) {
	t.Helper()
	Checker{t: t}.Contains(err, parts...)
}

// HasPrefix checks that err is an error and that its message begins with prefix.
func HasPrefix(t testing.TB, err error, prefix string) {
	t.Helper()
	Checker{t: t}.HasPrefix(err, prefix)
}

// Equal checks that err is an error with the message want.
func Equal(t testing.TB, err error, want string) {
	t.Helper()
	Checker{t: t}.Equal(err, want)
}

// Match checks that err is nil if part is "", and otherwise that Contains(t, err, part) holds.
func Match(t testing.TB, err error, part string) {
	t.Helper()
	Checker{t: t}.Match(err, part)
}

// Contains checks that err is an error and that its message contains all parts.
func (c Checker) Contains(err error, parts ...string) {
	c.t.Helper()
	for _, part := range parts {
		c.report(err, err != nil && strings.Contains(err.Error(), part), "contains", part)
	}
}

// HasPrefix checks that err is an error and that its message begins with prefix.
func (c Checker) HasPrefix(err error, prefix string) {
	c.t.Helper()
	c.report(err, err != nil && strings.HasPrefix(err.Error(), prefix), "begins with", prefix)
}

// HasSuffix checks that err is an error and that its message ends with suffix.
func (c Checker) HasSuffix(err error, suffix string) {
	c.t.Helper()
	c.report(err, err != nil && strings.HasSuffix(err.Error(), suffix), "ends with", suffix)
}

// Equal checks that err is an error with the message want.
func (c Checker) Equal(err error, want string) {
	c.t.Helper()
	c.report(err, err != nil && err.Error() == want, "is", want)
}

// Match checks that err is nil if part is "". Otherwise, it checks that err is an error and that its
// message contains part.
func (c Checker) Match(err error, part string) {
	c.t.Helper()
	if part != "" {
		c.Contains(err, part)
	} else if err != nil {
		c.t.Errorf("%serror %v, want none", c.name, err)
	}
}

// report makes the test fail if passed is false. want and a relation, such as "contains", describe the
// expected message.
func (c Checker) report(err error, passed bool, relation, want string) {
	c.t.Helper()
	if !passed {
		c.t.Errorf("%serror %v, want a message that %s %q", c.name, err, relation, want)
	}
}
