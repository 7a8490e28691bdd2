package kde

import (
	"math"
	"slices"

	"copse/stats/vecmath"
)

// Far from the sample kernels underflow, so that their sum loses digits or is 0. There the
// logarithm of the density is
//
//	log sum_i exp(-q_i/2) = -q/2 + log sum_i exp((q-q_i)/2),  q = min q_i,
//
// where q_i is the squared distance of x_i in bandwidths. A point has the same bits in every
// call, because this computation does not depend on other points.

// leastMean is the smallest mean kernel, in units of the kernel's peak, whose sum has all
// digits: terms below 2^-1022 are lost.
const leastMean = 1e-280

// Least returns the density below which a sum of kernels with the given peak may lack
// digits. Tail and Tail2 have all of them.
func Least(peak float64) float64 { return max(leastMean*peak, 0x1p-1000) }

const (
	// farthest replaces larger distances, in bandwidths, so that squares are finite.
	farthest = 1e100
	// negligible is the excess of q_i over q from which terms are left out. They are below
	// 2e-18 of the largest and change no digit in samples of less than 10^8 values.
	negligible = 2 * 41
)

// Log returns log f(t). It loses no digits however far t is from the sample.
func (d *Density) Log(t float64) float64 {
	var log [1]float64
	d.LogAll(log[:], []float64{t})
	return log[0]
}

// LogAll sets dst to Log of each t.
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

// Peak returns the kernel's largest value, 1/(h sqrt(2 pi)).
func (d *Density) Peak() float64 { return 1 / (d.h * math.Sqrt(2*math.Pi)) }

// Tail returns log f(t) by the formula for points far from the sample.
func (d *Density) Tail(t float64) float64 {
	at, _ := slices.BinarySearch(d.x, t)
	least := math.Inf(1) // min q_i, of a neighbour of t
	for _, x := range d.x[max(at-1, 0):min(at+1, len(d.x))] {
		least = min(least, square(t, x, d.h))
	}
	var q []float64 // the q_i that are not negligible, from t to both sides
	for _, x := range slices.Backward(d.x[:at]) {
		v := square(t, x, d.h)
		if v-least > negligible {
			break
		}
		q = append(q, v)
	}
	for _, x := range d.x[at:] {
		v := square(t, x, d.h)
		if v-least > negligible {
			break
		}
		q = append(q, v)
	}
	n := float64(len(d.x))
	return logSum(q, least) - (math.Log(n) + math.Log(d.h) + math.Log(2*math.Pi)/2)
}

// Tail2 returns log f(s,t) of the bivariate estimate with bandwidth matrix h from the
// sample (x_i, y_i), by the formula for points far from the sample.
func Tail2(x, y []float64, h H2, s, t float64) float64 {
	// With the bandwidths' correlation r, q = a^2 + (b - r a)^2/(1-r^2).
	hx, hy := math.Sqrt(h.XX), math.Sqrt(h.YY)
	r := h.XY / hx / hy
	rest := float64(1-r) * float64(1+r)
	var memory [512]float64
	q, least := resized(memory[:0], len(x)), math.Inf(1)
	for i, v := range x {
		a, b := distance(s, v, hx), distance(t, y[i], hy)
		c := b - float64(r*a)
		q[i] = float64(a*a) + float64(c*c)/rest
		least = min(least, q[i])
	}
	kept := q[:0]
	for _, v := range q {
		if !(v-least > negligible) {
			kept = append(kept, v)
		}
	}
	n := float64(len(x))
	return logSum(kept, least) - (math.Log(n) + math.Log(hx) + math.Log(hy) + math.Log(rest)/2 + math.Log(2*math.Pi))
}

// Peak returns the kernel's largest value, 1/(2 pi sqrt(det H)).
func (h H2) Peak() float64 { return 1 / (2 * math.Pi * math.Sqrt(h.Det())) }

// distance returns (t-x)/h, at most farthest from 0.
func distance(t, x, h float64) float64 { return nearer((t - x) / h) }

// square returns the square of distance.
func square(t, x, h float64) float64 {
	u := distance(t, x, h)
	return float64(u * u)
}

// logSum returns log sum_i exp(-q_i/2), where least is the smallest q_i. It overwrites q.
func logSum(q []float64, least float64) float64 {
	for i, v := range q {
		q[i] = (least - v) / 2
	}
	vecmath.Exp(q, q)
	sum := 0.0
	for _, v := range q {
		sum += v
	}
	return math.Log(sum) - least/2
}
