package crate

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"strconv"
)

// specification is the version of RO-Crate that crates conform to.
const specification = "https://w3id.org/ro/crate/1.1"

// An entity is a JSON-LD object: one level deep, others by reference.
type entity map[string]any

type reference struct {
	ID string `json:"@id"`
}

// A graph is the flat list of entities; what is added twice stands in it once.
type graph struct {
	entities []entity
	known    map[string]bool
}

func (g *graph) add(id, kind string, e entity) reference {
	if !g.known[id] {
		g.known[id] = true
		e["@id"], e["@type"] = id, kind
		for key, value := range e {
			if value == "" {
				delete(e, key)
			}
		}
		g.entities = append(g.entities, e)
	}
	return reference{id}
}

// metadata writes ro-crate-metadata.json. sha256 is a term of schema.org's that the
// context of RO-Crate 1.1 lacks.
func (c *Crate) metadata(files []sized) ([]byte, error) {
	g := &graph{known: map[string]bool{}}
	g.add(metadataName, "CreativeWork", entity{"conformsTo": reference{specification}, "about": reference{"./"}})
	root := entity{"name": c.Title, "description": c.Description,
		"datePublished": c.Published.UTC().Format("2006-01-02"), "identifier": c.Credit.address()}
	g.add("./", "Dataset", root)
	var parts []reference
	for _, f := range files {
		parts = append(parts, g.add(pathID(f.Name), "File", entity{"name": f.Name, "description": f.About,
			"encodingFormat": mediaType(f.Name),
			"contentSize":    strconv.FormatInt(f.size, 10), "sha256": f.sha256}))
	}
	root["hasPart"] = append(parts, g.add(sumsName, "File", entity{"name": sumsName,
		"description": "SHA-256 of every other file: sha256sum -c " + sumsName, "encodingFormat": "text/plain"}))
	root["license"] = g.add("https://spdx.org/licenses/"+c.Credit.License, "CreativeWork",
		entity{"name": c.Credit.License,
			"description": "The licence of these results, by its SPDX identifier."})
	var authors []reference
	for i, a := range c.Credit.Authors {
		id := a.ORCID
		if id == "" {
			id = fmt.Sprintf("#author-%d", i+1)
		}
		authors = append(authors, g.add(id, a.kind(), entity{"name": a.name(), "givenName": a.Given,
			"familyName": a.family(), "affiliation": a.Affiliation}))
	}
	root["author"] = authors
	if c.Source != "" {
		root["citation"] = g.add("#source", "CreativeWork", entity{"name": c.Source,
			"description": "The work that the study follows."})
	}
	c.provenance(g, root, files)
	return json.MarshalIndent(entity{"@context": []any{specification + "/context",
		entity{"sha256": "http://schema.org/sha256"}}, "@graph": g.entities}, "", "  ")
}

// provenance adds what was read, what ran, on which machines, and what came of it.
func (c *Crate) provenance(g *graph, root entity, files []sized) {
	var read, made []reference
	for _, f := range files {
		switch f.Role {
		case Read:
			read = append(read, reference{pathID(f.Name)})
		case Made:
			made = append(made, reference{pathID(f.Name)})
		}
	}
	var elsewhere []reference
	for _, d := range c.Data {
		elsewhere = append(elsewhere, g.add("#data-"+url.PathEscape(d.ID), "CreativeWork", entity{"name": d.Title,
			"description": d.About, "url": d.URL, "license": d.Licence, "sha256": d.SHA256}))
	}
	read = append(read, elsewhere...)
	var runs []reference
	machines, programs := map[string]string{}, map[string]string{}
	number := func(known map[string]string, kind, what string) string {
		if known[what] == "" {
			known[what] = fmt.Sprintf("#%s-%d", kind, len(known)+1)
		}
		return known[what]
	}
	for i, r := range c.Runs {
		tools := []reference{g.add("#copse-"+url.PathEscape(r.Software.Version), "SoftwareApplication",
			entity{"name": "copse", "version": r.Software.Version, "description": r.Software.About}),
			g.add(number(machines, "machine", r.Machine), "IndividualProduct", entity{"name": r.Machine})}
		for _, p := range r.Programs {
			tools = append(tools, g.add(number(programs, "program", p), "SoftwareApplication", entity{"name": p}))
		}
		runs = append(runs, g.add(fmt.Sprintf("#run-%d", i+1), "CreateAction",
			entity{"name": fmt.Sprintf("Run %d of the study", i+1), "startTime": r.Started,
				"instrument": tools, "object": read, "result": made}))
	}
	if mentioned := append(elsewhere, runs...); len(mentioned) > 0 {
		root["mentions"] = mentioned
	}
}

// pathID is a file's path as a URI reference.
func pathID(name string) string { return (&url.URL{Path: name}).EscapedPath() }

func mediaType(name string) string {
	switch ext := path.Ext(name); ext {
	case ".csv":
		return "text/csv"
	case ".gz":
		return "application/gzip"
	case ".json":
		return "application/json"
	case ".yaml", ".cff":
		return "application/yaml"
	case ".html":
		return "text/html"
	case ".md":
		return "text/markdown"
	case ".tex":
		return "application/x-tex"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".pdf":
		return "application/pdf"
	case "", ".sha256":
		return "text/plain"
	}
	return "application/octet-stream"
}
