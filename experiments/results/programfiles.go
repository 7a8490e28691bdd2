package results

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"copse/experiments/external"
)

// formerFiles returns the copies of program files whose original is no longer next to the study
// file. It returns an error if the user may have written or edited such a copy.
func (f *Folder) formerFiles() (paths []string, err error) {
	if f.Study.CopiesAreCurrent(f.Dir) {
		return nil, nil // each copy has an original
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
		if len(former) > 0 && !f.areUneditedCopies(program) {
			return nil, fmt.Errorf("%s has no original at %s (copse may have copied it for an earlier "+
				"version of the study): move the file away, or choose another `--out`",
				f.path(former[0]), filepath.Join(f.Study.Folder(), former[0]))
		}
		for _, name := range former {
			paths = append(paths, f.path(name))
		}
	}
	return paths, nil
}

// areUneditedCopies reports whether copse copied all files of a program in this folder and nobody has
// edited them: their checksum is in a recipe of a session or the manifest.
func (f *Folder) areUneditedCopies(program *external.Program) bool {
	copies := external.Program{Files: program.Files}
	if err := copies.Read(f.Dir); err != nil {
		return false
	}
	var recipes []string
	for _, s := range f.Sessions() {
		recipes = slices.AppendSeq(recipes, maps.Keys(s.Programs))
	}
	if f.Manifest != nil { // sessions do not list CSV generators
		for _, c := range f.Manifest.Cells {
			recipes = append(recipes, c.Data) // contains the recipe of the generator, if any
		}
	}
	checksum := copies.FilesSpec() // the part of a recipe that describes the files
	return slices.ContainsFunc(recipes, func(recipe string) bool { return strings.Contains(recipe, checksum) })
}
