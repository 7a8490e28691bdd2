package records

import (
	"fmt"
	"strconv"
	"strings"
)

// Tuned is the outcome of tuning in one training set.
type Tuned struct {
	Values     string // c=10 gamma=0.1: the chosen values, by parameter
	Metric     string
	Score      float64 // mean of the metric over the folds of the tuning
	Candidates int
	Failed     int // candidates without a score
}

// String returns the outcome as records have it, such as
// c=10 gamma=0.1 | log_loss=0.31 candidates=12 failed=0.
func (t Tuned) String() string {
	return fmt.Sprintf("%s | %s=%s candidates=%d failed=%d",
		t.Values, t.Metric, formatNumber(t.Score), t.Candidates, t.Failed)
}

// ParseTuned parses the result of String.
func ParseTuned(text string) (t Tuned, err error) {
	values, rest, ok := strings.Cut(text, " | ")
	name, rest, both := strings.Cut(rest, "=") // no metric has = in its name
	score, counts, all := strings.Cut(rest, " ")
	if !ok || !both || !all {
		return t, fmt.Errorf("%q is no result of tuning", text)
	}
	t.Values, t.Metric = values, name
	if t.Score, err = strconv.ParseFloat(score, 64); err != nil {
		return t, fmt.Errorf("%q is no result of tuning: %w", text, err)
	}
	if _, err = fmt.Sscanf(counts, "candidates=%d failed=%d", &t.Candidates, &t.Failed); err != nil {
		return t, fmt.Errorf("%q is no result of tuning: %w", text, err)
	}
	return t, nil
}
