// Package cluster submits a study to Slurm as a job array, whose tasks run one shard each.
package cluster

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"copse/experiments/external"
	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/experiments/run"
	"copse/experiments/study"
	"copse/stats/records"
)

// A Slurm describes the submission of a study to Slurm: a job array with one task per shard, and a
// report job. The jobs use copies of the binary and the study file.
type Slurm struct {
	Study     *study.Study
	Dir       string // absolute path of the results folder
	WorkDir   string // the folder in which tasks run; paths of data files are relative to it
	Tasks     int    // number of shards
	Missing   []int  // shards that lack results
	Binary    string // path of the copied binary
	StudyFile string // path of the copied study file

	AcceptChange bool // accept changed versions and packages of external programs, see run.Options

	studyYAML     []byte // content of StudyFile
	studyDigest   string // of the study and its programs' files; part of the names of submitted files
	runningBinary string // path of the running binary
}

// Lengths of the checksums in file names, in hexadecimal digits.
const (
	digestDigits = 8
	binaryDigits = 12
)

// NewSlurm divides a study into the given number of tasks and prepares the submission of the tasks
// that lack results. It writes no files.
func NewSlurm(s *study.Study, dir string, tasks int) (*Slurm, error) {
	f, err := results.OpenFor(dir, s)
	if err != nil {
		return nil, err
	}
	p := &Slurm{Study: s, Tasks: tasks, Missing: run.NewPlan(f).MissingShards(tasks)}
	if p.WorkDir, err = os.Getwd(); err != nil {
		return nil, err
	}
	p.Dir, _ = filepath.Abs(dir) // fails only without a working directory
	if err := checkScriptPaths(p.Dir, p.WorkDir); err != nil {
		return nil, err
	}
	if p.runningBinary, err = os.Executable(); err != nil {
		return nil, err
	}
	binaryDigest, err := folder.Digest(p.runningBinary)
	if err != nil {
		return nil, err
	}
	// Jobs run a copy of this binary, whose name contains its digest.
	p.Binary = filepath.Join(p.Dir, folder.Programs, "copse-"+binaryDigest[:binaryDigits])
	if p.studyYAML, err = s.YAML(); err != nil {
		return nil, err
	}
	p.studyDigest = digestOf(p.studyYAML, s.Programs())
	p.StudyFile = p.submittedFile("yaml")
	if len(s.Programs()) > 0 { // a folder of its own contains the study file and the programs' files
		p.StudyFile = filepath.Join(p.Dir, folder.Submitted, p.studyDigest, folder.Study)
	}
	return p, nil
}

// checkScriptPaths returns an error if a job script cannot contain one of the paths. The path of
// the results folder, dir, must also be valid as a log path for Slurm.
func checkScriptPaths(dir, workDir string) error {
	for _, path := range []string{dir, workDir} {
		if err := checkWord(path); err != nil {
			return err
		}
	}
	if strings.ContainsAny(dir, `%\`) {
		return fmt.Errorf("%q: %% and \\ have a special meaning for Slurm in the path of a log; "+
			"use `--out` to choose a results folder without these characters", dir)
	}
	return nil
}

// digestOf returns a checksum of a study file and its programs' files, for use in file names.
func digestOf(studyYAML []byte, programs []*external.Program) string {
	content := slices.Clone(studyYAML)
	for _, program := range programs {
		content = append(content, program.Digest...)
	}
	return folder.DigestBytes(content)[:digestDigits]
}

// submittedFile returns the path of a file of this submission.
func (p *Slurm) submittedFile(extension string) string {
	return filepath.Join(p.Dir, folder.Submitted, p.studyDigest+"."+extension)
}

// arrayFile and reportFile are the file name extensions of the two job scripts (see submittedFile).
const arrayFile, reportFile = "array.sh", "report.sh"

// write writes the binary, the study file, the files of its programs and the two job scripts to the
// results folder.
func (p *Slurm) write() error {
	for _, sub := range []string{folder.Programs, folder.Submitted, folder.Logs} {
		if err := folder.Make(filepath.Join(p.Dir, sub)); err != nil {
			return folder.Unwritable(p.Dir, err)
		}
	}
	return folder.Locked(p.Dir, func() error {
		if err := p.copyBinary(); err != nil {
			return err
		}
		if err := folder.Make(filepath.Dir(p.StudyFile)); err != nil {
			return err
		}
		if err := p.Study.KeepFiles(filepath.Dir(p.StudyFile)); err != nil {
			return err
		}
		contents := map[string]string{
			p.StudyFile:                 string(p.studyYAML),
			p.submittedFile(arrayFile):  p.ArrayScript(),
			p.submittedFile(reportFile): p.ReportScript(),
		}
		for path, text := range contents {
			if err := folder.WriteBytes(path, []byte(text)); err != nil {
				return err
			}
		}
		return nil
	})
}

// copyBinary copies the running binary to the path Binary, unless that file exists. The name
// contains the checksum.
func (p *Slurm) copyBinary() error {
	if folder.Exists(p.Binary) {
		return nil
	}
	from, err := os.Open(p.runningBinary)
	if err != nil {
		return err
	}
	defer from.Close()
	return folder.WriteProgram(p.Binary, func(w io.Writer) error { _, err := io.Copy(w, from); return err })
}

// arrayScript is the job script of the array.
//
// Slurm sends SIGUSR1 two minutes before the time limit. It sends SIGTERM when it pre-empts or
// cancels a task. After either signal, copse finishes the running trials, and the script exits with
// code 75.
//
// Near the time limit, the script requeues its task before it exits. Slurm itself requeues
// pre-empted tasks. If slurm.conf contains RequeueExit=75, Slurm also requeues all other tasks that
// exit with code 75.
//
// The #SBATCH lines contain no absolute path, because versions of Slurm interpret quotes in these
// lines in different ways. The path of the log is relative to the results folder.
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
[ -n "$signalled" ] && [ $code -eq 143 ] && code=3 # the signal came before copse could handle it
[ $code -eq 3 ] || exit $code
[ -z "$limit" ] || scontrol requeue "$SLURM_JOB_ID"
exit 75
`

// ArrayScript returns the job script for the shards with missing results.
func (p *Slurm) ArrayScript() string {
	consent := ""
	if len(p.Study.Programs()) > 0 { // by submitting a study, the user consents to its commands
		consent = " --run-commands"
	}
	if p.AcceptChange {
		consent += " --accept-change"
	}
	return fmt.Sprintf(arrayScript, p.Study.Name, records.Ranges(p.Missing), ShellWord(p.Dir), ShellWord(p.WorkDir),
		ShellWord(p.Binary), ShellWord(p.StudyFile), p.Tasks, consent)
}

// ReportScript returns the job script that collects the shards and draws the report. The job fails
// if results are missing.
func (p *Slurm) ReportScript() string {
	return fmt.Sprintf(`#!/bin/bash
#SBATCH --job-name=copse-%[1]s-report
#SBATCH --output=log/report-%%j.log
cd -- %[3]s || exit
%[4]s report %[2]s && exec %[4]s status %[2]s
`, p.Study.Name, ShellWord(p.Dir), ShellWord(p.WorkDir), ShellWord(p.Binary))
}
