// Package external runs classifiers and generators that are written in other
// languages: commands that use the protocol external/1 over their standard
// streams (protocol.go), each in its own process group, under limits.
//
// A Program describes a command of a study. A Host keeps the running processes of
// one worker; FitPredict and NewProblem send requests to them. The clients in
// clients/ implement the protocol in R, Python and Julia.
package external

import (
	"bytes"
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
	"slices"
	"strings"

	"copse/experiments/folder"
)

// A Program is a command with its files, parameters and limits. The names of its files are
// relative to a folder that the caller chooses: the study's folder, or a results folder,
// which holds copies.
type Program struct {
	Kind    Kind
	Command []string       // program and arguments
	Files   []string       // files and folders that the command needs, with slashes
	Params  map[string]any // values that encoding/json can write
	Version string         // declared by the study; "": none
	Adapter string         // name and version of a program that comes with copse; "": the user's own

	// Tried replaces Params in requests: a classifier that is tuned has the parameters of a
	// candidate here; nil: Params are used. Spec does not depend on it, so that all candidates
	// share a process.
	Tried map[string]any

	Threads int   // of numerical libraries; 0: the libraries choose
	Memory  int64 // bytes that its processes may hold; 0: any

	// Digest is the SHA-256 of the files' names and contents, set by Read.
	Digest string
}

// Kind is the kind of a program.
type Kind string

const (
	Classifier   Kind = "classifier"
	Generator    Kind = "generator"
	CSVGenerator Kind = "csv generator" // writes one CSV file per call; no protocol
)

// requested returns the parameters in requests to the program.
func (p *Program) requested() map[string]any {
	if p.Tried != nil {
		return p.Tried
	}
	return p.Params
}

// Spec returns the canonical recipe of a program: command, files, parameters and declared
// version. Equal recipes return equal results.
func (p *Program) Spec() string {
	var parts []string
	add := func(key string, value any) {
		text, err := marshal(value)
		if err != nil {
			panic(err) // parameters come from YAML or JSON
		}
		parts = append(parts, key+"="+string(text))
	}
	if p.Adapter == "" {
		add("command", p.Command)
	} else { // the adapter's name implies the other arguments
		add("interpreter", p.Command[0])
	}
	if len(p.Files) > 0 {
		add("files", p.Digest[:min(12, len(p.Digest))])
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

// String returns the command as a user types it, or the recipe of an adapter.
func (p *Program) String() string {
	if p.Adapter != "" {
		return p.Spec()
	}
	return strings.Join(p.Command, " ")
}

// marshal returns JSON in the form of the protocol: sorted keys and no needless escapes.
func marshal(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// Read reads the program's files below a folder and sets Digest.
func (p *Program) Read(folder string) error {
	sum, err := p.digest(folder)
	p.Digest = sum
	return err
}

// digest returns the SHA-256 of the names and contents of the files below a folder; "" for
// a program without files.
func (p *Program) digest(folder string) (string, error) {
	h := sha256.New()
	err := p.each(folder, func(name string, _ fs.FileMode, content io.Reader) error {
		sum := sha256.New()
		_, err := io.Copy(sum, content)
		fmt.Fprintf(h, "%q %x\n", name, sum.Sum(nil))
		return err
	})
	if len(p.Files) == 0 {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), err
}

// each visits every regular file among and below Files once, sorted by name within each of
// them. Links must lead to files inside the folder. It skips results folders, and hidden
// files and folders that Files does not name.
func (p *Program) each(dir string, visit func(name string, mode fs.FileMode, content io.Reader) error) error {
	if len(p.Files) == 0 {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("files: %w", err)
	}
	defer root.Close()
	seen := map[string]bool{}
	for _, name := range p.Files {
		top := path.Clean(filepath.ToSlash(name))
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("files: %q does not lie in the study's folder; put it there, since files go where the "+
				"study goes", name)
		}
		if top == "." {
			return fmt.Errorf("files: %q is the folder of study and results; name the files and folders in it", name)
		}
		err := fs.WalkDir(root.FS(), top, func(path string, entry fs.DirEntry, err error) error {
			below := path != top
			switch {
			case err != nil || seen[path]:
				return err
			case entry.IsDir() && below &&
				(isHidden(path) || folder.HasResults(filepath.Join(dir, filepath.FromSlash(path)))):
				return fs.SkipDir
			case entry.IsDir() || below && isHidden(path):
				return nil
			}
			seen[path] = true
			return visitFile(root, path, visit)
		})
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("files: there is no %s in %s", name, dir)
		}
		if err != nil {
			return fmt.Errorf("files: %w", err)
		}
	}
	return nil
}

func isHidden(name string) bool { return strings.HasPrefix(path.Base(name), ".") }

// visitFile opens a file of a folder for visit. A link must lead to a regular file inside
// the folder.
func visitFile(root *os.Root, name string, visit func(name string, mode fs.FileMode, content io.Reader) error) error {
	info, err := root.Stat(filepath.FromSlash(name))
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file", name)
	}
	file, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return err
	}
	defer file.Close()
	return visit(name, info.Mode(), file)
}

// SameFiles reports whether a folder holds the program's files with the same Digest.
func (p *Program) SameFiles(folder string) bool {
	sum, err := p.digest(folder)
	return err == nil && sum == p.Digest
}

// Copy calls write for each of the program's files below from, with its path below to, its
// mode and its content.
func (p *Program) Copy(from, to string, write func(path string, mode fs.FileMode, content io.Reader) error) error {
	return p.each(from, func(name string, mode fs.FileMode, content io.Reader) error {
		return write(filepath.Join(to, filepath.FromSlash(name)), mode.Perm(), content)
	})
}

// Find returns the path of the program that the command names: one of the files,
// an absolute path, or a name that is looked up in PATH. The error says what to
// install.
func (p *Program) Find(folder string) (string, error) {
	if len(p.Command) == 0 {
		return "", errors.New("command: missing; write the program and its arguments, such as [Rscript, --vanilla, " +
			"method.R]")
	}
	name := p.Command[0]
	isFile := slices.ContainsFunc(p.Files, func(f string) bool {
		f = filepath.ToSlash(filepath.Clean(f))
		return f == filepath.ToSlash(filepath.Clean(name)) || strings.HasPrefix(filepath.ToSlash(filepath.Clean(name)),
			f+"/")
	})
	if isFile {
		return filepath.Abs(filepath.Join(folder, filepath.FromSlash(name)))
	}
	if strings.ContainsAny(name, `/\`) && !filepath.IsAbs(name) {
		return "", fmt.Errorf("command: %s is neither a name in PATH, nor an absolute path, nor one of the files", name)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("command: there is no %s here%s", name, howToInstall(name))
	}
	return path, nil
}

// howToInstall returns a clause on how to install a well-known interpreter or any program.
func howToInstall(name string) string {
	switch name {
	case "Rscript", "R":
		return "; install R: https://cran.r-project.org, or apt-get install r-base-core"
	case "python3", "python":
		return "; install Python: https://www.python.org, or apt-get install python3 python3-numpy"
	case "julia":
		return "; install Julia: https://julialang.org/downloads"
	}
	return "; install it, or put its folder into PATH"
}
