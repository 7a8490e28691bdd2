package calibrate

import (
	"math"
	"strconv"

	"golang.org/x/exp/rand"
)

// step is the standard deviation of a local change, as a fraction of the range of the parameter.
const step = 0.15

const digits = 3

// near returns random parameter values near the values in parent. It changes each value with
// probability 1/2, and at least one value. It replaces a value "", which means the value in the
// study file, with a random one from the whole range of the parameter.
func near(free []Parameter, parent []string, rng *rand.Rand) []string {
	values := make([]string, len(free))
	alwaysChanged := rng.Intn(len(free))
	for i := range free {
		changed := rng.Float64() < 0.5 || i == alwaysChanged
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

// draw returns a random value, uniformly distributed on the levels or, without levels, on the linear
// or logarithmic scale of the parameter.
func (p *Parameter) draw(rng *rand.Rand) string {
	if p.Levels != nil {
		return p.Levels[rng.Intn(len(p.Levels))]
	}
	low, high := p.ends()
	return p.write(low + rng.Float64()*(high-low))
}

// change returns a random value near the given one. For a parameter with levels, it returns any level.
func (p *Parameter) change(value string, rng *rand.Rand) string {
	if p.Levels != nil {
		return p.draw(rng)
	}
	v, _ := strconv.ParseFloat(value, 64) // draw or change has formatted the value
	low, high := p.ends()
	return p.write(min(max(p.scaled(v)+step*(high-low)*rng.NormFloat64(), low), high))
}

// scaled returns the logarithm of v if Log is set, and v otherwise.
func (p *Parameter) scaled(v float64) float64 {
	if p.Log {
		return math.Log(v)
	}
	return v
}

// ends returns the interval from which random values are drawn, on the scale of the parameter. For
// integers, the interval extends almost 1/2 beyond Low and High, because rounding would make these
// two values half as likely as the others.
func (p *Parameter) ends() (low, high float64) {
	low, high = p.Low, p.High
	if p.whole {
		low, high = low-0.499, high+0.499
		if p.Log {
			low = max(low, 0.501)
		}
	}
	return p.scaled(low), p.scaled(high)
}

// isEndOfRange reports whether a value is at an end of the parameter's range.
func (p *Parameter) isEndOfRange(value string) bool {
	if p.Levels != nil || value == "" {
		return false
	}
	return value == p.write(p.scaled(p.Low)) || value == p.write(p.scaled(p.High))
}

// write converts a number on the scale of the parameter to text, rounded and clipped to the range.
func (p *Parameter) write(v float64) string {
	if p.Log {
		v = math.Exp(v)
	}
	if p.whole {
		return strconv.FormatFloat(math.Round(min(max(v, p.Low), p.High)), 'f', 0, 64)
	}
	text := strconv.FormatFloat(v, 'g', digits, 64)
	rounded, _ := strconv.ParseFloat(text, 64) // reads what FormatFloat wrote
	return strconv.FormatFloat(min(max(rounded, p.Low), p.High), 'f', -1, 64)
}
