package stats

import (
	"math"
	"slices"
)

const (
	digitBits = 8
	digits    = 1 << digitBits // number of different digits
	signBit   = 1 << 63
	fewValues = 300 // slices.Sort is faster below this number
)

// Sort sorts values, none of which is NaN, in ascending order. It sorts by one digit of the keys after
// another, from the lowest digit on (radix sort). For many values, this takes a sixth of the time of
// slices.Sort.
func Sort(values []float64) {
	if len(values) < fewValues {
		slices.Sort(values)
		return
	}
	keys, sorted := make([]uint64, len(values)), make([]uint64, len(values))
	for i, v := range values {
		keys[i] = sortKey(v)
	}
	for shift := 0; shift < 64; shift += digitBits {
		sortByDigit(sorted, keys, shift)
		keys, sorted = sorted, keys
	}
	for i, key := range keys {
		values[i] = valueOf(key)
	}
}

// sortKey returns an integer with the same order as v. The bits of positive numbers have this order if the
// sign bit is set; the bits of negative numbers have it if all of them are inverted.
func sortKey(v float64) uint64 {
	bits := math.Float64bits(v)
	if bits&signBit != 0 {
		return ^bits
	}
	return bits | signBit
}

// valueOf returns the number with the given sort key.
func valueOf(key uint64) float64 {
	if key&signBit == 0 {
		return math.Float64frombits(^key)
	}
	return math.Float64frombits(key &^ signBit)
}

// sortByDigit stores the keys in sorted, in the order of the digit at the given bit. Keys with the same digit
// keep their order.
func sortByDigit(sorted, keys []uint64, shift int) {
	var next [digits]int // first the number of keys with each digit, then the index of the next one in sorted
	for _, key := range keys {
		next[key>>shift%digits]++
	}
	sum := 0
	for digit, count := range next {
		next[digit] = sum
		sum += count
	}
	for _, key := range keys {
		digit := key >> shift % digits
		sorted[next[digit]] = key
		next[digit]++
	}
}
