//go:build unix

package external

import (
	"strings"
	"testing"

	"copse/internal/errtest"
)

// All samples of a problem have the same columns: a classifier would apply a rule to other variables.
func TestSamplesOfAProblemHaveTheSameColumns(t *testing.T) {
	host := newHost(t, ".")
	for header, want := range map[string]string{
		"a,b,class": "",
		"b,a,class": `["b" "a"] (2 in all), but the first sample of the problem had ["a" "b"] (2 in all)`,
		"a,class":   `sample: the columns are ["a"] (1 in all), but the first sample`,
	} {
		program := shell(`[ $2 = 1 ] && echo a,b,class > "$4" || echo ` + header + ` > "$4"
commas=$(head -n 1 "$4" | tr -cd ,); for c in 0 1; do echo "$commas$c" | sed 's/,/1,/g' >> "$4"; done`)
		problem, err := host.NewProblem(t.Context(), program, 2, 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := problem.Sample(t.Context(), []int{1, 1}, 1<<33); err != nil {
			t.Fatal(err)
		}
		_, err = problem.Sample(t.Context(), []int{1, 1}, 2<<33)
		errtest.Case(t, header).Match(err, want)
	}
}

// shell returns a generator that runs one shell command.
func shell(line string) *Program {
	return &Program{Kind: CSVGenerator, Command: []string{"/bin/sh", "-c", line, "generator", "{problem}", "{seed}",
		"{counts}", "{out}"}}
}

func TestCSVGenerator(t *testing.T) {
	host := newHost(t, ".")
	program := shell(`{ echo a,b,class; for c in 0 1; do n=$(echo $3 | cut -d, -f$((c + 1)))
for i in $(seq $n); do echo $1,$2.5,$c; done; done; } > "$4"`)
	problem, err := host.NewProblem(t.Context(), program, 2, 7<<33)
	if err != nil {
		t.Fatal(err)
	}
	set, err := problem.Sample(t.Context(), []int{2, 3}, 9<<33)
	if err != nil {
		t.Fatal(err)
	}
	if set.N() != 5 || set.Y[1] != 0 || set.Y[2] != 1 || set.X.At(4, 0) != 7 || set.X.At(4, 1) != 9.5 ||
		set.Attributes[1].Name != "b" {
		t.Errorf("%+v", set)
	}
	for line, want := range map[string]string{
		`echo oh >&2; exit 3`:                          "(exit status 3); it printed: oh",
		`true`:                                         "{out}: the program did not write the file sample.csv",
		`mkfifo "$4"`:                                  "{out}: sample.csv is not a regular file",
		`ln -s /dev/zero "$4"`:                         "{out}: sample.csv is not a regular file",
		`truncate -s 40G "$4"`:                         "wrote more than 1073741824 bytes to the file {out}",
		`printf 'a,class\n1,0\n' > "$4"`:               "drew [1 0] rows from the classes instead of [2 3]",
		`printf 'a,class\n1,0\n1,2\n' > "$4"`:          `line 3: class "2" is not one of the codes 0..1`,
		`printf 'a,class\nx,0\n1,1\n' > "$4"`:          `column "a" is not numeric`,
		`printf 'a\n1\n' > "$4"`:                       "the file has only the class column",
		`echo "$COPSE_TOKEN {}"; sleep 5`:              "must not send replies",
		`printf 'a,class\n1e999,0\n1,1\n' > "$4"`:      "row 2",
		`head -c 300000 /dev/zero | tr '\0' x; exit 1`: "exit status 1",
	} {
		bad, err := host.NewProblem(t.Context(), shell(line), 2, 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := bad.Sample(t.Context(), []int{2, 3}, 1); err == nil || !strings.Contains(err.Error(), want) ||
			len(err.Error()) > 500 {
			t.Errorf("%s: error %v; want %q", line, err, want)
		}
	}
}
