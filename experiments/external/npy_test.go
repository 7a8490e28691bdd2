package external

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"copse/internal/filetest"
	"copse/stats/dataset"
)

var nan = math.NaN()

// twoSets returns two sets of rows whose class is the sign of the first column.
func twoSets() (train, test *dataset.Set) {
	set := func(n int, shift float64) *dataset.Set {
		x, y := mat.NewDense(n, 3, nil), make([]int, n)
		for i := range n {
			x.SetRow(i, []float64{math.Sin(float64(i)*7 + shift), float64(i), -shift})
			if x.At(i, 0) > 0 {
				y[i] = 1
			}
		}
		return dataset.New(x, y, 2)
	}
	return set(20, 0.5), set(15, 0.25)
}

func TestMatrixRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.npy")
	x := mat.NewDense(3, 2, []float64{1, math.Copysign(0, -1), math.NaN(), 1e-310, math.MaxFloat64, math.Inf(1)})
	must(writeMatrix(path, x, 3))
	back, err := readMatrix(path, 3, 2)
	must(err)
	for i, v := range x.RawMatrix().Data {
		if w := back.RawMatrix().Data[i]; math.Float64bits(v) != math.Float64bits(w) {
			t.Errorf("value %d: %v came back as %v", i, v, w)
		}
	}
	text := filetest.Read(t, path)
	if length := len(text) - 8*6; length%64 != 0 || text[length-1] != '\n' {
		t.Errorf("a header of %d bytes", length)
	}
}

func TestLabelsRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "y.npy")
	y := []int{0, 2, 1, 1}
	must(writeLabels(path, y))
	if back, err := readLabels(path, 4, 3); err != nil || !slices.Equal(back, y) {
		t.Errorf("%v came back as %v, %v", y, back, err)
	}
	if _, err := readLabels(path, 4, 2); err == nil {
		t.Error("a label beyond the classes is accepted")
	}
}

// Damaged files are rejected, whatever the damage.
func TestDamagedArrays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.npy")
	must(writeMatrix(path, mat.NewDense(2, 2, nil), 2))
	whole := filetest.Read(t, path)
	for name, text := range map[string]string{
		"empty":        "",
		"cut":          whole[:len(whole)-1],
		"cut header":   whole[:40],
		"longer":       whole + "x",
		"other type":   strings.Replace(whole, "<f8", "<c8", 1),
		"big-endian":   strings.Replace(whole, "<f8", ">f8", 1),
		"huge shape":   strings.Replace(whole, "(2, 2)", "(99999999999, 99999999999)", 1),
		"no digits":    strings.Replace(whole, "(2, 2)", "(two, 2)", 1),
		"no numpy":     "hello" + whole,
		"other object": strings.Replace(whole, "'descr'", "'other'", 1),
	} {
		filetest.Write(t, path, text)
		if x, err := readMatrix(path, 2, 2); err == nil {
			t.Errorf("%s: read as %v", name, x)
		}
	}
}
