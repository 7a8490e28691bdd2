// Package cluster submits a study to Slurm, as an array of tasks that each run one shard of the trials.
package cluster

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/stats/records"
)

// A Slurm is a study that is ready for submission: its trials are divided into shards, one per task
// of a job array. The binary and the configuration are copied into the results folder, so that the
// tasks run what was submitted.
type Slurm struct {
	Study   *study.Study
	Dir     string // the results folder, absolute
	WorkDir string // where tasks run; paths of data files are relative to it
	Tasks   int    // number of shards
	Missing []int  // shards that lack results
	Binary  string // path of the copied binary
	Config  string // path of the copied configuration

	AcceptChange bool // of versions and packages of programs, see run.Options

	config []byte // content of Config
	digest string // of the configuration and the files of its programs; names the files of a submission
	self   string // path of the running binary
}

const (
	digestDigits = 8  // number of hexadecimal digits of a configuration's checksum in file names
	binaryDigits = 12 // number of hexadecimal digits of a binary's checksum in file names
)

// NewSlurm prepares the submission of the missing results of a study, divided into the given number of
// tasks. It writes no files.
func NewSlurm(s *study.Study, dir string, tasks int) (*Slurm, error) {
	f, err := results.OpenFor(dir, s)
	if err != nil {
		return nil, err
	}
	p := &Slurm{Study: s, Tasks: tasks, Missing: run.NewPlan(f, false).MissingShards(tasks)}
	if err := p.setFolders(dir); err != nil {
		return nil, err
	}
	if err := p.nameBinary(); err != nil {
		return nil, err
	}
	return p, p.nameConfig()
}

// setFolders sets Dir and WorkDir. It returns an error for paths that a job script cannot contain.
func (p *Slurm) setFolders(dir string) (err error) {
	if p.Dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if p.WorkDir, err = os.Getwd(); err != nil {
		return err
	}
	for _, path := range []string{p.Dir, p.WorkDir} {
		if err := checkWord(path); err != nil {
			return err
		}
	}
	if strings.ContainsAny(p.Dir, `%\`) {
		return fmt.Errorf("%q: Slurm expands %% and \\ in the folder of its logs: name a results folder without "+
			"them by --out", p.Dir)
	}
	return nil
}

// nameBinary sets Binary. The name of the file contains a checksum of the running binary.
func (p *Slurm) nameBinary() (err error) {
	if p.self, err = os.Executable(); err != nil {
		return err
	}
	sum, err := folder.Digest(p.self)
	if err == nil {
		p.Binary = filepath.Join(p.Dir, folder.Programs, "copse-"+sum[:binaryDigits])
	}
	return err
}

// nameConfig sets Config. If the study has external programs, Config is in a separate folder, together with
// the files of the programs.
func (p *Slurm) nameConfig() (err error) {
	if p.config, err = p.Study.YAML(); err != nil {
		return err
	}
	content := slices.Clone(p.config)
	for _, program := range p.Study.Programs() {
		content = append(content, program.Digest...)
	}
	sum := sha256.Sum256(content)
	p.digest = hex.EncodeToString(sum[:])[:digestDigits]
	p.Config = p.submitted("yaml")
	if len(p.Study.Programs()) > 0 {
		p.Config = filepath.Join(p.Dir, folder.Submitted, p.digest, folder.Study)
	}
	return nil
}

// submitted returns the path of a file of this submission with the given extension.
func (p *Slurm) submitted(extension string) string {
	return filepath.Join(p.Dir, folder.Submitted, p.digest+"."+extension)
}

// Scripts returns the paths of the two job scripts: of the array and of the report.
func (p *Slurm) Scripts() (array, report string) {
	return p.submitted("array.sh"), p.submitted("report.sh")
}

// Write copies the binary and the configuration and writes the job scripts. What
// an earlier one left half-written when it was killed goes first.
func (p *Slurm) Write() error {
	for _, sub := range []string{folder.Programs, folder.Submitted, folder.Logs} {
		if err := folder.Make(filepath.Join(p.Dir, sub)); err != nil {
			return folder.Unwritable(p.Dir, err)
		}
	}
	return folder.Locked(p.Dir, func() error {
		if err := p.copyBinary(); err != nil {
			return err
		}
		if err := folder.Make(filepath.Dir(p.Config)); err != nil {
			return err
		}
		if err := p.Study.KeepFiles(filepath.Dir(p.Config)); err != nil {
			return err
		}
		array, report := p.Scripts()
		for path, text := range map[string]string{p.Config: string(p.config), array: p.ArrayScript(),
			report: p.ReportScript()} {
			if err := folder.WriteBytes(path, []byte(text)); err != nil {
				return err
			}
		}
		return nil
	})
}

// copyBinary keeps the running binary under the name of its content, which a
// later submission by another binary leaves alone.
func (p *Slurm) copyBinary() error {
	if _, err := os.Stat(p.Binary); err == nil {
		return nil
	}
	from, err := os.Open(p.self)
	if err != nil {
		return err
	}
	defer from.Close()
	return folder.WriteProgram(p.Binary, func(w io.Writer) error { _, err := io.Copy(w, from); return err })
}

// arrayScript runs one shard per task. SIGUSR1 comes two minutes before the time
// limit, SIGTERM when the task is pre-empted or cancelled; either way copse
// finishes the trials under way and exits with 3. Near its limit a task requeues
// itself. Exit code 75 requeues where slurm.conf sets RequeueExit=75; after a
// pre-emption Slurm requeues by itself.
//
// Paths stand in the script as words of Word. #SBATCH lines have none, since every
// version of Slurm takes their quotes apart in its own way; the log is named from the
// results folder, where Options has the job run.
const arrayScript = `#!/bin/bash
#SBATCH --job-name=copse-%[1]s
#SBATCH --array=%[2]s
#SBATCH --output=log/%%A_%%a.log
#SBATCH --open-mode=append
#SBATCH --requeue
#SBATCH --signal=B:USR1@120
copse= signalled= limit=
trap 'signalled=yes; [ -z "$copse" ] || kill -TERM $copse' TERM
trap 'signalled=yes limit=yes; [ -z "$copse" ] || kill -TERM $copse' USR1
cd -- %[4]s || exit
%[5]s run %[6]s --out %[3]s --shard "$SLURM_ARRAY_TASK_ID/%[7]d"%[8]s \
  -j "${SLURM_CPUS_PER_TASK:-1}" --writer "job$SLURM_JOB_ID-${SLURM_RESTART_COUNT:-0}" &
copse=$!
[ -z "$signalled" ] || kill -TERM $copse # the signal came before copse had started
wait $copse; code=$?
while kill -0 $copse 2>/dev/null; do wait $copse; code=$?; done # a trap ends a wait early
if [ -n "$signalled" ] && [ $code -gt 128 ]; then
  wait $copse 2>/dev/null; last=$?
  [ $last -eq 127 ] || code=$last
fi
[ -n "$signalled" ] && [ $code -eq 143 ] && code=3 # the signal came before copse could heed it
[ $code -eq 3 ] || exit $code
[ -z "$limit" ] || scontrol requeue "$SLURM_JOB_ID"
exit 75
`

// Options returns the options of sbatch for both scripts: the folder of the logs.
func (p *Slurm) Options() []string { return []string{"--chdir=" + p.Dir} }

// ArrayScript returns the job script of the missing shards.
func (p *Slurm) ArrayScript() string {
	consent := ""
	if len(p.Study.Programs()) > 0 { // whoever submits a study consents to its commands
		consent = " --run-commands"
	}
	if p.AcceptChange {
		consent += " --accept-change"
	}
	return fmt.Sprintf(arrayScript, p.Study.Name, records.Ranges(p.Missing), Word(p.Dir), Word(p.WorkDir),
		Word(p.Binary), Word(p.Config), p.Tasks, consent)
}

// ReportScript returns the job script that collects the shards and draws the report. If results are
// missing, it logs which and ends with exit code 1.
func (p *Slurm) ReportScript() string {
	return fmt.Sprintf(`#!/bin/bash
#SBATCH --job-name=copse-%[1]s-report
#SBATCH --output=log/report-%%j.log
cd -- %[3]s || exit
%[4]s report %[2]s && exec %[4]s status %[2]s
`, p.Study.Name, Word(p.Dir), Word(p.WorkDir), Word(p.Binary))
}
