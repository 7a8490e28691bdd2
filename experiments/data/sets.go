// Package data reads data files and reports suspicious columns. It downloads registered real data
// sets, and converts them to CSV files with known checksums.
package data

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"copse/stats/dataset/csvfile"
)

// A Set describes a registered data set. Its CSV file has the columns in Attributes, followed by
// the column "class". An empty cell is a missing value.
type Set struct {
	Name       string         `yaml:"-"`
	Title      string         `yaml:"title"`
	UCI        int            `yaml:"uci"` // number in the UCI Machine Learning Repository; 0: none
	DOI        string         `yaml:"doi"`
	Licence    string         `yaml:"licence"`
	Credit     string         `yaml:"credit"` // the people to credit
	Papers     []string       `yaml:"papers"`
	Rows       int            `yaml:"rows"`
	Incomplete int            `yaml:"incomplete"` // number of rows with missing values
	Classes    map[string]int `yaml:"classes"`    // rows of each
	Attributes []string       `yaml:"attributes"`
	Discrete   []string       `yaml:"discrete"`    // all others are numeric; "..." means all attributes
	SHA256     string         `yaml:"sha256"`      // checksum of the CSV file; if empty, Source has a checksum
	SharesRows []string       `yaml:"shares_rows"` // other sets with some of the same rows
	Notes      string         `yaml:"notes"`
	Restricted string         `yaml:"restricted"` // the reason why copse neither contains nor downloads the set
	Bring      string         `yaml:"bring"`      // the reason why copse cannot download the set
	Source     *Source        `yaml:"source"`
}

// A Source describes how copse converts downloaded files to the CSV file of a data set.
type Source struct {
	Archives      []string `yaml:"archives"`       // addresses of zips that contain the files, or of the only file
	ArchiveSHA256 string   `yaml:"archive_sha256"` // for information only: a server may compress the files again
	Files         []string `yaml:"files"`
	FileSHA256    string   `yaml:"file_sha256"` // checksum of the only file

	Format        string   `yaml:"format"`    // csv, blanks or arff; default csv
	Separator     string   `yaml:"separator"` // for csv files; a comma by default
	Header        bool     `yaml:"header"`    // the first line names the columns
	Comment       string   `yaml:"comment"`   // lines that begin with this text are skipped
	Columns       []string `yaml:"columns"`
	Counted       []string `yaml:"counted"`       // classes in order; line 1 gives the number of rows in each
	CutClass      string   `yaml:"cut_class"`     // a class label ends before this text
	Underscores   bool     `yaml:"underscores"`   // blanks in a class label become _
	LettersColumn string   `yaml:"letters"`       // in this column, each letter is the value of one attribute
	NonIntegers   []string `yaml:"integers_but"`  // in all other columns, a trailing .0 is removed; nil: in none
	LeadingZeros  bool     `yaml:"leading_zeros"` // zeros at the beginning of whole numbers are removed
	NumberFormat  string   `yaml:"numbers"`       // shortest, or float (at least one decimal); unchanged if empty
	Round         int      `yaml:"round"`         // number of decimal places; 0: unchanged
}

//go:embed sets.yaml
var setsYAML []byte

// registry returns the registered data sets by name. It panics if sets.yaml is invalid.
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

// Names returns the names of the registered data sets in alphabetical order.
func Names() []string {
	return slices.Sorted(maps.Keys(registry()))
}

func Lookup(name string) (s *Set, ok bool) {
	s, ok = registry()[name]
	return s, ok
}

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

// Page returns the address of a web page about the data set, or "" if none is known.
func (s *Set) Page() string {
	switch {
	case s.DOI != "":
		return "https://doi.org/" + s.DOI
	case s.UCI > 0:
		return fmt.Sprintf("https://archive.ics.uci.edu/dataset/%d", s.UCI)
	}
	return ""
}

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

// Digest returns the registered SHA-256 of the CSV file, or of the source file if only that is
// registered.
func (s *Set) Digest() string {
	if s.SHA256 == "" {
		return s.Source.FileSHA256
	}
	return s.SHA256
}

// WhyRestricted explains why the rows of a file or data set must not be distributed, or returns "".
// It recognises a registered data set by its name or its SHA-256, which may be "" if it is unknown.
func WhyRestricted(name, sha256 string) string {
	for _, known := range Names() {
		set, _ := Lookup(known)
		if set.Restricted != "" && (known == name || sha256 != "" && sha256 == set.Digest()) {
			return fmt.Sprintf("rows of the data set %s must not be distributed: %s", known, set.Restricted)
		}
	}
	return ""
}

// WhyNotFetched explains why copse cannot download the data set, or returns "".
func (s *Set) WhyNotFetched() string { return cmp.Or(s.Restricted, s.Bring) }
