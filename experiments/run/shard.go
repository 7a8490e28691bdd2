package run

import "fmt"

// A Shard is one of Count parts of the trials of a study. Index ranges from 1 to Count. The zero
// Shard contains all trials.
//
// The division depends only on the design, not on the stored results.
type Shard struct{ Index, Count int }

// scramble is a prime number above the largest number of cells. Multiplication by scramble, modulo
// the number of cells, permutes the cells.
const scramble = 618041

// shardOf returns the shard, from 1 to count, of a replicate. cell is the index of its cell among
// all cells.
//
// Successive replicates belong to successive shards. If replicates are added to the study, existing
// trials keep their shards.
func shardOf(cell, cells, replicate, count int) int {
	// Neighbouring cells have similar costs, so spread their first replicates over the shards.
	first := cell * scramble % cells * count / cells
	return 1 + (first+replicate)%count
}

// has reports whether a replicate belongs to the shard. cell is the index of its cell among all
// cells.
func (s Shard) has(cell, cells, replicate int) bool {
	return s.Count <= 1 || shardOf(cell, cells, replicate, s.Count) == s.Index
}

// ParseShard parses a shard in the form K/N, such as 3/8.
func ParseShard(text string) (Shard, error) {
	var s Shard
	_, err := fmt.Sscanf(text, "%d/%d", &s.Index, &s.Count)
	if err != nil || s.Index < 1 || s.Index > s.Count || text != fmt.Sprintf("%d/%d", s.Index, s.Count) {
		return s, fmt.Errorf("--shard %s: a shard has the form K/N with 1 <= K <= N, such as 3/8", text)
	}
	return s, nil
}

// String returns the shard as it appears in file names: 3-of-8, or main for the zero Shard.
func (s Shard) String() string {
	if s.Count <= 1 {
		return "main"
	}
	return fmt.Sprintf("%d-of-%d", s.Index, s.Count)
}
