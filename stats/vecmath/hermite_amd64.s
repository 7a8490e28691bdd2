//go:build amd64 && !purego

#include "textflag.h"
#include "pow2_amd64.h"

// Hermite polynomials of two variables. A0 and B0 are the squares of U and V; S0 and S1
// are scratch; M0 to M4 are the sums; the weight W is the kernel.
#define A0 Y4
#define B0 Y5
#define S0 Y8
#define S1 Y9
#define M0 Y10
#define M1 Y11
#define M2 Y12
#define M3 Y13
#define M4 Y14

// QUADRATIC makes P = (A - K1) A + K0.
#define QUADRATIC(K1, K0, A, P) \
	VSUBPD K1, A, P \
	VFMADD213PD K0, A, P

// ADD40 adds W He_4(U) to M.
#define ADD40(W, A, M) \
	QUADRATIC(C1X6, C2X3, A, S0) \
	VFMADD231PD S0, W, M

// ADD31 adds W He_3(U) V to M.
#define ADD31(W, A, U, V, M) \
	VSUBPD C1X3, A, S0 \
	VMULPD U, S0, S0 \
	VMULPD V, W, S1 \
	VFMADD231PD S1, S0, M

// ADD22 adds W He_2(U) He_2(V) to M.
#define ADD22(W, A, B, M) \
	VSUBPD C1X1, A, S0 \
	VMULPD W, S0, S0 \
	VSUBPD C1X1, B, S1 \
	VFMADD231PD S1, S0, M

#define ADDALL4(W, U, V) \
	VMULPD U, U, A0 \
	VMULPD V, V, B0 \
	ADD40(W, A0, M0) \
	ADD31(W, A0, U, V, M1) \
	ADD22(W, A0, B0, M2) \
	ADD31(W, B0, V, U, M3) \
	ADD40(W, B0, M4)

// ADD60 adds W He_6(U) to M.
#define ADD60(W, A, M) \
	QUADRATIC(C1X15, C2X45, A, S0) \
	VMULPD A, S0, S0 \
	VSUBPD C3X15, S0, S0 \
	VFMADD231PD S0, W, M

// ADD51 adds W He_5(U) V to M.
#define ADD51(W, A, U, V, M) \
	QUADRATIC(C1X10, C2X15, A, S0) \
	VMULPD U, S0, S0 \
	VMULPD V, W, S1 \
	VFMADD231PD S1, S0, M

// ADD42 adds W He_4(U) He_2(V) to M.
#define ADD42(W, A, B, M) \
	QUADRATIC(C1X6, C2X3, A, S0) \
	VMULPD W, S0, S0 \
	VSUBPD C1X1, B, S1 \
	VFMADD231PD S1, S0, M

#define ADDALL6(W, U, V) \
	VMULPD U, U, A0 \
	VMULPD V, V, B0 \
	ADD60(W, A0, M0) \
	ADD51(W, A0, U, V, M1) \
	ADD42(W, A0, B0, M2)

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
