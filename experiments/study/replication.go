package study

import (
	"reflect"

	"gopkg.in/yaml.v3"

	"copse/experiments/config"
)

// replication reads the key replicates. The last release took a rule to stop by, too.
func (s *document) replication() {
	n := s.ReplicatesNode
	if n == nil {
		return
	}
	if config.Resolve(n).Kind == yaml.MappingNode {
		s.decoder.Fail(n, "replicates", "rules to stop by are gone, since they biased skewed differences: give a number; "+
			"copse status --precision prints the replicates that a precision needs, and run --replicates adds them")
		return
	}
	s.decoder.Value(n, "replicates", reflect.ValueOf(&s.Replicates).Elem(), `range:"[1,1e7]"`)
}

// Retired returns the keys of the last release that are gone, with what to do instead.
func (*document) Retired() map[string]string {
	return map[string]string{"isolate": "built-in classifiers run inside copse; " +
		"limit its memory with copse run --memory, or with the scheduler's --mem"}
}

// maxTrials bounds a study: as many a few GB of memory can plan and collect.
const maxTrials = 10_000_000

// checkTrials refuses studies of more trials than can be planned.
func (s *document) checkTrials() {
	if trials := len(s.cells) * s.Replicates; trials > maxTrials {
		s.decoder.Fail(entryOr(s.root, "replicates"), "replicates", "%d cells x %d replicates are %d trials, more than %d: divide the study", len(s.cells), s.Replicates, trials, maxTrials)
	}
}
