package records_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"copse/stats/records"
)

// Levels are a comparable value. They can be keys of maps, and their order is that of the design.
func ExampleLevels() {
	factors := []records.Factor{
		{Name: "n", Levels: []string{"200", "1000"}},
		{Name: "cpd", Levels: []string{"gaussian"}},
	}
	small := records.Align([]string{"cpd", "n"}, []string{"gaussian", "200"})
	large := records.Align([]string{"n", "cpd"}, []string{"1000", ""})
	rows := map[records.Levels]int{small: 3, large: 4}
	fmt.Println(rows[records.LevelsOf(map[string]string{"n": "200", "cpd": "gaussian"})])
	fmt.Println(small.Of("n"), small.Describe(factors), large)
	fmt.Println(records.Order(factors)(small, large), small.Restrict([]string{"cpd"}))
	// Output:
	// 3
	// 200 n=200, cpd=gaussian n=1000
	// -1 cpd=gaussian
}

// Levels are equal as values if and only if they are equal as maps, also after conversion to JSON.
func TestLevelsAreComparable(t *testing.T) {
	names := []string{"", "a", "b", "a=1, b"}
	var maps []map[string]string
	for _, x := range names {
		for _, y := range names {
			maps = append(maps, map[string]string{"f": x, "g": y}, map[string]string{"g": x, "h, f": y})
		}
	}
	present := func(m map[string]string) string { // fmt sorts keys
		kept := map[string]string{}
		for k, v := range m {
			if v != "" {
				kept[k] = v
			}
		}
		return fmt.Sprintf("%q", kept)
	}
	for _, a := range maps {
		la := records.LevelsOf(a)
		text, err := json.Marshal(la)
		var back records.Levels
		if err != nil || json.Unmarshal(text, &back) != nil || back != la {
			t.Errorf("%q: %s, %v", a, text, err)
		}
		if got := fmt.Sprintf("%q", la.Map()); got != present(a) {
			t.Errorf("%s, want %s", got, present(a))
		}
		for _, b := range maps {
			if equal := la == records.LevelsOf(b); equal != (present(a) == present(b)) {
				t.Errorf("%q and %q: equal %v", a, b, equal)
			}
		}
	}
	if text, _ := json.Marshal(records.Levels{}); string(text) != "{}" {
		t.Errorf("no levels: %s", text)
	}
}
