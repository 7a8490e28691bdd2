package reported

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"copse/experiments/data"
	"copse/experiments/external"
	"copse/experiments/results"
	"copse/report/crate"
	"copse/report/view"
)

// Crate packs a results folder with a manifest into an RO-Crate. missing describes missing results,
// or is "". withData includes the CSV files of the study.
func Crate(f *results.Folder, credit crate.Credit, missing string, withData bool) (*crate.Crate, error) {
	r, err := Read(f) // reads the study, its description and its records
	if err != nil {
		return nil, err
	}
	s, cells := r.Source, f.Manifest.Cells // the manifest's cells also contain checksums of data files
	files, err := crateFiles(f.Dir, cells, s.Programs())
	if err != nil {
		return nil, err
	}
	if err := files.addPublished(f.Dir, s.Tables); err != nil {
		return nil, err
	}
	if withData {
		if err := files.addData(cells); err != nil {
			return nil, fmt.Errorf("--data: %w", err)
		}
	}
	protocol, err := s.Protocol(f.Manifest)
	if err != nil {
		return nil, err
	}
	c := &crate.Crate{
		Title:     r.Study.Title,
		Source:    s.Source,
		Credit:    credit,
		Published: credit.Released,
		Data:      dataNotIn(files, cells),
		Runs:      crateRuns(f.Manifest.Sessions),
		Description: fmt.Sprintf("Results of the study %s, run with copse: %d cells, %d methods, %d records.",
			s.Name, len(s.Cells), len(s.ClassifierIDs()), len(r.Records.Rows)),
		Files: append(files, crate.File{
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
func dataNotIn(packed fileList, cells []results.ManifestCell) []crate.Data {
	digests := map[string]string{} // keyed by the name of a registered data set or the path of a file
	for _, c := range cells {
		maps.Copy(digests, c.Files)
	}
	var list []crate.Data
	for _, name := range slices.Sorted(maps.Keys(digests)) {
		set, registered := data.Lookup(name)
		switch {
		case registered: // the crate never contains registered data sets (see addData)
			list = append(list, registeredData(set, digests[name]))
		case !packed.has(packedName(name)):
			list = append(list, crate.Data{ID: name, Title: name, About: "a file from the author of the study",
				SHA256: digests[name]})
		}
	}
	return list
}

// packedName returns the name of one of the study's data files inside a crate.
func packedName(name string) string { return filepath.ToSlash(filepath.Clean(name)) }

func registeredData(set *data.Set, sha256 string) crate.Data {
	about := "data set " + set.Name + "; copse data fetch " + set.Name
	if set.Restricted != "" {
		about = "data set " + set.Name + ", not distributed: " + set.Restricted
	}
	return crate.Data{ID: set.Name, Title: set.Title, About: about, SHA256: sha256, URL: set.Page(),
		Licence: set.Licence}
}

// crateRuns describes each run: its start, software, machine and external programs.
func crateRuns(sessions []results.Session) []crate.Run {
	var list []crate.Run
	for _, s := range sessions {
		list = append(list, crate.Run{
			Started:  s.Started,
			Software: softwareOf(s.Platform),
			Machine: fmt.Sprintf("%s, %d cores, %s/%s", cmp.Or(s.Platform.CPU, "unknown processor"), s.Platform.Cores,
				s.Platform.OS, s.Platform.Arch),
			Programs: programsInWords(s.Programs),
		})
	}
	return list
}

// softwareOf returns the version of copse that ran on a platform, and how it was built.
func softwareOf(p results.Platform) crate.Software {
	s := crate.Software{Version: p.Revision, About: "built with " + p.Go + " for " +
		strings.TrimSpace(p.OS+"/"+p.Arch+" "+p.Level)}
	if p.Modified {
		s.Version += "-modified"
		s.About += "; the source code had uncommitted changes"
	}
	return s
}

// programsInWords returns a line for each distinct external program, such as "R 4.2.2, e1071
// 1.7-13". The map contains the handshakes, in which programs report their versions.
func programsInWords(programs map[string]external.Handshake) []string {
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(programs)) {
		hello := programs[key]
		lines = view.AddNew(lines, hello.Describe())
	}
	return view.Except(lines, "")
}
