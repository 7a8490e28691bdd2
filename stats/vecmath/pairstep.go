package vecmath

import "math"

// PairStep sets f[i] -= delta (a[i] - b[i]) and returns the largest f[i] + upper[i],
// the first i that has it, and the smallest f[i] + lower[i]. Where no sum is above
// -Inf, the largest is -Inf and first is -1; where none is below +Inf, the smallest
// is +Inf. A zero has no sign.
func PairStep(f, a, b, upper, lower []float64, delta float64) (largest float64, first int, smallest float64) {
	for _, x := range [][]float64{a, b, upper, lower} {
		sameLength(len(f), len(x))
	}
	var lanes stepLanes
	for l := range 4 {
		lanes.largest[l], lanes.first[l], lanes.smallest[l] = math.Inf(-1), -1, math.Inf(1)
	}
	for i := pairStepAsm(f, a, b, upper, lower, delta, &lanes); i < len(f); i++ {
		f[i] -= float64(delta * (a[i] - b[i]))
		if w := f[i] + upper[i]; w > lanes.largest[i%4] {
			lanes.largest[i%4], lanes.first[i%4] = w, float64(i)
		}
		if w := f[i] + lower[i]; w < lanes.smallest[i%4] {
			lanes.smallest[i%4] = w
		}
	}
	return lanes.fold()
}

// stepLanes are the results of PairStep among every fourth element.
type stepLanes struct{ largest, first, smallest [4]float64 }

func (s *stepLanes) fold() (largest float64, first int, smallest float64) {
	largest, at, smallest := s.largest[0], s.first[0], s.smallest[0]
	for l := 1; l < 4; l++ {
		if s.largest[l] > largest || s.largest[l] == largest && s.first[l] >= 0 && (at < 0 || s.first[l] < at) {
			largest, at = s.largest[l], s.first[l]
		}
		smallest = min(smallest, s.smallest[l])
	}
	return largest + 0, int(at), smallest + 0
}
