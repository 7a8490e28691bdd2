package crate

import (
	"fmt"
	"io"
	"strings"

	"copse/report/sheet"
	"copse/report/view"
	"copse/stats/records"
)

// A Checklist is the draft of answers to the NeurIPS Paper Checklist (2025), which
// grew out of the machine learning reproducibility checklist of Pineau et al. (2021):
// what follows from the study is answered, all else is left to the authors.
type Checklist struct {
	View     *view.View
	Data     []Data
	Runs     []Run
	Credit   Credit
	Missing  string // what the study asks for and the results lack; "": nothing
	Packed   bool   // the rows that the study read are in the crate, or there are none
	Programs bool   // methods or generators of the study's own
}

// An item is one question of the checklist.
type item struct {
	name, question string
	answer         string // "": open
	because        string
}

// Markdown writes the draft.
func (l *Checklist) Markdown(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# Reproducibility checklist: %s\n\nA draft, after the NeurIPS Paper Checklist. What follows from the study is answered; check it against the paper. What is open is the authors' to answer.\n",
		sheet.EscapeMarkdown(l.View.Title))
	for i, it := range l.items() {
		answer := it.answer
		if answer == "" {
			answer = "open"
		}
		fmt.Fprintf(&b, "\n## %d. %s\n\n%s\n\nAnswer: **%s**.", i+1, it.name, it.question, answer)
		if it.because != "" {
			fmt.Fprintf(&b, " %s", sheet.EscapeMarkdown(it.because))
		}
		b.WriteString("\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (l *Checklist) items() []item {
	drawn, people := "", ""
	if len(l.Data) == 0 && l.Packed && len(l.View.Generators) > 0 {
		drawn, people = "n/a", "All data are drawn by generators; no data of persons are used."
	}
	return []item{
		{"Claims", "Do abstract and introduction claim what was found, and no more?", "", "The sentences under \"In short\" in report.html say what the results show, with test, correction and unit."},
		{"Limitations", "Are the limitations of the work discussed?", "", "What the study covers is its cells and replicates (protocol.md); nothing is said of others."},
		{"Theory, assumptions and proofs", "Has every theoretical result its assumptions and a complete proof?", "", ""},
		l.reproducibility(),
		l.access(),
		{"Experimental setting and details", "Are data splits, hyperparameters and how they were chosen given?", "yes", "study.yaml holds all that was set, protocol.md every parameter of every method with its default, and what each replicate draws or splits."},
		l.significance(),
		l.resources(),
		{"Code of ethics", "Does the research conform to the code of ethics?", "", ""},
		{"Broader impacts", "Are possible positive and negative effects on society discussed?", "", ""},
		{"Safeguards", "Are there safeguards where data or models could be misused?", "", ""},
		l.licences(),
		{"New assets", "Are new assets documented?", "yes", fmt.Sprintf("This crate: every file with its description, size and SHA-256 in %s, under %s.", metadataName, l.Credit.License)},
		{"Crowdsourcing and research with human subjects", "Are instructions and payment given?", drawn, people},
		{"Approval by an institutional review board", "Were risks to participants stated and approvals obtained?", drawn, people},
		{"Use of large language models", "Is their use described where they are part of the method?", "", ""},
	}
}

func (l *Checklist) reproducibility() item {
	it := item{"Reproducibility of the results", "Is everything said that is needed to get the main results again?", "yes",
		fmt.Sprintf("study.yaml and its seed %s decide every random draw; the records are the same byte for byte for any number of workers and interruptions on one platform. In this crate, copse run study.yaml --out ELSEWHERE runs it again, and copse verify computes trials again and compares their bits.",
			l.View.Seed)}
	if l.Missing != "" {
		it.answer, it.because = "", "The study is not finished: "+l.Missing+". "+it.because
	}
	return it
}

func (l *Checklist) access() item {
	it := item{"Open access to data and code", "Are data and code there, with instructions?", "", ""}
	var say []string
	if n := len(l.Data); n == 0 && l.Packed {
		say = append(say, "The data are drawn by the study, or in this crate.")
	} else {
		for _, d := range l.Data {
			say = append(say, fmt.Sprintf("Not in the crate: %s (%s; SHA-256 %s).", d.Title, strings.TrimSuffix(d.About, "."), d.SHA256))
		}
	}
	if l.Programs {
		say = append(say, "Programs of the study's own are in the crate.")
	}
	var revisions []string
	for _, r := range l.Runs {
		revisions = view.AddNew(revisions, r.Software.Version)
	}
	if len(revisions) > 0 {
		say = append(say, "copse is of the source revisions "+strings.Join(revisions, ", ")+".")
	}
	it.because = strings.Join(append(say, "Say where this crate and that source can be had."), " ")
	return it
}

func (l *Checklist) significance() item {
	it := item{"Statistical significance", "Are errors of the results reported, and tests where differences are claimed?", "", ""}
	v := l.View
	it.because = fmt.Sprintf("Means stand with their standard deviation or Monte-Carlo standard error over %s.", v.Units(view.Singles(v.Cells)))
	if len(v.Compared(nil, v.Records.Classifiers)) > 1 {
		it.answer = "yes"
		it.because += " protocol.md names every family of hypotheses that is tested, with its members, test, level and correction."
	}
	return it
}

func (l *Checklist) resources() item {
	var machines []string
	for _, r := range l.Runs {
		machines = view.AddNew(machines, r.Machine)
	}
	seconds, failed := 0.0, 0
	for i := range l.View.Records.Rows {
		r := &l.View.Records.Rows[i]
		if s := r.Fit + r.Predict; s > 0 { // NaN: not known
			seconds += s
		}
		if r.Status != records.OK {
			failed++
		}
	}
	it := item{"Compute resources", "Are the machines, memory and time given?", "yes",
		fmt.Sprintf("%.3g hours of one core for %d fits with their predictions (timings.csv), %d of them failed. Machines: %s.", seconds/3600, len(l.View.Records.Rows), failed, strings.Join(machines, "; "))}
	if len(machines) == 0 || seconds == 0 {
		it.answer, it.because = "", "Times or machines are not recorded."
	}
	return it
}

func (l *Checklist) licences() item {
	it := item{"Licences of existing assets", "Are owners credited and licences respected?", "yes", "copse is under the BSD 3-Clause licence."}
	if !l.Packed && len(l.Data) == 0 {
		it.answer = ""
	}
	for _, d := range l.Data {
		licence := d.Licence
		if licence == "" || licence == "not stated" {
			licence, it.answer = "its licence is not stated", ""
		}
		it.because += fmt.Sprintf(" %s: %s.", d.Title, licence)
	}
	return it
}
