package table

import (
	"fmt"
	"math"
	"slices"

	"copse/report/view"
)

// Families returns the families of hypotheses that the table tests: one per row, which
// shares a correction, and one for its matrix, which has none.
func (t *Table) Families() []view.Family {
	var list []view.Family
	for i := range t.Rows {
		if len(t.Rows[i].best.Comparisons) > 0 {
			list = append(list, t.rowFamily(i))
		}
	}
	if t.Matrix != nil {
		f := t.newFamily("matrix of table " + t.Name)
		f.Asked = "Every pair is compared by a two-sided Wilcoxon signed-rank test over the cells."
		f.Hypotheses = view.Pairs(len(t.Family))
		f.Level = fmt.Sprintf("each at level %s, uncorrected", view.Number(t.view.Alpha))
		list = append(list, f)
	}
	return view.Gather(list)
}

// newFamily returns a family of the table with its members but without hypotheses.
func (t *Table) newFamily(shown string) view.Family {
	f := view.Family{Shown: shown, Measure: t.Measure.Name, Members: t.Family, Count: 1}
	for _, id := range t.IDs {
		if !slices.Contains(t.Family, id) {
			f.Outside = append(f.Outside, id)
		}
	}
	return f
}

// rowFamily returns the family of row i.
func (t *Table) rowFamily(i int) view.Family {
	v := t.view
	f, row, groups := t.newFamily("table "+t.Name), &t.Rows[i], t.groups[i:i+1]
	first := "The method with the best mean of the row"
	if v.Champion != "" {
		first = v.Label(v.Champion) + ", named before the results are seen,"
	}
	f.Asked, f.Each = fmt.Sprintf("%s is compared with each other by %s.", first,
		testWords(v, groups, len(row.best.Family))), "row"
	f.Members, f.Hypotheses = row.best.Family, v.Comparisons(len(row.best.Family))
	f.Level = levelWords(v, f.Hypotheses)
	if n := row.test.Needed(1, row.best.Level, v.Side()); n > 2 {
		f.Needed = fmt.Sprintf("%d %s", n, v.TestedUnits(groups))
	}
	if row.test.MinP(math.MaxInt, v.Side()) > row.best.Level {
		f.Level += ", out of reach where many are compared: " + row.test.Floor
	}
	return f
}
