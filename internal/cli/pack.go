package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"copse/experiments/audit"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/internal/crate"
	"copse/stats/regular"
)

func newPack() *cobra.Command {
	var out, citation string
	var data bool
	cmd := &cobra.Command{
		Use:   "pack RESULTS",
		Short: "Pack a study's results for an archive, as an RO-Crate",
		Long: `Pack writes a zip file for a paper's supplement or for an archive such as
Zenodo. It contains the study, its programs, records, times, manifest, tables,
figures, page, the protocol (protocol.md) and SHA256SUMS.
ro-crate-metadata.json describes every file, the data, the runs and their
machines as RO-Crate 1.1.

Authors, licence, date and DOI come from a citation file in the format CFF 1.2:
the file of --citation, else CITATION.cff in the results folder, else in the
working directory. Pack prints the authors. It never takes the citation file of
copse itself from the working directory. Without a date-released the date is
the day of the last run.

Pack fails if copse verify finds a problem in the folder. The description
of the crate lists missing results. The crate names data sets
with licence, address and SHA-256 and does not contain them. --data adds the
CSV files of the study and their schemas at the paths that the study uses,
except sets that must not be distributed. A schema must not be a link.

Packing is bit-for-bit reproducible.`,
		Example: `  copse pack results/quickstart
  copse pack results/quickstart --citation my/CITATION.cff --out supplement.zip`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := openWithoutLinks(args[0]) // a crate contains no files from outside the folder
			if err != nil {
				return err
			}
			if f.Manifest == nil {
				return f.ManifestErr
			}
			credit, source, err := readCredit(args[0], citation)
			if err != nil {
				return err
			}
			missing, err := verifyForPacking(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if credit.Released.IsZero() {
				if credit.Released, err = lastDay(f); err != nil {
					return err
				}
			}
			c, err := crate.New(f, credit, missing, data)
			if err != nil {
				return err
			}
			out = cmp.Or(out, f.Study.Name+".crate.zip")
			if err := writeOutsideResults(out, "zip", c.Write); err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			if missing != "" {
				fmt.Fprintln(w, "note: the study is not finished:", missing)
			}
			for _, file := range c.Files {
				if file.Dir != f.Dir && file.Dir != "" { // a published table or a data file
					fmt.Fprintln(w, "packed", filepath.Join(file.Dir, file.Name))
				}
			}
			path, err := filepath.Abs(f.Dir)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "note: to draw the same report.html again, readers must unpack the file into a folder "+
				"named %q\n", filepath.Base(path))
			const ownFiles = 2 // the metadata and SHA256SUMS, which are not in c.Files
			fmt.Fprintf(w, "%s: %d files, licence %s, authors in %s: %s\n", out, len(c.Files)+ownFiles,
				credit.License, source, strings.Join(credit.Names(), ", "))
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "file to write (default: STUDY.crate.zip)")
	cmd.Flags().StringVar(&citation, "citation", "", "citation file with authors, license, date-released, doi "+
		"(default: CITATION.cff in the results folder or the working directory)")
	cmd.Flags().BoolVar(&data, "data", false, "add the CSV files that the study reads, with their schemas")
	return cmd
}

// verifyForPacking verifies the files of a results folder without recomputing trials. missing
// describes missing results, if any. Any other problem is an error. If the folder was unpacked from
// an archive, its files may have changed since then.
func verifyForPacking(ctx context.Context, dir string) (missing string, err error) {
	checks, err := audit.Verify(ctx, dir, audit.Sample{})
	if err != nil {
		return "", err
	}
	for _, c := range checks {
		if len(c.Problems) == 0 || c.Name == audit.Packed {
			continue
		}
		problems := strings.Join(c.Problems, "; ")
		if c.Name != audit.Completeness {
			return "", fmt.Errorf("%s cannot be packed until this problem is fixed: %s: %s", dir, c.Name, problems)
		}
		missing = problems
	}
	return missing, nil
}

// citationName is the usual name of a citation file.
const citationName = "CITATION.cff"

// developers is the author in the citation file of copse itself.
const developers = "The copse developers"

// readCredit reads a citation file and returns its path. If citation is "", it reads CITATION.cff in
// dir or, without such a file, in the working directory, where the file must not describe copse
// itself. Every error is a usageError.
func readCredit(dir, citation string) (credit crate.Credit, path string, err error) {
	isSearched := citation == ""
	path = cmp.Or(citation, filepath.Join(dir, citationName))
	if isSearched && !folder.Exists(path) {
		path = citationName // in the working directory
	}
	text, err := regular.Read(path)
	if isSearched && errors.Is(err, fs.ErrNotExist) {
		return credit, path, usageErrorf("found no %s in %s or the working directory; write one with `authors` and "+
			"`license` (see citation-file-format.github.io), or give its path with `--citation`", citationName, dir)
	}
	if err != nil {
		return credit, path, usageError{err}
	}
	if credit, err = crate.ReadCredit(path, text); err != nil {
		return credit, path, usageError{err}
	}
	if isSearched && path == citationName && slices.Contains(credit.Names(), developers) {
		return credit, path, usageErrorf("%s in the working directory describes copse, not your results; write "+
			"%s with your `authors` and `license`, or give its path with `--citation`", citationName,
			filepath.Join(dir, citationName))
	}
	return credit, path, nil
}

// lastDay returns the date of the last run.
func lastDay(f *results.Folder) (time.Time, error) {
	n := len(f.Manifest.Sessions)
	if n == 0 {
		return time.Time{}, usageErrorf("%s contains no run date; add `date-released` to the citation file",
			filepath.Join(f.Dir, folder.Manifest))
	}
	started, err := time.Parse(time.RFC3339, f.Manifest.Sessions[n-1].Started)
	return started.UTC().Truncate(24 * time.Hour), err
}
