package sheet

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// texASCII replaces ASCII characters that TeX interprets as commands or prints as other characters.
var texASCII = map[rune]string{
	'\\': `\textbackslash{}`, '{': `\{`, '}': `\}`, '$': `\$`, '&': `\&`, '#': `\#`, '%': `\%`, '_': `\_`,
	'^': `\textasciicircum{}`, '~': `\textasciitilde{}`, '<': `\textless{}`, '>': `\textgreater{}`, '|': `\textbar{}`,
	'`': `\textasciigrave{}`, '\n': " ", '\r': " ", '\t': " ",
	'[': "{[}", '*': "{*}", // after \\ or \item, TeX would read [0,1) or * as an argument
}

// texSymbols replaces characters that are missing from the text fonts of some TeX engine or font
// encoding.
var texSymbols = readSymbols()

//go:embed symbols.txt
var symbolsText string

// readSymbols reads symbols.txt, in which each character precedes its LaTeX source. It adds spaces
// and hyphens, which would be invisible in the file.
func readSymbols() map[rune]string {
	symbols := map[rune]string{'\u00a0': "~", '\u202f': `\,`, '\u2009': `\,`, '\u00ad': `\-`,
		'\u200b': `\allowbreak{}`}
	for pair := range slices.Chunk(strings.Fields(symbolsText), 2) {
		character, _ := utf8.DecodeRuneInString(pair[0])
		symbols[character] = pair[1]
	}
	return symbols
}

// texLetters contains the non-ASCII letters that every TeX engine prints in every font encoding.
// The encoding OT1 has the fewest letters.
const texLetters = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿ" +
	"ĂăĆćČčĎďĚěĞğİıĹĺĽľŁłŃńŇňŐőŒœŔŕŘřŚśŞşŠšŢţŤťŮůŰűŸŹźŻżŽž"

// An accent is a pair of LaTeX commands for an accent on a text character and on a mathematical symbol.
type accent struct{ text, math string }

// texAccents contains the combining characters, which follow the character that they change.
var texAccents = map[rune]accent{
	'\u0300': {"\\`", `\grave`}, '\u0301': {`\'`, `\acute`}, '\u0302': {`\^`, `\hat`}, '\u0303': {`\~`, `\tilde`},
	'\u0304': {`\=`, `\bar`}, '\u0305': {`\=`, `\bar`}, '\u0306': {`\u`, `\breve`}, '\u0307': {`\.`, `\dot`},
	'\u0308': {`\"`, `\ddot`}, '\u030a': {`\r`, `\mathring`}, '\u030c': {`\v`, `\check`},
}

// EscapeLatex returns LaTeX source that prints s with pdflatex, xelatex and lualatex. pdflatex prints the codes
// of the characters that MissingInLatex returns. LaTeX may break lines in long expressions.
func EscapeLatex(s string) string {
	var codes []string
	before := ' ' // the previous character
	for _, r := range markBreaks(s) {
		if mark, isAccent := texAccents[r]; isAccent && codes != nil {
			last := &codes[len(codes)-1]
			*last = mark.on(*last)
			continue
		}
		codes = append(codes, texCode(r, before))
		before = r
	}
	return strings.Join(codes, "")
}

// on adds the accent to the LaTeX source of a character.
func (a accent) on(code string) string {
	if strings.HasPrefix(code, "$") {
		return "$" + a.math + "{" + strings.Trim(code, "$") + "}$"
	}
	return a.text + "{" + code + "}"
}

// texCode returns the LaTeX source of r, which depends on the previous character.
func texCode(r, previous rune) string {
	switch code := cmp.Or(texASCII[r], texSymbols[r]); {
	case r == '"' && strings.ContainsRune(" \n\t([/=", previous):
		return "``"
	case r == '"':
		return "''"
	case code != "":
		return code
	case isPlainInLatex(r):
		return string(r)
	}
	// Engines other than pdflatex define \Uchar.
	return fmt.Sprintf(`{\ifdefined\Uchar %c\else U+%04X\fi}`, r, r)
}

// isPlainInLatex reports whether every engine prints r unchanged, after texASCII has replaced ASCII characters.
func isPlainInLatex(r rune) bool { return r < 0x80 || strings.ContainsRune(texLetters, r) }

// MissingInLatex returns the distinct characters of s for which pdflatex prints codes, such as U+4E2D.
func MissingInLatex(s string) (missing string) {
	for _, r := range s {
		_, isAccent := texAccents[r]
		isKnown := isPlainInLatex(r) || texSymbols[r] != "" || isAccent
		if !isKnown && !strings.ContainsRune(missing, r) {
			missing += string(r)
		}
	}
	return missing
}
