package data

import (
	"archive/zip"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"copse/stats/dataset/csvfile"
)

// originals writes a file from which the recipe of the set makes this CSV. It inverts the recipe and adds
// values in dropped columns, trailing zeros and CRLF.
func originals(t *testing.T, s *Set, rows [][]string) [][]byte {
	t.Helper()
	columns, err := s.columns()
	if err != nil {
		t.Fatal(err)
	}
	texts := make([][]byte, len(s.Source.Files))
	for k := range texts {
		part := rows[k*len(rows)/len(texts) : (k+1)*len(rows)/len(texts)]
		texts[k] = original(s, columns, part)
	}
	return texts
}

func original(s *Set, columns []string, rows [][]string) []byte {
	var b strings.Builder
	r := s.Source
	separator := map[string]string{"": ",", "arff": ",", "blanks": "  "}[r.Format]
	if r.Separator != "" {
		separator = r.Separator
	}
	switch {
	case r.Format == "arff":
		b.WriteString("% a comment\n@RELATION 'some data'\n\n")
		for _, a := range s.Attributes {
			fmt.Fprintf(&b, "@attribute '%s' NUMERIC\n", a)
		}
		fmt.Fprintf(&b, "@attribute class {Abnormal, 'Normal'}\n@data\n")
	case r.Header:
		b.WriteString("\"" + strings.Join(columns, "\""+separator+"\"") + "\"\r\n")
	case r.Comment != "":
		b.WriteString(r.Comment + " some remark\n")
	}
	if r.Counted != nil {
		counts := make([]int, len(r.Counted))
		for _, row := range rows {
			counts[slices.Index(r.Counted, row[len(row)-1])]++
		}
		fmt.Fprintln(&b, strings.Trim(fmt.Sprint(counts), "[]"))
		columns = columns[:len(columns)-1]
	}
	for _, row := range rows {
		cells := make([]string, len(columns))
		for j, column := range columns {
			cells[j] = originalCell(s, row, column)
		}
		b.WriteString(strings.Join(cells, separator) + "\r\n")
	}
	return []byte(b.String() + "\n")
}

func originalCell(s *Set, row []string, column string) string {
	r := s.Source
	at := slices.Index(s.Attributes, column)
	switch {
	case column == csvfile.ClassColumn:
		label := row[len(row)-1]
		if r.Underscores {
			label = strings.ReplaceAll(label, "_", " ")
		}
		if r.CutClass != "" {
			label += r.CutClass + "77"
		}
		return label
	case column == r.LettersColumn && at < 0:
		return "\t\t" + strings.Join(row[:len(row)-1], "")
	case at < 0:
		return "decoy"
	}
	cell := row[at]
	switch {
	case cell == "":
		return "?"
	case r.NonIntegers != nil && !slices.Contains(r.NonIntegers, column):
		return cell + ".0"
	case r.LeadingZeros && strings.Trim(cell, "0123456789") == "":
		return "00" + cell
	case r.NumberFormat != "" && strings.Contains(cell, ".") && !strings.Contains(cell, "e"):
		return cell + "00"
	}
	return cell
}

func zipped(t *testing.T, names []string, texts [][]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for k, name := range names {
		f, err := w.Create("folder/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(texts[k]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Every recipe makes the registered CSV from the documented form of its source, in a zip and, if possible, as
// a single file. The test cannot know whether the archives have this form; downloads are compared with
// checksums.
func TestRecipesGiveTheCSVsOfRecord(t *testing.T) {
	store := localStore(t)
	for _, name := range Names() {
		s, _ := Lookup(name)
		if s.Source == nil || s.SHA256 == "" || testing.Short() && s.Rows > 5000 {
			continue
		}
		c, err := store.Find(name)
		if err != nil {
			t.Error(err)
			continue
		}
		texts := originals(t, s, rowsOf(t, c.Text))
		if csv, err := s.fromOriginal(zipped(t, s.Source.Files, texts), 1<<29); err != nil ||
			!bytes.Equal(csv, c.Text) {
			t.Errorf("%s from a zip: %v", name, err)
		}
		_, err = s.fromOriginal(texts[0], 1<<29)
		if single := len(texts) == 1; single != (err == nil) {
			t.Errorf("%s from one file of %d: %v", name, len(texts), err)
		}
	}
}
