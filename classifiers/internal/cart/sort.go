package cart

// A key is a rank in the upper and a row in the lower 32 bits.
type key uint64

func newKey(rank uint32, row int32) key { return key(rank)<<32 | key(row) }

func (k key) rank() uint32 { return uint32(k >> 32) }
func (k key) row() int32   { return int32(uint32(k)) }

const (
	// insertionLimit is the length up to which insertion sort is the faster.
	insertionLimit = 24
	digitBits      = 8 // at most
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
	passes := (bits + digitBits - 1) / digitBits
	width := (bits + passes - 1) / passes // few digits: their counts are summed, too
	mask := key(1)<<width - 1
	for shift := 32; shift < 32+bits; shift += width {
		var start [1 << digitBits]int32
		for _, k := range keys {
			start[uint8(k>>shift&mask)]++
		}
		var sum int32
		for d, count := range start[:1<<width] {
			start[d] = sum
			sum += count
		}
		for _, k := range keys {
			d := uint8(k >> shift & mask)
			buffer[start[d]] = k
			start[d]++
		}
		keys, buffer = buffer, keys
	}
	return keys
}
