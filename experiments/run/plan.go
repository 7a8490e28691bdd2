package run

import (
	"cmp"
	"slices"

	"copse/experiments/external"
	"copse/experiments/results"
	"copse/experiments/study"
)

// A Task is a trial that still has classifiers to run.
type Task struct {
	Cell      *study.Cell
	Replicate int
	Entries   []study.Entry
	Cost      float64 // expected seconds on one core
	cellIndex int     // place of the cell in the design
}

// A Plan lists the trials that a run would compute, and why.
type Plan struct {
	Folder  *results.Folder // that the plan completes; nil: none
	Tasks   []Task
	Trials  int      // of the study or shard, including finished ones
	Rows    int      // missing results
	Done    int      // stored results of this study
	Failed  int      // of these, failed ones
	Gaps    []Gap    // which rows are missing, and why, in the order of the design
	Seconds float64  // expected time on one core
	Known   bool     // times were measured of the classifier of every missing result
	Untimed []string // ids of the other classifiers, in the order of the design
	costs   *costs
}

// NewPlan lists the trials of a study that lack results, the longest first; with
// retry, failed results count as missing.
func NewPlan(f *results.Folder, retry bool) *Plan { return newShardPlan(f, Shard{}, retry) }

// newShardPlan is NewPlan for the trials of one shard; all numbers count only this shard.
func newShardPlan(f *results.Folder, shard Shard, retry bool) *Plan {
	ran, s := f.Ran(), f.Study
	p := &Plan{Folder: f, costs: newCosts(ran, s)}
	history := historyOf(f, ran)
	if f.Len() == 0 { // every trial becomes a task; there may be millions
		p.Tasks = make([]Task, 0, len(s.Cells)*(s.Replicates/max(1, shard.Count)+1))
	}
	for i, c := range s.Cells {
		entries := p.plannedEntries(c, &history)
		p.addCell(c, i, entries, shard, retry)
		p.noteUntimed(c, entries)
	}
	p.addUp()
	p.Known = p.Rows > 0 && len(p.Untimed) == 0
	slices.SortStableFunc(p.Tasks, func(a, b Task) int { return cmp.Compare(b.Cost, a.Cost) })
	return p
}

// newStealingPlan is NewPlan with the tasks of a shard before those of the other shards.
func newStealingPlan(f *results.Folder, own Shard, retry bool) *Plan {
	p := NewPlan(f, retry)
	others := func(t Task) int {
		if own.has(t.cellIndex, t.Replicate) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(p.Tasks, func(a, b Task) int { return others(a) - others(b) })
	return p
}

// planOfTasks returns a plan of given tasks, such as the trials of a calibration.
func planOfTasks(tasks []Task) *Plan {
	p := &Plan{Tasks: tasks, Trials: len(tasks)}
	p.addUp()
	return p
}

// A plannedEntry is a classifier of a cell with what a plan needs for each of its replicates.
type plannedEntry struct {
	seconds float64 // expected for a fit with its prediction
	reason  string  // why a result is missing that is not stored
	missing int     // number of missing results, which addCell counts
}

// plannedEntries returns costs and reasons of the classifiers of a cell, in their order. They are
// computed once per cell, because there may be millions of replicates.
func (p *Plan) plannedEntries(c *study.Cell, history *history) []plannedEntry {
	entries := make([]plannedEntry, len(c.Classifiers))
	for k, e := range c.Classifiers {
		seconds, _ := p.costs.of(c, e.ID)
		entries[k] = plannedEntry{seconds: seconds, reason: history.reason(c, e)}
	}
	return entries
}

// addCell adds the trials of a cell in a shard: a task for each that lacks results, and the gaps.
// index is the place of the cell in the design. With retry, failed results count as missing.
func (p *Plan) addCell(c *study.Cell, index int, entries []plannedEntry, shard Shard, retry bool) {
	gaps := gapSorter{cell: c}
	stateOf := p.Folder.Finder(c.ID, c.Classifiers)
	missing := make([]int, 0, len(c.Classifiers)) // places of classifiers without a result
	for replicate := 1; replicate <= p.Folder.Study.Replicates; replicate++ {
		if !shard.has(index, replicate) {
			continue // another process runs it
		}
		p.Trials++
		t := Task{Cell: c, Replicate: replicate, cellIndex: index}
		missing = missing[:0]
		for k, e := range c.Classifiers {
			state := stateOf(replicate, k)
			p.count(state)
			if !isMissing(state, retry) {
				continue
			}
			missing = append(missing, k)
			entries[k].missing++
			t.Cost += entries[k].seconds
			gaps.miss(reasonOf(state, entries[k].reason), e.ID)
		}
		gaps.next(replicate)
		if len(missing) > 0 {
			t.Entries = entriesOf(c, missing)
			p.Tasks = append(p.Tasks, t)
		}
	}
	p.Gaps = append(p.Gaps, gaps.list...)
}

// noteUntimed adds the classifiers of a cell to Untimed that have missing results but no
// measured time.
func (p *Plan) noteUntimed(c *study.Cell, entries []plannedEntry) {
	for k, e := range c.Classifiers {
		if entries[k].missing > 0 && !p.costs.timed(e.ID) && !slices.Contains(p.Untimed, e.ID) {
			p.Untimed = append(p.Untimed, e.ID)
		}
	}
}

// isMissing reports whether a run computes a result; with retry, it repeats failed ones.
func isMissing(state results.State, retry bool) bool {
	return state != results.Done && (state != results.Failed || retry)
}

// reasonOf returns why a result is to be computed; without a stored result, why it is
// missing.
func reasonOf(state results.State, missing string) string {
	switch state {
	case results.Failed:
		return "failed before"
	case results.LacksMetric:
		return "computed before a metric was requested"
	}
	return missing
}

// count counts a stored result. One that lacks a metric counts as missing.
func (p *Plan) count(state results.State) {
	switch state {
	case results.Done:
		p.Done++
	case results.Failed:
		p.Done++
		p.Failed++
	}
}

// addUp sets the numbers of results and seconds of the tasks.
func (p *Plan) addUp() {
	p.Rows, p.Seconds = 0, 0
	for _, t := range p.Tasks {
		p.Rows += len(t.Entries)
		p.Seconds += t.Cost
	}
}

// entriesOf returns the classifiers at the given places of a cell's list. Callers must not
// change them: the result may share the list's memory.
func entriesOf(c *study.Cell, places []int) []study.Entry {
	if len(places) == len(c.Classifiers) {
		return slices.Clip(c.Classifiers)
	}
	var list []study.Entry
	for _, k := range places {
		list = append(list, c.Classifiers[k])
	}
	return list
}

// MissingShards lists the shards that have tasks if there are count shards, in ascending order.
func (p *Plan) MissingShards(count int) []int {
	var list []int
	for _, t := range p.Tasks {
		list = append(list, shardOf(t.cellIndex, t.Replicate, count))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Programs returns the programs that the tasks need, each recipe once.
func (p *Plan) Programs() []*external.Program {
	var list []*external.Program
	seen := map[string]bool{}
	add := func(program *external.Program) {
		if program != nil && !seen[program.Spec()] {
			seen[program.Spec()] = true
			list = append(list, program)
		}
	}
	for _, t := range p.Tasks {
		add(t.Cell.Data.Program)
		for _, e := range t.Entries {
			add(e.Program)
		}
	}
	return list
}
