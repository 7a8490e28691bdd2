package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"copse/experiments/audit"
	"copse/experiments/data"
	"copse/experiments/external"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/internal/reported"
	"copse/report/crate"
)

// newPack returns the command copse pack, which writes the results of a study as an RO-Crate.
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
working directory. Without a date-released the date is the day of the last run.

Pack fails if copse verify finds a problem in the folder. Missing results are
no problem; the description of the crate lists them. The crate names data sets
with licence, address and SHA-256 and does not contain them. --data adds the
CSV files of the study at the paths that the study uses, except sets that must
not be distributed.

The same folder gives the same bytes.`,
		Example: `  copse pack results/quickstart
  copse pack results/quickstart --citation CITATION.cff --out supplement.zip`,
		Args: countArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := newPacker(cmd.Context(), args[0], citation)
			if err != nil {
				return err
			}
			c, err := p.crate(data)
			if err != nil {
				return err
			}
			out = cmp.Or(out, p.results.Source.Name+".crate.zip")
			if err := folder.WriteNamed(out, c.Write); err != nil {
				return err
			}
			if p.missing != "" {
				fmt.Fprintln(cmd.OutOrStdout(), "note: the study is not finished:", p.missing)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d files, licence %s\n",
				out, len(c.Files)+ownFiles, c.Credit.License)
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "file to write (default: STUDY.crate.zip)")
	cmd.Flags().StringVar(&citation, "citation", "", "citation file with authors, license, date-released, doi "+
		"(default: CITATION.cff of the results folder or the working directory)")
	cmd.Flags().BoolVar(&data, "data", false, "add the CSV files that the study reads")
	return cmd
}

// ownFiles is the number of files that are not in Crate.Files: the metadata and SHA256SUMS.
const ownFiles = 2

// A packer collects the files and the metadata of an RO-Crate, which is a zip file for an archive.
type packer struct {
	dir      string // results folder
	manifest *results.Manifest
	results  *reported.Results
	credit   crate.Credit
	missing  string // which results are missing, in words; "": none
	files    []crate.File
}

// newPacker verifies a results folder and reads its citation file. Missing results are allowed: the
// field missing describes them. Any other problem of the folder is an error.
func newPacker(ctx context.Context, dir, citation string) (*packer, error) {
	f, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	if f.Manifest == nil {
		return nil, fmt.Errorf("%w; run copse report %s to write it", f.ManifestErr, dir)
	}
	p := &packer{dir: dir, manifest: f.Manifest}
	if p.credit, err = readCredit(dir, citation); err != nil {
		return nil, err
	}
	if p.missing, err = verifyForPacking(ctx, dir); err != nil {
		return nil, err
	}
	p.results, err = reported.Read(f)
	return p, err
}

// verifyForPacking verifies the files of a results folder but repeats no trial. It returns a
// description of the missing results, or "" if there are none. Any other problem is an error.
func verifyForPacking(ctx context.Context, dir string) (missing string, err error) {
	checks, err := audit.Verify(ctx, dir, audit.Sample{})
	if err != nil {
		return "", err
	}
	for _, c := range checks {
		if len(c.Problems) == 0 {
			continue
		}
		problems := strings.Join(c.Problems, "; ")
		if c.Name != audit.Completeness {
			return "", fmt.Errorf("%s cannot be packed before this problem is repaired: %s: %s", dir, c.Name, problems)
		}
		missing = problems
	}
	return missing, nil
}

// crate returns the RO-Crate of the results folder. If withData is true, it contains the CSV files
// that the study reads.
func (p *packer) crate(withData bool) (*crate.Crate, error) {
	if err := p.addFiles(withData); err != nil {
		return nil, err
	}
	published, err := p.published()
	if err != nil {
		return nil, err
	}
	protocol, err := p.results.Source.Protocol()
	if err != nil {
		return nil, err
	}
	s := p.results.Source
	c := &crate.Crate{
		Title:     p.results.Study.Title,
		Source:    s.Source,
		Credit:    p.credit,
		Published: published,
		Data:      p.data(),
		Runs:      p.runs(),
		Description: fmt.Sprintf("Results of the study %s, run with copse: %d cells, %d methods, %d records.",
			s.Name, len(s.Cells), len(s.ClassifierIDs()), len(p.results.Records.Rows)),
		Files: append(p.files, crate.File{
			Name:    "protocol.md",
			About:   "protocol: aims, data, estimands, methods, performance measures",
			Content: protocol.Markdown,
		}),
	}
	if p.missing != "" {
		c.Description += " The study is not finished: " + p.missing + "."
	}
	return c, nil
}

// readCredit reads authors, licence and date from the citation file. If citation is "", it reads
// CITATION.cff from the results folder or, if there is none, from the working directory.
func readCredit(dir, citation string) (crate.Credit, error) {
	const name = "CITATION.cff"
	places := []string{filepath.Join(dir, name), name}
	if citation != "" {
		places = []string{citation}
	}
	for _, place := range places {
		text, err := os.ReadFile(place)
		if errors.Is(err, fs.ErrNotExist) && citation == "" {
			continue
		}
		if err != nil {
			return crate.Credit{}, usageError{err}
		}
		credit, err := crate.ReadCredit(place, text)
		if err != nil {
			return credit, usageError{err}
		}
		return credit, nil
	}
	return crate.Credit{}, usagef("found no %s in %s or the working directory; write one with authors and license "+
		"(see citation-file-format.github.io), or give its path with --citation", name, dir)
}

// published returns the date of publication: the date in the citation file, or else the day of the
// last run.
func (p *packer) published() (time.Time, error) {
	if !p.credit.Released.IsZero() {
		return p.credit.Released, nil
	}
	n := len(p.manifest.Sessions)
	if n == 0 {
		return time.Time{}, usagef("%s contains no date of a run; add date-released to the citation file",
			filepath.Join(p.dir, folder.Manifest))
	}
	started, err := time.Parse(time.RFC3339, p.manifest.Sessions[n-1].Started)
	return started.UTC().Truncate(24 * time.Hour), err
}

// data describes the data sets and files that the study read but the crate does not contain.
func (p *packer) data() []crate.Data {
	digests := map[string]string{}
	for _, c := range p.manifest.Cells {
		maps.Copy(digests, c.Files)
	}
	var list []crate.Data
	for _, name := range slices.Sorted(maps.Keys(digests)) {
		if set, registered := data.Lookup(name); registered {
			list = append(list, describeData(set, digests[name]))
			continue
		}
		packed := p.has(filepath.ToSlash(filepath.Clean(name)))
		if !packed {
			list = append(list, crate.Data{ID: name, Title: name, About: "a file from the author of the study",
				SHA256: digests[name]})
		}
	}
	return list
}

// describeData describes a registered data set for the metadata of a crate.
func describeData(set *data.Set, sha256 string) crate.Data {
	about := "data set " + set.Name + "; copse data fetch " + set.Name
	if set.Restricted != "" {
		about = "data set " + set.Name + ", not distributed: " + set.Restricted
	}
	return crate.Data{ID: set.Name, Title: set.Title, About: about, SHA256: sha256, URL: set.Page(),
		Licence: set.Licence}
}

// runs describes each run in the manifest: its start, software, machine and external programs.
func (p *packer) runs() []crate.Run {
	var list []crate.Run
	for _, s := range p.manifest.Sessions {
		list = append(list, crate.Run{
			Started:  s.Started,
			Software: softwareOf(s.Platform),
			Machine: fmt.Sprintf("%s, %d cores, %s/%s", cmp.Or(s.Platform.CPU, "unknown processor"), s.Platform.Cores,
				s.Platform.OS, s.Platform.Arch),
			Programs: describePrograms(s.Programs),
		})
	}
	return list
}

// describePrograms returns a line for each distinct external program of a run, such as "R 4.2.2,
// e1071 1.7-13": name and version of the program, followed by its packages. The values of the map
// are the descriptions that the programs gave of themselves.
func describePrograms(programs map[string]external.Hello) []string {
	var lines []string
	for _, key := range slices.Sorted(maps.Keys(programs)) {
		program := programs[key]
		line := strings.TrimSpace(program.Name + " " + program.Version)
		for _, name := range slices.Sorted(maps.Keys(program.Environment)) {
			line += fmt.Sprintf(", %s %s", name, program.Environment[name])
		}
		if line != "" && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

// softwareOf describes the version of copse that ran on platform p.
func softwareOf(p results.Platform) crate.Software {
	s := crate.Software{Version: p.Revision, About: "built with " + p.Go + " for " +
		strings.TrimSpace(p.OS+"/"+p.Arch+" "+p.Level)}
	if p.Modified {
		s.Version += "-modified"
		s.About += "; the source code had uncommitted changes"
	}
	return s
}
