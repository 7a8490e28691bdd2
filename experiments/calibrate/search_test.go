package calibrate

import (
	"fmt"
	"strings"
	"testing"

	"copse/internal/errtest"
)

// The error of a round counts the readings that the generator rejected in this round, not in earlier ones.
func TestErrorCountsTheReadingsOfItsRound(t *testing.T) {
	impossible := strings.Replace(example, "max_depth, low: 0, high: 2}", "common_nodes, low: 4, high: 9}", 1)
	c, err := New(newStudy(t, impossible), noLosses(), nil)
	if err != nil {
		t.Fatal(err)
	}
	c.Options.Readings = 3 // fewer draws
	earlier := 0
	for round := 1; round <= 2; round++ {
		_, err := c.propose(round, nil)
		want := fmt.Sprintf("rejects all %d proposed", c.Impossible-earlier)
		errtest.Case(t, fmt.Sprintf("round %d", round)).Contains(err, want)
		earlier = c.Impossible
	}
	if earlier == 0 {
		t.Error("no rejected readings are counted")
	}
}
