package results

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"copse/experiments/config"
	"copse/experiments/folder"
	"copse/experiments/trial"
)

// The journal is the truth of a study: journal/<shard>.jsonl holds one line per
// session (its header) and one per finished trial, each with a checksum of its
// content. A line is written by one write(2) to a file opened for appending and
// synced before the trial counts as done, so a kill can lose only an unfinished
// last line.

// JournalFormat changes when old lines can no longer be read.
const JournalFormat = "copse-journal/1"

// ReadJournal reads one journal file. A last line without its newline, or with
// a hole of zero bytes, was cut short by a kill or a power cut before it counted
// as done: it is dropped and warned about. Anything else that cannot be read is
// an error that names the line.
func ReadJournal(path string, r io.Reader, each func(line int, content any) error) (warning string, err error) {
	return (&journalFile{path: path}).read(r, each)
}

// A journalFile is a journal that is read in one or several parts, as it grows.
type journalFile struct {
	path     string
	info     os.FileInfo // when it was read last
	lines    int         // that were read
	bytes    int64       // of these lines
	crc      uint32      // CRC-32C of these bytes
	sessions []Session

	requested []string // metrics of the last session

	began JournalPart // what the records were written from; "": no records of it are known
	held  bool        // the journal begins with that part
}

// onlyGrown reports whether the journal still is the file that was read, and not shorter
// than what was read of it.
func (j *journalFile) onlyGrown() bool {
	now, err := os.Stat(j.path)
	return err == nil && j.info != nil && os.SameFile(j.info, now) && now.Size() >= j.bytes
}

// readOn reads the lines that were not read before.
func (j *journalFile) readOn(each func(line int, content any) error) (warning string, err error) {
	file, err := os.Open(j.path)
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

// read reads lines that follow those that were read before.
func (j *journalFile) read(r io.Reader, each func(line int, content any) error) (warning string, err error) {
	in, trials := bufio.NewReaderSize(r, 1<<16), &trial.Parser{}
	for {
		text, err := readLine(in)
		unfinished := errors.Is(err, io.EOF)
		if unfinished && len(text) == 0 {
			return "", nil
		}
		if err != nil && !unfinished {
			return "", err
		}
		number := j.lines + 1
		content, err := decodeLine(text, trials)
		if err != nil && !unfinished && hasHole(text) {
			_, end := in.Peek(1)
			unfinished = errors.Is(end, io.EOF)
		}
		if unfinished {
			return fmt.Sprintf(
				"%s:%d: the last line is unfinished (cut off while it was written); its trial will run again",
				j.path,
				number,
			), nil
		}
		if err != nil {
			return "", fmt.Errorf(
				"%s:%d: damaged line: %w; restore the file, or delete this line to run its trial again",
				j.path,
				number,
				err,
			)
		}
		if err := each(number, content); err != nil {
			return "", fmt.Errorf("%s:%d: %w", j.path, number, err)
		}
		j.count(text)
	}
}

// count enters a line that was read.
func (j *journalFile) count(line []byte) {
	j.lines++
	j.bytes += int64(len(line))
	j.crc = crc32.Update(j.crc, castagnoli, line)
	if j.bytes == j.began.Bytes {
		j.held = j.part().CRC32C == j.began.CRC32C
	}
}

// part returns what was read of the journal.
func (j *journalFile) part() JournalPart {
	return JournalPart{filepath.Base(j.path), j.bytes, fmt.Sprintf("%08x", j.crc)}
}

// readLine returns the next line, which lasts until the next is read; mostly where
// it lies in the reader.
func readLine(in *bufio.Reader) ([]byte, error) {
	text, err := in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return text, err
	}
	long := bytes.Clone(text)
	text, err = in.ReadBytes('\n')
	return append(long, text...), err
}

// hasHole tells whether a line has zero bytes, which file systems put where
// content had not reached the disk; JSON has none.
func hasHole(line []byte) bool { return bytes.IndexByte(line, 0) >= 0 }

// A Journal appends to one shard's file. Its lock keeps a second process out.
type Journal struct {
	file   *os.File
	path   string
	unlock func() error
}

// journalSuffix ends the names of journals.
const journalSuffix = ".jsonl"

// lockWait is for who is about to end, or looks whether the journal is in use.
const lockWait = time.Second

// OpenJournal opens a shard's journal for appending, drops an unfinished last
// line and writes the session's header.
func OpenJournal(dir, shard string, session *Session) (*Journal, error) {
	sub := filepath.Join(dir, folder.Journals)
	if err := folder.Make(sub); err != nil {
		return nil, folder.Unwritable(dir, err)
	}
	path := filepath.Join(sub, shard+journalSuffix)
	unlock, held, err := folder.Lock(lockOf(path), lockWait)
	if err != nil {
		return nil, err
	} else if !held {
		return nil, fmt.Errorf("%s: another process is running this study; wait for it, or stop it", path)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, errors.Join(err, unlock())
	}
	j := &Journal{file, path, unlock}
	if err := errors.Join(dropUnfinishedLine(file), j.Append(session), folder.Sync(sub)); err != nil {
		return nil, errors.Join(err, j.Close())
	}
	return j, nil
}

// Append writes one line and waits until it is on disk.
func (j *Journal) Append(content any) error {
	line, err := encodeLine(content)
	if err != nil {
		return err
	}
	if _, err := j.file.Write(line); err != nil {
		return err
	}
	return errors.Join(j.file.Sync(), j.stillThere())
}

// stillThere refuses to go on with a file that has lost its name: what is written
// to it is lost.
func (j *Journal) stillThere() error {
	open, err := j.file.Stat()
	if err != nil {
		return err
	}
	if named, err := os.Stat(j.path); err != nil || !os.SameFile(open, named) {
		return fmt.Errorf(
			"%s was removed or replaced while the study ran: what finished since is lost; run the same command again",
			j.path,
		)
	}
	return nil
}

// Close lets another process write this journal.
func (j *Journal) Close() error { return errors.Join(j.file.Close(), j.unlock()) }

// cutSuffix names the file beside a journal that keeps what was cut off it.
const cutSuffix = ".cut"

// dropUnfinishedLine cuts off what ReadJournal takes for an unfinished last line, once
// a copy is on disk beside the journal: copse destroys nothing.
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
	if err := keepCut(file, end, size); err != nil {
		return err
	}
	return file.Truncate(end)
}

// keepCut appends the bytes from start to end to the file of what was cut off.
func keepCut(file *os.File, start, end int64) error {
	kept, err := os.OpenFile(file.Name()+cutSuffix, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	_, err = io.Copy(kept, io.NewSectionReader(file, start, end-start))
	return errors.Join(err, kept.Sync(), kept.Close())
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

// JournalFiles lists a study's journals in the order of their names; none in a folder
// that is not there.
func JournalFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(dir, folder.Journals))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var files []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), journalSuffix) {
			files = append(files, filepath.Join(dir, folder.Journals, e.Name()))
		}
	}
	return files, err
}

// HasJournals tells whether a results folder keeps its journals.
func HasJournals(dir string) bool {
	files, err := JournalFiles(dir)
	return err == nil && len(files) > 0
}

// inUse tells whether a process, be it this one, writes a journal of the folder. To a
// caller that holds the folder's lock nobody stays nobody: a process takes it after its
// journal, before its first trial.
func inUse(dir string) (bool, error) {
	files, err := JournalFiles(dir)
	for _, file := range files {
		unlock, held, err := folder.TryLock(lockOf(file))
		if err != nil || !held {
			return true, err
		}
		if err := unlock(); err != nil {
			return true, err
		}
	}
	return err != nil, err
}

// lockOf is the lock of a journal.
func lockOf(path string) string { return strings.TrimSuffix(path, journalSuffix) + ".lock" }

// WriteLine writes the line of a *Session or *trial.Trial.
func WriteLine(w io.Writer, content any) error {
	line, err := encodeLine(content)
	if err == nil {
		_, err = w.Write(line)
	}
	return err
}

// CheckWriter refuses a writer's name that cannot be part of a file name.
func CheckWriter(name string) error {
	if name != "" && !config.ValidName(name) {
		return fmt.Errorf("--writer %q: use letters, digits, '.', '_' and '-'", name)
	}
	return nil
}

// ShardCount returns into how many parts the latest division of a folder's
// study was, as its journals' names tell; 1 when it was never divided.
func ShardCount(dir string) (int, error) {
	files, err := JournalFiles(dir)
	count := 1
	for _, file := range files {
		name, _, _ := strings.Cut(filepath.Base(file), ".")
		if _, of, ok := strings.Cut(name, "-of-"); ok {
			if n, err := strconv.Atoi(of); err == nil {
				count = max(count, n)
			}
		}
	}
	return count, err
}
