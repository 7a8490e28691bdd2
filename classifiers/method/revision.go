package method

// A Revision is embedded in a classifier that can still be fitted in older versions. The zero value
// means the newest version.
type Revision struct{ pinned int }

// Pin selects an older version.
func (r *Revision) Pin(version int) { r.pinned = version }

// Pinned returns the version from Pin, or 0 for the newest version.
func (r *Revision) Pinned() int { return r.pinned }

func (r *Revision) Before(version int) bool { return r.pinned > 0 && r.pinned < version }
