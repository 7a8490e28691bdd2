package cli

import (
	"slices"
	"strings"
)

// retired lists the verbs and flags of the last release that are gone, with what replaces them.
var retired = []struct {
	old     string // words after copse: flags anywhere, other words in their places
	instead string
}{
	{"compare", "copse report RESULTS writes the comparison and prints its verdict"},
	{"version", "copse --version prints all of it"},
	{"schema", "copse explain --format schema prints the JSON Schema"},
	{"explain --markdown", "copse explain --format markdown prints the reference"},
	{"list data", "copse data list [NAME...]"},
	{"data info", "copse data list NAME"},
	{"check --external", "copse try FILE"},
	{"check --keys", "copse check --details prints everything that would run"},
	{"run --force", "--set is never refused: results for other levels and settings stay in the journals"},
	{"status --follow", "watch copse status RESULTS"},
	{"status -f", "watch copse status RESULTS"},
	{"submit kubernetes", "docs/guide/kubernetes.yaml is a manifest to fill in"},
	{"export --format", "RESULTS/records.csv is the CSV; copse export RESULTS --out FILE writes Parquet"},
}

// replacement returns what replaces a command line of the last release; "" if it is current.
func replacement(args []string) string {
	for _, r := range retired {
		if usesRetired(args, strings.Fields(r.old)) {
			return "copse " + r.old + " is gone: " + r.instead
		}
	}
	return ""
}

// usesRetired reports whether a command line has the words: flags anywhere, others in their places.
func usesRetired(args, words []string) bool {
	for i, word := range words {
		switch {
		case strings.HasPrefix(word, "-"):
			isFlag := func(arg string) bool { return arg == word || strings.HasPrefix(arg, word+"=") }
			if !slices.ContainsFunc(args, isFlag) {
				return false
			}
		case i >= len(args) || args[i] != word:
			return false
		}
	}
	return true
}
