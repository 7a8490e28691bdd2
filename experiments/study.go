package experiments

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"gopkg.in/yaml.v3"

	"copse/stats/records"
)

// A Study is one YAML file, read strictly: what varies, which data each cell
// draws, which classifiers run on them. Its inference, report and published
// sections are decoded by whoever needs them (Decode).
type Study struct {
	Name       string        `param:"study" required:"the name of the study and of its folder under results/"`
	Title      string        `param:"title"`
	Source     string        `param:"source"`
	Seed       uint64        `param:"seed" required:"any whole number; it decides every random draw"`
	Replicates int           `param:"replicates" range:"[1,1e8]" required:"the number of independent draws per cell"`
	TimeLimit  time.Duration `param:"time_limit"` // of a fit with its prediction; 0: none. A fit stops at it, a prediction runs to its end

	DesignNode      *yaml.Node   `param:"design"`
	Nested          []nesting    `param:"nested"`
	ExcludeNodes    []*yaml.Node `param:"exclude"`
	DataNode        *yaml.Node   `param:"data" required:"generator, train and test; or csv and folds"`
	ClassifierNodes *yaml.Node   `param:"classifiers" required:"the list of classifiers to run"`
	Inference       *yaml.Node   `param:"inference"`
	Report          *yaml.Node   `param:"report"`
	Published       *yaml.Node   `param:"published"`

	File    string           // where it was read from
	Factors []records.Factor // in the order of the design, nested ones last
	Cells   []*Cell          // in the order of the design

	root     *yaml.Node
	decoder  decoder
	recorded *Manifest // of the results that the study was read back from
}

// nesting crosses further factors into the cells that have the given levels.
type nesting struct {
	Under  *yaml.Node `param:"under" required:"the levels below which the factors vary, such as {family: bayesnet}"`
	Design *yaml.Node `param:"design" required:"the nested factors"`
}

var namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// Load reads a study file, applies the --set assignments ("path=value") in
// order and expands the design. The error lists every mistake, each with its
// file, line, column and key.
func Load(file string, assignments ...string) (*Study, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, &ConfigError{Origin: file, Msg: "cannot be read", cause: err}
	}
	return parse(filepath.ToSlash(file), text, assignments, nil)
}

func parse(file string, text []byte, assignments []string, recorded *Manifest) (*Study, error) {
	root, err := parseYAML(file, text)
	if err != nil {
		return nil, err
	}
	s := &Study{File: file, root: root, decoder: decoder{file: file, origin: map[*yaml.Node]string{}}, recorded: recorded}
	for _, a := range assignments {
		if err := s.assign(a); err != nil {
			return nil, err
		}
	}
	d := &s.decoder
	d.structure(root, "", "key", s)
	if err := d.errs.sorted(); err != nil {
		return nil, err
	}
	if !namePattern.MatchString(s.Name) {
		d.fail(root, "study", "%q is not a folder name; use letters, digits, '.', '_' and '-'", s.Name)
	}
	s.expand()
	if err := d.errs.sorted(); err != nil {
		return nil, err
	}
	return s, nil
}

// parseYAML returns the one document of a YAML text as a node.
func parseYAML(file string, text []byte) (*yaml.Node, error) {
	var doc, second yaml.Node
	reader := yaml.NewDecoder(bytes.NewReader(text))
	if err := reader.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, &ConfigError{Origin: file, Msg: "the file is empty"}
		}
		return nil, &ConfigError{Origin: file, Msg: err.Error()}
	}
	if err := reader.Decode(&second); !errors.Is(err, io.EOF) {
		return nil, &ConfigError{Origin: file, Line: second.Line, Column: 1, Msg: "a second YAML document; a study is one document"}
	}
	return doc.Content[0], nil
}

// Decode fills target, a struct with param tags, from one of the study's
// sections; a nil section leaves target's defaults. The error lists every
// mistake.
func (s *Study) Decode(section *yaml.Node, name string, target any) error {
	if section == nil {
		return nil
	}
	d := decoder{file: s.File, origin: s.decoder.origin}
	d.structure(section, name, "key", target)
	return d.errs.sorted()
}

// YAML returns the resolved configuration, assignments applied.
func (s *Study) YAML() ([]byte, error) {
	var b bytes.Buffer
	w := yaml.NewEncoder(&b)
	w.SetIndent(2)
	if err := w.Encode(s.root); err != nil {
		return nil, err
	}
	return b.Bytes(), w.Close()
}

// ClassifierIDs returns the ids in the study's order.
func (s *Study) ClassifierIDs() []string {
	var ids []string
	for _, c := range s.Cells {
		for _, e := range c.Classifiers {
			if !slices.Contains(ids, e.ID) {
				ids = append(ids, e.ID)
			}
		}
	}
	return ids
}

// Cell returns the cell whose identity begins with id.
func (s *Study) Cell(id string) (*Cell, error) {
	var found *Cell
	for _, c := range s.Cells {
		if len(id) > 0 && len(id) <= len(c.ID) && c.ID[:len(id)] == id {
			if found != nil {
				return nil, fmt.Errorf("cell %q is ambiguous: %s and %s begin so", id, found.ID, c.ID)
			}
			found = c
		}
	}
	if found == nil {
		return nil, fmt.Errorf("study %s has no cell %q", s.Name, id)
	}
	return found, nil
}

// LoadRecorded reads the study that a results folder was made from. CSV files
// that are not here any more are no mistake then.
func LoadRecorded(dir string) (*Study, error) {
	file := filepath.Join(dir, studyName)
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m, err := ReadManifest(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // an interrupted run has none yet
		return nil, err
	}
	return parse(filepath.ToSlash(file), text, nil, m)
}
