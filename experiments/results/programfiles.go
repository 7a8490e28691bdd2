package results

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"copse/experiments/external"
)

// formerFiles returns the paths of the files in the results folder that are in a folder of the study's
// programs, although the programs no longer have them. It returns an error if the user may have written or
// edited such a file.
func (f *Folder) formerFiles() (paths []string, err error) {
	// If the folder contains exactly the programs' files, there are no others. This check precedes ProgramFiles,
	// because the original files may have been edited since the run started.
	if f.Study.KeptFiles(f.Dir) {
		return nil, nil
	}
	current, err := f.Study.ProgramFiles()
	if err != nil {
		return nil, err
	}
	for _, program := range f.Study.Programs() {
		former, err := program.Names(f.Dir)
		if err != nil {
			return nil, err
		}
		former = slices.DeleteFunc(former, func(name string) bool { return slices.Contains(current, name) })
		// If the study ran with these files, copse copied them, so it may remove them.
		if len(former) > 0 && !f.ranFiles(program) {
			name := filepath.FromSlash(former[0])
			return nil, fmt.Errorf("%s has no original at %s: move the file away, or choose "+
				"another --out (copse may have copied it for an earlier list of files)",
				filepath.Join(f.Dir, name), filepath.Join(f.Study.Folder(), name))
		}
		for _, name := range former {
			paths = append(paths, filepath.Join(f.Dir, filepath.FromSlash(name)))
		}
	}
	return paths, nil
}

// ranFiles reports whether the files of a program in the results folder are the files of a recipe in a session or
// in the manifest. If so, copse copied all of them, and nobody has edited them since.
func (f *Folder) ranFiles(program *external.Program) bool {
	kept := external.Program{Files: program.Files}
	if err := kept.Read(f.Dir); err != nil {
		return false
	}
	var recipes []string
	for _, s := range f.Sessions() {
		recipes = slices.AppendSeq(recipes, maps.Keys(s.Programs))
	}
	if f.Manifest != nil { // sessions do not list the generators that write CSV files
		for _, c := range f.Manifest.Cells {
			recipes = append(recipes, c.Data)
		}
	}
	// The recipe of a program contains FilesSpec, a checksum of the names and contents of all its files.
	return slices.ContainsFunc(recipes, func(recipe string) bool { return strings.Contains(recipe, kept.FilesSpec()) })
}
