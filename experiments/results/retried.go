package results

// A RetriedFit is a fit that failed in one attempt and succeeded in another. Its record is the
// success.
type RetriedFit struct {
	Cell       string `json:"cell"`
	Replicate  int    `json:"replicate"`
	Classifier string `json:"classifier"`
}

// addRetried marks the retried fits that the manifest lists, because their journals may have been
// removed.
func (f *Folder) addRetried() {
	if f.Manifest == nil {
		return
	}
	for _, fit := range f.Manifest.Retried {
		cell, _ := f.Manifest.Cell(fit.Cell)
		key, stored := f.store.find(fit.Cell, fit.Replicate, fit.Classifier, cell.Classifiers[fit.Classifier])
		if stored != nil && !stored.failed {
			f.store.retried[storedFit{key, stored.recipe}] = true
		}
	}
}

// retried returns the value of Manifest.Retried.
func (s *Selection) retried() (list []RetriedFit) {
	if len(s.store.retried) == 0 {
		return nil
	}
	for at, r := range s.eachResult(anyResult) {
		if s.store.retried[storedFit{at.trial, r.recipe}] {
			id := s.store.recipes.values[r.recipe].id
			list = append(list, RetriedFit{at.cell.ID, int(at.trial.replicate), id})
		}
	}
	return list
}

func (m *Manifest) CountRetried() map[string]int {
	counts := map[string]int{}
	for _, fit := range m.Retried {
		counts[fit.Classifier]++
	}
	return counts
}
