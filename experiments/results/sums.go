package results

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"copse/experiments/folder"
)

// PredictionSums is the name of the file with the checksums of prediction files, in the format of
// sha256sum.
const PredictionSums = "sha256sums"

func sumsFile(dir string) string { return filepath.Join(dir, folder.Predictions, PredictionSums) }

// writeSums writes the list of checksums, or removes the list if no cell has a file.
func writeSums(dir string) error {
	files, err := PredictionFiles(dir)
	if err != nil {
		return err
	}
	list := sumsFile(dir)
	if len(files) == 0 {
		return folder.Remove([]string{list})
	}
	return folder.WriteFile(list, func(w io.Writer) error {
		for _, f := range files {
			sum, err := folder.Digest(f)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "%s  %s\n", sum, filepath.Base(f)) // WriteFile returns any error
		}
		return nil
	})
}

// CheckPredictions describes each prediction file of a cell that is missing or does not have its
// checksum, and each unreadable file of a trial. files is the number of cells with a file.
func CheckPredictions(dir string) (problems []string, files int, err error) {
	paths, err := PredictionFiles(dir)
	if err != nil {
		return nil, 0, err
	}
	listed, err := listedSums(dir)
	if err != nil {
		return nil, 0, err
	}
	m, _ := readManifest(dir) // nil if it is unreadable, which another check reports; checkSumsFile accepts nil
	if err := m.checkSumsFile(dir); err != nil {
		problems = append(problems, err.Error())
	}
	files = len(paths)
	for name := range listed {
		paths = append(paths, filepath.Join(dir, folder.Predictions, name))
	}
	slices.Sort(paths)
	for _, path := range slices.Compact(paths) {
		if err := checkSum(path, listed[filepath.Base(path)]); err != nil {
			problems = append(problems, err.Error())
		}
	}
	unreadable, err := unreadableTrialFiles(dir)
	return append(problems, unreadable...), files, err
}

// unreadableTrialFiles describes each prediction file of a trial that cannot be read.
func unreadableTrialFiles(dir string) (problems []string, err error) {
	parts, err := WaitingPredictions(dir)
	if err != nil {
		return nil, err
	}
	for _, path := range parts {
		if err := readBlocks(path, allLines, func(block) error { return nil }); err != nil {
			problems = append(problems, err.Error())
		}
	}
	return problems, nil
}

// checkSumsFile returns an error if the file with the list of checksums does not have the checksum
// in the manifest, if any.
func (m *Manifest) checkSumsFile(dir string) error {
	if m == nil || m.PredictionsSHA256 == "" {
		return nil
	}
	now := Manifest{}
	if err := now.addPredictions(dir); err != nil || now.PredictionsSHA256 == m.PredictionsSHA256 {
		return err
	}
	list := sumsFile(dir)
	return fmt.Errorf("%s has the SHA-256 %q, but %s lists %s; restore %s, or delete it and run the study again",
		list, now.PredictionsSHA256, folder.Manifest, m.PredictionsSHA256, filepath.Dir(list))
}
