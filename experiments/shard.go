package experiments

import (
	"fmt"
	"slices"
)

// A Shard is one of several parts that a study's trials are divided into. The
// division depends on the design alone, never on what has been done.
type Shard struct{ Index, Count int }

// of keeps the shard's tasks. Replicates are dealt out in turn, each cell
// beginning one shard later, so that every shard has its share of every cell.
func (s Shard) of(tasks []Task) []Task {
	if s.Count <= 1 {
		return tasks
	}
	return slices.DeleteFunc(tasks, func(t Task) bool { return (t.cellIndex+t.Replicate)%s.Count != s.Index-1 })
}

// ParseShard reads K/N.
func ParseShard(text string) (Shard, error) {
	var s Shard
	if n, err := fmt.Sscanf(text, "%d/%d", &s.Index, &s.Count); n != 2 || err != nil || s.Index < 1 || s.Index > s.Count || text != fmt.Sprintf("%d/%d", s.Index, s.Count) {
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

// CheckWriter refuses a writer's name that cannot be part of a file name.
func CheckWriter(name string) error {
	if name != "" && !namePattern.MatchString(name) {
		return fmt.Errorf("--writer %q: use letters, digits, '.', '_' and '-'", name)
	}
	return nil
}
