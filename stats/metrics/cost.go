package metrics

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"math"
	"regexp"
	"strconv"
	"strings"
)

const costName = "cost"

// An expression is a loss computed from a confusion matrix, in Go syntax. An example is
// (5*n(sick,healthy)+n(healthy,sick))/n. n is the number of test rows, and n(TRUE,PREDICTED) is one
// count. A class is a name, a quoted name or a code. _ means all classes.
type expression struct {
	syntaxOnly bool      // class names are not looked up
	classes    []string  // class names by code; nil: the expression may only use codes
	counts     Confusion // nil: all counts are 0
	codes      []int     // codes of the classes in the expression, appended by the method class
	err        error     // the first mistake
}

const costRule = "an expression may contain only numbers, `n`, `n(TRUE,PREDICTED)`, `+ - * /` between two values, " +
	"and parentheses"

var (
	doubleQuoted = regexp.MustCompile(`"(\\.|[^"\\])*"`)
	singleQuoted = regexp.MustCompile(`'[^']*'`)
)

// parseCost parses an expression. It checks the syntax, but not the class names.
func parseCost(text string) (ast.Expr, error) {
	if quoted := singleQuoted.FindString(withoutQuoted(text)); quoted != "" {
		return nil, fmt.Errorf("expression %s: write class %s in double quotes", text, quoted)
	}
	root, err := parser.ParseExpr(text)
	if err != nil {
		return nil, fmt.Errorf("expression %s: %s", text, syntaxProblem(text, err))
	}
	e := &expression{syntaxOnly: true}
	e.value(root)
	if e.err != nil {
		return nil, fmt.Errorf("expression %s: %w", text, e.err)
	}
	return root, nil
}

func withoutQuoted(text string) string { return doubleQuoted.ReplaceAllString(text, "") }

// syntaxProblem explains why Go's parser returned the error err for an expression.
func syntaxProblem(text string, err error) string {
	unquoted := withoutQuoted(text)
	opened, closed := strings.Count(unquoted, "("), strings.Count(unquoted, ")")
	if opened > closed {
		return "a closing parenthesis is missing"
	}
	if opened < closed {
		return "an opening parenthesis is missing"
	}
	at := len(text)
	var list scanner.ErrorList
	if errors.As(err, &list) {
		at = min(at, max(list[0].Pos.Offset, 0))
	}
	if at == len(text) {
		return "the end is missing"
	}
	return fmt.Sprintf("not valid from %q on; %s", text[at:], costRule)
}

// costIn prepares the metric m, cost:EXPRESSION, for data with the given classes. The expression is
// m.cost. If the expression divides by 0, the metric is undefined (NaN).
//
// costIn returns an error if the expression contains an unknown class.
func (m *Metric) costIn(classes []string) error {
	e := &expression{classes: classes}
	e.value(m.cost) // sets e.codes and e.err; its result is meaningless without counts
	m.codes = e.codes
	m.counts = func(c Confusion, _ int) float64 {
		v := (&expression{classes: classes, counts: c}).value(m.cost)
		if math.IsInf(v, 0) {
			return math.NaN()
		}
		return v
	}
	return e.err
}

// value evaluates part of an expression for the confusion matrix e.counts. If part is not valid, it
// returns NaN and records the first mistake in e.err.
func (e *expression) value(part ast.Expr) float64 {
	switch part := part.(type) {
	case *ast.ParenExpr:
		return e.value(part.X)
	case *ast.BinaryExpr:
		return e.calculate(part.Op, e.value(part.X), e.value(part.Y))
	case *ast.BasicLit:
		if v, err := strconv.ParseFloat(part.Value, 64); err == nil {
			return v
		}
	case *ast.Ident:
		if part.Name == "n" {
			// the number of rows
			return float64(e.counts.Rows())
		}
	case *ast.CallExpr:
		if name, ok := part.Fun.(*ast.Ident); ok && name.Name == "n" && len(part.Args) == 2 {
			return e.counts.sumOf(e.class(part.Args[0]), e.class(part.Args[1]))
		}
	}
	return e.fail(costRule)
}

func (e *expression) calculate(op token.Token, a, b float64) float64 {
	switch op {
	case token.ADD:
		return a + b
	case token.SUB:
		return a - b
	case token.MUL:
		return a * b
	case token.QUO:
		return a / b
	}
	return e.fail("operator %s is unknown; use `+`, `-`, `*` or `/`", op)
}

// class returns the code of the class named by part, or -1 for _ (all classes). If only the syntax
// is checked, it always returns -1.
func (e *expression) class(part ast.Expr) int {
	name := e.className(part)
	if name == "_" || e.syntaxOnly {
		return -1
	}
	code, err := ClassCode(name, e.classes)
	if err != nil {
		e.fail("%s", err)
	}
	e.codes = append(e.codes, code)
	return code
}

// className returns the name or code of a class, without quotes.
func (e *expression) className(part ast.Expr) string {
	switch part := part.(type) {
	case *ast.Ident:
		return part.Name
	case *ast.BasicLit:
		if part.Kind == token.STRING {
			name, _ := strconv.Unquote(part.Value) // the parser accepted the literal
			return name
		}
		return part.Value
	}
	e.fail("`n(TRUE,PREDICTED)` needs two classes; write a class as a name, a quoted name or a code")
	return ""
}

// fail records a mistake, unless one is already recorded, and returns NaN.
func (e *expression) fail(format string, args ...any) float64 {
	if e.err == nil {
		e.err = fmt.Errorf(format, args...)
	}
	return math.NaN()
}

// sumOf returns the number of rows with the given codes of the true and the predicted class. The
// code -1 means all classes.
func (c Confusion) sumOf(truth, predicted int) float64 {
	n, sum := c.Classes(), 0
	for k, count := range c {
		if (truth < 0 || k/n == truth) && (predicted < 0 || k%n == predicted) {
			sum += count
		}
	}
	return float64(sum)
}
