package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"copse/experiments/config"
	"copse/experiments/data"
	"copse/experiments/study"
	"copse/stats/dataset/csvfile"
)

func newData() *cobra.Command {
	cmd := &cobra.Command{
		Use:  "data",
		Args: cobra.ArbitraryArgs,
		Example: `  copse data list
  copse data list iris
  copse data fetch sonar
  copse data add mine.csv --name mine`,
		Short: "List, fetch and add the real data sets that studies name",
		Long: `Data keeps the data sets that a study names, data: {set: sonar}. Registered sets
are known by the SHA-256 of their CSV; what differs is never used. They lie in the
folder that COPSE_DATA names or else in the user's cache (XDG_CACHE_HOME); data/ in
the working directory is looked at, too, and some small ones are part of copse.
Studies download nothing: fetch does.`,
	}
	cmd.AddCommand(newDataList(), newDataPath(), newDataFetch(), newDataAdd())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return cmd.Help()
		}
		var names []string
		for _, below := range cmd.Commands() {
			names = append(names, below.Name())
		}
		return usagef("copse data has no %q%s", args[0], config.DidYouMean(args[0], names))
	}
	return cmd
}

func newDataPath() *cobra.Command {
	return &cobra.Command{
		Use:   "path NAME",
		Short: "Print where a set's CSV lies, after comparing its sum",
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
				return fmt.Errorf("%s is part of copse, it has no file", args[0])
			}
			fmt.Fprintln(document(cmd.OutOrStdout()), c.Path)
			return nil
		},
	}
}

func newDataFetch() *cobra.Command {
	var offline, all bool
	cmd := &cobra.Command{
		Use:   "fetch NAME... | CONFIG... | --all",
		Short: "Download sets that are not here, from the archive of record",
		Long: `Fetch downloads registered sets, sets of openml.org by number (openml:61), and
those that a study file (CONFIG.yaml) names.
Downloads are bounded in size and time, use HTTPS, and go through the proxy that the
environment names. A registered set is kept only if its CSV has the registered
SHA-256; what is there is never replaced. With --offline nothing is downloaded:
the command tells what is missing.`,
		RunE: func(cmd *cobra.Command, names []string) error {
			if all {
				names = append(names, fetchable()...)
			}
			names, err := ofStudies(names)
			if err != nil {
				return err
			}
			if len(names) == 0 {
				return usagef("name the sets to fetch, or --all")
			}
			return fetchSets(cmd, names, offline)
		},
	}
	cmd.Flags().BoolVar(&offline, "offline", false, "download nothing, tell what is missing")
	cmd.Flags().BoolVar(&all, "all", false, "every registered set that can be fetched")
	return cmd
}

// ofStudies puts the sets that study files name in the files' place.
func ofStudies(args []string) (names []string, err error) {
	for _, arg := range args {
		sets := []string{arg}
		if strings.HasSuffix(arg, ".yaml") {
			if sets, err = study.SetsOf(arg); err != nil {
				return nil, err
			}
		}
		for _, name := range sets {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

func fetchable() []string {
	return slices.DeleteFunc(data.Names(), func(name string) bool {
		s, _ := data.Lookup(name)
		return s.WhyNotFetched() != ""
	})
}

// fetchSets goes on after a failure and fails in the end.
func fetchSets(cmd *cobra.Command, names []string, offline bool) error {
	store, err := data.DefaultStore()
	if err != nil {
		return err
	}
	client := data.NewClient()
	client.Say = func(text string) { fmt.Fprintln(cmd.ErrOrStderr(), text) }
	missing := 0
	for _, name := range names {
		var c *data.Copy
		if offline {
			c, err = store.Find(name)
		} else {
			c, err = store.Fetch(cmd.Context(), client, name)
		}
		if err != nil {
			missing++
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %v\n", name, err)
			continue
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s: here, SHA-256 %s\n", name, c.SHA256)
	}
	if missing > 0 {
		return fmt.Errorf("%d of %d sets are missing", missing, len(names))
	}
	return nil
}

func newDataAdd() *cobra.Command {
	var name string
	var o csvfile.Options
	cmd := &cobra.Command{
		Use:   "add FILE --name NAME",
		Short: "Keep a file of one's own under a name that studies can use",
		Long: `Add keeps a CSV under a name that studies can use. Under the name of a registered
set it has to be the CSV of record or the original that its archive gives: that is
how sets come in that copse may not or cannot download. Any other name is free; the
file is read as copse classify reads one and kept with its kinds.`,
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
	flags.StringVar(&name, "name", "", "the name of the set")
	flags.StringVar(&o.Class, "class", "", "the class column (default: the last one)")
	flags.StringSliceVar(&o.Discrete, "discrete", nil, "columns to read as discrete although they hold numbers")
	flags.StringSliceVar(&o.Drop, "drop", nil, "columns to leave out")
	flags.StringSliceVar(&o.Missing, "missing", nil, "marks of missing values (default: ? and NA)")
	mustRequire(cmd, "name")
	return cmd
}
