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
	"slices"
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
	Config     string   `json:"config,omitempty"` // the resolved study, YAML: any row can be made again from here
}

// A line is a frame around its content:
//
//	{"sum":"<CRC-32C of the content, 8 hexadecimal digits>","<kind>":<content>}
const (
	framePrefix  = `{"sum":"`
	sumDigits    = 8
	sessionFrame = `","session":`
	trialFrame   = `","trial":`
	frameSuffix  = "}\n"
)

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
	kind := trialFrame
	switch content.(type) {
	case *Session:
		kind = sessionFrame
	case *Trial:
	default:
		panic(fmt.Sprintf("experiments: %T has no place in a journal", content))
	}
	return slices.Concat([]byte(framePrefix), []byte(checksum(raw)), []byte(kind), raw, []byte(frameSuffix)), nil
}

// decodeLine checks a line and returns its content, a *Session or *Trial. The
// session of another format comes back with its format alone.
func decodeLine(text []byte) (any, error) {
	rest, begins := bytes.CutPrefix(text, []byte(framePrefix))
	rest, ends := bytes.CutSuffix(rest, []byte(frameSuffix))
	if !begins || !ends || len(rest) < sumDigits {
		return nil, errors.New("is not framed as a line of " + journalFormat)
	}
	sum, rest := string(rest[:sumDigits]), rest[sumDigits:]
	content, isTrial := bytes.CutPrefix(rest, []byte(trialFrame))
	isSession := false
	if !isTrial {
		content, isSession = bytes.CutPrefix(rest, []byte(sessionFrame))
	}
	if !isTrial && !isSession {
		return nil, errors.New("holds neither a session nor a trial")
	}
	if own := checksum(content); own != sum {
		return nil, fmt.Errorf("its checksum is %s, its content's %s", sum, own)
	}
	if isTrial {
		t := &Trial{}
		return t, strictJSON(content, t)
	}
	var header struct{ Format string }
	if err := json.Unmarshal(content, &header); err != nil || header.Format != journalFormat {
		return &Session{Format: header.Format}, err
	}
	s := &Session{}
	return s, strictJSON(content, s)
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

// readJournal reads one journal file. A last line without its newline, or with
// a hole of zero bytes, was cut short by a kill or a power cut before it counted
// as done: it is dropped and warned about. Anything else that cannot be read is
// an error that names the line.
func readJournal(path string, r io.Reader, each func(line int, content any) error) (warning string, err error) {
	in := bufio.NewReaderSize(r, 1<<16)
	for number := 1; ; number++ {
		text, err := in.ReadBytes('\n')
		unfinished := errors.Is(err, io.EOF)
		if unfinished && len(text) == 0 {
			return "", nil
		}
		if err != nil && !unfinished {
			return "", err
		}
		content, err := decodeLine(text)
		if err != nil && !unfinished && hasHole(text) {
			_, end := in.Peek(1)
			unfinished = errors.Is(end, io.EOF)
		}
		if unfinished {
			return fmt.Sprintf("%s:%d: the last line is unfinished (cut off while it was written); its trial will run again", path, number), nil
		}
		if err != nil {
			return "", fmt.Errorf("%s:%d: damaged line: %w; restore the file, or delete this line to run its trial again", path, number, err)
		}
		if err := each(number, content); err != nil {
			return "", fmt.Errorf("%s:%d: %w", path, number, err)
		}
	}
}

// hasHole tells whether a line has zero bytes, which file systems put where
// content had not reached the disk; JSON has none.
func hasHole(line []byte) bool { return bytes.IndexByte(line, 0) >= 0 }

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

// dropUnfinishedLine cuts off what readJournal takes for an unfinished last
// line.
func dropUnfinishedLine(file *os.File) error {
	size, err := file.Seek(0, io.SeekEnd)
	if err != nil || size == 0 {
		return err
	}
	end, err := afterNewline(file, size)
	if err != nil {
		return err
	}
	if end == size {
		start, err := afterNewline(file, size-1)
		if err != nil {
			return err
		}
		last := make([]byte, size-start)
		if _, err := file.ReadAt(last, start); err != nil {
			return err
		}
		if !hasHole(last) {
			return nil
		}
		end = start
	}
	return file.Truncate(end)
}

// afterNewline returns the offset behind the last newline before end, 0 when
// there is none.
func afterNewline(file *os.File, end int64) (int64, error) {
	const block = 1 << 12
	for end > 0 {
		start := max(0, end-block)
		buf := make([]byte, end-start)
		if _, err := file.ReadAt(buf, start); err != nil {
			return 0, err
		}
		if i := bytes.LastIndexByte(buf, '\n'); i >= 0 {
			return start + int64(i) + 1, nil
		}
		end = start
	}
	return 0, nil
}

// journalFiles lists a study's journals in the order of their names.
func journalFiles(dir string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(dir, "journal", "*.jsonl"))
	sort.Strings(files)
	return files, err
}

// HasJournal tells whether a results folder keeps its journals.
func HasJournal(dir string) bool {
	files, err := journalFiles(dir)
	return err == nil && len(files) > 0
}
