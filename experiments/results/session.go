package results

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"copse/experiments/external"
	"copse/experiments/study"
)

// A Session describes a process that ran trials. In a journal, its line precedes the
// lines of its trials.
type Session struct {
	Format     string   `json:"format"`
	Study      string   `json:"study"`
	Seed       uint64   `json:"seed"`
	Started    string   `json:"started"` // RFC 3339, UTC
	Platform   Platform `json:"platform"`
	Overrides  []string `json:"overrides,omitempty"` // --set and other flags that changed the study
	Replicates int      `json:"replicates"`
	Config     string   `json:"config,omitempty"` // the resolved study as YAML, which suffices to repeat its trials

	// Programs contains the handshakes of the external programs, keyed by recipe.
	Programs map[string]external.Handshake `json:"programs,omitempty"`
}

// NewSession returns a session that starts now. overrides lists the flags that changed the study.
func NewSession(s *study.Study, overrides []string) (*Session, error) {
	text, err := s.YAML()
	if err != nil {
		return nil, err
	}
	return &Session{
		Format:     JournalFormat,
		Study:      s.Name,
		Seed:       s.Seed,
		Started:    time.Now().UTC().Format(time.RFC3339),
		Platform:   ThisPlatform(),
		Overrides:  overrides,
		Replicates: s.Replicates,
		Config:     string(text),
	}, nil
}

// Belongs returns an error unless the session has the current format and the given study and seed.
func (s *Session) Belongs(study string, seed uint64) error {
	switch {
	case s.Format != JournalFormat:
		return fmt.Errorf(
			"written in the format %q, but this binary reads %q: use the binary that wrote it, or "+
				"another `--out` folder",
			s.Format,
			JournalFormat,
		)
	case s.Study != study:
		return fmt.Errorf("belongs to the study %q, not to %q: use another `--out` folder", s.Study, study)
	case s.Seed != seed:
		return fmt.Errorf(
			"was run with seed %d, but the study has seed %d, which changes all data; use another `--out` folder, or "+
				"the old seed",
			s.Seed,
			seed,
		)
	}
	return nil
}

// Handshakes returns the different handshakes of a program in the sessions, the earliest first.
func (f *Folder) Handshakes(p *external.Program) (list []external.Handshake) {
	for _, session := range sortedByStart(f.Sessions()) {
		hello, ok := session.Programs[p.Spec()]
		isSame := func(earlier external.Handshake) bool { return len(earlier.Changes(&hello)) == 0 }
		if ok && !slices.ContainsFunc(list, isSame) {
			list = append(list, hello)
		}
	}
	return list
}

func sortedByStart(sessions []Session) []Session {
	byStart := func(a, b Session) int { return cmp.Compare(a.Started, b.Started) }
	return slices.SortedStableFunc(slices.Values(sessions), byStart)
}

// Day returns the day of the start, such as 2026-11-24.
func (s *Session) Day() string {
	day, _, _ := strings.Cut(s.Started, "T")
	return day
}

// ProgramChanges returns a note for each change of a program between sessions.
func (f *Folder) ProgramChanges() (notes []string) {
	for _, p := range f.Study.Programs() {
		ran := f.Handshakes(p)
		for i := 1; i < len(ran); i++ {
			notes = append(notes, fmt.Sprintf("%s changed after some results were computed: %s", p,
				strings.Join(ran[i-1].Changes(&ran[i]), ", ")))
		}
	}
	return slices.Compact(notes) // programs that differ only in tuned parameters have the same handshakes
}
