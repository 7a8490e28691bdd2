package study

import (
	"slices"

	"copse/experiments/config"
	"copse/stats/metrics"
)

// MetricsIn returns the metrics, besides the confusion matrix, that a study file with the given
// text stores. It returns nil if the text is not valid YAML.
func MetricsIn(text []byte) []string {
	root, err := config.Parse("", text)
	if err != nil {
		return nil
	}
	return keptMetrics(root)
}

// keptMetrics returns the metrics in a study that require the scores of the test rows. Others can
// be computed from the stored confusion matrices and times.
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
			add(item.Key("metrics"))
		}
	}
	return names
}

func (r *reader) checkMetrics() {
	for _, name := range r.Metrics {
		if _, err := metrics.Lookup(name); err != nil {
			r.root.Key("metrics").Find(name).Fail("%s", err)
		}
	}
}
