package figure

import (
	"testing"

	"copse/internal/errtest"
	"copse/report/internal/fixture"
	"copse/report/view"
)

// No mark combines a data set with draws of a generator. A new kind that can do so sets Kind.pools.
func TestNoMarkPoolsDataSetsWithGenerators(t *testing.T) {
	study, rows := fixture.Sample(12)
	study.Sampling = map[string]view.Sampling{"c00": {OneDataSet: true}} // all other cells draw from a generator
	v := fixture.PapersView(study, rows)
	for _, kind := range Kinds {
		o := Defaults()
		o.Kind = kind.Name
		switch kind.Name {
		case "cd", "wins":
			continue // pool no cells: they count them
		case "roc", "reliability", "tuned":
			continue // show no values of a metric
		case "line":
			o.X = "n"
		case "bars":
			o.Reference = "nb"
		case "heat", "nested":
			o.Rows = []string{"n"}
		}
		o.Panel = []string{}
		_, err := Draw(v, o)
		errtest.Case(t, kind.Name).Contains(err, "cannot be pooled")
	}
}
