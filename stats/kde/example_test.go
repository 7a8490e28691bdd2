package kde_test

import (
	"fmt"

	"copse/stats/kde"
)

// A density with the plug-in bandwidth of R's ks::hpi.
func Example() {
	x := []float64{4.9, 5.1, 5.4, 5.5, 5.8, 6.0, 6.1, 6.7, 7.0, 7.2}
	h, err := kde.PlugIn.Bandwidth(x)
	if err != nil {
		fmt.Println(err)
		return
	}
	f := kde.New(x, h)
	fmt.Printf("h = %.3f, f(5.5) = %.3f, f(9) = %.5f\n", h, f.At(5.5), f.At(9))
	// Output:
	// h = 0.557, f(5.5) = 0.397, f(9) = 0.00052
}
