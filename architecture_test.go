package main

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// order lists the packages of this module, lowest first: a package imports only
// packages that stand before it.
var order = []string{
	"internal/golden",
	"stats",
	"stats/parallel", "stats/vecmath", "stats/recipe", "stats/dataset", "stats/metrics", "stats/records", "stats/records/recordstest", "stats/verdicts",
	"stats/copula", "stats/glasso", "stats/hsic", "stats/kde", "stats/mutual",
	"generators",
	"classifiers/internal/columns", "classifiers/internal/logdensity",
	"classifiers/internal/decisiontree", "classifiers/internal/boosting", "classifiers/internal/cart", "classifiers/internal/chebyshev", "classifiers/internal/elasticnet", "classifiers/internal/field", "classifiers/internal/modelsel",
	"classifiers/internal/nearest", "classifiers/internal/platt", "classifiers/internal/sigmoid", "classifiers/internal/svm", "classifiers/internal/tree",
	"classifiers",
	"experiments",
	"experiments/config", "experiments/stream", "experiments/folder", "experiments/datasets", "experiments/external", "experiments/study", "experiments/trial",
	"experiments/journal", "experiments/ledger", "experiments/predictions", "experiments/plan", "experiments/runner", "experiments/audit",
	"experiments/export", "experiments/cluster", "experiments/published", "experiments/calibrate",
	"report/sheet", "report/canvas", "report/view", "report/internal/fixture", "report/table", "report/figure", "report/compare", "report/readings", "report/page", "report/protocol", "report/crate", "report",
	"internal/reported", "internal/cli", "internal/benchmarks", "internal/pages",
	"",
}

// walls stand between parts that must not know one another in either direction.
var walls = [][2]string{{"generators", "classifiers"}, {"report", "experiments"}, {"report", "generators"}, {"report", "classifiers"}, {"internal/cli", "internal/benchmarks"}}

func under(pkg, parent string) bool { return pkg == parent || strings.HasPrefix(pkg, parent+"/") }

// module is the module's path.
func module(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "list", "-m").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

func TestImportsOnlyGoDown(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	path := module(t)
	room := func(importPath string) string { return strings.TrimPrefix(strings.TrimPrefix(importPath, path), "/") }
	seen := map[string]bool{}
	packages := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := packages.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name := room(p.ImportPath)
		floor := slices.Index(order, name)
		if floor < 0 {
			t.Errorf("%s has no place in the order", p.ImportPath)
			continue
		}
		seen[name] = true
		for _, dependency := range p.Imports {
			if !under(dependency, path) {
				continue
			}
			lower := room(dependency)
			if slices.Index(order, lower) >= floor {
				t.Errorf("%s imports %s, which stands above it", p.ImportPath, dependency)
			}
			for _, w := range walls {
				if under(name, w[0]) && under(lower, w[1]) || under(name, w[1]) && under(lower, w[0]) {
					t.Errorf("%s must not know %s", p.ImportPath, dependency)
				}
			}
		}
	}
	for _, name := range order {
		if !seen[name] {
			t.Errorf("the order names %q, which is no package", name)
		}
	}
}

// sourceFiles calls f with every Go file that is no test.
func sourceFiles(t *testing.T, f func(path string, files *token.FileSet, file *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		f(filepath.ToSlash(path), files, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// concurrent are the files that start goroutines, by a go statement or the method Go
// of a group, and what for. os/exec reads the pipes of an external program by itself.
var concurrent = map[string]string{
	"experiments/runner/dispatch.go":  "the workers",
	"experiments/runner/cores.go":     "idle workers help with a fit (stats/parallel)",
	"experiments/external/process.go": "the end of a process can only be waited for",
	"experiments/folder/outputs.go":   "the outputs of a report are rendered side by side",
	"report/table/table.go":           "the rows of a table are tested side by side",
}

// Concurrency lives in the runner, but for what concurrent lists, and random sources
// are made in one file. Paths are never taken for patterns: users name folders res[1].
// What reaches a terminal goes by internal/cli's display: only main knows the process's
// own outputs.
func TestConfinedConstructs(t *testing.T) {
	sourceFiles(t, func(path string, files *token.FileSet, file *ast.File) {
		starts := func(n ast.Node) {
			if concurrent[path] == "" {
				t.Errorf("%s: a goroutine starts outside experiments/runner", files.Position(n.Pos()))
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				starts(n)
			case *ast.CallExpr:
				if method, ok := n.Fun.(*ast.SelectorExpr); ok && method.Sel.Name == "Go" {
					starts(n)
				}
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && slices.Contains([]string{"filepath", "path", "fs"}, x.Name) && slices.Contains([]string{"Glob", "Match"}, n.Sel.Name) {
					t.Errorf("%s: %s.%s takes a path for a pattern", files.Position(n.Pos()), x.Name, n.Sel.Name)
				}
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "os" && slices.Contains([]string{"Stdout", "Stderr"}, n.Sel.Name) && path != "main.go" && !strings.HasSuffix(path, "/main.go") && !strings.HasPrefix(path, "internal/benchmarks/") {
					t.Errorf("%s: os.%s: write to the command's output, which shows and never obeys", files.Position(n.Pos()), n.Sel.Name)
				}
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "rand" && slices.Contains([]string{"New", "NewSource", "PCGSource"}, n.Sel.Name) && path != "experiments/stream/stream.go" {
					t.Errorf("%s: a random source is made outside experiments/stream", files.Position(n.Pos()))
				}
			}
			return true
		})
	})
}

var resultFile = regexp.MustCompile(`^(study\.yaml|manifest\.json|records\.csv(\.gz)?|timings\.csv|outputs\.sha256)$`)

// The names of a results folder's files stand in experiments/folder, those of
// records.csv also where records are read, and nowhere else.
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

// Bounds of a function that can be read: its lines with its signature, and its
// cyclomatic complexity, the branches and conditions that a test has to think of.
const mostLines, mostBranches = 60, 20

// bulky are the functions above a bound, and why they stay in one piece: none.
var bulky = map[string]string{}

// No function is longer or more branched than can be read. Tests, which go from top
// to bottom, are not held to it.
func TestFunctionsCanBeRead(t *testing.T) {
	sourceFiles(t, func(path string, files *token.FileSet, file *ast.File) {
		for _, declaration := range file.Decls {
			f, ok := declaration.(*ast.FuncDecl)
			if !ok || bulky[path+" "+f.Name.Name] != "" {
				continue
			}
			lines := files.Position(f.End()).Line - files.Position(f.Pos()).Line + 1
			if n := branches(f); lines > mostLines || n > mostBranches {
				t.Errorf("%s: %s has %d lines and complexity %d", files.Position(f.Pos()), f.Name.Name, lines, n)
			}
		}
	})
}

// branches is the cyclomatic complexity of a function with what it encloses.
func branches(f *ast.FuncDecl) int {
	n := 1
	ast.Inspect(f, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			n += min(len(node.List), 1)
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// CI vets some pairs of system and processor, which together see every file. The race
// detector's files are seen by its own runs.
func TestVetSeesEveryFile(t *testing.T) {
	script, err := os.ReadFile(".ci/run")
	if err != nil {
		t.Fatal(err)
	}
	platforms := regexp.MustCompile(`(?m)^for platform in (.*); do$`).FindSubmatch(script)
	if platforms == nil {
		t.Fatal(".ci/run names no platforms")
	}
	seen := func(path string) bool {
		for _, platform := range strings.Fields(string(platforms[1])) {
			context := build.Default
			context.GOOS, context.GOARCH, _ = strings.Cut(platform, "/")
			if ok, err := context.MatchFile(filepath.Split(path)); ok || err != nil {
				return err == nil
			}
		}
		return false
	}
	err = filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".go") && entry.Name() != "race_test.go" && !seen(path) {
			t.Errorf("%s is vetted on no platform", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// The table of packages in CONTRIBUTING.md names every package, and the way of the
// data in experiments/doc.go every step of it, in their order.
func TestMapNamesEveryPackage(t *testing.T) {
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	table, way := read("CONTRIBUTING.md"), read("experiments/doc.go")
	for _, name := range order {
		if name != "" && !strings.Contains(table, "`"+name+"`") {
			t.Errorf("CONTRIBUTING.md does not name `%s`", name)
		}
		if step, ok := strings.CutPrefix(name, "experiments/"); ok {
			if _, way, ok = strings.Cut(way, "\n//\t"+step+" "); !ok {
				t.Errorf("experiments/doc.go does not name %s, or in another order", step)
			}
		}
	}
}

// internal/rename.sh renames the module: every import resolves, and the random
// streams, whose paths begin with copse, stay.
func TestRename(t *testing.T) {
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
	if left := run("go", "list", "-test", "-deps", "-f", "{{if .Standard}}{{else}}{{.ImportPath}}{{end}}", "./..."); strings.Contains(left, "\ncopse/") || !strings.Contains(left, "example.org/copse/experiments/trial\n") {
		t.Errorf("packages of the renamed module:\n%s", left)
	}
	run("go", "test", "-short", "./experiments/stream", "./experiments/config")
}

// sources leaves out what is not needed to build.
type sources struct{ fs.FS }

func (s sources) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(s.FS, name)
	return slices.DeleteFunc(list, func(e fs.DirEntry) bool {
		return name == "." && slices.Contains([]string{".git", "results", "docs", "data"}, e.Name())
	}), err
}
