package results

import (
	"slices"
	"strings"

	"copse/experiments/config"
	"copse/experiments/study"
)

// StudyFiles returns the different study files of the sessions. It omits files that cannot be parsed.
func (m *Manifest) StudyFiles() (files []config.Place) {
	seen := map[string]bool{}
	for _, s := range m.Sessions {
		if seen[s.Config] {
			continue
		}
		seen[s.Config] = true
		if file, err := config.Parse("", []byte(s.Config)); err == nil {
			files = append(files, file)
		}
	}
	return files
}

// Changes describes how the study differs from the study file of the first session in ways that
// affect tests: new classifiers, factors and levels (see study.Additions), and changed keys such as
// "inference.alpha". For changed numbers of replicates, see Extensions and MostReplicates; for
// results that the study no longer includes, see Omitted.
func (m *Manifest) Changes(s *study.Study) []string {
	const section = "inference"
	inferenceOf := func(file config.Place) map[string]any {
		keys, _ := file.Key(section).Plain().(map[string]any)
		return keys
	}
	files, now := m.StudyFiles(), inferenceOf(s.Root())
	files = files[:min(1, len(files))] // a study that returns to its first form has not changed
	var keys []string
	for _, file := range files {
		old := inferenceOf(file)
		for _, key := range config.ChangedKeys(section, now, old) {
			_, wasSet := old[strings.TrimPrefix(key, section+".")]
			// Manifests without the field Extended are older than some defaults. If their study file lacks a
			// key, the default at that time is unknown.
			if wasSet || m.Extended != nil {
				keys = append(keys, key)
			}
		}
	}
	slices.Sort(keys)
	return append(s.Additions(files), slices.Compact(keys)...)
}
