package data

import (
	"bytes"
	"encoding/csv"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"copse/internal/errtest"
	"copse/stats/dataset"
	"copse/stats/dataset/csvfile"
)

// localStore returns a store with the data sets of the papers: COPSE_DATA or shared/data next to the project.
func localStore(t *testing.T) *Store {
	t.Helper()
	for _, folder := range []string{os.Getenv("COPSE_DATA"), filepath.Join("..", "..", "..", "shared", "data")} {
		if _, err := os.Stat(filepath.Join(folder, "sonar.csv")); folder != "" && err == nil {
			return &Store{Folders: []string{folder}}
		}
	}
	t.Skip("SKIPPED: no real data sets here; set COPSE_DATA to their folder")
	return nil
}

func TestRegistry(t *testing.T) {
	hex := regexp.MustCompile(`^[0-9a-f]{64}$`)
	for _, name := range Names() {
		s, _ := Lookup(name)
		total := 0
		for _, n := range s.Classes {
			total += n
		}
		if s.Title == "" || s.Licence == "" || len(s.Papers) == 0 || total != s.Rows || len(s.Attributes) == 0 {
			t.Errorf("%s: incomplete, or %d rows in classes of %d", name, s.Rows, total)
		}
		for _, d := range s.Discrete {
			if !slices.Contains(s.Attributes, d) {
				t.Errorf("%s: no attribute %q", name, d)
			}
		}
		known := hex.MatchString(s.SHA256) ||
			s.SHA256 == "" && s.Source != nil && hex.MatchString(s.Source.FileSHA256)
		if !known {
			t.Errorf("%s: no sum tells its content", name)
		}
		if (s.WhyNotFetched() == "") != (s.Source != nil && len(s.Source.Archives) > 0) {
			t.Errorf("%s: an address and a reason why there is none, or neither", name)
		}
		if s.Restricted != "" && s.Source != nil {
			t.Errorf("%s: restricted, with a source", name)
		}
		if s.Source != nil {
			if _, err := s.columns(); err != nil {
				t.Error(err)
			}
		}
	}
}

// The sets inside the program are free and small, and have the registered checksums.
func TestSmallSets(t *testing.T) {
	files, err := small.ReadDir("small")
	if err != nil || len(files) != 3 {
		t.Fatal(files, err)
	}
	empty := &Store{Folders: []string{t.TempDir()}}
	for _, f := range files {
		name := f.Name()[:len(f.Name())-len(".csv")]
		s, ok := Lookup(name)
		c, err := empty.Find(name)
		if !ok || err != nil || c.SHA256 != s.SHA256 || s.Licence != "CC BY 4.0" || len(c.Text) > 1<<16 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Every registered CSV has the properties in the registry. Reading and writing it does not change it.
func TestFactsOfTheSets(t *testing.T) {
	store := localStore(t)
	for _, name := range Names() {
		s, _ := Lookup(name)
		if s.SHA256 == "" || testing.Short() && s.Rows > 5000 {
			continue
		}
		c, err := store.Find(name)
		if err != nil {
			t.Error(err)
			continue
		}
		set, err := csvfile.Read(bytes.NewReader(c.Text), name, csvfile.Options{Schema: c.Schema})
		if err != nil {
			t.Error(err)
			continue
		}
		counts := map[string]int{}
		for k, n := range set.Counts() {
			counts[set.Classes[k]] = n
		}
		var names []string
		discrete := 0
		for _, a := range set.Attributes {
			names = append(names, a.Name)
			discrete += int(a.Kind)
		}
		incomplete := 0
		for i := range set.N() {
			if slices.ContainsFunc(set.X.RawRowView(i), func(v float64) bool { return v != v }) {
				incomplete++
			}
		}
		if set.N() != s.Rows || !slices.Equal(names, s.Attributes) || !maps.Equal(counts, s.Classes) ||
			incomplete != s.Incomplete ||
			discrete != len(s.Discrete) {
			t.Errorf(
				"%s: %d rows, %d of them incomplete, classes %v, %d discrete attributes",
				name,
				set.N(),
				incomplete,
				counts,
				discrete,
			)
		}
		checkRoundTrip(t, name, set)
	}
}

// Two registered sets have rows in common if and only if each of them lists the other under shares_rows. Rows are
// compared in the attributes that both sets have.
func TestSetsThatShareRows(t *testing.T) {
	store := localStore(t)
	type rows struct {
		header []string
		values [][]string
	}
	contents := map[string]rows{}
	for _, name := range Names() {
		if c, err := store.Find(name); err == nil {
			header, _, _ := strings.Cut(string(c.Text), "\n")
			contents[name] = rows{strings.Split(header, ","), rowsOf(t, c.Text)}
		}
	}
	// attributes returns the set of the rows, reduced to some columns.
	attributes := func(name string, columns []string) map[string]bool {
		reduced := map[string]bool{}
		for _, row := range contents[name].values {
			var values []string
			for _, column := range columns {
				values = append(values, row[slices.Index(contents[name].header, column)])
			}
			reduced[strings.Join(values, ",")] = true
		}
		return reduced
	}
	const fewest = 5 // attributes; rows that agree in fewer can be different
	for a := range contents {
		for b := range contents {
			first, _ := Lookup(a)
			second, _ := Lookup(b)
			isOther := func(column string) bool { return !slices.Contains(second.Attributes, column) }
			common := slices.DeleteFunc(slices.Clone(first.Attributes), isOther)
			if a >= b || len(common) < fewest {
				continue
			}
			shared := 0
			inB := attributes(b, common)
			for row := range attributes(a, common) {
				if inB[row] {
					shared++
				}
			}
			firstLists, secondLists := slices.Contains(first.SharesRows, b), slices.Contains(second.SharesRows, a)
			if sharesRows := shared > 0; firstLists != sharesRows || secondLists != sharesRows {
				t.Errorf("%s and %s: %d common rows; %s lists %s: %t; %s lists %s: %t", a, b, shared,
					a, b, firstLists, b, a, secondLists)
			}
		}
	}
}

func checkRoundTrip(t *testing.T, name string, set *dataset.Set) {
	var text bytes.Buffer
	if err := csvfile.Write(&text, set, csvfile.ClassColumn); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	again, err := csvfile.Read(&text, name, csvfile.Options{Schema: csvfile.SchemaOf(set, csvfile.ClassColumn)})
	if err != nil || dataset.Fingerprint(again) != dataset.Fingerprint(set) ||
		!slices.Equal(again.Classes, set.Classes) {
		t.Errorf("%s: written and read back it is another sample: %v", name, err)
		return
	}
	for j, a := range set.Attributes {
		if b := again.Attributes[j]; a.Name != b.Name || a.Kind != b.Kind || !slices.Equal(a.Levels, b.Levels) {
			t.Errorf("%s: attribute %v comes back as %v", name, a, b)
		}
	}
}

// rowsOf reads the rows of a registered CSV without its header.
func rowsOf(t *testing.T, text []byte) [][]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// MiniBooNE's file begins with a line of the numbers of rows of each class; rows without a class follow. A
// different number of rows is an error.
func TestCountedClasses(t *testing.T) {
	mini, _ := Lookup("miniboone")
	s := *mini
	s.Attributes = []string{"p01", "p02"}
	csv, err := s.csv([][]byte{[]byte("  1 2\n 0.10e+01  -0.999000E+03\n2 3.50\n4 0\n")})
	if want := "p01,p02,class\n1,-999,signal\n2,3.5,background\n4,0,background\n"; err != nil || string(csv) != want {
		t.Errorf("%v %q", err, csv)
	}
	for text, want := range map[string]string{
		"1 0\n1 2\n3 4\n": "2 rows, but line 1 states 1", "1\n": "1 numbers, but needs one for each",
		"a b\n": "is not a valid number of rows", "1 1\n1 2\n1 x\n": "not a number",
		"2 1\n1 2\n": "1 rows, but line 1 states 3",
	} {
		_, err := s.csv([][]byte{[]byte(text)})
		errtest.Case(t, text).Contains(err, want)
	}
}

// Reading any file gives rows of equal width or an error.
func FuzzARFF(f *testing.F) {
	f.Add([]byte(arffText))
	f.Add([]byte("@attribute 'a {1,2}\n@data\n'"))
	f.Fuzz(func(t *testing.T, text []byte) {
		table, err := parseARFF(bytes.NewReader(text))
		if err != nil {
			return
		}
		for _, row := range table.rows {
			if len(row) != len(table.fields) {
				t.Fatalf("%d cells for %d attributes", len(row), len(table.fields))
			}
		}
	})
}
