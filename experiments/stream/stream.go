// Package stream makes the random source of each role inside a trial: the only
// place where random sources are made.
package stream

import (
	"crypto/sha256"
	"fmt"

	"golang.org/x/exp/rand"
)

// Roles of the random streams inside one trial; a classifier has its own
// (Classifier).
const (
	Structure   = "structure"
	Train       = "train"
	Test        = "test"
	Folds       = "folds" // and holdouts
	Missing     = "missing"
	MissingTest = "missing-test"
	Subsample   = "subsample"
	Labels      = "labels"
)

// Irrelevant is the role that draws irrelevant attributes of the rows of a role.
func Irrelevant(role string) string { return "irrelevant-" + role }

// Block is the role that draws a block of the nested rows of a role.
func Block(role string, block int) string { return fmt.Sprintf("%s-block-%d", role, block) }

// New returns the random source of one role inside one trial: a PCG
// generator whose 128-bit state is the head of the SHA-256 of a readable path.
// The path of a data role names no classifier, and a classifier's path names no
// other classifier, so adding classifiers, levels or replicates changes nothing
// that is already there.
func New(seed uint64, cellKey string, replicate int, role string) *rand.Rand {
	return FromState(State(seed, cellKey, replicate, role))
}

// State returns the state that New's source begins with, for another process.
func State(seed uint64, cellKey string, replicate int, role string) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "copse/1|%d|%s|%d|%s", seed, cellKey, replicate, role))
	return sum[:16]
}

// Classifier is the role of the classifier of an id; "" outside a study.
func Classifier(id string) string { return "classifier:" + id }

// Tuning is the role that chooses a classifier's settings; of no trial it draws candidates.
func Tuning(id string) string { return "tuning:" + id }

// FromState returns the generator with the given 128-bit state, big-endian.
func FromState(state []byte) *rand.Rand {
	source := new(rand.PCGSource)
	if err := source.UnmarshalBinary(state); err != nil {
		panic(err) // state is always 16 bytes
	}
	return rand.New(source)
}
