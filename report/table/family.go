package table

import (
	"fmt"
	"math"

	"copse/report/view"
)

// Families returns the families of hypotheses that the table tests:
//   - In a table of means, each row with tests has a family of differences. If Inference.Margin is
//     positive, it also has a family of equivalence tests.
//   - In a table of contrasts with bold type, each row has a family of differences from 0.
func (t *Table) Families() []view.Family {
	var list []view.Family
	for _, ofMetric := range t.MetricTables() {
		list = append(list, ofMetric.contrastFamilies()...)
		for _, i := range ofMetric.testedRows() {
			if ofMetric.poolsOneDataSet(i) {
				continue
			}
			differences := ofMetric.rowFamily(i)
			list = append(list, differences)
			if t.view.Margin > 0 {
				list = append(list, ofMetric.equivalenceFamily(differences))
			}
		}
	}
	return view.Gather(list)
}

// contrastFamilies describes the hypotheses in the rows of a table of contrasts. It returns nil if there are none.
func (t *Table) contrastFamilies() (list []view.Family) {
	if t.contrastFactor == "" || t.Bold == "" {
		return nil
	}
	compares := fmt.Sprintf("A difference between levels of %s is in bold if a two-sided t test shows that it is "+
		"not 0.", t.view.FactorLabel(t.contrastFactor))
	for _, row := range t.Rows {
		if len(row.compared) > 0 {
			list = append(list, view.Family{ShownIn: "table " + t.Name, Measure: t.Measure.Name, Members: row.compared,
				NotCompared: t.shownForReference(t.IDs), Compares: compares, Unit: "row", Count: 1,
				Hypotheses: len(row.compared), Level: t.contrastLevel()})
		}
	}
	return list
}

// rowFamily describes the family of hypotheses that row i tests.
func (t *Table) rowFamily(i int) view.Family {
	v, members := t.view, t.Rows[i].bestSet.Family
	reference := "The method with the best mean in the row"
	if v.Champion != "" {
		reference = v.Label(v.Champion) + ", the champion of the study,"
	}
	compares := fmt.Sprintf("%s is compared with each of the others by %s.", reference,
		t.testWords([]int{i}))
	hypotheses := v.Comparisons(len(members))
	return view.Family{ShownIn: "table " + t.Name, Measure: t.Measure.Name, Members: members,
		NotCompared: t.shownForReference(t.IDs), Compares: compares, Unit: "row", Count: 1, Hypotheses: hypotheses,
		Level: t.familyLevel(i, hypotheses), LeastResults: t.leastResults(i)}
}

// equivalenceFamily returns the family of a row's equivalence tests. It has the same pairs and correction as
// the family of the tests of differences.
func (t *Table) equivalenceFamily(differences view.Family) view.Family {
	f := differences
	f.Compares = "Two one-sided tests of the same pairs show that a difference is smaller than " +
		t.withUnit(t.view.Margin) + "."
	f.LeastResults = ""
	return f
}

// leastResults returns the smallest number of results with which the test of row i can reject a
// hypothesis, such as "6 replicates". It returns "" if two results are enough, or if no number is
// enough.
func (t *Table) leastResults(i int) string {
	row := &t.Rows[i]
	const fewest = 1
	least := row.test.Needed(fewest, row.bestSet.Level, t.view.Side()) // 0: no number is enough
	if least <= 2 {
		return ""
	}
	return fmt.Sprintf("%d %s", least, t.view.TestedUnitNoun(t.groups[i:i+1]))
}

// familyLevel describes the level and the correction of row i, such as "family-wise level 0.05, Holm". It adds
// a remark if every possible p-value exceeds the level of a single comparison.
func (t *Table) familyLevel(i, hypotheses int) string {
	row := &t.Rows[i]
	level := correctedLevel(t.view, hypotheses)
	const anyNumber = math.MaxInt
	if row.test.MinP(anyNumber, t.view.Side()) > row.bestSet.Level {
		level += ", which no p-value can reach with many results: " + row.test.Floor
	}
	return level
}
