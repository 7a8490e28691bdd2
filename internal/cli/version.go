package cli

import (
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"copse/experiments/results"
)

func newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print which copse this is: version, source revision, Go, platform",
		Example: "  copse version",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return printVersion(cmd.OutOrStdout(), results.ThisPlatform())
		},
	}
}

// version is the module's, as the build recorded it: a tag, or devel.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}

func printVersion(out io.Writer, p results.Platform) error {
	revision := p.Revision
	switch {
	case revision == "unknown":
		revision += " (built without version control)"
	case p.Modified:
		revision += " with changes"
	}
	_, err := fmt.Fprintf(out, "copse %s\nrevision  %s\ngo        %s\nplatform  %s/%s\n", version(), revision, p.Go, p.OS, strings.TrimSpace(p.Arch+" "+p.Level))
	return err
}
