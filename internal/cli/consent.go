package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"copse/experiments/external"
	"copse/report/view"
)

// addConsentFlag adds the flag --run-commands.
func addConsentFlag(cmd *cobra.Command, runCommands *bool) {
	cmd.Flags().BoolVar(runCommands, "run-commands", false,
		"run the commands stored in a results folder, even if you have never run them before")
}

// addAcceptChange adds the flag --accept-change.
func addAcceptChange(cmd *cobra.Command, acceptChange *bool) {
	cmd.Flags().BoolVar(acceptChange, "accept-change", false,
		"add results even if the version or packages of an external program have changed")
}

// requireConsent returns an error that lists the programs of a results folder that the user has
// neither run nor approved. If runCommands is true, it approves these programs instead.
func requireConsent(programs []*external.Program, dir string, runCommands bool) error {
	unapproved := external.Unapproved(programs, dir)
	if len(unapproved) == 0 {
		return nil
	}
	if runCommands {
		external.Approve(unapproved...)
		return nil
	}
	var list []string // without duplicates: several sessions may use the same program
	for _, p := range unapproved {
		list = view.AddNew(list, p.Approvable())
	}
	return usageErrorf("%s contains commands that you have not run before, so copse runs none of them:\n  %s\n"+
		"read the commands and the files that they use; to run these commands, add `--run-commands`", dir,
		strings.Join(list, "\n  "))
}
