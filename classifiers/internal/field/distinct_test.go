package field

import (
	"math"
	"reflect"
	"testing"
)

func TestDistinctRows(t *testing.T) {
	x := [][]float64{{1, 2, 1, 1, math.Copysign(0, -1), 0}, {5, 5, 5, 6, 7, 7}}
	want := [][]float64{{1, 2, 1, 0}, {5, 5, 6, 7}}
	if got := DistinctRows(x); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
