package field

import (
	"context"
	"slices"
)

// A Merge is a rule that selects candidate relatives for a new local network of a variable X_i. The
// blanket of a variable is its Markov blanket in its own local network.
//
// The paper does not describe the rule. It only cites Neural Networks 22 (2009) 603-613. So each
// Merge is one interpretation.
type Merge string

const (
	// MergeNetworks selects the union of the Markov blankets of X_i in all local networks that
	// contain X_i.
	MergeNetworks Merge = "networks"
	// MergeBlankets selects the blanket of X_i and the blankets of the variables in it.
	MergeBlankets Merge = "blankets"
	// MergeSymmetric selects the blanket of X_i and every X_j whose blanket contains X_i.
	MergeSymmetric Merge = "symmetric"
)

// Merging learns hybrid random fields by Markov Blanket Merging (section 4 of the paper).
type Merging struct {
	Measure      Measure // orders the variables by strength of association (section 4.1)
	Relatives    int     // k: number of relatives at the start
	MaxRelatives int     // k*: largest number of relatives after a merge
	MaxParents   int     // p*: largest number of parents of a node in a local network
	Merge        Merge
	MinGain      float64 // a change must raise the log-likelihood by more than this, in nats
}

// A network is a local Bayesian network: its variables in ascending order and their parents.
type network struct {
	nodes   []int
	parents [][]int
}

// blanket returns the Markov blanket of variable i in ascending order. It returns nil if i is not
// in the network.
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

// Learn returns the Markov blanket of every variable in its local network: its parents, its
// children and the children's other parents.
func (m Merging) Learn(ctx context.Context, s *Scorer) ([][]int, error) {
	d := len(s.x)
	ranking, err := Ranking(ctx, s.x, m.Measure)
	if err != nil {
		return nil, err
	}
	l := &learner{Merging: m, scorer: s, networks: make([]network, d), blankets: make([][]int, d), ranking: ranking,
		tried: map[string]bool{}}
	// Step 1: learn a local network for each variable i. Its nodes are i and the m.Relatives
	// variables with the strongest association with i.
	for i := range d {
		relatives := slices.Clone(ranking[i][:min(m.Relatives, d-1)])
		slices.Sort(relatives)
		if l.networks[i], err = l.local(ctx, i, relatives); err != nil {
			return nil, err
		}
		l.blankets[i] = l.networks[i].blanket(i)
		l.tried[key(i, relatives)] = true // so that refine does not learn the same network again
	}
	// Step 2: refine the networks until a pass over all variables changes nothing.
	for changed := true; changed; {
		if changed, err = l.refineAll(ctx); err != nil {
			return nil, err
		}
	}
	return l.blankets, nil
}

// refineAll refines the network of each variable once. It returns true if any network changes.
func (l *learner) refineAll(ctx context.Context) (changed bool, err error) {
	for i := range l.networks {
		better, err := l.refine(ctx, i)
		if err != nil {
			return false, err
		}
		changed = changed || better
	}
	return changed, nil
}

// learner is the state of Merging.Learn. All slices have one element per variable.
type learner struct {
	Merging
	scorer   *Scorer
	networks []network       // the local network of each variable
	blankets [][]int         // the Markov blanket of each variable in its local network
	ranking  [][]int         // the other variables, the most strongly associated first
	tried    map[string]bool // keys of the variables with the sets of relatives that were tried
}

// refine learns a new local network of variable i. If the log-likelihood of i given its Markov
// blanket (Eq. 15) increases by more than MinGain, refine keeps the new network and returns true.
func (l *learner) refine(ctx context.Context, i int) (better bool, err error) {
	relatives := l.candidates(i)
	set := key(i, relatives)
	if l.tried[set] { // the same relatives would give the same network
		return false, nil
	}
	l.tried[set] = true
	net, err := l.local(ctx, i, relatives)
	if err != nil {
		return false, err
	}
	blanket := net.blanket(i)
	before, after := l.scorer.Score(i, l.blankets[i]).LogLik, l.scorer.Score(i, blanket).LogLik
	if !(after > before+l.MinGain) { // also true if a log-likelihood is NaN
		return false, nil
	}
	l.networks[i], l.blankets[i] = net, blanket
	return true, nil
}

// local learns the local network of variable i and its relatives (section 4.2).
func (l *learner) local(ctx context.Context, i int, relatives []int) (network, error) {
	nodes := append([]int{i}, relatives...)
	slices.Sort(nodes)
	parents, err := HillClimb(ctx, nodes, l.MaxParents, l.MinGain, l.scorer)
	return network{nodes, parents}, err
}

// candidates returns the variables that join variable i in a new local network, in ascending order.
// They are its blanket and variables selected by l.Merge, up to l.MaxRelatives in total. Strongly
// associated variables take precedence.
func (l *learner) candidates(i int) []int {
	merged := l.merged(i)
	relatives := slices.Clone(l.blankets[i])
	for _, j := range l.ranking[i] {
		isNew := slices.Contains(merged, j) && !slices.Contains(l.blankets[i], j)
		if isNew && len(relatives) < l.MaxRelatives {
			relatives = append(relatives, j)
		}
	}
	slices.Sort(relatives)
	return relatives
}

// merged returns the variables that the rule l.Merge selects for a new local network of variable i.
// The result may contain i and duplicates.
func (l *learner) merged(i int) []int {
	var merged []int
	switch l.Merge {
	case MergeNetworks:
		for _, network := range l.networks {
			merged = append(merged, network.blanket(i)...)
		}
	case MergeBlankets:
		for _, j := range l.blankets[i] {
			merged = append(merged, l.blankets[j]...)
		}
	default: // MergeSymmetric
		for j, blanket := range l.blankets {
			if slices.Contains(blanket, i) {
				merged = append(merged, j)
			}
		}
	}
	return merged
}
