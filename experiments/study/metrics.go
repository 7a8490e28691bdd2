package study

import (
	"slices"

	"copse/experiments/config"
	"copse/stats/metrics"
)

// MetricsIn returns the metrics that the results of a study keep beside their confusion
// matrix, by the study's text; none where it cannot be read.
func MetricsIn(text []byte) []string {
	root, err := config.Parse("", text)
	if err != nil {
		return nil
	}
	return keptMetrics(root)
}

// keptMetrics lists those of the study's metrics, and of its tables and figures, that need
// the rows of a test set: others follow from confusion matrices and clocks.
func keptMetrics(root config.Place) (names []string) {
	add := func(at config.Place) {
		for _, item := range at.Items() {
			m, err := metrics.Lookup(item.Text())
			if err == nil && m.NeedsRows() && !slices.Contains(names, m.Name) {
				names = append(names, m.Name)
			}
		}
	}
	add(root.Key("metrics"))
	for _, list := range []string{"tables", "figures"} {
		for _, item := range root.Key("report").Key(list).Items() {
			add(item.Key("metric"))
		}
	}
	return names
}

// checkMetrics reports metrics that do not exist or are listed twice.
func (r *reader) checkMetrics() {
	for i, name := range r.Metrics {
		_, err := metrics.Lookup(name)
		switch at := r.root.Key("metrics").Find(name); {
		case err != nil:
			at.Fail("%s", err)
		case slices.Contains(r.Metrics[:i], name):
			at.Fail("%s is listed twice", name)
		}
	}
}
