package results

import (
	"fmt"
	"path/filepath"
	"slices"
)

// MissingFiles returns the names of the files of the study's programs that the results folder lacks.
func (f *Folder) MissingFiles() ([]string, error) {
	current, kept, err := f.programFiles()
	return without(current, kept), err
}

// formerFiles returns the paths of the files in the results folder that are in a folder of the study's
// programs, although the programs no longer have them. It returns an error if copse did not copy such a file,
// because it may be a file of the user.
func (f *Folder) formerFiles() (paths []string, err error) {
	if f.Study.KeptFiles(f.Dir) { // the files beside the study file may have been edited since the run started
		return nil, nil
	}
	current, kept, err := f.programFiles()
	if err != nil {
		return nil, err
	}
	for _, name := range without(kept, current) {
		path := filepath.Join(f.Dir, filepath.FromSlash(name))
		if !slices.ContainsFunc(f.Sessions(), func(s Session) bool { return slices.Contains(s.Files, name) }) {
			return nil, fmt.Errorf("%s is in a folder of a program, but %s does not exist: move it away, or choose "+
				"another --out", path, filepath.Join(f.Study.Folder(), filepath.FromSlash(name)))
		}
		paths = append(paths, path)
	}
	return paths, nil
}

// programFiles returns the sorted names of the files of the study's programs: the current files beside the
// study file, and the files kept in the results folder.
func (f *Folder) programFiles() (current, kept []string, err error) {
	if current, err = f.Study.ProgramFiles(f.Study.Folder()); err != nil {
		return nil, nil, err
	}
	kept, err = f.Study.ProgramFiles(f.Dir)
	return current, kept, err
}

// without returns the names that are not in the sorted list of others.
func without(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		_, found := slices.BinarySearch(others, name)
		return found
	})
}
