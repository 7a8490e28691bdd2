package cli

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"copse/internal/filetest"
)

// The test tries each chapter of the guide in its own folder. It writes each yaml block whose first line is a
// comment with a file name, and runs each copse line of an sh block. The exit code must be 0, or N after "#
// exit N". Lines that need a missing program are skipped with a message.
func TestGuide(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED in short runs: runs every command of the guide")
	}
	chapters, err := filepath.Glob("../../docs/guide/*.md")
	if err != nil || len(chapters) == 0 {
		t.Fatalf("no chapters: %v", err)
	}
	project, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, chapter := range chapters {
		text := filetest.Read(t, chapter)
		t.Run(strings.TrimSuffix(filepath.Base(chapter), ".md"), func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := errors.Join(os.Mkdir("results", 0o777), os.Symlink(filepath.Join(project, "configs"), "configs"),
				os.Symlink(filepath.Join(project, "results", "published"), filepath.Join("results",
					"published"))); err != nil {
				t.Skipf("NOT TESTED: %v", err)
			}
			tryChapter(t, text)
		})
	}
}

var (
	codeBlock = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")
	fileName  = regexp.MustCompile(`^# (\S+\.(?:yaml|csv|cff))$`)
	exitCodes = map[string]int{"# exit 1": exitFailed, "# exit 2": exitUsage}
)

func tryChapter(t *testing.T, text string) {
	for _, block := range codeBlock.FindAllStringSubmatch(text, -1) {
		first, _, _ := strings.Cut(block[2], "\n")
		if name := fileName.FindStringSubmatch(first); name != nil {
			content := block[2]
			if strings.HasSuffix(name[1], ".csv") {
				content = strings.TrimPrefix(content, first+"\n")
			}
			filetest.Write(t, name[1], content)
			continue
		}
		if block[1] != "sh" {
			continue
		}
		for line := range strings.Lines(strings.ReplaceAll(block[2], "\\\n", " ")) {
			tryLine(t, strings.TrimSpace(line))
		}
	}
}

func tryLine(t *testing.T, line string) {
	command, note, _ := strings.Cut(line, "#")
	words := strings.Fields(command)
	if len(words) == 0 || words[0] != "copse" {
		return
	}
	if strings.Contains(note, "needs python3") && exec.Command("python3", "-c", "import numpy").Run() != nil {
		t.Logf("NOT TRIED: %s", line)
		return
	}
	var out, errOut bytes.Buffer
	code := Main(words[1:], strings.NewReader(""), &out, &errOut)
	if want := exitCodes["#"+note]; code != want {
		t.Errorf("%s: exit code %d, want %d\n%s%s", line, code, want, &out, &errOut)
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^)#\s]+)(?:#([^)\s]*))?\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.+)$`)
	dropped = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// Every link of the documentation leads to an existing file and heading.
func TestLinks(t *testing.T) {
	const project = "../.."
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", "results/benchmarks/*.md"} {
		found, err := filepath.Glob(filepath.Join(project, pattern))
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, found...)
	}
	links := 0
	for _, page := range pages {
		text := filetest.Read(t, page)
		for _, m := range link.FindAllStringSubmatch(codeBlock.ReplaceAllString(text, ""), -1) {
			if strings.Contains(m[1], ":") {
				continue // an address elsewhere
			}
			links++
			target := filepath.Join(filepath.Dir(page), m[1])
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %v", page, err)
			} else if m[2] != "" && !slices.Contains(anchors(t, target), m[2]) {
				t.Errorf("%s: %s has no heading #%s", page, m[1], m[2])
			}
		}
	}
	if links < 50 {
		t.Errorf("found %d links only", links)
	}
}

// anchors returns the anchors of the headings of a page on repository hosts.
func anchors(t *testing.T, page string) []string {
	t.Helper()
	text := filetest.Read(t, page)
	var names []string
	for _, m := range heading.FindAllStringSubmatch(text, -1) {
		names = append(names, strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-"))
	}
	return names
}

// The example in the description of the protocol is a classifier that passes all checks.
func TestProtocolExample(t *testing.T) {
	if err := exec.Command("python3", "-c", "import struct").Run(); err != nil {
		t.Skipf("NOT TESTED: python3: %v", err)
	}
	page := filetest.Read(t, "../../docs/reference/protocol.md")
	blocks := codeBlock.FindAllStringSubmatch(page, -1)
	last := blocks[len(blocks)-1]
	t.Chdir(t.TempDir())
	filetest.Write(t, "mean.py", last[2])
	attempt(t, "try", "mean.py").prints(" 0 failed")
}
