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

// folderFiles lists the files of a results folder that a crate contains, if they exist.
var folderFiles = []crate.File{
	{Name: folder.Study, About: "the study file: design, data, methods, seed, tests and report", Role: crate.Read},
	{Name: folder.Manifest, Role: crate.Made,
		About: "how the records were made: runs, binary, machines, cells, recipes, checksums"},
	{Name: folder.Records, About: "one record per cell, replicate and method", Role: crate.Made},
	{Name: folder.Records + ".gz", About: "one record per cell, replicate and method", Role: crate.Made},
	{Name: folder.Timings, About: "time of every fit and prediction in seconds", Role: crate.Made},
	{Name: folder.Page, About: "the report: findings, tables, figures, design and how to repeat the study"},
	{Name: folder.Outputs, About: "SHA-256 checksums of the page, tables and figures"},
}

// addFiles adds the files of the results folder, except journals and job scripts, and the programs
// of the study. If withData is true, it also adds the CSV files that the study reads.
func (p *packer) addFiles(withData bool) error {
	for _, f := range folderFiles {
		if _, err := os.Stat(filepath.Join(p.dir, f.Name)); err == nil {
			p.add(f.Name, f.About, f.Role)
		}
	}
	if err := p.addOutputs(); err != nil {
		return err
	}
	if err := p.addPredictions(); err != nil {
		return err
	}
	if err := p.addPrograms(); err != nil {
		return err
	}
	if withData {
		return p.addData()
	}
	return nil
}

// has reports whether the crate already contains a file with this name.
func (p *packer) has(name string) bool {
	return slices.ContainsFunc(p.files, func(f crate.File) bool { return f.Name == name })
}

// add adds a file of the results folder. It does nothing if the crate already contains a file with
// this name. about describes the file in the metadata.
func (p *packer) add(name, about string, role crate.Role) {
	p.addFrom(filepath.Join(p.dir, filepath.FromSlash(name)), name, about, role)
}

// addFrom adds a file from any folder under the given name. It does nothing if the crate already
// contains a file with this name.
func (p *packer) addFrom(file, name, about string, role crate.Role) {
	if p.has(name) {
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

// addOutputs adds the tables and figures of the report. It returns an error if one of them is
// missing.
func (p *packer) addOutputs() error {
	outputs, err := folder.CheckOutputs(p.dir)
	if err != nil {
		return err
	}
	if len(outputs.NotKept) > 0 {
		return fmt.Errorf("%s: %s is missing; run copse report %s to draw it", p.dir, outputs.NotKept[0], p.dir)
	}
	names, err := folder.ListOutputs(p.dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		kind := strings.TrimSuffix(path.Dir(name), "s") // table or figure
		p.add(name, kind+" of the report", crate.Drawn)
	}
	return nil
}

// restricted returns why the rows of a file must not be distributed, or "" if they may be. It
// compares the file's name and SHA-256 with the registered data sets that must not be distributed.
func restricted(name, sha256 string) string {
	for _, known := range data.Names() {
		set, _ := data.Lookup(known)
		if set.Restricted != "" && (known == name || sha256 != "" && sha256 == set.Digest()) {
			return fmt.Sprintf("rows of the data set %s must not be distributed: %s", known, set.Restricted)
		}
	}
	return ""
}

// addPredictions adds the stored predictions, if there are any. Predictions contain the classes of
// the test rows. It therefore returns an error if the study uses a data set that must not be
// distributed.
func (p *packer) addPredictions() error {
	files, err := results.PredictionFiles(p.dir)
	if err != nil || len(files) == 0 {
		return err
	}
	for _, c := range p.manifest.Cells {
		for name, sum := range c.Files {
			if why := restricted(name, sum); why != "" {
				return fmt.Errorf("%s contains the classes of test rows in cell %s: %s; "+
					"do not use this data set in a study with predictions: keep", folder.Predictions, c.ID, why)
			}
		}
	}
	for _, file := range append(files, results.PredictionSums) {
		p.add(path.Join(folder.Predictions, filepath.Base(file)),
			"predicted labels and scores of every test row of a cell", crate.Made)
	}
	return nil
}

// addPrograms adds the files of methods and generators in other languages. It returns an error if
// one of them has changed since the study ran.
func (p *packer) addPrograms() error {
	for _, program := range p.results.Source.Programs() {
		if len(program.Files) > 0 && !program.SameFiles(p.dir) {
			return fmt.Errorf("%s: the files of %s have changed since the study ran", p.dir, program)
		}
		err := program.Copy(p.dir, "", func(name string, _ fs.FileMode, _ io.Reader) error {
			p.add(filepath.ToSlash(name), "a program from the author of the study", crate.Read)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// addData adds the CSV files that the study read, each under the path that the study uses.
func (p *packer) addData() error {
	for _, c := range p.manifest.Cells {
		for _, name := range slices.Sorted(maps.Keys(c.Files)) {
			if err := p.addDataFile(name, c.Files[name]); err != nil {
				return fmt.Errorf("--data: %w", err)
			}
		}
	}
	return nil
}

// addDataFile adds a CSV file that the study read. It returns an error if the file's SHA-256 has
// changed. It omits registered data sets, because copse data fetch downloads the same bytes.
func (p *packer) addDataFile(name, sha256 string) error {
	if why := restricted(name, sha256); why != "" {
		return fmt.Errorf("%s: %s", name, why)
	}
	if _, registered := data.Lookup(name); registered {
		return nil
	}
	sum, err := folder.Digest(name)
	if err != nil {
		return fmt.Errorf("%w; run copse pack in the folder in which the study ran", err)
	}
	if sum != sha256 {
		return fmt.Errorf("%s has changed since the study read it: its SHA-256 is %s, not %s", name, sum, sha256)
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) || folder.Reserved(name) {
		return fmt.Errorf("%s cannot be packed under this path; "+
			"put the file in a folder below the one in which the study runs", name)
	}
	p.addFrom(name, filepath.ToSlash(filepath.Clean(name)), "a CSV file that the study reads", crate.Read)
	return nil
}
