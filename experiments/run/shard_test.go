package run

import (
	"reflect"
	"slices"
	"testing"

	"copse/experiments/trial"
)

// Shards divide trials, results and failures of a study among them, and each gets its share of every cell.
func TestShardPlans(t *testing.T) {
	s := load(t, forestStudy)
	var stored []*trial.Trial
	for replicate := 1; replicate <= 3; replicate++ {
		stored = append(stored, fakeTrial(s.Cells[0], replicate, fit{"nb", 5}, fit{"lda", -1}))
	}
	l := store(t, s, stored...)
	whole := NewPlan(l)
	if whole.Trials != 10 || whole.Done != 6 || whole.Failed != 3 || whole.Missing != 24 || len(whole.Tasks) != 10 {
		t.Fatalf("%+v", whole)
	}
	sum, ran := Plan{}, map[string]map[int]int{}
	for index := 1; index <= 3; index++ {
		p := newShardPlan(l, Shard{index, 3}, false)
		if p.Failed != 1 || p.Done != 2 {
			t.Errorf("shard %d: %d results are there, %d of them failed; want 2 and 1", index, p.Done, p.Failed)
		}
		sum.Trials, sum.Done, sum.Failed, sum.Missing = sum.Trials+p.Trials, sum.Done+p.Done, sum.Failed+p.Failed,
			sum.Missing+p.Missing
		for _, task := range p.Tasks {
			if ran[task.Cell.ID] == nil {
				ran[task.Cell.ID] = map[int]int{}
			}
			ran[task.Cell.ID][task.Replicate] = index
		}
		for _, c := range s.Cells {
			n := 0
			for _, owner := range ran[c.ID] {
				if owner == index {
					n++
				}
			}
			if n < 1 || n > 2 {
				t.Errorf("shard %d has %d of 5 replicates of cell %s", index, n, c.ID)
			}
		}
	}
	if sum.Trials != whole.Trials || sum.Done != whole.Done || sum.Failed != whole.Failed ||
		sum.Missing != whole.Missing {
		t.Errorf("the shards have %+v, the whole %+v", sum, whole)
	}
	if got := whole.MissingShards(3); !reflect.DeepEqual(got, []int{1, 2, 3}) {
		t.Errorf("shards %v lack results", got)
	}
	if retried := newShardPlan(l, Shard{1, 3}, true); retried.Missing != newShardPlan(l, Shard{1, 3}, false).Missing+1 {
		t.Errorf("%d results to run with the failed one", retried.Missing)
	}
}

func TestParseShard(t *testing.T) {
	if s, err := ParseShard("3/8"); err != nil || s != (Shard{3, 8}) || s.String() != "3-of-8" {
		t.Errorf("%v, %v", s, err)
	}
	if s, err := ParseShard("1/1"); err != nil || s.String() != "main" {
		t.Errorf("%v, %v", s, err)
	}
}

// Each trial belongs to exactly one shard. Without sharding, one shard contains all trials.
func TestShardsDivideTrials(t *testing.T) {
	for _, count := range []int{2, 3} {
		for cell := range 3 {
			for replicate := 1; replicate <= 4; replicate++ {
				owners := 0
				for index := 1; index <= count; index++ {
					if (Shard{index, count}).has(cell, 3, replicate) {
						owners++
					}
				}
				if owners != 1 || !(Shard{}).has(cell, 3, replicate) || !(Shard{1, 1}).has(cell, 3, replicate) {
					t.Errorf("replicate %d of cell %d is of %d of %d shards", replicate, cell, owners, count)
				}
			}
		}
	}
}

// For any number of replicates, the largest and the smallest shard differ by at most one trial, and the costs
// of the shards are similar although the cost depends on the factors.
func TestShardsAreBalanced(t *testing.T) {
	for _, c := range []struct{ cells, replicates, count int }{
		{10, 5, 50}, {10, 5, 7}, {10, 50, 50}, {1, 20, 8}, {24, 3, 5}, {50, 1, 50}, {100, 1, 10}, {100, 7, 16},
		{1000, 3, 64},
	} {
		trials := make([]int, c.count)
		for cell := range c.cells {
			for replicate := 1; replicate <= c.replicates; replicate++ {
				trials[shardOf(cell, c.cells, replicate, c.count)-1]++
			}
		}
		if least, most := slices.Min(trials), slices.Max(trials); most-least > 1 {
			t.Errorf("%+v: shards with %d to %d trials", c, least, most)
		}
	}
	// One replicate of ten levels of n and ten levels of d in ten shards: the cost is n times d.
	costs := make([]int, 10)
	for cell := range 100 {
		costs[shardOf(cell, 100, 1, 10)-1] += (1 + cell/10) * (1 + cell%10)
	}
	if most := slices.Max(costs); most > 400 { // the mean is 302
		t.Errorf("shards cost %v", costs)
	}
}
