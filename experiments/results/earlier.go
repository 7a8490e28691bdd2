package results

import (
	"path"
	"path/filepath"
	"slices"

	"copse/experiments/study"
)

// Earlier returns the other configurations that results were made by, the latest
// first, and says of those that this binary does not read why.
func (l *Ledger) Earlier(s *study.Study) (list []*study.Study, broken []string) {
	seen := map[string]bool{"": true}
	if text, err := s.YAML(); err == nil {
		seen[string(text)] = true
	}
	for i := range slices.Backward(l.Sessions) {
		text := l.Sessions[i].Config
		if seen[text] {
			continue
		}
		seen[text] = true
		session := path.Join(filepath.ToSlash(l.dir), "the configuration of the session of "+l.Sessions[i].Started)
		if earlier, err := study.Parse(session, []byte(text), nil, l.recall); err == nil {
			list = append(list, earlier)
		} else {
			broken = append(broken, err.Error())
		}
	}
	return list, broken
}
