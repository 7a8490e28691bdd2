//go:build amd64 && !purego

#include "textflag.h"
#include "pow2_amd64.h"

#define MINUS VSUBPD
#define PLUS VFMADD213PD
#define A0 Y4
#define B0 Y5
#define S0 Y8
#define S1 Y9
#define M0 Y10
#define M1 Y11
#define M2 Y12
#define M3 Y13
#define M4 Y14
#include "hermite_amd64.h"

// PAIR makes U = s-x, V = t-y and Q = U^2 + V^2. The signs of U and V cancel in
// polynomials of even degree.
#define PAIR(off, Q, U, V) \
	VBROADCASTSD s+24(FP), U \
	VBROADCASTSD t+32(FP), V \
	VSUBPD off(SI), U, U \
	VSUBPD off(DI), V, V \
	VMULPD U, U, Q \
	VMULPD V, V, Y8 \
	VADDPD Y8, Q, Q

// func hermite4AVX2(x, y *float64, n int, s, t float64, lanes *[5][4]float64)
TEXT ·hermite4AVX2(SB), NOSPLIT, $0-48
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DI
	MOVQ n+16(FP), CX
	MOVQ lanes+40(FP), DX
	VMOVUPD MAGIC, Y15
	VXORPD M0, M0, M0
	VXORPD M1, M1, M1
	VXORPD M2, M2, M2
	VXORPD M3, M3, M3
	VXORPD M4, M4, M4

hermite4loop:
	PAIR(0, Y0, Y2, Y3)
	PAIR(32, Y1, Y6, Y7)
	POW2X2
	ADDALL4(Y0, Y2, Y3)
	ADDALL4(Y1, Y6, Y7)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $8, CX
	JNE hermite4loop
	VMOVUPD M0, (DX)
	VMOVUPD M1, 32(DX)
	VMOVUPD M2, 64(DX)
	VMOVUPD M3, 96(DX)
	VMOVUPD M4, 128(DX)
	VZEROUPPER
	RET

// func hermite6AVX2(x, y *float64, n int, s, t float64, lanes *[3][4]float64)
TEXT ·hermite6AVX2(SB), NOSPLIT, $0-48
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DI
	MOVQ n+16(FP), CX
	MOVQ lanes+40(FP), DX
	VMOVUPD MAGIC, Y15
	VXORPD M0, M0, M0
	VXORPD M1, M1, M1
	VXORPD M2, M2, M2

hermite6loop:
	PAIR(0, Y0, Y2, Y3)
	PAIR(32, Y1, Y6, Y7)
	POW2X2
	ADDALL6(Y0, Y2, Y3)
	ADDALL6(Y1, Y6, Y7)
	ADDQ $64, SI
	ADDQ $64, DI
	SUBQ $8, CX
	JNE hermite6loop
	VMOVUPD M0, (DX)
	VMOVUPD M1, 32(DX)
	VMOVUPD M2, 64(DX)
	VZEROUPPER
	RET
