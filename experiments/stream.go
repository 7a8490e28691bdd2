package experiments

import (
	"crypto/sha256"
	"fmt"

	"golang.org/x/exp/rand" //lint:ignore SA1019 the study's random source by choice; frozen upstream, so its sequences stay
)

// Roles of the random streams inside one trial. A classifier's role is
// "classifier:" and its id.
const (
	roleStructure = "structure"
	roleTrain     = "train"
	roleTest      = "test"
	roleFolds     = "folds"
	roleMissing   = "missing"
)

// stream returns the random source of one role inside one trial: a PCG
// generator whose 128-bit state is the head of the SHA-256 of a readable path.
// The path of a data role names no classifier, and a classifier's path names no
// other classifier, so adding classifiers, levels or replicates changes nothing
// that is already there.
func stream(seed uint64, cellKey string, replicate int, role string) *rand.Rand {
	sum := sha256.Sum256(fmt.Appendf(nil, "copse/1|%d|%s|%d|%s", seed, cellKey, replicate, role))
	return newRand(sum[:16])
}

// newRand returns the generator with the given 128-bit state, big-endian.
func newRand(state []byte) *rand.Rand {
	source := new(rand.PCGSource)
	if err := source.UnmarshalBinary(state); err != nil {
		panic(err) // state is always 16 bytes
	}
	return rand.New(source)
}
