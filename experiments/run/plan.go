package run

import (
	"cmp"
	"slices"

	"copse/experiments/external"
	"copse/experiments/results"
	"copse/experiments/study"
)

// A Task is a trial, one replicate of a cell, with missing results.
type Task struct {
	Cell      *study.Cell
	Replicate int
	Entries   []study.Entry // classifiers to run; tasks may share this memory, so it must not be changed
	Cost      float64       // expected seconds on one core
	Divided   bool          // a later task contains other classifiers of the trial
	cellIndex int           // index of the cell in the design
}

// A Plan lists the trials that a run would compute, with the reasons why their results are missing.
type Plan struct {
	Folder   *results.Folder // the results folder, if any
	Tasks    []Task
	Trials   int      // number of all trials of the study or shard
	Missing  int      // number of missing results
	Done     int      // number of stored results that a run would not compute again
	Failed   int      // number of stored results that report a failed fit
	Gaps     []Gap    // the missing results, in the order of the design
	Seconds  float64  // expected time on one core
	AllTimed bool     // results are missing, and all their classifiers have been timed
	Untimed  []string // ids of classifiers with missing results but without a measured time
	costs    *costs
}

// NewPlan returns a plan of all trials of a study that have missing results, the most expensive
// first. Failed results do not count as missing.
func NewPlan(f *results.Folder) *Plan {
	const retryFailed = false
	return newShardPlan(f, Shard{}, retryFailed)
}

// newShardPlan returns a plan of the trials of one shard with missing results, the most expensive
// first. If retry is true, failed results count as missing.
func newShardPlan(f *results.Folder, shard Shard, retry bool) *Plan {
	f.FindPredictions() // f.State then recognizes results without predictions
	ran := f.Ran()      // what is stored for each cell and classifier
	s := f.Study
	p := &Plan{Folder: f, costs: newCosts(ran, s)}
	history := historyOf(f, ran) // explains why results are missing
	if f.Len() == 0 {
		// Each trial becomes a task. Allocate all tasks at once, because copying millions of them
		// is slow.
		p.Tasks = make([]Task, 0, len(s.Cells)*(s.Replicates/max(1, shard.Count)+1))
	}
	for i, c := range s.Cells {
		entries := p.plannedEntries(c, &history)
		p.addCell(c, i, entries, shard, retry)
	}
	p.sumTasks()
	p.noteUntimed()
	p.AllTimed = p.Missing > 0 && len(p.Untimed) == 0
	// Long tasks run first, so that no core is left with a long task at the end.
	slices.SortStableFunc(p.Tasks, func(a, b Task) int { return cmp.Compare(b.Cost, a.Cost) })
	return p
}

// A plannedEntry describes one classifier in all replicates of a cell.
type plannedEntry struct {
	seconds float64 // expected time of a fit and its prediction
	reason  string  // why results are missing, except in replicates with results of formerRecipe

	// the recipe of the classifier before its settings or version changed; "" if there was none
	formerRecipe string
}

// plannedEntries describes each classifier in c.Classifiers.
func (p *Plan) plannedEntries(c *study.Cell, history *history) []plannedEntry {
	entries := make([]plannedEntry, len(c.Classifiers))
	for k, e := range c.Classifiers {
		seconds, _ := p.costs.of(c, e.ID)
		entries[k] = plannedEntry{
			seconds:      seconds,
			reason:       history.reason(c, e),
			formerRecipe: history.formerRecipe(c, e),
		}
	}
	return entries
}

// addCell adds a task for each replicate of a cell that belongs to the shard and has missing results.
// If retry is true, failed results count as missing. index is the position of the cell in the
// design. planned[k] describes c.Classifiers[k].
func (p *Plan) addCell(c *study.Cell, index int, planned []plannedEntry, shard Shard, retry bool) {
	gaps := gapSorter{cell: c}                            // collects the reasons why results are missing
	missing := make([]study.Entry, 0, len(c.Classifiers)) // of one replicate; the next one uses the same memory
	for replicate := 1; replicate <= p.Folder.Study.Replicates; replicate++ {
		if !shard.has(index, len(p.Folder.Study.Cells), replicate) {
			continue
		}
		p.Trials++
		t := Task{Cell: c, Replicate: replicate, cellIndex: index}
		missing = p.appendMissing(missing[:0], &t, planned, &gaps, retry)
		gaps.endReplicate(replicate)
		switch len(missing) {
		case 0:
			continue // nothing to compute
		case len(c.Classifiers):
			t.Entries = slices.Clip(c.Classifiers) // without a copy, because many tasks have no results yet
		default:
			t.Entries = slices.Clone(missing)
		}
		p.Tasks = append(p.Tasks, t)
	}
	p.Gaps = append(p.Gaps, gaps.list...)
}

// appendMissing appends the classifiers of a replicate with missing results to list. It adds their
// expected times to t.Cost, and the reasons to gaps. It also counts stored results in p.
func (p *Plan) appendMissing(
	list []study.Entry, t *Task, planned []plannedEntry, gaps *gapSorter, retry bool,
) []study.Entry {
	for k, e := range t.Cell.Classifiers {
		state := p.Folder.State(t.Cell.ID, t.Replicate, &e)
		if state == results.Failed {
			p.Failed++
		}
		if !isMissing(state, retry) {
			p.Done++
			continue
		}
		list = append(list, e)
		t.Cost += planned[k].seconds
		gaps.add(p.whyMissing(state, t.Cell, t.Replicate, e, &planned[k]), e.ID)
	}
	return list
}

// whyMissing returns the reason why a run must compute a result. It is planned.reason unless a
// result of the classifier is stored for this replicate: a failure, an incomplete result, or a result
// with the former recipe of the classifier.
func (p *Plan) whyMissing(
	state results.State, c *study.Cell, replicate int, e study.Entry, planned *plannedEntry,
) string {
	switch state {
	case results.Failed:
		return "failed before"
	case results.LacksMetric:
		return "stored without a metric that the study now requests"
	case results.LacksPredictions:
		return "stored without predictions, which the study now requires"
	}
	former := planned.formerRecipe // "" if the settings and version of the classifier have never changed
	_, isStored := p.Folder.Row(c.ID, replicate, e.ID, former)
	if former != "" && isStored {
		return changedClassifier(e, former)
	}
	return planned.reason
}

func (p *Plan) noteUntimed() {
	for _, g := range p.Gaps {
		for _, id := range g.IDs {
			if !p.costs.hasTimes(id) && !slices.Contains(p.Untimed, id) {
				p.Untimed = append(p.Untimed, id)
			}
		}
	}
}

// isMissing reports whether a run must compute a result with this state. If retry is true, failed
// results count as missing.
func isMissing(state results.State, retry bool) bool {
	return state != results.Done && (state != results.Failed || retry)
}

// sumTasks sets Missing and Seconds to the sums over all tasks.
func (p *Plan) sumTasks() {
	for _, t := range p.Tasks {
		p.Missing += len(t.Entries)
		p.Seconds += t.Cost
	}
}

// MissingShards returns the numbers of the shards that have tasks, in ascending order. count is the
// number of all shards.
func (p *Plan) MissingShards(count int) []int {
	var list []int
	for _, t := range p.Tasks {
		list = append(list, shardOf(t.cellIndex, len(p.Folder.Study.Cells), t.Replicate, count))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Programs returns the distinct external programs that the tasks need.
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
