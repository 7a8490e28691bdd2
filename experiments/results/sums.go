package results

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"copse/experiments/folder"
)

// PredictionSums lists the checksums of the cells' files, for sha256sum -c.
const PredictionSums = "sha256sums"

func writeSums(dir string) error {
	files, err := PredictionFiles(dir)
	if err != nil {
		return err
	}
	return folder.WriteFile(filepath.Join(dir, folder.Predictions, PredictionSums), func(w io.Writer) error {
		for _, f := range files {
			sum, err := folder.Digest(f)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(w, "%s  %s\n", sum, filepath.Base(f)); err != nil {
				return err
			}
		}
		return nil
	})
}

// CheckPredictions returns what contradicts the list of checksums, and the number of files.
func CheckPredictions(dir string) (problems []string, files int, err error) {
	list, err := PredictionFiles(dir)
	if err != nil {
		return nil, 0, err
	}
	text, err := os.ReadFile(filepath.Join(dir, folder.Predictions, PredictionSums))
	if errors.Is(err, fs.ErrNotExist) && len(list) == 0 {
		return nil, 0, nil
	}
	if err != nil {
		return nil, 0, err
	}
	said := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if sum, name, ok := strings.Cut(strings.TrimSpace(line), "  "); ok {
			said[name] = sum
		}
	}
	for _, f := range list {
		sum, err := folder.Digest(f)
		if err != nil {
			return nil, 0, err
		}
		if name := filepath.Base(f); said[name] != sum {
			problems = append(problems, fmt.Sprintf("%s: its SHA-256 is %s, %s says %q", name, sum, PredictionSums, said[name]))
		}
		delete(said, filepath.Base(f))
	}
	for name := range said {
		problems = append(problems, name+" is gone")
	}
	slices.Sort(problems)
	return problems, len(list), nil
}
