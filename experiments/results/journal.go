package results

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"copse/experiments/folder"
	"copse/experiments/trial"
	"copse/stats/regular"
)

// A journal is a file journal/<shard>.jsonl, from which all other files of a results folder are
// computed.
//
// A process first appends a line about its session, and then a line for each finished trial. Each
// line contains a checksum.
//
// Each line is appended by one system call. A trial is done when its line is synced to disk. If
// copse is killed, only the line that it was writing may be lost.

// JournalFormat is the version of the format of journals. It increases when copse can no longer
// read the old format.
const JournalFormat = "copse-journal/1"

// ReadJournal reads a journal line by line and passes each content to the function each: a *Session
// or a *trial.Trial. An unfinished last line causes a warning, and any other damaged line an error.
func ReadJournal(path string, r io.Reader, each func(line int, content any) error) (warning string, err error) {
	return (&journalFile{path: path}).read(r, each)
}

// A journalFile is a journal that may grow. Each read continues where the previous one ended.
type journalFile struct {
	path     string
	info     os.FileInfo // when it was last read
	lines    int         // number of lines read so far
	bytes    int64       // total length of these lines
	crc      uint32      // CRC-32C of these lines
	sessions []Session

	requestedMetrics []string // by the last session; nil if the current study has no metrics

	// the part that the manifest lists, from which records.csv was computed; the zero value if
	// unknown
	listed   JournalPart
	isIntact bool // the journal still begins with the listed part
}

// ChangedJournals returns the paths of journals that were removed or have lost or changed lines
// since the records were written. It returns nil for a folder without journals.
func (f *Folder) ChangedJournals() (paths []string) {
	if f.Manifest == nil || len(f.journals) == 0 {
		return nil
	}
	for _, part := range f.Manifest.Journals {
		isIntact := func(j *journalFile) bool { return j.isIntact && j.listed == part }
		if part.Bytes > 0 && !slices.ContainsFunc(f.journals, isIntact) {
			paths = append(paths, filepath.Join(f.path(folder.Journals), part.Name))
		}
	}
	return paths
}

// onlyGrown reports whether the journal is still the same file, and no shorter than the part read
// so far.
func (j *journalFile) onlyGrown() bool {
	now, _ := os.Stat(j.path)
	return os.SameFile(j.info, now) && now.Size() >= j.bytes // SameFile returns false after an error of Stat
}

// isImported reports whether the results of the journal come from records.csv.
func (j *journalFile) isImported() bool {
	return strings.HasPrefix(filepath.Base(j.path), importedPrefix)
}

// session returns the index of the session that computed the next trial: the last session or, in an
// imported journal with several sessions, unknownSession.
func (j *journalFile) session() int {
	if j.isImported() && len(j.sessions) > 1 {
		return unknownSession
	}
	return len(j.sessions) - 1
}

// readOn reads the lines that were appended since the last call.
func (j *journalFile) readOn(each func(line int, content any) error) (warning string, err error) {
	file, err := regular.Open(j.path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	if j.info, err = file.Stat(); err != nil {
		return "", err
	}
	if _, err := file.Seek(j.bytes, io.SeekStart); err != nil {
		return "", err
	}
	return j.read(file, each)
}

// read calls the function each with the number and the content of every line of r. r continues the
// journal where the last call ended. An unfinished last line ends the reading with a warning and is
// not counted.
func (j *journalFile) read(r io.Reader, each func(line int, content any) error) (warning string, err error) {
	in := bufio.NewReader(r)
	trials := &trial.Parser{}
	for {
		text, isFinished, err := nextLine(in)
		if err != nil || len(text) == 0 {
			return "", err
		}
		number := j.lines + 1
		if !isFinished {
			return fmt.Sprintf("%s:%d: the last line is unfinished because copse was stopped while writing it; its "+
				"trial will run again unless %s contains its results", j.path, number, folder.Records), nil
		}
		content, err := decodeLine(text, trials)
		if err != nil {
			return "", fmt.Errorf("%s:%d: damaged line: %w; restore the file, or delete this line to run its trial "+
				"again", j.path, number, err)
		}
		if err := each(number, content); err != nil {
			return "", fmt.Errorf("%s:%d: %w", j.path, number, err)
		}
		j.count(text)
	}
}

// nextLine reads the next line of a journal, which is empty at the end. isFinished is false for a
// last line that has no newline or contains zero bytes.
func nextLine(in *bufio.Reader) (line []byte, isFinished bool, err error) {
	line, err = in.ReadBytes('\n')
	if errors.Is(err, io.EOF) { // there is no newline
		return line, false, nil
	}
	// After a power failure, a file system may return zeros for lost content.
	_, peekErr := in.Peek(1) // io.EOF after the last line
	isLost := errors.Is(peekErr, io.EOF) && bytes.IndexByte(line, 0) >= 0
	return line, !isLost, err
}

// count adds a line to the lines read so far. At the end of the listed part, count sets j.isIntact.
func (j *journalFile) count(line []byte) {
	j.lines++
	j.bytes += int64(len(line))
	j.crc = crc32.Update(j.crc, castagnoli, line)
	if j.bytes == j.listed.Bytes {
		j.isIntact = j.part().CRC32C == j.listed.CRC32C
	}
}

// part describes the lines read so far.
func (j *journalFile) part() JournalPart {
	return JournalPart{Name: filepath.Base(j.path), Bytes: j.bytes, CRC32C: digits(j.crc)}
}

// A Journal appends lines to the journal of one shard. Its lock prevents other processes from
// writing to the same journal.
type Journal struct {
	file   *os.File
	unlock func() error
	failed error // the first error of Append
}

const journalSuffix = ".jsonl"

// lockWait is how long OpenJournal waits for a locked journal, because inUse briefly locks
// journals.
const lockWait = time.Second

// OpenJournal opens the journal of a shard for appending. It removes an unfinished last line and then
// appends a line for the new session.
func OpenJournal(dir, shard string, session *Session) (*Journal, error) {
	sub := filepath.Join(dir, folder.Journals)
	if err := folder.Make(sub); err != nil {
		return nil, folder.Unwritable(dir, err)
	}
	path := filepath.Join(sub, shard+journalSuffix)
	unlock, held, err := folder.Lock(lockOf(path), lockWait)
	if err != nil {
		return nil, folder.Unwritable(dir, err)
	} else if !held {
		return nil, fmt.Errorf("%s: another process is running this study; wait until it ends, or stop it", path)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, errors.Join(err, unlock())
	}
	j := &Journal{file: file, unlock: unlock}
	if err := errors.Join(dropUnfinishedLine(file), j.Append(session), folder.Sync(sub)); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

// Append appends a line with a *Session or *trial.Trial and waits until it is on disk. An error may
// leave an unfinished line, so later calls write nothing and return the same error.
func (j *Journal) Append(content any) error {
	if j.failed == nil {
		j.failed = errors.Join(WriteLine(j.file, content), j.file.Sync(), j.stillThere())
	}
	return j.failed
}

// stillThere returns an error if the journal was removed or replaced, because its lines are then
// lost.
func (j *Journal) stillThere() error {
	open, _ := j.file.Stat()
	named, _ := os.Stat(j.file.Name())
	if !os.SameFile(open, named) { // also after an error of Stat
		return fmt.Errorf(
			"%s was removed or replaced during the run, so the trials that finished afterwards are lost; run the "+
				"command again",
			j.file.Name(),
		)
	}
	return nil
}

// Close closes the journal and releases its lock.
func (j *Journal) Close() error { return errors.Join(j.file.Close(), j.unlock()) }

// dropUnfinishedLine removes an unfinished last line from a journal.
func dropUnfinishedLine(file *os.File) error {
	in := bufio.NewReader(io.NewSectionReader(file, 0, math.MaxInt64))
	for end := int64(0); ; { // end is the total length of the lines before the next one
		line, isFinished, err := nextLine(in)
		if err != nil || len(line) == 0 {
			return err
		}
		if !isFinished {
			return file.Truncate(end)
		}
		end += int64(len(line))
	}
}

// JournalFiles returns the paths of the journals of a results folder, sorted by name.
func JournalFiles(dir string) ([]string, error) {
	isJournal := func(e fs.DirEntry) bool { return strings.HasSuffix(e.Name(), journalSuffix) }
	return folder.Files(filepath.Join(dir, folder.Journals), isJournal)
}

func HasJournals(dir string) bool {
	files, err := JournalFiles(dir)
	return err == nil && len(files) > 0
}

// inUse reports whether any process, including this one, runs trials of the folder. While the
// caller holds the lock of the folder, no further process can start running trials.
func inUse(dir string) (bool, error) {
	files, err := JournalFiles(dir)
	for _, file := range files {
		const wait = 0
		unlock, held, err := folder.Lock(lockOf(file), wait)
		if err != nil || !held {
			return true, err
		}
		if err := unlock(); err != nil {
			return true, err
		}
	}
	return err != nil, err
}

func lockOf(path string) string { return strings.TrimSuffix(path, journalSuffix) + ".lock" }

// WriteLine writes a *Session or *trial.Trial as a line of a journal, with a single call of Write.
func WriteLine(w io.Writer, content any) error {
	line, err := encodeLine(content)
	if err == nil {
		_, err = w.Write(line)
	}
	return err
}

// ShardCount derives the number of shards from the names of a folder's journals. For example, it
// returns 8 for the name "3-of-8.jsonl". It returns the largest of different numbers, or 1 if there
// is none.
func ShardCount(dir string) (int, error) {
	files, err := JournalFiles(dir)
	count := 1
	for _, file := range files {
		var index, n int
		fmt.Sscanf(filepath.Base(file), "%d-of-%d", &index, &n) // n remains 0 if the name has another form
		count = max(count, n)
	}
	return count, err
}
