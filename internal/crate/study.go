package crate

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"copse/experiments/data"
	"copse/experiments/results"
	"copse/internal/reported"
)

// New describes the RO-Crate of a results folder with a manifest. credit must have a release date.
// missing describes missing results, or is "". withData includes the CSV files of the study.
func New(f *results.Folder, credit Credit, missing string, withData bool) (*Crate, error) {
	r, err := reported.Read(f)
	if err != nil {
		return nil, err
	}
	s, cells := r.Source, f.Manifest.Cells
	files, err := filesOfFolder(f.Dir, cells, s.Programs())
	if err != nil {
		return nil, err
	}
	if err := files.addPublished(f.Dir, s.Tables); err != nil {
		return nil, err
	}
	if withData {
		if err := files.addData(f.Dir, cells); err != nil {
			return nil, fmt.Errorf("--data: %w", err)
		}
	}
	protocol, err := s.Protocol(f.Manifest)
	if err != nil {
		return nil, err
	}
	c := &Crate{
		Title:  r.Study.Title,
		Source: s.Source,
		Credit: credit,
		Data:   dataNotIn(files, cells),
		Runs:   f.Manifest.Sessions,
		Description: fmt.Sprintf("Results of the study %s, run with copse: %d cells, %d methods, %d records.",
			s.Name, len(s.Cells), len(s.ClassifierIDs()), len(r.Records.Rows)),
		Files: append(files, File{
			Name:    "protocol.md",
			About:   "protocol: aims, data, estimands, methods, performance measures",
			Content: protocol.Markdown,
		}),
	}
	if missing != "" {
		c.Description += " The study is not finished: " + missing + "."
	}
	return c, nil
}

// dataNotIn describes the data of the cells that are not among the packed files.
func dataNotIn(packed fileList, cells []results.ManifestCell) []Data {
	digests := map[string]string{} // keyed by the name of a registered data set or the path of a file
	for _, c := range cells {
		maps.Copy(digests, c.Files)
	}
	var list []Data
	for _, name := range slices.Sorted(maps.Keys(digests)) {
		set, registered := data.Lookup(name)
		switch {
		case registered: // never in the crate, see addData
			list = append(list, registeredData(set, digests[name]))
		case !packed.has(packedName(name)):
			list = append(list, Data{ID: name, Title: name, About: "a file from the author of the study",
				SHA256: digests[name]})
		}
	}
	return list
}

// packedName returns the name of one of the study's data files inside a crate.
func packedName(name string) string { return filepath.ToSlash(filepath.Clean(name)) }

func registeredData(set *data.Set, sha256 string) Data {
	about := "data set " + set.Name + "; copse data fetch " + set.Name
	if set.Restricted != "" {
		about = "data set " + set.Name + ", not distributed: " + set.Restricted
	}
	return Data{ID: set.Name, Title: set.Title, About: about, SHA256: sha256, URL: set.Page(),
		Licence: set.Licence}
}
