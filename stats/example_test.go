package stats_test

import (
	"fmt"

	"copse/stats"
)

// Two classifiers on the same eight replicates: a paired test, the size of the difference, and the p-values
// adjusted for three comparisons.
func Example() {
	slb := []float64{0.11, 0.09, 0.12, 0.10, 0.13, 0.08, 0.12, 0.11}
	nb := []float64{0.14, 0.15, 0.13, 0.16, 0.18, 0.12, 0.19, 0.13}
	differences := make([]float64, len(slb))
	for i := range slb {
		differences[i] = slb[i] - nb[i]
	}
	test, err := stats.SignedRankOf(differences, stats.TwoSided, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	shift := stats.HodgesLehmannOf(differences, 0.95)
	fmt.Printf("V = %g, p = %.4f\n", test.V, test.P)
	fmt.Printf("shift %.3f, 95 %% interval %.3f to %.3f\n", shift.Estimate, shift.Low, shift.High)
	fmt.Printf("%.4f\n", stats.Holm.Adjust([]float64{test.P, 0.03, 0.2}, 3))
	// Output:
	// V = 0, p = 0.0078
	// shift -0.042, 95 % interval -0.060 to -0.020
	// [0.0234 0.0600 0.2000]
}
