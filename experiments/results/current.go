package results

import (
	"encoding/json"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"sync"

	"copse/experiments/folder"
	"copse/experiments/study"
	"copse/stats/regular"
)

// A receipt identifies a complete report. While it is unchanged, copse run need not write the
// report again.
type receipt struct {
	Binary   string `json:"binary_sha256"`   // SHA-256 of the executable file of copse
	Manifest string `json:"manifest_sha256"` // SHA-256 of manifest.json, which contains the checksums of the records
	Outputs  string `json:"outputs_sha256"`  // SHA-256 of outputs.sha256, which contains the checksums of the report
}

// WriteReceipt stores a receipt. Call it for a new report of a complete study. It does nothing if
// the study has published numbers, because the receipt does not cover their files.
func (f *Folder) WriteReceipt() error {
	if f.Manifest == nil || hasPublished(f.Study) {
		return nil
	}
	return folder.Locked(f.Dir, func() error {
		text, err := f.receipt()
		if err != nil {
			return err
		}
		return folder.WriteBytes(f.path(folder.Receipt), text)
	})
}

// receipt returns the current content of the receipt file.
func (f *Folder) receipt() ([]byte, error) {
	r := receipt{Manifest: folder.DigestBytes(f.Manifest.encode())}
	var err error
	if r.Binary, err = binaryDigest(); err != nil {
		return nil, err
	}
	if r.Outputs, err = folder.Digest(f.path(folder.Outputs)); err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(r, "", "  ")
	return append(text, '\n'), err
}

// HasCurrentReport reports whether the binary, the records, the predictions and the files of the
// last report are unchanged. The records must be up to date (see IsCollected).
func (f *Folder) HasCurrentReport() bool {
	if f.Manifest == nil || hasPublished(f.Study) {
		return false
	}
	text, err := f.receipt()
	if err != nil || !hasContent(f.path(folder.Receipt), text) {
		return false
	}
	outputs, errOutputs := folder.CheckOutputs(f.Dir)
	problems, _, errPredictions := CheckPredictions(f.Dir)
	return errOutputs == nil && errPredictions == nil && len(outputs.Problems)+len(outputs.NotKept)+len(problems) == 0
}

func hasPublished(s *study.Study) bool { return s.Section("published").Exists() }

// binaryDigest returns the SHA-256 of the running executable file.
var binaryDigest = sync.OnceValues(func() (string, error) {
	// On Linux, this path leads to the running binary even if another file has replaced it on disk.
	if digest, err := folder.Digest("/proc/self/exe"); err == nil {
		return digest, nil
	}
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	return folder.Digest(path)
})

// wholeJournal returns the length and checksum of a journal.
func wholeJournal(path string) (JournalPart, error) {
	file, err := regular.Open(path)
	if err != nil {
		return JournalPart{}, err
	}
	defer file.Close()
	crc := crc32.New(castagnoli)
	size, err := io.Copy(crc, file)
	return JournalPart{Name: filepath.Base(path), Bytes: size, CRC32C: digits(crc.Sum32())}, err
}
