package metrics

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"strconv"
)

// costName is the metric whose name takes an expression over the confusion matrix.
const costName = "cost"

// An expression is a loss over the counts of a confusion matrix, in the syntax of Go, such
// as (5*n(sick,healthy)+n(healthy,sick))/n: n is the number of test rows, n(TRUE,PREDICTED)
// a count, where _ stands for all classes. Classes are names, names in quotes, or codes.
type expression struct {
	classes []string  // of the data; nil: codes alone are known
	counts  Confusion // nil: classes are not looked up
	place   int       // equal for equal codes of the classes that were looked up
	err     error     // the first mistake
}

// parseCost reads an expression and checks it as far as no data are known.
func parseCost(text string) (ast.Expr, error) {
	root, err := parser.ParseExpr(text)
	if err == nil {
		e := &expression{}
		e.value(root)
		err = e.err
	}
	if err != nil {
		return nil, fmt.Errorf("expression %s: %w", text, err)
	}
	return root, nil
}

// asCost makes m the metric of an expression, which has values only after costIn.
func (m *Metric) asCost(text string) error {
	_, err := parseCost(text)
	m.Name, m.Label, m.class, m.named = costName+":"+text, costName+" "+text, -1, text
	return err
}

// costIn makes m the metric of its expression in classes of the given names.
func (m *Metric) costIn(classes []string) error {
	root, err := parseCost(m.named)
	if err != nil {
		return err
	}
	first := &expression{classes: classes, counts: make(Confusion, 4)}
	first.value(root)
	m.class = first.place
	m.counts = func(c Confusion, _ int) float64 {
		v := (&expression{classes: classes, counts: c}).value(root)
		if math.IsInf(v, 0) {
			return math.NaN()
		}
		return v
	}
	return first.err
}

// value returns the value of a part of the expression; mistakes are kept in err.
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
			return float64(e.counts.Rows())
		}
	case *ast.CallExpr:
		if name, ok := part.Fun.(*ast.Ident); ok && name.Name == "n" && len(part.Args) == 2 {
			return e.counts.sumOf(e.class(part.Args[0]), e.class(part.Args[1]))
		}
	}
	return e.fail("want numbers, n, n(TRUE,PREDICTED), + - * / and parentheses")
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
	return e.fail("%s is none of + - * /", op)
}

// class returns the code of a class, -1 for all.
func (e *expression) class(part ast.Expr) int {
	name := ""
	switch part := part.(type) {
	case *ast.Ident:
		name = part.Name
	case *ast.BasicLit:
		if name = part.Value; part.Kind == token.STRING {
			name, _ = strconv.Unquote(part.Value)
		}
	default:
		e.fail("want a class in n(TRUE,PREDICTED): its name, in quotes if it is no word, or its code")
	}
	if name == "_" || e.counts == nil {
		return -1
	}
	code, err := ClassCode(name, e.classes)
	if err != nil {
		e.fail("%s", err)
	}
	e.place = e.place*(len(e.classes)+1) + code + 1
	return code
}

func (e *expression) fail(format string, args ...any) float64 {
	if e.err == nil {
		e.err = fmt.Errorf(format, args...)
	}
	return math.NaN()
}

// sumOf adds the counts of a true and a predicted class; -1 stands for all classes.
func (c Confusion) sumOf(truth, predicted int) float64 {
	n, sum := c.Classes(), 0
	for k, count := range c {
		if (truth < 0 || k/n == truth) && (predicted < 0 || k%n == predicted) {
			sum += count
		}
	}
	return float64(sum)
}
