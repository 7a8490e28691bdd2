package experiments

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
)

// Files of a results folder.
const (
	studyName    = "study.yaml"
	manifestName = "manifest.json"
	recordsName  = "records.csv"
	timingsName  = "timings.csv"
)

// A Platform is what can change the last bits of a result.
type Platform struct {
	Revision string            `json:"revision"` // of the source; "unknown" outside version control
	Modified bool              `json:"modified"` // the source had uncommitted changes
	Go       string            `json:"go"`
	OS       string            `json:"os"`
	Arch     string            `json:"arch"`
	Level    string            `json:"level,omitempty"` // GOAMD64, GOARM64: the instruction set that was built for
	CPU      string            `json:"cpu,omitempty"`
	Cores    int               `json:"cores"`
	Modules  map[string]string `json:"modules,omitempty"`
}

// ThisPlatform describes the running binary and machine.
func ThisPlatform() Platform {
	p := Platform{Revision: "unknown", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH, CPU: cpuModel(), Cores: runtime.NumCPU(), Modules: map[string]string{}}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return p
	}
	for _, m := range info.Deps {
		p.Modules[m.Path] = m.Version
	}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			p.Revision = setting.Value
		case "vcs.modified":
			p.Modified = setting.Value == "true"
		case "GOAMD64", "GOARM64":
			p.Level = setting.Value
		}
	}
	return p
}

// cpuModel reads the processor's name where the system tells it.
func cpuModel() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// A Manifest says how the records of a folder were made.
type Manifest struct {
	Format        string            `json:"format"`
	Study         string            `json:"study"`
	Title         string            `json:"title,omitempty"`
	Source        string            `json:"source,omitempty"`
	Seed          uint64            `json:"seed"`
	Replicates    int               `json:"replicates"`
	ConfigSHA256  string            `json:"config_sha256"`  // of study.yaml
	RecordsSHA256 string            `json:"records_sha256"` // of records.csv, unzipped
	Sessions      []Session         `json:"sessions"`       // in the file, Config is a key of Configs
	Configs       map[string]string `json:"configs,omitempty"`
	Cells         []ManifestCell    `json:"cells"`
}

// A ManifestCell tells one cell's content.
type ManifestCell struct {
	ID          string            `json:"id"`
	Levels      map[string]string `json:"levels"`
	Data        string            `json:"data,omitempty"` // canonical content; absent for cells of earlier sweeps
	Classifiers map[string]string `json:"classifiers"`    // id to canonical recipe
}

func (m *Manifest) cell(id string) (ManifestCell, bool) {
	i := slices.IndexFunc(m.Cells, func(c ManifestCell) bool { return c.ID == id })
	if i < 0 {
		return ManifestCell{}, false
	}
	return m.Cells[i], true
}

// onlySession returns 0 when all records come from one session, else -1: the
// records do not say whose they are.
func (m *Manifest) onlySession() int {
	if len(m.Sessions) == 1 {
		return 0
	}
	return -1
}

const manifestFormat = "copse-results/1"

// ReadManifest reads a folder's manifest.
func ReadManifest(dir string) (*Manifest, error) {
	path := filepath.Join(dir, manifestName)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m := &Manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if m.Format != manifestFormat {
		return nil, fmt.Errorf("%s: format %q, this binary reads %q", path, m.Format, manifestFormat)
	}
	for i := range m.Sessions {
		m.Sessions[i].Config = m.Configs[m.Sessions[i].Config]
	}
	return m, nil
}

// manifest describes a collection.
func (l *Ledger) manifest(s *Study, records *Collection) *Manifest {
	m := &Manifest{Format: manifestFormat, Study: s.Name, Title: s.Title, Source: s.Source, Seed: s.Seed, Replicates: s.Replicates, Sessions: l.Sessions}
	for _, c := range s.Cells {
		cell := ManifestCell{ID: c.ID, Levels: s.levelMap(c), Data: c.Key, Classifiers: map[string]string{}}
		for _, e := range c.Classifiers {
			cell.Classifiers[e.ID] = e.Spec
		}
		m.Cells = append(m.Cells, cell)
	}
	for _, c := range records.cells {
		if _, known := m.cell(c.id); !known {
			m.Cells = append(m.Cells, ManifestCell{ID: c.id, Levels: l.store.cells[c.index].levels, Classifiers: c.specs})
		}
	}
	return m
}

// writeManifest writes a manifest; the configurations that several sessions
// share stand in it once.
func writeManifest(dir string, m *Manifest) error {
	short := *m
	short.Sessions, short.Configs = slices.Clone(m.Sessions), map[string]string{}
	for i := range short.Sessions {
		if text := short.Sessions[i].Config; text != "" {
			sum := sha256.Sum256([]byte(text))
			key := hex.EncodeToString(sum[:])
			short.Configs[key], short.Sessions[i].Config = text, key
		}
	}
	return WriteFile(filepath.Join(dir, manifestName), func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(short)
	})
}

// fileDigest returns the SHA-256 of a file in hexadecimal digits.
func fileDigest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// recordsDigest returns the SHA-256 of a records file's rows, unzipped.
func recordsDigest(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	plain := io.Reader(f)
	if isZipped(path) {
		if plain, err = gzip.NewReader(f); err != nil {
			return "", fmt.Errorf("%s: %w", path, err)
		}
	}
	h := sha256.New()
	if _, err := io.Copy(h, plain); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

type timingKey struct {
	cell      string
	replicate int
	id        string
}

var timingColumns = []string{"cell", "replicate", "classifier", "fit_seconds", "predict_seconds"}

// writeTimings writes the seconds of each record's fit and prediction.
func (c *Collection) writeTimings(path string) error {
	return WriteFile(path, func(w io.Writer) error {
		out := csv.NewWriter(w)
		if err := out.Write(timingColumns); err != nil {
			return err
		}
		for r := range c.rows() {
			err := out.Write([]string{r.key.cell, strconv.Itoa(r.key.replicate), r.ID,
				strconv.FormatFloat(r.Fit, 'f', 6, 64), strconv.FormatFloat(r.Predict, 'f', 6, 64)})
			if err != nil {
				return err
			}
		}
		out.Flush()
		return out.Error()
	})
}

// readTimings reads timings.csv: fit and predict seconds by row. A folder
// without the file has no times.
func readTimings(dir string) (map[timingKey][2]float64, error) {
	path := filepath.Join(dir, timingsName)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := csv.NewReader(f)
	in.FieldsPerRecord = len(timingColumns)
	if _, err := in.Read(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	times := map[timingKey][2]float64{}
	for line := 2; ; line++ {
		fields, err := in.Read()
		if errors.Is(err, io.EOF) {
			return times, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		replicate, err1 := strconv.Atoi(fields[1])
		fit, err2 := strconv.ParseFloat(fields[3], 64)
		predict, err3 := strconv.ParseFloat(fields[4], 64)
		if err := errors.Join(err1, err2, err3); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, line, err)
		}
		times[timingKey{fields[0], replicate, fields[2]}] = [2]float64{fit, predict}
	}
}
