// Package stream creates the random source of each role in a trial. No other package creates random
// sources.
package stream

import (
	"crypto/sha256"
	"fmt"

	"golang.org/x/exp/rand"
)

// Roles of the random streams in a trial. Each classifier has a role of its own; see Classifier.
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

// Irrelevant returns the role that draws the irrelevant attributes of the rows of another role.
func Irrelevant(role string) string { return "irrelevant-" + role }

// Block returns the role that draws a block of the nested rows of another role.
func Block(role string, block int) string { return fmt.Sprintf("%s-block-%d", role, block) }

// New returns the random source of a role in a trial: a PCG generator whose 128-bit state is the
// beginning of the SHA-256 of a readable path. The path of a data role does not contain classifiers,
// and the path of a classifier does not contain other classifiers. New classifiers, levels or
// replicates therefore do not change existing streams.
func New(seed uint64, cellKey string, replicate int, role string) *rand.Rand {
	return FromState(State(seed, cellKey, replicate, role))
}

// State returns the initial state of New's source, to pass it to another process.
func State(seed uint64, cellKey string, replicate int, role string) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "copse/1|%d|%s|%d|%s", seed, cellKey, replicate, role))
	return sum[:16]
}

// Classifier returns the role of the classifier with an id; the id is "" outside a study.
func Classifier(id string) string { return "classifier:" + id }

// Tuning returns the role that chooses a classifier's settings in a trial. With replicate 0 and no
// cell, it draws the candidates of random search.
func Tuning(id string) string { return "tuning:" + id }

// FromState returns the generator with the given 128-bit state, big-endian.
func FromState(state []byte) *rand.Rand {
	source := new(rand.PCGSource)
	if err := source.UnmarshalBinary(state); err != nil {
		panic(err) // state is always 16 bytes
	}
	return rand.New(source)
}
