package calibrate

import (
	"math"
	"strconv"

	"golang.org/x/exp/rand"
)

// step is the standard deviation of a local change, as a share of the range.
const step = 0.15

// digits is the number of significant digits of a proposed number.
const digits = 3

// random returns random values of all parameters.
func random(free []parameter, rng *rand.Rand) []string {
	values := make([]string, len(free))
	for i := range free {
		values[i] = free[i].draw(rng)
	}
	return values
}

// near returns values close to a parent's. It changes each parameter with probability 1/2, but at
// least one, and draws the values that reading 0 leaves empty.
func near(free []parameter, parent []string, rng *rand.Rand) []string {
	values := make([]string, len(free))
	always := rng.Intn(len(free))
	for i := range free {
		changed := rng.Float64() < 0.5 || i == always
		switch {
		case parent[i] == "":
			values[i] = free[i].draw(rng)
		case changed:
			values[i] = free[i].change(parent[i], rng)
		default:
			values[i] = parent[i]
		}
	}
	return values
}

// draw returns a random value: uniform on the levels or on the scale of proposals.
func (p *parameter) draw(rng *rand.Rand) string {
	if p.levels != nil {
		return p.levels[rng.Intn(len(p.levels))]
	}
	low, high := p.ends()
	return p.write(low + rng.Float64()*(high-low))
}

// change returns a value near the given one; of levels, any level.
func (p *parameter) change(value string, rng *rand.Rand) string {
	if p.levels != nil {
		return p.levels[rng.Intn(len(p.levels))]
	}
	v, err := strconv.ParseFloat(value, 64)
	if err != nil {
		panic(err) // draw wrote it
	}
	low, high := p.ends()
	return p.write(min(max(p.scaled(v)+step*(high-low)*rng.NormFloat64(), low), high))
}

// scaled returns a value on the scale of proposals, which is logarithmic with Log.
func (p *parameter) scaled(v float64) float64 {
	if p.Log {
		return math.Log(v)
	}
	return v
}

// ends returns the range of proposals on their scale. Each whole number gets an interval of about
// length 1, which rounding maps to it.
func (p *parameter) ends() (low, high float64) {
	low, high = p.Low, p.High
	if p.whole {
		low, high = low-0.499, high+0.499
		if p.Log {
			low = max(low, 0.501)
		}
	}
	return p.scaled(low), p.scaled(high)
}

// atEnd reports whether a value is the smallest or largest of a range.
func (p *parameter) atEnd(value string) bool {
	if p.levels != nil || value == "" {
		return false
	}
	return value == p.write(p.scaled(p.Low)) || value == p.write(p.scaled(p.High))
}

// write returns a value of the scale of proposals as text, rounded and within the range.
func (p *parameter) write(v float64) string {
	if p.Log {
		v = math.Exp(v)
	}
	if p.whole {
		return strconv.FormatFloat(math.Round(min(max(v, p.Low), p.High)), 'f', 0, 64)
	}
	text := strconv.FormatFloat(v, 'g', digits, 64)
	rounded, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return strconv.FormatFloat(min(max(rounded, p.Low), p.High), 'f', -1, 64)
}
