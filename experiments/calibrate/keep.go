package calibrate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/study"
	"copse/stats/records"
	"copse/stats/regular"
)

// A manifest describes the study and the sessions of a calibration.
type manifest struct {
	Format       string            `json:"format"`
	Study        string            `json:"study"`
	Seed         uint64            `json:"seed"`
	Readings     int               `json:"readings"`
	Impossible   int               `json:"impossible"`
	Factors      []string          `json:"factors,omitempty"` // factors; their order affects the random streams
	ConfigSHA256 string            `json:"config_sha256"`     // checksum of the study with all --set assignments
	LossesSHA256 string            `json:"losses_sha256"`     // checksum of the uncompressed losses file
	Sessions     []results.Session `json:"sessions"`
}

const manifestFormat = "copse-calibration/1"

func readManifest(dir string) (*manifest, error) {
	path := filepath.Join(dir, folder.Calibration)
	text, err := regular.Read(path)
	if err != nil {
		return nil, err
	}
	m := &manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, notAsWritten(path)
	}
	if m.Format != manifestFormat {
		return nil, fmt.Errorf("%s has the format %q, but this version of copse reads %q", path, m.Format,
			manifestFormat)
	}
	return m, nil
}

func notAsWritten(path string) error {
	return fmt.Errorf("%s was edited or damaged; restore the file, or move the folder away", path)
}

// check returns an error if the losses file in dir is missing or was changed, or if the study s does
// not have the name, the seed and the factors in the manifest.
func (m *manifest) check(dir string, s *study.Study) error {
	path := filepath.Join(dir, folder.Losses)
	origin := results.Session{Format: results.JournalFormat, Study: m.Study, Seed: m.Seed}
	if err := origin.Belongs(s.Name, s.Seed); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	digest, err := folder.RecordsDigest(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s is missing, but %s is not; restore the file, or move the folder away", path,
			folder.Calibration)
	case errors.As(err, new(*fs.PathError)): // the file cannot be opened or read
		return err
	case err != nil || digest != m.LossesSHA256: // an invalid gzip file, or one with different contents
		return notAsWritten(path)
	}
	names := records.FactorNames(s.Factors)
	if !slices.Equal(m.Factors, names) {
		return fmt.Errorf("%s has the factors %s, but %s has %s; choose another folder (--out)", path,
			strings.Join(m.Factors, ", "), s.Name, strings.Join(names, ", "))
	}
	return nil
}

// Keep writes the losses file, its manifest and the study file to the folder dir.
func (c *Search) Keep(dir string, r *Result) error {
	path := filepath.Join(dir, folder.Losses)
	if err := folder.WriteFile(path, func(w io.Writer) error { return c.writeLosses(w, r) }); err != nil {
		return err
	}
	lossesSum, err := folder.RecordsDigest(path)
	if err != nil {
		return err
	}
	m := &manifest{
		Format:       manifestFormat,
		Study:        c.Study.Name,
		Seed:         c.Study.Seed,
		Readings:     len(r.Readings),
		Impossible:   r.Impossible,
		Factors:      records.FactorNames(c.Study.Factors),
		ConfigSHA256: folder.DigestBytes(c.studyYAML),
		LossesSHA256: lossesSum,
		Sessions:     c.losses.Sessions,
	}
	if err := folder.WriteJSON(filepath.Join(dir, folder.Calibration), m); err != nil {
		return err
	}
	return folder.WriteBytes(filepath.Join(dir, folder.Study), c.studyYAML)
}
