package recipe

import (
	"strings"
	"testing"
)

type sample struct {
	K    int       `param:"k"`
	Rule string    `param:"rule"`
	C    []float64 `param:"c"`
}

func TestDefaults(t *testing.T) {
	made := &sample{5, "", []float64{1, 0.5}}
	if got := Full("knn", 1, made); got != "knn/1{k=5,rule=,c=[1 0.5]}" {
		t.Error(got)
	}
	stored, err := parseDefaults("knn/1{k=5,rule=,c=[1 0.5]}\nnone/2{}\n")
	if err != nil {
		t.Fatal(err)
	}
	// A default of 15 gives the same recipe as an explicit 15.
	for _, c := range []struct {
		name    string
		version int
		made    *sample
		want    string
	}{
		{"knn", 1, made, "knn/1{}"},
		{"knn", 1, &sample{15, "", []float64{1, 0.5}}, "knn/1{k=15}"},
		{"knn", 2, made, "knn/2{k=5,rule=,c=[1 0.5]}"},
	} {
		if got := stored.Canonical(c.name, c.version, c.made); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	for want, c := range map[string]struct {
		version  int
		defaults any
	}{
		"": {1, made}, "has no stored defaults": {2, made},
		"has other defaults": {1, &sample{15, "", []float64{1, 0.5}}},
		"lacks a parameter": {1, &struct {
			K int `param:"k"`
		}{5}},
	} {
		if got := stored.Check("knn", c.version, c.defaults); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, bad := range []string{"knn", "knn/1{k}", "knn/1{}\nknn/1{}", "\n"} {
		if _, err := parseDefaults(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
