package cli

import (
	"fmt"
	"runtime/debug"
	"strings"

	"copse/experiments/results"
)

// version returns the tag of the build, or "devel".
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}

// versionText returns the output of copse --version.
func versionText(p results.Platform) string {
	revision := p.Revision
	switch {
	case revision == "unknown":
		revision += " (built without version control)"
	case p.Modified:
		revision += " with changes"
	}
	platform := p.OS + "/" + strings.TrimSpace(p.Arch+" "+p.Level)
	return fmt.Sprintf("copse %s\nrevision  %s\ngo        %s\nplatform  %s\n", version(), revision, p.Go, platform)
}
