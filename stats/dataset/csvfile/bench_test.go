package csvfile

import (
	"bytes"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/stats/dataset"
)

// The benchmark reads and writes 1000 rows of 420 columns at full precision.
func BenchmarkCSV(b *testing.B) {
	const n, d = 1000, 420
	x := mat.NewDense(n, d, nil)
	x.Apply(func(i, j int, _ float64) float64 { return math.Sin(float64(i*d + j)) }, x)
	y := make([]int, n)
	for i := range y {
		y[i] = i % 2
	}
	set := dataset.New(x, y, 2)
	var text bytes.Buffer
	if err := Write(&text, set, ClassColumn); err != nil {
		b.Fatal(err)
	}
	b.Run("read", func(b *testing.B) {
		for b.Loop() {
			if _, err := Read(bytes.NewReader(text.Bytes()), "", Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("write", func(b *testing.B) {
		for b.Loop() {
			if err := Write(new(bytes.Buffer), set, ClassColumn); err != nil {
				b.Fatal(err)
			}
		}
	})
}
