package calibrate

import (
	"fmt"
	"strings"
	"testing"

	"copse/internal/errtest"
)

// The error of a round counts the readings that the generator rejected in this round, not in earlier ones. The
// search ends with this error.
func TestErrorCountsTheReadingsOfItsRound(t *testing.T) {
	impossible := strings.Replace(example, "max_depth, low: 0, high: 2}", "common_nodes, low: 4, high: 9}", 1) // d is 3
	search := func() *Search {
		c := newSearch(t, impossible, noLosses(), nil)
		c.Options.Readings = 3 // fewer draws
		return c
	}
	c, earlier := search(), 0
	for round := 1; round <= 2; round++ {
		_, err := c.propose(round, nil)
		want := fmt.Sprintf("round %d: the generator rejects all %d proposed", round, c.Impossible-earlier)
		errtest.Contains(t, err, want, "common_nodes")
		earlier = c.Impossible
	}
	if earlier == 0 {
		t.Error("no rejected readings are counted")
	}
	_, err := search().Run()
	errtest.Case(t, "the whole search").HasPrefix(err, "round 1: the generator rejects all ")
}
