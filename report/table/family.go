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
	for _, ofMetric := range t.MetricTables() {
		for _, i := range ofMetric.testedRows() {
			list = append(list, ofMetric.rowFamily(i))
		}
	}
	return view.Gather(list)
}

// rowFamily describes the family of hypotheses that row i tests: its classifiers, tests and levels. A
// family is a set of hypotheses that share a correction for multiple testing.
func (t *Table) rowFamily(i int) view.Family {
	v, row, groups := t.view, &t.Rows[i], t.groups[i:i+1]
	members := row.bestSet.Family
	f := view.Family{ShownIn: "table " + t.Name, Measure: t.Measure.Name, Members: members, Unit: "row", Count: 1,
		Hypotheses: v.Comparisons(len(members))}
	f.NotCompared = view.Without(t.IDs, func(id string) bool { return slices.Contains(t.Family, id) })
	first := "The method with the best mean of the row"
	if v.Champion != "" {
		first = v.Label(v.Champion) + ", named before the results are seen,"
	}
	f.Compares = fmt.Sprintf("%s is compared with each of the others by %s.", first, testWords(v, groups, len(members)))
	// LeastResults is like "6 replicates".
	const oneHypothesis = 1
	least := row.test.Needed(oneHypothesis, row.bestSet.Level, v.Side()) // results needed for any rejection
	if least > 2 {                                                       // fewer than two results are never compared
		f.LeastResults = fmt.Sprintf("%d %s", least, v.TestedUnitNoun(groups))
	}
	// Level is like "family-wise level 0.05, Holm". Some tests have a smallest p-value above 0 for any number of
	// results. If it exceeds the level of a comparison, ", which no p-value can reach if many are compared: " and
	// the reason follow.
	f.Level = levelWords(v, f.Hypotheses)
	const anyNumber = math.MaxInt
	if row.test.MinP(anyNumber, v.Side()) > row.bestSet.Level {
		f.Level += ", which no p-value can reach if many are compared: " + row.test.Floor
	}
	return f
}
