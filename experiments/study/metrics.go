package study

import "copse/experiments/config"

// MetricsIn returns the metrics that the text of a study requests; none where it cannot
// be read.
func MetricsIn(text []byte) (names []string) {
	root, err := config.Parse("", text)
	if err != nil {
		return nil
	}
	for _, item := range root.Key("metrics").Items() {
		names = append(names, item.Text())
	}
	return names
}
