//go:build amd64 && !purego

#include "textflag.h"

// EPANECHNIKOV does four elements at k of dst and x, with t in Y0, 1 in Y1 and 0 in
// Y2; U is scratch.
#define EPANECHNIKOV(k, U) \
	VMOVUPD (k)(SI)(AX*8), U \
	VSUBPD Y0, U, U \
	VMULPD U, U, U \
	VSUBPD U, Y1, U \
	VMAXPD Y2, U, U \
	VMOVUPD U, (k)(DI)(AX*8)

// func epanechnikovAVX2(dst, x *float64, n int, t float64)
TEXT ·epanechnikovAVX2(SB), NOSPLIT, $0-32
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTSD t+24(FP), Y0
	MOVQ $0x3ff0000000000000, R8
	VMOVQ R8, X1
	VBROADCASTSD X1, Y1
	VXORPD Y2, Y2, Y2
	XORQ AX, AX

epanechnikovloop:
	EPANECHNIKOV(0, Y3)
	EPANECHNIKOV(32, Y4)
	ADDQ $8, AX
	CMPQ AX, CX
	JLT epanechnikovloop
	VZEROUPPER
	RET
