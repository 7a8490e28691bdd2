package cli

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/internal/reported"
)

// newProtocol returns the command copse protocol.
func newProtocol() *cobra.Command {
	var format formatFlag
	var flags studyFlags
	cmd := &cobra.Command{
		Use:   "protocol STUDY",
		Short: "Write the protocol of a study: aims, data, estimands, methods, performance",
		Long: `Protocol writes the plan of a study, before anything runs, with the parts that
Morris, White and Crowther (2019) recommend: aims, data-generating mechanisms,
estimands, methods, and performance measures with their Monte-Carlo standard
errors; then the number of replicates, missing values and the environment. Aims
and reasons come from the study's section ademp, everything else from the rest
of the study. STUDY is a study file or a results folder. For a folder, the
protocol also counts results that the report omits.`,
		Example: `  copse protocol configs/quickstart.yaml
  copse protocol configs/quickstart.yaml --format latex > protocol.tex`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, manifest, err := flags.fileOrFolder(cmd, args[0])
			if err != nil {
				return err
			}
			p, err := s.Protocol(manifest)
			if err != nil {
				return err
			}
			out := unwrapped(cmd.OutOrStdout())
			if format.name == "latex" {
				return p.Latex(out)
			}
			return p.Markdown(out)
		},
	}
	flags.add(cmd)
	format.add(cmd, "markdown or latex", "markdown", "latex")
	return cmd
}

// fileOrFolder loads a study from a study file or a results folder. For a study file, the manifest
// is nil. For an intact folder, the manifest is new, because the stored one may be outdated. For a
// damaged folder, it is the stored one.
func (f *studyFlags) fileOrFolder(cmd *cobra.Command, path string) (*reported.Study, *results.Manifest, error) {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		s, err := f.load(cmd, path)
		return s, nil, err
	}
	if len(f.assignments(cmd)) > 0 {
		return nil, nil, usageErrorf("%s is a results folder: `--set` and `--replicates` apply only to a study file, "+
			"such as `%s`", path, filepath.Join(path, folder.Study))
	}
	if err := checkResultsFolder(path); err != nil {
		return nil, nil, err
	}
	opened, damage, err := results.Salvage(path) // damage: an error for each unreadable file
	if err != nil {
		return nil, nil, err
	}
	manifest := opened.Manifest
	if len(damage) == 0 {
		manifest = opened.NewManifest(opened.Select())
	}
	if manifest == nil { // the stored manifest is itself damaged or missing
		return nil, nil, damage[0]
	}
	s, err := reported.Sections(opened.Study)
	return s, manifest, err
}
