// Package texttest checks texts in tests, such as captions and the output of commands. A check that
// fails reports the text and the part that it should contain or lack.
package texttest

import (
	"fmt"
	"strings"
	"testing"
)

// A Checker checks texts in one case of a test.
type Checker struct {
	t    testing.TB
	name string // prefix of the reports, such as "heat: "; "" if the test has no cases
}

// Case returns a checker for one case of a test. The checker's reports begin with name.
func Case(t testing.TB, name any) Checker { return Checker{t, fmt.Sprint(name) + ": "} }

// Contains checks that text contains all parts.
func Contains(t testing.TB, text string, parts ...string) {
	t.Helper()
	Checker{t: t}.Contains(text, parts...)
}

// Lacks checks that text contains none of the parts.
func Lacks(t testing.TB, text string, parts ...string) {
	t.Helper()
	Checker{t: t}.Lacks(text, parts...)
}

// ContainsIf checks that text contains part if want is true, and lacks it otherwise.
func ContainsIf(t testing.TB, want bool, text, part string) {
	t.Helper()
	Checker{t: t}.ContainsIf(want, text, part)
}

// Contains checks that text contains all parts.
func (c Checker) Contains(text string, parts ...string) {
	c.t.Helper()
	for _, part := range parts {
		c.ContainsIf(true, text, part)
	}
}

// Lacks checks that text contains none of the parts.
func (c Checker) Lacks(text string, parts ...string) {
	c.t.Helper()
	for _, part := range parts {
		c.ContainsIf(false, text, part)
	}
}

// ContainsIf checks that text contains part if want is true, and lacks it otherwise.
func (c Checker) ContainsIf(want bool, text, part string) {
	c.t.Helper()
	switch {
	case want && !strings.Contains(text, part):
		c.t.Errorf("%sno %q in %s", c.name, part, text)
	case !want && strings.Contains(text, part):
		c.t.Errorf("%sunwanted %q in %s", c.name, part, text)
	}
}
