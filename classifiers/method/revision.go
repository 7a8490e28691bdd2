package method

// A Revision is the version of a classifier that can still be fitted in older versions. Such a
// classifier embeds a Revision. The zero value means the newest version.
type Revision struct{ pinned int }

// Pin sets an older version.
func (r *Revision) Pin(version int) { r.pinned = version }

// Pinned returns the version that Pin has set, or 0 for the newest version.
func (r *Revision) Pinned() int { return r.pinned }

// Before reports whether Pin has set a version older than the given one.
func (r *Revision) Before(version int) bool { return r.pinned > 0 && r.pinned < version }
