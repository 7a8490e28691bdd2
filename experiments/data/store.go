package data

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"copse/experiments/config"
	"copse/experiments/folder"
	"copse/stats/dataset/csvfile"
)

// ErrAbsent is matched by the error for a data set that is not on this machine.
var ErrAbsent = errors.New("not on this machine")

// small contains the data sets that are part of the program.
//
//go:embed small/*.csv
var small embed.FS

// A Store finds data sets on this machine: as NAME.csv in the first of its folders with such a
// file, or in the program. Sets are added to the last folder.
type Store struct {
	Folders []string

	bare bool // ignores the sets in the program, for tests
}

// DefaultStore returns the store of the environment. Its folder is COPSE_DATA if this variable is
// set; else its folders are data in the working directory and copse/data in the user's cache.
func DefaultStore() (*Store, error) {
	if dir := os.Getenv("COPSE_DATA"); dir != "" {
		return &Store{Folders: []string{dir}}, nil
	}
	cache := os.Getenv("XDG_CACHE_HOME")
	if cache == "" {
		var err error
		if cache, err = os.UserCacheDir(); err != nil {
			return nil, fmt.Errorf("no folder for data sets: %w; set COPSE_DATA to one", err)
		}
	}
	return &Store{Folders: []string{"data", filepath.Join(cache, "copse", "data")}}, nil
}

// last returns the folder that sets are added to.
func (s *Store) last() string { return s.Folders[len(s.Folders)-1] }

// A Copy is a data set on this machine. Its content has the expected checksum.
type Copy struct {
	Path   string // "" if it is part of the program
	SHA256 string
	Text   []byte          // CSV
	Schema *csvfile.Schema // nil: none
	Origin string          // address or file name that it came from
	MD5    string          // published by OpenML; "": none
}

// An origin is stored beside a data set without a registered checksum.
type origin struct {
	SHA256 string `json:"sha256"`
	From   string `json:"from"`
	MD5    string `json:"md5,omitempty"` // published by OpenML
}

var namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]*$`)

// safeName returns the name of a data set or suite without the marks that file names cannot have:
// openml-61, openml-task-59.
func safeName(name string) string {
	if rest, isOpenML := strings.CutPrefix(name, openMLPrefix); isOpenML {
		return "openml-" + strings.Replace(rest, "/", "-", 1)
	}
	return name
}

// fileName returns the name of the file of a data set.
func fileName(name string) (string, error) {
	safe := safeName(name)
	if !namePattern.MatchString(safe) {
		return "", fmt.Errorf("%q is not a name of a data set; use letters, digits, '_', '.' and '-'", name)
	}
	return safe + ".csv", nil
}

// Find returns the data set with a name. A file with another checksum than expected is an error; it
// is never skipped.
func (s *Store) Find(name string) (*Copy, error) {
	base, err := fileName(name)
	if err != nil {
		return nil, err
	}
	set, registered := Lookup(name)
	for _, dir := range s.Folders {
		path := filepath.Join(dir, base)
		text, err := csvfile.ReadRegular(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		c := &Copy{Path: path, SHA256: sum(text), Text: text}
		if registered && set.SHA256 != "" {
			c.Schema, c.Origin = set.schema(), set.Page()
			return c, c.checkSum(set.SHA256)
		}
		wasAdded, err := c.readOrigin(set)
		if wasAdded || err != nil {
			return c, err
		}
		// Without an origin, the file has this name by chance: look into the next folder.
	}
	if text, err := small.ReadFile("small/" + base); err == nil && registered && !s.bare {
		return &Copy{SHA256: sum(text), Text: text, Schema: set.schema(), Origin: set.Page()}, nil
	}
	return nil, s.absent(name, set)
}

// Others returns the names of the added data sets, those of OpenML included, sorted. Registered sets
// are not among them.
func (s *Store) Others() ([]string, error) {
	var names []string
	for _, dir := range s.Folders {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			safe, hasOrigin := strings.CutSuffix(e.Name(), originSuffix)
			if !hasOrigin || !namePattern.MatchString(safe) {
				continue // not a data set
			}
			name := safe
			if number, ok := strings.CutPrefix(safe, safeName(openMLPrefix+taskPrefix)); ok {
				name = openMLPrefix + taskPrefix + number
			} else if number, ok := strings.CutPrefix(safe, safeName(openMLPrefix)); ok {
				name = openMLPrefix + number
			}
			if _, registered := Lookup(name); !registered {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// absent returns an error for a data set that is not on this machine, with the command that gets it.
// set describes a registered set; nil: it is not registered.
func (s *Store) absent(name string, set *Set) error {
	isOpenML := strings.HasPrefix(name, openMLPrefix)
	switch {
	case set == nil && !isOpenML:
		advice := fmt.Sprintf("copse data list names them, copse data add FILE --name %s adds one", name)
		if nearest := config.Nearest(name, Names()); nearest != "" {
			advice = fmt.Sprintf("did you mean %q? %s", nearest, advice)
		}
		return fmt.Errorf("%w: the data set %q is neither registered nor added; %s", ErrAbsent, name, advice)
	case set != nil && set.WhyNotFetched() != "":
		return fmt.Errorf("%w: the data set %s; copse does not download it (%s): copse data add FILE --name %[2]s",
			ErrAbsent, name, set.WhyNotFetched())
	}
	return fmt.Errorf("%w: the data set %s; get it with: copse data fetch %[2]s", ErrAbsent, name)
}

// checkSum returns an error if the content has another SHA-256 than expected.
func (c *Copy) checkSum(want string) error {
	if c.SHA256 != want {
		return fmt.Errorf("%s: SHA-256 %s, expected %s: not the file of record; remove it or put the right one there",
			c.Path, c.SHA256, want)
	}
	return nil
}

// readOrigin reads the origin and schema beside a data set without a registered checksum. It returns
// false if there is no origin, since the file was then not added as a data set. set describes a
// registered set; nil: it is not registered.
func (c *Copy) readOrigin(set *Set) (wasAdded bool, err error) {
	path := originFile(c.Path)
	text, err := csvfile.ReadRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	var o origin
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	c.Origin, c.MD5 = o.From, o.MD5
	if set != nil {
		c.Schema = set.schema()
	} else if c.Schema, err = csvfile.ReadSchemaFile(csvfile.SchemaFile(c.Path)); err != nil {
		return false, err
	}
	return true, c.checkSum(o.SHA256)
}

const originSuffix = ".origin.json"

// originFile returns the path of the origin beside a CSV file.
func originFile(csv string) string { return strings.TrimSuffix(csv, ".csv") + originSuffix }

// Fetch returns a data set. It downloads the set if it is not on this machine.
func (s *Store) Fetch(ctx context.Context, c *Client, name string) (*Copy, error) {
	found, err := s.Find(name)
	if !errors.Is(err, ErrAbsent) {
		return found, err
	}
	got := &download{}
	if set, registered := Lookup(name); registered {
		got.text, got.about.From, err = c.download(ctx, set)
	} else if rest, isOpenML := strings.CutPrefix(name, openMLPrefix); isOpenML {
		got, err = c.openML(ctx, rest)
	}
	if err != nil {
		return nil, err
	}
	return s.keep(name, got)
}

// Add adds a file of the user to the store under a name. Under the name of a registered set, the
// file must be the CSV of record or the original file from which copse makes it. Any other file is
// read with the options and stored as csvfile.Write writes it, with its schema.
func (s *Store) Add(path, name string, o csvfile.Options) (*Copy, error) {
	if _, err := fileName(name); err != nil {
		return nil, err
	}
	if _, err := s.Find(name); !errors.Is(err, ErrAbsent) {
		return nil, errors.Join(fmt.Errorf("%s exists already and is not replaced", name), err)
	}
	text, err := csvfile.ReadRegular(path)
	if err != nil {
		return nil, err
	}
	got := &download{text: text, about: origin{From: filepath.Base(path)}}
	if set, registered := Lookup(name); registered {
		got.text, err = set.recordOf(path, text)
	} else {
		got.text, got.schema, err = plainCSV(path, text, o)
	}
	if err != nil {
		return nil, err
	}
	return s.keep(name, got)
}

// recordOf returns the CSV of record of a registered set, given the content of a file that is this
// CSV or an original file.
func (s *Set) recordOf(path string, text []byte) ([]byte, error) {
	if s.SHA256 != "" && sum(text) == s.SHA256 {
		return text, nil
	}
	csv, err := s.fromOriginal(text, NewClient().MaxBytes)
	switch {
	case err == nil:
		return csv, nil
	case s.SHA256 == "":
		return nil, fmt.Errorf("%s is not an original file of %s: %w", path, s.Name, err)
	}
	return nil, fmt.Errorf("%s has SHA-256 %s, the CSV of %s has %s; it is not an original file either: %w",
		path, sum(text), s.Name, s.SHA256, err)
}

// plainCSV reads a CSV file with the options and returns it in plain form with its schema.
func plainCSV(path string, text []byte, o csvfile.Options) ([]byte, *csvfile.Schema, error) {
	var err error
	if o.Schema, err = csvfile.ReadSchemaFile(csvfile.SchemaFile(path)); err != nil {
		return nil, nil, err
	}
	set, err := csvfile.Read(bytes.NewReader(text), path, o)
	if err != nil {
		return nil, nil, err
	}
	var plain bytes.Buffer
	if err := csvfile.Write(&plain, set); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return plain.Bytes(), csvfile.SchemaOf(set), nil
}

// keep writes a data set to the last folder and returns it. It writes the schema and the origin
// first, so that a CSV always has them.
func (s *Store) keep(name string, got *download) (*Copy, error) {
	base, err := fileName(name)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(s.last(), base)
	if err := os.MkdirAll(s.last(), 0o777); err != nil {
		return nil, err
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s exists already and is not replaced", path)
	}
	if got.schema != nil {
		if err := writeJSON(csvfile.SchemaFile(path), got.schema); err != nil {
			return nil, err
		}
	}
	got.about.SHA256 = sum(got.text)
	if err := writeJSON(originFile(path), got.about); err != nil {
		return nil, err
	}
	if err := folder.WriteBytes(path, got.text); err != nil {
		return nil, err
	}
	return s.Find(name)
}

// writeJSON writes a value to a file as indented JSON with a final line break.
func writeJSON(path string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	return folder.WriteBytes(path, append(text, '\n'))
}

// sum returns the SHA-256 of a text in hexadecimal digits.
func sum(text []byte) string {
	s := sha256.Sum256(text)
	return hex.EncodeToString(s[:])
}
