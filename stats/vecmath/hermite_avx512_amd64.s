//go:build amd64 && !purego

#include "textflag.h"
#include "pow2_amd64.h"
#include "pow2_avx512_amd64.h"

#define MINUS VSUBPD.BCST
#define PLUS VFMADD213PD.BCST
#define A0 Z16
#define B0 Z17
#define S0 Z18
#define S1 Z19
#define M0 Z20
#define M1 Z21
#define M2 Z22
#define M3 Z23
#define M4 Z24
#include "hermite_amd64.h"

// Four elements from x on for the first of two points, those from x+1 on for the
// second: OP(k, Q, UY, U, VY, V) is done for each four of sixteen.
#define ROWS(OP) OP(0, Z0, Y4, Z4, Y12, Z12); OP(1, Z1, Y5, Z5, Y13, Z13); OP(2, Z2, Y6, Z6, Y14, Z14); OP(3, Z3, Y7, Z7, Y15, Z15)

// ZPAIR makes U = s-x, V = t-y and Q = U^2 + V^2; Z28 holds s, Z29 t.
#define ZPAIR(k, Q, UY, U, VY, V) \
	VMOVUPD (32*k)(SI), UY \
	VINSERTF64X4 $1, (32*k+8)(SI), U, U \
	VMOVUPD (32*k)(DI), VY \
	VINSERTF64X4 $1, (32*k+8)(DI), V, V \
	VSUBPD U, Z28, U \
	VSUBPD V, Z29, V \
	VMULPD U, U, Q \
	VMULPD V, V, S0 \
	VADDPD S0, Q, Q

#define ZADD4(k, Q, UY, U, VY, V) ADDALL4(Q, U, V)
#define ZADD6(k, Q, UY, U, VY, V) ADDALL6(Q, U, V)

// func hermite4AVX512(x, y *float64, n int, s, t *[2]float64, lanes *[5][2][4]float64)
TEXT ·hermite4AVX512(SB), NOSPLIT, $0-48
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DI
	MOVQ n+16(FP), CX
	MOVQ s+24(FP), R8
	MOVQ t+32(FP), R9
	MOVQ lanes+40(FP), DX
	HALVES(R8, Z28)
	HALVES(R9, Z29)
	VBROADCASTSD MAGIC, Z31
	VPXORQ M0, M0, M0
	VPXORQ M1, M1, M1
	VPXORQ M2, M2, M2
	VPXORQ M3, M3, M3
	VPXORQ M4, M4, M4

hermite4loop:
	ROWS(ZPAIR)
	ZPOW2(EACH4, ZPOLY4)
	ROWS(ZADD4)
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $16, CX
	JNE hermite4loop
	VMOVUPD M0, 0(DX)
	VMOVUPD M1, 64(DX)
	VMOVUPD M2, 128(DX)
	VMOVUPD M3, 192(DX)
	VMOVUPD M4, 256(DX)
	VZEROUPPER
	RET

// func hermite6AVX512(x, y *float64, n int, s, t *[2]float64, lanes *[3][2][4]float64)
TEXT ·hermite6AVX512(SB), NOSPLIT, $0-48
	MOVQ x+0(FP), SI
	MOVQ y+8(FP), DI
	MOVQ n+16(FP), CX
	MOVQ s+24(FP), R8
	MOVQ t+32(FP), R9
	MOVQ lanes+40(FP), DX
	HALVES(R8, Z28)
	HALVES(R9, Z29)
	VBROADCASTSD MAGIC, Z31
	VPXORQ M0, M0, M0
	VPXORQ M1, M1, M1
	VPXORQ M2, M2, M2

hermite6loop:
	ROWS(ZPAIR)
	ZPOW2(EACH4, ZPOLY4)
	ROWS(ZADD6)
	ADDQ $128, SI
	ADDQ $128, DI
	SUBQ $16, CX
	JNE hermite6loop
	VMOVUPD M0, 0(DX)
	VMOVUPD M1, 64(DX)
	VMOVUPD M2, 128(DX)
	VZEROUPPER
	RET
