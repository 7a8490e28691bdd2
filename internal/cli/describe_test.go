package cli

import (
	"math"
	"testing"
)

// 19 rows in five folds, twice: four rows in all folds but one, three there. The
// mean of 4/15 (four times) and 3/16 per task.
func TestFoldShare(t *testing.T) {
	tests := map[int]int{1: 4, 2: 4, 3: 3, 4: 4, 5: 4, 6: 4, 7: 3, 8: 4, 9: 4, 10: 4, 11: 4} // the third task has one fold so far
	want := (4*4.0/15 + 3.0/16) / 5
	if got, ok := foldShare(tests, 5); !ok || math.Abs(got-want) > 1e-15 {
		t.Errorf("%v, want %v", got, want)
	}
	if _, ok := foldShare(map[int]int{1: 4, 2: 4}, 5); ok {
		t.Error("two of five folds told the sizes of all")
	}
}
