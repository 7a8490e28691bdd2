package results

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"copse/experiments/external"
)

// formerFiles returns the paths of outdated copies of program files. copse copies the files of the study's programs,
// the originals, from the folder of the study file to the results folder. A copy is outdated if its original no longer
// exists. formerFiles returns an error if the user may have written or edited an outdated copy.
func (f *Folder) formerFiles() (paths []string, err error) {
	// When copse read the study, it also read the original program files. If the copies equal the files that it read,
	// no copy is outdated. This holds even if the user has removed an original since then.
	if f.Study.KeptFiles(f.Dir) {
		return nil, nil
	}
	originals, err := f.Study.ProgramFiles()
	if err != nil {
		return nil, err
	}
	hasOriginal := func(name string) bool { return slices.Contains(originals, name) }
	for _, program := range f.Study.Programs() {
		copies, err := program.Names(f.Dir)
		if err != nil {
			return nil, err
		}
		former := slices.DeleteFunc(copies, hasOriginal)
		if len(former) > 0 && !f.copiedFiles(program) {
			return nil, fmt.Errorf("%s has no original at %s: move the file away, or choose "+
				"another `--out` (copse may have copied it for an earlier list of files)",
				f.path(former[0]), filepath.Join(f.Study.Folder(), former[0]))
		}
		for _, name := range former {
			paths = append(paths, f.path(name))
		}
	}
	return paths, nil
}

// copiedFiles reports whether copse copied all files of a program to the results folder, and nobody has edited the
// copies since. The recipe of a program contains a checksum of its files. copiedFiles therefore searches the recipes
// of the sessions and the manifest for the checksum of the copies.
func (f *Folder) copiedFiles(program *external.Program) bool {
	copies := external.Program{Files: program.Files}
	if err := copies.Read(f.Dir); err != nil { // also computes the checksum of the copies
		return false
	}
	var recipes []string
	for _, s := range f.Sessions() {
		recipes = slices.AppendSeq(recipes, maps.Keys(s.Programs))
	}
	if f.Manifest != nil { // sessions do not list the generators that write CSV files
		for _, c := range f.Manifest.Cells {
			recipes = append(recipes, c.Data) // contains the recipe of the generator, if any
		}
	}
	// The recipe of a program contains FilesSpec, a checksum of the names and contents of all its files.
	checksum := copies.FilesSpec()
	return slices.ContainsFunc(recipes, func(recipe string) bool { return strings.Contains(recipe, checksum) })
}
