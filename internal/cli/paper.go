package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"copse/experiments/config"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/internal/claims"
	"copse/internal/reported"
)

const claimsFile = "results/published/claims.yaml"

func newPaper() *cobra.Command {
	var document, out string
	var decideOnly bool
	o := run.Options{}
	cmd := &cobra.Command{
		Use:   "paper [NAME...]",
		Short: "Repeat a paper: run its studies, then decide what it claims",
		Long: `Paper checks the data of a paper's studies, prints their cost, runs what their results
folders lack, and prints a table: each statement of the paper that a comparison
decides, with our count, the printed one and a verdict. It resumes as run does.

The papers are those of ` + claimsFile + `; their studies are in configs and
their results in results. Run it in a copy of copse's repository. Without a NAME it
takes all papers.`,
		Example: `  copse paper freno2010
  copse paper --decide --write docs/reproduction.md`,
		RunE: func(cmd *cobra.Command, args []string) error {
			papers, err := chosenPapers(args)
			if err != nil {
				return err
			}
			for i := range papers {
				if !decideOnly {
					if err := repeat(cmd, &papers[i], o, out); err != nil {
						return err
					}
				}
				if err := decide(cmd.OutOrStdout(), &papers[i], out, document); err != nil {
					return err
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&decideOnly, "decide", false, "run nothing: decide from the results that are there")
	cmd.Flags().StringVar(&document, "write", "", "a Markdown file with the paper's marks: put the table there")
	cmd.Flags().StringVar(&out, "out", "results", "folder of the results folders")
	cmd.Flags().IntVarP(&o.Workers, "jobs", "j", 0, "trials at a time (default: the number of cores)")
	return cmd
}

// chosenPapers reads the papers of the given names, all without names.
func chosenPapers(names []string) ([]claims.Paper, error) {
	papers, err := claims.Read(claimsFile)
	if errors.Is(err, os.ErrNotExist) {
		return nil, usagef("there is no %s here: run copse paper in a copy of copse's repository", claimsFile)
	}
	if err != nil || len(names) == 0 {
		return papers, err
	}
	var known []string
	for _, p := range papers {
		known = append(known, p.Name)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, usagef("there is no paper %q%s", name, config.DidYouMean(name, known))
		}
	}
	return slices.DeleteFunc(papers, func(p claims.Paper) bool { return !slices.Contains(names, p.Name) }), nil
}

// repeat prints the cost of a paper's studies and runs them.
func repeat(cmd *cobra.Command, p *claims.Paper, o run.Options, out string) error {
	var studies []*study.Study
	for _, name := range p.Studies {
		s, err := reported.Load(filepath.Join("configs", name+".yaml"))
		if err != nil {
			return err
		}
		studies = append(studies, s.Study)
	}
	for _, s := range studies {
		f, err := results.OpenFor(filepath.Join(out, s.Name), s)
		if err != nil {
			return err
		}
		plan := run.NewPlan(f, false)
		fmt.Fprintf(cmd.OutOrStdout(), "%s: %d results to run, %d are there\n", s.Name, plan.Rows, plan.Done)
		if len(plan.Tasks) > 0 {
			printCost(cmd.OutOrStdout(), plan.Estimate(s, 5*time.Second))
		}
	}
	// With one study, out would be its folder.
	if len(studies) == 1 {
		out = filepath.Join(out, studies[0].Name)
	}
	err := runStudies(cmd, studies, o, out, "text")
	if fits := (*failedFits)(nil); errors.As(err, &fits) {
		return nil // failed fits are results: claims about them have fewer cells
	}
	return err
}

// decide prints the table of a paper's claims and puts it into a document, if one is named.
func decide(w io.Writer, p *claims.Paper, out, document string) error {
	stored := map[string]*reported.Results{}
	for _, name := range p.Studies {
		r, err := openResults(filepath.Join(out, name))
		if err != nil {
			return err
		}
		stored[name] = r
	}
	var findings []*claims.Finding
	for i := range p.Claims {
		f, err := claims.Decide(&p.Claims[i], stored[p.Claims[i].Study])
		if err != nil {
			return err
		}
		findings = append(findings, f)
	}
	var table strings.Builder
	if err := claims.Write(&table, p, findings); err != nil {
		return err
	}
	if document == "" {
		_, err := io.WriteString(w, table.String()+"\n")
		return err
	}
	text, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	replaced, err := claims.Replace(string(text), p, table.String())
	if err != nil {
		return fmt.Errorf("%s: %w", document, err)
	}
	return folder.WriteBytes(document, []byte(replaced))
}
