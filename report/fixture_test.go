package report

import (
	"fmt"
	"math"
	"testing"

	"golang.org/x/exp/rand"

	"copse/stats/records"
)

// sample is a small study: two factors, four classifiers of which one is the
// oracle, every cell complete.
func sample(replicates int) (Study, *records.Records) {
	rng := rand.New(rand.NewSource(1))
	rows := &records.Records{Study: "sample", Classifiers: []string{"slb", "5nn", "nb", "oracle"}, Factors: []records.Factor{
		{Name: "cpd", Levels: []string{"gaussian", "complex"}},
		{Name: "n", Levels: []string{"200", "400", "1000"}},
	}}
	level := map[string]float64{"slb": 0.10, "5nn": 0.103, "nb": 0.2, "oracle": 0.04}
	for a, cpd := range rows.Factors[0].Levels {
		for b, n := range rows.Factors[1].Levels {
			for r := 1; r <= replicates; r++ {
				shared := rng.Float64() * 0.05
				for _, id := range rows.Classifiers {
					wrong := int(math.Round(1000 * (level[id] + 0.05*float64(a) - 0.01*float64(b) + shared + 0.02*rng.Float64())))
					rate := float64(wrong) / 1000
					rows.Rows = append(rows.Rows, records.Record{Cell: fmt.Sprintf("c%d%d", a, b), Levels: []string{cpd, n}, Replicate: r,
						Classifier: id, Status: records.OK, NTest: 1000, Errors: wrong, Error: rate, BER: rate + 0.001, Data: fmt.Sprintf("%s%s%d", cpd, n, r)})
				}
			}
		}
	}
	study := Study{Name: "sample", Title: "A sample", Source: "a paper", Results: "results/sample", Seed: "1", Replicates: replicates,
		Factors: []Factor{{Name: "cpd", Label: "densities", Doc: "class-conditional densities"}, {Name: "n"}},
		Classifiers: []Component{{ID: "slb", Label: "SLB", Name: "slb", Version: 1, Params: []Setting{{Name: "floor", Value: "1e-10", Default: true}}},
			{ID: "5nn", Label: "5-NN", Name: "5nn"}, {ID: "nb", Label: "NB", Name: "nb"}, {ID: "oracle", Label: "Bayes", Name: "oracle", Oracle: true}},
		Generators: []Component{{ID: "forest", Name: "forest", Summary: "random forests"}},
		Commands:   []string{"copse run configs/sample.yaml"},
		Machine:    []Setting{{Name: "processor", Value: "two cores"}},
	}
	return study, rows
}

// fail turns one row into a failed fit.
func fail(rows *records.Records, cell, classifier string, replicate int, message string) {
	for i := range rows.Rows {
		if r := &rows.Rows[i]; r.Cell == cell && r.Classifier == classifier && r.Replicate == replicate {
			r.Status, r.Errors, r.Error, r.BER, r.Message = records.Failed, 0, math.NaN(), math.NaN(), message
		}
	}
}

func makeTable(t *testing.T, study Study, records *records.Records, change func(*Table)) *table {
	t.Helper()
	o := DefaultTable()
	if change != nil {
		change(&o)
	}
	content, err := newSource(study, records, DefaultInference()).table(o)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func figures(t *testing.T, study Study, records *records.Records, change func(*Figure)) []picture {
	t.Helper()
	o := DefaultFigure()
	change(&o)
	pictures, err := newSource(study, records, DefaultInference()).figure(o)
	if err != nil {
		t.Fatal(err)
	}
	return pictures
}
