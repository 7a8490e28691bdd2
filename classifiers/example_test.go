package classifiers_test

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"copse/classifiers"
	"copse/classifiers/networks"
	"copse/experiments/stream"
	"copse/stats/dataset"
)

// A classifier contains only hyper-parameters; Fit returns an immutable rule.
func Example() {
	x := mat.NewDense(8, 1, []float64{0.1, 0.3, 0.2, 0.4, 2.1, 2.3, 2.2, 2.4})
	train := dataset.New(x, []int{0, 0, 0, 0, 1, 1, 1, 1}, 2)
	nb := networks.NewNB()
	rule, err := classifiers.Fit(context.Background(), nb, train, stream.New(1, "", 1, stream.Classifier("nb")))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(rule.Predict(mat.NewDense(2, 1, []float64{0.25, 2.0})))
	// Output:
	// [0 1]
}
