package records

import (
	"reflect"
	"testing"
)

func TestCondition(t *testing.T) {
	c := Condition{"n": {"200", "400"}, "shift": {"", "1"}}
	for levels, want := range map[Levels]bool{
		LevelsOf(map[string]string{"n": "200"}):               true, // without a shift
		LevelsOf(map[string]string{"n": "400", "shift": "1"}): true,
		LevelsOf(map[string]string{"n": "400", "shift": "2"}): false,
		LevelsOf(map[string]string{"shift": "1"}):             false,
	} {
		if c.Holds(levels) != want || !(Condition{}).Holds(levels) {
			t.Errorf("%s: %t", levels, !want)
		}
	}
	if got := c.String(); got != "n=200, n=400, shift=, shift=1" {
		t.Error(got)
	}
	factors := []Factor{{Name: "n", Levels: []string{"200", "300"}}}
	want := []Unknown{{"n", "400", []string{"200", "300"}}, {"shift", "", []string{"n"}}}
	if got := c.Unknown(factors); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}
