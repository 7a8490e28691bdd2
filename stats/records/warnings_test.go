package records

import (
	"reflect"
	"strings"
	"testing"
)

// Warnings that differ only in names or in the two classes of a problem count as one, over all classifiers and
// within a fit. A semicolon in a name does not divide a warning. Failures are not warnings.
func TestGroupWarnings(t *testing.T) {
	var rows []*Record
	for _, r := range []Record{
		{Classifier: "a", Message: `column "x; y" is constant; column "z\"; w" is constant`},
		{Classifier: "b", Message: `column "x; y" is constant; class 6, 7 left out`},
		{Classifier: "b", Message: `class 6 left out`},
		{Classifier: "b", Message: `class ill against very well: sd is 0; class ill against dead: sd is 0`},
		{Classifier: "b"},
		{Classifier: "b", Status: Failed, Message: `column "v" is constant`},
	} {
		if r.Status == "" {
			r.Status = OK
		}
		rows = append(rows, &r)
	}
	want := []*Warning{
		{
			First: `column "x; y" is constant`,
			Names: []string{`"x; y"`, `"z\"; w"`},
			Fits:  map[string]int{"a": 1, "b": 1},
		},
		{First: `class 6, 7 left out`, Vary: true, Fits: map[string]int{"b": 2}},
		{First: `class ill against very well: sd is 0`, Vary: true, Fits: map[string]int{"b": 1}},
	}
	if got := GroupWarnings(rows); !reflect.DeepEqual(got, want) {
		for _, w := range got {
			t.Errorf("%+v", *w)
		}
	}
}

// A semicolon inside a warning of a classifier does not divide it.
func TestWarningsWithSemicolons(t *testing.T) {
	const constant = `column "a" is constant`
	for _, whole := range []string{
		"tuning candidates failed; the first of them was k=60: fold 1 of 3: k is too large; give a smaller k",
		"the solver stopped after 9 iterations; its objective, 0.3, is at most 0.1 above the optimum",
		"the classes are linearly separable, so the likelihood has no maximum; the fit uses the ridge penalty 0.1",
		"no split improves the fit and leaves at least 20 rows on each side; the fit predicts the most frequent class",
		"9 of 20 rows of class 0 repeat others; distinct rows alone choose structure and bandwidths",
	} {
		between := constant + "; " + whole + "; " + constant
		rows := []*Record{{Status: OK, Message: whole}, {Status: OK, Message: between}}
		if strings.HasPrefix(whole, "tuning") { // always the first warning
			rows = rows[:1]
		}
		groups := GroupWarnings(rows)
		if groups[0].First != whole || len(groups) != len(rows) || groups[0].Fits[""] != len(rows) {
			t.Errorf("%+v, want %q", *groups[0], whole)
		}
	}
}
