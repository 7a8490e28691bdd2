// Package data brings rows that are not generated. It knows the real data sets of the
// papers by name: what they are, where they come from, how a download becomes the CSV of a
// known checksum, and where copies lie on this machine. And it reads the files and sets
// that a study names: it stacks them, interprets their columns and remarks on doubtful ones.
package data

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"copse/stats/dataset/csvfile"
)

// A Set describes one registered data set. Its CSV has the attributes in this
// order, then the column class; an empty cell is a missing value.
type Set struct {
	Name       string         `yaml:"-"`
	Title      string         `yaml:"title"`
	UCI        int            `yaml:"uci"` // number in the UCI Machine Learning Repository; 0: not there
	DOI        string         `yaml:"doi"`
	Licence    string         `yaml:"licence"`
	Credit     string         `yaml:"credit"` // whom the donor asks to name
	Papers     []string       `yaml:"papers"`
	Rows       int            `yaml:"rows"`
	Incomplete int            `yaml:"incomplete"` // rows with missing values
	Classes    map[string]int `yaml:"classes"`    // rows of each
	Attributes []string       `yaml:"attributes"`
	Discrete   []string       `yaml:"discrete"` // the others are numeric; "..." is all
	SHA256     string         `yaml:"sha256"`   // of the CSV; empty: known by its source's sums alone
	Notes      string         `yaml:"notes"`
	Restricted string         `yaml:"restricted"` // why it is neither passed on nor fetched
	Bring      string         `yaml:"bring"`      // why it cannot be fetched
	Source     *Source        `yaml:"source"`
}

// A Source says how downloads become the CSV (see sets.yaml).
type Source struct {
	Archives      []string `yaml:"archives"`
	ArchiveSHA256 string   `yaml:"archive_sha256"` // as it was; the file's sum decides, for archives zip anew
	Folder        string   `yaml:"folder"`
	Files         []string `yaml:"files"`
	FileSHA256    string   `yaml:"file_sha256"` // of the only file

	Format       string   `yaml:"format"`    // csv, blanks or arff; default csv
	Separator    string   `yaml:"separator"` // of csv; default a comma
	Header       bool     `yaml:"header"`    // the first line names the columns
	Comment      string   `yaml:"comment"`   // begins lines to leave out
	Columns      []string `yaml:"columns"`
	Counted      []string `yaml:"counted"`       // no class column: the first line counts the rows of these classes
	CutClass     string   `yaml:"cut_class"`     // a label ends where this begins
	Underscores  bool     `yaml:"underscores"`   // blanks of a label become _
	Letters      string   `yaml:"letters"`       // a column whose letters are all attributes
	IntegersBut  []string `yaml:"integers_but"`  // other columns lose a trailing .0
	LeadingZeros bool     `yaml:"leading_zeros"` // whole numbers lose theirs
	Numbers      string   `yaml:"numbers"`       // shortest, or float: at least one decimal; "": as they are
	Round        int      `yaml:"round"`         // decimals; 0: all
}

//go:embed sets.yaml
var setsYAML []byte

// registry reads sets.yaml once; the file is part of the program, so a mistake
// in it is a panic.
var registry = sync.OnceValue(func() map[string]*Set {
	sets := map[string]*Set{}
	decoder := yaml.NewDecoder(bytes.NewReader(setsYAML))
	decoder.KnownFields(true)
	if err := decoder.Decode(&sets); err != nil {
		panic("datasets: sets.yaml: " + err.Error())
	}
	for name, s := range sets {
		s.Name = name
		if len(s.Discrete) == 1 && s.Discrete[0] == "..." {
			s.Discrete = s.Attributes
		}
	}
	return sets
})

// Names lists the registered sets in alphabetical order.
func Names() []string {
	var names []string
	for name := range registry() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Lookup returns the set of that name.
func Lookup(name string) (*Set, bool) {
	s, ok := registry()[name]
	return s, ok
}

// schema returns the kinds of the set's columns.
func (s *Set) schema() *csvfile.Schema {
	schema := &csvfile.Schema{MissingValues: []string{""}, Class: csvfile.ClassColumn}
	for _, name := range s.Attributes {
		kind := "number"
		if slices.Contains(s.Discrete, name) {
			kind = "string"
		}
		schema.Fields = append(schema.Fields, csvfile.Field{Name: name, Type: kind})
	}
	return schema
}

// Page is the address where people read about the set, "" if none is known.
func (s *Set) Page() string {
	switch {
	case s.DOI != "":
		return "https://doi.org/" + s.DOI
	case s.UCI > 0:
		return fmt.Sprintf("https://archive.ics.uci.edu/dataset/%d", s.UCI)
	}
	return ""
}

// Citation names the set as its archive asks.
func (s *Set) Citation() string {
	parts := []string{s.Title}
	if s.UCI > 0 {
		parts = append(parts, fmt.Sprintf("UCI Machine Learning Repository, data set %d", s.UCI))
	}
	if page := s.Page(); page != "" {
		parts = append(parts, page)
	}
	if s.Credit != "" {
		parts = append(parts, "credit: "+s.Credit)
	}
	return strings.Join(parts, ". ")
}

// Digest is the SHA-256 by which the set is known: of its CSV or else of the
// file that this is made from.
func (s *Set) Digest() string {
	if s.SHA256 == "" {
		return s.Source.FileSHA256
	}
	return s.SHA256
}

// WhyNotFetched says why a set has to be brought by its user, "" if it can be
// fetched.
func (s *Set) WhyNotFetched() string {
	switch {
	case s.Restricted != "":
		return s.Restricted
	case s.Bring != "":
		return s.Bring
	}
	return ""
}
