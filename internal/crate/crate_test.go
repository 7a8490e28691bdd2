package crate

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"copse/experiments/external"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/internal/errtest"
)

func says(text string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, text); return err }
}

func sample() *Crate {
	run := results.Session{Started: "2026-01-30T08:00:00Z", Platform: results.Platform{Revision: "abc", Go: "go"},
		Programs: map[string]external.Handshake{"f": {Name: "forest", Version: "1.2"}}}
	later := run
	later.Platform.Revision = "abd"
	return &Crate{Title: "A study", Description: "Results.", Source: "a paper",
		Credit: Credit{License: "CC-BY-4.0", DOI: "10.5281/zenodo.1",
			Released: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC),
			Authors: []Author{{Given: "Ada", Particle: "de", Family: "Lovelace",
				ORCID: "https://orcid.org/0000-0001-2345-6789"}, {Entity: "The Society"}}},
		Files: []File{{"study.yaml", "the study", Read, says("study: s"), ""}, {"records.csv.gz", "records", Made,
			says("zipped"), ""}, {"figures/50 % of a#b.svg", "a figure", Drawn, says("<svg/>"), ""}},
		Data: []Data{{"own.csv", "own.csv", "a file", "", "", "12"}, {"hill a", "Hill, A", "a set",
			"https://doi.org/10.24432/1", "CC BY 4.0", "34"}, {"hill b", "Hill, B", "a " +
			"set", "https://doi.org/10.24432/1", "CC BY 4.0", "56"}},
		Runs: []results.Session{run, run, later}}
}

func unpack(t *testing.T, b []byte) map[string]string {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil || files[f.Name] != "" {
			t.Fatalf("%s: %v", f.Name, err)
		}
		files[f.Name] = string(text)
	}
	return files
}

// terms are the terms that crates use from the context of RO-Crate 1.1, which contains schema.org 10 and
// conformsTo of Dublin Core. sha256 is declared separately.
var terms = strings.Fields(`about affiliation author citation conformsTo contentSize datePublished description
	encodingFormat familyName
	givenName hasPart identifier instrument license mentions name object result sha256 startTime url version
	CreateAction CreativeWork Dataset File IndividualProduct Organization Person SoftwareApplication`)

// The metadata satisfy every rule of RO-Crate 1.1 (Metadata File Descriptor, Root Data Entity, Data Entities,
// the flattened form of its JSON-LD).
func TestMetadataIsAnROCrate(t *testing.T) {
	var b bytes.Buffer
	if err := sample().Write(&b); err != nil {
		t.Fatal(err)
	}
	files := unpack(t, b.Bytes())
	var doc struct {
		Context []any            `json:"@context"`
		Graph   []map[string]any `json:"@graph"`
	}
	if err := json.Unmarshal([]byte(files[folder.PackedMetadata]), &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Context) != 2 || doc.Context[0] != "https://w3id.org/ro/crate/1.1/context" ||
		fmt.Sprint(doc.Context[1]) != "map[sha256:http://schema.org/sha256]" {
		t.Errorf("context %v", doc.Context)
	}
	entities := map[string]map[string]any{}
	for _, e := range doc.Graph {
		id, _ := e["@id"].(string)
		if id == "" || entities[id] != nil {
			t.Errorf("%q is not an id, or is the id of two entities", id)
		}
		if _, err := url.Parse(id); err != nil || strings.ContainsAny(id, ` \`) {
			t.Errorf("%q is not a URI reference: %v", id, err)
		}
		entities[id] = e
	}
	referred := map[string]bool{}
	for id, e := range entities {
		if kind, _ := e["@type"].(string); !slices.Contains(terms, kind) {
			t.Errorf("%s: type %q", id, kind)
		}
		for key, value := range e {
			if key[0] != '@' && !slices.Contains(terms, key) {
				t.Errorf("%s: %s is not a term of the context", id, key)
			}
			list, many := value.([]any)
			if !many {
				list = []any{value}
			}
			for _, v := range list {
				switch v := v.(type) {
				case string:
					if v == "" {
						t.Errorf("%s: %s is empty", id, key)
					}
				case map[string]any:
					to, _ := v["@id"].(string)
					referred[to] = true
					if len(v) != 1 || entities[to] == nil && to != "https://w3id.org/ro/crate/1.1" {
						t.Errorf("%s: %s: %v is not flat, or has no target", id, key, v)
					}
				default:
					t.Errorf("%s: %s: %v", id, key, v)
				}
			}
		}
	}
	for id := range entities {
		if !referred[id] && id != folder.PackedMetadata {
			t.Errorf("no entity refers to %s", id)
		}
	}
	descriptor, root := entities[folder.PackedMetadata], entities["./"]
	if descriptor["@type"] != "CreativeWork" || fmt.Sprint(descriptor["about"]) != "map[@id:./]" ||
		fmt.Sprint(descriptor["conformsTo"]) != "map[@id:https://w3id.org/ro/crate/1.1]" {
		t.Errorf("descriptor %v", descriptor)
	}
	if root["@type"] != "Dataset" || root["name"] != "A study" || root["description"] == nil ||
		root["datePublished"] != "2026-02-01" || root["identifier"] != "https://doi.org/10.5281/zenodo.1" {
		t.Errorf("root %v", root)
	}
	if licence := entities[root["license"].(map[string]any)["@id"].(string)]; licence["name"] != "CC-BY-4.0" ||
		licence["description"] == nil {
		t.Errorf("licence %v", licence)
	}
	parts := map[string]bool{}
	for _, p := range root["hasPart"].([]any) {
		id := p.(map[string]any)["@id"].(string)
		name, err := url.PathUnescape(id)
		if content, there := files[name]; err != nil || !there || entities[id]["@type"] != "File" {
			t.Errorf("%s is not a file of the crate", id)
		} else if sum := sha256.Sum256([]byte(content)); name != folder.PackedSums &&
			(entities[id]["contentSize"] != fmt.Sprint(len(content)) ||
				entities[id]["sha256"] != hex.EncodeToString(sum[:])) {
			t.Errorf("%s: size or sum: %v", id, entities[id])
		}
		parts[name] = true
	}
	for name := range files {
		if !parts[name] && name != folder.PackedMetadata {
			t.Errorf("%s is not described", name)
		}
	}
	if person := entities["https://orcid.org/0000-0001-2345-6789"]; person["name"] != "Ada de Lovelace" ||
		person["familyName"] != "de Lovelace" {
		t.Errorf("author %v", person)
	}
}

// SHA256SUMS lists all other files in the format of sha256sum -c.
func TestSums(t *testing.T) {
	var b bytes.Buffer
	if err := sample().Write(&b); err != nil {
		t.Fatal(err)
	}
	files := unpack(t, b.Bytes())
	lines := strings.Split(strings.TrimSpace(files[folder.PackedSums]), "\n")
	if len(lines) != len(files)-1 {
		t.Errorf("%d lines for %d files", len(lines), len(files)-1)
	}
	for _, line := range lines {
		sum, name, _ := strings.Cut(line, "  ")
		if own := sha256.Sum256([]byte(files[name])); sum != hex.EncodeToString(own[:]) {
			t.Errorf("%s: %s", name, sum)
		}
	}
}

func TestEqualCratesAreEqualBytes(t *testing.T) {
	var first, second bytes.Buffer
	c := sample()
	if err := errors.Join(c.Write(&first), c.Write(&second)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two writings differ")
	}
}

func TestRefusals(t *testing.T) {
	n := 0
	moving := File{"x", "", Drawn, func(w io.Writer) error { n++; return says(fmt.Sprint(n))(w) }, ""}
	for want, f := range map[string]File{
		"x: the file changed while copse was packing it": moving,
		"y: broken": {"y", "", Drawn,
			func(io.Writer) error { return errors.New("broken") }, ""},
		"study.yaml: two files":               {"study.yaml", "", Drawn, says(""), ""},
		folder.PackedMetadata + ": two files": {folder.PackedMetadata, "", Drawn, says(""), ""},
	} {
		c := sample()
		c.Files = append(c.Files, f)
		errtest.Contains(t, c.Write(io.Discard), want)
	}
}

func TestReadCredit(t *testing.T) {
	const good = "cff-version: 1.2.0\ntitle: x\nauthors: [{given-names: Ada, family-names: Lovelace}]\nlicense: " +
		"CC-BY-4.0\ndate-released: 2026-01-31\ndoi: 10.1/2\n"
	c, err := ReadCredit("c", []byte(good))
	if err != nil || c.License != "CC-BY-4.0" || c.Authors[0].name() != "Ada Lovelace" || c.DOI != "10.1/2" ||
		c.Released.Format("2 Jan 2006") != "31 Jan 2026" {
		t.Errorf("%+v, %v", c, err)
	}
	for text, want := range map[string]string{
		"": "c: authors: list the authors",
		strings.Replace(good, "[{given-names: Ada, family-names: Lovelace}]", "Ada", 1): "c:3:10: authors: list the",
		strings.Replace(good, "given-names: Ada, family-names: Lovelace", "x: y",
			1): "c:3:10: authors: author 1 has no",
		strings.Replace(good, "family-names: Lovelace", "orcid: 0000", 1): "c:3:10: authors: the `orcid` of " +
			"Ada",
		strings.Replace(good, "license: CC-BY-4.0\n", "", 1):    "c: license: add the licence",
		strings.Replace(good, "CC-BY-4.0", "[MIT, GPL-3.0]", 1): "c:4:10: license: add",
		strings.Replace(good, "2026-01-31", "soon", 1): "c:5:16: date-released: " +
			"\"soon\"",
		"a: [": "c: yaml",
	} {
		_, err := ReadCredit("c", []byte(text))
		errtest.Contains(t, err, want)
	}
}
