package csvfile

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/internal/errtest"
	"copse/stats/dataset"
	"copse/stats/dataset/datasettest"
)

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, text string
		o          Options
		want       string
	}{
		{"kinds and missing values", "a,b,class\n1.5, red ,yes\n?,blue,no\nNA,,yes\n-2e3,red,no\n", Options{},
			`a:0[] b:1["blue" "red"] | ["no" "yes"] | [1.5 1]>1 [NaN 0]>0 [NaN NaN]>1 [-2000 1]>0`},
		{"class named", "y,x\n10,1\n9,2\n", Options{Class: "y"}, `x:0[] | ["9" "10"] | [1]>1 [2]>0`},
		{"forced discrete", "x,c\n10,a\n9,a\n10,a\n",
			Options{Discrete: []string{"x"}}, `x:1["9" "10"] | ["a"] | [1]>0 [0]>0 [1]>0`},
		{"natural order", "x,c\nx10,b2\nx9,b10\n007,b2\n7,b2\nx09,b2\n-1,b2\n", Options{},
			`x:1["-1" "007" "7" "x09" "x9" "x10"] | ["b2" "b10"] | [5]>0 [4]>1 [1]>0 [2]>0 [3]>0 [0]>0`},
		{"quoted cells and byte-order mark", "\ufeffx,\"c,d\"\n1,\"a\"\"b\"\r\n2,\"a\"\"b\"\r\n",
			Options{}, `x:0[] | ["a\"b"] | [1]>0 [2]>0`},
		{"nothing but missing values", "x,c\n,a\n?,b\n", Options{}, `x:0[] | ["a" "b"] | [NaN]>0 [NaN]>1`},
		{"grouped digits are text", "x,c\n1_0,a\n12,b\n", Options{}, `x:1["12" "1_0"] | ["a" "b"] | [1]>0 [0]>1`},
		{"codes are text", "x,c\n0x10,a\n12,b\n", Options{}, `x:1["12" "0x10"] | ["a" "b"] | [1]>0 [0]>1`},
	} {
		s, err := Read(strings.NewReader(c.text), "t.csv", c.o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if got := datasettest.Show(s); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestReadRefuses(t *testing.T) {
	train := readText(t, "a,b,class\n1,red,yes\n2,blue,no\n", Options{})
	schema := Options{Train: train}
	for _, c := range []struct {
		text string
		o    Options
		want string
	}{
		{"", Options{}, "t.csv: the file has no rows"},
		{"a,b\n", Options{}, "t.csv: the file has no rows"},
		{"gr\xf6\xdfe,c\n1,x\n", Options{},
			`t.csv: row 1, column 1: "gr\xf6\xdfe" is not UTF-8; save the file as UTF-8`},
		{"a,c\n1,x\n2,\xd6l\n", Options{}, `t.csv: row 3, column 2: "\xd6l" is not UTF-8`},
		{"\xff\xfea\x00,\x00c\x00", Options{}, "t.csv: row 1: the file is UTF-16"},
		{"PAR1\x15\x04\x15", Options{}, "t.csv: row 1: the file is Parquet; write it as CSV"},
		{"PAR1\x9a\xff\n1\n", Options{}, "t.csv: row 1: the file is Parquet; write it as CSV"},
		{"PAR1\tc\n1\t\n", Options{}, `t.csv: row 2, column "c": the class is missing`},
		{"% iris\n\n@RELATION iris\n@attribute a numeric\n@data\n1\n",
			Options{}, "t.csv: row 1: the file is ARFF; write it as CSV"},
		{"PK\x03\x04\x14\x00", Options{}, "t.csv: row 1: the file is a spreadsheet or an archive"},
		{"\x1f\x8b\x08", Options{}, "t.csv: row 1: the file is compressed; unpack it with `gunzip`"},
		{"a,c\r1,x\r2,y\r", Options{}, "t.csv: row 1: the lines of the file end in CR alone"},
		{"a\n1\n", Options{}, `t.csv: row 1: the file has only the class column "a"`},
		{"a,,c\n1,2,3\n", Options{}, "t.csv: row 1: column 2 has no name; give it one, " +
			"or remove the column if it numbers the rows (in R: `row.names = FALSE`; in pandas: `index=False`)"},
		{"a,a,c\n1,2,3\n", Options{}, `t.csv: row 1, column "a": occurs twice; rename one`},
		{"a,c,\n1,2,\n", Options{}, `t.csv: row 1: column 3 has neither a name nor values; remove the separator`},
		{"a,c\n1,x\n1\n", Options{}, "t.csv: row 3 (line 3): the number of cells is 1, but 2 in the header; write"},
		{"a,c\n1,5,x\n", Options{}, "t.csv: row 2 (line 2): the number of cells is 3, but 2 in the header; write"},
		{"a,c\n1\"x,y\n", Options{}, "t.csv: row 2 (line 2): a double quote is misplaced or missing; write"},
		{"a,c\n\"1\"x,y\n", Options{}, "t.csv: row 2 (line 2): a double quote is misplaced or missing; write"},
		{"a,c\n\"1,x\n", Options{}, "t.csv: row 2 (line 2): a double quote is misplaced or missing; write"},
		{"a,c\n1,x\n\n2,y\n", Options{}, "t.csv: row 3: line 3 is empty"},
		{"a,c\n1,x\n2,NA\n", Options{}, `t.csv: row 3, column "c": the class is missing; enter it or remove the ` +
			"row (in a study: `rows: [c != NA]`); marks of missing values (`missing_marks` in a study): an empty " +
			"cell or ? or NA"},
		{"a,c\n1,x\n", Options{Class: "y"}, `t.csv: there is no column "y"`},
		{"a,c\n1,x\n", Options{Discrete: []string{"z"}}, `t.csv: "z" is declared discrete`},
		{"a,c\n1,x\n", Options{Numeric: []string{"c"}}, `t.csv: "c" is declared discrete`},
		{"a,c\n1,x\n", Options{Discrete: []string{"*"}, Numeric: []string{"*"}},
			"t.csv: `*` means all other columns, so it cannot be in the list"},
		{"a,c\n1,x\ninf,x\n", Options{}, `t.csv: row 3, column "a": "inf" is not a finite number; write a missing ` +
			`value as an empty cell or ? or NA, or declare "inf" a missing-value mark`},
		{"a,c\n9007199254740992,x\n?,x\n9007199254740993,x\n", Options{}, `t.csv: row 4, column "a": as ` +
			`floating-point numbers, the integers 9007199254740992 and 9007199254740993 are equal`},
		{"a,c\n1e999,x\n", Options{}, `t.csv: row 2, column "a": "1e999" is not a finite number`},
		{"a,b,class\n1,green,no\n", schema,
			`t.csv: row 2, column "b": unknown level "green"; the levels are ["blue" "red"]`},
		{"a,b,class\n1,red,no\n1,red,maybe\n",
			schema, `t.csv: row 3, column "class": unknown class "maybe"; the classes are ["no" "yes"]`},
		{"a,b,class\nlow,red,no\n", schema,
			`t.csv: row 2, column "a": "low" is not a number; the column is numeric in the training set`},
		{"a,class\n1,no\n", schema,
			`t.csv: row 1, column "b": the training set has this attribute, but the file does not`},
		{"a,b,e,class\n1,red,1,no\n", schema,
			`t.csv: row 1, column "class": neither this column nor "e" is an attribute of the training set`},
		{"a,b,c\n1,2,x\n", Options{Drop: []string{"a", "b"}},
			`t.csv: all columns except the class column "c" are left out; keep at least one other column`},
		{"a,b,c\n1,2,x\n", Options{Keep: []string{}}, `t.csv: all columns except the class column "c"`},
		{"a b class\n1 2 x\n", Options{},
			`t.csv: row 1: the file has only the class column "a b class" and no attribute; ` +
				`columns are separated by commas, semicolons, tabs or bars`},
	} {
		_, err := Read(strings.NewReader(c.text), "t.csv", c.o)
		errtest.Case(t, c.text).HasPrefix(err, c.want)
	}
	if _, err := ReadFile(filepath.Join(t.TempDir(), "none.csv"), Options{}); !os.IsNotExist(err) {
		t.Errorf("no file: %v", err)
	}
}

// Large integers are rounded unless two different ones would become equal.
func TestReadLargeIntegers(t *testing.T) {
	const rows = "a,b,c\n1700000000123456789,-9223372036854775807,x\n1700000001111111110,5,y\n" +
		"1700000000123456789,1e3,y\n"
	set := readText(t, rows, Options{})
	if got := set.X.At(0, 0); got != 1700000000123456789 {
		t.Errorf("%v", got)
	}
}

func TestReadSchema(t *testing.T) {
	train := readText(t, "a,b,class\n1,red,yes\n2,blue,no\n", Options{})
	schema := Options{Train: train}
	test := readText(t, "b,label,a\nred,yes,3\n?,yes,4\n", schema)
	if want := `a:0[] b:1["blue" "red"] | ["no" "yes"] | [3 1]>1 [4 NaN]>1`; datasettest.Show(test) != want ||
		!test.Labelled() {
		t.Errorf("got  %s\nwant %s", datasettest.Show(test), want)
	}
	unlabelled := readText(t, "a,b\n3,red\n", schema)
	if want := `a:0[] b:1["blue" "red"] | ["no" "yes"] | [3 1]>-1`; datasettest.Show(unlabelled) != want ||
		unlabelled.Labelled() {
		t.Errorf("got  %s\nwant %s", datasettest.Show(unlabelled), want)
	}
	var buf bytes.Buffer
	if err := Write(&buf, unlabelled, ClassColumn); err != nil || buf.String() != "a,b\n3,red\n" {
		t.Errorf("written %q, %v", buf.String(), err)
	}
}

func TestWriteCSVRoundTrip(t *testing.T) {
	text := "a,b,\"odd, name\",class\n0.1,red,1,\"x \"\"y\"\"\"\n" +
		"NA,\"two\nlines\",0.30000000000000004,z\n-5e-324,NA,1.7976931348623157e+308,z\n"
	s := readText(t, text, Options{})
	var buf bytes.Buffer
	if err := Write(&buf, s, ClassColumn); err != nil || buf.String() != text {
		t.Errorf("%v, got %q\nwant %q", err, buf.String(), text)
	}
}

func TestWriteCSVRefuses(t *testing.T) {
	read := func() *dataset.Set {
		s := readText(t, "a,b,c\n1,red,x\n2,blue,y\n", Options{})
		s.Attributes = slices.Clone(s.Attributes)
		return s
	}
	for want, spoil := range map[string]func(*dataset.Set){
		`level of b "?" cannot be read`:   func(s *dataset.Set) { s.Attributes[1].Levels = []string{"?", "red"} },
		`level of b "red" occurs twice`:   func(s *dataset.Set) { s.Attributes[1].Levels = []string{"red", "red"} },
		`column "class" occurs twice`:     func(s *dataset.Set) { s.Attributes[0].Name = "class" },
		`column " a" cannot be read`:      func(s *dataset.Set) { s.Attributes[0].Name = " a" },
		`class "" cannot be read`:         func(s *dataset.Set) { s.Classes[0] = "" },
		`"a": the value is infinite`:      func(s *dataset.Set) { s.X.Set(1, 0, math.Inf(1)) },
		`row 1, column "b": 0.5 is not`:   func(s *dataset.Set) { s.X.Set(0, 1, 0.5) },
		`row 1, column "b": 2 is not the`: func(s *dataset.Set) { s.X.Set(0, 1, 2) },
	} {
		s := read()
		spoil(s)
		errtest.Contains(t, Write(new(bytes.Buffer), s, ClassColumn), want)
	}
}

// Every accepted file is the same after it is written and read again with its own schema.
func FuzzRead(f *testing.F) {
	f.Add([]byte("a,b,class\n1.5,red,yes\n?,blue,no\n"), "")
	f.Add([]byte("\ufeffy;x\n"), "y")
	f.Add([]byte("y,x\n\" 1\n\",-0\n2,1e-400\n"), "y")
	f.Fuzz(func(t *testing.T, text []byte, class string) {
		s, class, err := ReadAndClass(bytes.NewReader(text), "fuzz.csv", Options{Class: class})
		if err != nil {
			if !strings.HasPrefix(err.Error(), "fuzz.csv: ") {
				t.Fatalf("error without the file: %v", err)
			}
			return
		}
		for i, y := range s.Y {
			if y < 0 || y >= s.C() {
				t.Fatalf("label %d of row %d", y, i)
			}
			for j, v := range s.X.RawRowView(i) {
				if a := s.Attributes[j]; math.IsInf(v, 0) || a.Kind == dataset.Discrete && !math.IsNaN(v) &&
					(v < 0 || int(v) >= len(a.Levels)) {
					t.Fatalf("value %v of %s", v, a.Name)
				}
			}
		}
		var out bytes.Buffer
		if err := Write(&out, s, class); err != nil {
			if strings.Contains(err.Error(), "read back") {
				return
			}
			t.Fatal(err)
		}
		again, err := Read(&out, "fuzz.csv", Options{Train: s})
		if err != nil || datasettest.Show(again) != datasettest.Show(s) {
			t.Fatalf("%v\nread  %s\nagain %s", err, datasettest.Show(s), datasettest.Show(again))
		}
	})
}

// Every real data set has the shape, the classes and the missing rows that its
// manifest states. The data are not part of the repository: COPSE_DATA names
// their directory.
func TestReadRealData(t *testing.T) {
	dir := os.Getenv("COPSE_DATA")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data")
	}
	f, err := os.Open(filepath.Join(dir, "MANIFEST.csv"))
	if err != nil {
		t.Skipf("SKIPPED: no real data sets (set COPSE_DATA to their directory): %v", err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		field := func(name string) string { return line[slices.Index(lines[0], name)] }
		if field("rows") == "" || testing.Short() && len(field("rows")) > 4 {
			continue
		}
		o := Options{}
		if d := field("discrete_attributes"); d != "" {
			o.Discrete = strings.Split(d, ";")
		}
		s, err := ReadFile(filepath.Join(dir, field("file")), o)
		if err != nil {
			t.Error(err)
			continue
		}
		gaps := 0
		for i := range s.N() {
			if slices.ContainsFunc(s.X.RawRowView(i), math.IsNaN) {
				gaps++
			}
		}
		var counts []string
		for c, n := range s.Counts() {
			counts = append(counts, fmt.Sprintf("%s:%d", s.Classes[c], n))
		}
		slices.Sort(counts)
		want := strings.Split(field("class_counts"), ";")
		slices.Sort(want)
		discrete := 0
		for _, a := range s.Attributes {
			discrete += int(a.Kind)
		}
		got := fmt.Sprint(s.N(), s.D(), discrete, gaps, counts)
		if want := fmt.Sprint(field("rows"), " ", field("attributes"), " ", field("discrete"), " ",
			field("missing_rows"), " ", want); got != want {
			t.Errorf("%s: %s, the manifest states %s", field("file"), got, want)
		}
	}
}
