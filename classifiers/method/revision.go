package method

// A Revision is the version of a recipe of a classifier whose older versions can still be fitted.
// Such recipes embed it. The zero value is the newest version.
type Revision struct{ pinned int }

// Pin makes the recipe one of an older version.
func (r *Revision) Pin(version int) { r.pinned = version }

// Pinned returns the older version, 0 for the newest.
func (r *Revision) Pinned() int { return r.pinned }

// Before reports whether the recipe is pinned to a version before the given one.
func (r *Revision) Before(version int) bool { return r.pinned > 0 && r.pinned < version }
