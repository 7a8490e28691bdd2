package records

import (
	"reflect"
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
