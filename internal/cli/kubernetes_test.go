package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"copse/internal/filetest"
	"copse/internal/texttest"
)

// A manifest contains the parts of docs/guide/kubernetes.yaml that the tests read.
type manifest struct {
	Spec struct {
		Completions int
		Parallelism int
		Mode        string `yaml:"completionMode"`
		Template    struct {
			Spec struct {
				HostNetwork, HostPID, HostIPC bool
				Security                      struct {
					NonRoot bool                  `yaml:"runAsNonRoot"`
					User    int                   `yaml:"runAsUser"`
					Seccomp struct{ Type string } `yaml:"seccompProfile"`
				} `yaml:"securityContext"`
				Containers []struct {
					Command, Args []string
					Env           []struct {
						Name, Value string
						From        struct {
							Field struct {
								Path string `yaml:"fieldPath"`
							} `yaml:"fieldRef"`
						} `yaml:"valueFrom"`
					}
					Ports    []any
					Security struct {
						Privileged   bool
						Escalation   *bool `yaml:"allowPrivilegeEscalation"`
						ReadOnly     bool  `yaml:"readOnlyRootFilesystem"`
						Capabilities struct{ Add, Drop []string }
					} `yaml:"securityContext"`
				}
				Volumes []map[string]any
			}
		}
	}
}

func readManifest(t *testing.T) manifest {
	t.Helper()
	text := filetest.Read(t, filepath.Join("..", "..", "docs", "guide", "kubernetes.yaml"))
	var m manifest
	if err := yaml.Unmarshal([]byte(text), &m); err != nil {
		t.Fatal(err)
	}
	if len(m.Spec.Template.Spec.Containers) != 1 {
		t.Fatalf("%d containers", len(m.Spec.Template.Spec.Containers))
	}
	return m
}

// The pods meet the restricted Pod Security Standard, as stated in its tables of fields.
func TestKubernetesIsRestricted(t *testing.T) {
	pod := readManifest(t).Spec.Template.Spec
	container := pod.Containers[0].Security
	if pod.HostNetwork || pod.HostPID || pod.HostIPC || container.Privileged {
		t.Error("the pod uses the host")
	}
	if !pod.Security.NonRoot || pod.Security.User == 0 {
		t.Error("the pod runs as root")
	}
	if pod.Security.Seccomp.Type != "RuntimeDefault" {
		t.Errorf("seccomp profile %q", pod.Security.Seccomp.Type)
	}
	if container.Escalation == nil || *container.Escalation {
		t.Error("privileges can escalate")
	}
	if c := container.Capabilities; len(c.Add) > 0 || !slices.Equal(c.Drop, []string{"ALL"}) {
		t.Errorf("capabilities %v", c)
	}
	for _, volume := range pod.Volumes {
		for kind := range volume {
			if !slices.Contains([]string{"name", "configMap", "emptyDir", "persistentVolumeClaim"}, kind) {
				t.Errorf("volume of kind %s", kind)
			}
		}
	}
}

// Each index runs a different shard, with existing flags of copse run. The journal has the name of the pod, which
// a replacement of the pod does not share.
func TestKubernetesRunsShards(t *testing.T) {
	job := readManifest(t).Spec
	container := job.Template.Spec.Containers[0]
	shards, pod := "", ""
	for _, e := range container.Env {
		if e.Name == "SHARDS" {
			shards = e.Value
		}
		if e.From.Field.Path == "metadata.name" {
			pod = e.Name
		}
	}
	if shards != "8" || job.Completions != 8 || job.Parallelism != 8 || job.Mode != "Indexed" {
		t.Errorf("%s shards, %d completions of mode %s", shards, job.Completions, job.Mode)
	}
	command := strings.Join(container.Args, " ")
	texttest.Contains(t, command, `--shard "$((JOB_COMPLETION_INDEX + 1))/$SHARDS"`)
	if pod == "" || !strings.Contains(command, `--writer "$`+pod+`"`) {
		t.Errorf("the writer is not the pod: %s", command)
	}
	flags := newRun().Flags()
	for _, flag := range regexp.MustCompile(` --([a-z-]+)`).FindAllStringSubmatch(command, -1) {
		if flags.Lookup(flag[1]) == nil {
			t.Errorf("copse run has no flag --%s", flag[1])
		}
	}
}

// The image does not run as root, and both images pin the same bases by digest.
func TestImages(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "Dockerfile"))
	must(err)
	apptainer, err := os.ReadFile(filepath.Join("..", "..", "copse.def"))
	must(err)
	lines := strings.Split(string(text), "\n")
	for _, base := range regexp.MustCompile(`(?m)^FROM (\S+)`).FindAllStringSubmatch(string(text), -1) {
		name := regexp.QuoteMeta(strings.Trim(base[1], "${}"))
		pin := regexp.MustCompile(`(?m)^ARG ` + name + `=(\S+@sha256:[0-9a-f]{64})$`).FindStringSubmatch(string(text))
		if pin == nil {
			t.Errorf("FROM %s: no digest pins it", base[1])
		} else if !strings.Contains(string(apptainer), "From: "+pin[1]+"\n") {
			t.Errorf("copse.def does not build from %s", pin[1])
		}
	}
	user := readManifest(t).Spec.Template.Spec.Security.User
	if want := fmt.Sprintf("USER %d:%d", user, user); user == 0 || !slices.Contains(lines, want) {
		t.Errorf("the image does not run as the job's user: no line %q", want)
	}
	texttest.Contains(t, string(text), "--sbom=true")
}
