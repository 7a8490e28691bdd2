package study

import (
	"slices"

	"copse/experiments/config"
	"copse/stats/metrics"
)

// MetricsIn returns the metrics that a study's results keep beside their confusion matrix.
// text is the study file; nil where it cannot be parsed.
func MetricsIn(text []byte) []string {
	root, err := config.Parse("", text)
	if err != nil {
		return nil
	}
	return keptMetrics(root)
}

// keptMetrics lists the metrics of the study, its tables and its figures that results must
// keep. Other metrics follow from confusion matrices and times.
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
