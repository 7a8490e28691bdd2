package page

import "copse/report/view"

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
		p.Sections = append(p.Sections, section{id, heading, parts})
	}
	var tables, compared []view.Setting
	for _, t := range p.Tables {
		tables = append(tables, view.Setting{Name: t.ID(), Value: t.Heading})
	}
	for _, c := range p.Compared {
		for _, s := range c.Sheets() {
			compared = append(compared, view.Setting{Name: s.ID, Value: s.Title})
		}
	}
	figures := func(list []Drawing) (parts []view.Setting) {
		for _, f := range list {
			parts = append(parts, view.Setting{Name: f.ID(), Value: f.Heading})
		}
		return parts
	}
	add("answers", "Findings", true, nil)
	add("results", "Tables", true, tables)
	add("figures", "More figures", len(p.More) > 0, figures(p.More))
	add("published", "Published numbers", len(p.Compared) > 0, compared)
	add("ranks", "Average ranks", len(p.Ranks) > 0, figures(p.Ranks))
	add("failures", "Failed fits", true, nil)
	add("design", "What was run", true, nil)
	add("repeat", "Repeat it", true, nil)
}
