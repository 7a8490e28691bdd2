package csvfile_test

import (
	"fmt"
	"strings"

	"copse/stats/dataset/csvfile"
)

// A CSV file has one row per case and its class in a column; empty cells are
// missing values.
func ExampleRead() {
	file := "length,colour,class\n4.9,red,a\n,blue,b\n6.1,red,a\n5.5,blue,b\n"
	set, err := csvfile.Read(strings.NewReader(file), "flowers.csv", csvfile.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(set.N(), "rows,", set.D(), "attributes,", set.C(), "classes")
	for _, a := range set.Attributes {
		fmt.Println(a.Name, a.Levels)
	}
	fmt.Println(set.X.At(1, 0))
	// Output:
	// 4 rows, 2 attributes, 2 classes
	// length []
	// colour [blue red]
	// NaN
}
