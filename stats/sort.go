package stats

import (
	"math"
	"slices"
)

const (
	digitBits = 8
	digits    = 1 << digitBits // number of different digits
	places    = 64 / digitBits // number of digits of a key
	signBit   = 1 << 63
	fewValues = 300 // slices.Sort is faster below this number
)

// Sort sorts values in ascending order. No value may be NaN. For many values, it is six times as
// fast as slices.Sort.
func Sort(values []float64) {
	if len(values) < fewValues {
		slices.Sort(values)
		return
	}
	var counts [places][digits]int // for every place, the number of keys with each digit
	for _, v := range values {
		key := sortKey(v)
		for place := range counts {
			counts[place][key%digits]++
			key >>= digitBits
		}
	}
	// radix sort, beginning with the least significant digit
	source, sorted := values, make([]float64, len(values))
	for place := range counts {
		sortByDigit(sorted, source, place, &counts[place])
		source, sorted = sorted, source // after an even number of swaps, values is sorted
	}
}

// sortByDigit copies the numbers from source to target, in the order of one digit of their keys.
//
// The argument place is the position of the digit, from 0 for the least significant one. counts[d] is the
// number of keys with digit d there.
func sortByDigit(target, source []float64, place int, counts *[digits]int) {
	var next [digits]int // next[d]: index in target of the next number with digit d
	for d := 1; d < digits; d++ {
		next[d] = next[d-1] + counts[d-1]
	}
	for _, v := range source {
		d := sortKey(v) >> (digitBits * place) % digits
		target[next[d]] = v
		next[d]++
	}
}

// sortKey returns an integer with the same order as v. It inverts all bits of a negative number,
// but only the sign bit of a positive one.
func sortKey(v float64) uint64 {
	bits := math.Float64bits(v)
	inverted := uint64(int64(bits) >> 63) // all ones for a negative number, otherwise 0
	return bits ^ (inverted | signBit)
}
