package audit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"copse/experiments/folder"
	"copse/stats/regular"
)

// Packed is the name of the check of an unpacked archive.
const Packed = "archive"

// checkPacked compares the files of an unpacked archive with the checksums that copse pack added. The
// field Seen of the check also lists other files in the folder, and changed files that copse itself
// writes: a new report or run may have written them, and other checks cover them. isPacked is false if
// the folder does not contain the checksums of an archive from copse pack.
func (a *Archive) checkPacked() (c Check, isPacked bool) {
	c.Name = Packed
	text, err := regular.Read(filepath.Join(a.Dir, folder.PackedSums))
	isPacked = folder.Exists(filepath.Join(a.Dir, folder.PackedMetadata))
	if errors.Is(err, fs.ErrNotExist) {
		return c, false
	}
	if err != nil {
		c.problem("%v", err)
		return c, isPacked
	}
	var listed []string  // the files of the archive
	var changed []string // those that copse itself writes
	number := 0          // of the line
	for line := range strings.Lines(string(text)) {
		number++
		sum, name, ok := cutSum(line)
		if !ok {
			c.problem("%s, line %d: expected a checksum and a file of the archive; unpack the archive again",
				folder.PackedSums, number)
			continue
		}
		isPacked = isPacked || name == folder.PackedMetadata
		listed = append(listed, name)
		problem := comparePacked(a.Dir, name, sum)
		switch {
		case problem == "":
		case folder.Reserved(name):
			changed = append(changed, name)
		default:
			c.problem("%s", problem)
		}
	}
	c.Seen = fmt.Sprintf("SHA-256 of %d files", len(listed))
	if len(changed) > 0 {
		c.Seen += "; changed since packing: " + strings.Join(changed, ", ")
	}
	others, err := otherFiles(a.Dir, append(listed, folder.PackedSums))
	if err != nil {
		c.problem("%v", err)
	}
	if len(others) > 0 {
		c.Seen += fmt.Sprintf("; not in %s: %s", folder.PackedSums, strings.Join(others, ", "))
	}
	return c, isPacked
}

// cutSum returns the checksum and the file in a line of sha256sum, which writes two spaces between
// them or, in its binary mode, a space and an asterisk. ok is false if the line has no file inside
// the folder.
func cutSum(line string) (sum, name string, ok bool) {
	sum, name, _ = strings.Cut(strings.TrimSpace(line), " ")
	if name == "" || name[0] != ' ' && name[0] != '*' {
		return "", "", false
	}
	name = name[1:]
	return sum, name, filepath.IsLocal(filepath.FromSlash(name))
}

// comparePacked returns the problem if a file of an archive does not have the listed checksum, or "".
func comparePacked(dir, name, listed string) string {
	sum, err := folder.Digest(filepath.Join(dir, filepath.FromSlash(name)))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Sprintf("%s is missing, but %s lists it", name, folder.PackedSums)
	case err != nil:
		return err.Error()
	case sum != listed:
		return fmt.Sprintf("%s has changed since it was packed: its SHA-256 is %s, not %s; if you changed the folder "+
			"on purpose, delete %s", name, sum, listed, folder.PackedSums)
	}
	return ""
}

// otherFiles returns the sorted names of the files in dir that are not in the list. Instead of the
// files in a folder without listed files, it returns the name of this folder, such as "journal/".
func otherFiles(dir string, listed []string) (others []string, err error) {
	isKnown := map[string]bool{".": true} // the listed files and their folders
	for _, name := range listed {
		for name = path.Clean(name); !isKnown[name]; name = path.Dir(name) {
			isKnown[name] = true
		}
	}
	err = fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || isKnown[name]:
			return err
		case entry.IsDir():
			others = append(others, name+"/")
			return fs.SkipDir
		}
		others = append(others, name)
		return nil
	})
	return others, err // WalkDir sorts the names
}
