//go:build amd64 && !purego

#include "textflag.h"
#include "pow2_amd64.h"

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

// Below A and B are the squares of U and V, W is the weight, M a sum; Y8 and Y9
// are scratch.

// QUADRATIC makes P = (A - K1) A + K0.
#define QUADRATIC(K1, K0, A, P) \
	VSUBPD K1, A, P \
	VFMADD213PD K0, A, P

// ADD40 adds W He_4(U) to M.
#define ADD40(W, A, M) \
	QUADRATIC(C1X6, C2X3, A, Y8) \
	VFMADD231PD Y8, W, M

// ADD31 adds W He_3(U) V to M.
#define ADD31(W, A, U, V, M) \
	VSUBPD C1X3, A, Y8 \
	VMULPD U, Y8, Y8 \
	VMULPD V, W, Y9 \
	VFMADD231PD Y9, Y8, M

// ADD22 adds W He_2(U) He_2(V) to M.
#define ADD22(W, A, B, M) \
	VSUBPD C1X1, A, Y8 \
	VMULPD W, Y8, Y8 \
	VSUBPD C1X1, B, Y9 \
	VFMADD231PD Y9, Y8, M

#define ADDALL4(W, U, V) \
	VMULPD U, U, Y4 \
	VMULPD V, V, Y5 \
	ADD40(W, Y4, Y10) \
	ADD31(W, Y4, U, V, Y11) \
	ADD22(W, Y4, Y5, Y12) \
	ADD31(W, Y5, V, U, Y13) \
	ADD40(W, Y5, Y14)

// ADD60 adds W He_6(U) to M.
#define ADD60(W, A, M) \
	QUADRATIC(C1X15, C2X45, A, Y8) \
	VMULPD A, Y8, Y8 \
	VSUBPD C3X15, Y8, Y8 \
	VFMADD231PD Y8, W, M

// ADD51 adds W He_5(U) V to M.
#define ADD51(W, A, U, V, M) \
	QUADRATIC(C1X10, C2X15, A, Y8) \
	VMULPD U, Y8, Y8 \
	VMULPD V, W, Y9 \
	VFMADD231PD Y9, Y8, M

// ADD42 adds W He_4(U) He_2(V) to M.
#define ADD42(W, A, B, M) \
	QUADRATIC(C1X6, C2X3, A, Y8) \
	VMULPD W, Y8, Y8 \
	VSUBPD C1X1, B, Y9 \
	VFMADD231PD Y9, Y8, M

#define ADDALL6(W, U, V) \
	VMULPD U, U, Y4 \
	VMULPD V, V, Y5 \
	ADD60(W, Y4, Y10) \
	ADD51(W, Y4, U, V, Y11) \
	ADD42(W, Y4, Y5, Y12)

// func hermite4AVX2(x, y *float64, n int, s, t float64, lanes *[5][4]float64)
TEXT ·hermite4AVX2(SB), NOSPLIT, $0-48
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DI
	MOVQ n+16(FP), CX
	MOVQ lanes+40(FP), DX
	VMOVUPD MAGIC, Y15
	VXORPD Y10, Y10, Y10
	VXORPD Y11, Y11, Y11
	VXORPD Y12, Y12, Y12
	VXORPD Y13, Y13, Y13
	VXORPD Y14, Y14, Y14

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
	VMOVUPD Y10, (DX)
	VMOVUPD Y11, 32(DX)
	VMOVUPD Y12, 64(DX)
	VMOVUPD Y13, 96(DX)
	VMOVUPD Y14, 128(DX)
	VZEROUPPER
	RET

// func hermite6AVX2(x, y *float64, n int, s, t float64, lanes *[3][4]float64)
TEXT ·hermite6AVX2(SB), NOSPLIT, $0-48
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DI
	MOVQ n+16(FP), CX
	MOVQ lanes+40(FP), DX
	VMOVUPD MAGIC, Y15
	VXORPD Y10, Y10, Y10
	VXORPD Y11, Y11, Y11
	VXORPD Y12, Y12, Y12

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
	VMOVUPD Y10, (DX)
	VMOVUPD Y11, 32(DX)
	VMOVUPD Y12, 64(DX)
	VZEROUPPER
	RET
