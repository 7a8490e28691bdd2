// Command mutants checks whether tests detect errors:
//
//	go run ./internal/mutants -seed 1 -n 60 experiments/results/store.go ...
//
// A mutant is a copy of a Go file with one small error. It survives if the tests of its package
// pass. The exit code is 1 if a mutant survives, and 2 after an error.
//
// Run the command in the root folder of the module. The compiler reads mutants from an overlay, so
// no file changes.
package main

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A mutant is a copy of a file with one small error. text replaces the bytes from start up to end.
type mutant struct {
	file       string
	line       int
	kind       string
	start, end int
	text       string
}

// main tests a random sample of mutants of the given Go files.
func main() {
	seed := flag.Uint64("seed", 1, "seed of the random choice of mutants")
	n := flag.Int("n", 60, "number of mutants")
	timeout := flag.String("timeout", "120s",
		"time limit for the tests of a mutant; a mutant that exceeds it counts as killed")
	flag.Parse()
	var all []mutant
	for _, file := range flag.Args() {
		list, err := mutantsOf(file)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		all = append(all, list...)
	}
	shuffle(all, *seed)
	planted, survived := 0, 0 // planted counts the mutants that compile, so that their tests run
	for _, m := range all {
		if planted == *n {
			break
		}
		compiles, killed, err := m.try(*timeout)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		if !compiles { // no tests can run
			continue
		}
		planted++
		if !killed {
			survived++
			fmt.Printf("survives: %s:%d: %s: %s\n", m.file, m.line, m.kind, strings.Join(strings.Fields(m.text), " "))
		}
	}
	fmt.Printf("tested %d of %d mutants with seed %d: %d survive\n", planted, len(all), *seed, survived)
	if survived > 0 {
		os.Exit(1)
	}
}

// shuffle sorts mutants by a hash. The order looks random but depends only on the seed.
func shuffle(list []mutant, seed uint64) {
	hash := func(m mutant) string {
		sum := sha256.Sum256(fmt.Appendf(nil, "%d %s %d %s %s", seed, m.file, m.start, m.kind, m.text))
		return string(sum[:])
	}
	slices.SortFunc(list, func(a, b mutant) int { return strings.Compare(hash(a), hash(b)) })
}

// mutantsOf lists the mutants of a Go file, in the order of its syntax tree.
func mutantsOf(file string) (list []mutant, err error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, file, source, 0)
	if err != nil {
		return nil, err
	}
	offset := func(p token.Pos) int { return files.Position(p).Offset }
	between := func(start, end token.Pos) string { return string(source[offset(start):offset(end)]) }
	textOf := func(n ast.Node) string { return between(n.Pos(), n.End()) }
	// replace adds the mutant in which text replaces the source between start and end.
	replace := func(kind string, start, end token.Pos, text string) {
		list = append(list, mutant{
			file:  file,
			line:  files.Position(start).Line,
			kind:  kind,
			start: offset(start),
			end:   offset(end),
			text:  text,
		})
	}
	add := func(kind string, n ast.Node, text string) { replace(kind, n.Pos(), n.End(), text) }
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec, *ast.Field: // these declare names but compute nothing
			return false
		case *ast.IfStmt:
			add("negated condition", n.Cond, "!("+textOf(n.Cond)+")")
		case *ast.BinaryExpr:
			// Replace an operator with a similar one, such as < with <= or + with -. Most operators
			// have no replacement.
			if other := neighbour(n.Op); other != "" {
				add("off by one", n, textOf(n.X)+" "+other+" "+textOf(n.Y))
			}
		case *ast.BasicLit:
			if text := otherConstant(n); text != "" {
				add("changed constant", n, text)
			}
		case *ast.ExprStmt:
			add("dropped statement", n, "")
		case *ast.IncDecStmt:
			add("dropped statement", n, "")
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE { // without a definition, later uses of the variable do not compile
				add("dropped statement", n, "")
			}
		case *ast.CallExpr:
			if len(n.Args) >= 2 {
				a, b := n.Args[0], n.Args[1]
				swapped := textOf(b) + between(a.End(), b.Pos()) + textOf(a)
				replace("swapped arguments", a.Pos(), b.End(), swapped)
			}
		}
		return true
	})
	return list, nil
}

// neighbour returns the operator that replaces op in a mutant, such as <= for <. It returns "" if
// there is none.
func neighbour(op token.Token) string {
	return map[token.Token]string{
		token.LSS: "<=", token.LEQ: "<", token.GTR: ">=", token.GEQ: ">", token.ADD: "-", token.SUB: "+",
	}[op]
}

// otherConstant returns a different number for a numeric constant other than 0.0. For the constant
// 0.0 or a text, it returns "".
//
// Most texts are messages, whose exact words tests do not check.
func otherConstant(n *ast.BasicLit) string {
	switch n.Kind {
	case token.INT:
		if v, err := strconv.ParseInt(n.Value, 0, 64); err == nil {
			return strconv.FormatInt(v+1, 10)
		}
	case token.FLOAT:
		if v, err := strconv.ParseFloat(n.Value, 64); err == nil && v != 0 {
			return "(2 * " + n.Value + ")"
		}
	}
	return ""
}

// try compiles the package with the mutant and runs its tests. killed is true if the tests fail.
func (m *mutant) try(timeout string) (compiles, killed bool, err error) {
	dir, err := os.MkdirTemp("", "mutants-")
	if err != nil {
		return false, false, err
	}
	defer os.RemoveAll(dir)
	overlay, err := m.writeOverlay(dir)
	if err != nil {
		return false, false, err
	}
	pkg := "./" + filepath.ToSlash(filepath.Dir(m.file))
	if exec.Command("go", "build", "-overlay", overlay, pkg).Run() != nil {
		return false, false, nil
	}
	tests := exec.Command("go", "test", "-overlay", overlay, "-short", "-failfast", "-vet", "off",
		"-timeout", timeout, pkg)
	return true, tests.Run() != nil, nil
}

// writeOverlay writes the mutant and an overlay to the folder dir. With the overlay, the compiler
// reads the mutant in place of the original. writeOverlay returns the path of the overlay.
func (m *mutant) writeOverlay(dir string) (string, error) {
	source, err := os.ReadFile(m.file)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(dir, filepath.Base(m.file))
	text := string(source[:m.start]) + m.text + string(source[m.end:])
	if err := os.WriteFile(changed, []byte(text), 0o666); err != nil {
		return "", err
	}
	original, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{original: changed}})
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, overlay, 0o666)
}
