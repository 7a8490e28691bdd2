package classifiers

import (
	"context"
	"testing"

	"golang.org/x/exp/rand"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"copse/classifiers/method"
	"copse/stats/dataset"
)

// centroid predicts the class with the nearest mean. The test registers it under the name of
// another classifier.
type centroid struct{}

func (centroid) Fit(ctx context.Context, train *dataset.Set, rng *rand.Rand) (*Rule, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	p := method.Prepare(train, true)
	means := mat.NewDense(train.C(), p.D(), nil)
	counts := train.Counts()
	for i, c := range train.Y {
		floats.AddScaled(means.RawRowView(c), 1/float64(counts[c]), p.X.RawRowView(i))
	}
	return p.Rule(func(z *mat.Dense) *mat.Dense {
		n, _ := z.Dims()
		scores := mat.NewDense(n, train.C(), nil)
		scores.Apply(func(i, c int, _ float64) float64 {
			return -floats.Distance(z.RawRowView(i), means.RawRowView(c), 2)
		}, scores)
		return scores
	}), nil
}

// A classifier that uses the helpers in method/numeric.go satisfies the contract.
func TestCentroidSatisfiesTheContract(t *testing.T) {
	spec, _ := Registry.Lookup("svm")
	spec.New = func() Classifier { return &centroid{} }
	before := Registry
	Registry = append(Registry[:len(Registry):len(Registry)], spec)
	defer func() { Registry = before }()
	for _, law := range laws {
		if law.name != "parameters are described" { // the test uses the parameters of another classifier
			t.Run(law.name, func(t *testing.T) { law.check(t, spec) })
		}
	}
}
