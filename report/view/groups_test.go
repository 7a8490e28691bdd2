package view

import (
	"testing"

	"copse/stats/records"
)

// A factor that only some cells have is listed with the levels that distinguish these cells.
func TestLevelWordsOfANestedFactor(t *testing.T) {
	d := records.Factor{Name: "d", Levels: []string{"5", "9"}}
	for want, levels := range map[string][][]string{ // of family, d and n
		"5, 9":                      {{"f", "5", "1"}, {"f", "9", "1"}, {"p", "5", "1"}, {"p", "9", "1"}},
		"5, 9; only for f":          {{"f", "5", "1"}, {"f", "9", "2"}, {"p", "", "1"}, {"p", "", "2"}},
		"5, 9; only for f or g":     {{"f", "5", "1"}, {"g", "9", "1"}, {"p", "", "1"}},
		"5, 9; only for f, n = 1":   {{"f", "5", "1"}, {"f", "9", "1"}, {"f", "", "2"}, {"p", "", "2"}},
		"5, 9; only for some cells": {{"f", "5", "1"}, {"p", "9", "2"}, {"f", "", "2"}, {"p", "", "1"}},
	} {
		if words := ofProblems(levels).LevelWords(d); words != want {
			t.Errorf("%q, want %q", words, want)
		}
	}
}
