package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"

	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/stats/records"
)

// checkRecords compares study.yaml and the records with the checksums in the manifest, and the
// records with the journals.
func (a *Archive) checkRecords(selected *results.Selection) Check {
	c := Check{Name: "study.yaml and records"}
	m := a.Manifest
	if m == nil {
		c.problem("%v; copse report %s writes it", a.ManifestErr, a.Dir)
		return c
	}
	c.Seen = "SHA-256 of both"
	sum, err := folder.Digest(filepath.Join(a.Dir, folder.Study))
	c.compareSums(folder.Study, sum, m.ConfigSHA256, err)
	path, err := records.Path(a.Dir)
	if err != nil {
		c.problem("%v", err)
		return c
	}
	sum, err = folder.RecordsDigest(path)
	c.compareSums(filepath.Base(path), sum, m.RecordsSHA256, err)
	if results.HasJournals(a.Dir) {
		write := func(w io.Writer) error { return selected.Write(w, false) }
		c.compareJournals(a.Dir, filepath.Base(path), sum, write)
	}
	return c
}

// compareSums reports a file whose checksum is not the one in the manifest, or could not be
// computed because of err.
func (c *Check) compareSums(file, sum, manifestSum string, err error) {
	if err == nil && sum == manifestSum {
		return
	}
	reason := ""
	if err != nil {
		reason = fmt.Sprintf(" (%v)", err)
	}
	c.problem("%s is not the file that %s describes: SHA-256 %s, want %s%s", file, folder.Manifest, sum, manifestSum,
		reason)
}

// compareJournals reports a file that differs from the journals. sum is the checksum of the file;
// write writes the results of the journals in its format.
func (c *Check) compareJournals(dir, file, sum string, write func(io.Writer) error) {
	h := sha256.New()
	if err := write(h); err != nil {
		c.problem("the journals' results cannot be written as %s: %v", file, err)
	} else if hex.EncodeToString(h.Sum(nil)) != sum {
		c.problem("%s differs from the journals; copse report %s writes it again", file, dir)
	}
}

// checkManifest compares the manifest with its own checksum, with study.yaml and with the sessions
// of the journals.
func (a *Archive) checkManifest(selected *results.Selection) Check {
	c := Check{Name: folder.Manifest}
	m := a.Manifest
	if m == nil {
		return c // checkRecords reports it
	}
	switch {
	case !m.IsSealed():
		c.Seen = "of an earlier copse, which wrote no checksum of it; "
	case !m.IsWhole():
		c.problem("%s was edited: its checksum is wrong", folder.Manifest)
	}
	c.Seen += "study, seed, replicates, title, source, cells"
	want := a.NewManifest(selected)
	for _, f := range []struct {
		name      string
		here, was any
	}{
		{"study", want.Study, m.Study},
		{"title", want.Title, m.Title},
		{"source", want.Source, m.Source},
		{"seed", want.Seed, m.Seed},
		{"replicates", want.Replicates, m.Replicates},
	} {
		if f.here != f.was {
			c.problem("%s: %v, %s has %v", f.name, f.was, folder.Study, f.here)
		}
	}
	for _, cell := range m.Cells {
		a.checkCell(&c, want, cell)
	}
	if results.HasJournals(a.Dir) {
		c.Seen += ", sessions"
		sessions := a.Sessions()
		for _, s := range m.Sessions {
			if !slices.ContainsFunc(sessions, func(o results.Session) bool { return reflect.DeepEqual(o, s) }) {
				c.problem("session of %s: no journal has it with the same content", s.Started)
			}
		}
	}
	return c
}

// checkCell compares one cell of the manifest with the study. checkComplete covers its recipes.
func (a *Archive) checkCell(c *Check, want *results.Manifest, cell results.ManifestCell) {
	own, ok := want.Cell(cell.ID)
	if !ok {
		return // the study or a recipe has changed; its results are not part of the records
	}
	if own.Levels != cell.Levels || cell.Data != "" && own.Data != cell.Data {
		c.problem("cell %s: %v of %s, want %v of %s", cell.ID, cell.Levels, cell.Data, own.Levels, own.Data)
	}
}

// checkTimings compares timings.csv with its checksum in the manifest and with the journals.
func (a *Archive) checkTimings(selected *results.Selection) Check {
	c := Check{Name: folder.Timings, Seen: "SHA-256"}
	m := a.Manifest
	if m == nil {
		return c // checkRecords reports it
	}
	sum, err := folder.Digest(filepath.Join(a.Dir, folder.Timings))
	switch {
	case errors.Is(err, fs.ErrNotExist) && m.TimingsSHA256 == "":
		c.Seen = "none here"
	case err != nil:
		c.problem("%v", err)
	case m.TimingsSHA256 != "" && sum != m.TimingsSHA256:
		c.compareSums(folder.Timings, sum, m.TimingsSHA256, nil)
	case results.HasJournals(a.Dir):
		c.compareJournals(a.Dir, folder.Timings, sum, selected.WriteTimings)
	case m.TimingsSHA256 == "":
		c.Seen = "of an earlier copse, which wrote no checksum of it"
	}
	return c
}

// checkOutputs compares tables, figures and page with the list of the last report.
func checkOutputs(dir string) Check {
	o, err := folder.CheckOutputs(dir)
	if err != nil {
		o.Problems = append(o.Problems, err.Error())
	}
	c := Check{Name: "tables, figures and page", Problems: o.Problems}
	c.Seen = fmt.Sprintf("SHA-256 of %d", o.Listed-len(o.NotKept))
	if n := len(o.NotKept); n > 0 {
		c.Seen += fmt.Sprintf("; %d more are not kept: copse report %s draws them", n, dir)
	}
	return c
}
