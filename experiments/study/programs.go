package study

import (
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"copse/experiments/config"
	"copse/experiments/external"
	"copse/experiments/folder"
)

// Names of classifiers and generators that run a command of the user.
const (
	externalName    = "external"     // a classifier or generator that uses the protocol
	externalCSVName = "external-csv" // a generator that writes one CSV file per call
)

// A command has the keys of a program in a study: a classifier or generator in another language.
type command struct {
	Command []string     `param:"command" required:"the program and its arguments, such as [Rscript, --vanilla, method.R]"`
	Files   []string     `param:"files" doc:"files and folders that the command needs, relative to the study file; it runs in a copy of them, and a change runs its rows again"`
	Params  config.Place `param:"params" node:"mapping" doc:"parameters that copse passes to the program"`
	Version string       `param:"version" plain:"true" node:"number or text" doc:"version of the program, which must report the same; a change runs its rows again"`
	Threads int          `param:"threads" range:"[1,4096]" doc:"number of threads of its numerical libraries"`
	Memory  string       `param:"memory" doc:"memory limit of its processes, such as 2GB; empty: the study's memory_limit"`
}

// A generatorCommand has the keys of a generator's program in a study.
type generatorCommand struct {
	command
	Classes int  `param:"classes" range:"[2,1e6]" doc:"number of classes of its problems"`
	Density bool `param:"density" doc:"the program computes log densities, which the oracle needs"`
}

// program returns a program with its decoded keys and the digest of its files. It does not
// start the program. It reports mistakes at keys of at.
func (r *reader) program(at config.Place, kind external.Kind, c command) *external.Program {
	p := &external.Program{
		Kind:    kind,
		Command: c.Command,
		Files:   c.Files,
		Version: c.Version,
		Threads: c.Threads,
		Memory:  r.memoryLimit,
	}
	if len(c.Command) == 0 {
		at.Key("command").Fail("want the program and its arguments, such as [Rscript, --vanilla, method.R]")
	}
	if c.Params.There() {
		var isMapping bool
		if p.Params, isMapping = c.Params.Plain().(map[string]any); !isMapping {
			c.Params.Fail("want a mapping, got %s", c.Params.Describe())
		}
	}
	if version := at.Key("version"); version.There() && c.Version == "" {
		version.Fail("want a number or a text, got %s", version.Describe())
	}
	if c.Memory != "" {
		var err error
		if p.Memory, err = config.ParseBytes(c.Memory); err != nil {
			at.Key("memory").Fail("%s", err)
		}
	}
	r.checkFiles(at.Key("files"), p)
	return p
}

// checkFiles reads the files of a program and reports files that are missing or reserved.
func (r *reader) checkFiles(at config.Place, p *external.Program) {
	for _, name := range p.Files {
		if folder.Reserved(name) {
			at.Fail("%s is the name of a file in results folders, where copse copies it; rename it", name)
		}
	}
	if err := r.readFiles(p); err != nil {
		at.Fail("%s", strings.TrimPrefix(err.Error(), "files: "))
	}
}

// unlisted returns the first argument of the command that names a file beside the study which is not
// one of the program's files; "" if there is none. The copy in which the program runs lacks this file.
func (r *reader) unlisted(p *external.Program) string {
	for _, word := range p.Command[min(1, len(p.Command)):] {
		path := filepath.FromSlash(word)
		if !filepath.IsLocal(path) || isListed(path, p.Files) {
			continue
		}
		info, err := os.Stat(filepath.Join(filepath.FromSlash(r.folder), path))
		if err == nil && info.Mode().IsRegular() {
			return word
		}
	}
	return ""
}

// isListed reports whether a path is one of the files, or below one of them.
func isListed(path string, files []string) bool {
	const separator = string(filepath.Separator)
	return slices.ContainsFunc(files, func(file string) bool {
		file = filepath.Clean(filepath.FromSlash(file))
		return file == "." || strings.HasPrefix(filepath.Clean(path)+separator, file+separator)
	})
}

// readFiles sets the digest of a program's files. It reads the same files once for all cells.
func (r *reader) readFiles(p *external.Program) error {
	key := strings.Join(slices.Concat(p.Files, []string{""}, p.Command), "\x00")
	if digest, ok := r.digests[key]; ok {
		p.Digest = digest
		return nil
	}
	if file := r.unlisted(p); file != "" && r.recall == nil {
		return fmt.Errorf("the command names %[1]s, which is not listed; the program runs in a copy of its files, so "+
			"add files: [%[1]s]", file)
	}
	err := p.Read(filepath.FromSlash(r.folder))
	if err == nil && r.digests != nil {
		r.digests[key] = p.Digest
	}
	return err
}

// ProgramParams returns the parameters of a program, given as texts key=value.
func ProgramParams(params []string) (map[string]any, error) {
	at, err := config.Pairs("--param", "--param", params)
	if err != nil {
		return nil, err
	}
	value, _ := at.Plain().(map[string]any)
	return value, at.Err()
}

// externalClassifier decodes an entry whose classifier is a command. It returns false after
// reporting mistakes.
func (r *reader) externalClassifier(at config.Place, e *Entry, k *entryKeys) bool {
	if !at.IsMapping() {
		at.Fail("external needs a command: {id: %s, classifier: external, command: [...], files: [...]}", e.ID)
		return false
	}
	before, c := at.Mistakes(), command{Threads: 1}
	at.Decode("key of an external classifier", &c, k)
	refuseFitting(at, k)
	if at.Mistakes() > before {
		return false
	}
	e.Program = r.program(at, external.Classifier, c)
	e.Spec = e.Program.Spec()
	return at.Mistakes() == before
}

// refuseFitting reports keys that need several fits inside a training set, which programs do not offer.
func refuseFitting(at config.Place, k *entryKeys) {
	if k.Multiclass != "" {
		at.Key("multiclass").Fail("a program decides between all classes itself: copse cannot split them into pairs")
	}
	if k.Probabilities != "" {
		at.Key("probabilities").Fail(
			"a program fits and predicts in one step, so copse cannot cross-validate its scores: let it return " +
				"probabilities itself")
	}
}

// externalGenerator decodes a generator that is a command and returns its number of
// classes; 0 after reporting mistakes.
func (r *reader) externalGenerator(at config.Place, name string, d *Data) int {
	kind := external.Generator
	if name == externalCSVName {
		kind = external.CSVGenerator
	}
	before, c := at.Mistakes(), generatorCommand{command: command{Threads: 1}, Classes: 2}
	if !at.IsMapping() {
		at.Fail("%s needs a command: {name: %[1]s, command: [...], files: [...]}", name)
		return 0
	}
	at.Decode("key of an external generator", &c, &named{})
	if kind == external.CSVGenerator && c.Density {
		at.Key("density").Fail("a command that writes CSV files returns no densities; use name: external")
	}
	if at.Mistakes() > before {
		return 0
	}
	d.Program, d.Density = r.program(at, kind, c.command), c.Density
	d.generator = d.Program.Spec()
	return c.Classes
}

// Programs returns the programs of a study, each recipe once, in the order of the cells.
func (s *Study) Programs() (list []*external.Program) {
	for p := range s.placedPrograms(s.Root()) {
		list = append(list, p)
	}
	return list
}

// placedPrograms yields the programs of a study, each recipe once, with their places below root, the
// place of the whole study.
func (s *Study) placedPrograms(root config.Place) iter.Seq2[*external.Program, config.Place] {
	return func(yield func(*external.Program, config.Place) bool) {
		seen := map[string]bool{}
		yieldNew := func(p *external.Program, at config.Place) (goesOn bool) {
			if p == nil || seen[p.Spec()] {
				return true
			}
			seen[p.Spec()] = true
			return yield(p, at)
		}
		generator, entries := root.Key("data").Key("generator"), root.Key("classifiers")
		for _, c := range s.Cells {
			if !yieldNew(c.Data.Program, generator) {
				return
			}
			for _, e := range c.Classifiers {
				if !yieldNew(e.Program, entries.Item(e.place).Under("classifiers."+e.ID)) {
					return
				}
			}
		}
	}
}

// FindPrograms looks for all programs of the study without starting them. The error lists missing
// programs with their places and the software to install.
func (s *Study) FindPrograms() error {
	root := s.Root()
	for p, at := range s.placedPrograms(root) {
		if _, err := p.Find(s.Folder()); err != nil {
			key := "command"
			if p.Adapter != "" {
				key = "interpreter"
			}
			at.Key(key).Fail("%s", strings.TrimPrefix(err.Error(), "command: "))
		}
	}
	return root.Err()
}

// Refused returns the reason for which a library refuses a program, at the program's place in the file.
func (s *Study) Refused(refused *external.Program, reason error) error {
	root := s.Root()
	for p, at := range s.placedPrograms(root) {
		if p.Spec() == refused.Spec() {
			at.Fail("%s", reason)
		}
	}
	return root.Err()
}

// KeepFiles copies the files of the study's programs to a results folder, beside the copy of the study
// file. The folder alone can then reproduce the results, and later edits do not change a submitted job.
func (s *Study) KeepFiles(dir string) error {
	for _, program := range s.Programs() {
		if program.SameFiles(dir) {
			continue
		}
		if err := program.Copy(s.Folder(), dir, writeProgramFile); err != nil {
			return err
		}
	}
	return nil
}

// writeProgramFile writes a copy of a program's file, executable if the original is.
func writeProgramFile(path string, mode fs.FileMode, content io.Reader) error {
	if err := folder.Make(filepath.Dir(path)); err != nil {
		return err
	}
	const ownerExecutes = 0o100
	write := folder.WriteFile
	if mode&ownerExecutes != 0 {
		write = folder.WriteProgram
	}
	return write(path, func(w io.Writer) error {
		_, err := io.Copy(w, content)
		return err
	})
}
