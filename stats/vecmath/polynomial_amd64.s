//go:build amd64 && !purego

#include "textflag.h"

// func polynomialFMA(c *float64, n int, x float64) float64
TEXT ·polynomialFMA(SB), NOSPLIT, $0-32
	MOVQ c+0(FP), SI
	MOVQ n+8(FP), CX
	VMOVDDUP x+16(FP), X1
	VMULPD X1, X1, X2
	LEAQ -16(SI)(CX*8), DI
	VMOVUPD (DI), X0 // even, odd

pair:
	SUBQ $16, DI
	VFMADD213PD (DI), X2, X0
	CMPQ DI, SI
	JHI pair

	VUNPCKHPD X0, X0, X3
	VFMADD213SD X0, X1, X3
	VMOVSD X3, ret+24(FP)
	RET
