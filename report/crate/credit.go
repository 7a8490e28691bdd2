package crate

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// Credit is what a crate takes from a citation file (CITATION.cff, Citation File
// Format 1.2.0): who made the results, and under which licence they may be used.
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

func (a *Author) kind() string {
	if a.Entity != "" {
		return "Organization"
	}
	return "Person"
}

func (a *Author) family() string {
	return strings.Join(strings.Fields(a.Particle+" "+a.Family+" "+a.Suffix), " ")
}

func (a *Author) name() string {
	if a.Entity != "" {
		return a.Entity
	}
	return strings.TrimSpace(a.Given + " " + a.family())
}

var (
	spdx  = regexp.MustCompile(`^[A-Za-z0-9.-]+\+?$`)
	orcid = regexp.MustCompile(`^https://orcid\.org/\d{4}-\d{4}-\d{4}-\d{3}[\dX]$`)
)

// ReadCredit reads a citation file. The errors name the file, the line where there is
// one, the key and what to write.
func ReadCredit(name string, text []byte) (Credit, error) {
	var node yaml.Node
	if err := yaml.Unmarshal(text, &node); err != nil {
		return Credit{}, fmt.Errorf("%s: %w", name, err)
	}
	keys := map[string]*yaml.Node{}
	if len(node.Content) > 0 && node.Content[0].Kind == yaml.MappingNode {
		for i := 0; i+1 < len(node.Content[0].Content); i += 2 {
			keys[node.Content[0].Content[i].Value] = node.Content[0].Content[i+1]
		}
	}
	fail := func(key, format string, args ...any) (Credit, error) {
		at := name
		if n := keys[key]; n != nil {
			at = fmt.Sprintf("%s:%d:%d", name, n.Line, n.Column)
		}
		return Credit{}, fmt.Errorf("%s: %s: %s", at, key, fmt.Sprintf(format, args...))
	}
	var c Credit
	if keys["authors"] == nil || keys["authors"].Decode(&c.Authors) != nil || len(c.Authors) == 0 {
		return fail("authors", "name who made the results, such as [{given-names: Ada, family-names: Lovelace}]")
	}
	for i, a := range c.Authors {
		if a.name() == "" {
			return fail("authors", "number %d has no family-names, given-names or name", i+1)
		}
		if a.ORCID != "" && !orcid.MatchString(a.ORCID) {
			return fail("authors", "orcid of %s: %q, want an address such as https://orcid.org/0000-0001-2345-6789",
				a.name(), a.ORCID)
		}
	}
	if n := keys["license"]; n == nil || n.Kind != yaml.ScalarNode || !spdx.MatchString(n.Value) {
		return fail("license", "say under which licence the results may be used, by one SPDX identifier such as "+
			"CC-BY-4.0")
	}
	c.License = keys["license"].Value
	if n := keys["doi"]; n != nil {
		c.DOI = n.Value
	}
	if n := keys["date-released"]; n != nil {
		var err error
		if c.Released, err = time.Parse("2006-01-02", n.Value); err != nil {
			return fail("date-released", "%q, want a date such as 2026-01-31", n.Value)
		}
	}
	return c, nil
}

// address is the DOI's, "" without one.
func (c *Credit) address() string {
	if c.DOI == "" {
		return ""
	}
	return "https://doi.org/" + c.DOI
}
