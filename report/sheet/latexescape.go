package sheet

import (
	"cmp"
	"fmt"
	"strings"
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
var texSymbols = map[rune]string{
	'–': "--", '—': "---", '−': "$-$", '‐': "-", '‑': "-", '×': `$\times$`, '±': `$\pm$`, '·': `$\cdot$`, '÷': `$\div$`,
	'≤': `$\leq$`, '≥': `$\geq$`, '≠': `$\neq$`, '≈': `$\approx$`,
	'∞': `$\infty$`, '√': `$\surd$`, '∑': `$\sum$`, '∈': `$\in$`,
	'↑': `$\uparrow$`, '↓': `$\downarrow$`, '→': `$\rightarrow$`,
	'←': `$\leftarrow$`, '…': `\ldots{}`, '•': `$\bullet$`,
	'’': "'", '‘': "`", '“': "``", '”': "''", '„': "''",
	'«': "''", '»': "''", '°': `$^\circ$`, '²': `$^2$`, '³': `$^3$`, '¹': `$^1$`,
	'½': `$1/2$`, '¼': `$1/4$`, '¾': `$3/4$`, '§': `\S{}`, '¶': `\P{}`,
	'†': `\dag{}`, '‡': `\ddag{}`, '©': `\copyright{}`, 'µ': `$\mu$`, 'ℓ': `$\ell$`,
	'\u00a0': "~", '\u202f': `\,`, '\u2009': `\,`, '\u00ad': `\-`,
	'α': `$\alpha$`, 'β': `$\beta$`, 'γ': `$\gamma$`, 'δ': `$\delta$`,
	'ε': `$\varepsilon$`, 'ζ': `$\zeta$`, 'η': `$\eta$`, 'θ': `$\theta$`,
	'ι': `$\iota$`, 'κ': `$\kappa$`, 'λ': `$\lambda$`, 'μ': `$\mu$`,
	'ν': `$\nu$`, 'ξ': `$\xi$`, 'π': `$\pi$`, 'ρ': `$\rho$`, 'σ': `$\sigma$`,
	'τ': `$\tau$`, 'υ': `$\upsilon$`, 'φ': `$\varphi$`, 'χ': `$\chi$`,
	'ψ': `$\psi$`, 'ω': `$\omega$`, 'Γ': `$\Gamma$`, 'Δ': `$\Delta$`,
	'Θ': `$\Theta$`, 'Λ': `$\Lambda$`, 'Ξ': `$\Xi$`, 'Π': `$\Pi$`,
	'Σ': `$\Sigma$`, 'Φ': `$\Phi$`, 'Ψ': `$\Psi$`, 'Ω': `$\Omega$`,
}

// texLetters contains the non-ASCII letters that every TeX engine prints in every font encoding.
// The encoding OT1 has the fewest letters.
const texLetters = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿ" +
	"ĂăĆćČčĎďĚěĞğİıĹĺĽľŁłŃńŇňŐőŒœŔŕŘřŚśŞşŠšŢţŤťŮůŰűŸŹźŻżŽž"

// EscapeLatex returns LaTeX source that prints s with pdflatex, xelatex and lualatex. If pdflatex
// has no font for a character, it prints the character code.
func EscapeLatex(s string) string {
	var b strings.Builder
	before := ' ' // the previous character
	for _, r := range s {
		isPlain := r < 0x80 || strings.ContainsRune(texLetters, r)
		switch code := cmp.Or(texASCII[r], texSymbols[r]); {
		case r == '"' && strings.ContainsRune(" \n\t([/=", before):
			b.WriteString("``")
		case r == '"':
			b.WriteString("''")
		case code != "":
			b.WriteString(code)
		case isPlain:
			b.WriteRune(r)
		default:
			// Engines other than pdflatex define \Uchar.
			fmt.Fprintf(&b, `{\ifdefined\Uchar %c\else U+%04X\fi}`, r, r)
		}
		before = r
	}
	return b.String()
}
