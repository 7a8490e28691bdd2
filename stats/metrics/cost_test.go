package metrics

import (
	"math"
	"strings"
	"testing"

	"copse/internal/errtest"
)

// The expected values are computed by hand from this confusion matrix of 10 rows:
//
//	healthy 5 1
//	sick    2 2
func TestCost(t *testing.T) {
	c, classes := Confusion{5, 1, 2, 2}, []string{"healthy", "sick"}
	for text, want := range map[string]float64{
		"n":                                       10,
		"(5*n(sick,healthy)+n(healthy,sick))/n":   1.1,
		"n(sick,_)":                               4,
		"n(_,sick) / n":                           0.3,
		"2 + 3*4 - 10/4":                          11.5,
		`n("sick",1) - n("healthy",0) + 4`:        1,
		"n(1,0) - n(0,1) - 1":                     0,
		"1 - n(sick,sick)/n(sick,_)":              0.5,
		"2*n(sick,sick)/(n(sick,_) - n(_,0) + 3)": math.NaN(),
		"(n(_,_)-n(healthy,healthy))*(0.5)":       2.5,
	} {
		m, err := Lookup("cost:" + text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if m, err = m.InClasses(classes); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := m.FromCounts(c); math.Abs(got-want) > 1e-12 || math.IsNaN(got) != math.IsNaN(want) {
			t.Errorf("%s = %v, want %v", text, got, want)
		}
		if !strings.HasPrefix(m.Source, "the value of "+text+";") {
			t.Errorf("%s is defined as %s", text, m.Source)
		}
		if m.Loss(2) != 2 {
			t.Errorf("%s: smaller is not better", text)
		}
	}
}

func TestCostRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"n(a,b":             "a closing parenthesis is missing",
		"n(a,b))":           "an opening parenthesis is missing",
		"-n(a,b)":           "`+ - * /` between two values",
		"n(a,b)+$":          "not valid from \"$\" on; an expression may contain only numbers",
		"n(a)":              "may contain only numbers, `n`, `n(TRUE,PREDICTED)`",
		"(n":                "a closing parenthesis is missing",
		"n n":               "not valid from \"n\" on",
		"n('1',2)":          "write class '1' in double quotes",
		"n(2,'a b')":        "write class 'a b' in double quotes",
		"n(\"it's\",'a b')": "write class 'a b' in double quotes",
		"2*":                "the end is missing",
		"fn + fp":           "may contain only numbers, `n`, `n(TRUE,PREDICTED)`",
	} {
		_, err := Lookup("cost:" + text)
		errtest.Case(t, text).Contains(err, want)
	}
	if _, err := Lookup(`cost:n("it's","the cat's")`); err != nil {
		t.Errorf("apostrophes: %v", err)
	}
	m, err := Lookup("cost:n(ill,0)")
	if err != nil {
		t.Fatal(err)
	}
	if !math.IsNaN(m.FromCounts(Confusion{1, 2, 3, 4})) {
		t.Error("a value before the classes are known")
	}
	_, err = m.InClasses([]string{"healthy", "sick"})
	errtest.Contains(t, err, `no class "ill"`)
}

// If the name of a class is a number, a number is a name and no code.
func TestNumbersAreNames(t *testing.T) {
	const refusal = `no class "0"; the classes are "1", "2"`
	for text, want := range map[string]string{
		"cost:5*n(1,0)+n(0,1)": "cost:5*n(1,0)+n(0,1): " + refusal,
		`cost:n("0",2)`:        refusal,
		"cost:n(1,2)":          "",
		"sensitivity:0":        refusal,
		"average_precision:2":  "",
	} {
		m, err := Lookup(text)
		if err == nil {
			_, err = m.InClasses([]string{"1", "2"})
		}
		errtest.Case(t, text).Match(err, want)
	}
}

// An expression is a different metric if its classes have different codes.
func TestCostUsesClassCodes(t *testing.T) {
	m, err := Lookup("cost:n(a,b)")
	if err != nil {
		t.Fatal(err)
	}
	one, err1 := m.InClasses([]string{"a", "b"})
	other, err2 := m.InClasses([]string{"b", "a"})
	if err1 != nil || err2 != nil || one.SameClasses(other) {
		t.Errorf("%v, %v: the same classes", err1, err2)
	}
	if c := (Confusion{5, 1, 2, 2}); one.FromCounts(c) != 1 || other.FromCounts(c) != 2 {
		t.Errorf("%v and %v", one.FromCounts(c), other.FromCounts(c))
	}
	third, err := m.InClasses([]string{"a", "b", "c"})
	if err != nil || !one.SameClasses(third) {
		t.Errorf("a third class changes the codes, error %v", err)
	}
}

// An expression may name many classes.
func TestCostOfManyClasses(t *testing.T) {
	m, err := Lookup("cost:" + strings.Repeat("n(1,1)+", 30) + "n(1,1)")
	if err == nil {
		m, err = m.InClasses([]string{"a", "b", "c"})
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := m.FromCounts(Confusion{0, 0, 0, 0, 2, 0, 0, 0, 0}); got != 62 {
		t.Errorf("%v, want 62", got)
	}
}
