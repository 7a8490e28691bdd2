package records

import (
	"fmt"
	"regexp"
	"strings"
)

// Tuned is the outcome of tuning a classifier on one training set.
type Tuned struct {
	Values     string // chosen values of the parameters, such as c=10 gamma=0.1
	Metric     string
	Score      float64 // mean of the metric over the folds of the tuning
	Candidates int     // number of candidate values
	Failed     int     // number of candidates without a score
}

// String returns a text such as "c=10 gamma=0.1 | log_loss=0.31 candidates=12 failed=0".
func (t Tuned) String() string {
	return fmt.Sprintf("%s | %s=%s candidates=%d failed=%d",
		t.Values, t.Metric, formatNumber(t.Score), t.Candidates, t.Failed)
}

// tunedText matches the text that Tuned.String returns. The name of a metric may contain =, as in
// "sensitivity:<=50K".
var tunedText = regexp.MustCompile(`(?s)^(.*?) \| (.*)=(\S+) candidates=(\S+) failed=(\S+)$`)

// ParseTuned parses the result of String.
func ParseTuned(text string) (t Tuned, err error) {
	parts := tunedText.FindStringSubmatch(text)
	if parts == nil {
		return t, fmt.Errorf("%q is not a tuning result", text)
	}
	t.Values, t.Metric = parts[1], parts[2]
	if _, err = fmt.Sscan(strings.Join(parts[3:], " "), &t.Score, &t.Candidates, &t.Failed); err != nil {
		return t, fmt.Errorf("%q is not a tuning result: %w", text, err)
	}
	return t, nil
}
