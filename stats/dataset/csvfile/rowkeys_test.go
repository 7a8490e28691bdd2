package csvfile

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Tables of the same units have a common key, and other tables have none.
func TestRowKeys(t *testing.T) {
	const rows = 30
	squares := func(modulus int) func(int) string { // (modulus+1)/2 distinct values for a prime modulus
		return func(i int) string { return fmt.Sprint(i * i % modulus) }
	}
	age, weight := squares(29), squares(59)
	class := func(i int) string { return []string{"no", "yes"}[i%7%2] }
	number := func(i int) string { return fmt.Sprint(i) }
	table := func(columns map[string]func(int) string) *Table {
		t.Helper()
		var names []string
		for name := range columns {
			names = append(names, name)
		}
		slices.Sort(names)
		lines := []string{strings.Join(names, ",")}
		for i := range rows {
			var cells []string
			for _, name := range names {
				cells = append(cells, columns[name](i))
			}
			lines = append(lines, strings.Join(cells, ","))
		}
		table, err := ReadTable(strings.NewReader(strings.Join(lines, "\n")), "a.csv", Options{})
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	type columns = map[string]func(int) string
	first := table(columns{"class": class, "age": age, "weight": weight, "number": number}).RowKeys("class")
	if len(first) != 1 {
		t.Fatalf("%d keys, want one for the weight: there are few ages, and the number numbers the rows", len(first))
	}
	for name, c := range map[string]struct {
		other columns
		same  bool
	}{
		"new column": {columns{"class": class, "weight": weight, "x": squares(53)}, true},
		"other notation": {columns{"class": func(i int) string { return fmt.Sprint(i % 7 % 2) },
			"kg": func(i int) string { return weight(i) + ".00" }}, true},
		"few values":   {columns{"class": class, "age": age}, false},
		"row number":   {columns{"class": class, "number": number}, false},
		"other class":  {columns{"class": func(i int) string { return fmt.Sprint(i % 2) }, "weight": weight}, false},
		"other values": {columns{"class": class, "weight": squares(61)}, false},
		"other order": {columns{"class": class,
			"weight": func(i int) string { return weight((i + 14) % rows) }}, false},
	} {
		isKnown := func(key string) bool { return slices.Contains(first, key) }
		if got := slices.ContainsFunc(table(c.other).RowKeys("class"), isKnown); got != c.same {
			t.Errorf("%s: the same units: %t, want %t", name, got, c.same)
		}
	}
}
