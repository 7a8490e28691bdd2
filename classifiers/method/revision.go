package method

// A Revision is embedded in each classifier whose older versions can still be fitted. The zero
// value selects the newest version.
type Revision struct{ pinned int }

// Pin selects an older version.
func (r *Revision) Pin(version int) { r.pinned = version }

// Pinned returns the version that Pin has selected, or 0 for the newest version.
func (r *Revision) Pinned() int { return r.pinned }

// BeforeVersion reports whether Pin has selected an older version than the given one.
func (r *Revision) BeforeVersion(version int) bool { return r.pinned > 0 && r.pinned < version }
