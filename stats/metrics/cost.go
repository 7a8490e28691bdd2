package metrics

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// costName is the metric whose name takes an expression over the confusion matrix.
const costName = "cost"

// A number is a part of an expression, of a confusion matrix.
type number func(c Confusion) float64

// An expression is a loss over the counts of a confusion matrix, such as
// (5*n[sick,healthy]+n[healthy,sick])/n: numbers, + - * / and parentheses; n is the number
// of test rows and n[TRUE,PREDICTED] a count, where * stands for all classes.
type expression struct {
	text    string
	classes []string // of the data; nil: codes alone are known
	syntax  bool     // names of classes are not looked up
	codes   []int    // of the classes that it names, in their order
	rest    string
}

// parseExpression reads an expression for data with the given classes. With syntax it only
// reports what no data can have.
func parseExpression(text string, classes []string, syntax bool) (value number, codes []int, err error) {
	e := &expression{text: text, classes: classes, syntax: syntax, rest: text}
	if value, err = e.sum(); err == nil && e.peek() != 0 {
		err = fmt.Errorf("unexpected %q", e.rest)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("expression %s: %w", text, err)
	}
	return value, e.codes, nil
}

// peek returns the next character that is no space, 0 at the end.
func (e *expression) peek() byte {
	if e.rest = strings.TrimLeft(e.rest, " "); e.rest == "" {
		return 0
	}
	return e.rest[0]
}

// take passes a character if it is the next.
func (e *expression) take(c byte) bool {
	if e.peek() != c {
		return false
	}
	e.rest = e.rest[1:]
	return true
}

func (e *expression) sum() (number, error) {
	left, err := e.product()
	for err == nil {
		var right number
		a := left
		switch {
		case e.take('+'):
			right, err = e.product()
			left = func(c Confusion) float64 { return a(c) + right(c) }
		case e.take('-'):
			right, err = e.product()
			left = func(c Confusion) float64 { return a(c) - right(c) }
		default:
			return left, nil
		}
	}
	return nil, err
}

func (e *expression) product() (number, error) {
	left, err := e.operand()
	for err == nil {
		var right number
		a := left
		switch {
		case e.take('*'):
			right, err = e.operand()
			left = func(c Confusion) float64 { return a(c) * right(c) }
		case e.take('/'):
			right, err = e.operand()
			left = func(c Confusion) float64 { return a(c) / right(c) }
		default:
			return left, nil
		}
	}
	return nil, err
}

// operand reads a number, a count or a sum in parentheses.
func (e *expression) operand() (number, error) {
	switch {
	case e.take('('):
		inner, err := e.sum()
		if err == nil && !e.take(')') {
			err = errors.New("a closing parenthesis is missing")
		}
		return inner, err
	case e.take('n'):
		if e.take('[') {
			return e.count()
		}
		return func(c Confusion) float64 { return float64(c.Rows()) }, nil
	}
	length := strings.IndexFunc(e.rest+"]", func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	v, err := strconv.ParseFloat(e.rest[:length], 64)
	if err != nil {
		return nil, fmt.Errorf("want a number, n or n[TRUE,PREDICTED] at %q", e.rest)
	}
	e.rest = e.rest[length:]
	return func(Confusion) float64 { return v }, nil
}

// count reads TRUE,PREDICTED].
func (e *expression) count() (number, error) {
	inner, rest, ok := strings.Cut(e.rest, "]")
	truth, predicted, both := strings.Cut(inner, ",")
	if !ok || !both {
		return nil, fmt.Errorf("want n[TRUE,PREDICTED] at %q", "n["+e.rest)
	}
	e.rest = rest
	row, err := e.class(truth)
	if err != nil {
		return nil, err
	}
	column, err := e.class(predicted)
	if err != nil {
		return nil, err
	}
	return func(c Confusion) float64 { return c.sumOf(row, column) }, nil
}

// class returns the code of a class, -1 for all.
func (e *expression) class(name string) (int, error) {
	name = strings.TrimSpace(name)
	if name == "*" || e.syntax {
		return -1, nil
	}
	code, err := ClassCode(name, e.classes)
	e.codes = append(e.codes, code)
	return code, err
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

// asCost makes m the metric of an expression, whose names of classes are not looked up.
func (m *Metric) asCost(text string) error {
	_, _, err := parseExpression(text, nil, true)
	m.Name, m.Label, m.class, m.named = costName+":"+text, costName+" "+text, -1, text
	return err
}

// costIn makes m the metric of its expression in classes of the given names.
func (m *Metric) costIn(classes []string) error {
	value, codes, err := parseExpression(m.named, classes, false)
	if err != nil {
		return err
	}
	m.class = 0
	for _, code := range codes { // equal numbers mean equal places of the classes
		m.class = m.class*(len(classes)+1) + code + 1
	}
	m.counts = func(c Confusion, _ int) float64 {
		v := value(c)
		if math.IsInf(v, 0) {
			return math.NaN()
		}
		return v
	}
	return nil
}
