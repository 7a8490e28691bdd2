package main

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// allowed lists what each package may import of this module; subpackages go
// with their parent unless listed.
var allowed = map[string][]string{
	"copse":                      {"copse/internal/cli"},
	"copse/internal/cli":         {"copse/experiments", "copse/report", "copse/generators", "copse/classifiers", "copse/stats"},
	"copse/experiments":          {"copse/generators", "copse/classifiers", "copse/stats"},
	"copse/generators":           {"copse/stats"},
	"copse/classifiers":          {"copse/classifiers/internal", "copse/stats"},
	"copse/classifiers/internal": {"copse/classifiers/internal", "copse/stats"},
	"copse/report":               {"copse/report", "copse/stats"},
	"copse/report/sheet":         {},
	"copse/report/canvas":        {},
	"copse/report/view":          {"copse/stats"},
	"copse/report/table":         {"copse/report/view", "copse/report/sheet", "copse/stats"},
	"copse/report/figure":        {"copse/report/view", "copse/report/canvas", "copse/report/sheet", "copse/stats"},
	"copse/report/compare":       {"copse/report/view", "copse/report/canvas", "copse/report/sheet", "copse/report/table", "copse/stats"},
	"copse/report/page":          {"copse/report/view", "copse/report/canvas", "copse/report/sheet", "copse/report/table", "copse/report/compare", "copse/stats"},
	"copse/report/internal":      {"copse/report/view", "copse/report/canvas", "copse/stats"},
	"copse/stats":                {"copse/stats"},
	"copse/internal/golden":      {},
	"copse/internal/benchmarks":  {"copse/experiments", "copse/classifiers", "copse/report", "copse/stats"},
}

func under(pkg, parent string) bool { return pkg == parent || strings.HasPrefix(pkg, parent+"/") }

// parentOf returns the longest listed prefix of a package path.
func parentOf(pkg string) string {
	best := ""
	for parent := range allowed {
		if under(pkg, parent) && len(parent) > len(best) && (parent != "copse" || pkg == "copse") {
			best = parent
		}
	}
	return best
}

func TestDependencyDirection(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
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
		parent := parentOf(p.ImportPath)
		if parent == "" {
			t.Errorf("%s has no place in the architecture", p.ImportPath)
			continue
		}
		for _, dependency := range p.Imports {
			if !under(dependency, "copse") {
				continue
			}
			if !slices.ContainsFunc(allowed[parent], func(a string) bool { return under(dependency, a) }) {
				t.Errorf("%s must not import %s", p.ImportPath, dependency)
			}
		}
	}
}

// Concurrency lives in the runner, and random sources are made in one file.
func TestConfinedConstructs(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		slashed := filepath.ToSlash(path)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				if slashed != "experiments/runner.go" {
					t.Errorf("%s: a go statement outside experiments/runner.go", files.Position(n.Pos()))
				}
			case *ast.SelectorExpr:
				if x, ok := n.X.(*ast.Ident); ok && x.Name == "rand" && slices.Contains([]string{"New", "NewSource", "PCGSource"}, n.Sel.Name) && slashed != "experiments/stream.go" {
					t.Errorf("%s: a random source is made outside experiments/stream.go", files.Position(n.Pos()))
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
