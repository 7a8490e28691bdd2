package page

import "copse/report/view"

// A section is an entry of the table of contents.
type section struct {
	ID, Heading string
	Parts       []view.Setting // id and title
}

// sections returns the table of contents: the headings of the page with their HTML ids, and the tables and
// figures below them.
func (p *pageData) sections() []section {
	var tables []view.Setting
	for _, t := range p.Tables {
		tables = append(tables, view.Setting{Name: t.ID(), Value: t.Heading})
	}
	// A single table needs no list.
	list := []section{{"answers", "Findings", nil}, {"results", "Tables", nilIfSingle(tables)}}
	if len(p.More) > 0 {
		list = append(list, section{"figures", "More figures", figureParts(p.More)})
	}
	if p.Compared != nil {
		var compared []view.Setting
		for _, s := range p.Compared.Sheets() {
			compared = append(compared, view.Setting{Name: s.ID, Value: s.Title})
		}
		list = append(list, section{"published", "Published numbers", compared})
	}
	if len(p.Ranks) > 0 {
		list = append(list, section{"ranks", "Average ranks", figureParts(p.Ranks)})
	}
	return append(list, section{"failures", "Failed fits", nil}, section{"design", "What was run", nil},
		section{"repeat", "Repeat it", nil})
}

func figureParts(list []Drawing) []view.Setting {
	var parts []view.Setting
	for _, f := range list {
		parts = append(parts, view.Setting{Name: f.ID(), Value: f.Heading})
	}
	return nilIfSingle(parts)
}

// nilIfSingle returns the parts of a section for the table of contents. If there is only one part, it returns nil,
// because the entry of the section already links to it.
func nilIfSingle(parts []view.Setting) []view.Setting {
	if len(parts) < 2 {
		return nil
	}
	return parts
}
