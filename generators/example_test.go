package generators_test

import (
	"fmt"

	"copse/experiments/stream"
	"copse/generators"
)

// A generator is a recipe for problems. New draws a problem, which then draws samples. If a problem has
// densities, they give the Bayes error.
func Example() {
	g := generators.NewForest()
	g.D = 5
	problem, err := g.New(stream.New(1, "example", 1, stream.Structure))
	if err != nil {
		fmt.Println(err)
		return
	}
	train := problem.Sample([]int{30, 20}, stream.New(1, "example", 1, stream.Train))
	_, known := problem.(generators.DensityProblem)
	fmt.Println(train.N(), "rows,", train.D(), "attributes, by class", train.Counts(), "densities known:", known)
	// Output:
	// 50 rows, 5 attributes, by class [30 20] densities known: true
}
