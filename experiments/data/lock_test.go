package data

import (
	"crypto/md5"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"copse/internal/errtest"
	"copse/internal/filetest"
)

// A data set of OpenML is trusted at its first use. The lock file next to the study stores its checksums, and
// another version is rejected.
func TestRecordChecksums(t *testing.T) {
	published := fmt.Sprintf("%x", md5.Sum([]byte(arffText)))
	about := fmt.Appendf(nil, `{"data_set_description": {"name": "two", "default_target_attribute": "Kind", `+
		`"url": "https://o/two.arff", "md5_checksum": %q}}`, published)
	server := archiveServer(t, map[string][]byte{"/two.arff": []byte(arffText), "/api/v1/json/data/77": about})
	store := without(t)
	t.Setenv("COPSE_DATA", store.newSetFolder())
	set, err := store.Fetch(t.Context(), quick(t, server), "openml:77")
	if err != nil {
		t.Fatal(err)
	}
	beside := t.TempDir()
	request := &Request{Files: Files{Set: []string{"openml:77"}}}
	if _, err := NewReader(beside).Read(request); err != nil {
		t.Fatal("without a lock file: ", err)
	}
	for range 2 {
		if err := RecordChecksums(beside, []string{"iris", "openml:77"}); err != nil {
			t.Fatal(err)
		}
	}
	locked, err := readLockFile(beside)
	if want := (origin{set.SHA256, "https://o/two.arff", published}); err != nil || len(locked) != 1 ||
		locked["openml:77"] != want {
		t.Fatalf("locked %+v, %v; want %+v", locked, err, want)
	}
	if _, err := NewReader(beside).Read(request); err != nil {
		t.Error("locked: ", err)
	}
	// Another version, with a matching original.
	other := strings.Replace(string(set.Text), "1.50", "1.60", 1)
	for name, text := range map[string]string{"openml-77.csv": other,
		"openml-77.origin.json": fmt.Sprintf(`{"sha256": %q, "from": "https://o/two.arff"}`, sum([]byte(other)))} {
		filetest.Write(t, filepath.Join(store.newSetFolder(), name), text)
	}
	_, err = NewReader(beside).Read(request)
	errtest.Case(t, "another version").Contains(err, LockFile, set.SHA256)
	if err := RecordChecksums(beside, []string{"openml:77"}); err != nil {
		t.Error(err)
	}
	if again, _ := readLockFile(beside); again["openml:77"] != locked["openml:77"] {
		t.Error("RecordChecksums replaces an entry")
	}
	filetest.Write(t, filepath.Join(beside, LockFile), "{")
	_, err = NewReader(beside).Read(request)
	errtest.Case(t, "a broken lock file").Contains(err, "correct or remove it")
}
