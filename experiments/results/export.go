package results

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"copse/experiments/folder"
	"copse/stats/records"
	"copse/stats/regular"
)

// Export writes the records of a folder in the Parquet format and returns their number. It returns
// an error unless they have the checksum in the manifest.
func Export(dir string, w io.Writer) (rows int, err error) {
	path, err := records.Path(dir)
	if err != nil {
		return 0, fmt.Errorf("%w; run `copse report %s` to write the records", err, dir)
	}
	m, err := readManifest(dir)
	if err != nil {
		return 0, err
	}
	sum, err := folder.RecordsDigest(path)
	if err != nil {
		return 0, err
	}
	if sum != m.RecordsSHA256 {
		remedy := "restore both files"
		if HasJournals(dir) {
			remedy += fmt.Sprintf(", or write them again with `copse report %s`", dir)
		}
		return 0, fmt.Errorf("%s has the SHA-256 %s, but %s lists %s: %s", path, sum, folder.Manifest,
			m.RecordsSHA256, remedy)
	}
	file, err := regular.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	in, err := records.NewReader(file, path)
	if err != nil {
		return 0, err
	}
	out := newParquet(w, m, in)
	err = eachRow(in, func(int, *records.Record) error { // reading a record checks it
		rows++
		return out.Write(in.Fields) // the fields of the current record
	})
	if err != nil {
		return rows, err
	}
	return rows, out.Close()
}

// StudyChanged reports whether study.yaml has changed since the records were written.
func StudyChanged(dir string) bool {
	m, errManifest := readManifest(dir)
	digest, errStudy := folder.Digest(filepath.Join(dir, folder.Study))
	return errManifest == nil && errStudy == nil && digest != m.ConfigSHA256
}

// JournalsChanged reports whether the journals of a folder have changed since the records were
// written. It returns false if the manifest lists none.
func JournalsChanged(dir string) bool {
	m, err := readManifest(dir)
	files, _ := JournalFiles(dir) // empty after an error
	if err != nil || len(files) == 0 || len(m.Journals) == 0 {
		return false
	}
	isChanged := func(path string) bool {
		part, err := wholeJournal(path)
		return err != nil || part != m.journal(path)
	}
	return len(files) != len(m.Journals) || slices.ContainsFunc(files, isChanged)
}
