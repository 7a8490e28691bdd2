package data

import (
	"bytes"
	"context"
	"crypto/md5"
	"fmt"
	"strings"
	"testing"

	parquet "github.com/parquet-go/parquet-go"

	"copse/stats/dataset"
	"copse/stats/dataset/csvfile"
)

const arffText = `% made up
@RELATION "two kinds"
@attribute 'row id' INTEGER
@attribute Size real
@attribute Colour {red, 'light blue', "it\'s"}
@attribute note string
@attribute Kind {b, a}
@data
1, 1.50, red, 'x, y', a
2, ?, 'light blue', z, b
3, -2e3, "it's", ?, a
`

type parquetRow struct {
	ID     int64    `parquet:"row id"`
	Size   *float64 `parquet:"Size,optional"`
	Colour string   `parquet:"Colour"`
	Note   *string  `parquet:"note,optional"`
	Kind   string   `parquet:"Kind"`
}

func parquetText(t *testing.T) []byte {
	t.Helper()
	size, low, x, z := 1.5, -2e3, "x, y", "z"
	var b bytes.Buffer
	err := parquet.Write(
		&b,
		[]parquetRow{{1, &size, "red", &x, "a"}, {2, nil, "light blue", &z, "b"}, {3, &low, "it's", nil, "a"}},
	)
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A set of OpenML comes as ARFF with its published sum, or else as Parquet.
func TestOpenML(t *testing.T) {
	about := func(extra string) []byte {
		return fmt.Appendf(
			nil,
			`{"data_set_description": {"id": "77", "name": "two", "default_target_attribute": "Kind", `+
				`"row_id_attribute": "row id", "ignore_attribute": ["note"], %s}}`,
			extra,
		)
	}
	const want = "Size,Colour,Kind\n1.50,red,a\n,light blue,b\n-2e3,it's,a\n"
	right := fmt.Sprintf("%x", md5.Sum([]byte(arffText)))
	both := `"url": "https://o/two.arff", "parquet_url": "https://o/two.pq", "md5_checksum": "` + right + `"`
	for name, c := range map[string]struct {
		files map[string][]byte
		want  string
		fails string
	}{
		"arff": {map[string][]byte{"/api/v1/json/data/77": about(both), "/two.arff": []byte(arffText)},
			want, ""},
		"parquet": {map[string][]byte{"/api/v1/json/data/77": about(both), "/two.pq": parquetText(t)},
			strings.NewReplacer("1.50", "1.5", "-2e3", "-2000").Replace(want), ""},
		"changed": {map[string][]byte{"/api/v1/json/data/77": about(both), "/two.arff": []byte(arffText + "%"),
			"/two.pq": parquetText(t)}, "", "published is " + right},
		"damaged": {map[string][]byte{"/api/v1/json/data/77": about(both), "/two.arff": []byte(arffText + "%"),
			"/two.pq": parquetText(t)[:99]}, "", "published is " + right},
		"no such number": {nil, "", "404"},
		"no description": {map[string][]byte{"/api/v1/json/data/77": []byte(`{"error": {}}`)}, "", "no description"},
		"no class": {map[string][]byte{"/api/v1/json/data/77": []byte(`{"data_set_description": {"name": "two"}}`)}, "",
			"names no class column"},
	} {
		t.Run(name, func(t *testing.T) {
			server := archiveServer(c.files)
			defer server.Close()
			store := without(t)
			got, err := store.Fetch(context.Background(), quick(t, server), "openml:77")
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Error(err)
				}
				return
			}
			if err != nil || string(got.Text) != c.want {
				t.Fatalf("%v, %+v", err, got)
			}
			if checked := got.MD5 == right; checked != (name == "arff") {
				t.Errorf("MD5 %q", got.MD5)
			}
			s, err := csvfile.Read(bytes.NewReader(got.Text), "two", csvfile.Options{Schema: got.Schema})
			if err != nil || s.D() != 2 || s.Attributes[0].Kind != dataset.Numeric ||
				s.Attributes[1].Kind != dataset.Discrete ||
				s.C() != 2 {
				t.Errorf("%v %+v", err, s)
			}
			if name == "arff" && (s.Classes[0] != "b" || s.Attributes[1].Levels[2] != "it's") {
				t.Errorf("the declared order is lost: %q %q", s.Classes, s.Attributes[1].Levels)
			}
		})
	}
}

func TestARFFRefuses(t *testing.T) {
	head := "@relation x\n@attribute a numeric\n@attribute c {p,q}\n@data\n"
	for text, want := range map[string]string{
		"":                    "not an ARFF file",
		"<html>":              "is no part of a header",
		"@attribute a date\n": `line 1: attribute "a": the type "date" is not read`,
		"@attribute a {p\n":   "has no end",
		head + "{0 1}\n":      "line 5: sparse rows are not read",
		head + "1\n":          "line 5: 1 cells for 2 attributes",
		head + "1,'p\n":       "line 5: a quotation has no end",
		head + "'1' 2,p\n":    "line 5: expected a comma",
	} {
		if _, err := parseARFF(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
