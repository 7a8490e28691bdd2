package results

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"copse/experiments/folder"
	"copse/experiments/study"
	"copse/stats/records"
	"copse/stats/regular"
)

// A Manifest describes how the records of a folder were computed.
type Manifest struct {
	Format        string `json:"format"`
	Study         string `json:"study"`
	Title         string `json:"title,omitempty"`
	Source        string `json:"source,omitempty"`
	Seed          uint64 `json:"seed"`
	Replicates    int    `json:"replicates"`
	ConfigSHA256  string `json:"config_sha256"`  // of study.yaml
	RecordsSHA256 string `json:"records_sha256"` // of records.csv, unzipped
	TimingsSHA256 string `json:"timings_sha256,omitempty"`

	PredictionsSHA256 string `json:"predictions_sha256,omitempty"` // checksum of the list of their checksums
	AllPredicted      bool   `json:"all_predicted,omitempty"`      // all successful records have predictions

	Journals []JournalPart     `json:"journals,omitempty"` // the parts from which the records were written
	Sessions []Session         `json:"sessions"`           // in the file, each Config is a key of Configs
	Configs  map[string]string `json:"configs,omitempty"`
	Cells    []ManifestCell    `json:"cells"`
	Omitted  []Omitted         `json:"omitted_results,omitempty"` // except results of other versions
	Retried  []RetriedFit      `json:"retried_fits,omitempty"`    // fits with a failed and a successful attempt
	Extended []Extension       `json:"extensions,omitzero"`       // nil: written before copse listed extensions
	SHA256   string            `json:"sha256,omitempty"`          // checksum of the file without the digits of SHA256

	computed string         // the value that SHA256 should have, computed from the file that was read
	indices  map[string]int // index in Cells by id; nil before the first call of Cell
}

// addPredictions sets PredictionsSHA256 if the folder contains predictions.
func (m *Manifest) addPredictions(dir string) (err error) {
	m.PredictionsSHA256, err = folder.Digest(sumsFile(dir))
	return folder.IgnoreMissing(err)
}

// A JournalPart describes the first Bytes bytes of a journal, from which the records were written.
type JournalPart struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	CRC32C string `json:"crc32c"`
}

// journal returns the manifest's entry for a journal, or the zero value if there is none. The
// manifest may be nil.
func (m *Manifest) journal(path string) JournalPart {
	if m == nil {
		return JournalPart{}
	}
	for _, part := range m.Journals {
		if part.Name == filepath.Base(path) {
			return part
		}
	}
	return JournalPart{}
}

type ManifestCell struct {
	ID     string         `json:"id"`
	Levels records.Levels `json:"levels"`
	Data   string         `json:"data,omitempty"` // canonical description of the data
	FileFacts
	Classifiers map[string]string `json:"classifiers"` // id to canonical recipe
}

// FileFacts describes the data files of a cell for reports on computers without these files.
type FileFacts struct {
	Files     map[string]string `json:"files,omitempty"`      // SHA-256 by path or name of the data set
	Classes   []string          `json:"classes,omitempty"`    // in the order of their codes
	TrainRows int               `json:"train_rows,omitempty"` // number of rows in one trial
	TestRows  int               `json:"test_rows,omitempty"`  // number of rows in one trial
	Columns   int               `json:"columns,omitempty"`    // attributes
	Counts    []int             `json:"counts,omitempty"`     // rows of each class, before any split
	LeftOut   int               `json:"left_out,omitempty"`   // rows that the study does not use
	Missing   int               `json:"missing,omitempty"`    // number of missing values
	Remarks   []string          `json:"remarks,omitempty"`    // on possible errors in the user's files

	Groups     int `json:"groups,omitempty"`      // number of groups of rows
	TestGroups int `json:"test_groups,omitempty"` // number of groups in the official test set

	SameUnits  map[string][]string `json:"same_units,omitempty"`  // SHA-256 of all files with the units of a file
	GivenFolds string              `json:"given_folds,omitempty"` // digest of given folds, if SameUnits is not empty
}

// NewFacts returns the facts about the data files. It returns the zero value if the files were not read.
func NewFacts(data *study.Data) FileFacts {
	if data.File == nil {
		return FileFacts{}
	}
	train, test := data.Rows()
	rows := data.File.Rows
	return FileFacts{Files: data.File.Sums, Classes: data.ClassNames(), TrainRows: train, TestRows: test,
		Columns: rows.D(), Counts: rows.Counts(), LeftOut: data.File.AllRows - rows.N(),
		Missing: data.File.MissingValues(), Remarks: data.Remarks(), SameUnits: data.SameUnits(),
		GivenFolds: data.GivenFolds(), Groups: data.GroupCount(), TestGroups: data.TestGroups()}
}

// DataChanges returns a sentence for each data file that differs from the one listed in the
// manifest.
func (f *Folder) DataChanges() (changes []string) {
	if f.Manifest == nil {
		return nil
	}
	former := map[string]string{} // SHA-256 by path
	for _, c := range f.Manifest.Cells {
		maps.Copy(former, c.Files)
	}
	for _, c := range f.Study.Cells {
		// The ID of a cell depends on its data files. If the store has results with this ID, the study
		// ran again with the current files, after the records were written.
		_, ranAgain := f.store.cellAt[c.ID]
		for name, sum := range NewFacts(c.Data).Files {
			hasChanged := former[name] != "" && former[name] != sum
			if !hasChanged {
				continue
			}
			change := name + " has changed since the study ran: restore the file, or run the study again"
			if ranAgain { // only the records are older than the file
				change = name + " differs from the file behind the records; `copse report " + f.Dir +
					"` updates the records"
			}
			changes = append(changes, change)
		}
	}
	slices.Sort(changes)
	return slices.Compact(changes)
}

// cellLookup returns a function that looks up a cell by its factor levels, or nil for a nil
// manifest.
func (m *Manifest) cellLookup() study.CellLookup {
	if m == nil {
		return nil
	}
	at := map[records.Levels]ManifestCell{}
	for _, c := range slices.Backward(m.Cells) { // if several cells have the same levels, use the first one
		at[c.Levels] = c
	}
	return func(levels records.Levels) (cell study.StoredCell, ok bool) {
		c, ok := at[levels]
		return study.StoredCell{ID: c.ID, Key: c.Data, Sums: c.Files, SameUnits: c.SameUnits,
			GivenFolds: c.GivenFolds}, ok
	}
}

// Cell returns the description of the cell with the given id. m may be nil.
func (m *Manifest) Cell(id string) (cell ManifestCell, ok bool) {
	if m == nil {
		return ManifestCell{}, false
	}
	if m.indices == nil {
		m.indices = map[string]int{}
		for i, c := range m.Cells {
			m.indices[c.ID] = i
		}
	}
	if i, ok := m.indices[id]; ok {
		return m.Cells[i], true
	}
	return ManifestCell{}, false
}

const manifestFormat = "copse-results/1"

// readManifest reads a folder's manifest and computes its checksum for IsWhole. In the file,
// sessions refer to their configurations by keys; readManifest replaces these keys with the
// configurations.
func readManifest(dir string) (*Manifest, error) {
	path := filepath.Join(dir, folder.Manifest)
	text, err := regular.Read(path)
	if errors.Is(err, fs.ErrNotExist) && HasJournals(dir) {
		return nil, fmt.Errorf("%w; `copse report %s` writes the manifest from the journals", err, dir)
	}
	if err != nil {
		return nil, err
	}
	m := &Manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		remedy := "restore it"
		if HasJournals(dir) {
			remedy = fmt.Sprintf("delete it; `copse report %s` writes it again from the journals", dir)
		}
		return nil, fmt.Errorf("%s is damaged (%w): %s", path, err, remedy)
	}
	if m.Format != manifestFormat {
		return nil, fmt.Errorf("%s: the format is %q, but this binary reads %q", path, m.Format, manifestFormat)
	}
	for i := range m.Sessions {
		key := m.Sessions[i].Config
		m.Sessions[i].Config = m.Configs[key]
	}
	m.computed = digestWithout(text, m.SHA256)
	return m, nil
}

// NewManifest returns a manifest for the records of the study, without checksums.
func (f *Folder) NewManifest(records *Selection) *Manifest {
	s := f.Study
	m := &Manifest{Format: manifestFormat, Study: s.Name, Title: s.Title, Source: s.Source, Seed: s.Seed,
		Replicates: s.Replicates, Sessions: f.Sessions(), Omitted: records.Omitted,
		Retried: records.retried(), Extended: f.extensions(records)}
	for _, c := range s.Cells {
		facts := NewFacts(c.Data)
		if c.Data.File == nil { // the files were not read, so keep the facts of the earlier manifest
			earlier, _ := f.Manifest.Cell(c.ID)
			facts = earlier.FileFacts
		}
		m.Cells = append(m.Cells, ManifestCell{
			ID:          c.ID,
			Levels:      c.Levels,
			Data:        c.Key,
			FileFacts:   facts,
			Classifiers: records.wanted[c.ID], // recipes of the records, perhaps of earlier versions
		})
	}
	return m
}

// writeManifest writes the manifest of a folder and replaces any earlier one.
func writeManifest(dir string, m *Manifest) error {
	return folder.WriteBytes(filepath.Join(dir, folder.Manifest), m.encode())
}

// encode returns the content of the manifest's file. The file contains each configuration of a
// session once, and sessions refer to its digest. The checksum at the end is the SHA-256 of the
// file without this checksum.
func (m *Manifest) encode() []byte {
	encoded := *m
	encoded.Sessions = slices.Clone(m.Sessions) // m keeps the configurations in its sessions
	encoded.Configs = map[string]string{}
	for i := range encoded.Sessions {
		if text := encoded.Sessions[i].Config; text != "" {
			key := folder.DigestBytes([]byte(text))
			encoded.Configs[key] = text
			encoded.Sessions[i].Config = key
		}
	}
	encoded.SHA256 = placeholder
	text, _ := json.MarshalIndent(encoded, "", "  ") // JSON can represent all values
	text = append(text, '\n')
	return replaceChecksum(text, placeholder, digestWithout(text, placeholder))
}

// placeholder replaces the manifest's own checksum while the checksum is computed.
const placeholder = "-"

// replaceChecksum replaces the checksum at the end of a manifest's text. The argument old is the present
// checksum.
func replaceChecksum(text []byte, old, replacement string) []byte {
	end := func(digits string) []byte { return fmt.Appendf(nil, "\"sha256\": %q\n}", digits) }
	return bytes.Replace(text, end(old), end(replacement), 1)
}

// digestWithout returns the SHA-256 of a manifest's text without the digits of its own checksum.
func digestWithout(text []byte, digits string) string {
	return folder.DigestBytes(replaceChecksum(text, digits, ""))
}

// ReportSources returns the checksums of the files from which a report is made, in the format of
// sha256sum. It returns nil if m is nil.
func (m *Manifest) ReportSources() []string {
	if m == nil {
		return nil
	}
	return []string{m.RecordsSHA256 + "  " + folder.Records, m.ConfigSHA256 + "  " + folder.Study}
}

// IsWhole reports whether the file's own checksum is correct. If not, somebody has edited the file.
func (m *Manifest) IsWhole() bool { return m.SHA256 == m.computed }
