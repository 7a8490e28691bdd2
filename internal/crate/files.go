package crate

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"copse/experiments/data"
	"copse/experiments/external"
	"copse/experiments/folder"
	"copse/experiments/published"
	"copse/experiments/results"
	"copse/stats/dataset/csvfile"
	"copse/stats/regular"
)

// folderFiles lists the files of a results folder that go into a crate if they exist.
var folderFiles = []File{
	{Name: folder.Study, About: "the study file: design, data, methods, seed, tests and report", Role: Read},
	{Name: folder.Manifest, Role: Made,
		About: "how the records were made: runs, program version, machines, cells, settings of methods, checksums"},
	{Name: folder.Records, About: "one record per cell, replicate and method", Role: Made},
	{Name: folder.Records + ".gz", About: "one record per cell, replicate and method", Role: Made},
	{Name: folder.Timings, About: "time of every fit and prediction in seconds", Role: Made},
	{Name: folder.Page, About: "the report: findings, tables, figures, design and how to repeat the study"},
	{Name: folder.Outputs, About: "SHA-256 checksums of the page, tables and figures"},
}

// filesOfFolder returns the files of a results folder, except for journals and job scripts.
func filesOfFolder(dir string, cells []results.ManifestCell, programs []*external.Program) (files fileList, err error) {
	for _, f := range folderFiles {
		if folder.Exists(filepath.Join(dir, f.Name)) {
			files.add(dir, f.Name, f.About, f.Role)
		}
	}
	if err := files.addOutputs(dir); err != nil {
		return nil, err
	}
	if err := files.addPredictions(dir, cells); err != nil {
		return nil, err
	}
	return files, files.addPrograms(dir, programs)
}

// A fileList lists the files of a crate. Names are unique.
type fileList []File

func (l fileList) has(name string) bool {
	return slices.ContainsFunc(l, func(f File) bool { return f.Name == name })
}

// add adds a file of the folder dir, unless the list already contains this name.
func (l *fileList) add(dir, name, about string, role Role) {
	if l.has(name) {
		return
	}
	content := func(w io.Writer) error {
		f, err := regular.Open(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = io.Copy(w, f)
		return err
	}
	*l = append(*l, File{Name: name, About: about, Role: role, Content: content, Dir: dir})
}

// addOutputs adds the tables and figures of the report, none of which may be missing.
func (l *fileList) addOutputs(dir string) error {
	outputs, err := folder.CheckOutputs(dir)
	if err != nil {
		return err
	}
	if len(outputs.NotKept) > 0 {
		return fmt.Errorf("%s: %s is missing; run `copse report %s` to make it", dir, outputs.NotKept[0], dir)
	}
	for _, name := range outputs.Listed {
		kind := strings.TrimSuffix(path.Dir(name), "s") // table or figure
		l.add(dir, name, kind+" of the report", Drawn)
	}
	return nil
}

// addPredictions adds the stored predictions, if any. They contain the classes of test rows, so
// addPredictions returns an error if a data set of the study must not be distributed.
func (l *fileList) addPredictions(dir string, cells []results.ManifestCell) error {
	files, err := results.PredictionFiles(dir)
	if err != nil {
		return err
	}
	if len(files) > 0 {
		files = append(files, filepath.Join(dir, folder.Predictions, results.PredictionSums))
	}
	waiting, err := results.WaitingPredictions(dir) // of single trials, not yet merged into files
	if err != nil {
		return err
	}
	files = append(files, waiting...)
	if len(files) == 0 {
		return nil
	}
	for _, c := range cells {
		for name, sum := range c.Files {
			if why := data.WhyRestricted(name, sum); why != "" {
				return fmt.Errorf("%s contains the classes of test rows in cell %s: %s; "+
					"do not use this data set in a study that sets `predictions: keep`", folder.Predictions, c.ID, why)
			}
		}
	}
	for _, file := range files {
		name, _ := filepath.Rel(dir, file) // no error, because the path of file begins with dir
		l.add(dir, filepath.ToSlash(name), "predicted labels and scores of every test row", Made)
	}
	return nil
}

// addPrograms adds the files of external programs, which must be unchanged since the study ran.
func (l *fileList) addPrograms(dir string, programs []*external.Program) error {
	for _, program := range programs {
		if len(program.Files) > 0 && !program.SameFiles(dir) {
			return fmt.Errorf("%s: the files of %s have changed since the study ran", dir, program)
		}
		err := program.EachFile(dir, func(name string, _ fs.FileMode, _ io.Reader) error {
			l.add(dir, name, "a program from the author of the study", Read)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// addPublished adds the published tables that are in the results folder dir or in a folder above
// it. It rejects symbolic links, because a link in somebody else's study could add any file on this
// computer to the crate.
func (l *fileList) addPublished(dir string, tables []published.Table) error {
	for _, t := range tables {
		root := t.FoundFrom(dir)
		if root == "" { // the table is elsewhere, and dir contains a copy of it
			continue
		}
		if err := rejectLinked(root, t.File); err != nil {
			return fmt.Errorf("published table %w", err)
		}
		l.add(root, packedName(t.File), "numbers printed in a paper", Read)
	}
	return nil
}

// rejectLinked returns an error if the path of a file below root contains a symbolic link or does not
// exist.
func rejectLinked(root, file string) error {
	realRoot, _ := filepath.EvalSymlinks(root) // "" after an error
	path := filepath.Join(root, file)
	if target, _ := filepath.EvalSymlinks(path); target == filepath.Join(realRoot, file) {
		return nil
	}
	return fmt.Errorf("%s cannot be packed, because it is a symbolic link or in a linked folder: replace the link "+
		"with a copy of its target", path)
}

// addData adds the CSV files that the study in the results folder dir read, with their schemas, except
// for registered data sets. It returns an error if data must not be distributed. It rejects links to
// schemas, which have no checksum: a link in somebody else's study could add any file on this computer.
func (l *fileList) addData(dir string, cells []results.ManifestCell) error {
	for _, c := range cells {
		for _, name := range slices.Sorted(maps.Keys(c.Files)) {
			if why := data.WhyRestricted(name, c.Files[name]); why != "" {
				return fmt.Errorf("%s: %s", name, why)
			}
			if _, registered := data.Lookup(name); registered {
				continue // copse data fetch downloads the same bytes
			}
			root := data.FolderOf(dir, name)
			if err := checkDataFile(root, name, c.Files[name]); err != nil {
				return err
			}
			l.add(root, packedName(name), "a CSV file that the study reads", Read)
			schema := csvfile.SchemaFile(name)
			if !folder.Exists(filepath.Join(root, schema)) {
				continue
			}
			if err := rejectLinked(root, schema); err != nil {
				return err
			}
			l.add(root, packedName(schema), "the types and levels of the columns of "+name, Read)
		}
	}
	return nil
}

// checkDataFile returns an error if a file below root has changed since the study read it, or if a crate
// must not contain a file with this path.
func checkDataFile(root, name, sha256 string) error {
	path := filepath.FromSlash(name)
	if root != "." {
		path = filepath.Join(root, path)
	}
	sum, err := folder.Digest(path)
	if err != nil {
		return fmt.Errorf("%w; run `copse pack` in the folder in which the study ran", err)
	}
	if sum != sha256 {
		return fmt.Errorf("%s has changed since the study read it: its SHA-256 is %s, not %s", path, sum, sha256)
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) || folder.Reserved(name) {
		return fmt.Errorf("%s cannot be packed under this path; "+
			"move the file to a folder below the study's working folder", name)
	}
	return nil
}
