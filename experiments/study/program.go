package study

import (
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"copse/experiments/config"
	"copse/experiments/external"
	"copse/experiments/folder"
)

// Names under which a study lists commands of the user's own.
const (
	externalName    = "external"     // a classifier or generator that speaks the protocol
	externalCSVName = "external-csv" // a generator that writes one CSV file per call
)

// A command is how a study writes a program.
type command struct {
	Command []string   `param:"command" required:"the program and its arguments, such as [Rscript, --vanilla, method.R]"`
	Files   []string   `param:"files" doc:"files and folders that the command needs, relative to the study file; it runs in a copy of them, and a change runs its rows again"`
	Params  *yaml.Node `param:"params" node:"mapping" doc:"parameters that the program is handed"`
	Version *yaml.Node `param:"version" node:"number or text" doc:"of the program, which must say the same; a change runs its rows again"`
	Threads int        `param:"threads" range:"[1,4096]" doc:"of its numerical libraries"`
	Memory  string     `param:"memory" doc:"that its processes may hold, such as 2GB; empty: the study's memory_limit"`
}

// A generatorCommand is how a study writes a generator's program.
type generatorCommand struct {
	command
	Classes int  `param:"classes" range:"[2,1e6]" doc:"number of classes that it draws"`
	Density bool `param:"density" doc:"it knows its log densities, so that there is an oracle"`
}

// program makes a program of its entry n and reads its files. Nothing is started.
func (r *resolver) program(n *yaml.Node, path string, kind external.Kind, c command) *external.Program {
	p := &external.Program{Kind: kind, Command: c.Command, Files: c.Files, Threads: c.Threads, Memory: r.memoryLimit}
	at := func(key string) (*yaml.Node, string) { return entryOr(n, key), config.Join(path, key) }
	if len(c.Command) == 0 {
		where, key := at("command")
		r.Fail(where, key, "want the program and its arguments, such as [Rscript, --vanilla, method.R]")
	}
	if c.Params != nil {
		where, key := at("params")
		if value, ok := r.plain(where, key).(map[string]any); ok {
			p.Params = value
		} else {
			r.Fail(where, key, "want a mapping, got %s", config.Describe(c.Params))
		}
	}
	if c.Version != nil {
		where, key := at("version")
		if p.Version = c.Version.Value; c.Version.Kind != yaml.ScalarNode || p.Version == "" {
			r.Fail(where, key, "want a number or a text, got %s", config.Describe(c.Version))
		}
	}
	if c.Memory != "" {
		where, key := at("memory")
		var err error
		if p.Memory, err = config.ParseBytes(c.Memory); err != nil {
			r.Fail(where, key, "%s", err)
		}
	}
	where, key := at("files")
	for _, name := range c.Files {
		if folder.Reserved(name) {
			r.Fail(where, key, "%s has the name of something in a results folder, where it is copied to; rename it", name)
		}
	}
	if err := r.readFiles(p); err != nil {
		r.Fail(where, key, "%s", strings.TrimPrefix(err.Error(), "files: "))
	}
	return p
}

// unlisted is a file beside the study that an argument names and files lack, "" if
// there is none: the program would not find it, for it runs in a copy of its files.
func (r *resolver) unlisted(p *external.Program) string {
	for _, word := range p.Command[min(1, len(p.Command)):] {
		path := filepath.FromSlash(word)
		if !filepath.IsLocal(path) || slices.ContainsFunc(p.Files, func(file string) bool {
			file = filepath.Clean(filepath.FromSlash(file))
			return file == "." || strings.HasPrefix(filepath.Clean(path)+string(filepath.Separator), file+string(filepath.Separator))
		}) {
			continue
		}
		if info, err := os.Stat(filepath.Join(filepath.FromSlash(r.folder), path)); err == nil && info.Mode().IsRegular() {
			return word
		}
	}
	return ""
}

// readFiles takes the digest of a program's files, once for all cells.
func (r *resolver) readFiles(p *external.Program) error {
	key := strings.Join(slices.Concat(p.Files, []string{""}, p.Command), "\x00")
	if digest, ok := r.digests[key]; ok {
		p.Digest = digest
		return nil
	}
	if file := r.unlisted(p); file != "" && !r.recorded {
		return fmt.Errorf("the command names %[1]s, which is not among them: the program runs in a copy of its files; files: [%[1]s]", file)
	}
	err := p.Read(filepath.FromSlash(r.folder))
	if err == nil && r.digests != nil {
		r.digests[key] = p.Digest
	}
	return err
}

// plain turns a node into what encoding/json writes.
func (r *resolver) plain(n *yaml.Node, path string) any {
	n = config.Resolve(n)
	switch n.Kind {
	case yaml.MappingNode:
		out := map[string]any{}
		for _, e := range r.Entries(n, path) {
			out[e.Key.Value] = r.plain(e.Value, config.Join(path, e.Key.Value))
		}
		return out
	case yaml.SequenceNode:
		out := []any{}
		for i, item := range n.Content {
			out = append(out, r.plain(item, fmt.Sprintf("%s[%d]", path, i)))
		}
		return out
	}
	var value any
	if err := n.Decode(&value); err != nil {
		r.Fail(n, path, "%s", err)
	}
	switch v := value.(type) {
	case nil, bool, int, string:
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			r.Fail(n, path, "want a finite number, got %s", n.Value)
			return nil
		}
	default: // dates and integers beyond 64 bits stay texts
		return n.Value
	}
	return value
}

// ProgramParams reads parameters of a program given as k=v texts.
func ProgramParams(params []string) (map[string]any, error) {
	r := resolver{Decoder: config.NewDecoder("--param")}
	n, err := r.fromFlags("classifier", externalName, params)
	if err != nil {
		return nil, err
	}
	n.Content = n.Content[2:]
	value, _ := r.plain(n, "").(map[string]any)
	return value, r.Err()
}

// externalClassifier decodes an entry whose recipe is a command.
func (r *resolver) externalClassifier(n *yaml.Node, id string) (Entry, bool) {
	path := "classifiers." + id
	if n.Kind != yaml.MappingNode {
		r.Fail(n, path, "external needs a command: {id: %s, classifier: external, command: [...], files: [...]}", id)
		return Entry{}, false
	}
	before := r.Mistakes()
	c := command{Threads: 1}
	own, prepared := r.preparation(n, path)
	r.Structure(own, path, "key of an external classifier", &c, entryKeys...)
	if prepared.Probabilities != "" {
		r.Fail(entryOr(n, "probabilities"), path+".probabilities", "a program fits and predicts in one go, so its scores cannot be cross-validated: let it give probabilities itself")
	}
	if r.Mistakes() > before {
		return Entry{}, false
	}
	p := r.program(n, path, external.Classifier, c)
	return Entry{ID: id, Name: externalName, Label: labelOf(n), Spec: p.Spec() + prepared.String(), Program: p, Preparation: prepared}, r.Mistakes() == before
}

// externalGenerator decodes a generator that is a command, and returns its number
// of classes.
func (r *resolver) externalGenerator(g *yaml.Node, name string, data *Data) int {
	kind := external.Generator
	if name == externalCSVName {
		kind = external.CSVGenerator
	}
	c := generatorCommand{command: command{Threads: 1}, Classes: 2}
	before := r.Mistakes()
	r.Structure(g, "data.generator", "key of an external generator", &c, "name")
	if kind == external.CSVGenerator && c.Density {
		r.Fail(entryOr(g, "density"), "data.generator.density", "a command that writes CSV files has no densities; name: external has")
	}
	if r.Mistakes() > before {
		return 0
	}
	data.Program, data.Density = r.program(g, "data.generator", kind, c.command), c.Density
	data.generator = data.Program.Spec()
	return c.Classes
}

// Programs returns the programs of a study, each recipe once, in the order of its
// cells.
func (s *Study) Programs() []*external.Program {
	var list []*external.Program
	seen := map[string]bool{}
	add := func(p *external.Program) {
		if p != nil && !seen[p.Spec()] {
			seen[p.Spec()] = true
			list = append(list, p)
		}
	}
	for _, c := range s.Cells {
		add(c.Data.Program)
		for _, e := range c.Classifiers {
			add(e.Program)
		}
	}
	return list
}

// FindPrograms looks for the programs of the study, all of them, and starts none.
// The error lists those that are not here, each with its place and what to install.
func (s *Study) FindPrograms() error {
	d, seen := s.Decoder(), map[string]bool{}
	look := func(p *external.Program, n *yaml.Node, path string) {
		if p == nil || seen[p.Spec()] {
			return
		}
		seen[p.Spec()] = true
		if _, err := p.Find(s.Folder()); err != nil {
			d.Fail(entryOr(n, "command"), config.Join(path, "command"), "%s", strings.TrimPrefix(err.Error(), "command: "))
		}
	}
	entries := config.Resolve(s.Section("classifiers"))
	for _, c := range s.Cells {
		look(c.Data.Program, entryOr(s.Section("data"), "generator"), "data.generator")
		for _, e := range c.Classifiers {
			at := entries
			if i := slices.IndexFunc(entries.Content, func(n *yaml.Node) bool { return classifierID(n) == e.ID }); i >= 0 {
				at = entries.Content[i]
			}
			look(e.Program, at, "classifiers."+e.ID)
		}
	}
	return d.Err()
}

// Folder is where the study's file and the files of its programs are.
func (s *Study) Folder() string { return filepath.Dir(filepath.FromSlash(s.File)) }

// KeepFiles copies the files of the study's programs to a folder that its file is
// copied to, too: results can then be made again from their folder, and what was
// submitted does not change.
func (s *Study) KeepFiles(dir string) error {
	for _, program := range s.Programs() {
		if program.SameFiles(dir) {
			continue
		}
		err := program.Copy(s.Folder(), dir, func(path string, mode fs.FileMode, content io.Reader) error {
			if err := folder.Make(filepath.Dir(path)); err != nil {
				return err
			}
			write := folder.WriteFile
			if mode&0o100 != 0 {
				write = folder.WriteProgram
			}
			return write(path, func(w io.Writer) error { _, err := io.Copy(w, content); return err })
		})
		if err != nil {
			return err
		}
	}
	return nil
}
