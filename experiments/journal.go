package experiments

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/gofrs/flock"
)

// The journal is the truth of a study: journal/<shard>.jsonl holds one line per
// session (its header) and one per finished trial, each with a checksum of its
// content. A line is written by one write(2) to a file opened for appending and
// synced before the trial counts as done, so a kill can lose only an unfinished
// last line.

// journalFormat changes when old lines can no longer be read.
const journalFormat = "copse-journal/1"

// A Session is what one process recorded about itself before its trials.
type Session struct {
	Format     string   `json:"format"`
	Study      string   `json:"study"`
	Seed       uint64   `json:"seed"`
	Started    string   `json:"started"` // RFC 3339, UTC
	Platform   Platform `json:"platform"`
	Overrides  []string `json:"overrides,omitempty"` // --set and other flags that changed the study
	Replicates int      `json:"replicates"`
}

// journalLine is one line: a checksum and exactly one of the others.
type journalLine struct {
	Sum     string          `json:"sum"` // CRC-32C of the content's bytes, 8 hexadecimal digits
	Session json.RawMessage `json:"session,omitempty"`
	Trial   json.RawMessage `json:"trial,omitempty"`
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(content []byte) string {
	return fmt.Sprintf("%08x", crc32.Checksum(content, castagnoli))
}

// encodeLine returns the line, newline included, of a *Session or *Trial.
func encodeLine(content any) ([]byte, error) {
	raw, err := json.Marshal(content)
	if err != nil {
		return nil, err
	}
	line := journalLine{Sum: checksum(raw)}
	switch content.(type) {
	case *Session:
		line.Session = raw
	case *Trial:
		line.Trial = raw
	default:
		panic(fmt.Sprintf("experiments: %T has no place in a journal", content))
	}
	encoded, err := json.Marshal(line)
	return append(encoded, '\n'), err
}

// decodeLine checks a line and returns its content, a *Session or *Trial.
func decodeLine(text []byte) (any, error) {
	var line journalLine
	if err := strictJSON(text, &line); err != nil {
		return nil, err
	}
	content, target := line.Session, any(&Session{})
	if line.Trial != nil {
		content, target = line.Trial, &Trial{}
	}
	if (line.Session == nil) == (line.Trial == nil) {
		return nil, errors.New("holds neither a session nor a trial")
	}
	if sum := checksum(content); sum != line.Sum {
		return nil, fmt.Errorf("its checksum is %s, its content's %s", line.Sum, sum)
	}
	if whole, err := json.Marshal(line); err != nil || !bytes.Equal(append(whole, '\n'), text) {
		return nil, errors.New("its frame is not as it was written") // JSON keys ignore case, bytes do not
	}
	return target, strictJSON(content, target)
}

func strictJSON(text []byte, target any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(target); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("has more than one value")
	}
	return nil
}

// readJournal reads one journal file. A last line without its newline was cut
// short by a kill: it is dropped and warned about. Anything else that cannot be
// read is an error that names the line.
func readJournal(path string, r io.Reader, each func(line int, content any) error) (warning string, err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	for number := 1; ; number++ {
		text, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			if len(text) > 0 {
				return fmt.Sprintf("%s:%d: the last line is unfinished (a kill while writing); its trial will run again", path, number), nil
			}
			return "", nil
		}
		if err != nil {
			return "", err
		}
		content, err := decodeLine(text)
		if err != nil {
			return "", fmt.Errorf("%s:%d: damaged line: %w; restore the file, or delete this line to run its trial again", path, number, err)
		}
		if err := each(number, content); err != nil {
			return "", fmt.Errorf("%s:%d: %w", path, number, err)
		}
	}
}

// A journal appends to one shard's file. Its lock keeps a second process out.
type journal struct {
	file *os.File
	lock *flock.Flock
}

// openJournal opens a shard's journal for appending, drops an unfinished last
// line and writes the session's header.
func openJournal(dir, shard string, session *Session) (*journal, error) {
	folder := filepath.Join(dir, "journal")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	path := filepath.Join(folder, shard+".jsonl")
	lock := flock.New(strings.TrimSuffix(path, ".jsonl") + ".lock")
	if held, err := lock.TryLock(); err != nil {
		return nil, err
	} else if !held {
		return nil, fmt.Errorf("%s: another process is running this study; wait for it, or stop it", path)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	j := &journal{file, lock}
	if err := errors.Join(dropUnfinishedLine(file), j.append(session), syncDir(folder)); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

// append writes one line and waits until it is on disk.
func (j *journal) append(content any) error {
	line, err := encodeLine(content)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(line); err != nil {
		return err
	}
	return j.file.Sync()
}

func (j *journal) Close() error { return errors.Join(j.file.Close(), j.lock.Unlock()) }

// dropUnfinishedLine cuts a file after its last newline.
func dropUnfinishedLine(file *os.File) error {
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	const block = 4096
	for end := size; end > 0; {
		start := max(0, end-block)
		buf := make([]byte, end-start)
		if _, err := file.ReadAt(buf, start); err != nil {
			return err
		}
		if i := bytes.LastIndexByte(buf, '\n'); i >= 0 {
			return truncate(file, start+int64(i)+1, size)
		}
		end = start
	}
	return truncate(file, 0, size)
}

func truncate(file *os.File, to, size int64) error {
	if to == size {
		return nil
	}
	return file.Truncate(to)
}

// journalFiles lists a study's journals in the order of their names.
func journalFiles(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "journal", "*.jsonl"))
	sort.Strings(files)
	return files, err
}

// syncDir makes the creation and renaming of files in a folder durable.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// WriteFile replaces a file as a whole: the old content stays until the new one
// is on disk.
func WriteFile(path string, write func(io.Writer) error) error {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	buffered := bufio.NewWriterSize(temp, 1<<16)
	err = write(buffered)
	if err == nil {
		err = errors.Join(buffered.Flush(), temp.Chmod(0o644), temp.Sync())
	}
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return syncDir(filepath.Dir(path))
}

// HasJournal tells whether a results folder keeps its journals.
func HasJournal(dir string) bool {
	files, err := journalFiles(dir)
	return err == nil && len(files) > 0
}
