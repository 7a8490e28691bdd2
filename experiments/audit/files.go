package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"

	"copse/experiments/folder"
	"copse/experiments/results"
	"copse/stats/records"
)

func (c *Check) problem(format string, args ...any) {
	c.Problems = append(c.Problems, fmt.Sprintf(format, args...))
}

func suffix(err error) string {
	if err == nil {
		return ""
	}
	return " (" + err.Error() + ")"
}

// checkRecords compares study.yaml and the records with the manifest, and the
// records with what the journals hold.
func (a *Archive) checkRecords(selected *results.Selection) Check {
	c := Check{Name: "study.yaml and records"}
	dir, m := a.Dir, a.Manifest
	if m == nil {
		c.problem("%v; copse report %s writes it", a.ManifestErr, dir)
		return c
	}
	if sum, err := folder.Digest(filepath.Join(dir, folder.Study)); err != nil || sum != m.ConfigSHA256 {
		c.problem(
			"%s is not the file that %s describes: SHA-256 %s, want %s%s",
			folder.Study,
			folder.Manifest,
			sum,
			m.ConfigSHA256,
			suffix(err),
		)
	}
	path, err := records.Path(dir)
	if err != nil {
		c.problem("%v", err)
		return c
	}
	sum, err := folder.RecordsDigest(path)
	if err != nil || sum != m.RecordsSHA256 {
		c.problem(
			"%s is not the file that %s describes: SHA-256 %s, want %s%s",
			filepath.Base(path),
			folder.Manifest,
			sum,
			m.RecordsSHA256,
			suffix(err),
		)
	}
	if results.HasJournals(dir) {
		h := sha256.New()
		if err := selected.Write(h, false); err != nil {
			c.problem("the journals' results cannot be written as records: %v", err)
		} else if own := hex.EncodeToString(h.Sum(nil)); own != sum {
			c.problem("%s is not what the journals hold; copse report %s writes it anew", filepath.Base(path), dir)
		}
	}
	c.Seen = "SHA-256 of both"
	return c
}

// checkManifest compares the manifest with itself, with study.yaml and with what
// is stored: nothing in it may have been edited.
func (a *Archive) checkManifest(selected *results.Selection) Check {
	c := Check{Name: folder.Manifest}
	m := a.Manifest
	if m == nil {
		return c // checkRecords reports it
	}
	switch {
	case !m.IsSealed():
		c.Seen = "of an earlier copse, which left no checksum of it; "
	case !m.IsWhole():
		c.problem("%s was edited: its checksum is not its own", folder.Manifest)
	}
	c.Seen += "study, seed, replicates, title, source, cells"
	want := a.NewManifest(selected)
	for _, f := range []struct {
		name      string
		here, was any
	}{{"study", want.Study, m.Study}, {"title", want.Title, m.Title}, {"source", want.Source, m.Source},
		{"seed", want.Seed, m.Seed}, {"replicates", want.Replicates, m.Replicates}} {
		if f.here != f.was {
			c.problem("%s: %v, %s says %v", f.name, f.was, folder.Study, f.here)
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
				c.problem("the session of %s is in no journal as it is here", s.Started)
			}
		}
	}
	return c
}

// checkCell compares one cell of the manifest with the study. That its recipes are
// the study's is a matter of completeness.
func (a *Archive) checkCell(c *Check, want *results.Manifest, cell results.ManifestCell) {
	own, ok := want.Cell(cell.ID)
	if !ok {
		return // its results are left out: the study or a recipe has changed
	}
	if own.Levels != cell.Levels || own.Data != cell.Data && cell.Data != "" {
		c.problem("cell %s: %v of %s, is %v of %s", cell.ID, cell.Levels, cell.Data, own.Levels, own.Data)
	}
}

// checkTimings compares timings.csv with the journals, or with the manifest where
// there are none.
func (a *Archive) checkTimings(selected *results.Selection) Check {
	c := Check{Name: folder.Timings, Seen: "SHA-256"}
	dir, m := a.Dir, a.Manifest
	if m == nil {
		return c // checkRecords reports it
	}
	sum, err := folder.Digest(filepath.Join(dir, folder.Timings))
	switch {
	case errors.Is(err, fs.ErrNotExist) && m.TimingsSHA256 == "":
		c.Seen = "none here"
	case err != nil:
		c.problem("%v", err)
	case m.TimingsSHA256 != "" && sum != m.TimingsSHA256:
		c.problem(
			"%s is not the file that %s describes: SHA-256 %s, want %s",
			folder.Timings,
			folder.Manifest,
			sum,
			m.TimingsSHA256,
		)
	case results.HasJournals(dir):
		h := sha256.New()
		if err := selected.WriteTimings(h); err != nil {
			c.problem("%v", err)
		} else if own := hex.EncodeToString(h.Sum(nil)); own != sum {
			c.problem("%s is not what the journals hold; copse report %s writes it anew", folder.Timings, dir)
		}
	case m.TimingsSHA256 == "":
		c.Seen = "of an earlier copse, which left no checksum of it"
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
