package study_test

import (
	"testing"

	"copse/experiments/study"
	"copse/internal/toys"
)

// parse reads a study from its text, as if it came from the file s.yaml, with the assignments of --set.
func parse(text string, assignments ...string) (*study.Study, error) {
	return study.Parse("s.yaml", []byte(text), assignments, nil)
}

func TestMain(m *testing.M) { toys.Main(m) }
