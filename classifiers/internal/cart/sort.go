package cart

// A key is a rank in the upper and a row in the lower 32 bits.
type key uint64

func newKey(rank uint32, row int32) key { return key(rank)<<32 | key(row) }

func (k key) rank() uint32 { return uint32(k >> 32) }
func (k key) row() int32   { return int32(uint32(k)) }

const (
	// insertionLimit is the length up to which insertion sort is the faster.
	insertionLimit = 24
	digitBits      = 8
	digits         = 1 << digitBits
)

// sortKeys sorts keys by rank, all ranks below 2^bits, and returns the result,
// which lies in keys or in buffer. Keys of equal rank keep their order.
func sortKeys(keys, buffer []key, bits int) []key {
	if len(keys) <= insertionLimit {
		for i := 1; i < len(keys); i++ {
			k, j := keys[i], i
			for ; j > 0 && keys[j-1].rank() > k.rank(); j-- {
				keys[j] = keys[j-1]
			}
			keys[j] = k
		}
		return keys
	}
	buffer = buffer[:len(keys)]
	for shift := 32; shift < 32+bits; shift += digitBits {
		var start [digits]int32
		for _, k := range keys {
			start[uint8(k>>shift)]++
		}
		var sum int32
		for d, count := range start {
			start[d] = sum
			sum += count
		}
		for _, k := range keys {
			d := uint8(k >> shift)
			buffer[start[d]] = k
			start[d]++
		}
		keys, buffer = buffer, keys
	}
	return keys
}
