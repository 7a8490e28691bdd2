package dataset

import (
	"testing"
	"unsafe"

	"gonum.org/v1/gonum/mat"
)

// Columns are stored in one array, because other alignments would change the last digits of gonum's sums, and
// therefore stored results.
func TestColumnsShareAnArray(t *testing.T) {
	columns := New(mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}), []int{0, 1, 0}, 2).Columns([]int{0, 1, 2})
	first, second := unsafe.Pointer(&columns[0][0]), unsafe.Pointer(&columns[1][0])
	if distance := uintptr(second) - uintptr(first); distance != 3*unsafe.Sizeof(0.0) {
		t.Errorf("the columns begin %d bytes apart", distance)
	}
}
