package run

import "fmt"

// A Shard is one of several parts that a study's trials are divided into. The
// division depends on the design alone, never on what has been done.
type Shard struct{ Index, Count int }

// shardOf returns the shard, from 1 to count, of a replicate of the cell at an index of
// the design. Replicates are dealt out in turn, each cell beginning one shard later, so
// that every shard has its share of every cell.
func shardOf(cell, replicate, count int) int { return 1 + (cell+replicate)%count }

// has reports whether a replicate of the cell at an index of the design is the shard's.
func (s Shard) has(cell, replicate int) bool {
	return s.Count <= 1 || shardOf(cell, replicate, s.Count) == s.Index
}

// ParseShard reads K/N.
func ParseShard(text string) (Shard, error) {
	var s Shard
	_, err := fmt.Sscanf(text, "%d/%d", &s.Index, &s.Count)
	if err != nil || s.Index < 1 || s.Index > s.Count || text != fmt.Sprintf("%d/%d", s.Index, s.Count) {
		return s, fmt.Errorf("--shard %s: want K/N with 1 <= K <= N, such as 3/8", text)
	}
	return s, nil
}

// String names the shard's journal.
func (s Shard) String() string {
	if s.Count <= 1 {
		return "main"
	}
	return fmt.Sprintf("%d-of-%d", s.Index, s.Count)
}
