package method

// A Revision is embedded by recipes that can still be fitted as an older version of
// their classifier. The zero value is the newest version.
type Revision struct{ pinned int }

// Pin makes the recipe one of an older version.
func (r *Revision) Pin(version int) { r.pinned = version }

// Pinned returns the older version, 0 for the newest.
func (r *Revision) Pinned() int { return r.pinned }

// Before reports whether the recipe is pinned to a version before the given one.
func (r *Revision) Before(version int) bool { return r.pinned > 0 && r.pinned < version }
