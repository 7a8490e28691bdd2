package run

import (
	"fmt"
	"slices"

	"copse/experiments/study"
)

// A Shard is one of several parts that a study's trials are divided into. The
// division depends on the design alone, never on what has been done.
type Shard struct{ Index, Count int }

// shard is the part that a task belongs to, of a division into count. Replicates are
// dealt out in turn, each cell beginning one shard later, so that every shard has its
// share of every cell.
func (t *Task) shard(count int) int { return 1 + (t.cellIndex+t.Replicate)%count }

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

// Limit leaves of a plan of the study what is the shard's: tasks, trials, results.
func (p *Plan) Limit(s *study.Study, shard Shard) {
	if shard.Count <= 1 {
		return
	}
	others := func(t Task) bool { return t.shard(shard.Count) != shard.Index }
	p.Tasks = slices.DeleteFunc(p.Tasks, others)
	p.addUp()
	p.Trials = 0
	results := 0
	for i, c := range s.Cells {
		for replicate := 1; replicate <= s.Replicates; replicate++ {
			if !others(Task{cellIndex: i, Replicate: replicate}) {
				p.Trials++
				results += len(c.Classifiers)
			}
		}
	}
	p.Done = results - p.Rows
}
