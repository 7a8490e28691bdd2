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

// ErrAbsent says that a set is not on this machine.
var ErrAbsent = errors.New("not on this machine")

// small holds the sets that are part of the program.
//
//go:embed small/*.csv
var small embed.FS

// A Store is where sets lie on this machine: NAME.csv in one of its folders, the
// first that has it, or in the program itself. Sets are added to the last folder.
type Store struct {
	Folders []string

	bare bool // tests: without what is part of the program
}

// DefaultStore is the folder COPSE_DATA if that variable is set, otherwise data/
// in the working directory and copse/data in the user's cache (XDG_CACHE_HOME or
// what the system has instead).
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

func (s *Store) last() string { return s.Folders[len(s.Folders)-1] }

// A Copy is a set on this machine whose content was compared with its sum.
type Copy struct {
	Path   string // "" when it is part of the program
	SHA256 string
	Text   []byte
	Schema *csvfile.Schema
	Origin string
	MD5    string // of what OpenML publishes; "": it publishes none
}

// An origin is what is kept beside a set that is not registered by its sum.
type origin struct {
	SHA256 string `json:"sha256"`
	From   string `json:"from"`
	MD5    string `json:"md5,omitempty"` // that OpenML publishes
}

var namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]*$`)

// fileName is where a set of that name lies; openml:61 lies in openml-61.csv.
func fileName(name string) (string, error) {
	if id, ok := strings.CutPrefix(name, openMLPrefix); ok {
		name = "openml-" + id
	}
	if !namePattern.MatchString(name) {
		return "", fmt.Errorf("%q is no name of a data set; use letters, digits, '_', '.' and '-'", name)
	}
	return name + ".csv", nil
}

// Find returns the set of that name. A file that is not what it should be is an
// error, never passed over.
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
			return c, c.expect(set.SHA256)
		}
		if known, err := c.known(set); known || err != nil {
			return c, err
		} // else some file of that name: it was not added
	}
	if text, err := small.ReadFile("small/" + base); err == nil && registered && !s.bare {
		return &Copy{SHA256: sum(text), Text: text, Schema: set.schema(), Origin: set.Page()}, nil
	}
	return nil, s.absent(name, set)
}

// Others lists the sets that are here and not registered: added ones and those of
// OpenML, sorted.
func (s *Store) Others() ([]string, error) {
	var names []string
	for _, dir := range s.Folders {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			name, kept := strings.CutSuffix(e.Name(), originSuffix)
			if id, open := strings.CutPrefix(name, "openml-"); open {
				name = openMLPrefix + id
			}
			if _, err := fileName(name); err != nil {
				continue // copse keeps no set of such a name
			}
			if _, registered := Lookup(name); kept && !registered && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names, nil
}

// absent tells what to do about a set that is not here.
func (s *Store) absent(name string, set *Set) error {
	switch {
	case set == nil && !strings.HasPrefix(name, openMLPrefix):
		advice := fmt.Sprintf("copse data list names them, copse data add FILE --name %s adds one", name)
		if nearest := config.Nearest(name, Names()); nearest != "" {
			advice = fmt.Sprintf("did you mean %q? %s", nearest, advice)
		}
		return fmt.Errorf("%w: the data set %q is neither registered nor added; %s", ErrAbsent, name, advice)
	case set != nil && set.WhyNotFetched() != "":
		return fmt.Errorf(
			"%w: the data set %s; it is not fetched (%s): copse data add FILE --name %s",
			ErrAbsent,
			name,
			set.WhyNotFetched(),
			name,
		)
	}
	return fmt.Errorf("%w: the data set %s; get it with: copse data fetch %s", ErrAbsent, name, name)
}

// expect compares the sums.
func (c *Copy) expect(want string) error {
	if c.SHA256 != want {
		return fmt.Errorf(
			"%s: SHA-256 %s, expected %s: not the file of record; remove it or put the right one there",
			c.Path,
			c.SHA256,
			want,
		)
	}
	return nil
}

// known reads what lies beside a set that is not registered by its sum; false if
// nothing does.
func (c *Copy) known(set *Set) (bool, error) {
	text, err := csvfile.ReadRegular(originFile(c.Path))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	var o origin
	if err == nil {
		err = json.Unmarshal(text, &o)
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", originFile(c.Path), err)
	}
	c.Origin, c.MD5 = o.From, o.MD5
	if set != nil {
		c.Schema = set.schema()
	} else if c.Schema, err = csvfile.ReadSchemaFile(csvfile.SchemaFile(c.Path)); err != nil {
		return false, err
	}
	return true, c.expect(o.SHA256)
}

const originSuffix = ".origin.json"

func originFile(csv string) string { return strings.TrimSuffix(csv, ".csv") + originSuffix }

// Fetch downloads a set unless it is here.
func (s *Store) Fetch(ctx context.Context, c *Client, name string) (*Copy, error) {
	here, err := s.Find(name)
	if !errors.Is(err, ErrAbsent) {
		return here, err
	}
	var text []byte
	var schema *csvfile.Schema
	var about origin
	id, open := strings.CutPrefix(name, openMLPrefix)
	set, registered := Lookup(name)
	switch {
	case registered:
		text, about.From, err = c.download(ctx, set)
	case open:
		text, schema, about, err = c.openML(ctx, id)
	}
	if err != nil {
		return nil, err
	}
	if err := s.keep(name, text, schema, about); err != nil {
		return nil, err
	}
	return s.Find(name)
}

// Add keeps a file of the user's under a name. For a registered set it has to be
// the CSV of record or the original that it is made from; any other file is read
// by the options and kept as csvfile.Write writes it, with its schema.
func (s *Store) Add(path, name string, o csvfile.Options) (*Copy, error) {
	if _, err := fileName(name); err != nil {
		return nil, err
	}
	if _, err := s.Find(name); !errors.Is(err, ErrAbsent) {
		return nil, errors.Join(fmt.Errorf("%s is there already and is not replaced", name), err)
	}
	text, err := csvfile.ReadRegular(path)
	if err != nil {
		return nil, err
	}
	if set, ok := Lookup(name); ok {
		if set.SHA256 == "" || sum(text) != set.SHA256 {
			csv, err := set.fromOriginal(text, NewClient().MaxBytes)
			if err != nil {
				if set.SHA256 == "" {
					return nil, fmt.Errorf("%s is not what %s is made from: %w", path, name, err)
				}
				return nil, fmt.Errorf(
					"%s has SHA-256 %s, the CSV of %s has %s; nor is it what that is made from: %w",
					path,
					sum(text),
					name,
					set.SHA256,
					err,
				)
			}
			text = csv
		}
		if err := s.keep(name, text, nil, origin{From: filepath.Base(path)}); err != nil {
			return nil, err
		}
		return s.Find(name)
	}
	if o.Schema, err = csvfile.ReadSchemaFile(csvfile.SchemaFile(path)); err != nil {
		return nil, err
	}
	set, err := csvfile.Read(bytes.NewReader(text), path, o)
	if err != nil {
		return nil, err
	}
	var plain bytes.Buffer
	if err := csvfile.Write(&plain, set); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := s.keep(name, plain.Bytes(), csvfile.SchemaOf(set), origin{From: filepath.Base(path)}); err != nil {
		return nil, err
	}
	return s.Find(name)
}

// keep writes a set: what belongs to it first, so that the CSV is never without.
func (s *Store) keep(name string, text []byte, schema *csvfile.Schema, about origin) error {
	base, err := fileName(name)
	if err != nil {
		return err
	}
	path := filepath.Join(s.last(), base)
	if err := os.MkdirAll(s.last(), 0o777); err != nil {
		return err
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is there already and is not replaced", path)
	}
	if schema != nil {
		text, err := json.MarshalIndent(schema, "", "  ")
		if err != nil {
			return err
		}
		if err := folder.WriteBytes(csvfile.SchemaFile(path), text); err != nil {
			return err
		}
	}
	about.SHA256 = sum(text)
	described, err := json.MarshalIndent(about, "", "  ")
	if err != nil {
		return err
	}
	if err := folder.WriteBytes(originFile(path), described); err != nil {
		return err
	}
	return folder.WriteBytes(path, text)
}

func sum(text []byte) string {
	s := sha256.Sum256(text)
	return hex.EncodeToString(s[:])
}
