package data

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"copse/experiments/config"
	"copse/experiments/folder"
	"copse/stats/dataset/csvfile"
	"copse/stats/regular"
)

// ErrAbsent is wrapped by every error about a data set that is not on this machine.
var ErrAbsent = errors.New("not on this machine")

// small contains the data sets that are compiled into the program.
//
//go:embed small/*.csv
var small embed.FS

// A Store finds data sets on this machine. It searches its folders in order, and then the data sets
// compiled into the program. New data sets go to its last folder.
type Store struct {
	Folders []string

	ignoreBuiltin bool // ignore the built-in data sets; set only by tests
}

// DefaultStore returns the store for the current environment. If the environment variable
// COPSE_DATA is set, its value is the only folder. Otherwise, the store has two folders: "data" in
// the working directory, and copse/data in the user's cache directory.
func DefaultStore() (*Store, error) {
	if dir := os.Getenv("COPSE_DATA"); dir != "" {
		return &Store{Folders: []string{dir}}, nil
	}
	cache := os.Getenv("XDG_CACHE_HOME")
	if cache == "" {
		var err error
		if cache, err = os.UserCacheDir(); err != nil {
			return nil, fmt.Errorf("copse has no folder for data sets: %w; set COPSE_DATA to a folder", err)
		}
	}
	return &Store{Folders: []string{"data", filepath.Join(cache, "copse", "data")}}, nil
}

func (s *Store) newSetFolder() string { return s.Folders[len(s.Folders)-1] }

// A Copy is a data set on this machine whose checksum has been verified.
type Copy struct {
	Path   string          // "" if it is part of the program
	Text   []byte          // CSV
	Schema *csvfile.Schema // nil: none
	origin
}

// An origin describes where a data set came from. If the data set has no registered checksum, its
// origin is stored in a file next to it.
type origin struct {
	SHA256 string `json:"sha256"`
	From   string `json:"from"`          // the address or file that the data set came from
	MD5    string `json:"md5,omitempty"` // published by OpenML
}

// safeName returns the name of a data set or suite as a valid file name: openml:task/59 becomes
// openml-task-59.
func safeName(name string) string {
	if rest, isOpenML := strings.CutPrefix(name, openMLPrefix); isOpenML {
		return "openml-" + strings.Replace(rest, "/", "-", 1)
	}
	return name
}

func fileName(name string) (string, error) {
	safe := safeName(name)
	if !config.ValidName(safe) {
		return "", fmt.Errorf("%q cannot be the name of a data set; use letters, digits, '_', '.' and '-'", name)
	}
	return safe + ".csv", nil
}

// Find returns a data set from the first folder that contains it. A wrong checksum is an error. The
// error matches ErrAbsent if the data set is not on this machine.
func (s *Store) Find(name string) (*Copy, error) {
	base, err := fileName(name)
	if err != nil {
		return nil, err
	}
	set, registered := Lookup(name)
	for _, dir := range s.Folders {
		path := filepath.Join(dir, base)
		text, err := regular.Read(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		c := &Copy{Path: path, Text: text, origin: origin{SHA256: sum(text)}}
		if registered && set.SHA256 != "" {
			c.Schema = set.schema()
			c.From = set.Page()
			return c, c.checkSum(set.SHA256)
		}
		wasAdded, err := c.readOrigin(set)
		if wasAdded || err != nil {
			return c, err
		}
		// Ignore a file without an origin: copse did not add it.
	}
	if text, err := small.ReadFile("small/" + base); err == nil && registered && !s.ignoreBuiltin {
		return &Copy{Text: text, Schema: set.schema(), origin: origin{SHA256: sum(text), From: set.Page()}}, nil
	}
	return nil, s.absent(name, set)
}

// find calls Find of the store for the current environment.
func find(name string) (*Copy, error) {
	store, err := DefaultStore()
	if err != nil {
		return nil, err
	}
	return store.Find(name)
}

// IsPresent reports whether a data set with the given name is on this machine.
func IsPresent(name string) bool {
	_, err := find(name)
	return err == nil
}

// Others returns the sorted names of the unregistered data sets in the folders. They come from
// OpenML or the user.
func (s *Store) Others() ([]string, error) {
	var names []string
	for _, dir := range s.Folders {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			// the name in file names, such as openml-task-59 for openml:task/59
			safe, hasOrigin := strings.CutSuffix(e.Name(), originSuffix)
			if !hasOrigin || !config.ValidName(safe) {
				continue
			}
			name := nameOf(safe)
			if _, registered := Lookup(name); !registered {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

func nameOf(safe string) string {
	for _, prefix := range []string{openMLPrefix + taskPrefix, openMLPrefix} {
		if number, ok := strings.CutPrefix(safe, safeName(prefix)); ok {
			return prefix + number
		}
	}
	return safe
}

// absent returns an error about a data set that is not on this machine, and how to get it. set is
// nil if the data set is not registered.
func (s *Store) absent(name string, set *Set) error {
	isOpenML := strings.HasPrefix(name, openMLPrefix)
	switch {
	case set == nil && !isOpenML:
		advice := fmt.Sprintf("`copse data list` shows all names; `copse data add FILE --name %s` adds a file", name)
		if nearest := config.Nearest(name, Names()); nearest != "" {
			advice = fmt.Sprintf("did you mean %q? %s", nearest, advice)
		}
		return fmt.Errorf("the data set %q is %w: copse has no data set of this name, and no file was added under it; "+
			"%s", name, ErrAbsent, advice)
	case set != nil && set.WhyNotFetched() != "":
		return fmt.Errorf("the data set %s is %w, and copse does not download it (%s); "+
			"if you have the file, use `copse data add FILE --name %[1]s`",
			name, ErrAbsent, set.WhyNotFetched())
	}
	return fmt.Errorf("the data set %s is %w; get it with `copse data fetch %[1]s`", name, ErrAbsent)
}

func (c *Copy) checkSum(want string) error {
	if c.SHA256 != want {
		return fmt.Errorf("%s has SHA-256 %s, but %s is expected; remove the file or replace it with the original",
			c.Path, c.SHA256, want)
	}
	return nil
}

// readOrigin reads the origin file of the copy c, whose data set has no registered checksum, and
// sets c.From, c.MD5 and c.Schema. It returns an error if the copy does not have the checksum in
// the origin file. If there is no origin file, copse did not add the copy, and wasAdded is false.
// set is nil if the data set is not registered.
func (c *Copy) readOrigin(set *Set) (wasAdded bool, err error) {
	path := originFile(c.Path)
	var o origin
	err = readJSON(path, &o)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	c.From, c.MD5 = o.From, o.MD5
	if set != nil {
		c.Schema = set.schema()
	} else if c.Schema, err = csvfile.ReadSchemaFile(csvfile.SchemaFile(c.Path)); err != nil {
		return false, err
	}
	return true, c.checkSum(o.SHA256)
}

const originSuffix = ".origin.json"

// originFile returns the path of the file with the origin of a data set. csv is the path of its CSV
// file.
func originFile(csv string) string { return strings.TrimSuffix(csv, ".csv") + originSuffix }

// Fetch returns a data set, and downloads it first if it is not on this machine.
func (s *Store) Fetch(ctx context.Context, c *Client, name string) (*Copy, error) {
	found, err := s.Find(name)
	if !errors.Is(err, ErrAbsent) {
		return found, err
	}
	got := &Copy{}
	if set, registered := Lookup(name); registered {
		got.Text, got.From, err = c.download(ctx, set)
	} else if rest, isOpenML := strings.CutPrefix(name, openMLPrefix); isOpenML {
		got, err = c.openML(ctx, rest)
	}
	if err != nil {
		return nil, err
	}
	return s.keep(name, got)
}

// Add adds a user's file to the store. If the data set is registered, the file must be its CSV file
// or an original file. Otherwise, Add reads the file with the options o and stores it in the format
// of csvfile.Write. A name that belongs to a data set of OpenML is an error.
func (s *Store) Add(path, name string, o csvfile.Options) (*Copy, error) {
	if _, err := fileName(name); err != nil {
		return nil, err
	}
	if strings.HasPrefix(safeName(name), safeName(openMLPrefix)) {
		return nil, fmt.Errorf("%q is reserved for data sets of openml.org; choose another name, or get a data set by "+
			"its number, as in `copse data fetch openml:61`", name)
	}
	// Find returns an error if the stored data set is unusable.
	if _, err := s.Find(name); !errors.Is(err, ErrAbsent) {
		return nil, errors.Join(fmt.Errorf("%s already exists and was not replaced", name), err)
	}
	text, err := regular.Read(path)
	if err != nil {
		return nil, err
	}
	got := &Copy{origin: origin{From: filepath.Base(path)}}
	if set, registered := Lookup(name); registered {
		got.Text, err = set.registeredCSV(path, text)
	} else {
		got.Text, got.Schema, err = plainCSV(path, text, o)
	}
	if err != nil {
		return nil, err
	}
	return s.keep(name, got)
}

// registeredCSV converts a user's file, with the given path and content, to the registered CSV file
// of a data set. The user's file can be this CSV file itself, or the original file or archive from
// which copse makes it (see fromOriginal). Without a registered checksum, it must be the original.
func (s *Set) registeredCSV(path string, text []byte) ([]byte, error) {
	hasChecksum := s.SHA256 != ""
	if hasChecksum && sum(text) == s.SHA256 {
		return text, nil
	}
	csv, err := s.fromOriginal(text, NewClient().MaxBytes)
	if err == nil {
		return csv, nil
	}
	if !hasChecksum {
		return nil, fmt.Errorf("%s is not an original file of the data set %s: %w", path, s.Name, err)
	}
	return nil, fmt.Errorf("%s has SHA-256 %s, but the registered CSV file of %s has %s; "+
		"nor is it an original file of the data set: %w",
		path, sum(text), s.Name, s.SHA256, err)
}

// plainCSV reads a CSV or ARFF file with the options o. It returns the file in the format of
// csvfile.Write, and its schema.
func plainCSV(path string, text []byte, o csvfile.Options) ([]byte, *csvfile.Schema, error) {
	var err error
	var lines []int // line of each row in an ARFF file
	if strings.EqualFold(filepath.Ext(path), ".arff") {
		if text, o.Schema, lines, err = csvOfARFF(text, o.Class); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
	} else if o.Schema, err = csvfile.ReadSchemaFile(csvfile.SchemaFile(path)); err != nil {
		return nil, nil, err
	}
	set, class, err := csvfile.ReadAndClass(bytes.NewReader(text), path, o)
	if err != nil {
		if lines != nil {
			err = inARFF(err, lines)
		}
		return nil, nil, err
	}
	var plain bytes.Buffer
	if err := csvfile.Write(&plain, set, class); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return plain.Bytes(), csvfile.SchemaOf(set, class), nil
}

// keep writes a data set with a valid name to the last folder of the store. It writes the CSV file
// last, so that each CSV file in the store has its schema and origin.
func (s *Store) keep(name string, got *Copy) (*Copy, error) {
	path := filepath.Join(s.newSetFolder(), safeName(name)+".csv")
	if err := os.MkdirAll(s.newSetFolder(), 0o777); err != nil {
		return nil, err
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s already exists and was not replaced", path)
	}
	if got.Schema != nil {
		if err := folder.WriteJSON(csvfile.SchemaFile(path), got.Schema); err != nil {
			return nil, err
		}
	}
	got.SHA256 = sum(got.Text)
	if err := folder.WriteJSON(originFile(path), got.origin); err != nil {
		return nil, err
	}
	if err := folder.WriteBytes(path, got.Text); err != nil {
		return nil, err
	}
	return s.Find(name)
}

func readJSON(path string, value any) error {
	text, err := regular.Read(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, value)
}

func sum(text []byte) string {
	return fmt.Sprintf("%x", sha256.Sum256(text))
}
