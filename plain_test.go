package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"copse/internal/filetest"
)

// banned lists phrases that read as if they were translated, each with a plainer way to write them.
var banned = []struct{ phrase, plain string }{
	{"says?|said|tells?|told|speaks?", "software reports, returns, prints, states"},
	{"knows", "software has, reads, keeps"},
	{"(?:is|are|was|were) asked|asks", "name what is requested, wanted or needed"},
	{"that of|those of", "repeat the noun"},
	{"what it is|what is there", "name the thing"},
	{"stands? for|stood for", "means, represents, replaces"},
	{"goes? on|going on", "continues, resumes"},
	{"(?:holds?|held) good", "applies, is true"},
	{"for want of", "without, because it lacks"},
	{"amiss", "wrong, damaged"},
	{"spelt", "written"},
	{"of (?:one's|the user's|the study's) own", "your, the user's, the study's"},
	{"likewise", "also, in the same way"},
	{"it is one of", "choose one of"},
}

// quoted lists sentences in which a banned phrase is right.
var quoted = []string{
	// Warnings in stored records.
	"its bandwidths are those of all rows",
	"its variances are those of all rows",
}

// A plainRule is a row of banned whose phrase is compiled to a pattern.
type plainRule struct {
	phrase *regexp.Regexp
	plain  string
}

func plainRules() []plainRule {
	var rules []plainRule
	for _, b := range banned {
		rules = append(rules, plainRule{regexp.MustCompile(`(?i)\b(?:` + b.phrase + `)\b`), b.plain})
	}
	return rules
}

// faultsOf returns a line for each banned phrase of a text, with some words around it.
func faultsOf(text string, rules []plainRule) []string {
	text = strings.Join(strings.Fields(text), " ")
	for _, sentence := range quoted {
		text = strings.ReplaceAll(text, sentence, "")
	}
	const around = 40
	var faults []string
	for _, rule := range rules {
		for _, at := range rule.phrase.FindAllStringIndex(text, -1) {
			words := text[max(0, at[0]-around):min(len(text), at[1]+around)]
			faults = append(faults, strconv.Quote(words)+": plainer: "+rule.plain)
		}
	}
	return faults
}

var (
	codeFence  = regexp.MustCompile("(?ms)^```.*?^```$")
	inlineCode = regexp.MustCompile("`[^`\n]*`")
)

// Comments and messages of the program and all documentation avoid the banned phrases.
func TestTextsArePlainEnglish(t *testing.T) {
	rules := plainRules()
	check := func(place, text string) {
		for _, fault := range faultsOf(text, rules) {
			t.Errorf("%s: %s", place, fault)
		}
	}
	goFiles(t, func(path string) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, comment := range file.Comments {
			check(files.Position(comment.Pos()).String(), comment.Text())
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if ok && literal.Kind == token.STRING {
				check(files.Position(literal.Pos()).String(), literal.Value)
			}
			return true
		})
	})
	for _, path := range markdownFiles(t) {
		text := filetest.Read(t, path)
		prose := inlineCode.ReplaceAllString(codeFence.ReplaceAllString(text, ""), "code")
		for paragraph := range strings.SplitSeq(prose, "\n\n") {
			check(path, paragraph)
		}
	}
}

// markdownFiles returns the paths of the documentation: Markdown outside results and test data. It omits
// docs/methods and docs/reference/study.md, which are copies of comments and struct tags.
func markdownFiles(t *testing.T) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		skipped := []string{".git", "results", "testdata", "node_modules", "methods"}
		if entry.IsDir() && slices.Contains(skipped, entry.Name()) {
			return filepath.SkipDir
		}
		if filepath.Ext(path) == ".md" && entry.Name() != "study.md" {
			list = append(list, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// The test finds a banned phrase, also across lines and at the start of a sentence.
func TestFaultsOf(t *testing.T) {
	rules := plainRules()
	for text, want := range map[string]int{
		"The file says what\nis wrong.":              1,
		"Those\nof the folder are read.":             1,
		"The settings that often matter are listed.": 0,
	} {
		if got := faultsOf(text, rules); len(got) != want {
			t.Errorf("%q: %d faults %q, want %d", text, len(got), got, want)
		}
	}
}
