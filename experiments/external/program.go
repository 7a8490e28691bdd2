// Package external runs classifiers and generators that are written in other languages. Such a
// command exchanges messages with copse over standard input and output, as protocol.go describes.
package external

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"copse/experiments/folder"
)

// A Program is a command with its files, parameters and limits.
type Program struct {
	Kind    Kind
	Command []string       // program and arguments
	Files   []string       // files and folders that the command needs, relative to the study, with slashes
	Params  map[string]any // parameters, of JSON types
	Version string         // the version that the study declares, or ""
	Adapter string         // name and version if the program comes with copse; otherwise ""

	// ParamsOfCandidate replaces Params in requests while copse tunes a classifier. Otherwise, it
	// is nil. Spec ignores it, so that all candidates share one process.
	ParamsOfCandidate map[string]any

	// Tuned maps the parameters that copse tunes to values or ranges, of JSON types. It is nil
	// without tuning. Spec ignores it.
	Tuned any

	Threads int   // threads of numerical libraries; 0 leaves the choice to the libraries
	Memory  int64 // limit of all its processes in bytes; 0 means none

	// Read sets both fields. Digest is a SHA-256 digest of Sums, or "" without files.
	Digest string
	Sums   []FileSum // of all files in Files and below
}

// A FileSum is the path of a file, with slashes, and the SHA-256 of its content.
type FileSum struct{ Name, SHA256 string }

// A Kind states what a program does and whether it uses the protocol.
type Kind string

const (
	Classifier   Kind = "classifier"
	Generator    Kind = "generator"
	CSVGenerator Kind = "csv generator" // writes a CSV file and does not use the protocol
)

// requested returns the parameters in requests to a classifier.
func (p *Program) requested() map[string]any {
	if p.ParamsOfCandidate != nil {
		return p.ParamsOfCandidate
	}
	return p.Params
}

// Spec returns the recipe of a program, a text with everything that determines its results, such as
//
//	external/1{command=["Rscript","m.R"],files="0123456789ab",version="2"}
func (p *Program) Spec() string {
	var parts []string
	add := func(key string, value any) {
		parts = append(parts, key+"="+string(marshal(value)))
	}
	if p.Adapter == "" {
		add("command", p.Command)
	} else { // the name of the adapter determines the other arguments
		add("interpreter", p.Command[0])
	}
	if len(p.Files) > 0 {
		parts = append(parts, p.FilesSpec())
	}
	if len(p.Params) > 0 {
		add("params", p.Params)
	}
	if p.Version != "" {
		add("version", p.Version)
	}
	name := "external/1"
	if p.Kind == CSVGenerator {
		name = "external-csv/1"
	} else if p.Adapter != "" {
		name = p.Adapter
	}
	return name + "{" + strings.Join(parts, ",") + "}"
}

// FilesSpec returns the part of Spec that describes the files, such as files="0123456789ab".
func (p *Program) FilesSpec() string {
	return fmt.Sprintf("files=%q", p.Digest[:min(12, len(p.Digest))]) // Digest is "" if the files were not read
}

// String returns the command as a user would type it, or the recipe of an adapter.
func (p *Program) String() string {
	if p.Adapter != "" {
		return p.Spec()
	}
	return strings.Join(p.Command, " ")
}

// marshal returns a value as one line of JSON without HTML escapes.
func marshal(value any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic(err) // JSON can represent all values that YAML or JSON can contain
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func (p *Program) Read(folder string) (err error) {
	p.Sums, err = p.sums(folder)
	if len(p.Files) == 0 || err != nil {
		return err
	}
	h := sha256.New()
	for _, file := range p.Sums {
		fmt.Fprintf(h, "%q %s\n", file.Name, file.SHA256)
	}
	p.Digest = hex.EncodeToString(h.Sum(nil))
	return nil
}

func (p *Program) sums(folder string) (list []FileSum, err error) {
	err = p.EachFile(folder, func(name string, _ fs.FileMode, content io.Reader) error {
		h := sha256.New()
		_, err := io.Copy(h, content)
		list = append(list, FileSum{name, hex.EncodeToString(h.Sum(nil))})
		return err
	})
	return list, err
}

// changedFile returns the name of a file of the program that was changed, added or removed in a
// folder since the call of Read, or "".
func (p *Program) changedFile(folder string) (name string, err error) {
	now, err := p.sums(folder)
	if err != nil {
		return "", err
	}
	for _, file := range slices.Concat(p.Sums, now) {
		if !slices.Contains(p.Sums, file) || !slices.Contains(now, file) {
			return file.Name, nil
		}
	}
	return "", nil
}

// A visitor receives the path, with slashes, and the content of a program's file.
type visitor func(name string, mode fs.FileMode, content io.Reader) error

// EachFile calls visit once for each file of the program in dir. In folders, it skips hidden files
// and results folders. A symbolic link must lead to a regular file inside dir.
func (p *Program) EachFile(dir string, visit visitor) error {
	if len(p.Files) == 0 {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("files: %w", err)
	}
	defer root.Close()
	names, missing, err := p.namesIn(root)
	if err != nil {
		return fmt.Errorf("files: %w", err)
	}
	if missing != "" {
		return fmt.Errorf("files: %s does not exist in %s", missing, dir)
	}
	for _, name := range names {
		if err := visitFile(root, name, visit); err != nil {
			return fmt.Errorf("files: %w", err)
		}
	}
	return nil
}

// Names returns the slash-separated paths of the program's files that exist in dir, which may be
// missing.
func (p *Program) Names(dir string) (names []string, err error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	names, _, err = p.namesIn(root)
	return names, err
}

// Misplaced searches the command for the name of a program file without its folder. It returns this
// argument and the path of the file in dir, or empty strings.
func (p *Program) Misplaced(dir string) (argument, file string) {
	names, _ := p.Names(dir)
	for _, argument := range p.Command {
		for _, file := range names {
			if argument == path.Base(file) && !slices.Contains(names, argument) {
				return argument, file
			}
		}
	}
	return "", ""
}

// namesIn returns the distinct slash-separated paths of the program's files in a folder. missing is
// the first path in Files that does not exist there, or "".
func (p *Program) namesIn(root *os.Root) (names []string, missing string, err error) {
	seen := map[string]bool{}
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	for _, listed := range p.Files {
		if err := checkListed(listed); err != nil {
			return nil, "", err
		}
		err := eachUnder(root, path.Clean(filepath.ToSlash(listed)), add)
		if errors.Is(err, fs.ErrNotExist) {
			missing = cmp.Or(missing, listed)
		} else if err != nil {
			return nil, "", err
		}
	}
	return names, missing, nil
}

// checkListed returns an error if a path in Files is not inside the folder of the study.
func checkListed(name string) error {
	if !filepath.IsLocal(name) {
		return fmt.Errorf("%q is not in the folder of the study; move it there, because copse copies files "+
			"together with the study", name)
	}
	if path.Clean(filepath.ToSlash(name)) == "." {
		return fmt.Errorf("%q is the folder of the study, which also contains its results; list only the files and "+
			"folders in it that the program needs", name)
	}
	return nil
}

// eachUnder calls visit for the file top, or for the files below the folder top except hidden files
// and results folders.
func eachUnder(root *os.Root, top string, visit func(path string)) error {
	return fs.WalkDir(root.FS(), top, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		isHidden := path != top && strings.HasPrefix(entry.Name(), ".")
		if entry.IsDir() {
			isResults := path != top && folder.HasResults(filepath.Join(root.Name(), path))
			if isHidden || isResults {
				return fs.SkipDir
			}
		} else if !isHidden {
			visit(path)
		}
		return nil
	})
}

func visitFile(root *os.Root, name string, visit visitor) error {
	info, err := root.Stat(name)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", name)
	}
	file, err := root.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	return visit(name, info.Mode(), file)
}

// Lists reports whether a relative path is in Files or below a folder in Files.
func (p *Program) Lists(path string) bool {
	const separator = string(filepath.Separator)
	path = filepath.Clean(path) + separator
	return slices.ContainsFunc(p.Files, func(file string) bool {
		file = filepath.Clean(file)
		return file == "." || strings.HasPrefix(path, file+separator)
	})
}

// SameFiles reports whether the program's files in a folder are as Read found them.
func (p *Program) SameFiles(folder string) bool {
	changed, err := p.changedFile(folder)
	return err == nil && changed == ""
}

// Find returns the path of the executable p.Command[0]: an absolute path, an executable in PATH, or
// a listed file in the folder.
func (p *Program) Find(folder string) (string, error) {
	name := p.Command[0]
	if p.Lists(name) {
		path, err := filepath.Abs(filepath.Join(folder, name))
		if err != nil {
			return "", err
		}
		if _, err := exec.LookPath(path); errors.Is(err, fs.ErrPermission) {
			return "", fmt.Errorf("command: the file %[1]s is not executable; run `chmod +x %[1]s` in the folder of "+
				"the study, or begin the command with the interpreter", name)
		}
		return path, nil
	}
	if words := strings.Fields(name); len(words) > 1 { // perhaps the user wrote a whole command in one item
		if _, err := exec.LookPath(words[0]); err == nil {
			return "", fmt.Errorf("command: %q is one item of the list; make each word an item, such as `[%s]`", name,
				strings.Join(append(words, p.Command[1:]...), ", "))
		}
	}
	if strings.ContainsAny(name, `/\`) && !filepath.IsAbs(name) {
		return "", fmt.Errorf("command: %s is neither listed in `files` nor an absolute path "+
			"nor an executable in PATH", name)
	}
	path, err := exec.LookPath(executable(name, runtime.GOOS))
	if err != nil {
		return "", fmt.Errorf("command: there is no executable %s; install %s, or add its folder to PATH",
			name, distribution(name))
	}
	return path, nil
}

// executable returns the name of a command's executable on an operating system. On Windows, a file
// python3.exe belongs to another Python, or opens the Microsoft Store.
func executable(command, system string) string {
	if system == "windows" && command == "python3" {
		return "python"
	}
	return command
}

// distribution returns what to install for a command: the name of the software and where to get it
// or, for an unknown command, "it".
func distribution(command string) string {
	switch command {
	case "Rscript", "R":
		return "R (https://cran.r-project.org, or `apt-get install r-base-core`)"
	case "python3", "python":
		return "Python (https://www.python.org, or `apt-get install python3 python3-numpy`)"
	case "julia":
		return "Julia (https://julialang.org/downloads)"
	}
	return "it"
}
