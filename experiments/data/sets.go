// Package data reads rows that are not generated. It has the registry of the papers' real data
// sets, downloads them and makes CSV files with known checksums. It reads the files and data sets
// of a study, interprets their columns and remarks on suspicious ones.
package data

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"copse/stats/dataset/csvfile"
)

// A Set describes a registered data set. Its CSV has the attributes in their order, then the
// column class; an empty cell is a missing value.
type Set struct {
	Name       string         `yaml:"-"`
	Title      string         `yaml:"title"`
	UCI        int            `yaml:"uci"` // number in the UCI Machine Learning Repository; 0: none
	DOI        string         `yaml:"doi"`
	Licence    string         `yaml:"licence"`
	Credit     string         `yaml:"credit"` // the people to credit
	Papers     []string       `yaml:"papers"`
	Rows       int            `yaml:"rows"`
	Incomplete int            `yaml:"incomplete"` // rows with missing values
	Classes    map[string]int `yaml:"classes"`    // rows of each
	Attributes []string       `yaml:"attributes"`
	Discrete   []string       `yaml:"discrete"` // the others are numeric; "..." is all
	SHA256     string         `yaml:"sha256"`   // of the CSV; empty: the source has a checksum
	Notes      string         `yaml:"notes"`
	Restricted string         `yaml:"restricted"` // why copse neither contains nor downloads it
	Bring      string         `yaml:"bring"`      // why copse cannot download it
	Source     *Source        `yaml:"source"`
}

// A Source describes how a CSV is made from downloaded files.
type Source struct {
	Archives      []string `yaml:"archives"`       // addresses of zips with the files, or of the only file
	ArchiveSHA256 string   `yaml:"archive_sha256"` // informative: archives are zipped anew
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

// registry returns the registered sets by name. It panics on a mistake in sets.yaml, which is
// part of the program.
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

// Lookup returns the registered set with a name.
func Lookup(name string) (*Set, bool) {
	s, ok := registry()[name]
	return s, ok
}

// schema returns the schema of the set's CSV.
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

// Page returns the address of a page about the set; "" if none is known.
func (s *Set) Page() string {
	switch {
	case s.DOI != "":
		return "https://doi.org/" + s.DOI
	case s.UCI > 0:
		return fmt.Sprintf("https://archive.ics.uci.edu/dataset/%d", s.UCI)
	}
	return ""
}

// Citation returns the citation that the archive of the set asks for.
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

// Digest returns the registered SHA-256: of the CSV or else of the file that it is made from.
func (s *Set) Digest() string {
	if s.SHA256 == "" {
		return s.Source.FileSHA256
	}
	return s.SHA256
}

// WhyNotFetched returns why copse cannot download a set; "" if it can.
func (s *Set) WhyNotFetched() string { return cmp.Or(s.Restricted, s.Bring) }
