package field

import (
	"context"
	"slices"
)

// A Merge selects how Markov Blanket Merging forms the next candidate relatives of X_i from
// the present local networks BN_j. The paper cites Neural Networks 22 (2009) 603-613 for this
// step; these are readings of it. The own blanket of X_j is its blanket in BN_j.
type Merge string

const (
	// MergeNetworks takes the union of X_i's blankets in all networks that contain X_i.
	MergeNetworks Merge = "networks"
	// MergeBlankets takes X_i's own blanket and the own blankets of its members.
	MergeBlankets Merge = "blankets"
	// MergeSymmetric takes X_i's own blanket and every X_j whose own blanket contains X_i.
	MergeSymmetric Merge = "symmetric"
)

// Merging learns hybrid random fields by Markov Blanket Merging, section 4.
type Merging struct {
	Measure      Measure // orders the variables by association, section 4.1
	Relatives    int     // k: relatives at the start
	MaxRelatives int     // k*: relatives after a merge
	MaxParents   int     // p*: parents of a node in a local network
	Merge        Merge
	MinGain      float64 // least gain of log-likelihood, in nats, that a change must bring
}

// A network is a local Bayesian network: its variables, ascending, and the
// parents of each.
type network struct {
	nodes   []int
	parents [][]int
}

// blanket returns the Markov blanket of variable i, ascending: its parents, its children and
// their parents. It returns nil if i is not in the network.
func (b network) blanket(i int) []int {
	var members []int
	for v, parents := range b.parents {
		switch {
		case b.nodes[v] == i:
			members = append(members, parents...)
		case slices.Contains(parents, i):
			members = append(append(members, b.nodes[v]), parents...)
		}
	}
	slices.Sort(members)
	members = slices.Compact(members)
	return slices.DeleteFunc(members, func(j int) bool { return j == i })
}

// Learn returns the Markov blanket of every variable of the scorer's sample.
func (m Merging) Learn(ctx context.Context, s *Scorer) ([][]int, error) {
	d := len(s.x)
	ranking, err := Ranking(ctx, s.x, m.Measure)
	if err != nil {
		return nil, err
	}
	l := &learner{Merging: m, s: s, networks: make([]network, d), blankets: make([][]int, d), ranking: ranking}
	// 1. Start from the k most strongly associated relatives of each variable.
	for i := range d {
		relatives := slices.Clone(ranking[i][:min(m.Relatives, d-1)])
		slices.Sort(relatives)
		if l.networks[i], err = m.local(ctx, s, i, relatives); err != nil {
			return nil, err
		}
		l.blankets[i] = l.networks[i].blanket(i)
		l.tried = append(l.tried, map[string]bool{key(i, relatives, 0): true})
	}
	// 2. Refine until a sweep over the variables changes nothing.
	for changed := true; changed; {
		changed = false
		for i := range d {
			better, err := l.refine(ctx, i)
			if err != nil {
				return nil, err
			}
			changed = changed || better
		}
	}
	return l.blankets, nil
}

// learner is the state of Learn. All slices are by variable.
type learner struct {
	Merging
	s        *Scorer
	networks []network         // the local network of the variable
	blankets [][]int           // its Markov blanket in that network
	tried    []map[string]bool // keys of the relatives whose network was learned before
	ranking  [][]int           // the other variables, the most strongly associated first
}

// refine merges blankets into new relatives of variable i and learns their network. It keeps
// this network if the variable's term of the cross-validated pseudo-likelihood (Eq. 15)
// grows, and reports whether it does.
func (l *learner) refine(ctx context.Context, i int) (better bool, err error) {
	relatives := l.candidates(i, l.networks, l.blankets, l.ranking[i])
	k := key(i, relatives, 0)
	if l.tried[i][k] {
		return false, nil
	}
	l.tried[i][k] = true
	net, err := l.local(ctx, l.s, i, relatives)
	if err != nil {
		return false, err
	}
	blanket := net.blanket(i)
	if !(l.s.Score(i, blanket).LogLik > l.s.Score(i, l.blankets[i]).LogLik+l.MinGain) {
		return false, nil
	}
	l.networks[i], l.blankets[i] = net, blanket
	return true, nil
}

// local learns the network of variable i and its relatives, section 4.2.
func (m Merging) local(ctx context.Context, s *Scorer, i int, relatives []int) (network, error) {
	nodes := append([]int{i}, relatives...)
	slices.Sort(nodes)
	parents, err := HillClimb(ctx, nodes, m.MaxParents, m.MinGain, s)
	return network{nodes, parents}, err
}

// candidates merges blankets into at most k* relatives of variable i, ascending. It takes all
// members of the variable's blanket, then of the merged variables the most strongly
// associated ones.
func (m Merging) candidates(i int, networks []network, blankets [][]int, ranking []int) []int {
	merged := m.merged(i, networks, blankets)
	relatives := slices.Clone(blankets[i])
	for _, j := range ranking {
		if len(relatives) < m.MaxRelatives && slices.Contains(merged, j) && !slices.Contains(blankets[i], j) {
			relatives = append(relatives, j)
		}
	}
	slices.Sort(relatives)
	return relatives
}

// merged returns the variables that Merge selects for variable i, some more than once.
func (m Merging) merged(i int, networks []network, blankets [][]int) []int {
	var merged []int
	switch m.Merge {
	case MergeNetworks:
		for _, b := range networks {
			merged = append(merged, b.blanket(i)...)
		}
	case MergeBlankets:
		for _, j := range blankets[i] {
			merged = append(merged, blankets[j]...)
		}
	case MergeSymmetric:
		for j, blanket := range blankets {
			if slices.Contains(blanket, i) {
				merged = append(merged, j)
			}
		}
	default:
		panic("field: unknown merge " + string(m.Merge))
	}
	return merged
}
