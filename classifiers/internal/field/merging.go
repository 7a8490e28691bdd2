package field

import (
	"context"
	"slices"
)

// A Merge says how Markov Blanket Merging forms the next candidate relatives of
// X_i from the present local networks BN_j. The paper refers to Neural Networks
// 22 (2009) 603-613 for the step; these are readings of it.
type Merge string

const (
	// MergeNetworks: the union of X_i's blankets in all networks that contain it.
	MergeNetworks Merge = "networks"
	// MergeBlankets: X_i's own blanket and the own blankets of its members.
	MergeBlankets Merge = "blankets"
	// MergeSymmetric: X_i's own blanket and every X_j whose own blanket has X_i.
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

// blanket returns the parents, children and children's parents of variable i,
// ascending; nil when i is not in the network.
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
	networks, blankets := make([]network, d), make([][]int, d)
	tried := make([]map[string]bool, d) // relatives whose network was learned before
	// 1. Start from the k most strongly associated relatives of each variable.
	for i := range d {
		relatives := slices.Clone(ranking[i][:min(m.Relatives, d-1)])
		slices.Sort(relatives)
		if networks[i], err = m.local(ctx, s, i, relatives); err != nil {
			return nil, err
		}
		blankets[i] = networks[i].blanket(i)
		tried[i] = map[string]bool{key(i, relatives, 0): true}
	}
	// 2. Refine: merge blankets, learn the network again, keep it if node i's term
	// of the cross-validated pseudo-likelihood (Eq. 15) grows; stop when a sweep
	// over the variables changes nothing.
	for changed := true; changed; {
		changed = false
		for i := range d {
			relatives := m.candidates(i, networks, blankets, ranking[i])
			k := key(i, relatives, 0)
			if tried[i][k] {
				continue
			}
			tried[i][k] = true
			net, err := m.local(ctx, s, i, relatives)
			if err != nil {
				return nil, err
			}
			blanket := net.blanket(i)
			if s.Score(i, blanket).LogLik > s.Score(i, blankets[i]).LogLik+m.MinGain {
				networks[i], blankets[i], changed = net, blanket, true
			}
		}
	}
	return blankets, nil
}

// local learns the network of variable i and its relatives, section 4.2.
func (m Merging) local(ctx context.Context, s *Scorer, i int, relatives []int) (network, error) {
	nodes := append([]int{i}, relatives...)
	slices.Sort(nodes)
	parents, err := HillClimb(ctx, nodes, m.MaxParents, m.MinGain, s)
	return network{nodes, parents}, err
}

// candidates merges blankets into at most k* relatives of variable i, ascending:
// the members of its present blanket first, then the most strongly associated.
func (m Merging) candidates(i int, networks []network, blankets [][]int, ranking []int) []int {
	in := make([]bool, len(networks))
	mark := func(variables []int) {
		for _, j := range variables {
			in[j] = true
		}
	}
	switch m.Merge {
	case MergeNetworks:
		for _, b := range networks {
			mark(b.blanket(i))
		}
	case MergeBlankets:
		for _, j := range blankets[i] {
			mark(blankets[j])
		}
	case MergeSymmetric:
		for j, blanket := range blankets {
			in[j] = slices.Contains(blanket, i)
		}
	default:
		panic("field: unknown merge " + string(m.Merge))
	}
	relatives := slices.Clone(blankets[i])
	mark(relatives)
	for _, j := range ranking {
		if in[j] && len(relatives) < m.MaxRelatives && !slices.Contains(blankets[i], j) {
			relatives = append(relatives, j)
		}
	}
	slices.Sort(relatives)
	return relatives
}
