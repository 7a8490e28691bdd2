package study_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"copse/experiments/study"
	"copse/internal/errtest"
	"copse/internal/filetest"
	"copse/internal/toys"
)

// copse accepts an argument that is a file only if it notices changes to this file.
func TestFilesInTheCommand(t *testing.T) {
	dir := t.TempDir()
	inside, outside, inPath := filepath.Join(dir, "study", "lib", "in.py"), filepath.Join(dir, "out.py"),
		filepath.Join(dir, "bin", "python")
	for _, file := range []string{inside, outside, inPath} {
		filetest.Write(t, file, "")
	}
	t.Setenv("PATH", filepath.Dir(inPath))
	for _, c := range []struct{ argument, keys, want string }{
		{"lib/in.py", "", "`files` does not list it"},
		{"lib/in.py", "files: [lib]", ""},
		{inside, "", "write `lib/in.py` instead and add `files: [lib/in.py]`"},
		{outside, "", "move it there, write `out.py` in the command and add `files: [out.py]`; or set `version`"},
		{outside, "version: 2", ""},
		{"../out.py", "version: 2", "move it there, write `out.py` in the command and add `files: [out.py]`"},
		{outside, fmt.Sprintf("files: [%q]", outside), "move it there, because copse copies files"},
		{inPath, "", ""},
		{os.DevNull, "", ""},
		{filepath.Dir(outside), "", ""},
		{"--seed=1", "", ""},
	} {
		entry := fmt.Sprintf("{id: a, classifier: external, command: [sh, %q], %s}", c.argument, c.keys)
		text := strings.Replace(toys.Study, "classifiers: [", "classifiers: ["+entry+", ", 1)
		_, err := study.Parse(filepath.ToSlash(filepath.Join(dir, "study", "s.yaml")), []byte(text), nil, nil)
		errtest.Case(t, c.argument+", "+c.keys).Match(err, c.want)
	}
}
