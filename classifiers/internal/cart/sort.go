package cart

// A key contains the rank of a row in its upper 32 bits. Its lower 32 bits contain the position of
// the row in its node.
type key uint64

// rankShift is the position of the rank's lowest bit in a key.
const rankShift = 32

func newKey(rank uint32, place int32) key { return key(rank)<<rankShift | key(place) }

func (k key) rank() uint32 { return uint32(k >> rankShift) }
func (k key) place() int32 { return int32(uint32(k)) }

const (
	insertionLimit = 24 // largest number of keys for which insertion sort is faster than radix sort
	digitBits      = 8  // largest number of bits in one digit of radixSort
)

// sortKeys sorts keys by rank and returns the result, in the memory of either keys or buffer. Keys
// with equal ranks keep their order. buffer must be at least as long as keys. All ranks must be
// below 2^bits.
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

// radixSort implements sortKeys. It sorts by one digit of the rank after another, from the lowest
// bits to the highest. Each pass moves the keys to the other slice, so either slice may contain the
// result. buffer must be as long as keys, and bits at least 1.
func radixSort(keys, buffer []key, bits int) []key {
	passes := (bits + digitBits - 1) / digitBits
	width := (bits + passes - 1) / passes // number of bits in a digit
	mask := key(1)<<width - 1
	for shift := rankShift; shift < rankShift+bits; shift += width {
		var start [1 << digitBits]int32 // at first, the number of keys with each digit
		for _, k := range keys {
			start[uint8(k>>shift&mask)]++ // an index of type uint8 needs no bounds check
		}
		var sum int32 // start becomes the index in buffer of the next key with each digit
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
