package study

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"copse/experiments/config"
	"copse/experiments/external"
	"copse/experiments/folder"
)

// These names select a classifier or generator that runs the user's command.
const (
	externalName    = "external"     // a classifier or generator that uses the protocol
	externalCSVName = "external-csv" // a generator that writes one CSV file per call
)

// A command holds the settings of an external program, which copse runs as a separate process.
type command struct {
	// the program and its arguments, such as `[Rscript, --vanilla, method.R]`
	Command []string `param:"command" required:"yes" words:"yes"`
	// files and folders that the command needs, relative to the study file. The command runs in a
	// copy of them. If they change, copse computes the results again
	Files []string `param:"files"`
	// parameters to pass to the program
	Params config.Place `param:"params" node:"mapping"`
	// version of the program. If it changes, copse computes the results again. A program that uses
	// the protocol must report the same version
	Version string `param:"version" plain:"true" node:"number or string"`
	// number of threads in the program's numerical libraries
	Threads int `param:"threads" range:"[1,4096]"`
	// memory limit of the program's processes, such as `2GB`; by default, the `memory_limit` of the study
	Memory string `param:"memory" plain:"true"`
}

type generatorCommand struct {
	command
	// number of classes in the problems that the program draws
	Classes int `param:"classes" range:"[2,1e6]"`
	// whether the program computes log densities, which the oracle needs
	Density bool `param:"density"`
}

// program returns the external program with the settings c. The argument at is the item of the
// study file that contains the settings. The method computes the digest of the program's files, but
// does not start the program.
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
		at.Key("command").Fail("want the program and its arguments, such as `[Rscript, --vanilla, method.R]`")
	}
	if c.Params.Exists() {
		var isMapping bool
		if p.Params, isMapping = c.Params.Plain().(map[string]any); !isMapping {
			c.Params.Fail("want a mapping, got %s", c.Params.Describe())
		}
	}
	if version := at.Key("version"); version.Exists() && c.Version == "" {
		version.Fail("want a number or text, got %s", version.Describe())
	}
	if c.Memory != "" {
		p.Memory = bytesAt(at.Key("memory"))
	}
	r.checkFiles(at.Key("files"), p) // also sets p.Digest
	return p
}

func bytesAt(at config.Place) int64 {
	bytes, err := config.ParseBytes(at.Text())
	if err != nil {
		at.Fail("%s", err)
	}
	return bytes
}

// checkFiles computes the digest of a program's files. It reports files that are missing, or whose
// names are reserved in results folders.
func (r *reader) checkFiles(at config.Place, p *external.Program) {
	for _, name := range p.Files {
		if folder.Reserved(name) {
			at.Fail("%s cannot be copied to the results folder, which has another file with this name; "+
				"rename your file", name)
		}
	}
	if err := r.readFiles(p); err != nil {
		at.Fail("%s", strings.TrimPrefix(err.Error(), "files: "))
	}
}

// checkArguments returns an error if an argument of the command is a file that p.Files does not
// list, because copse would not notice changes to it. Absolute paths are allowed if they are in a
// folder of PATH, or if the study declares a version of p.
func (r *reader) checkArguments(p *external.Program) error {
	if len(p.Command) == 0 {
		return nil // the missing command is another error
	}
	for _, word := range p.Command[1:] {
		isInPath := slices.Contains(filepath.SplitList(os.Getenv("PATH")), filepath.Dir(word))
		isAllowed := filepath.IsAbs(word) && (p.Version != "" || isInPath)
		if isAllowed || p.Lists(word) || !r.isRegularFile(word) {
			continue
		}
		if filepath.IsLocal(word) {
			return fmt.Errorf("the command uses %[1]s, but `files` does not list it; the program runs in a folder "+
				"with copies of only the listed files, so add `files: [%[1]s]`", word)
		}
		return r.notLocal(word)
	}
	return nil
}

// isRegularFile reports whether the path, relative to the folder of the study file, is a regular
// file.
func (r *reader) isRegularFile(path string) bool {
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.folder, path)
	}
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// notLocal returns the error for a command with an absolute path, or with a path that leads out of
// the folder of the study.
func (r *reader) notLocal(word string) error {
	if name, isInside := r.inFolder(word); isInside {
		return fmt.Errorf("the command uses the absolute path %[1]s; write `%[2]s` instead and add `files: [%[2]s]`, "+
			"so that copse notices changes to the file", word, name)
	}
	remedy := fmt.Sprintf("move it there, write `%[1]s` in the command and add `files: [%[1]s]`", filepath.Base(word))
	if filepath.IsAbs(word) {
		remedy += "; or set `version` and raise it whenever the file changes"
	}
	return fmt.Errorf("the command uses %s, which is not in the folder of the study, so copse does not notice "+
		"changes to it; %s", word, remedy)
}

// inFolder returns the path of a file relative to the folder of the study. It returns false if the
// file is not inside this folder.
func (r *reader) inFolder(file string) (name string, isInside bool) {
	root, err := filepath.Abs(r.folder)
	if err != nil {
		return "", false
	}
	name, err = filepath.Rel(root, file) // fails if file is relative
	return filepath.ToSlash(name), err == nil && filepath.IsLocal(name)
}

// readFiles computes the digest of a program's files. Files that several cells use are read only
// once.
func (r *reader) readFiles(p *external.Program) error {
	endOfFiles := "" // separates the files from the version and the command
	key := strings.Join(slices.Concat(p.Files, []string{endOfFiles, p.Version}, p.Command), "\x00")
	if known, ok := r.programs[key]; ok {
		p.Digest, p.Sums = known.Digest, known.Sums
		return nil
	}
	if !r.onlyReports() {
		if err := r.checkArguments(p); err != nil {
			return err
		}
	}
	err := p.Read(r.folder)
	if err == nil {
		r.programs[key] = p
	}
	return err
}

// ProgramParams converts the parameters of a program to a map. Each has the form key=value, with
// the value in YAML.
func ProgramParams(params []string) (map[string]any, error) {
	at, err := config.Pairs("--param", params)
	if err != nil {
		return nil, err
	}
	value, _ := at.Plain().(map[string]any)
	return value, at.Err()
}

// externalClassifier decodes an item of the classifier list that runs the user's command. It sets
// e.Program, e.Spec and *shared.
func (r *reader) externalClassifier(item config.Place, e *Entry, shared *sharedKeys) {
	if !item.IsMapping() {
		item.Fail("`external` needs a command, as in `{id: %s, classifier: external, command: [...], files: [...]}`",
			e.ID)
		return
	}
	errorsBefore := item.ErrorCount()
	c := command{Threads: 1}
	item.Decode("key of an external classifier", &c, shared)
	refuseRefitting(item, shared)
	if item.ErrorCount() > errorsBefore {
		return
	}
	e.Program = r.program(item, external.Classifier, c)
	e.Spec = e.Program.Spec()
}

// refuseRefitting reports keys that require several fits of an external program for each training
// set.
func refuseRefitting(at config.Place, shared *sharedKeys) {
	if shared.Multiclass != "" {
		at.Key("multiclass").Fail("an external program handles all classes itself, so copse cannot fit it to " +
			"pairs of classes; remove `multiclass`")
	}
	if shared.Probabilities != "" {
		at.Key("probabilities").Fail(
			"a program fits and predicts in one step, so copse cannot cross-validate its scores: let it return " +
				"probabilities itself")
	}
}

// externalGenerator decodes a generator that runs the user's command. It sets d.Program, d.Density
// and d.GeneratorSpec, and returns the number of classes, or 0 after an error.
func (r *reader) externalGenerator(at config.Place, name string, d *Data) int {
	kind := external.Generator
	if name == externalCSVName {
		kind = external.CSVGenerator
	}
	if !at.IsMapping() {
		at.Fail("`%s` needs a command, as in `{name: %[1]s, command: [...], files: [...]}`", name)
		return 0
	}
	c := generatorCommand{command: command{Threads: 1}, Classes: 2}
	at.Decode("key of an external generator", &c, &named{}) // the caller has already read the key name
	if kind == external.CSVGenerator {
		if c.Density {
			at.Key("density").Fail("a command that writes CSV files cannot return densities; remove `density`, " +
				"or use the protocol (`name: external`)")
		}
		checkPlaceholders(at.Key("command"), c.Command)
	}
	if at.Failed() {
		return 0
	}
	d.Program = r.program(at, kind, c.command)
	d.Density = c.Density
	d.GeneratorSpec = d.Program.Spec()
	return c.Classes
}

// checkPlaceholders reports a placeholder that is missing from the command of a generator of CSV
// files. {problem} is optional, because the command may always draw from the same distribution.
func checkPlaceholders(at config.Place, command []string) {
	for _, needed := range []string{"{seed}", "{counts}", "{out}"} {
		if len(command) > 0 && !strings.Contains(strings.Join(command, " "), needed) {
			at.Fail("lacks `%s`; copse replaces `{problem}`, `{seed}`, `{counts}` and `{out}` in the arguments "+
				"by their values; write the command like "+
				"`[python3, draw.py, \"{problem}\", \"{seed}\", \"{counts}\", \"{out}\"]`", needed)
			return
		}
	}
}

// Programs returns the distinct programs of a study in the order of the cells.
func (s *Study) Programs() (list []*external.Program) {
	for _, p := range s.locatedPrograms(s.Root()) {
		list = append(list, p.Program)
	}
	return list
}

// A locatedProgram is a program with its place in the study file.
type locatedProgram struct {
	*external.Program
	at config.Place
}

// locatedPrograms returns the distinct external programs of a study, in the order of the cells.
// Programs that differ only in limits on threads and memory are not distinct.
func (s *Study) locatedPrograms(root config.Place) (list []locatedProgram) {
	seen := map[string]bool{}
	add := func(p *external.Program, at config.Place) {
		if id := p.Fingerprint(); !seen[id] {
			seen[id] = true
			list = append(list, locatedProgram{p, at})
		}
	}
	generator, classifiers := root.Key("data").Key("generator"), root.Key("classifiers")
	for _, c := range s.Cells {
		if c.Data.Program != nil {
			add(c.Data.Program, generator)
		}
		for _, e := range c.Classifiers {
			if e.Program != nil {
				at := classifiers.Item(e.index)
				add(e.Program, at.WithPath("classifiers."+e.ID)) // without the index
			}
		}
	}
	return list
}

// FindPrograms returns an error unless the needed programs of the study are installed. The error
// gives the line in the study file and the software to install.
func (s *Study) FindPrograms(needed []*external.Program) error {
	root := s.Root()
	for _, p := range s.locatedPrograms(root) {
		isSame := func(other *external.Program) bool { return other.Fingerprint() == p.Fingerprint() }
		if !slices.ContainsFunc(needed, isSame) {
			continue
		}
		if _, err := p.Find(s.Folder()); err != nil {
			key := "command"
			if p.Adapter != "" {
				key = "interpreter"
			}
			// Fail already begins the message with the path of the key.
			p.at.Key(key).Fail("%s", strings.TrimPrefix(err.Error(), "command: "))
		}
	}
	return root.Err()
}

// Refused returns the reason why a library rejected the parameters of a program, as an error at the
// program's line in the study file.
func (s *Study) Refused(refused *external.Program, reason error) error {
	root := s.Root()
	for _, p := range s.locatedPrograms(root) {
		if p.Fingerprint() == refused.Fingerprint() {
			p.at.Fail("%s", reason)
		}
	}
	return root.Err()
}

// KeepFiles copies the files of the study's programs to the results folder dir, so that later edits
// do not affect a submitted job.
func (s *Study) KeepFiles(dir string) error {
	for _, program := range s.Programs() {
		if program.SameFiles(dir) {
			continue
		}
		if err := folder.RejectLinks(dir, program.Files...); err != nil {
			return err
		}
		err := program.EachFile(s.Folder(), func(name string, mode fs.FileMode, content io.Reader) error {
			return writeProgramFile(filepath.Join(dir, name), mode, content)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// CopiesAreCurrent reports whether the results folder dir contains the program files as they were
// when copse read the study.
func (s *Study) CopiesAreCurrent(dir string) bool {
	return !slices.ContainsFunc(s.Programs(), func(p *external.Program) bool { return !p.SameFiles(dir) })
}

// ProgramFiles returns the names of the files of the study's programs, once for each program that
// uses a file.
func (s *Study) ProgramFiles() (names []string, err error) {
	for _, program := range s.Programs() {
		list, err := program.Names(s.Folder())
		if err != nil {
			return nil, err
		}
		names = append(names, list...)
	}
	return names, nil
}

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
