package crate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"copse/experiments/external"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/report/view"
)

// specification is the version of RO-Crate that the crates follow.
const specification = "https://w3id.org/ro/crate/1.1"

// An entity is a JSON-LD object. Its values are literals or references to other entities.
type entity map[string]any

type reference struct {
	ID string `json:"@id"`
}

// A graph is the list of all entities of a crate. Entities refer to each other by id.
type graph struct {
	entities []entity
	known    map[string]bool // ids
}

// add adds an entity without its empty values, unless the graph already contains this id. It returns
// a reference.
func (g *graph) add(id, kind string, e entity) reference {
	if g.known[id] {
		return reference{id}
	}
	g.known[id] = true
	e["@id"], e["@type"] = id, kind
	for key, value := range e {
		if value == "" {
			delete(e, key)
		}
	}
	g.entities = append(g.entities, e)
	return reference{id}
}

// metadata returns the JSON-LD that describes the crate and its files, licence, authors, source,
// data and runs.
func (c *Crate) metadata(files []measuredFile) ([]byte, error) {
	g := &graph{known: map[string]bool{}}
	g.add(folder.PackedMetadata, "CreativeWork",
		entity{"conformsTo": reference{specification}, "about": reference{"./"}})
	root := entity{"name": c.Title, "description": c.Description,
		"datePublished": c.Credit.Released.UTC().Format(time.DateOnly), "identifier": c.Credit.address()}
	g.add("./", "Dataset", root) // the graph contains root itself, with the keys set below
	root["hasPart"] = addFiles(g, files)
	root["license"] = g.add("https://spdx.org/licenses/"+c.Credit.License, "CreativeWork",
		entity{"name": c.Credit.License, "description": "The licence of these results, named by its SPDX identifier."})
	root["author"] = addAuthors(g, c.Credit.Authors)
	if c.Source != "" {
		root["citation"] = g.add("#source", "CreativeWork", entity{"name": c.Source,
			"description": "The source, such as a publication, on which the study is based."})
	}
	data := c.addData(g)
	runs := c.addRuns(g, files, data)
	if mentions := append(data, runs...); len(mentions) > 0 {
		root["mentions"] = mentions
	}
	// The context of RO-Crate 1.1 lacks schema.org's term sha256.
	context := []any{specification + "/context", entity{"sha256": "http://schema.org/sha256"}}
	return json.MarshalIndent(entity{"@context": context, "@graph": g.entities}, "", "  ")
}

func addFiles(g *graph, files []measuredFile) []reference {
	var parts []reference
	for _, f := range files {
		parts = append(parts, g.add(pathID(f.Name), "File", entity{"name": f.Name, "description": f.About,
			"encodingFormat": cmp.Or(mediaTypes[path.Ext(f.Name)], "application/octet-stream"),
			"contentSize":    fmt.Sprint(f.size), "sha256": f.sha256}))
	}
	return append(parts, g.add(folder.PackedSums, "File", entity{"name": folder.PackedSums,
		"description":    "SHA-256 checksums of all other files; to check them: sha256sum -c " + folder.PackedSums,
		"encodingFormat": "text/plain"}))
}

// addAuthors adds the authors of the results. Authors without an ORCID are numbered.
func addAuthors(g *graph, list []Author) []reference {
	var authors []reference
	for i, a := range list {
		id, kind := cmp.Or(a.ORCID, fmt.Sprintf("#author-%d", i+1)), "Person"
		if a.Entity != "" {
			kind = "Organization"
		}
		authors = append(authors, g.add(id, kind, entity{"name": a.name(), "givenName": a.Given,
			"familyName": a.family(), "affiliation": a.Affiliation}))
	}
	return authors
}

// addData adds the data sets that the study used and the crate does not contain.
func (c *Crate) addData(g *graph) []reference {
	var data []reference
	for _, d := range c.Data {
		data = append(data, g.add("#data-"+url.PathEscape(d.ID), "CreativeWork", entity{"name": d.Title,
			"description": d.About, "url": d.URL, "license": d.Licence, "sha256": d.SHA256}))
	}
	return data
}

// addRuns adds the runs of the study and returns references to them. The inputs of each run are the
// data and the files with the role Read.
func (c *Crate) addRuns(g *graph, files []measuredFile, data []reference) []reference {
	read := append(filesOf(files, Read), data...)
	made := filesOf(files, Made)
	var machines, programs []string // the id of a name contains the position in the list
	var runs []reference
	for i, r := range c.Runs { // each run used copse, a machine and external programs
		tools := []reference{
			addCopse(g, r.Platform),
			g.addNumbered(&machines, "machine", "IndividualProduct", machineOf(r.Platform)),
		}
		for _, name := range programsInWords(r.Programs) {
			tools = append(tools, g.addNumbered(&programs, "program", "SoftwareApplication", name))
		}
		runs = append(runs, g.add(fmt.Sprintf("#run-%d", i+1), "CreateAction",
			entity{"name": fmt.Sprintf("Run %d of the study", i+1), "startTime": r.Started,
				"instrument": tools, "object": read, "result": made}))
	}
	return runs
}

// addCopse adds the version of copse that ran on a platform.
func addCopse(g *graph, p results.Platform) reference {
	version := p.Revision
	about := "built with " + p.Go + " for " + strings.TrimSpace(p.OS+"/"+p.Arch+" "+p.Level)
	if p.Modified {
		version += "-modified"
		about += "; the source code had uncommitted changes"
	}
	return g.add("#copse-"+url.PathEscape(version), "SoftwareApplication",
		entity{"name": "copse", "version": version, "description": about})
}

func machineOf(p results.Platform) string {
	return fmt.Sprintf("%s, %d cores, %s/%s", cmp.Or(p.CPU, "unknown processor"), p.Cores, p.OS, p.Arch)
}

// programsInWords returns a line for each distinct external program, such as "R 4.2.2, e1071 1.7-13".
func programsInWords(programs map[string]external.Handshake) []string {
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(programs)) {
		handshake := programs[key]
		lines = view.AddNew(lines, handshake.Describe())
	}
	return view.Except(lines, "")
}

func filesOf(files []measuredFile, role Role) (references []reference) {
	for _, f := range files {
		if f.Role == role {
			references = append(references, reference{pathID(f.Name)})
		}
	}
	return references
}

// addNumbered adds an entity with a name and an id such as "#machine-1", whose number is the position
// of the name in the list known. It appends a new name to this list.
func (g *graph) addNumbered(known *[]string, prefix, kind, name string) reference {
	number := slices.Index(*known, name) + 1
	if number == 0 {
		*known = append(*known, name)
		number = len(*known)
	}
	return g.add(fmt.Sprintf("#%s-%d", prefix, number), kind, entity{"name": name})
}

// pathID converts a file name to a URI reference.
func pathID(name string) string { return (&url.URL{Path: name}).EscapedPath() }

// mediaTypes maps file extensions to media types.
var mediaTypes = map[string]string{
	".csv": "text/csv", ".gz": "application/gzip", ".json": "application/json", ".yaml": "application/yaml",
	".cff": "application/yaml", ".html": "text/html", ".md": "text/markdown", ".tex": "application/x-tex",
	".svg": "image/svg+xml", ".png": "image/png", ".pdf": "application/pdf", "": "text/plain",
	".sha256": "text/plain",
}
