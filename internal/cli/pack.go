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
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/study"
	"copse/internal/reported"
	"copse/report/crate"
	"copse/report/view"
)

func newPack() *cobra.Command {
	var out, citation string
	var data bool
	cmd := &cobra.Command{
		Use:   "pack RESULTS",
		Short: "Pack a study's results for an archive, as an RO-Crate",
		Long: `Pack writes one zip for a paper's supplement or an archive such as Zenodo: the study,
its programs, records, times, manifest, tables, figures and page; the protocol
(protocol.md); SHA256SUMS; and ro-crate-metadata.json, which describes every file, the
data, the runs and their machines as RO-Crate 1.1.

Authors, licence, date and DOI are those of a citation file in the format CFF 1.2:
--citation, else CITATION.cff of the results folder, else of the folder that copse
runs in. Without a date-released the date is that of the last run.

What verify finds amiss in the folder is an error; results that are missing are not,
but the description of the crate lists them. Data sets are named with licence, address and SHA-256, not
packed. With --data the CSV files of the study are packed too, at the paths that the
study gives them; rows of a set that may not be passed on never are.

The same folder gives the same bytes.`,
		Example: `  copse pack results/quickstart
  copse pack results/quickstart --citation CITATION.cff --out supplement.zip`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := newPacker(cmd.Context(), args[0], citation, data)
			if err != nil {
				return err
			}
			c, err := p.crate()
			if err != nil {
				return err
			}
			out = cmp.Or(out, p.study.Name+".crate.zip")
			if err := folder.WriteNamed(out, c.Write); err != nil {
				return err
			}
			if p.missing != "" {
				fmt.Fprintln(cmd.OutOrStdout(), "note: the study is not finished:", p.missing)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %d files, licence %s\n",
				out, len(c.Files)+2, c.Credit.License)
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "file to write (default: <study>.crate.zip)")
	cmd.Flags().StringVar(&citation, "citation", "", "citation file: authors, license, date-released, doi (default: "+
		"CITATION.cff of the results folder, else of this one)")
	cmd.Flags().BoolVar(&data, "data", false, "pack the CSV files that the study reads")
	return cmd
}

// A packer gathers what a crate holds.
type packer struct {
	dir      string
	study    *study.Study
	manifest *results.Manifest
	results  *reported.Results
	credit   crate.Credit
	missing  string // results, in words
	withData bool
	files    []crate.File
}

func newPacker(ctx context.Context, dir, citation string, withData bool) (*packer, error) {
	f, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	p := &packer{dir: dir, study: f.Study, manifest: f.Manifest, withData: withData}
	if f.Manifest == nil {
		return nil, fmt.Errorf("%w; copse report %s writes it", f.ManifestErr, dir)
	}
	if p.credit, err = readCredit(dir, citation); err != nil {
		return nil, err
	}
	checks, err := audit.Verify(ctx, dir, audit.Sample{})
	if err != nil {
		return nil, err
	}
	for _, c := range checks {
		if c.Name == audit.Completeness {
			p.missing = strings.Join(c.Problems, "; ")
		} else if len(c.Problems) > 0 {
			return nil, fmt.Errorf("%s is not packed as it is: %s: %s", dir, c.Name, strings.Join(c.Problems, "; "))
		}
	}
	p.results, err = reported.Read(f)
	return p, err
}

// crate describes the folder.
func (p *packer) crate() (*crate.Crate, error) {
	if err := p.gather(); err != nil {
		return nil, err
	}
	published, err := p.published()
	if err != nil {
		return nil, err
	}
	v := view.New(p.results.Study, p.results.Records.Records, p.results.Layout.Inference)
	c := &crate.Crate{Title: v.Title, Source: p.study.Source, Credit: p.credit, Published: published, Data: p.data(),
		Runs: p.runs()}
	c.Description = fmt.Sprintf("Results of the study %s, run with copse: %d cells, %d methods, %d records.",
		p.study.Name, len(v.Trials), len(v.Records.Classifiers), len(v.Records.Rows))
	if p.missing != "" {
		c.Description += " The study is not finished: " + p.missing + "."
	}
	protocol, err := p.results.Source.Protocol()
	if err != nil {
		return nil, err
	}
	c.Files = append(p.files,
		crate.File{Name: "protocol.md", About: "protocol: aims, data, estimands, methods, performance measures",
			Content: protocol.Markdown})
	return c, nil
}

// readCredit finds and reads the citation file.
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
	return crate.Credit{}, usagef("no %s in %s or here: write one with authors and license "+
		"(citation-file-format.github.io), or name it with --citation", name, dir)
}

// published is the date of the citation file, else that of the last run.
func (p *packer) published() (time.Time, error) {
	if !p.credit.Released.IsZero() {
		return p.credit.Released, nil
	}
	if n := len(p.manifest.Sessions); n > 0 {
		started, err := time.Parse(time.RFC3339, p.manifest.Sessions[n-1].Started)
		return started.UTC().Truncate(24 * time.Hour), err
	}
	return time.Time{}, usagef("%s names no run: give the citation file a date-released",
		filepath.Join(p.dir, folder.Manifest))
}

// data lists what was read and is not packed.
func (p *packer) data() []crate.Data {
	read := map[string]string{}
	for _, c := range p.manifest.Cells {
		maps.Copy(read, c.Files)
	}
	var list []crate.Data
	for _, name := range slices.Sorted(maps.Keys(read)) {
		d := crate.Data{ID: name, Title: name, About: "a file of the study's own", SHA256: read[name]}
		if set, ok := data.Lookup(name); ok {
			d.URL, d.Title, d.About, d.Licence = set.Page(), set.Title, "data set "+name+"; copse data fetch "+name,
				set.Licence
			if set.Restricted != "" {
				d.About = "data set " + name + ", not distributed: " + set.Restricted
			}
		} else if slices.ContainsFunc(p.files,
			func(f crate.File) bool { return f.Name == filepath.ToSlash(filepath.Clean(name)) }) {
			continue
		}
		list = append(list, d)
	}
	return list
}

// runs are the sessions that the manifest names.
func (p *packer) runs() []crate.Run {
	var list []crate.Run
	for _, s := range p.manifest.Sessions {
		r := crate.Run{Started: s.Started, Software: software(s.Platform),
			Machine: fmt.Sprintf("%s, %d cores, %s/%s", cmp.Or(s.Platform.CPU, "unknown processor"), s.Platform.Cores,
				s.Platform.OS, s.Platform.Arch)}
		for _, spec := range slices.Sorted(maps.Keys(s.Programs)) {
			said := s.Programs[spec]
			text := strings.TrimSpace(said.Name + " " + said.Version)
			for _, name := range slices.Sorted(maps.Keys(said.Environment)) {
				text += fmt.Sprintf(", %s %s", name, said.Environment[name])
			}
			if text != "" && !slices.Contains(r.Programs, text) {
				r.Programs = append(r.Programs, text)
			}
		}
		list = append(list, r)
	}
	return list
}

func software(p results.Platform) crate.Software {
	s := crate.Software{Version: p.Revision, About: "built with " + p.Go + " for " +
		strings.TrimSpace(p.OS+"/"+p.Arch+" "+p.Level)}
	if p.Modified {
		s.Version += "-modified"
		s.About += "; the source had uncommitted changes"
	}
	return s
}
