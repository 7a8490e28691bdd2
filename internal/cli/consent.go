package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"copse/experiments/external"
)

// addConsent adds the flag that lets copse start the commands of a results folder.
func addConsent(cmd *cobra.Command, runCommands *bool) {
	cmd.Flags().BoolVar(runCommands, "run-commands", false,
		"start the commands of a results folder, even if you have not run them before")
}

// addAcceptChange adds the flag that accepts results of several versions of a program.
func addAcceptChange(cmd *cobra.Command, acceptChange *bool) {
	cmd.Flags().BoolVar(acceptChange, "accept-change", false,
		"add results even if the version or packages of a program have changed")
}

// consent returns an error if the study in dir, a results folder, has programs that the user has
// not run before; the error lists them. With runCommands it approves them instead.
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
	return usagef("%s has commands that you have not run before; copse starts none of them:%s\n"+
		"read the commands and their files, then add --run-commands", dir, list.String())
}
