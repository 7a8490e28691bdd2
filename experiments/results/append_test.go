package results

import (
	"errors"
	"os"
	"testing"
)

// After a failed write, which may leave half a line, Append writes nothing more. Otherwise, the next line would be
// glued to the half line, and the damage would be in the middle of the journal.
func TestAppendStopsAfterAnError(t *testing.T) {
	dir, session := t.TempDir(), &Session{Format: JournalFormat, Study: "s"}
	j, err := OpenJournal(dir, "main", session)
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	if _, err := j.file.WriteString(`{"sum":`); err != nil { // the part of a line for which the disk had space
		t.Fatal(err)
	}
	writable := j.file
	if j.file, err = os.Open(j.file.Name()); err != nil { // writing to it fails
		t.Fatal(err)
	}
	first := j.Append(session)
	j.file.Close()
	j.file = writable // space has become free
	if again := j.Append(session); first == nil || !errors.Is(again, first) {
		t.Errorf("errors %v and then %v, want the same error twice", first, again)
	}
	read := &journalFile{path: j.file.Name()}
	if warning, err := read.readOn(func(int, any) error { return nil }); err != nil || warning == "" {
		t.Errorf("warning %q and error %v, want only a warning about the unfinished line", warning, err)
	}
}
