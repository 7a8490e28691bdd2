package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"copse/internal/filetest"
)

// A layer is a table of docs/architecture.md: its packages, lowest first, and the
// layers that they may import.
type layer struct {
	name     string
	imports  []string
	packages []string
}

var (
	layerHeading = regexp.MustCompile(`^## (.+)$`)
	layerImports = regexp.MustCompile(`^May import: (.+)\.$`)
	packageRow   = regexp.MustCompile("^\\| `(.+)` \\| .+ \\|$")
)

// layers reads the tables of docs/architecture.md.
func layers(t *testing.T) []layer {
	t.Helper()
	text := filetest.Read(t, "docs/architecture.md")
	var list []layer
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if m := layerHeading.FindStringSubmatch(line); m != nil {
			list = append(list, layer{name: m[1]})
			continue
		}
		if len(list) == 0 {
			continue
		}
		last := &list[len(list)-1]
		if m := layerImports.FindStringSubmatch(line); m != nil {
			last.imports = strings.Split(m[1], ", ")
		}
		if m := packageRow.FindStringSubmatch(line); m != nil {
			last.packages = append(last.packages, m[1])
		}
	}
	return list
}

// mayImport returns the packages that each package of the layers may import.
func mayImport(list []layer) map[string]map[string]bool {
	members := map[string][]string{}
	for _, l := range list {
		members[l.name] = l.packages
	}
	allowed := map[string]map[string]bool{}
	for _, l := range list {
		var below []string
		for _, name := range l.imports {
			below = append(below, members[name]...)
		}
		for k, pkg := range l.packages {
			allowed[pkg] = map[string]bool{}
			for _, other := range slices.Concat(below, l.packages[:k]) {
				allowed[pkg][other] = true
			}
		}
	}
	return allowed
}

// realImports returns the packages of this module that each of its packages imports.
func realImports(t *testing.T) map[string][]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=Dir,ImportPath,Imports,Module", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	imports := map[string][]string{}
	packages := json.NewDecoder(bytes.NewReader(out))
	for packages.More() {
		var p struct {
			ImportPath string
			Imports    []string
			Module     struct{ Path string }
		}
		if err := packages.Decode(&p); err != nil {
			t.Fatal(err)
		}
		name := folderOf(p.ImportPath, p.Module.Path)
		imports[name] = nil
		for _, dependency := range p.Imports {
			if own := folderOf(dependency, p.Module.Path); own != "" {
				imports[name] = append(imports[name], own)
			}
		}
	}
	return imports
}

// folderOf returns the folder of a package of the module, or "" for a package of another module.
func folderOf(importPath, module string) string {
	if importPath == module {
		return "."
	}
	folder, ok := strings.CutPrefix(importPath, module+"/")
	if !ok {
		return ""
	}
	return folder
}

// docs/architecture.md lists every package, and no package imports one that the page does not allow.
func TestArchitecturePageIsTrue(t *testing.T) {
	allowed := mayImport(layers(t))
	imports := realImports(t)
	for pkg, dependencies := range imports {
		if allowed[pkg] == nil {
			t.Errorf("docs/architecture.md does not list `%s`", pkg)
			continue
		}
		for _, dependency := range dependencies {
			if !allowed[pkg][dependency] {
				t.Errorf("%s imports %s; docs/architecture.md does not allow it", pkg, dependency)
			}
		}
	}
	for pkg := range allowed {
		if _, ok := imports[pkg]; !ok {
			t.Errorf("docs/architecture.md lists `%s`, which is not a package", pkg)
		}
	}
}

// The test finds an import that the page does not allow.
func TestMayImport(t *testing.T) {
	allowed := mayImport([]layer{
		{name: "Low", packages: []string{"a", "b"}},
		{name: "Side", packages: []string{"s"}},
		{name: "High", imports: []string{"Low"}, packages: []string{"c", "d"}},
	})
	for _, test := range []struct {
		from, to string
		want     bool
	}{
		{"b", "a", true},
		{"a", "b", false},
		{"c", "b", true},
		{"d", "c", true},
		{"c", "d", false},
		{"c", "s", false},
		{"a", "c", false},
	} {
		if got := allowed[test.from][test.to]; got != test.want {
			t.Errorf("%s may import %s: %t, want %t", test.from, test.to, got, test.want)
		}
	}
}

// otherModules are the folders with a go.mod of their own.
var otherModules = []string{"internal/benchmarks"}

// goFiles calls f with the path of every Go file below this folder, including those of otherModules.
func goFiles(t *testing.T, f func(path string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && filepath.Ext(path) == ".go" {
			f(path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// sourceFiles calls f with every Go file of this module, except tests.
func sourceFiles(t *testing.T, f func(path string, files *token.FileSet, file *ast.File)) {
	t.Helper()
	goFiles(t, func(path string) {
		slashed := filepath.ToSlash(path)
		inOther := slices.ContainsFunc(otherModules, func(folder string) bool {
			return strings.HasPrefix(slashed, folder+"/")
		})
		if strings.HasSuffix(path, "_test.go") || inOther {
			return
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		f(slashed, files, file)
	})
}

// concurrent lists the files that start goroutines, by a go statement or the method Go
// of a group, each with the reason. (os/exec reads the pipes of an external program itself.)
var concurrent = map[string]string{
	"classifiers/internal/methodtest/methodtest.go": "tests of concurrent rules",
	"experiments/external/supervisor_unix.go":       "the end of a program is awaited beside its pipe",
	"experiments/run/dispatch.go":                   "the workers",
	"experiments/run/drain.go":                      "a signal need not wait until results are read",
	"experiments/run/cores.go":                      "idle workers help with a fit (stats/parallel)",
	"experiments/external/process.go":               "the end of a process can only be waited for",
	"experiments/folder/outputs.go":                 "the outputs of a report are rendered side by side",
	"report/table/table.go":                         "the rows of a table are tested side by side",
}

// random lists the files that make random sources or draw from a source of their own, each with the
// reason. All other files draw only from sources that they receive.
var random = map[string]string{
	"experiments/external/output.go":  "the token of a program",
	"experiments/external/process.go": "the numbers of requests",
	"experiments/folder/write.go":     "the names of temporary files",
	"experiments/stream/stream.go":    "the random sources of trials",
	"internal/randtest/randtest.go":   "the random sources of tests",
}

// Some constructs are confined to a few files. Only the files listed in concurrent start goroutines, only
// those in random use functions of the packages named rand, and only main uses os.Stdout and os.Stderr.
// Patterns of paths are not used at all, because a user may name a folder res[1].
func TestConfinedConstructs(t *testing.T) {
	sourceFiles(t, func(path string, files *token.FileSet, file *ast.File) {
		randNames := randomPackages(file)
		ast.Inspect(file, func(n ast.Node) bool {
			at := func() token.Position { return files.Position(n.Pos()) }
			if startsGoroutine(n) && concurrent[path] == "" {
				t.Errorf("%s: a goroutine starts outside experiments/run", at())
			}
			if selects(n, []string{"filepath", "path", "fs"}, []string{"Glob", "Match"}) {
				t.Errorf("%s: a path is used as a pattern", at())
			}
			isMain := filepath.Base(path) == "main.go"
			if selects(n, []string{"os"}, []string{"Stdout", "Stderr"}) && !isMain {
				t.Errorf("%s: write to the command's output, which escapes control characters", at())
			}
			if usesOwnSource(n, randNames) && random[path] == "" {
				t.Errorf("%s: draw from the random source that the function receives", at())
			}
			return true
		})
	})
}

// startsGoroutine reports whether n is a go statement or calls the method Go of a group.
func startsGoroutine(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		return true
	case *ast.CallExpr:
		method, ok := n.Fun.(*ast.SelectorExpr)
		return ok && method.Sel.Name == "Go"
	}
	return false
}

// randomPackages returns the names under which a file imports packages of random sources.
func randomPackages(file *ast.File) []string {
	var names []string
	for _, spec := range file.Imports {
		switch path, _ := strconv.Unquote(spec.Path.Value); path {
		case "crypto/rand", "math/rand", "math/rand/v2", "golang.org/x/exp/rand":
			if spec.Name != nil {
				names = append(names, spec.Name.Name)
			} else {
				names = append(names, "rand")
			}
		}
	}
	return names
}

// usesOwnSource reports whether n makes a random source or draws from the source of a package, such
// as rand.New and rand.Float64. The types of received sources are rand.Rand and rand.Source.
func usesOwnSource(n ast.Node, randNames []string) bool {
	selector, ok := n.(*ast.SelectorExpr)
	return ok && selects(n, randNames, []string{selector.Sel.Name}) &&
		!slices.Contains([]string{"Rand", "Source"}, selector.Sel.Name)
}

// usesOwnSource finds random numbers that do not come from a received source.
func TestUsesOwnSource(t *testing.T) {
	for _, c := range []struct {
		imported, use string
		want          bool
	}{
		{`"math/rand"`, "rand.Float64()", true},
		{`draws "math/rand"`, "draws.Intn(2)", true},
		{`"math/rand/v2"`, "rand.N(2)", true},
		{`"golang.org/x/exp/rand"`, "rand.Perm(3)", true},
		{`"golang.org/x/exp/rand"`, "rand.New(nil)", true},
		{`"golang.org/x/exp/rand"`, "func(r *rand.Rand) float64 { return r.Float64() }", false},
		{`"crypto/rand"`, "rand.Reader", true},
		{`"copse/rand"`, "rand.Float64()", false},
	} {
		text := "package p\nimport " + c.imported + "\nvar v = " + c.use
		file, err := parser.ParseFile(token.NewFileSet(), "p.go", text, 0)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		ast.Inspect(file, func(n ast.Node) bool {
			found = found || usesOwnSource(n, randomPackages(file))
			return true
		})
		if found != c.want {
			t.Errorf("%s, %s: %t, want %t", c.imported, c.use, found, c.want)
		}
	}
}

// selects reports whether n is one of names in one of packages, such as os.Stdout.
func selects(n ast.Node, packages, names []string) bool {
	selector, ok := n.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := selector.X.(*ast.Ident)
	return ok && slices.Contains(packages, x.Name) && slices.Contains(names, selector.Sel.Name)
}

var resultFile = regexp.MustCompile(`^(study\.yaml|manifest\.json|records\.csv(\.gz)?|timings\.csv|outputs\.sha256)$`)

// Only experiments/folder names the files of a results folder; stats/records, which
// reads records.csv, may name it too.
func TestFileNamesHaveOneHome(t *testing.T) {
	sourceFiles(t, func(path string, files *token.FileSet, file *ast.File) {
		if slices.Contains([]string{"experiments/folder", "stats/records"}, filepath.ToSlash(filepath.Dir(path))) {
			return
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				if text, err := strconv.Unquote(literal.Value); err == nil && resultFile.MatchString(text) {
					t.Errorf("%s: %s is a name of experiments/folder", files.Position(literal.Pos()), literal.Value)
				}
			}
			return true
		})
	})
}

// maxWidth is the largest number of columns of a line. A tab counts as tabWidth columns.
const maxWidth, tabWidth = 120, 4

// enumTag is a field with a struct tag that lists the allowed values. Go cannot break it.
var enumTag = regexp.MustCompile("^\t\\w+ +\\w+ +`param:\"\\w+\" enum:\"[\\w,-]+\"`$")

// No Go line is wider than maxWidth, except enumTag. This includes tests.
func TestNoLineIsWide(t *testing.T) {
	goFiles(t, func(path string) {

		text := filetest.Read(t, path)
		number := 0
		for line := range strings.Lines(text) {
			number++
			line = strings.TrimRight(line, "\r\n")
			if enumTag.MatchString(line) {
				continue
			}
			line = strings.ReplaceAll(line, "\t", strings.Repeat(" ", tabWidth))
			if width := utf8.RuneCountInString(line); width > maxWidth {
				t.Errorf("%s:%d: %d columns, at most %d", path, number, width, maxWidth)
			}
		}
	})
}

// CI runs go vet for several pairs of operating system and processor. Together, they compile every file
// except those for the race detector.
func TestVetSeesEveryFile(t *testing.T) {
	script := filetest.Read(t, ".ci/run")
	platforms := regexp.MustCompile(`(?m)^for platform in (.*); do$`).FindStringSubmatch(script)
	if platforms == nil {
		t.Fatal(".ci/run names no platforms")
	}
	seen := func(path string) bool {
		for _, platform := range strings.Fields(platforms[1]) {
			context := build.Default
			context.GOOS, context.GOARCH, _ = strings.Cut(platform, "/")
			if ok, err := context.MatchFile(filepath.Split(path)); ok || err != nil {
				return err == nil
			}
		}
		return false
	}
	goFiles(t, func(path string) {
		if filepath.Base(path) != "race_test.go" && !seen(path) {
			t.Errorf("%s is vetted on no platform", path)
		}
	})
}

// internal/rename.sh renames the module and the modules below it: every import still resolves. The random streams
// stay the same, although their paths begin with copse. Every key keeps its documentation.
func TestRename(t *testing.T) {
	if testing.Short() {
		t.Skip("lists the packages of a renamed copy: run without -short")
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here to run internal/rename.sh")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, sources{os.DirFS(".")}); err != nil {
		t.Fatal(err)
	}
	run := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	run(bash, "internal/rename.sh", "example.org/copse")
	const imported = "{{if .Standard}}{{else}}{{.ImportPath}}{{end}}"
	for _, folder := range []string{".", "internal/benchmarks"} {
		left := run("go", "list", "-C", folder, "-test", "-deps", "-f", imported, "./...")
		renamed := strings.Contains(left, "example.org/copse/experiments/trial\n")
		if strings.Contains(left, "\ncopse/") || !renamed {
			t.Errorf("packages of the renamed module in %s:\n%s", folder, left)
		}
	}
	for _, folder := range otherModules {
		name := strings.TrimSpace(run("go", "list", "-C", folder, "-m"))
		if name != "example.org/copse/"+folder {
			t.Errorf("the module in %s is still called %s", folder, name)
		}
	}
	if os.Getenv("COPSE_LONG") == "" {
		t.Log("NOT TESTED: the renamed packages build and pass; this takes half a minute: set COPSE_LONG=1")
		return
	}
	run("go", "test", "-short", "./experiments/stream", "./experiments/config", "./experiments/trial")
	run("go", "test", "-run", "EveryKeyIsDocumented", "./internal/reference")
}

// sources is a file system without the folders that a build does not need.
type sources struct{ fs.FS }

func (s sources) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(s.FS, name)
	return slices.DeleteFunc(list, func(e fs.DirEntry) bool {
		return name == "." && slices.Contains([]string{".git", "results", "docs", "data"}, e.Name())
	}), err
}
