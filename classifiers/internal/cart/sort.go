package cart

// A key has a rank in the upper and a row in the lower 32 bits.
type key uint64

// rankShift is the number of bits below the rank.
const rankShift = 32

func newKey(rank uint32, row int32) key { return key(rank)<<rankShift | key(row) }

func (k key) rank() uint32 { return uint32(k >> rankShift) }
func (k key) row() int32   { return int32(uint32(k)) }

const (
	// insertionLimit is the length up to which insertion sort is faster.
	insertionLimit = 24
	// digitBits is the largest number of bits of a digit.
	digitBits = 8
)

// sortKeys sorts keys by rank and returns the result, in the memory of keys or of buffer,
// which is as long as keys. Keys of equal rank keep their order. All ranks are below 2^bits.
func sortKeys(keys, buffer []key, bits int) []key {
	if len(keys) <= insertionLimit {
		insertionSort(keys)
		return keys
	}
	return radixSort(keys, buffer[:len(keys)], bits)
}

func insertionSort(keys []key) {
	for i := 1; i < len(keys); i++ {
		k, j := keys[i], i
		for ; j > 0 && keys[j-1].rank() > k.rank(); j-- {
			keys[j] = keys[j-1]
		}
		keys[j] = k
	}
}

// radixSort sorts by the digits of the rank, the lowest first. Each pass moves the keys to the
// other slice; it returns the last one.
func radixSort(keys, buffer []key, bits int) []key {
	passes := (bits + digitBits - 1) / digitBits
	width := (bits + passes - 1) / passes // bits of a digit
	mask := key(1)<<width - 1
	for shift := rankShift; shift < rankShift+bits; shift += width {
		var start [1 << digitBits]int32 // number of keys with each digit, then the place of the next one
		for _, k := range keys {
			start[uint8(k>>shift&mask)]++
		}
		var sum int32
		for digit, count := range start[:1<<width] {
			start[digit] = sum
			sum += count
		}
		for _, k := range keys {
			digit := uint8(k >> shift & mask)
			buffer[start[digit]] = k
			start[digit]++
		}
		keys, buffer = buffer, keys
	}
	return keys
}
