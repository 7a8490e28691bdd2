package csvfile

import (
	"fmt"
	"strings"
	"testing"
)

// wideCSV returns rows with the given number of numeric columns and a class.
func wideCSV(columns, rows int) string {
	var b strings.Builder
	for j := range columns {
		fmt.Fprintf(&b, "x%d,", j)
	}
	b.WriteString("class\n")
	for i := range rows {
		for j := range columns {
			fmt.Fprintf(&b, "%d.5,", (i*j)%7)
		}
		fmt.Fprintf(&b, "%c\n", 'a'+rune(i%2))
	}
	return b.String()
}

// BenchmarkWideCSV reads training and test files of many columns: the time of a
// column does not grow with their number.
func BenchmarkWideCSV(b *testing.B) {
	for _, columns := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(columns), func(b *testing.B) {
			text := wideCSV(columns, 10)
			for b.Loop() {
				train, err := Read(strings.NewReader(text), "wide.csv",
					Options{Drop: []string{"x7"}, Discrete: []string{"x5"}})
				if err == nil {
					_, err = Read(strings.NewReader(text), "wide.csv", Options{Train: train, Drop: []string{"x7"}})
				}
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*columns), "ns/column")
		})
	}
}
