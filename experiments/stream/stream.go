// Package stream creates the random sources of a trial. Each role, such as drawing the training
// set, has its own source.
package stream

import (
	"crypto/sha256"
	"fmt"

	"golang.org/x/exp/rand"
)

// Roles of random sources in a trial.
const (
	Structure   = "structure"    // the problem: the distribution of the data
	Train       = "train"        // training rows
	Test        = "test"         // test rows
	Folds       = "folds"        // assignment of rows to folds, or to a holdout
	Missing     = "missing"      // missing values in training rows
	MissingTest = "missing-test" // missing values in test rows
	Subsample   = "subsample"    // rows of a file that a trial uses
	Labels      = "labels"       // changes of training labels
)

// Irrelevant returns the role of the random source for irrelevant attributes, such as
// "irrelevant-train". rows is the role of the source that draws the rows: Train, Test, or a role
// from Block.
func Irrelevant(rows string) string { return "irrelevant-" + rows }

// Block returns a role for New, such as "train-block-2", for one block of a sample. rows is the
// role of the sample, Train or Test. With separate blocks, smaller samples can be subsets of larger
// ones.
func Block(rows string, block int) string { return fmt.Sprintf("%s-block-%d", rows, block) }

// New returns the random source of a role in a trial. It is a PCG generator whose state is the
// first 128 bits of the SHA-256 digest of the arguments, big-endian.
func New(seed uint64, cellKey string, replicate int, role string) *rand.Rand {
	source := new(rand.PCGSource)
	if err := source.UnmarshalBinary(state(seed, cellKey, replicate, role)); err != nil {
		panic(err) // the state always has 16 bytes
	}
	return rand.New(source)
}

// state returns the initial state of a source, 16 bytes.
func state(seed uint64, cellKey string, replicate int, role string) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "copse/1|%d|%s|%d|%s", seed, cellKey, replicate, role))
	return sum[:16]
}

// Classifier returns a role for New, such as "classifier:knn", for the random numbers of a
// classifier in a fit. id is the classifier's ID in the study, or "" outside a study.
func Classifier(id string) string { return "classifier:" + id }

// Tuning returns a role for New, such as "tuning:knn", for tuning the classifier with this id.
//
// A random search draws its candidates once per study. Then, cellKey is empty and the replicate is
// 0.
func Tuning(id string) string { return "tuning:" + id }
