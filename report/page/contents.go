package page

import (
	"strings"

	"copse/report/view"
)

// A section is a line of the list of contents.
type section struct {
	ID, Heading string
	Parts       []view.Setting // id and title
}

// sections lists the headings of the page with the tables and figures below them.
func (p *printed) sections() {
	add := func(id, heading string, there bool, parts []view.Setting) {
		if !there {
			return
		}
		if len(parts) < 2 {
			parts = nil
		}
		p.Sections = append(p.Sections, section{id, heading, distinct(parts)})
	}
	var tables, compared []view.Setting
	for _, t := range p.Tables {
		tables = append(tables, view.Setting{Name: t.ID(), Value: t.Title})
	}
	for _, c := range p.Compared {
		for _, s := range c.Sheets() {
			compared = append(compared, view.Setting{Name: s.ID, Value: s.Title})
		}
	}
	figures := func(list []Drawing) (parts []view.Setting) {
		for _, f := range list {
			parts = append(parts, view.Setting{Name: f.ID(), Value: strings.TrimPrefix(f.Title, p.Study.Title+" – ")})
		}
		return parts
	}
	add("answers", "In short", true, nil)
	add("results", "Results", true, tables)
	add("published", "Published numbers", len(p.Compared) > 0, compared)
	add("figures", "Figures", len(p.Figures) > 0, figures(p.Figures))
	add("ranks", "Average ranks", len(p.Ranks) > 0, figures(p.Ranks))
	add("failures", "Failed fits", true, nil)
	add("design", "What was run", true, nil)
	add("repeat", "Repeat it", true, nil)
}

// distinct gives lines of one title, which a study has that names its tables and no
// more, the name behind it.
func distinct(parts []view.Setting) []view.Setting {
	times := map[string]int{}
	for _, part := range parts {
		times[part.Value]++
	}
	for i, part := range parts {
		if _, name, _ := strings.Cut(part.Name, "-"); times[part.Value] > 1 {
			parts[i].Value += " (" + name + ")"
		}
	}
	return parts
}
