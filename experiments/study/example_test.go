package study_test

import (
	"fmt"

	"copse/experiments/study"
)

// A study is a YAML text. Its cells are all combinations of the levels of its factors.
func ExampleParse() {
	text := `
study: example
seed: 1
replicates: 20
design:
  n: [200, 400]
data:
  generator: {name: forest, d: 5}
  train: {n: $n}
  test: {n: 1000}
classifiers: [nb, slb, oracle]
`
	s, err := study.Parse("example.yaml", []byte(text), []string{"design.n=200,800"}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range s.Cells {
		fmt.Println(s.Describe(c), len(c.Classifiers), "classifiers")
	}
	_, err = study.Parse("example.yaml", []byte(text+"replicate: 3\n"), nil, nil)
	fmt.Println(err)
	// Output:
	// n=200 3 classifiers
	// n=800 3 classifiers
	// example.yaml:12:1: replicate: unknown key; did you mean "replicates"?
}
