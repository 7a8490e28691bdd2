package cluster

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"copse/experiments/study"
)

// printable are all printable bytes that a file name may have, and some words of
// more than one byte.
func printable() string {
	var b strings.Builder
	for c := byte(' '); c < 0x7f; c++ {
		if c != '/' {
			b.WriteByte(c)
		}
	}
	return b.String() + " é 日本 $(touch x) `id`"
}

// A shell sees one word, the text, with every printable byte in every place.
func TestWord(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("NOT TESTED: quoting, since there is no bash here")
	}
	texts := []string{"", printable(), "~", "-n", "a=b", "#x", "$HOME", "a$HOME"}
	for _, c := range printable() {
		texts = append(texts, string(c), "a"+string(c)+"b", string(c)+string(c))
	}
	var script strings.Builder
	for _, text := range texts {
		script.WriteString("printf '%s\\n' " + Word(text) + "\n")
	}
	for _, shell := range []string{"bash", "sh"} {
		run := exec.Command(shell, "-c", script.String())
		run.Dir = t.TempDir()
		out, err := run.Output()
		if want := strings.Join(texts, "\n") + "\n"; err != nil || string(out) != want {
			t.Errorf("%s: %v: %q\nwant %q", shell, err, out, want)
		}
		if made, _ := filepath.Glob(filepath.Join(run.Dir, "*")); len(made) > 0 {
			t.Errorf("%s made %q", shell, made)
		}
	}
	if checkWord("a\nb") == nil || checkWord("a\tb") == nil || checkWord(printable()) != nil {
		t.Error("control characters and only these are refused")
	}
}

const tiny = `study: NAME
title: "TITLE"
seed: 1
replicates: 1000
data: {generator: {name: forest, d: 3}, train: {n: 10}, test: {n: 10}}
classifiers: [nb]
`

// Jobs have names that Kubernetes takes, of different studies different ones; the
// study comes out as it went in.
func TestKubernetesNames(t *testing.T) {
	label := regexp.MustCompile(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)
	seen := map[string]string{}
	for _, name := range []string{"a", "A", "a.b", "a-b", "a_b", "a--b", "0", "x-", "x.", strings.Repeat("long-", 40) + "a", strings.Repeat("long-", 40) + "b", "null", "1e5"} {
		title := `a: 'b' {c} # d \"e\" \\ \x07 \u0085 \U0001F600 %s %[9]d`
		s, err := study.Parse("s.yaml", []byte(strings.NewReplacer("NAME", "'"+name+"'", "TITLE", title).Replace(tiny)), nil, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		text, err := Kubernetes(s, 1000, "registry.example:5000/copse@sha256:0", "claim.1")
		if err != nil {
			t.Fatal(name, err)
		}
		var first struct {
			Metadata struct{ Name string }
			Data     map[string]string
		}
		if err := yaml.Unmarshal([]byte(text), &first); err != nil {
			t.Fatal(name, err)
		}
		job := first.Metadata.Name
		if host := job + "-999"; !label.MatchString(host) || len(host) > 63 {
			t.Errorf("%s: host %q", name, host)
		}
		if other, taken := seen[job]; taken && !strings.EqualFold(other, name) {
			t.Errorf("%s and %s are both %s", name, other, job)
		}
		seen[job] = name
		if inside, err := study.Parse("s.yaml", []byte(first.Data["study.yaml"]), nil, nil); err != nil || inside.Title != s.Title || inside.Name != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A task that is told to stop before copse listens is requeued like one that copse drained;
// what copse itself ends with stays.
func TestEarlySignalRequeues(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("NOT TESTED: the job script, since there is no bash here")
	}
	s, err := study.Parse("s.yaml", []byte(tiny), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for program, want := range map[string]int{
		"kill -TERM $PPID; exec sleep 60":                                    75,
		"trap 'exit 3' TERM; kill -TERM $PPID; while :; do sleep 0.01; done": 75,
		"trap 'exit 1' TERM; kill -TERM $PPID; while :; do sleep 0.01; done": 1,
		"kill -TERM $$": 143,
		"exit 0":        0,
	} {
		dir := t.TempDir()
		p := &Slurm{Study: s, Dir: dir, WorkDir: dir, Tasks: 1, Missing: []int{1}, Binary: filepath.Join(dir, "copse"), Config: "study.yaml"}
		if err := os.WriteFile(p.Binary, []byte("#!/bin/sh\n"+program+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		task := exec.Command("bash", "-c", p.ArrayScript())
		task.Dir, task.Env = dir, append(os.Environ(), "SLURM_ARRAY_TASK_ID=1", "SLURM_JOB_ID=1")
		if _ = task.Run(); task.ProcessState.ExitCode() != want {
			t.Errorf("%s: exit %d, want %d", program, task.ProcessState.ExitCode(), want)
		}
	}
}
