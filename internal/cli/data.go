package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"copse/experiments/data"
	"copse/experiments/study"
	"copse/report/view"
	"copse/stats/dataset/csvfile"
)

// newData returns the command copse data with its subcommands.
func newData() *cobra.Command {
	cmd := &cobra.Command{
		Use:  "data",
		Args: cobra.ArbitraryArgs,
		Example: `  copse data list
  copse data list iris
  copse data fetch sonar
  copse data add mine.csv --name mine`,
		Short: "List, fetch and add the real data sets that studies use",
		Long: `Data manages the data sets that a study uses by name, as in data: {set: sonar}.
copse accepts a registered set only if its CSV has the registered SHA-256. The
files are in the folder of COPSE_DATA, or else in your cache folder
(XDG_CACHE_HOME). copse also reads data/ in the working directory, and some
small sets are built in. Only copse data fetch downloads files.`,
	}
	cmd.AddCommand(newDataList(), newDataPath(), newDataFetch(), newDataAdd())
	cmd.RunE = refuseSubcommand
	return cmd
}

// newDataPath returns the command copse data path.
func newDataPath() *cobra.Command {
	return &cobra.Command{
		Use:   "path NAME",
		Short: "Check the CSV file of a data set and print its path",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			store, err := data.DefaultStore()
			if err != nil {
				return err
			}
			c, err := store.Find(args[0])
			if err != nil {
				return err
			}
			if c.Path == "" {
				return fmt.Errorf("the data set %s is built into copse and has no file", args[0])
			}
			// A script may read the path, so even a long path must stay on one line.
			fmt.Fprintln(unwrapped(cmd.OutOrStdout()), c.Path)
			return nil
		},
	}
}

// newDataFetch returns the command copse data fetch.
func newDataFetch() *cobra.Command {
	var offline, all bool
	cmd := &cobra.Command{
		Use:   "fetch NAME... | CONFIG... | --all",
		Short: "Download missing data sets from their archives",
		Long: `Fetch downloads registered sets, data sets, tasks and suites of openml.org by
number (openml:61, openml:task/59, openml:suite/99), or all sets of a study
file (CONFIG.yaml). Downloads use HTTPS and the proxy of the environment, and
have limits in size and time. Fetch keeps a registered set only if its CSV has
the registered SHA-256, and never replaces a file. With --offline it downloads
nothing and lists what is missing.`,
		RunE: func(cmd *cobra.Command, names []string) error {
			if all {
				names = append(names, fetchable()...)
			}
			return fetchSets(cmd, names, offline)
		},
	}
	cmd.Flags().BoolVar(&offline, "offline", false, "only list the missing data sets; download nothing")
	cmd.Flags().BoolVar(&all, "all", false, "fetch all registered data sets that copse can download")
	return cmd
}

// expandSets returns the distinct names of the data sets that the arguments args select. An argument
// is the name of a data set, the name of an OpenML suite, which selects its tasks, or the path of a
// study file, which selects its data sets.
func expandSets(args []string, tasksOf func(suite string) ([]string, error)) (names []string, err error) {
	for _, arg := range args {
		sets := []string{arg}
		switch {
		case strings.HasSuffix(arg, ".yaml"):
			sets, err = study.SetsOf(arg)
		case data.IsSuite(arg):
			sets, err = tasksOf(arg)
		}
		if err != nil {
			return nil, err
		}
		names = view.AddNew(names, sets...)
	}
	return names, nil
}

// fetchable returns the names of the registered data sets that copse can download.
func fetchable() []string {
	return slices.DeleteFunc(data.Names(), func(name string) bool {
		s, _ := data.Lookup(name)
		return s.WhyNotFetched() != ""
	})
}

// fetchSets downloads the missing ones of the data sets that args select or, if offline is true,
// only reports them. It tries all sets before it returns an error.
func fetchSets(cmd *cobra.Command, args []string, offline bool) error {
	store, err := data.DefaultStore()
	if err != nil {
		return err
	}
	client := data.NewClient()
	client.Say = func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), text) }
	getSet := func(name string) (*data.Copy, error) { return store.Fetch(cmd.Context(), client, name) }
	getSuite := func(name string) ([]string, error) { return store.FetchSuite(cmd.Context(), client, name) }
	if offline {
		getSet, getSuite = store.Find, store.Suite
	}
	sets, err := expandSets(args, getSuite)
	if err != nil {
		return err
	}
	if len(sets) == 0 {
		return usageErrorf("give the names of the data sets to fetch, or `--all`")
	}
	missing := 0
	for _, name := range sets {
		c, err := getSet(name)
		if err != nil {
			missing++
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %v\n", name, err)
			continue
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s: on this machine, SHA-256 %s\n", name, c.SHA256)
	}
	if missing > 0 {
		return fmt.Errorf("missing data sets: %d of %d", missing, len(sets))
	}
	return nil
}

// newDataAdd returns the command copse data add.
func newDataAdd() *cobra.Command {
	var name string
	var o csvfile.Options
	cmd := &cobra.Command{
		Use:   "add FILE --name NAME",
		Short: "Add your own CSV or ARFF file under a name that studies can use",
		Long: `Add copies a CSV file to the data folder under a name that studies can use. It
reads the file as copse classify does and stores the kinds of the columns
beside it. It converts a file FILE.arff to CSV.

Under the name of a registered set, Add accepts only the registered CSV or the
original file of its archive. Add a registered set in this way if copse cannot
download it.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			store, err := data.DefaultStore()
			if err != nil {
				return err
			}
			o.Note = func(note string) { fmt.Fprintln(cmd.ErrOrStderr(), note) }
			c, err := store.Add(args[0], name, o)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s: %s, SHA-256 %s\n", name, c.Path, c.SHA256)
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&name, "name", "", "name of the set")
	addColumnFlags(cmd, &o)
	requireFlags(cmd, "name")
	return cmd
}
