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
	got := GroupWarnings(rows)
	for _, w := range got {
		w.ranges = nil // see TestRangesOfWarnings
	}
	if !reflect.DeepEqual(got, want) {
		for _, w := range got {
			t.Errorf("%+v", *w)
		}
	}
}

// If warnings differ only in numbers, the text has their ranges. Numbers of classes, negative numbers and lists
// have no ranges.
func TestRangesOfWarnings(t *testing.T) {
	for _, c := range []struct {
		texts []string
		want  string
		vary  bool
	}{
		{[]string{"shrink is 0.5 instead of 0", "shrink is 0.01 instead of 0", "shrink is 1 instead of 0"},
			"shrink is 0.01 to 1 instead of 0", false},
		{[]string{"gap 2e-05 in 9 steps", "gap 1e-4 in 10 steps"}, "gap 2e-05 to 1e-4 in 9 to 10 steps", false},
		{[]string{`column "x3" has 2 values`, `column "x4" has 2 values`}, `column "x3" has 2 values`, false},
		{[]string{`column "x3" has 2 values`, `column "x4" has 5 values`}, `column "x3" has 2 values`, true},
		{[]string{"7 of 9 rows of class 0", "8 of 9 rows of class 1"}, "7 of 9 rows of class 0", true},
		{[]string{"class 1 against 2: sd is 0", "class 1 against 3: sd is 0"}, "class 1 against 2: sd is 0", true},
		{[]string{"log is -3", "log is -5"}, "log is -3", true},
		{[]string{"left out: 1, 2", "left out: 1"}, "left out: 1, 2", true},
	} {
		var rows []*Record
		for _, text := range c.texts {
			rows = append(rows, &Record{Status: OK, Message: text})
		}
		groups := GroupWarnings(rows)
		if len(groups) != 1 || groups[0].Text() != c.want || groups[0].Vary != c.vary {
			t.Errorf("%q: %q, vary %t, want %q", c.texts, groups[0].Text(), groups[0].Vary, c.want)
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
		if strings.HasPrefix(whole, tuningFailed) { // the last warning of a fold, here of two folds
			rows[1].Message = constant + "; " + whole + "; " + whole
		}
		groups := GroupWarnings(rows)
		if groups[0].First != whole || len(groups) != len(rows) || groups[0].Fits[""] != len(rows) {
			t.Errorf("%+v, want %q", *groups[0], whole)
		}
	}
}
