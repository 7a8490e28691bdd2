package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"copse/experiments/external"
)

// addConsent adds the flag by which a user consents to the commands of a results folder.
func addConsent(cmd *cobra.Command, runCommands *bool) {
	cmd.Flags().BoolVar(runCommands, "run-commands", false,
		"start the commands that a results folder names, although you have not run them before")
}

// addAcceptChange adds the flag by which a user accepts results of several versions of a program.
func addAcceptChange(cmd *cobra.Command, acceptChange *bool) {
	cmd.Flags().BoolVar(acceptChange, "accept-change", false,
		"add results although the version or packages of a program changed since earlier ones")
}

// consent returns an error that lists the programs of a folder that copse may not start: a
// results folder names them, and the user has not run them before. With runCommands they are
// approved.
func consent(programs []*external.Program, dir string, runCommands bool) error {
	unapproved := external.Unapproved(programs, dir)
	if len(unapproved) == 0 {
		return nil
	}
	if runCommands {
		external.Approve(unapproved...)
		return nil
	}
	var list strings.Builder
	for _, p := range unapproved {
		fmt.Fprintf(&list, "\n  %s", p)
		if len(p.Files) > 0 {
			fmt.Fprintf(&list, " (files: %s; SHA-256 %s)", strings.Join(p.Files, ", "), p.Digest)
		}
	}
	return usagef("%s names commands that you have not run before; copse starts none of them:%s\n"+
		"read them and their files, then add --run-commands", dir, list.String())
}
