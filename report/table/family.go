package table

import (
	"fmt"
	"math"
	"slices"

	"copse/report/view"
)

// Families returns the families of hypotheses that the table tests. Each row with tests is a family.
func (t *Table) Families() []view.Family {
	var list []view.Family
	for _, block := range t.Blocks() {
		for _, i := range block.testedRows() {
			list = append(list, block.rowFamily(i))
		}
	}
	return view.Gather(list)
}

func (t *Table) rowFamily(i int) view.Family {
	v, row, groups := t.view, &t.Rows[i], t.groups[i:i+1]
	members := row.best.Family
	f := view.Family{Shown: "table " + t.Name, Measure: t.Measure.Name, Members: members, Each: "row", Count: 1,
		Hypotheses: v.Comparisons(len(members))}
	f.Level = levelWords(v, f.Hypotheses)
	for _, id := range t.IDs {
		if !slices.Contains(t.Family, id) {
			f.Outside = append(f.Outside, id)
		}
	}
	first := "The method with the best mean of the row"
	if v.Champion != "" {
		first = v.Label(v.Champion) + ", named before the results are seen,"
	}
	f.Asked = fmt.Sprintf("%s is compared with every other one by %s.", first, testWords(v, groups, len(members)))
	if n := row.test.Needed(1, row.best.Level, v.Side()); n > 2 { // fewer than two results are never compared
		f.Needed = fmt.Sprintf("%d %s", n, v.TestedUnits(groups))
	}
	if row.test.MinP(math.MaxInt, v.Side()) > row.best.Level {
		f.Level += ", which no p-value can reach if many are compared: " + row.test.Floor
	}
	return f
}
