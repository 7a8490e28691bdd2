package data

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/stats/dataset/csvfile"
)

// readColumn reads a file with 30 rows and the columns x, y and class. cell returns the text of x in a row. y is the
// square of the row.
func readColumn(t *testing.T, q Request, cell func(row int) string) (*File, error) {
	t.Helper()
	text := "x;y;class\n"
	for i := range 30 {
		text += fmt.Sprintf("%s;%d;%c\n", cell(i), i*i, 'a'+i%2)
	}
	return readCSV(t, q, text)
}

func readCSV(t *testing.T, q Request, text string) (*File, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.csv")
	filetest.Write(t, path, text)
	q.CSV = []string{filepath.ToSlash(path)}
	return NewReader("").Read(&q)
}

// readText reads a CSV file with the given text.
func readText(t *testing.T, text string) *File {
	t.Helper()
	f, err := readCSV(t, Request{}, text)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A file has the wanted remark, or none at all. A number with four digits after its mark has no remark on thousands.
func TestRemarksOnFiles(t *testing.T) {
	thousands := func(mark, other string) string { // the second column has numbers such as 950 and 1.100
		text := "y;x;class\n" + other + ";950;a\n"
		for i := range 5 {
			text += fmt.Sprintf("%d;%d%s100;%c\n", i*i%7, 1+i*i, mark, 'a'+i%2)
		}
		return text
	}
	const likeThousands = `in column "x", all numbers with a point or comma have three digits after it, such as 1`
	commas := strings.ReplaceAll(thousands(".", "1"), ";", ",")
	for text, want := range map[string]string{
		thousands(".", "1"):   likeThousands + ".100: if it separates thousands, write 1100",
		thousands(",", "1"):   likeThousands + ",100: if it separates thousands, write 1100",
		thousands(",", "1,5"): likeThousands + ",100: if it separates thousands, write 1100",
		commas:                "", // a file with commas has decimal points
		"x,class\n1,\u00fc\n2,u\u0308\n7,\u00fc\n9,u\u0308\n": `classes "u\u0308" and "\u00fc" look equal, ` +
			"but differ in their Unicode characters: if they are one class, join them with merge",
		"x,y,class\n1,X,u\n2,x,v\n7,x,u\n9,Y,v\n8,y,v\n": `column "y": the levels "X" and "x" differ in upper and ` +
			"lower case only (1 of 2 pairs): if they mean the same, correct the file",
		"x,y,class\n1,TRUE,u\n2,yes,v\n7,true,u\n": `column "y": the levels "TRUE" and "true" differ in upper and`,
		"x,y,z,class\n1,r,r,u\n2,s,s,v\n7,s,s,u\n": `"z" has the same values as "y": to remove it, add it to drop`,
		"x,y,z,class\n1,r,r,u\n2,s,t,v\n7,s,t,u\n": "", // other levels
		"x,y,class\n,1,u\n2,2,v\n7,7,u\n5,5,v\n":   "", // y lacks no value
		"x,class\n01001,u\n9022,v\n30003,u\n":      `column "x" has numbers with leading zeros, such as 01001: if`,
		"x,class\n0.5,u\n0,v\n1,u\n":               "",
		"x,class\n-999,u\n2,v\n7,u\n-999,v\n": `"x" has the value -999 in 2 rows, far from all other values: if it ` +
			"marks missing values, list it and all other marks, such as NA, under missing_marks",
		"x,class\n99,u\n2,v\n7,u\n99,v\n":         `"x" has the value 99 in 2 rows, far from all other values: if`,
		"x,class\n99,u\n2,v\n80,u\n99,v\n":        "", // near other values
		"x,class\n99,u\n2,v\n7,u\n3,v\n":          "", // once
		"x,class\n90,u\n2,v\n7,u\n90,v\n":         "",
		"x,class\n1,\u00fc\n2,u\n7,\u00fc\n9,u\n": "",
	} {
		remarks := strings.Join(readText(t, text).Remarks(0, math.MaxInt), "\n")
		if !strings.Contains(remarks, want) || want == "" && remarks != "" {
			t.Errorf("%q: %s, want %s", text, remarks, want)
		}
	}
	if remarks := readText(t, thousands(".2", "1")).Remarks(0, math.MaxInt); len(remarks) != 1 { // on the separator
		t.Errorf("four digits: %q", remarks)
	}
}

// Texts that make a column of numbers discrete may mark missing values. The remark takes the place of the remark on
// identifiers. A column without any value gets a remark, too.
func TestRemarksOnMissingValues(t *testing.T) {
	mixed := func(number string, texts ...string) func(int) string { // every third cell is a text
		return func(i int) string {
			if i%3 == 0 {
				return texts[i/3%len(texts)]
			}
			return fmt.Sprintf(number, i)
		}
	}
	declared := Request{Files: Files{Discrete: []string{"x"}}}
	level := Request{Files: Files{MissingLevel: true}}
	for _, c := range []struct {
		q    Request
		cell func(int) string
		want string // remarks on x
	}{
		{Request{}, mixed("%d", "unknown"),
			`"x" is discrete because of "unknown", although its other levels are numbers: ` +
				"if this marks missing values, list it and all other marks, such as NA, under missing_marks; " +
				"otherwise, list the column under discrete"},
		{Request{}, mixed("0,%d", "n/a", "-"), `"x" is discrete because of "-" and "n/a", although its other`},
		{Request{}, mixed("%d", "a", "b", "c", "d"), `"x" has 24 levels in 30 rows and may be a date`},
		{declared, mixed("%d", "unknown"), `"x" has 21 levels in 30 rows and may be a date`},
		{level, mixed("%d", "unknown", ""), `"x" is discrete because of "unknown", although its other levels are`},
		{Request{}, func(int) string { return "" }, `columns without any value: "x"; add them to drop`},
	} {
		f, err := readColumn(t, c.q, c.cell)
		if err != nil {
			t.Fatal(err)
		}
		onX := slices.DeleteFunc(f.Remarks(0, math.MaxInt), func(s string) bool { return !strings.Contains(s, `"x"`) })
		if len(onX) != 1 || !strings.HasPrefix(onX[0], c.want) {
			t.Errorf("%q, want %q", onX, c.want)
		}
	}
}

// A column that a schema declares discrete has no remark on texts among its numbers. If the study declares the
// class or all other columns discrete, the classes stay in the order of the schema.
func TestNoRemarkOnTextsOfASchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	for file, text := range map[string]string{
		path: "x,class\n" + strings.Repeat("1,a\n2,b\n3,a\nother,b\n", 3),
		csvfile.SchemaFile(path): `{"fields": [{"name": "x", "type": "string"}, {"name": "class", "type": "string", ` +
			`"categories": ["b", "a"]}]}`,
	} {
		filetest.Write(t, file, text)
	}
	for _, declared := range []string{"class", "*"} {
		files := Files{CSV: []string{filepath.ToSlash(path)}, Discrete: []string{declared}}
		f, err := NewReader("").Read(&Request{Files: files})
		if err != nil {
			t.Fatal(err)
		}
		if remarks := f.Remarks(0, math.MaxInt); len(remarks) > 0 || !slices.Equal(f.Rows.Classes, []string{"b", "a"}) {
			t.Errorf("%s: remarks %q, classes %q", declared, remarks, f.Rows.Classes)
		}
	}
}

// If no row is complete, the error names the column without any value.
func TestDropMissingLeavesNoRow(t *testing.T) {
	_, err := readColumn(t, Request{Files: Files{DropMissing: true}}, func(int) string { return "" })
	want := `t.csv: every row has missing values ("x" in 30 of 30 rows); list the columns with the most `
	errtest.Contains(t, err, want)
}

// Levels that occur only in test rows get a remark.
func TestRemarkOnLevelsOfTestRows(t *testing.T) {
	f, err := readColumn(t, Request{}, func(i int) string { return []string{"a", "b", "c"}[i/10] })
	if err != nil {
		t.Fatal(err)
	}
	f.Test = make([]int, f.Rows.N())
	for i := 15; i < f.Rows.N(); i++ {
		f.Test[i] = 1
	}
	want := []string{`test rows with levels of "x" that no training row has, such as "c": 10; all fits ` +
		"count these levels among the levels of this column"}
	if got := f.testLevelRemarks(); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// Describe lists all columns and remarks if requested, and otherwise counts those that it omits.
func TestDescribeAll(t *testing.T) {
	header, row := "", ""
	for j := range 12 {
		header += fmt.Sprintf("x%d,", j)
		row += "1,"
	}
	text := header + "class\n"
	for c := range 12 {
		text += strings.Repeat(fmt.Sprintf("%s%c\n", row, 'a'+c), 2)
	}
	f := readText(t, text)
	const folds = 5
	for most, want := range map[int][]string{
		MaxListed:   {`"x7" and 4 more`, `"h" (2) and 4 more`, "further remarks: 5 (copse check --details lists them)"},
		math.MaxInt: {`"x11"`, `"l" (2)`, `remark: class "l" has fewer rows (2) than`},
	} {
		got := strings.Join(f.Describe("t.csv", "", folds, most), "\n")
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("at most %d columns: no %q in\n%s", most, part, got)
			}
		}
	}
}

// A class may have many rows, but fewer groups than there are folds. Class a occurs in three groups and class b
// in four.
func TestRemarkOnClassesInFewGroups(t *testing.T) {
	text := "g,x,class\n" + strings.Repeat("p,1,a\np,2,b\n", 5) + "q,3,a\nr,4,a\ns,5,b\nt,6,b\nu,7,b\n"
	f, err := readCSV(t, Request{Groups: "g"}, text)
	if err != nil {
		t.Fatal(err)
	}
	const onA = `class "a" has fewer groups (3) than there are folds (4): some test sets have no row of this class`
	for folds, want := range map[int][]string{3: nil, 4: {onA}} {
		if got := f.classRemarks(folds); !slices.Equal(got, want) {
			t.Errorf("%d folds: %q, want %q", folds, got, want)
		}
	}
}

// A level with an invisible character looks like another one.
func TestRemarkOnInvisibleCharacters(t *testing.T) {
	for character, want := range map[string]bool{"é": false, " ": false, "\u200b": true, "\x00": true, "\u00a0": true} {
		f, err := readColumn(t, Request{}, func(i int) string {
			return []string{"red", "blue", "re" + character + "d"}[i%3]
		})
		if err != nil {
			t.Fatal(err)
		}
		remark := fmt.Sprintf(`"x" contains an invisible character in %q`, "re"+character+"d")
		if got := strings.Join(f.Remarks(0, MaxListed), "\n"); strings.Contains(got, remark) != want {
			t.Errorf("%q: remarks %q", character, got)
		}
	}
}

// Describe states how many rows are kept if the study leaves out some of them.
func TestDescribeKeptRows(t *testing.T) {
	for condition, want := range map[string]bool{"y >= 0": false, "y > 0": true} { // y is 0 in one of 30 rows
		f, err := readColumn(t, Request{Files: Files{Where: []string{condition}}}, func(int) string { return "a" })
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Join(f.Describe("t.csv", "", 0, MaxListed), "\n")
		if strings.Contains(got, "  kept: 29 of 30 rows\n") != want || strings.Contains(got, "kept") != want {
			t.Errorf("%s: %s", condition, got)
		}
	}
}
