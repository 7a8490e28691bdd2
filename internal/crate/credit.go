package crate

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// Credit contains the part of a citation file (Citation File Format 1.2.0) that a crate needs.
type Credit struct {
	Authors  []Author
	License  string // an SPDX identifier
	DOI      string
	Released time.Time // zero: not stated
}

// An Author is a person or an organisation.
type Author struct {
	Family      string `yaml:"family-names"`
	Given       string `yaml:"given-names"`
	Particle    string `yaml:"name-particle"`
	Suffix      string `yaml:"name-suffix"`
	Affiliation string `yaml:"affiliation"`
	ORCID       string `yaml:"orcid"`
	Entity      string `yaml:"name"` // of an organisation
}

// family returns a person's family name, including the particle and the suffix.
func (a *Author) family() string {
	return strings.Join(strings.Fields(a.Particle+" "+a.Family+" "+a.Suffix), " ")
}

// name returns the full name of an author, or "" if the citation file has none.
func (a *Author) name() string {
	return cmp.Or(a.Entity, strings.TrimSpace(a.Given+" "+a.family()))
}

var (
	spdx  = regexp.MustCompile(`^[A-Za-z0-9.-]+\+?$`)
	orcid = regexp.MustCompile(`^https://orcid\.org/\d{4}-\d{4}-\d{4}-\d{3}[\dX]$`)
)

// Names returns the full names of the authors.
func (c *Credit) Names() (names []string) {
	for i := range c.Authors {
		names = append(names, c.Authors[i].name())
	}
	return names
}

// ReadCredit parses the text of a citation file. Errors contain its name. The file must contain authors
// and a licence. The DOI and the release date are optional.
func ReadCredit(name string, text []byte) (Credit, error) {
	f := citationFile{name: name}
	if err := yaml.Unmarshal(text, &f.keys); err != nil {
		return Credit{}, fmt.Errorf("%s: %w", name, err)
	}
	c := Credit{DOI: f.value("doi")}
	var err error
	if c.Authors, err = f.authors(); err != nil {
		return Credit{}, err
	}
	c.License = f.value("license")
	if !spdx.MatchString(c.License) {
		return Credit{}, f.fail("license", "add the licence of the results as one SPDX identifier, such as "+
			"`CC-BY-4.0`")
	}
	if released := f.value("date-released"); released != "" {
		if c.Released, err = time.Parse(time.DateOnly, released); err != nil {
			return Credit{}, f.fail("date-released", "%q is not a date; write a date such as 2026-01-31", released)
		}
	}
	return c, nil
}

type citationFile struct {
	name string
	keys map[string]yaml.Node // values by key
}

// value returns the value of a key, or "" if the key is missing.
func (f *citationFile) value(key string) string {
	if n := f.keys[key]; n.Kind == yaml.ScalarNode {
		return n.Value
	}
	return ""
}

// fail returns an error about a key, with its line and column in the file.
func (f *citationFile) fail(key, format string, args ...any) error {
	at := f.name
	if n, ok := f.keys[key]; ok {
		at = fmt.Sprintf("%s:%d:%d", f.name, n.Line, n.Column)
	}
	return fmt.Errorf("%s: %s: %s", at, key, fmt.Sprintf(format, args...))
}

// authors returns the authors of the results, at least one.
func (f *citationFile) authors() (list []Author, err error) {
	if n := f.keys["authors"]; n.Decode(&list) != nil || len(list) == 0 {
		return nil, f.fail("authors", "list the authors of the results, such as `[{given-names: Ada, "+
			"family-names: Lovelace}]`")
	}
	for i, a := range list {
		if a.name() == "" {
			return nil, f.fail("authors", "author %d has no `family-names`, `given-names` or `name`", i+1)
		}
		if a.ORCID != "" && !orcid.MatchString(a.ORCID) {
			return nil, f.fail("authors", "the `orcid` of %s is %q; write an address such as "+
				"https://orcid.org/0000-0001-2345-6789", a.name(), a.ORCID)
		}
	}
	return list, nil
}

// address returns the URL of the DOI, or "" if there is no DOI.
func (c *Credit) address() string {
	if c.DOI == "" {
		return ""
	}
	return "https://doi.org/" + c.DOI
}
