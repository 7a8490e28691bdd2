package csvfile

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/stats/dataset"
	"copse/stats/dataset/datasettest"
)

func readText(t *testing.T, text string, o Options) *dataset.Set {
	t.Helper()
	s, err := Read(strings.NewReader(text), "t.csv", o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSeparatorsAndDecimalMarksAreReported(t *testing.T) {
	const want = `a:0[] b:1["x y" "z"] | ["p" "q"] | [1.5 0]>0 [-2 1]>1`
	for name, c := range map[string]struct {
		text, notes string
	}{
		"comma": {"a,b,c\n1.5,x y,p\n-2,z,q\n", ""},
		"semicolon, decimal comma": {"a;b;c\n1,5;x y;p\n-2;z;q\n",
			"t.csv: read with the separator ';'|t.csv: read with the decimal mark ','"},
		"semicolon, decimal point": {"a;b;c\n1.5;x y;p\n-2;z;q\n", "t.csv: read with the separator ';'"},
		"tab":                      {"a\tb\tc\n1.5\tx y\tp\n-2\tz\tq\n", `t.csv: read with the separator '\t'`},
		"bar, quoted commas": {"a|b|c\n\"1,5\"|\"x y\"|p\n-2|z|q\n",
			"t.csv: read with the separator '|'|t.csv: read with the decimal mark ','"},
		"quotes hide other marks": {"\"a\",b,\"c\"\n1.5,\"x y\",p\n-2,z,q\n", ""},
		"quoted after the mark":   {"\ufeff\"a\",\"b\",\"c\"\n\"1.5\",\"x y\",\"p\"\n-2,z,q\n", ""},
		"CRLF and a spreadsheet": {"\ufeffa;b;c\r\n1,5;x y;p\r\n-2;z;q\r\n",
			"t.csv: read with the separator ';'|t.csv: read with the decimal mark ','"},
	} {
		var notes []string
		s, err := Read(strings.NewReader(c.text), "t.csv", Options{Note: func(n string) { notes = append(notes, n) }})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if datasettest.Show(s) != want || strings.Join(notes, "|") != c.notes {
			t.Errorf("%s: %s, warned %q", name, datasettest.Show(s), notes)
		}
	}
}

// A header may contain another separator. All rows decide, and decimal commas separate no columns. A file that
// could be read in two ways is an error.
func TestAmbiguousSeparators(t *testing.T) {
	const gewicht = `Gewicht, kg:0[] | ["a" "b"] | [1.5]>0 [2.5]>1`
	for text, want := range map[string]string{
		"Gewicht, kg;Klasse\n1,5;a\n2,5;b\n":      gewicht,
		"Gewicht, kg;Klasse\n1,5;a\n2,5;b":        gewicht,
		"Gewicht, kg\tKlasse\r\n1,5\ta\r\n2,5\tb": gewicht,
		"x, y;c\n1,5;a\n2;b\n":                    `x, y:0[] | ["a" "b"] | [1.5]>0 [2]>1`,
		"x|y;z,c\n1,a\n2,b\n":                     `x|y;z:0[] | ["a" "b"] | [1]>0 [2]>1`,
		"x,y;z\n1,a\n2,b\n":                       `x:0[] | ["a" "b"] | [1]>0 [2]>1`,
		"x,y;z;c\n1,5;2;a\n2,5;3;b\n":             `x,y:0[] z:0[] | ["a" "b"] | [1.5 2]>0 [2.5 3]>1`,
		// Whole numbers with commas between them are not decimal numbers if the comma gives more columns.
		"t,lo|hi,c\n3,9|2,0\n4,8|1,1\n":   `t:0[] lo|hi:1["8|1" "9|2"] | ["0" "1"] | [3 1]>0 [4 0]>1`,
		"x,y|z,c\n1.5,2.5|k,a\n3,4|k,b\n": `x:0[] y|z:1["2.5|k" "4|k"] | ["a" "b"] | [1.5 0]>0 [3 1]>1`,
	} {
		if got := datasettest.Show(readText(t, text, Options{})); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{
		"x, y;c\n1;a, b\n2;a, c\n",
		"x, l, u;c\n1,2,3;a\n2,3,4;b\n",
		"x,y;c\n1,5;a\n2,5;b\n",
	} {
		_, err := Read(strings.NewReader(text), "t.csv", Options{})
		const want = `t.csv: each row has the same number of ',' as the header, and also the same number of ';', so`
		errtest.Case(t, text).HasPrefix(err, want)
	}
	// The remedy: quotes.
	set := readText(t, "\"x, y\";c\n1;\"a, b\"\n2;\"a, c\"\n", Options{})
	if got, want := datasettest.Show(set), `x, y:0[] | ["a, b" "a, c"] | [1]>0 [2]>1`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestColumnsClassesAndMarks(t *testing.T) {
	const text = "id,a,b,c,y\n1,1,-9,x,0\n2,0,2,none,1\n3,1,3,x,4\n"
	for name, c := range map[string]struct {
		o    Options
		want string
	}{
		"drop": {Options{Drop: []string{"id", "c"}}, `a:0[] b:0[] | ["0" "1" "4"] | [1 -9]>0 [0 2]>1 [1 3]>2`},
		"keep": {Options{Keep: []string{"c", "a"}, Discrete: []string{"a"}},
			`a:1["0" "1"] c:1["none" "x"] | ["0" "1" "4"] | [1 1]>0 [0 0]>1 [1 1]>2`},
		"all but one": {Options{Keep: []string{"a", "b"}, Discrete: []string{"*"}, Numeric: []string{"a"}},
			`a:0[] b:1["-9" "2" "3"] | ["0" "1" "4"] | [1 0]>0 [0 1]>1 [1 2]>2`},
		"missing": {Options{Keep: []string{"b", "c"}, Missing: []string{"-9", "none"}},
			`b:0[] c:1["x"] | ["0" "1" "4"] | [NaN 0]>0 [2 NaN]>1 [3 0]>2`},
		"merge": {Options{Keep: []string{"b"}, Merge: map[string][]string{"sick": {"1", "4"}}},
			`b:0[] | ["0" "sick"] | [-9]>0 [2]>1 [3]>1`},
	} {
		if s := readText(t, text, c.o); datasettest.Show(s) != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, datasettest.Show(s), c.want)
		}
	}
}

func TestStrayCellsAreErrors(t *testing.T) {
	column := func(cells ...string) string {
		text := "x,c\n"
		for i := range 40 {
			text += fmt.Sprintf("%d,%d\n", i, i%2)
		}
		for _, cell := range cells {
			text += cell + ",0\n"
		}
		return text
	}
	for _, c := range []struct {
		text string
		o    Options
		want string
	}{
		{column("l.5"), Options{}, `t.csv: row 42, column "x": "l.5" is not a number, while 40 of 41 values are; ` +
			"correct the cells, declare the text a missing-value mark (`missing_marks` in a study; now: an empty " +
			`cell or ? or NA), ` +
			`or declare the column discrete`},
		{column(`"1,5"`, "1_000"), Options{},
			`t.csv: row 42, column "x": "1,5" is not a number, nor is "1_000" in row 43, while`},
		{column("a", "b", "c", "d", "e"), Options{},
			`t.csv: row 42, column "x": "a" is not a number, nor is "b" in row 43, ` +
				`nor is "c" in row 44, nor is "d" in row 45 (and 1 more), while`},
		{column(strings.Split(strings.Repeat("a ", 30), " ")[:30]...), Options{Numeric: []string{"x"}},
			`t.csv: row 42, column "x": "a" is not a number, nor is`},
	} {
		_, err := Read(strings.NewReader(c.text), "t.csv", c.o)
		errtest.HasPrefix(t, err, c.want)
	}
	if s := readText(t, column("l.5"), Options{Discrete: []string{"x"}}); len(s.Attributes[0].Levels) != 41 {
		t.Errorf("declared discrete: %v", s.Attributes[0])
	}
	if s := readText(t, column(strings.Split(strings.Repeat("a ", 11), " ")[:11]...),
		Options{}); s.Attributes[0].Kind != dataset.Discrete {
		t.Error("a column of which a fifth is text is discrete")
	}
}

// Numbers whose commas could be decimal marks or separate thousands are not levels, unless the column is
// declared discrete.
func TestCommaNumbersAreNoLevels(t *testing.T) {
	for _, cells := range [][2]string{{`"1,5"`, `"2,25"`}, {`"1,000"`, "500"}, {`"1,234.5"`, `"-2,000.5"`}} {
		text := "x,c\n" + cells[0] + ",p\n" + cells[1] + ",q\n"
		_, err := Read(strings.NewReader(text), "t.csv", Options{})
		errtest.HasPrefix(t, err, `t.csv: row 2, column "x": `+cells[0]+
			` has a comma as the decimal mark or between thousands`)
		if s := readText(t, text, Options{Discrete: []string{"x"}}); len(s.Attributes[0].Levels) != 2 {
			t.Errorf("declared discrete: %v", s.Attributes[0])
		}
	}
	if s := readText(t, "x,c\n\"1,5\",p\n\"a,b\",q\n", Options{}); s.Attributes[0].Kind != dataset.Discrete {
		t.Errorf("%v", s.Attributes[0])
	}
}

// One decimal point in a numeric attribute makes all decimal commas of a file errors. The error names the cell
// with the point. Columns that are dropped or discrete may contain points.
func TestPointAmongCommasIsNamed(t *testing.T) {
	const text = "x;y;c\n0,5;0;p\n1,5;1;q\n2,5;1.5;p\n"
	for _, o := range []Options{{Drop: []string{"y"}}, {Keep: []string{"x"}}, {Discrete: []string{"y"}},
		{Discrete: []string{"*"}, Numeric: []string{"x"}}} {
		if x := readText(t, text, o).X; x.At(0, 0) != 0.5 || x.At(2, 0) != 2.5 {
			t.Errorf("%+v: %v", o, x.RawMatrix().Data)
		}
	}
	// Of several files, one may lack a dropped column, and another may end with one.
	absent := Options{Drop: []string{"y", "z"}}
	second, err := ReadTable(strings.NewReader("x;c;y\n0,5;p;0\n2,5;q;1.5\n"), "t.csv", absent)
	if err != nil {
		t.Fatal(err)
	}
	if second.decimal != ',' {
		t.Errorf("decimal mark %q", second.decimal)
	}
	train := readText(t, "x,c\n1,p\n2,q\n", Options{})
	test, err := Read(strings.NewReader("y;x\n1.5;0,5\n"), "t.csv", Options{Train: train, Class: "c"})
	if err != nil || test.X.At(0, 0) != 0.5 {
		t.Errorf("a test file: %v", err)
	}
	_, err = Read(strings.NewReader(text), "t.csv", Options{})
	errtest.HasPrefix(t, err,
		`t.csv: row 2, column "x": "0,5" has a comma as the decimal mark or between thousands, but "1.5" in `+
			`row 4, column "y" has a decimal point; use one decimal mark`)
}

// A column of numbers in another notation is an error, unless it is declared discrete.
func TestNumbersInOtherNotationsAreNoLevels(t *testing.T) {
	for _, c := range []struct{ separator, cells, want string }{
		{",", "\u22121.5|0|2", "row 2, column \"x\": \"\u22121.5\" has the minus sign U+2212; write \"-1.5\" with"},
		{",", "\u22121e\u22125|\u22122|\u22123", "row 2, column \"x\": \"\u22121e\u22125\" has the minus sign U+2212"},
		{",", "1|\u22122|\u22123|low", "row 3, column \"x\": \"\u22122\" has the minus sign U+2212"},
		{",", "10%|12.5%|7%", `row 2, column "x": "10%" has a percent sign; write the number without it`},
		{",", "?|1|1_000|12_500.5", `row 4, column "x": "1_000" has a thousands separator`},
		{",", "1'000|2'000'000|3", `row 2, column "x": "1'000" has a thousands separator`},
		{",", "1\u202f000|2|3", `row 2, column "x": "1\u202f000" has a thousands separator`},
		{",", "10 000|2|3", `row 2, column "x": "10 000" has a thousands separator`},
		{";", "1.234,5|2,5|2.000.000", `row 2, column "x": "1.234,5" has a thousands separator`},
		{";", "1.234.567|2.5|2", `row 2, column "x": "1.234.567" has a thousands separator`},
	} {
		text := "x" + c.separator + "c\n"
		for _, cell := range strings.Split(c.cells, "|") {
			text += cell + c.separator + "p\n"
		}
		_, err := Read(strings.NewReader(text), "t.csv", Options{})
		errtest.Case(t, c.cells).HasPrefix(err, "t.csv: "+c.want)
		errtest.Case(t, c.cells).HasSuffix(err, "or declare the column discrete")
		if s := readText(t, text, Options{Discrete: []string{"x"}}); s.Attributes[0].Kind != dataset.Discrete {
			t.Errorf("%q declared discrete: %v", c.cells, s.Attributes[0])
		}
	}
}

// Levels that contain digits, signs and marks stay levels.
func TestLevelsOfDigitsStayLevels(t *testing.T) {
	for _, cells := range []string{
		"10%-20%|20%-30%|>30%", "2024-01-02|2024-02-03", "01.02.2024|31.12.2024", "1/2/2024|3/4/2024",
		"10\u221220|20\u221230", "1_2|3_12", "12:30|13:45", "10|20|low|high", "%|_|\u2212",
		"1.2.3|1.10.0", "5%|low|high",
	} {
		text := "x,c\n" + strings.ReplaceAll(cells, "|", ",p\n") + ",p\n"
		if s := readText(t, text, Options{}); s.Attributes[0].Kind != dataset.Discrete {
			t.Errorf("%q: %v", cells, s.Attributes[0])
		}
	}
}

func TestMeasurementsAreNoClasses(t *testing.T) {
	text := "x,price\n"
	for i := range 40 {
		text += fmt.Sprintf("%d,%d.5\n", i, i)
	}
	_, err := Read(strings.NewReader(text), "t.csv", Options{})
	errtest.Contains(t, err,
		`column "price": looks continuous (40 distinct numbers in 40 rows); name another class column`)
	s := readText(t, text, Options{Discrete: []string{"price"}})
	if s.C() != 40 || s.Attributes[0].Kind != dataset.Numeric {
		t.Errorf("declared discrete: %d classes, %v", s.C(), s.Attributes)
	}
}

// If a column has very many unseen levels, the error names the first ones.
func TestManyUnseenLevels(t *testing.T) {
	train, text := readText(t, "a,class\nx,yes\ny,no\n", Options{}), "a,class\n"
	for i := range 1000 {
		text += fmt.Sprintf("l%d,yes\n", i)
	}
	var notes []string
	readText(t, text, Options{Train: train, Unseen: UnseenLevel, Note: func(n string) { notes = append(notes, n) }})
	last := `t.csv: column "a": 995 more values occur in no training row and are treated in the same way`
	if len(notes) != 6 || notes[5] != last {
		t.Errorf("%d notes: %q", len(notes), notes)
	}
}

func TestUnseenLevelsAndClasses(t *testing.T) {
	train := readText(t, "a,b,class\n1,red,yes\n2,blue,no\n", Options{})
	const text = "a,b,class\n3,green,yes\n4,red,maybe\n5,green,no\n"
	for unseen, want := range map[Unseen]string{
		UnseenMissing: `a:0[] b:1["blue" "red"] | ["no" "yes" "maybe"] | [3 NaN]>1 [4 1]>2 [5 NaN]>0`,
		UnseenLevel:   `a:0[] b:1["blue" "red" "green"] | ["no" "yes" "maybe"] | [3 2]>1 [4 1]>2 [5 2]>0`,
	} {
		var notes []string
		s := readText(t, text, Options{Train: train, Unseen: unseen, Note: func(n string) { notes = append(notes, n) }})
		if datasettest.Show(s) != want {
			t.Errorf("got  %s\nwant %s", datasettest.Show(s), want)
		}
		if len(notes) != 2 || !strings.HasPrefix(notes[0],
			`t.csv: row 2, column "b": no training row has the level "green" (occurrences: 2); read as`) ||
			notes[1] != `t.csv: row 3, column "class": no training row has the class "maybe" (occurrences: 1); `+
				`counted as errors` {
			t.Errorf("%q", notes)
		}
		if wide := train.WithAttributesOf(s); wide.D() != 2 || len(train.Attributes[1].Levels) != 2 {
			t.Errorf("widened: %s, training set %s", datasettest.Show(wide), datasettest.Show(train))
		}
	}
}

func TestWhere(t *testing.T) {
	const text = "a,b,c\n1,x,p\n2,?,q\n3,y,p\n?,x,q\n"
	table, err := ReadTable(strings.NewReader(text), "t.csv", Options{})
	if err != nil {
		t.Fatal(err)
	}
	for conditions, want := range map[string]string{
		"a >= 2": "2 3", "a < 3": "1 2", "a != NA": "1 2 3", "b = NA": "2", "b = x": "1 ?", "b != x": "2 3",
		"a = 2.0": "2", "a > 1&b = y": "3",
	} {
		kept, err := table.Where(strings.Split(conditions, "&"))
		if err != nil {
			t.Error(err)
			continue
		}
		var got []string
		for _, row := range kept.rows {
			got = append(got, row.cell(0))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %s", conditions, got, want)
		}
	}
	for _, rows := range []string{"1;0,5;p\n2;1,5;q\n", "1;0.5;p\n2;1.5;q\n", "1,5;0.5;p\n2;1.5;q\n"} {
		marks, err := ReadTable(strings.NewReader("a;b;c\n"+rows), "t.csv", Options{Drop: []string{"b", "absent"}})
		if err != nil {
			t.Fatal(err)
		}
		if kept, err := marks.Where([]string{"b > 1"}); err != nil || kept.N() != 1 {
			t.Errorf("decimal marks of a dropped column in %q: %v", rows, err)
		}
		if absent := marks.AbsentValues([]string{"b != 1.50"}); len(absent) > 0 {
			t.Error(absent)
		}
	}
	for condition, want := range map[string]string{
		"z > 1": `t.csv: "z > 1": there is no column "z"`, "a>1": "want `COLUMN OP VALUE`",
		"b > x": `"x" is not a number`,
		"a > 9": "no row meets",
	} {
		_, err := table.Where([]string{condition})
		errtest.Case(t, condition).Contains(err, want)
	}
}

// Disjoint conditions require different values of a column. Everything else may overlap.
func TestDisjoint(t *testing.T) {
	for conditions, want := range map[string]bool{
		"site = a | site = b":              true,
		"x > 0 & site = a | site = b":      true,
		"site = a & x = 1 | x = 2 & y = 1": true,
		"site = a | site = a":              false,
		"site = a | x = b":                 false,
		"site = a | site != a":             false, // only = counts
		"x < 1 | x > 2":                    false,
		"site = a & x = 1 | site = a":      false,
	} {
		first, second, _ := strings.Cut(conditions, " | ")
		a, b := EqualitiesOf(strings.Split(first, " & ")), EqualitiesOf(strings.Split(second, " & "))
		if Disjoint(a, b) != want || Disjoint(b, a) != want {
			t.Errorf("%s: want %t", conditions, want)
		}
		if Disjoint(a, nil) || Disjoint(nil, b) {
			t.Errorf("%s: all rows overlap with the rows that satisfy a condition", conditions)
		}
	}
}

// No row satisfies two disjoint conditions, whatever the notation of numbers and missing values.
func TestDisjointConditionsShareNoRow(t *testing.T) {
	values := []string{"1", "1.0", "1,0", "01", "1e0", "2", "a", "?", "NA"}
	for _, text := range []string{"x;y\n1;0,5\n1,0;0\n2;0\n?;0\n;0\n", "x,y\n1,0.5\n1.0,0\n01,0\na,0\n?,0\n"} {
		table, err := ReadTable(strings.NewReader(text), "t.csv", Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range values {
			for _, w := range values {
				a, b := "x = "+v, "x = "+w
				both, err := table.Where([]string{a, b})
				if err == nil && Disjoint(EqualitiesOf([]string{a}), EqualitiesOf([]string{b})) {
					t.Errorf("%q: %d rows satisfy both %s and %s", text, both.N(), a, b)
				}
			}
		}
	}
}

func TestAppend(t *testing.T) {
	read := func(name, text string) *Table {
		table, err := ReadTable(strings.NewReader(text), name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	a := read("a.csv", "x,y,c\n1,u,p\n")
	isOptional := func(column string) bool { return column == "more" || column == "other" }
	joined, err := a.Append(read("b.csv", "c;y;x\nq;?;2,5\nq;;bad\n"), isOptional)
	if err != nil {
		t.Fatal(err)
	}
	_, err = joined.Set(Options{Numeric: []string{"x"}})
	errtest.HasPrefix(t, err, `b.csv: row 3, column "x": "bad" is not a number`)
	joined.rows = joined.rows[:2]
	if s, err := joined.Set(Options{}); err != nil ||
		datasettest.Show(s) != `x:0[] y:1["u"] | ["p" "q"] | [1 0]>0 [2.5 NaN]>1` {
		t.Errorf("%v %s", err, datasettest.Show(s))
	}
	joined, err = read("a.csv", "more,x,c\n7,1,p\n").Append(read("b.csv", "x,c,other\n2,q,8\n"), isOptional)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := joined.Set(Options{Drop: []string{"more"}}); err != nil ||
		datasettest.Show(s) != `x:0[] other:0[] | ["p" "q"] | [1 NaN]>0 [2 8]>1` {
		t.Errorf("%v %s", err, datasettest.Show(s))
	}
	for text, want := range map[string]string{
		"x,c\n1,p\n":         `b.csv: row 1, column "y": a.csv has this column, but this file does not`,
		"x,y,z,c\n1,1,1,p\n": `b.csv: row 1, column "z": a.csv has no such column`,
	} {
		_, err := a.Append(read("b.csv", text), isOptional)
		errtest.HasPrefix(t, err, want)
	}
}

// A data set that is written with its schema is read again unchanged, whatever its levels look like and
// whether or not they have rows.
func TestSchemaKeepsKindsLevelsAndClasses(t *testing.T) {
	s := readText(t, "a,b,n,class\n1,x,0.5,10\n2,?,NA,9\n1,y,3,10\n", Options{Discrete: []string{"a"}})
	s.Attributes[0].Levels = []string{"2", "1", "7"}
	s.Classes = []string{"never", "10", "9"}
	path := filepath.Join(t.TempDir(), "s.csv")
	var csv, schema bytes.Buffer
	if err := Write(&csv, s, ClassColumn); err != nil {
		t.Fatal(err)
	}
	if err := WriteSchema(&schema, s, ClassColumn); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{path: csv.Bytes(), SchemaFile(path): schema.Bytes()} {
		filetest.Write(t, name, string(text))
	}
	again, err := ReadFile(path, Options{})
	if err != nil || datasettest.Show(again) != datasettest.Show(s) {
		t.Errorf("%v\ngot  %s\nwant %s", err, datasettest.Show(again), datasettest.Show(s))
	}
	filetest.Write(t, SchemaFile(path), "{")
	_, err = ReadFile(path, Options{})
	errtest.Contains(t, err, "s.schema.json: the file is not a valid table schema")
}

// A header of 10^5 columns, all declared, is read and written; a search through all names for each column
// would take minutes.
func TestWideFiles(t *testing.T) {
	const d = 100_000
	var head, row strings.Builder
	drop := make([]string, 0, d/2)
	for j := range d {
		fmt.Fprintf(&head, "column%d,", j)
		row.WriteString("1.5,")
		if j%2 == 0 {
			drop = append(drop, fmt.Sprintf("column%d", j))
		}
	}
	text := head.String() + "class\n" + row.String() + "a\n" + row.String() + "b\n"
	s := readText(t, text, Options{Discrete: drop})
	test := readText(t, text, Options{Train: s})
	var out bytes.Buffer
	if err := Write(&out, test, ClassColumn); err != nil || test.D() != d {
		t.Fatal(err, test.D())
	}
}
