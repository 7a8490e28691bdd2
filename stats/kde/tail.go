package kde

import (
	"math"
	"slices"

	"copse/stats"
	"copse/stats/vecmath"
)

// Far from the sample, kernels underflow. There, the logarithm of the density is computed from the
// squared distances q_i of the point from x_i, in bandwidths:
//
//	log sum_i exp(-q_i/2) = -q/2 + log sum_i exp((q-q_i)/2),  q = min q_i.
//
// The result for a point does not depend on the other points. So it is the same, bit for bit, in
// every call.

// leastMean is a lower limit for the mean of the kernels at a point. Each kernel is 1 at its peak.
// Below this limit, some kernels may be below 2^-1022, where floating-point numbers have fewer
// digits.
const leastMean = 1e-280

// Least returns the density below which a sum of kernels may lose digits, because some of them
// underflow. peak is the largest value of a kernel. Below Least, use Tail or Tail2, which are
// slower but always accurate.
func Least(peak float64) float64 { return max(leastMean*peak, 0x1p-1000) }

const (
	// farthest is the upper limit of distances, in bandwidths. Larger distances are replaced with farthest, so that
	// their squares are finite.
	farthest = 1e100
	// maxExcess limits the terms exp(-q_i/2) in a sum. A term is omitted if q_i exceeds the
	// smallest q_i of the sum by more than maxExcess. The omission changes the logarithm of a sum
	// of n terms by less than 2e-18 n.
	maxExcess = 2 * 41
)

// Log returns log f(t). It is accurate however far t is from the sample.
func (d *Density) Log(t float64) float64 {
	var log [1]float64
	d.LogAll(log[:], []float64{t})
	return log[0]
}

// LogAll sets dst[i] to log f(t[i]).
func (d *Density) LogAll(dst, t []float64) {
	d.AtAll(dst, t)
	least := Least(d.Peak())
	for i, v := range dst {
		if v >= least && v <= math.MaxFloat64 {
			dst[i] = math.Log(v)
		} else {
			dst[i] = d.Tail(t[i])
		}
	}
}

// Peak returns the largest value of the kernel, 1/(h sqrt(2 pi)).
func (d *Density) Peak() float64 { return 1 / (d.h * math.Sqrt(2*math.Pi)) }

// Tail returns log f(t) for a point t far from the sample:
//
//	log f(t) = log sum_i exp(-q_i/2) - log(n h sqrt(2 pi)),  q_i = ((t - x_i)/h)^2.
//
// The computation does not underflow.
func (d *Density) Tail(t float64) float64 {
	at, _ := slices.BinarySearch(d.x, t) // d.x is ascending, so d.x[:at] are the values below t
	least := math.Inf(1)                 // the smallest q_i, which belongs to d.x[at-1] or d.x[at]
	for _, x := range d.x[max(at-1, 0):min(at+1, len(d.x))] {
		least = min(least, square(t, x, d.h))
	}
	// Collect the q_i that can change the sum: first for the values below t, then for the others.
	// Each loop moves away from t, so q_i grows. It stops when exp(-q_i/2) is negligible.
	var q []float64
	for _, x := range slices.Backward(d.x[:at]) {
		v := square(t, x, d.h)
		if v-least > maxExcess {
			break
		}
		q = append(q, v)
	}
	for _, x := range d.x[at:] {
		v := square(t, x, d.h)
		if v-least > maxExcess {
			break
		}
		q = append(q, v)
	}
	n := float64(len(d.x))
	return logSum(q, least) - (math.Log(n) + math.Log(d.h) + math.Log(2*math.Pi)/2)
}

// Tail2 returns log f(s,t) of the bivariate kernel estimate with bandwidth matrix h for the sample
// (x_i, y_i). It is accurate even far from the sample. Let a and b be the distances of (s, t) from
// (x_i, y_i) in the two variables, in bandwidths. Let r be the correlation of h. Then
//
//	q_i = a^2 + (b - r a)^2/(1-r^2)
//	log f(s,t) = log sum_i exp(-q_i/2) - log(n 2 pi sqrt(det h)),  det h = h.XX h.YY (1-r^2).
func Tail2(x, y []float64, h H2, s, t float64) float64 {
	hx, hy := math.Sqrt(h.XX), math.Sqrt(h.YY)
	r := h.XY / hx / hy
	// The conversions to float64 prevent fused multiply-adds, so that all processors compute the
	// same result.
	oneMinusR2 := float64(1-r) * float64(1+r) // 1 - r^2 without cancellation
	var memory [512]float64                   // for the q_i of a small sample, to avoid an allocation
	q, least := stats.Resized(memory[:0], len(x)), math.Inf(1)
	for i, v := range x {
		a, b := distance(s, v, hx), distance(t, y[i], hy)
		c := b - float64(r*a)
		q[i] = float64(a*a) + float64(c*c)/oneMinusR2
		least = min(least, q[i])
	}
	kept := q[:0] // overwrites q with the q_i of terms that can change a digit of the sum
	for _, v := range q {
		if !(v-least > maxExcess) { // also keeps NaN
			kept = append(kept, v)
		}
	}
	n := float64(len(x))
	return logSum(kept, least) -
		(math.Log(n) + math.Log(hx) + math.Log(hy) + math.Log(oneMinusR2)/2 + math.Log(2*math.Pi))
}

// Peak returns the largest value of the kernel, 1/(2 pi sqrt(det H)).
func (h H2) Peak() float64 { return 1 / (2 * math.Pi * math.Sqrt(h.Det())) }

// distance returns (t-x)/h, limited to the interval from -farthest to farthest.
func distance(t, x, h float64) float64 { return nearer((t - x) / h) }

// square returns the squared distance between t and x in units of the bandwidth h.
func square(t, x, h float64) float64 {
	u := distance(t, x, h)
	return float64(u * u)
}

// logSum returns log sum_i exp(-q_i/2). The argument smallest must be the smallest q_i. logSum overwrites q.
func logSum(q []float64, smallest float64) float64 {
	for i, v := range q {
		q[i] = (smallest - v) / 2
	}
	vecmath.Exp(q, q)
	sum := 0.0
	for _, v := range q {
		sum += v
	}
	return math.Log(sum) - smallest/2
}
