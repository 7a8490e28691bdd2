package sheet

import (
	"fmt"
	"strings"
)

// texASCII has the ASCII characters that TeX would interpret or print differently.
var texASCII = map[rune]string{
	'\\': `\textbackslash{}`, '{': `\{`, '}': `\}`, '$': `\$`, '&': `\&`, '#': `\#`, '%': `\%`, '_': `\_`,
	'^': `\textasciicircum{}`, '~': `\textasciitilde{}`, '<': `\textless{}`, '>': `\textgreater{}`, '|': `\textbar{}`,
	'"': "''", '`': `\textasciigrave{}`, '\n': " ", '\r': " ", '\t': " ",
}

// texSymbols are characters that text fonts lack in one engine or encoding.
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

// texLetters are the letters beyond ASCII that every engine prints in every encoding. OT1, which
// lacks ogoneks, eths and thorns, has the fewest.
const texLetters = "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõöøùúûüýÿ" +
	"ĂăĆćČčĎďĚěĞğİıĹĺĽľŁłŃńŇňŐőŒœŔŕŘřŚśŞşŠšŢţŤťŮůŰűŸŹźŻżŽž"

// EscapeLatex returns LaTeX that prints a text with pdflatex, xelatex and lualatex. For a
// character without a font in pdflatex, pdflatex prints its code; the other engines, which
// define \Uchar, print the character.
func EscapeLatex(s string) string {
	var b strings.Builder
	for _, r := range s {
		if code, ok := texASCII[r]; ok {
			b.WriteString(code)
		} else if code, ok := texSymbols[r]; ok {
			b.WriteString(code)
		} else if r < 0x80 || strings.ContainsRune(texLetters, r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `{\ifdefined\Uchar %c\else U+%04X\fi}`, r, r)
		}
	}
	return b.String()
}
