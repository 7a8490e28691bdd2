package cluster

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"

	"gopkg.in/yaml.v3"

	"copse/experiments/folder"
	"copse/experiments/study"
)

// A Kubernetes manifest runs the shards as an Indexed Job: index i runs shard
// i+1. All pods write to one volume, each to a journal of its own, named after
// the pod, so that a pod that is started twice does no harm. A drained pod (exit
// code 3) and one that the cluster took away are started again without counting
// as failures, and resume.
const manifestFormat = `# copse %[1]s in %[2]d shards. The image holds copse and a shell, such as
#   FROM debian:stable-slim
#   COPY copse /usr/local/bin/
# built of the binary that printed this. Apply with kubectl apply -f; afterwards,
# where the volume is mounted: copse report /results/%[1]s
# To run again what is missing: kubectl delete job %[3]s, and apply again.
apiVersion: v1
kind: ConfigMap
metadata:
  name: %[3]s
data:
  study.yaml: |
%[4]s%[7]s
---
apiVersion: batch/v1
kind: Job
metadata:
  name: %[3]s
spec:
  completionMode: Indexed
  completions: %[2]d
  parallelism: %[2]d
  backoffLimitPerIndex: 5
  podFailurePolicy:
    rules:
      - action: Ignore
        onExitCodes: {containerName: copse, operator: In, values: [3]}
      - action: Ignore
        onPodConditions: [{type: DisruptionTarget, status: "True"}]
  template:
    spec:
      restartPolicy: Never
      terminationGracePeriodSeconds: 120
      containers:
        - name: copse
          image: "%[5]s"
          command: [sh, -c]
          args:
            - >-
              exec copse run /study/study.yaml --out /results/%[1]s
              --shard "$((JOB_COMPLETION_INDEX + 1))/%[2]d" -j "$CPUS" --memory "$MEMORY" --writer "$HOSTNAME"
          env:
            - name: CPUS
              valueFrom: {resourceFieldRef: {resource: limits.cpu}}
            - name: MEMORY
              valueFrom: {resourceFieldRef: {resource: limits.memory}}
          resources:
            requests: {cpu: "1", memory: 2Gi}
            limits: {cpu: "1", memory: 2Gi}
          volumeMounts:
            - {name: study, mountPath: /study}
            - {name: results, mountPath: /results}
      volumes:
        - name: study
          configMap:
            name: %[3]s
            items:
              - {key: study.yaml, path: study.yaml}
%[8]s        - name: results
          persistentVolumeClaim: {claimName: "%[6]s"}
`

// Names that Kubernetes takes: of jobs and config maps (here), of images, of claims.
const (
	maxLabel = 63  // of a pod's host name, which is the job's with -<index>
	maxClaim = 253 // a DNS subdomain
)

var (
	notInLabel = regexp.MustCompile(`[^a-z0-9]+`)
	imageName  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$`)
	claimName  = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`)
)

// jobName makes a study's name one of Kubernetes's, with a digest where that
// changes more than the case of letters.
func jobName(study string, tasks int) string {
	room := maxLabel - len(fmt.Sprintf("-%d", tasks-1))
	lower := "copse-" + strings.ToLower(study)
	name := "copse-" + strings.Trim(notInLabel.ReplaceAllString(strings.ToLower(study), "-"), "-")
	if name == lower && len(name) <= room {
		return name
	}
	digest := fmt.Sprintf("-%x", sha256.Sum256([]byte(study)))[:9]
	return strings.TrimRight(name[:min(len(name), room-len(digest))], "-") + digest
}

// Kubernetes writes a study as an Indexed Job whose pods run the image
// and share the volume of the claim.
func Kubernetes(s *study.Study, tasks int, image, claim string) (string, error) {
	for _, c := range s.Cells {
		if c.Data.FromFiles() {
			return "", errors.New("the study reads files, which pods do not have")
		}
	}
	if trials := len(s.Cells) * s.Replicates; tasks > trials {
		return "", fmt.Errorf("--tasks %d: the study has %d trials, so that the other pods would have nothing to do", tasks, trials)
	}
	if !imageName.MatchString(image) {
		return "", fmt.Errorf("--image %q: not the name of an image, such as registry/copse:1", image)
	}
	if !claimName.MatchString(claim) || len(claim) > maxClaim {
		return "", fmt.Errorf("--claim %q: not the name of a claim: small letters, digits, '-' and '.', %d at most", claim, maxClaim)
	}
	text, err := s.YAML()
	if err != nil {
		return "", err
	}
	config := "    " + strings.ReplaceAll(strings.TrimSuffix(string(text), "\n"), "\n", "\n    ")
	content, items, err := configMapFiles(s)
	if err != nil {
		return "", err
	}
	manifest := fmt.Sprintf(manifestFormat, s.Name, tasks, jobName(s.Name, tasks), config, image, claim, content, items)
	var first struct{ Data map[string]string }
	if err := yaml.Unmarshal([]byte(manifest), &first); err != nil || first.Data[folder.Study] != string(text) {
		return "", errors.Join(err, errors.New("the study does not come out of a manifest as it went in: leave out what is not plain text in it"))
	}
	return manifest, nil
}

// mostInConfigMap is Kubernetes' limit of 1 MiB, less what the study and the
// names take.
const mostInConfigMap = 900 << 10

// configMapFiles puts the files of a study's programs beside it: their contents,
// whose keys may have no slashes, and the paths that they appear under. The image
// must have what runs them.
func configMapFiles(s *study.Study) (content, items string, err error) {
	size, seen := 0, map[string]bool{}
	for _, program := range s.Programs() {
		err := program.Copy(s.Folder(), "", func(path string, mode fs.FileMode, file io.Reader) error {
			text, err := io.ReadAll(io.LimitReader(file, mostInConfigMap+1))
			if size += base64.StdEncoding.EncodedLen(len(text)); err == nil && size > mostInConfigMap {
				err = fmt.Errorf("the files of the study's programs take more than %d KiB, which no ConfigMap holds; put them into the image, and name them by absolute paths in command", mostInConfigMap>>10)
			}
			path = filepath.ToSlash(path)
			if err != nil || seen[path] {
				return err
			}
			if len(seen) == 0 {
				content = "\nbinaryData:\n"
			}
			seen[path] = true
			key := fmt.Sprintf("file-%d", len(seen))
			content += fmt.Sprintf("  %s: %s\n", key, base64.StdEncoding.EncodeToString(text))
			items += fmt.Sprintf("              - {key: %s, path: %q, mode: %d}\n", key, path, mode)
			return nil
		})
		if err != nil {
			return "", "", err
		}
	}
	return strings.TrimSuffix(content, "\n"), items, nil
}
