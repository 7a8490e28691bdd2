package results

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"copse/experiments/folder"
	"copse/experiments/study"
	"copse/stats/records"
	"copse/stats/regular"
)

// A receipt identifies all inputs to the report of a complete study. As long as these inputs do not change,
// copse run does not have to write the report again.
type receipt struct {
	Binary   string `json:"binary_sha256"`   // SHA-256 of the executable file of copse
	Manifest string `json:"manifest_sha256"` // SHA-256 of manifest.json, which contains the checksums of the records
	Outputs  string `json:"outputs_sha256"`  // SHA-256 of outputs.sha256, which contains the checksums of the report
}

// WriteReceipt stores a receipt for an open folder. Call it when no result is missing and the report has just
// been written. WriteReceipt does nothing if the study has published numbers, because the receipt does not
// cover their files.
func (f *Folder) WriteReceipt() error {
	if f.Manifest == nil || hasPublished(f.Study) {
		return nil
	}
	manifest, err := f.Manifest.encode()
	if err != nil {
		return err
	}
	r := receipt{Manifest: fmt.Sprintf("%x", sha256.Sum256(manifest))}
	if r.Binary, err = binaryDigest(); err != nil {
		return err
	}
	return folder.Locked(f.Dir, func() error {
		if r.Outputs, err = folder.Digest(filepath.Join(f.Dir, folder.Outputs)); err != nil {
			return err
		}
		text, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return err
		}
		return folder.WriteBytes(filepath.Join(f.Dir, folder.Receipt), append(text, '\n'))
	})
}

func hasPublished(s *study.Study) bool { return s.Section("published").Exists() }

// binaryDigest returns the SHA-256 of the running executable file. It reads the file only once.
var binaryDigest = sync.OnceValues(func() (string, error) {
	// On Linux, this link leads to the running file even if another file has replaced it.
	if digest, err := folder.Digest("/proc/self/exe"); err == nil {
		return digest, nil
	}
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	return folder.Digest(path)
})

// Current returns the numbers of results and of failed fits in a folder if its results and its report are up to
// date for the study. It compares the checksums of all files, and counts the rows of the records. If something
// is different, it returns an error that names the first difference. The caller must then read the results.
func Current(dir string, s *study.Study) (done, failed int, err error) {
	text, err := regular.Read(filepath.Join(dir, folder.Receipt))
	if err != nil {
		return 0, 0, err
	}
	r := &receipt{}
	if err := strictJSON(text, r); err != nil {
		return 0, 0, err
	}
	if binary, err := binaryDigest(); err != nil || binary != r.Binary {
		return 0, 0, errors.Join(err, errors.New("another binary wrote the report"))
	}
	m, err := r.manifest(dir)
	if err != nil {
		return 0, 0, err
	}
	for _, check := range []func() error{
		func() error { return m.checkStudy(dir, s) },
		func() error { return m.checkJournals(dir) },
		func() error { return m.checkRecords(dir) },
		func() error { return checkNoNewPredictions(dir) },
		func() error { return r.checkOutputs(dir) },
	} {
		if err := check(); err != nil {
			return 0, 0, err
		}
	}
	err = eachRecord(folder.RecordsFile(dir), func(_ int, r *records.Record, _ []string) error {
		done++
		if r.Status == records.Failed {
			failed++
		}
		return nil
	})
	return done, failed, err
}

// manifest reads the manifest of a folder. It returns an error if the file has changed since the
// receipt was written.
func (r *receipt) manifest(dir string) (*Manifest, error) {
	if err := sameDigest(filepath.Join(dir, folder.Manifest), r.Manifest); err != nil {
		return nil, err
	}
	return readManifest(dir)
}

// sameDigest returns an error unless a file has the given SHA-256.
func sameDigest(path, want string) error {
	digest, err := folder.Digest(path)
	if err == nil && digest != want {
		err = fmt.Errorf("%s changed", path)
	}
	return err
}

// checkStudy returns an error if the configuration, the data or a recipe of the study differs from the
// manifest, or if the folder lacks the files of the study's programs.
func (m *Manifest) checkStudy(dir string, s *study.Study) error {
	text, err := s.YAML()
	if err != nil {
		return err
	}
	// A receipt does not cover the files of published numbers.
	if hasPublished(s) || !hasContent(filepath.Join(dir, folder.Study), text) {
		return errors.New("the study changed")
	}
	if !s.KeptFiles(dir) {
		return errors.New("the files of the programs changed")
	}
	if err := sameDigest(filepath.Join(dir, folder.Study), m.ConfigSHA256); err != nil {
		return err
	}
	f := Folder{Study: s, Manifest: m}
	var cells []ManifestCell
	for _, c := range s.Cells {
		cells = append(cells, f.newManifestCell(c))
	}
	now, err := json.Marshal(cells)
	if err != nil {
		return err
	}
	if recorded, err := json.Marshal(m.Cells); err != nil || string(recorded) != string(now) {
		return errors.Join(err, errors.New("the cells or the recipes of the study changed"))
	}
	return nil
}

// checkJournals returns an error unless the journals of a folder are exactly the ones from which the records
// in the manifest were computed.
func (m *Manifest) checkJournals(dir string) error {
	files, err := JournalFiles(dir)
	if err != nil {
		return err
	}
	if len(files) != len(m.Journals) {
		return fmt.Errorf("the folder has %d journals instead of %d", len(files), len(m.Journals))
	}
	for _, path := range files {
		if part, err := wholeJournal(path); err != nil || part != m.journal(path) {
			return errors.Join(err, fmt.Errorf("%s changed", path))
		}
	}
	return nil
}

// wholeJournal returns the length and the checksum of a journal without parsing its lines.
func wholeJournal(path string) (JournalPart, error) {
	file, err := regular.Open(path)
	if err != nil {
		return JournalPart{}, err
	}
	defer file.Close()
	crc := crc32.New(castagnoli)
	size, err := io.Copy(crc, file)
	return JournalPart{Name: filepath.Base(path), Bytes: size, CRC32C: fmt.Sprintf("%08x", crc.Sum32())}, err
}

// checkRecords returns an error if the records or the times differ from the manifest.
func (m *Manifest) checkRecords(dir string) error {
	path, err := records.Path(dir)
	if err != nil {
		return err
	}
	digest, err := folder.RecordsDigest(path)
	if err != nil {
		return err
	}
	if digest != m.RecordsSHA256 {
		return fmt.Errorf("%s changed", path)
	}
	return sameDigest(filepath.Join(dir, folder.Timings), m.TimingsSHA256)
}

// checkNoNewPredictions returns an error if predictions of new trials are not merged yet, or if the checksum
// of a prediction file differs from the listed one.
func checkNoNewPredictions(dir string) error {
	if waiting, err := WaitingPredictions(dir); err != nil || waiting > 0 {
		return errors.Join(err, errors.New("predictions of new trials are not merged yet"))
	}
	problems, _, err := CheckPredictions(dir)
	if len(problems) > 0 {
		return errors.New(problems[0])
	}
	return err
}

// checkOutputs returns an error if a table, a figure or the report page was edited, removed or added.
func (r *receipt) checkOutputs(dir string) error {
	if err := sameDigest(filepath.Join(dir, folder.Outputs), r.Outputs); err != nil {
		return err
	}
	check, err := folder.CheckOutputs(dir)
	if err != nil {
		return err
	}
	if differences := slices.Concat(check.Problems, check.NotKept); len(differences) > 0 {
		return errors.New(differences[0])
	}
	return nil
}
