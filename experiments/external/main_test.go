//go:build unix

package external

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"
)

// The test binary is also the method: copse starts it as TESTBINARY method ACT.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "method" {
		act(os.Args[2])
		os.Exit(0)
	}
	if len(os.Args) > 2 && os.Args[1] == "copse" { // which its test kills
		_, err := fit(context.Background(), NewHost("."), actor(os.Args[2]))
		fmt.Println(err)
		os.Exit(1)
	}
	grace, closeGrace = time.Second, time.Second
	list, err := os.MkdirTemp("", "copse-test-")
	must(err)
	must(os.Setenv(commandsVariable, filepath.Join(list, "commands")))
	code := m.Run()
	must(os.RemoveAll(list))
	os.Exit(code)
}

// actor returns a program that performs the given act.
func actor(act string) *Program {
	self, err := os.Executable()
	must(err)
	p := &Program{Kind: Classifier, Command: []string{self, "method", act}}
	must(p.Read("."))
	return p
}

func printForEver(text string) {
	for {
		if _, err := os.Stdout.WriteString(text); err != nil {
			os.Exit(1)
		}
	}
}

func say(v any) {
	text, _ := json.Marshal(v)
	fmt.Printf("%s %s\n", os.Getenv("COPSE_TOKEN"), text)
}

// act is a classifier that uses the sign of the first column. It misbehaves in its second request or at its
// start.
func act(what string) {
	handshake := Handshake{Protocol: protocol, Kind: Classifier, Name: what, Version: "1",
		Capabilities: Capabilities{Missing: true}}
	switch what {
	case "silent at the start":
		return
	case "holds 200 MB":
		hold(200 << 20)
		time.Sleep(time.Hour)
	case "no package":
		fmt.Fprintln(os.Stderr, "Error in library(ranger) : there is no package called 'ranger'")
		os.Exit(1)
	case "no package of Julia":
		fmt.Fprintln(os.Stderr, "ERROR: ArgumentError: Package Distances not found in current path.\n"+
			"- Run `import Pkg; Pkg.add(\"Distances\")` to install the Distances package.")
		os.Exit(1)
	case "another protocol":
		handshake.Protocol = "external/9"
	case "another kind":
		handshake.Kind = Generator
	case "a handshake of 100 KB":
		handshake.Name = strings.Repeat("long ", 20<<10)
	case "prints without end at the start":
		printForEver(strings.Repeat("no handshake\n", 1<<12))
	case "no handshake":
		fmt.Println(os.Getenv("COPSE_TOKEN"), "hello")
		return
	case "starts three processes":
		leaveChild("child", false)
		leaveChild("session", true)
		must(os.WriteFile(filepath.Join(os.Getenv("HOSTILE_DIR"), "self"), []byte(strconv.Itoa(os.Getpid())), 0o600))
		signal.Ignore(syscall.SIGTERM, syscall.SIGHUP)
		time.Sleep(time.Hour)
	case "ignores SIGTERM":
		signal.Ignore(syscall.SIGTERM)
	}
	say(handshake)
	in := bufio.NewReader(os.Stdin)
	for n := 1; ; n++ {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		var r request
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			panic(err)
		}
		answer := map[string]any{"id": r.ID, "ok": true, "labels": "labels.npy", "fit_s": 0.25, "predict_s": 0.5}
		labels := signs(r)
		if n == 1 {
			firstAnswers = r.Out
		}
		if n == 2 {
			labels = misbehave(what, r, answer, labels)
		}
		if labels != nil {
			must(writeLabels(filepath.Join(r.Out, "labels.npy"), labels))
		}
		say(answer)
		if n == 2 && strings.HasPrefix(what, "ends after") {
			if what == "ends after the next request" { // wait until the request is in the pipe
				time.Sleep(300 * time.Millisecond)
			}
			os.Exit(0)
		}
	}
}

// leaveChild starts a process that ignores all signals it can, in its own session or in the program's process
// group, and writes its number to a file.
func leaveChild(name string, session bool) {
	path := filepath.Join(os.Getenv("HOSTILE_DIR"), name)
	child := exec.Command("/bin/sh", "-c", `trap "" TERM HUP INT; echo $$ > "$0"; while :; do sleep 1; done`, path)
	if !session { // such a child can keep the output of its program open
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
	}
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: session}
	must(child.Start())
	for text := []byte(nil); len(text) == 0; text, _ = os.ReadFile(path) {
		time.Sleep(time.Millisecond)
	}
}

func signs(r request) []int {
	x, err := readMatrix(r.Test, anyNumber, anyNumber)
	must(err)
	n, _ := x.Dims()
	labels := make([]int, n)
	for i := range labels {
		if x.At(i, 0) > 0 {
			labels[i] = 1
		}
	}
	return labels
}

// firstAnswers is the folder for the files of the first reply.
var firstAnswers string

// misbehave changes the reply to a request, exits or blocks.
func misbehave(what string, r request, answer map[string]any, labels []int) []int {
	token, file := os.Getenv("COPSE_TOKEN"), filepath.Join(r.Out, "labels.npy")
	addMatrix := func(key string, m *mat.Dense) {
		answer[key] = key + ".npy"
		must(writeMatrix(filepath.Join(r.Out, key+".npy"), m, len(labels)))
	}
	switch what {
	case "refuses":
		answer["ok"], answer["error"] = false, "the matrix\nis singular"
	case "crashes":
		fmt.Println("about to fall")
		os.Exit(7)
	case "kills itself":
		must(syscall.Kill(os.Getpid(), syscall.SIGKILL))
	case "ends quietly":
		os.Exit(0)
	case "hangs", "ignores SIGTERM":
		fmt.Print("about to hang")
		time.Sleep(time.Hour)
	case "hangs in a child":
		leaveChild("pid", false)
		time.Sleep(time.Hour)
	case "leaves a child":
		leaveChild("pid", false)
		os.Exit(1)
	case "prints garbage":
		os.Stdout.WriteString(strings.Repeat("\x00\xff{\"id\":", 1<<18) + "[1] ")
		os.Stderr.WriteString("warning: \xfe\n\n")
	case "answers garbage":
		fmt.Printf("%s {\"id\": %d, \"ok\": tru\n", token, r.ID)
		time.Sleep(time.Hour)
	case "answers another request":
		answer["id"] = 1
	case "too few labels":
		return labels[1:]
	case "a label too large":
		labels[3] = 2
	case "a negative label":
		labels[0] = -1
	case "no labels":
		delete(answer, "labels")
	case "no file":
		answer["labels"] = "nothing.npy"
	case "a file elsewhere":
		answer["labels"] = "/etc/passwd"
	case "the parent folder":
		answer["labels"] = ".."
	case "the folder":
		answer["labels"] = "/"
	case "labels as numbers":
		addMatrix("labels", mat.NewDense(len(labels), 1, nil))
		return nil
	case "NaN probability", "shares of 0.9", "percents", "another class likelier":
		p := mat.NewDense(len(labels), 2, nil)
		for i, c := range labels {
			p.Set(i, c, 1)
		}
		switch what {
		case "NaN probability":
			p.Set(4, 0, nan)
		case "shares of 0.9":
			p.Set(4, labels[4], 0.9)
		case "percents":
			p.SetRow(4, []float64{30, 30})
		default:
			p.Set(4, labels[4], 0)
			p.Set(4, 1-labels[4], 1)
		}
		addMatrix("probabilities", p)
	case "NaN score":
		s := mat.NewDense(len(labels), 2, nil)
		s.Set(1, 1, nan)
		addMatrix("scores", s)
	case "negative seconds":
		answer["fit_s"] = -1
	case "1e308 seconds":
		answer["predict_s"] = 1e308
	case "NaN seconds":
		fmt.Printf("%s {\"id\": %d, \"ok\": true, \"fit_s\": NaN}\n", token, r.ID)
	case "writes where the first answers were":
		_ = os.MkdirAll(firstAnswers, 0o700)
		must(writeLabels(filepath.Join(firstAnswers, "labels.npy"), labels))
		return nil
	case "answers the next requests, too":
		for id := range int64(20) {
			say(map[string]any{"id": id, "ok": true, "labels": "labels.npy", "fit_s": 0, "predict_s": 0})
			say(map[string]any{"id": r.ID + id, "ok": false, "error": "too early"})
		}
		return nil
	case "answers twice":
		must(writeLabels(file, labels))
		say(answer)
		return nil // copse may read the labels now, so that the second answer must not write them again
	case "labels in a FIFO":
		must(syscall.Mkfifo(file, 0o600))
		return nil
	case "a link to labels":
		must(writeLabels(filepath.Join(r.Out, "elsewhere.npy"), labels))
		must(os.Symlink("elsewhere.npy", file))
		return nil
	case "a device of labels":
		must(os.Symlink("/dev/zero", file))
		return nil
	case "a folder of labels":
		must(os.Mkdir(file, 0o700))
		return nil
	case "40 GB of labels":
		must(writeLabels(file, labels))
		must(os.Truncate(file, 40<<30))
		return nil
	case "40 GB of scores":
		path := filepath.Join(r.Out, "scores.npy")
		header := npyHeader("<f8", "15, 360000000")
		must(os.WriteFile(path, header, 0o600))
		must(os.Truncate(path, 15*8*360000000+int64(len(header))))
		answer["scores"] = "scores.npy"
	case "warns in red":
		answer["warnings"] = []string{"\x1b[31mtwo\nlines\n"}
	case "50 MB of warnings":
		answer["warnings"] = slices.Repeat([]string{strings.Repeat("w", 1<<10)}, 50<<10)
	case "50 MB of log":
		os.Stderr.WriteString(strings.Repeat("noise\n", 50<<20/6))
	case "an error of 1 MB":
		answer["ok"], answer["error"] = false, strings.Repeat("e", 1<<20)
	case "a reply without end":
		fmt.Print(token, ` {"id": 1, "error": "`)
		printForEver(strings.Repeat("e", 1<<16))
	case "tells its secrets":
		fmt.Println(os.Getenv("TMPDIR"), r.ID, r.Out, "of "+token[:16]) // half of the token must not count as the token
		answer["ok"] = false
		answer["error"] = fmt.Sprintf("failed in %s %s at %d with %s", r.Out, filepath.Base(r.Out), r.ID, token)
	case "hoards memory":
		fmt.Println("hoarding")
		hoard()
	case "hoards memory in two children": // neither of them too much
		// The limit of the address space can stop a child at its start. Another child then replaces it.
		for range 2 {
			go func() {
				for {
					_ = exec.Command(os.Args[0], "method", "holds 200 MB").Run()
				}
			}()
		}
		time.Sleep(time.Hour)
	case "slow and large":
		block := hold(200 << 20)
		time.Sleep(300 * time.Millisecond)
		answer["warnings"] = []string{fmt.Sprint("held ", len(block))}
	}
	return labels
}

// hold allocates memory and writes to it, so that it is resident.
func hold(bytes int) []byte {
	block := make([]byte, bytes)
	for i := range block {
		block[i] = 1
	}
	return block
}

func hoard() {
	var kept [][]byte
	for {
		kept = append(kept, hold(8<<20))
		if len(kept) > 500 { // 4 GB: the watch is asleep
			os.Exit(9)
		}
		time.Sleep(2 * time.Millisecond)
	}
}
