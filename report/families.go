package report

import (
	"fmt"

	"copse/report/compare"
	"copse/report/figure"
	"copse/report/table"
	"copse/report/view"
)

// Families are all hypotheses that the documents of a report test, in their order. Of
// the records it counts what they compare, no result.
func Families(v *view.View, layout *Layout, published []compare.Options) ([]view.Family, error) {
	var all []view.Family
	for _, o := range layout.Tables {
		list, err := tableFamilies(v, o)
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", o.Name, err)
		}
		all = append(all, list...)
	}
	for _, o := range layout.Figures {
		list, err := figure.Families(v, o, "figure "+o.Name)
		if err != nil {
			return nil, fmt.Errorf("figure %s: %w", o.Name, err)
		}
		all = append(all, list...)
	}
	if o, err := rankDiagram(v, layout, published); err != nil {
		return nil, err
	} else if o != nil {
		list, err := figure.Families(v, *o, "average ranks in "+pageName)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	for _, o := range published {
		all = append(all, compare.Families(o)...)
	}
	return all, nil
}

// tableFamilies are those of a table and the measures in which the page has it too.
func tableFamilies(v *view.View, o table.Options) ([]view.Family, error) {
	list, err := table.Families(v, o)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	others, err := inOtherMeasures(v, o)
	for _, t := range others {
		for i := range list {
			list[i].Beside = append(list[i].Beside, t.Measure.Name)
		}
	}
	return list, err
}
