package data

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"testing"

	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/stats/dataset/csvfile"
)

// archiveServer serves files by the path of their address.
func archiveServer(t *testing.T, files map[string][]byte) *httptest.Server {
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		if text, ok := files[r.URL.Path]; ok {
			w.Write(text)
		} else {
			http.NotFound(w, r)
		}
	})
}

const (
	irisZip    = "/static/public/53/iris.zip"
	irisFolder = "/ml/machine-learning-databases/iris/iris.data"
)

// irisOriginal returns iris.data, made from the CSV inside the program.
func irisOriginal(t *testing.T) (csv, original []byte) {
	t.Helper()
	csv, err := small.ReadFile("small/iris.csv")
	if err != nil {
		t.Fatal(err)
	}
	s, _ := Lookup("iris")
	return csv, originals(t, s, rowsOf(t, csv))[0]
}

// without removes iris from the sets inside the program.
func without(t *testing.T) *Store { return &Store{Folders: []string{t.TempDir()}, ignoreBuiltin: true} }

func TestFetch(t *testing.T) {
	csv, original := irisOriginal(t)
	zip := zipped(t, []string{"iris.names", "iris.data"}, [][]byte{[]byte("about"), original})
	damaged := bytes.Replace(original, []byte("5.1,3.5"), []byte("5.7,3.5"), 1)
	for name, c := range map[string]struct {
		files map[string][]byte
		want  []string // what the error says; none: fetched
	}{
		"archive of record":            {map[string][]byte{irisZip: zip}, nil},
		"older address":                {map[string][]byte{irisFolder: original}, nil},
		"nowhere":                      {nil, []string{"iris.zip: 404", "iris.data: 404", "copse data add"}},
		"zip cut short, older address": {map[string][]byte{irisZip: zip[:len(zip)/2], irisFolder: original}, nil},
		"other content": {map[string][]byte{irisZip: zipped(t, []string{"iris.data"}, [][]byte{damaged}),
			irisFolder: damaged},
			[]string{"the content has changed", "but e1412f8c8c69"}},
		"a page": {map[string][]byte{irisZip: []byte("<html>maintenance</html>")},
			[]string{"row 1: the row has 1 values, but 5 columns are expected"}},
		"zip without it": {map[string][]byte{irisZip: zipped(t, []string{"x"}, [][]byte{original})},
			[]string{"the zip has no file iris.data"}},
	} {
		t.Run(name, func(t *testing.T) {
			server := archiveServer(t, c.files)
			store := without(t)
			got, err := store.Fetch(t.Context(), quick(t, server), "iris")
			left, _ := filepath.Glob(filepath.Join(store.newSetFolder(), "*.*"))
			if len(c.want) == 0 {
				if err != nil || !bytes.Equal(got.Text, csv) {
					t.Error(err)
				}
				return
			}
			if errtest.Contains(t, err, c.want...); len(left) > 0 {
				t.Errorf("kept %v", left)
			}
		})
	}
}

// A set in MiniBooNE's layout (counts above rows without a class) is identified by the checksum of its file.
// No other file is accepted, from any zip or folder.
func TestFetchCounted(t *testing.T) {
	const zipPath, filePath = "/static/public/199/miniboone+particle+identification.zip",
		"/ml/machine-learning-databases/00199/MiniBooNE_PID.txt"
	text := []byte("     1     2\n  0.268000E+01 -0.999000E+03\n  0.399000E+01  0.500000E-04\n" +
		"  1.000000E+00  0.000000E+00\n")
	const want = "p01,p02,class\n2.68,-999,signal\n3.99,5e-05,background\n1,0,background\n"
	zip := zipped(t, []string{"MiniBooNE_PID.txt"}, [][]byte{text})
	mini, _ := Lookup("miniboone")
	s, source := *mini, *mini.Source
	source.FileSHA256, s.Source, s.Attributes = sum(text), &source, mini.Attributes[:2]
	other := bytes.Replace(text, []byte("0.268"), []byte("0.269"), 1)
	for name, c := range map[string]struct {
		files map[string][]byte
		fails string
	}{
		"archive of record": {map[string][]byte{zipPath: zip}, ""},
		"older address":     {map[string][]byte{filePath: text}, ""},
		"other content": {map[string][]byte{zipPath: zipped(t, []string{"MiniBooNE_PID.txt"}, [][]byte{other})},
			"MiniBooNE_PID.txt has SHA-256 " + sum(other)},
		"cut short": {map[string][]byte{zipPath: zip[:len(zip)/2], filePath: text[:len(text)/2]},
			"the zip is damaged or incomplete"},
	} {
		t.Run(name, func(t *testing.T) {
			server := archiveServer(t, c.files)
			csv, _, err := quick(t, server).download(t.Context(), &s)
			if errtest.Match(t, err, c.fails); c.fails == "" && string(csv) != want {
				t.Errorf("%s", csv)
			}
		})
	}
	server := archiveServer(t, map[string][]byte{zipPath: zip})
	_, err := without(t).Fetch(t.Context(), quick(t, server), "miniboone")
	errtest.Case(t, "as the registered one").Contains(err, "but "+mini.Source.FileSHA256+" is registered")
}

// Existing files are never replaced, and files with a wrong checksum are never used.
func TestFilesAreNeverReplaced(t *testing.T) {
	csv, original := irisOriginal(t)
	server := archiveServer(t, map[string][]byte{irisFolder: original})
	store := without(t)
	path := filepath.Join(store.newSetFolder(), "iris.csv")
	filetest.Write(t, path, "mine")
	for what, err := range map[string]error{
		"find":  second(store.Find("iris")),
		"fetch": second(store.Fetch(t.Context(), quick(t, server), "iris")),
		"add":   second(store.Add(path, "iris", csvfile.Options{})),
	} {
		errtest.Case(t, what).Contains(err, "iris.csv has SHA-256 ", "remove the file or replace it with the original")
	}
	if text := filetest.Read(t, path); text != "mine" {
		t.Errorf("replaced by %q", text)
	}
	filetest.Write(t, path, string(csv))
	server.Close() // from here on nothing can be downloaded
	if c, err := store.Fetch(t.Context(), quick(t, server), "iris"); err != nil || c.Path != path {
		t.Error(err)
	}
}

func second(_ *Copy, err error) error { return err }

// copse does not download a restricted set and does not guess an unknown name.
func TestRestrictedAndUnknownSets(t *testing.T) {
	server := archiveServer(t, nil)
	for name, want := range map[string]string{
		"pima":        "the custodian (NIDDK) asked",
		"ringnorm":    "copse does not download ringnorm: no address",
		"never-heard": "copse has no data set of this name, and no file was added under it; `copse data list`",
		"sonra":       `did you mean "sonar"?`,
		"../evil":     "cannot be the name of a data set",
		"openml:x":    "want an OpenML number",
	} {
		_, err := without(t).Fetch(t.Context(), quick(t, server), name)
		errtest.Case(t, name).Contains(err, want)
	}
}

func TestAdd(t *testing.T) {
	csv, original := irisOriginal(t)
	folder := t.TempDir()
	write := func(name string, text []byte) string {
		path := filepath.Join(folder, name)
		filetest.Write(t, path, string(text))
		return path
	}
	for _, name := range []string{"../evil", "a b", ""} {
		_, err := without(t).Add(write("a.csv", csv), name, csvfile.Options{})
		errtest.Case(t, name).HasPrefix(err, strconv.Quote(name)+" cannot be the name of a data set")
	}
	// The names have the prefix of the data sets of OpenML in files.
	for _, name := range []string{"openml:61", "openml-61", "openml-mine"} {
		_, err := without(t).Add(write("a.csv", csv), name, csvfile.Options{})
		errtest.Contains(t, err, strconv.Quote(name)+" is reserved", "as in `copse data fetch openml:61`")
	}
	for _, file := range []string{write("a.csv", csv), write("iris.data", original),
		write("i.zip", zipped(t, []string{"iris.data"}, [][]byte{original}))} {
		store := without(t)
		if c, err := store.Add(file, "iris", csvfile.Options{}); err != nil || !bytes.Equal(c.Text, csv) {
			t.Errorf("%s: %v", file, err)
		}
	}
	_, err := without(t).Add(write("p.csv", []byte("a,class\n1,0\n")), "pima", csvfile.Options{})
	errtest.Case(t, "another file as pima").Contains(err, "the registered CSV file of pima has 8c3878379e7f")
	store := without(t)
	mine := write("mine.csv", []byte("who;class;site\nyes;1,5;3\nno;2,5;4\n"))
	if _, err := store.Add(mine, "mine", csvfile.Options{Class: "who", Discrete: []string{"site"}}); err != nil {
		t.Fatal(err)
	}
	c, err := store.Find("mine")
	if err != nil || string(c.Text) != "class,site,who\n1.5,3,yes\n2.5,4,no\n" || c.Schema.Class != "who" ||
		c.Schema.Fields[1].Categories == nil {
		t.Errorf("%v %q", err, c.Text)
	}
	arff := write("two.ARFF", []byte(arffText))
	two, err := store.Add(arff, "two", csvfile.Options{Class: "Colour", Drop: []string{"row id", "note"}})
	if err != nil || string(two.Text) != "Size,Kind,Colour\n1.5,a,red\nNA,b,light blue\n-2000,a,it's\n" {
		t.Errorf("%v %q", err, two.Text)
	}
	last, err := store.Add(arff, "last", csvfile.Options{Keep: []string{"Size"}})
	if err != nil || last.Schema.Class != "Kind" {
		t.Errorf("%v %q", err, last.Text)
	}
	wrong := write("wrong.arff", []byte("@relation r\n@attribute x real\n@attribute c {a, b}\n@data\n1, a\n% note\n"+
		"2, w\n"))
	_, err = store.Add(wrong, "wrong", csvfile.Options{})
	errtest.Equal(t, err, wrong+`: line 7, attribute "c": unknown class "w"; the classes are ["a" "b"]`)
	_, err = store.Add(wrong, "wrong", csvfile.Options{Merge: map[string][]string{"m": {"z"}}})
	errtest.HasPrefix(t, err, wrong+`: attribute "c": there is no label "z" to merge`)
	wrong = write("wrong.csv", []byte("x,c\n1,\n"))
	_, err = store.Add(wrong, "wrong", csvfile.Options{})
	errtest.HasPrefix(t, err, wrong+`: row 2, column "c": the class is missing`)
	_, err = store.Add(mine, "mine", csvfile.Options{})
	errtest.Contains(t, err, "already exists")
	filetest.Write(t, c.Path, "x,class\n1,a\n")
	_, err = store.Find("mine")
	errtest.Case(t, "changed behind the store's back").Contains(err, "remove the file or replace it")
	if _, err := store.Find("none"); !errors.Is(err, ErrAbsent) {
		t.Error(err)
	}
}
