package run

import (
	"reflect"
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
	whole := NewPlan(l, false)
	if whole.Trials != 10 || whole.Done != 6 || whole.Failed != 3 || whole.Rows != 24 || len(whole.Tasks) != 10 {
		t.Fatalf("%+v", whole)
	}
	sum, ran := Plan{}, map[string]map[int]int{}
	for index := 1; index <= 3; index++ {
		p := newShardPlan(l, Shard{index, 3}, false)
		if p.Failed != 1 || p.Done != 2 {
			t.Errorf("shard %d: %d results are there, %d of them failed; want 2 and 1", index, p.Done, p.Failed)
		}
		sum.Trials, sum.Done, sum.Failed, sum.Rows = sum.Trials+p.Trials, sum.Done+p.Done, sum.Failed+p.Failed,
			sum.Rows+p.Rows
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
	if sum.Trials != whole.Trials || sum.Done != whole.Done || sum.Failed != whole.Failed || sum.Rows != whole.Rows {
		t.Errorf("the shards have %+v, the whole %+v", sum, whole)
	}
	if got := whole.MissingShards(3); !reflect.DeepEqual(got, []int{1, 2, 3}) {
		t.Errorf("shards %v lack results", got)
	}
	if retried := newShardPlan(l, Shard{1, 3}, true); retried.Rows != newShardPlan(l, Shard{1, 3}, false).Rows+1 {
		t.Errorf("%d results to run with the failed one", retried.Rows)
	}
}

func TestParseShard(t *testing.T) {
	if s, err := ParseShard("3/8"); err != nil || s != (Shard{3, 8}) || s.String() != "3-of-8" {
		t.Errorf("%v, %v", s, err)
	}
	if s, err := ParseShard("1/1"); err != nil || s.String() != "main" {
		t.Errorf("%v, %v", s, err)
	}
	for _, text := range []string{"", "3", "0/3", "4/3", "-1/3", "1/0", "a/b", "1/3 ", "01/3", "1/3/2"} {
		if s, err := ParseShard(text); err == nil {
			t.Errorf("%q is %v", text, s)
		}
	}
}

// Each trial belongs to exactly one shard. Without sharding, one shard contains all trials.
func TestShardsDivideTrials(t *testing.T) {
	for _, count := range []int{2, 3} {
		for cell := range 3 {
			for replicate := 1; replicate <= 4; replicate++ {
				owners := 0
				for index := 1; index <= count; index++ {
					if (Shard{index, count}).has(cell, replicate) {
						owners++
					}
				}
				if owners != 1 || !(Shard{}).has(cell, replicate) || !(Shard{1, 1}).has(cell, replicate) {
					t.Errorf("replicate %d of cell %d is of %d of %d shards", replicate, cell, owners, count)
				}
			}
		}
	}
}
