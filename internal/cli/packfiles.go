package cli

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"copse/experiments/data"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/report/crate"
)

// ofFolder are the files of a results folder: what they hold, and what they were to
// the runs.
var ofFolder = map[string]crate.File{
	folder.Study: {About: "the study: design, data, methods, seed, tests, report", Role: crate.Read},
	folder.Manifest: {About: "how the records were made: runs, binary, machines, cells, recipes, checksums",
		Role: crate.Made},
	folder.Records:         {About: "one record per cell, replicate and method", Role: crate.Made},
	folder.Records + ".gz": {About: "one record per cell, replicate and method", Role: crate.Made},
	folder.Timings:         {About: "seconds of every fit and prediction", Role: crate.Made},
	folder.Page:            {About: "the report: answers, tables, figures, design, how to repeat it"},
	folder.Outputs:         {About: "SHA-256 of page, tables and figures, as the report wrote them"},
}

// gather lists what of the folder goes into the crate: what copse wrote there but for
// journals and jobs, the study's programs, and data that are asked for.
func (p *packer) gather() error {
	for _, name := range slices.Sorted(maps.Keys(ofFolder)) {
		if _, err := os.Stat(filepath.Join(p.dir, name)); err == nil {
			p.add(name, ofFolder[name].About, ofFolder[name].Role)
		}
	}
	outputs, err := folder.CheckOutputs(p.dir)
	if err != nil {
		return err
	}
	if len(outputs.NotKept) > 0 {
		return fmt.Errorf("%s: %s is not kept; draw it with copse report %s", p.dir, outputs.NotKept[0], p.dir)
	}
	written, err := folder.ListOutputs(p.dir)
	if err != nil {
		return err
	}
	for _, name := range written {
		if name != folder.Page {
			p.add(name, strings.TrimSuffix(path.Dir(name), "s")+" of the report", crate.Drawn)
		}
	}
	if err := p.addPredictions(); err != nil {
		return err
	}
	if err := p.addPrograms(); err != nil {
		return err
	}
	if p.withData {
		return p.addData()
	}
	return nil
}

func (p *packer) add(name, about string, role crate.Role) {
	p.addFrom(filepath.Join(p.dir, filepath.FromSlash(name)), name, about, role)
}

func (p *packer) addFrom(file, name, about string, role crate.Role) {
	if slices.ContainsFunc(p.files, func(f crate.File) bool { return f.Name == name }) {
		return
	}
	p.files = append(p.files, crate.File{Name: name, About: about, Role: role, Content: func(w io.Writer) error {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return err
	}})
}

// restricted returns why rows may not be passed on, "" where they may: of sets by
// name, of files by their SHA-256, under whatever name.
func restricted(name, sha256 string) string {
	for _, known := range data.Names() {
		set, _ := data.Lookup(known)
		if set.Restricted != "" && (known == name || sha256 != "" && sha256 == set.Digest()) {
			return fmt.Sprintf("these are rows of %s, which is not distributed: %s", known, set.Restricted)
		}
	}
	return ""
}

// addPredictions packs what was said of every test row, unless the rows' classes may
// not be passed on.
func (p *packer) addPredictions() error {
	files, err := results.PredictionFiles(p.dir)
	if err != nil || len(files) == 0 {
		return err
	}
	for _, c := range p.manifest.Cells {
		for name, sum := range c.Files {
			if why := restricted(name, sum); why != "" {
				return fmt.Errorf("%s: classes of test rows of cell %s: %s; leave the set out of a study that keeps "+
					"predictions", folder.Predictions, c.ID, why)
			}
		}
	}
	for _, file := range append(files, results.PredictionSums) {
		p.add(path.Join(folder.Predictions, filepath.Base(file)), "labels and scores of every test row of a cell",
			crate.Made)
	}
	return nil
}

// addPrograms packs the files of methods and generators in other languages.
func (p *packer) addPrograms() error {
	for _, program := range p.study.Programs() {
		if len(program.Files) > 0 && !program.SameFiles(p.dir) {
			return fmt.Errorf("%s: the files of %s are not those that the study ran", p.dir, program)
		}
		err := program.Copy(p.dir, "", func(name string, _ fs.FileMode, _ io.Reader) error {
			p.add(filepath.ToSlash(name), "program of the study's own", crate.Read)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// addData packs the CSV files that the study reads.
func (p *packer) addData() error {
	for _, c := range p.manifest.Cells {
		for _, name := range slices.Sorted(maps.Keys(c.Files)) {
			if why := restricted(name, c.Files[name]); why != "" {
				return fmt.Errorf("--data: %s: %s", name, why)
			}
			if _, registered := data.Lookup(name); registered {
				continue // copse data fetch brings the same bytes
			}
			sum, err := folder.Digest(name)
			if err != nil {
				return fmt.Errorf("--data: %w; run pack where the study ran", err)
			}
			if sum != c.Files[name] {
				return fmt.Errorf("--data: %s is not the file that the study read: SHA-256 %s, want %s", name, sum,
					c.Files[name])
			}
			if !filepath.IsLocal(filepath.FromSlash(name)) || folder.Reserved(name) {
				return fmt.Errorf("--data: %s has no place in the crate: let the study read data from a folder below "+
					"the one that it runs in", name)
			}
			p.addFrom(name, filepath.ToSlash(filepath.Clean(name)), "rows that the study reads", crate.Read)
		}
	}
	return nil
}
