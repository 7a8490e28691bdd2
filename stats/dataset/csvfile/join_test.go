package csvfile

import (
	"fmt"
	"strings"
	"testing"
)

func TestJoin(t *testing.T) {
	read := func(name, text string) *Table {
		table, err := ReadTable(strings.NewReader(text), name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	const visits = "id,day,x,class\n7,1,0.5,a\n8,1,1.5,b\n7,2,2.5,a\n"
	for _, c := range []struct {
		other     string
		on        string
		unmatched Unmatched
		want      string // header and rows
	}{
		{"id,z\n8,20\n7,10\n", "id", RefuseUnmatched, "id,day,x,class,z|7,1,0.5,a,10|8,1,1.5,b,20|7,2,2.5,a,10"},
		{"z;id\n20,5;8\n10;7\n", "id", RefuseUnmatched, "id,day,x,class,z|7,1,0.5,a,10|8,1,1.5,b,20.5|7,2,2.5,a,10"},
		{"day,z,id\n2,3,7\n1,2,8\n1,1,7\n", "id day",
			RefuseUnmatched, "id,day,x,class,z|7,1,0.5,a,1|8,1,1.5,b,2|7,2,2.5,a,3"},
		{"id,z\n7,?\n9,30\n", "id", DropUnmatched, "id,day,x,class,z|7,1,0.5,a,|7,2,2.5,a,"},
		{"id,z\n7,10\n9,30\n", "id", MissingUnmatched, "id,day,x,class,z|7,1,0.5,a,10|8,1,1.5,b,|7,2,2.5,a,10"},
	} {
		joined, err := read("visits.csv", visits).Join(read("other.csv", c.other), strings.Fields(c.on), c.unmatched)
		if err != nil {
			t.Errorf("%q: %v", c.other, err)
			continue
		}
		got := strings.Join(joined.Header(), ",")
		for _, row := range joined.rows {
			var cells []string
			for j := range joined.header {
				cells = append(cells, row.at(j))
			}
			got += "|" + strings.Join(cells, ",")
		}
		if got != c.want {
			t.Errorf("%q: %s\nwant %s", c.other, got, c.want)
		}
	}
	for want, c := range map[string]struct {
		other     string
		unmatched Unmatched
	}{
		`visits.csv: row 3, column "id": other.csv has no row of ["8"]; unmatched: drop leaves`: {"id,z\n7,10\n",
			RefuseUnmatched},
		`other.csv: row 4, column "id": visits.csv has no row of ["9"]`: {"id,z\n7,10\n8,1\n9,1\n", RefuseUnmatched},
		`other.csv: row 3, column "id": ["7"] is in row 2, too`:         {"id,z\n7,10\n7,11\n8,1\n", DropUnmatched},
		`other.csv: row 1, column "x": visits.csv has this column, too`: {"id,x\n7,10\n8,1\n",
			RefuseUnmatched},
		`other.csv: row 1, column "id": there is no such column`: {"key,z\n7,10\n8,1\n",
			RefuseUnmatched},
		`other.csv: row 3, column "id": the value is missing`: {"id,z\n7,10\n?,1\n",
			RefuseUnmatched},
		`visits.csv: no row has a counterpart in other.csv by id`: {"id,z\n1,10\n",
			DropUnmatched},
	} {
		_, err := read("visits.csv", visits).Join(read("other.csv", c.other), []string{"id"}, c.unmatched)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v\nwant %s", c.other, err, want)
		}
	}
	if a, b := fmt.Sprint("a"+keySeparator+"b"), "ab"; words(a) == words(b) {
		t.Errorf("%s and %s are one key", a, b)
	}
}
